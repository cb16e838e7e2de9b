"""Names that a change uses and that nothing defines: the file where they belong leads the review."""

import time
from pathlib import Path

import pytest

import zeroin
from benchmarks.reasons import check_context
from tests.repositories import repository
from zeroin.answer import Context
from zeroin.engine import diff_of
from zeroin.types import Task

JAVA = {
    "src/util/TextUtil.java": "package util;\n\nclass TextUtil {\n  static String trim(String s) { return s; }\n}\n",
    "src/mock/Constraint.java": "package mock;\n\nimport util.TextUtil;\n\nclass Constraint {\n"
    "  String describe(String s) {\n    return s;\n  }\n}\n",
    **{
        f"src/mock/Mock{n}.java": f"package mock;\n\nclass Mock{n} {{\n  int size() {{ return {n}; }}\n}}\n"
        for n in range(9)
    },
}
USER, HOME = "src/mock/Constraint.java", "src/util/TextUtil.java"
PYTHON = {
    "shop/__init__.py": "",
    "shop/text.py": "def trim(s):\n    return s\n",
    "shop/order.py": "from shop import text\n\n\ndef label(s):\n    return s\n",
}


def review(folder: Path, changes: dict[str, str]) -> Context:
    for path, text in changes.items():
        (folder / path).write_text(text, encoding="utf-8")
    return zeroin.retrieve(Task("Add labels", "review", diff_of(folder)), folder)


def escaping(files: dict[str, str], call: str = "TextUtil.escapeQuoted(s)") -> dict[str, str]:
    return {USER: files[USER].replace("return s;", f"return {call};")}


def test_the_file_that_has_to_define_a_name_is_first_and_a_critical_gap(tmp_path: Path) -> None:
    context = review(repository(tmp_path / "r", JAVA), escaping(JAVA))
    first = context.listed[0]
    assert first.path == HOME
    assert first.relevance >= 0.7
    assert (
        first.reasons[0].text == "does not define TextUtil.escapeQuoted yet, which the change uses (Constraint.java:7)"
    )
    need = "TextUtil.escapeQuoted (Constraint.java:7, added) is not defined yet; TextUtil.java is the place"
    assert [(gap.need, gap.critical) for gap in context.gaps if gap.form == "undefined"] == [(need, True)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("from shop import text\n", "from shop import text\nfrom shop.text import escape_quoted\n"),
        ("from shop import text\n", "from shop import text\nfrom .text import trim, escape_quoted as quoted\n"),
        ("return s\n", "return text.escape_quoted(s)\n"),
    ],
)
def test_a_module_is_a_qualifier_too(tmp_path: Path, old: str, new: str) -> None:
    changes = {"shop/order.py": PYTHON["shop/order.py"].replace(old, new)}
    context = review(repository(tmp_path / "r", PYTHON), changes)
    assert context.listed[0].path == "shop/text.py"
    assert any(gap.form == "undefined" and "text.escape_quoted (order.py:" in gap.need for gap in context.gaps)


@pytest.mark.parametrize(
    ("changes", "call"),
    [
        ({}, "TextUtil.trim(s)"),  # defined
        ({}, "TextUtil.class"),
        ({HOME: JAVA[HOME].replace("class TextUtil", "class TextUtil extends Library")}, "TextUtil.escapeQuoted(s)"),
        ({HOME: JAVA[HOME].replace("package util;", "package util;\nimport lombok.Builder;")}, "TextUtil.builder()"),
        ({USER: JAVA[USER].replace("import util.", "import org.lib.")}, "TextUtil.escapeQuoted(s)"),
        ({"src/old/TextUtil.java": JAVA[HOME]}, "TextUtil.escapeQuoted(s)"),  # which of the two?
        (
            {"src/mock/Mock0.java": "class Mock0 { String escapeQuoted(String s) { return s; } }\n"},
            "TextUtil.escapeQuoted(s)",
        ),
        ({}, '"TextUtil.escapeQuoted"'),  # a string
    ],
)
def test_a_name_that_may_come_from_elsewhere_is_not_missing(tmp_path: Path, changes: dict[str, str], call: str) -> None:
    files = {**JAVA, **changes}
    context = review(repository(tmp_path / "r", files), escaping(files, call))
    assert not any(gap.form == "undefined" for gap in context.gaps)
    assert not any("yet, which the change uses" in judgment.reason for judgment in context.ranking)


