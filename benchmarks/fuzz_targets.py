"""What is fuzzed: for every target some forms of input, each with real inputs and what reads them.

An input is bytes. A form may raise any of `zeroin.errors`; everything else is a finding. The forms write below the
folder that they are given, and nowhere else.
"""

import contextlib
import io
import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from benchmarks.planted_secrets import planted
from zeroin import engine
from zeroin.cli.main import COMMANDS, cli, main
from zeroin.config import Options
from zeroin.context.redaction.redact import redact, redact_quote
from zeroin.context.rendering import FORMATS, render
from zeroin.corpus.globs import rules_of
from zeroin.corpus.ignore import FOLDER_KINDS, Ignores
from zeroin.corpus.languages import language_of
from zeroin.imports.graph import resolve_imports
from zeroin.imports.tree import Tree
from zeroin.parsing.analyse import analyse, code_without_strings
from zeroin.parsing.facts import Facts
from zeroin.parsing.grammars import GRAMMAR_LANGUAGES
from zeroin.query.diff import parse_diff
from zeroin.query.task import formulate
from zeroin.tree import Import

Real = Mapping[str, Sequence[bytes]]  # files by language
ROOT = Path(__file__).resolve().parent.parent
WORLDS = ROOT / "tests" / "golden" / "worlds"
_OTHERS = "vue svelte sql markdown rst yaml toml json html css xml ini csv make dockerfile perl r dart ocaml".split()
_WRITTEN = ROOT / "tests" / "unit" / "query"
_MOST_ARGUMENTS = 4_000  # bytes: a command line is its caller's own
_MOST_AGAIN = 50_000  # bytes of a file that is parsed a second time: each time has a limit of its own
_MANIFESTS = ("package.json", "src/tsconfig.json", "go.mod", "Cargo.toml", "a/Cargo.toml", "pyproject.toml")
_SETTINGS = (
    b'{"extends": "./src/tsconfig.json", "compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*", 1]}}}',
    b'{"name": "a", "main": "src/a", "exports": {".": {"import": "./src/a.ts", "x/*": null}}, "workspaces": ["p/*"]}',
    b"module example.org/a/v2\n\nreplace example.org/b => ./pkg\n\nrequire (\n\texample.org/b v1.0.0 // x\n)\n",
    b'[package]\nname = "a"\n[lib]\npath = "src/lib.rs"\n[workspace]\nmembers = [1]\n[dependencies]\nb = {path = "b"}',
)
_TREE = {
    "auth/token.py": "import time\n\n\ndef is_expired(token):\n    return token.exp < time.time()\n",
    "auth/session.py": "from auth.token import is_expired\n\n\nclass Session:\n    token = None\n",
    "tests/test_token.py": "from auth.token import is_expired\n",
    "README.md": "# Tokens\n\nHow a session expires.\n",
}


@dataclass(frozen=True)
class Form:
    """One kind of input: what reads it, real inputs, and words of its language."""

    read: Callable[[bytes], object]
    seeds: Sequence[bytes]
    words: Sequence[bytes] = ()


def real_files(folder: Path | None = None) -> dict[str, list[bytes]]:
    """Files by language: those of the golden worlds, and those below a folder."""
    texts = [(path, text.encode()) for world in sorted(WORLDS.glob("*.toml")) for path, text in _files_of(world)]
    for path in sorted(folder.rglob("*")) if folder else ():
        if path.is_file() and path.stat().st_size <= 50_000:
            texts.append((path.name, path.read_bytes()))
    found: dict[str, list[bytes]] = {}
    for name, data in texts:
        found.setdefault(language_of(name, data[:200]), []).append(data)
    return found


def _files_of(world: Path) -> Iterable[tuple[str, str]]:
    return tomllib.loads(world.read_text("utf-8"))["files"].items()


def tree_in(folder: Path) -> Path:
    for name, text in _TREE.items():
        (folder / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "tree" / name).write_text(text)
    return folder / "tree"


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


# --- what lies in a repository ----------------------------------------------------------------------


