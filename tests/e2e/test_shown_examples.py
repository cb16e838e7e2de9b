"""What pages and texts for agents show is what zeroin says, it is right, and every call that they tell works."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.ready_process import ReadyProcess
from tests.repositories import git
from tests.unit.install.test_texts import AGENT_HOSTS, commands
from zeroin.install.texts import agent, prompt, skill

ROOT = Path(__file__).resolve().parents[2]
RUN = re.compile(r"\br-[0-9a-f]{10}\b")
TASK = "Add rate limiting to the search endpoint"


def written() -> ModuleType:
    """`.ci/example.py`, which writes the examples."""
    spec = importlib.util.spec_from_file_location("written_examples", ROOT / ".ci" / "example.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The example as a repository, with a branch beside main that changes the throttle."""
    yield written().World(tmp_path_factory.mktemp("world"))


@pytest.mark.parametrize("page", written().PAGES)
def test_a_page_shows_what_zeroin_says(page: str, world: Any) -> None:
    """Where it does not: python .ci/example.py"""
    text = (ROOT / page).read_text("utf-8")
    assert written().rewritten(text, world) == text


def test_the_page_of_the_command_line_shows_what_terms_says(run: Run, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "here" / "examples")
    page = (ROOT / "docs/CLI.md").read_text("utf-8")
    shown = re.findall(r"^\$ zeroin (terms .*)\n((?:.*\n)*?)(?=\n\$|```)", page, re.MULTILINE)
    assert len(shown) == 2
    for call, told in shown:
        assert run(tmp_path / "here", *shlex.split(call), COLUMNS="100").stdout == told


def files_of(answer: str) -> list[tuple[str, float]]:
    rows = re.findall(r"^\| (src/\S+) \| ([01]\.\d\d) \|", answer, re.MULTILINE)
    return [(path, float(relevance)) for path, relevance in rows]


