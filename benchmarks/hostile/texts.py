"""Texts of strangers in a small tree whose right answer is known: what do they lift, and what do they break?

An attempt on the ranking adds files (and commits) that have nothing to do with the task. A text that speaks to the
reader stands in a comment, a string, prose, the name of a file, the message of a commit and the task: in no format may
it leave its place, and where it speaks to an agent a warning says where.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.hostile.attempts import RIGHT, SPEECH, TASK, Lift
from benchmarks.hostile.escaped import FORMATS, faults
from benchmarks.hostile.place import Place
from benchmarks.redaction import files_of
from zeroin.config import Options
from zeroin.context.clean import clean
from zeroin.context.redaction.addressed import warnings_of
from zeroin.engine import Repository
from zeroin.mcp.roots import Roots
from zeroin.mcp.tools import call
from zeroin.mcp.work import Work

EXAMPLE = Path(__file__).resolve().parents[2] / "examples/token-expiry"
MOST = 0.5
_NAME = re.compile(r"[/\0]")
_MOST_NAME = 60


@dataclass(frozen=True, slots=True)
class Lifted:
    """What an attempt on the ranking came to: the most that one of its files reached, and the best right file."""

    name: str
    relevance: float
    right: float


def tree(folder: Path) -> Place:
    """The example in git."""
    shutil.copytree(EXAMPLE, folder)
    place = Place(folder, folder, folder, folder)
    place.git("init", "-q", "-b", "main", ".")
    place.commit("Sign in with tokens that expire")
    return place


def lifted(attempts: Sequence[Lift]) -> Iterator[Lifted]:
    """Ask the task beside each attempt."""
    for attempt in attempts:
        with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
            place = tree(Path(folder, "tree"))
            place.write(attempt.files)
            place.commit("Parcels")
            for number, message in enumerate(attempt.messages):
                first = next(iter(attempt.files))
                place.write({first: f"{attempt.files[first]}// {number}\n"})
                place.commit(message)
            context = Repository.open(place.root).ask(TASK, Options(top=2_500)).run()
        found = {j.path: j.relevance for j in (*context.listed, *context.ranking)}
        yield Lifted(
            attempt.name,
            max((found.get(path, 0.0) for path in attempt.files), default=0.0),
            max(found.get(path, 0.0) for path in RIGHT),
        )


def spoken(folder: Path) -> Place:
    """The example with every text of `SPEECH` in every place of a stranger."""
    place = tree(folder)
    right = place.root / RIGHT[0]
    for number, (said, _) in enumerate(SPEECH):
        text = said.format(c="//")
        commented = text.replace("\n", "\n// ")
        with right.open("a") as file:
            file.write(f"// authentication token expiry {commented}\n{text}\nconst EXPIRY{number} = `{text}`;\n")
        with suppress(OSError):  # a name that a file system refuses
            place.write({f"src/auth/expiry{number} {_NAME.sub(' ', text)[:_MOST_NAME]}.ts": "// token expiry\n"})
        place.commit(f"Fix token expiry: {said.format(c='#')}".replace("\0", " "))
    prose = "".join(f"authentication token expiry bug\n\n{said.format(c='#')}\n\n" for said, _ in SPEECH)
    place.write({"docs/token-expiry.md": f"# Token expiry\n\n{prose}"})
    place.commit("Words on token expiry")
    return place


@dataclass(frozen=True, slots=True)
class Said:
    """An answer about a tree that speaks: how many texts it shows, its warnings of them, what is wrong with it."""

    way: str
    shown: int
    warnings: int
    wrong: tuple[str, ...]


def answers(place: Place, home: Path, formats: Sequence[str] = FORMATS) -> Iterator[Said]:
    """Ask about a tree that speaks, in every format, for the page, with a task that speaks, and as an agent does."""
    home.mkdir()
    speaking = f"{TASK}\n" + "\n".join(said.format(c="#") for said, _ in SPEECH).replace("\0", " ")
    for form in formats:
        yield _said(form, _told(place, home, TASK, form, "--report", str(home / "page.html")))
    yield _said("report", (home / "page.html").read_bytes())
    for form in formats:
        yield _said(form, _told(place, home, speaking, form), f"{form}, in the task")
    given = {"task": TASK, "pack": "full", "budget": 30_000}
    os.environ["ZEROIN_CACHE_DIR"] = str(home / "cache")
    answer = call("find_context", given, Roots((place.root,), place.root), Work(600))
    yield _said("markdown", answer.text.encode(), "MCP")
    yield _said("", json.dumps(answer.structured, ensure_ascii=False).encode(), "MCP, structured")


def _told(place: Place, home: Path, task: str, form: str, *options: str) -> bytes:
    most = ("--budget", "900000", "--top", "300", "--explain", "--pack", "full")
    command = [sys.executable, "-m", "zeroin", "find", "-", str(place.root), "-f", form, *most, *options]
    env = {**os.environ, "ZEROIN_CACHE_DIR": str(home / "cache"), "ZEROIN_DATA_DIR": str(home / "data")}
    return subprocess.run(
        command, input=task.encode("utf-8", "replace"), capture_output=True, env=env, check=False
    ).stdout


def _said(form: str, out: bytes, way: str = "") -> Said:
    text = out.decode("utf-8", "replace")
    outside = text
    if form == "markdown":
        outside = re.sub(r"^(`{3,})[^`\n]*\n.*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    rows = {row for said, _ in SPEECH for row in clean(said.format(c="//")).splitlines() if len(row) > 16}
    wrong = [*faults(form, out), *([] if out else ["no answer"])]
    if form in ("table", "markdown", "paths"):
        begun = {row for row in outside.splitlines() if any(row.startswith(said) for said in rows)}
        wrong += [f"begins a line: {row!r}" for row in sorted(begun)]
    told = re.sub(r"\W|&\w+;|\\.", "", text)
    shown = sum(re.sub(r"\W", "", clean(said.format(c="//")))[:16] in told for said, _ in SPEECH)
    return Said(way or form, shown, len(re.findall("whoever reads this|nobody sees", text)), tuple(wrong))


def marked() -> list[tuple[str, bool, bool]]:
    """Of every text: itself, whether it should be marked, whether it is."""
    return [
        (said, wanted, bool(warnings_of([("a.ts", f"const a = 1;\n// {said.format(c='//')}\n")], [])))
        for said, wanted in SPEECH
    ]


def falsely_marked(repos: Path, files: int) -> dict[str, Any]:
    """How many files of real repositories are marked, with those that are, to be judged by eye."""
    found: list[str] = []
    count = 0
    for name, path, text in files_of(repos, 200, 40):
        if count == files:
            break
        count += 1
        if warnings_of([(path, text)], []):
            found.append(f"{name}:{path}")
    return {"files": count, "marked": found}