def analysers(folder: Path, real: Real) -> dict[str, Form]:
    """Every language: facts that survive being kept, and the code without its strings."""

    def reader(language: str) -> Callable[[bytes], None]:
        def read(data: bytes) -> None:
            facts = analyse(data, language)
            kept = Facts.decode(facts.encode())
            if kept.encode() != facts.encode():
                raise AssertionError("facts change by being kept")
            if len(data) < _MOST_AGAIN:
                code_without_strings(data.decode("utf-8", "replace"), language)

        return read

    def manifests(data: bytes) -> None:
        wanted = [Import(text, ("x",), 1) for text in text_of(data).replace('"', "\n").split("\n")[:50]]
        files = [*_MANIFESTS, "src/a.ts", "src/lib.rs", "a/b.py", "pkg/c.go", "d/E.java", "f.c"]
        languages = [language_of(name) for name in files]
        resolve_imports(Tree(files, languages, lambda doc: (), lambda name: data), lambda doc: wanted)

    every = [data for some in real.values() for data in some]
    found = {name: Form(reader(name), real.get(name) or every) for name in (*GRAMMAR_LANGUAGES, *_OTHERS)}
    return found | {"manifests": Form(manifests, [*real["json"], *real["toml"], *_SETTINGS], _SETTINGS)}


def answers(folder: Path, real: Real) -> dict[str, Form]:
    """A tree with one hostile file, asked and printed in every format: path, task and content, a line each."""
    tree = tree_in(folder)
    names = "a.py lib/b.ts c.go d.rs E.java f.rb g.md h.json i.c j.php k.yaml .ignore".split()
    names += "package.json tsconfig.json go.mod Cargo.toml pyproject.toml".split()

    def read(data: bytes) -> None:
        name, _, rest = data.partition(b"\n")
        task, _, content = rest.partition(b"\n")
        parts = [part for part in re.split(rb"[/\0]+", name) if part not in (b"", b".", b"..", b".git")]
        path = tree.joinpath("auth", *(os.fsdecode(part[:100]) for part in parts[:5]))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError:  # no name of a file here, or a folder's
            return
        try:
            session = engine.open_session(text_of(task), tree, jobs=1, always_loop=True)
            context = session.run()
            for name_ in FORMATS:
                render(context, session.read, name_, code=True)
        finally:
            path.unlink()

    pieces = [data for some in real.values() for data in some[:4]]
    task = b"Why does is_expired(token) of the session fail? auth/token.py"
    seeds = [b"\n".join((names[i % len(names)].encode(), task, data)) for i, data in enumerate(pieces)]
    return {"tree": Form(read, seeds)}


def patterns(folder: Path, real: Real) -> dict[str, Form]:
    """Ignore files and globs, each with the path that they are asked about as its first line."""

    def ignores(data: bytes) -> None:
        path, _, lines = data.partition(b"\n")
        found = Ignores(FOLDER_KINDS)
        for kind in FOLDER_KINDS:
            found.add(kind, lines)
        found.decide(text_of(path) or "x")

    def globs(data: bytes) -> None:
        path, *lines = text_of(data).split("\n")
        rules = rules_of(lines)
        if rules is not None:
            rules.decide(path or "x")

    seeds = [
        b"a/b/c.txt\n*.txt\n!b/\n/a/**/c.*\n[a-c]?.md\n**/x/**\n\\#x\n[!a]*\n[[:alpha:]]*\n",
        b"%s/%s.py\n*a*a*a*a*a*ab\n**/a*/**/b*/**/c\n" % (b"a" * 300, b"a/" * 100),
    ]
    words = b"* ** ? [ ] [! [^ [[: :]] / \\ ! # a-z - **/ /** ] a*b".split()
    return {"ignore files": Form(ignores, seeds, words), "globs": Form(globs, seeds, words)}


