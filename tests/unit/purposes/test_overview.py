"""An overview is a map: what stands for each part, why, and nothing that only marks, locks or hands on."""

import os
from functools import partial
from pathlib import Path

import pytest

import zeroin
from tests.ready_process import ReadyProcess
from tests.repositories import commit, copy, repository
from zeroin.config import Options
from zeroin.query.purpose import asks_overview, text_beside_overview
from zeroin.query.task import formulate

ASKED = (
    "Give me an overview",
    "I want a tour of the code",
    "We'd like to have a map of the code base, please. Where do we start?",
    "Write me an introduction to this project",
    "How do I start contributing?",
    "How do I get started with this project?",
    "how do the parts fit together",
    "How is this project organised?",
    "where do I start reading",
    "I'm new to this codebase, where should I begin?",
    "What are the main components?",
    "Walk me through the codebase",
    "project structure",
    "Explain the architecture",
    "Give me an overview of this repository: where would a new maintainer start to read?",
    "I need an overview of this project. Where do I start?",
    "Wie ist dieses Projekt aufgebaut?",
    "请介绍一下这个项目的架构",
    "I am new here. What are the main parts of this library and how do they fit together?",
    "I am new to this code. What are the main parts and where should I start reading?",
    "I want to contribute. Which files should I read first to see how they work together?",
    "I've just joined the team. Can you walk me through the code base?",
    "We are taking over this project. How is it structured and where is the entry point?",
    "I have never seen this code before, what are the most important files?",
    "Hi! Where do I start if I want to understand this project?",
    "Before I change anything I want to understand the architecture.",
    "Could you please give me a quick tour of the code?",
    "Give me a tour: which files do I read first to understand how this project is built?",
    "What modules does this project have and what does each of them do?",
    "What does this project consist of?",
    "How is it all wired together?",
    "Show me around.",
    "I am new here and want to change things. What are the main parts and where do I start to read?",
    "We want to extend this code, where do we start?",
    "Ich bin neu hier. Was sind die wichtigsten Teile dieser Bibliothek und wie hängen sie zusammen?",
    "Woraus besteht dieses Projekt, und wo fange ich an zu lesen?",
    "Je suis nouveau ici. Quelles sont les parties principales de ce projet et comment s'articulent-elles ?",
    "Comment est structuré le code ?",
    "Soy nuevo aquí. ¿Cuáles son las partes principales de este proyecto y cómo encajan?",
    "¿Por dónde empiezo a leer?",
)
NOT_ASKED = (
    "Add an overview page to the docs",
    "Refactor the architecture of the plugin system",
    "Where should I start the server from?",
    "Fix the project layout in the wizard",
    "Where does the server start?",
    "how is the request body parsed",
    "how do retries and timeouts fit together",
    "I am new here. Where is the timeout of a request set?",
    "I am new here. My build fails with an error about missing modules.",
    "I don't understand the retry loop. How does it work?",
    "Give me an overview page in the admin area",
    "How do the parts of a multipart message fit together?",
    "Which files are read first at startup?",
    "We need a map of users on the dashboard",
    "I want a summary of the invoice in the mail",
    "We need an intro for new players",
    "We want a tour through the settings; it crashes on step 3",
    "I need a summary so that users see their balance. Add it to the dashboard.",
    "We need an overview. Add it to the dashboard.",
    "Please get me a walkthrough on sign-up, which fails with 500",
    "Write me a summary for each test failure",
    "I want an overview of the slow tests in the html report",
    "How do I start this?",
    "I want to change things in the settings dialog.",
    "I want to improve something here. The upload is slow.",
    "How do I start the app?",
    "Wie ist der Parser aufgebaut?",
    "Comment est organisé le cache ?",
    "¿Cómo está organizada la caché?",
)


GO = "".join(f"\nfunc warm{n}(v int) int {{\n\treturn v\n}}\n" for n in range(12))
CS = "\n".join(
    f"public class Heat{n}\n{{\n    public int Warm(int v)\n    {{\n        return v;\n    }}\n}}" for n in range(40)
)