def test_the_example_of_the_skill_is_right(world: Any) -> None:
    """The middleware first, and after what was said of it the route that it is to be put in front of."""
    text = skill()["SKILL.md"]
    first, second = (c for c in re.findall(r"^zeroin .*?[^\\]$", text, re.MULTILINE | re.DOTALL)
                     if TASK in c or "refine r-" in c)  # fmt: skip
    world.real = {}
    asked = files_of(world.answer(first))
    assert asked[0][0] == "src/middleware/throttle.ts" and asked[0][1] >= 0.5
    assert dict(asked).get("src/routes/products.ts", 0.0) < 0.5, "it is not yet trusted"
    told = files_of(world.answer(second.replace("\\\n", " ")))
    assert told[0] == ("src/middleware/throttle.ts", 1.0)
    assert told[1][0] == "src/routes/products.ts" and told[1][1] >= 0.5


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The example with a tag, and a branch that is two commits ahead of main."""
    place = written().World(tmp_path).repository
    git(place, "tag", "v2.1")
    git(place, "switch", "-q", "-c", "work")
    throttle = place / "src/middleware/throttle.ts"
    throttle.write_text(throttle.read_text().replace("burst", "burstSize"))
    git(place, "commit", "-q", "-a", "-m", "Name the burst")
    return Path(place)


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(ready: ReadyProcess) -> Run:
    """Runs a command line of zeroin in `place`, with a cache beside it; `before` is what it is started by."""

    def run(
        place: Path, *words: str, stdin: str = "", before: Sequence[str] = (), **env: str
    ) -> subprocess.CompletedProcess[str]:
        folders = {f"ZEROIN_{name}_DIR": str(place.parent / name.lower()) for name in ("CACHE", "DATA")}
        environ = {**os.environ, **folders, **env}
        if not before:
            done = ready.run(words, cwd=place, env=environ, stdin=stdin.encode())
            out, err = done.stdout.decode(), done.stderr.decode()
            return subprocess.CompletedProcess(done.args, done.returncode, out, err)
        command = [*before, sys.executable, "-m", "zeroin", *words]
        return subprocess.run(command, cwd=place, env=environ, input=stdin, capture_output=True, text=True, check=False)

    return run


FILLED = {
    "TASK": TASK,
    "PATH": "src/middleware/throttle.ts",
    "GLOB": "*.md",
    "WORD": "throttle",
    "WORDS": "route of the search",
    "SENTENCE": "Routes are mounted by RouterSetup in src/http/router-setup.ts",
    "TASK WORD=CODE WORD": "rate limit=throttle",
}


def calls() -> list[list[str]]:
    """Every call that the texts for agents tell, once, with what stands for something filled in."""
    texts = [prompt(), *skill().values(), *map(agent, AGENT_HOSTS)]
    found = {tuple(FILLED.get(word, word) for word in words) for text in texts for words in commands(text)}
    return sorted([*words] for words in found if words)


def test_every_call_that_the_texts_tell_works(run: Run, repository: Path) -> None:
    first = run(repository, TASK, "-f", "markdown")
    (name,) = set(RUN.findall(first.stdout))
    told = calls()
    assert {"refine", "more", "show", "terms", "-", TASK} <= {words[0] for words in told}
    for words in told:
        words = [name if word == "RUN" or RUN.fullmatch(word) else word for word in words]
        both = set(words) & {"--relevant"} and words.count(FILLED["PATH"]) > 1
        if both:  # one PATH stands for two files
            words[words.index("--irrelevant") + 1] = "src/catalog/pagination.ts"
        apart = {"ZEROIN_DATA_DIR": str(repository.parent / words[0])} if words[0] == "learn" else {}
        done = run(repository, *words, stdin="Login doesn't work after a restart." if "-" in words else "", **apart)
        assert done.returncode in (0, 1), (shlex.join(words), done.stderr)
        assert done.stdout and done.stderr == "", shlex.join(words)


READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'


def mounted(folder: Path) -> list[str]:
    """The beginning of a command for which `folder` is read-only, whoever runs it; skips where that cannot be had."""
    command = ["unshare", "-rm", "sh", "-c", READ_ONLY, str(folder)]
    if shutil.which("unshare") is None or subprocess.run([*command, "true"], check=False).returncode:
        pytest.skip("no mounts of one's own here")
    return command


@pytest.mark.parametrize("indexed", [False, True])
def test_the_subagent_of_codex_can_do_what_it_is_told_in_its_read_only_sandbox(
    run: Run, repository: Path, tmp_path: Path, indexed: bool
) -> None:
    """Home, cache and the repository may not be written; an index that is there is read."""
    text = tomllib.loads(agent("codex"))["developer_instructions"]
    assert 'sandbox_mode = "read-only"' in agent("codex")
    env = {"HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    if indexed:
        assert run(repository, "index", ".", **env).returncode == 0
    asked = [words for words in commands(text) if words[0] == "TASK"]
    assert len(asked) == 2 and "--keyword" in asked[1]  # the first call, and asking again without a run
    sandbox = mounted(tmp_path)
    for words in asked:
        done = run(repository, *(FILLED.get(word, word) for word in words), before=sandbox, **env)
        assert done.returncode == 0, done.stderr
        (line,) = done.stderr.splitlines()
        assert line.startswith(f"warning: nothing {'new ' if indexed else ''}can be kept in ")
        assert "src/middleware/throttle.ts" in done.stdout and not RUN.search(done.stdout)
    plain = run(repository, TASK, before=sandbox, **env)  # the table has the warning in it
    assert plain.returncode == 0 and plain.stdout.count("can be kept in") == 1 and plain.stderr == ""
    refused = run(repository, "refine", "r-0123456789", "--relevant", FILLED["PATH"], before=sandbox, **env)
    assert refused.returncode == 2 and len(refused.stderr.splitlines()) == 1


def test_a_home_below_a_file_is_no_error(run: Run, repository: Path, tmp_path: Path) -> None:
    """What nobody can write, whatever the system: folders below a file."""
    (tmp_path / "file").write_text("")
    names = ("HOME", "TMPDIR", "ZEROIN_CACHE_DIR", "ZEROIN_DATA_DIR", "XDG_CACHE_HOME", "XDG_DATA_HOME")
    done = run(repository, TASK, "-f", "markdown", **dict.fromkeys(names, str(tmp_path / "file" / "x")))
    assert done.returncode == 0 and len(done.stderr.splitlines()) == 1
    assert "warning: nothing can be kept in" in done.stderr