def redaction(folder: Path, real: Real) -> dict[str, Form]:
    """What is quoted of a file: its name, then its lines."""

    def read(data: bytes) -> None:
        name, *lines = data.decode("utf-8", "replace").split("\n")
        shown, _ = redact(name, lines)
        if len(shown) != len(lines):
            raise AssertionError("lines are lost")
        for text in lines[:20]:
            redact_quote(text)

    named = [b"a.py\n" + data for some in real.values() for data in some[:3]]
    kinds = ["\n".join([each.path, *each.lines]).encode() for each in planted()]
    return {"lines": Form(read, [*named, *kinds], kinds)}


# --- what is asked ----------------------------------------------------------------------------------


def tasks(folder: Path, real: Real) -> dict[str, Form]:
    """Tasks with their traces, and diffs."""
    seeds = _tasks()
    diffs = [seed for seed in seeds if b"\n@@" in seed or seed.startswith(b"diff ")]
    pieces = [data[:2_000] for some in real.values() for data in some[:2]]
    options = Options()

    def diff(data: bytes) -> None:
        change = parse_diff(text_of(data))
        formulate(engine.review_of(change, ""), options)

    return {
        "text": Form(lambda data: formulate(text_of(data), options), seeds, pieces),
        "diff": Form(diff, diffs or seeds, seeds),
    }


def _tasks() -> list[bytes]:
    """Tasks, traces and diffs that tests write out, and the tasks of the golden worlds."""
    tables = [tomllib.loads(world.read_text("utf-8")) for world in sorted(WORLDS.glob("*.toml"))]
    found = [task["text"] for table in tables for task in table["task"] if "text" in task]
    for test in sorted([*_WRITTEN.glob("test_*.py"), *_WRITTEN.glob("*.toml")]):
        found += re.findall(r"(?:\"{3}|\'{3})\\?\n?(.{40,}?)(?:\"{3}|\'{3})", test.read_text("utf-8"), re.S)
    return [text.encode("utf-8", "surrogatepass") for text in found]


def arguments(folder: Path, real: Real) -> dict[str, Form]:
    """Command lines, an argument a line, run in a small tree; of `mcp` and `batch`, which start servers, only read."""
    tree = tree_in(folder)
    lines = re.findall(r"^(?:\$ )?zeroin (.+)$", (ROOT / "docs" / "CLI.md").read_text("utf-8"), re.M)
    seeds = ["\n".join(word.strip("\"'") for word in line.split()).encode() for line in lines]
    seeds += [
        b"Why does a token expire?\n.\n--explain",
        b"--diff\n-",
        b"terms\ntoken\n.",
        b"learn\nx\n--relevant\nauth/token.py",
    ]
    commands = [command for name in COMMANDS if (command := cli.get_command(None, name))]  # type: ignore[arg-type]
    words = [option.encode() for command in commands for param in command.params for option in param.opts]
    refused = re.compile(rb"^(?:/|~|@)|^--?(?:judge|output|o|report|export|root|http)\b|^-o|\.\.|/tmp|=\s*[/~]")

    def read(data: bytes) -> None:
        lines = data[:_MOST_ARGUMENTS].replace(b"\0", b"").split(b"\n")
        given = [text_of(word) for word in lines if not refused.search(word)]
        if given and given[0] in ("mcp", "batch", "install", "uninstall"):
            command = cli.get_command(None, given[0])  # type: ignore[arg-type]
            assert command is not None
            with contextlib.suppress(click.ClickException, click.exceptions.Exit, click.Abort):
                command.make_context(given[0], given[1:])
            return
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "surrogateescape") for _ in range(2))
        before = Path.cwd()
        os.chdir(tree)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), _stdin():
                main(given)
        except SystemExit as error:
            if error.code not in (0, 1, 2, 3):
                raise AssertionError(f"exit code {error.code}") from error
        finally:
            os.chdir(before)

    return {"words": Form(read, seeds, [*words, *(name.encode() for name in COMMANDS)])}


@contextlib.contextmanager
def _stdin() -> Iterator[None]:
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(b"Why does a token expire?\n"), "utf-8")
    try:
        yield
    finally:
        sys.stdin = before