@pytest.mark.parametrize("line", ["from logging import LoggerAdapter", "import logging\n\nlogging.LoggerAdapter"])
@pytest.mark.parametrize("folder", ["shop", "shop/log"])
def test_a_library_called_like_a_module_of_the_tree_is_not_meant(tmp_path: Path, folder: str, line: str) -> None:
    files = {**PYTHON, f"{folder}/__init__.py": "", f"{folder}/logging.py": "def trim(s):\n    return s\n"}
    files["shop/order.py"] += f"from {folder.replace('/', '.')}.logging import trim\n"
    context = review(repository(tmp_path / "r", files), {"shop/order.py": f"{files['shop/order.py']}{line}\n"})
    assert not any(gap.form == "undefined" for gap in context.gaps)


@pytest.mark.parametrize(
    ("path", "home", "used", "said"),
    [
        ("src/mode.rs", "src/kind.rs", "Kind::Plain", True),
        ("src/mode.rs", "src/kind.rs", "kind::Kind::Plain", True),
        ("src/mode.rs", "src/kind.rs", "io::Kind::Plain", False),  # of another module
        ("src/mode.rs", "src/kind.rs", "Kind::plain();\n}\n\nimpl Kind {\n    fn plain() {}", False),
        ("src/mode.rs", "src/kind.rs", "self::OLD", False),
        ("shop/mode.py", "shop/kind.py", "Kind.plain", False),  # not imported: a variable, perhaps patched
    ],
)
def test_the_type_must_be_the_one_that_is_meant(tmp_path: Path, path: str, home: str, used: str, said: bool) -> None:
    text = "class Kind:\n    trim = 1\n" if home.endswith(".py") else "pub enum Kind {\n    Dark,\n}\n"
    start = "def mode():\n    return 1\n" if home.endswith(".py") else "fn mode() {\n    run();\n}\n"
    files = {home: text, path: start, "shop/__init__.py": ""}
    changed = start.replace("return 1", used).replace("run();", f"{used};")
    context = review(repository(tmp_path / "r", files), {path: changed})
    assert any(gap.form == "undefined" for gap in context.gaps) == said


def test_a_name_that_the_change_used_before_is_not_new(tmp_path: Path) -> None:
    files = {**JAVA, **escaping(JAVA)}
    changed = files[USER].replace("return TextUtil.escapeQuoted(s);", "return TextUtil.escapeQuoted(s + s);")
    context = review(repository(tmp_path / "r", files), {USER: changed})
    assert not any(gap.form == "undefined" for gap in context.gaps)


def test_what_the_change_defines_is_not_missing(tmp_path: Path) -> None:
    home = JAVA[HOME].replace("}\n}", "}\n  static String escapeQuoted(String s) { return s; }\n}")
    context = review(repository(tmp_path / "r", JAVA), {**escaping(JAVA), HOME: home})
    assert not any(gap.form == "undefined" for gap in context.gaps)


def test_what_is_said_of_an_undefined_name_is_read_back(tmp_path: Path) -> None:
    folder = repository(tmp_path / "r", JAVA)
    (folder / USER).write_text(escaping(JAVA)[USER], encoding="utf-8")
    session = zeroin.open_session(Task("Add labels", "review", diff_of(folder)), folder)
    context = session.run()
    assert any("yet, which the change uses" in judgment.reason for judgment in context.listed)
    assert check_context(context, session.loop.view, folder / ".git") == []


def test_a_large_change_and_a_file_of_blank_lines_are_read_in_linear_time(tmp_path: Path) -> None:
    folder = repository(tmp_path / "r", {**JAVA, "src/mock/Blank.java": "\n" * 60_000 + "class Blank {\n}\n"})
    began = time.monotonic()
    added = {f"src/mock/New{n}.java": f"class New{n} {{\n  int size = TextUtil.sizeOf{n}();\n}}\n" for n in range(1500)}
    context = review(folder, {**added, USER: JAVA[USER].replace("return s;", "return Blank.trimmed(s);")})
    assert any("Blank.trimmed" in gap.need for gap in context.gaps)
    assert time.monotonic() - began < 15