def body(name: str, count: int = 6) -> str:
    return "\n\n".join(f"def {name}_{n}(value):\n    return value + {n}\n" for n in range(count))


def engine(turn: int) -> str:
    uses = "from kiln.store.rows import rows_0\nfrom kiln.text.words import words_0\n\n"
    return f"{uses}{body('engine')}\nTURN = {turn}\n"


@pytest.fixture(scope="module")
def kiln(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program of five parts with a script, a library copied in, translations, a lock file and a changelog."""
    files = {
        "pyproject.toml": '[project]\nname = "kiln"\n[project.scripts]\nkiln = "kiln.cli.run:run_0"\n',
        "README.md": "# Kiln\n\nBurns things.\n",
        "ARCHITECTURE.md": "# Architecture\n\n`kiln/engine/` burns, `kiln/store/` keeps, `kiln/text/` reads, "
        "`kiln/cli/` asks.\n",
        "CHANGELOG.md": "# Changes\n\n- the overview of the architecture of all parts of the project structure\n",
        "poetry.lock": "overview = 1\n",
        "kiln/__init__.py": "from kiln.engine.core import engine_0\nfrom kiln.text import words_0\n" * 6,
        "kiln/engine/__init__.py": "from kiln.engine.core import (\n    engine_0,\n    engine_1,\n    engine_2,\n"
        "    engine_3,\n    engine_4,\n)\n\n__all__ = ['engine_0', 'engine_1']\n",
        "kiln/engine/core.py": engine(0),
        "kiln/engine/heat.py": body("heat"),
        "kiln/store/rows.py": body("rows"),
        "kiln/text/words.py": body("words"),
        "kiln/text/__init__.py": "from kiln.text.words import words_0\n" * 10,
        "kiln/cli/run.py": "from kiln.engine.core import engine_0\nfrom kiln.store.rows import rows_0\n\n"
        + body("run"),
        "kiln/cli/colours.py": body("colours", 12),
        "vendor/big/big.py": body("big", 80),
        "tests/test_core.py": "from kiln.engine.core import engine_0\n\n\ndef test_it():\n"
        "    assert engine_0(1) == 1\n",
    }
    folder = repository(tmp_path_factory.mktemp("overview") / "kiln", files, "Start")
    for turn in range(1, 4):
        commit(folder, {"kiln/engine/core.py": engine(turn)}, f"Burn {turn}")
    return folder


@pytest.mark.parametrize("text", ASKED)
def test_an_overview_is_recognised(kiln: Path, text: str) -> None:
    assert zeroin.retrieve(text, kiln, always_loop=True).task.purpose == "architecture"


@pytest.mark.parametrize("text", NOT_ASKED)
def test_what_asks_for_less_is_no_overview(text: str) -> None:
    assert formulate(text, Options())[0].purpose != "architecture"


def test_an_overview_of_a_part_is_an_exploration_of_it(kiln: Path) -> None:
    context = zeroin.retrieve("Give me an overview of the store", kiln, always_loop=True)
    assert context.task.purpose == "explore"
    assert "kiln/store/rows.py" in {j.path for j in context.files}
    assert zeroin.retrieve("Overview of Kiln", kiln, always_loop=True).task.purpose == "architecture"
    for part in ("What are the main parts of the engine?", "I am new here. What are the main parts of this store?"):
        assert zeroin.retrieve(part, kiln, always_loop=True).task.purpose == "explore"


def test_scripts_are_no_part_that_a_document_names(kiln: Path, tmp_path: Path) -> None:
    folder = copy(kiln, tmp_path / "kiln")
    text = (folder / "ARCHITECTURE.md").read_text() + "\n`scripts/` releases it.\n"
    commit(folder, {"scripts/release.py": body("release"), "ARCHITECTURE.md": text}, "Release")
    context = zeroin.retrieve("Give me an overview", folder, always_loop=True)
    (reason,) = (j.reason for j in context.files if j.path == "ARCHITECTURE.md")
    assert reason == "names 4 of 4 parts: kiln/engine/, kiln/cli/ and 2 more"


def test_a_path_from_the_top_names_no_file_of_a_folder(tmp_path: Path) -> None:
    files = {f"kiln/{name}.py": body(name) for name in ("set_up", "heat_up", "cool_down")}
    files |= {
        "README.md": "# Kiln\n\nRun `./set_up.py` first, and `./kiln/heat_up.py` then.\n",
        "README.release": "# Release\n\nTag it, then push the tag.\n",
    }
    context = zeroin.retrieve("Give me an overview", repository(tmp_path / "kiln", files), always_loop=True)
    reasons = {j.path: j.reason for j in context.listed}
    assert reasons["README.md"] == "names 1 of 3 parts: kiln/heat_up.py"
    assert reasons["README.release"] == "its name begins with README"


@pytest.mark.parametrize("named", ["the server package", "packages/server"])
def test_an_overview_of_a_package_that_holds_most_files_is_of_that_package(tmp_path: Path, named: str) -> None:
    names = {"server": ("router", "socket", "queue", "limit"), "client": ("link", "pages"), "shared": ("package",)}
    files = {
        f"packages/{part}/{name}.py": f"# The {name} of the {part}.\n\n{body(name)}"
        for part, inside in names.items()
        for name in inside
    }
    files |= {"README.md": "# Acme\n\nCalls procedures.\n"}
    context = zeroin.retrieve(f"overview of {named}", repository(tmp_path / "acme", files, "Start"), always_loop=True)
    assert context.task.purpose == "explore"
    assert {j.path.rpartition("/")[0] for j in context.listed} == {"packages/server"}


def test_each_part_has_its_file_and_a_true_reason(kiln: Path, ready: ReadyProcess) -> None:
    context = zeroin.retrieve("Give me an overview", kiln, always_loop=True)
    assert context.stop_reason.text == "an overview takes one cycle"
    reasons = {j.path: j.reason for j in context.files}
    assert reasons["kiln/engine/core.py"].startswith("stands for kiln/engine/ (3 files, ")
    assert "imported by 4 files, in 1 other part; changed in 4 of 4 commits" in reasons["kiln/engine/core.py"]
    assert "uses kiln/store/, kiln/text/" in reasons["kiln/engine/core.py"]
    assert "entry point `kiln` by pyproject.toml" in reasons["kiln/cli/run.py"]
    assert reasons["ARCHITECTURE.md"] == "names 4 of 4 parts: kiln/engine/, kiln/cli/ and 2 more"
    assert {"kiln/store/rows.py", "kiln/text/words.py"} <= set(reasons)
    told = ready.run(["Give me an overview", str(kiln), "-q", "--always-loop"], cwd=kiln, env=os.environ)
    assert "stands for kiln/engine/ (3 files" in told.stdout.decode()


def test_each_of_several_repositories_has_its_map_however_small_it_is(
    kiln: Path, tmp_path: Path, ready: ReadyProcess
) -> None:
    files = {"lib/heat.py": body("heat", 3), "lib/rows.py": body("rows", 2), "scripts/run.py": body("run")}
    small = repository(tmp_path / "stove", {**files, "README.md": "# Stove\n\nWarms.\n"}, "Start")
    run = partial(ready.run, cwd=tmp_path, env=os.environ)
    told = run(["Give me an overview", str(kiln), str(small), "-q"]).stdout.decode()
    assert "stove:lib/heat.py  1-10 heat_0  a part of its own" in told and "likely about" not in told
    reasons = {j.path: j.reason for j in zeroin.retrieve("Give me an overview", [kiln, small]).listed}
    assert reasons["kiln:kiln/engine/core.py"].startswith("stands for kiln:kiln/engine/ (3 files")
    assert reasons["kiln:ARCHITECTURE.md"].startswith("names 4 of 4 parts: kiln:kiln/engine/")
    named = run(["Give me an overview of stove", str(kiln), str(small), "-q"]).stdout.decode()
    assert "stove:lib/heat.py  1-10" in named and "likely about: stove" in named
    assert "kiln:" not in named and "are not selected" not in named


STUBS = "import typing as t\n\n\n@t.overload\ndef main(\n    value: int,\n) -> int: ...\n\n\n"
METHOD = "import os\n\n\nclass Heat:\n    def main(self):\n        return 1\n"
LONG = "".join(f"// Line {n} of what it does.\n" for n in range(30))
LICENCE = "Copyright 2020 Kiln. MIT License, without warranty."


@pytest.mark.parametrize(
    ("path", "text", "shown"),
    [
        ("core.py", f"# {LICENCE}\n\nimport os\n\n\n{body('warm', 60)}", "6-21"),
        ("core.py", f'# {LICENCE}\n\n"""How the kiln gets warm again."""\n\n{body("warm", 60)}', "3-18"),
        ("oven.py", f"import os\n\n{body('warm', 60)}\n\nclass Oven:\n    lit = 1\n    hot = 2\n", "Oven"),
        ("heat.go", f'// {LICENCE}\n\npackage heat\n\nimport "os"\n{GO}\nfunc main() {{\n}}\n', "main"),
        ("core.py", f"{STUBS}def main(value):\n    return value\n\n\n{body('warm', 60)}", "10-25"),
        ("core.py", f"{METHOD}\n\n{body('warm', 60)}", "4-19"),
        ("heat.go", f'package heat\n\nimport "os"\n\n{LONG}func Heat() int {{\n\treturn 1\n}}\n', "5-20"),
        ("heat.c", "#include <a.h>\n\n/*\n  Heats\n  it.\n*/\n" + "int heat(int v) {\n  return v;\n}\n\n" * 60, "3-18"),
        ("Oven.cs", f"/*\n {LICENCE}\n*/\nusing System;\n\nnamespace Kiln;\n\n/// <summary/>\n{CS}", "8-23"),
    ],
)
def test_of_a_file_what_it_is_for_is_shown_and_no_licence(
    tmp_path: Path, ready: ReadyProcess, path: str, text: str, shown: str
) -> None:
    path = f"kiln/heat/{path}"
    files = {"README.md": "# Kiln\n\nBurns things.\n", path: text, "kiln/store/rows.py": body("rows")}
    folder = repository(tmp_path / "kiln", files, "Start")
    told = ready.run(["Give me an overview", str(folder), "-q", "--always-loop"], cwd=folder, env=os.environ)
    (row,) = (row for row in told.stdout.decode().split("\n") if f"{path}  " in row)
    assert shown in row.partition(path)[2]


def test_nothing_that_marks_locks_or_was_copied_is_on_the_map(kiln: Path) -> None:
    context = zeroin.retrieve("How is this project organised?", kiln, always_loop=True)
    paths = {j.path for j in context.listed}
    assert not {p for p in paths if p.endswith(("__init__.py", ".lock", "CHANGELOG.md"))}
    assert not {p for p in paths if p.startswith(("vendor/", "tests/"))}
    assert not context.gaps


@pytest.mark.parametrize(
    "name", ["README.ar.md", "README-DE.md", "readme-zh-cn.md", "README.中文.md", "README.pt_BR.md"]
)
def test_translations_of_a_document_are_not_on_the_map(kiln: Path, tmp_path: Path, name: str) -> None:
    more = copy(kiln, tmp_path / "kiln")
    commit(more, {"README.md": "# Kiln\n\nBurns things.\n", name: "# Kiln\n\nBurns.\n"}, "Say it again")
    told = {name: "# Kiln\n\nBurns.\n", "README-tests.md": "# Tests\n\nRun them.\n"}
    alone = zeroin.retrieve(
        "Give me an overview", repository(tmp_path / "alone", {"kiln/rows.py": body("rows"), **told}), always_loop=True
    )
    listed = [j.path for j in zeroin.retrieve("Give me an overview", more, always_loop=True).listed]
    assert "README.md" in listed and name not in listed
    assert told.keys() <= {j.path for j in alone.listed}  # what has no original is no translation


def test_an_overview_lists_twelve_files_at_most_and_the_best_of_each_part_first(kiln: Path, tmp_path: Path) -> None:
    more = copy(kiln, tmp_path / "kiln")
    parts = {f"kiln/part{n:02}/{side}.py": body(f"part{n:02}_{side}") for n in range(20) for side in ("a", "b")}
    commit(more, parts, "More")
    context = zeroin.retrieve("Give me an overview", more, always_loop=True)
    listed = [j.path for j in context.listed]
    assert len(listed) == 12
    assert "kiln/engine/core.py" in listed[:3]
    folders = [path.rpartition("/")[0] for path in listed if path.startswith("kiln/")]
    assert len(set(folders)) == len(folders)
    assert [j.relevance for j in context.files] == sorted((j.relevance for j in context.files), reverse=True)
    (gap,) = context.gaps
    assert "are not selected" in gap.need


def test_where_one_part_is_nearly_all_of_the_code_more_of_its_files_are_listed(tmp_path: Path) -> None:
    files = {f"kiln/part{n}.py": body(f"part{n}", 40) for n in range(12)}
    files |= {"README.md": "# Kiln\n\nBurns things.\n", "probe/main.py": body("main", 4)}
    files |= {f"probe/case{n}.py": body(f"case{n}", 2) for n in range(4)}
    context = zeroin.retrieve("Give me an overview", repository(tmp_path / "kiln", files, "Start"), always_loop=True)
    paths = [j.path for j in context.files]
    assert sum(path.startswith("kiln/") for path in paths) >= 8
    assert {"README.md", "probe/main.py"} <= set(paths[:4])


@pytest.mark.parametrize("shebang", [True, False])
def test_a_program_without_an_extension_that_is_called_like_the_repository_is_a_part(
    tmp_path: Path, shebang: bool
) -> None:
    first = "#!/usr/bin/env python3\n" if shebang else ""
    files = {f"lib/kiln/{name}.py": body(name) for name in ("core", "heat", "rows", "words")}
    files |= {"README.md": "[![ok](https://x.org/b.svg)](https://x.org)\n# Kiln 3\n\nA release burns things.\n"}
    files |= {"kiln": first + body("kiln", 20), "release": "#!/usr/bin/env python3\n" + body("release", 20)}
    folder = repository(tmp_path / "kiln", files, "Start")
    context = zeroin.retrieve("Give me an overview", folder, always_loop=True)
    reasons = {j.path: j.reason for j in context.files}
    assert "release" not in reasons
    assert not context.gaps
    if shebang:
        assert reasons["kiln"] == "a part of its own, 32% of the code; program by its name; changed in 1 of 1 commits"
    else:  # nothing says that it is code
        assert "kiln" not in reasons


def test_a_file_at_the_top_that_holds_most_of_the_code_is_a_part(tmp_path: Path) -> None:
    files = {f"kiln/{name}.py": body(name, 3) for name in ("core", "heat", "rows", "words", "fire")}
    folder = repository(tmp_path / "top", files | {"kiln.py": body("kiln", 40), "README.md": "# Kiln\n"}, "Start")
    context = zeroin.retrieve("Give me an overview", folder, always_loop=True)
    assert "a part of its own, 76% of the code" in {j.path: j.reason for j in context.files}["kiln.py"]


def test_of_a_library_the_class_that_users_begin_with_and_the_readme_come_before_small_parts(tmp_path: Path) -> None:
    def php(name: str, count: int, uses: str = "") -> str:
        rows = "".join(f"    public function {name}{n}($v) {{\n        return $v;\n    }}\n" for n in range(count))
        return f"<?php\nnamespace Kiln\\{name};\n{uses}\nclass {name}\n{{\n{rows}}}\n"

    parts = {"Store": 60, "Text": 50, "Heat": 40, "Cold": 3}
    files = {f"src/{name}/{name}.php": php(name, count) for name, count in parts.items()}
    uses = "".join(f"use Kiln\\{name}\\{name};\n" for name in parts)
    files |= {"src/Kiln.php": php("Kiln", 12, uses), "README.md": "# Fire\n\nBurns things.\n"}
    files |= {"composer.json": r'{"name": "a/fire", "autoload": {"psr-4": {"Kiln\\": "src/"}}}'}
    folder = repository(tmp_path / "fire", files, "Start")
    for turn in range(1, 4):
        commit(folder, {"src/Kiln.php": php("Kiln", 12 + turn, uses)}, f"Burn {turn}")
    context = zeroin.retrieve("Give me an overview", folder, always_loop=True)
    paths = [j.path for j in context.files]
    assert paths[0] == "src/Kiln.php"
    assert "main module by composer.json" in context.files[0].reason
    assert paths.index("README.md") < paths.index("src/Cold/Cold.php")


def test_the_address_of_a_badge_and_the_name_of_the_program_name_no_part(tmp_path: Path) -> None:
    files = {f"{part}/{name}.py": body(name) for part in ("lib/kiln", "dev") for name in ("core", "heat", "rows")}
    files |= {"README.md": "# kiln\n\nkiln burns. ![ok](https://x.org/b.svg?branch=dev) https://x.org/dev\n"}
    files |= {"kiln": "#!/usr/bin/env python3\n" + body("kiln", 20)}
    context = zeroin.retrieve("Give me an overview", repository(tmp_path / "kiln", files, "Start"), always_loop=True)
    reasons = {j.path: j.reason for j in context.files}
    assert reasons["README.md"] == "the README of the whole"
    assert {"kiln", "dev/core.py"} <= set(reasons)


@pytest.mark.parametrize(
    ("manifest", "text", "entry", "told"),
    [
        ("package.json", '{"name": "a", "bin": {"kiln": "./dist/kiln.js"}}', "src/kiln.ts", "entry point `kiln` by"),
        ("package.json", '{"name": "a", "main": "lib/index"}', "lib/index.js", "main module by"),
        ("Cargo.toml", '[package]\nname = "kiln"\n', "src/main.rs", "entry point `kiln` by"),
        ("setup.py", "setup(entry_points={'console_scripts': ['kiln = kiln.go:main']})", "kiln/go.py", "`kiln` by"),
        ("kiln.gemspec", "Gem::Specification.new", "lib/kiln.rb", "main module by"),
        ("composer.json", '{"name": "a/b", "bin": ["bin/kiln"]}', "bin/kiln", "entry point `kiln` by"),
        ("composer.json", r'{"autoload": {"psr-4": {"A\\Kiln\\": "src/"}}}', "src/Kiln.php", "main module by"),
        ("composer.json", '{"autoload": {"psr-4": {"A": ["src"], "": 3}, "x": 1}}', "", ""),
        ("package.json", '{"bin": {"%s": "a.js"}}' % ("k" * 99_000), "a.js", f"entry point `{'k' * 80}` by"),
        ("package.json", '{"name": ["a"], "bin": [1, {}], "main": 3, "exports": {".": {}}}', "", ""),
        ("pyproject.toml", "not = [toml", "", ""),
        ("Cargo.toml", "bin = 3\npackage = 4\nlib = 5\n", "", ""),
    ],
)  # fmt: skip
def test_manifests_name_where_a_program_begins(manifest: str, text: str, entry: str, told: str) -> None:
    from zeroin.index.entries import entry_points

    found = entry_points([manifest, *([entry] if entry else [])], lambda path: text)
    assert {path: told in one.text for path, one in found.items()} == ({entry: True} if entry else {})


def test_a_long_text_is_read_in_no_time() -> None:
    for text in ("give me an overview " * 500, "how do the " * 2_000, "the this " * 3_000, "where do I start " * 900):
        assert not asks_overview(text)
        assert len(text_beside_overview(text)) <= 600