RUST = "fn mode() {\n    run();\n}\n"
CALLS = "class Mode {\n  Object mode() { return run(); }\n}\n"


@pytest.mark.parametrize(
    ("kind", "mode", "used", "said"),
    [
        ("#[derive(Debug, Default)]\npub struct Kind;\n", RUST, "Kind::default()", False),
        ("#[derive(\n    Clone,\n    TypedBuilder,\n)]\npub struct Kind;\n", RUST, "Kind::builder()", False),
        ("#[derive(clap::Subcommand)]\npub enum Kind {\n    Dark,\n}\n", RUST, "Kind::parsed()", False),
        ("#[derive(clap::Subcommand)]\npub enum Kind {\n    Dark,\n}\n", RUST, "Kind::Plain", True),
        ("#[derive(Debug, serde::Deserialize)]\npub struct Kind;\n", RUST, "Kind::plain()", True),
        ("pub struct Kind;\n\nmake_operators! { Kind }\n", RUST, "Kind::plain()", False),
        ("enum Kind { DARK }\n", CALLS, "map(Kind::ordinal, Kind::hashCode)", False),
        ("@dataclass_json\n@dataclass\nclass Kind:\n    dark: int\n", "", "Kind.from_dict", False),
        ("@dataclass(frozen=True)\nclass Kind:\n    dark: int\n", "", "Kind.from_dict", True),
        ("class Kind:\n    dark = 1\n", "", "Kind.__subclasses__()", False),
        ("class Kind:\n    dark = 1\n\n\nglobals()['Other'] = Kind\n", "", "Kind.plain", False),
        (
            "namespace A;\n[Id]\npublic partial struct Kind { }\n",
            CALLS.replace("Object", "object"),
            "Kind.Parse()",
            False,
        ),
        ("<?php\nenum Kind: string {\n  case Dark = 'd';\n}\n", "<?php\nrun();\n", "Kind::tryFrom('d');", False),
    ],
)
def test_what_a_language_or_a_macro_defines_is_not_missing(
    tmp_path: Path, kind: str, mode: str, used: str, said: bool
) -> None:
    mode = mode or "from shop.kind import Kind\n\n\ndef mode():\n    return run()\n"
    ending = {"fn": ".rs", "class": ".cs" if "namespace" in kind else ".java", "from": ".py", "<?php": ".php"}
    end = ending[mode.split()[0]]
    files = {f"shop/kind{end}": kind, f"shop/mode{end}": mode, "shop/__init__.py": ""}
    context = review(repository(tmp_path / "r", files), {f"shop/mode{end}": mode.replace("run()", used)})
    assert any(gap.form == "undefined" for gap in context.gaps) == said


@pytest.mark.parametrize(
    ("home", "text", "used"),
    [
        (
            "kind.js",
            "export class Kind {\n}\n",
            "import { Kind } from './kind'\nKind.plain = () => 1\nrun(Kind.plain())\n",
        ),
        ("logo.svg", "<svg></svg>\n", "import { ReactComponent as Logo } from './logo.svg'\nrun(Logo)\n"),
        (
            "kind.module.css",
            ".plain-button { }\n",
            "import { plainButton } from './kind.module.css'\nrun(plainButton)\n",
        ),
    ],
)
def test_a_script_may_assign_a_member_and_import_what_a_bundler_makes(
    tmp_path: Path, home: str, text: str, used: str
) -> None:
    folder = repository(tmp_path / "r", {f"src/{home}": text, "src/mode.js": "run()\n", "src/other.js": "run()\n"})
    context = review(folder, {"src/mode.js": used})
    assert not any(gap.form == "undefined" for gap in context.gaps)


def test_a_line_that_uses_two_undefined_names_is_said_once(tmp_path: Path) -> None:
    call = "TextUtil.escapeQuoted(TextUtil.unfold(s))"
    context = review(repository(tmp_path / "r", JAVA), escaping(JAVA, call))
    names = "TextUtil.escapeQuoted, TextUtil.unfold"
    assert (
        context.listed[0].reasons[0].text == f"does not define {names} yet, which the change uses (Constraint.java:7)"
    )
