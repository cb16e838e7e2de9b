"""Worlds: small trees, real and hand-written, each asked for one task in plain words; the whole answer in one table.

    python -m benchmarks.worlds --repos FOLDER [--out FILE]

The hand-written ones are those of `tests/worlds`, the real ones the rows of `worlds.jsonl`: an early commit of a
repository that training never sees, a task in words that its code avoids, and which files are needed for it, each with
the reason, written down before zeroin was asked. `decoys` look as if they were; `words` maps words of the task to the
code's own. Every world is asked twice: as a plain folder without history, and in git with everything on. Of each
expected file the table says its relevance, where the answer lists it, and since which cycle.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.checkout import Checkout
from benchmarks.provenance import ROOT, provenance
from benchmarks.repositories import find_repositories, has_commit, locate
from benchmarks.vocabulary import read_tasks, reasons_against
from tests.worlds.history import commit_all
from zeroin.answer import Context
from zeroin.config import Options
from zeroin.engine import Repository
from zeroin.terms import analyse
from zeroin.types import Judgment

REAL = Path(__file__).with_name("worlds.jsonl")
WRITTEN = ROOT / "tests" / "worlds"
RESULTS = Path(__file__).parent / "results" / "worlds.json"
ALONE = frozenset({"history", "cochange"})  # what is switched off where there is no history
PLACES = ("files", "supporting", "tests", "documents")  # parts of an answer that list files


@dataclass(frozen=True, slots=True)
class World:
    """A task, the files it needs, those it does not, and what the code calls its words."""

    name: str
    kind: str  # real or written
    language: str
    task: str
    expected: tuple[str, ...]
    decoys: tuple[str, ...]
    words: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Place:
    """What an answer says of one file: relevance, the part that lists it ("" for none), since which cycle."""

    path: str
    relevance: float
    place: str = ""
    since: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One world asked once; `terms` says of each word of the task whether one of the code's own was learned for it."""

    world: str
    kind: str
    language: str
    history: bool
    expected: tuple[Place, ...]
    decoys: tuple[Place, ...]
    terms: Mapping[str, bool]
    cycles: int
    stop: str
    sufficient: bool
    listed: Mapping[str, int]

    @property
    def complete(self) -> bool:
        """Whether every expected file is listed."""
        return all(found.place for found in self.expected)


def real_world(row: Mapping[str, Any]) -> World:
    """The world of a row of `worlds.jsonl`."""
    words = {said: tuple(named) for said, named in row["words"].items()}
    return World(
        row["id"], "real", row["language"], row["task"], tuple(row["expect_files"]), tuple(row["decoys"]), words
    )


def written_world(name: str, about: Mapping[str, Any]) -> World:
    """The world of a file of `tests/worlds`."""
    learned = {about["learned"]["task_word"]: (about["learned"]["code_word"],)}
    expected, decoys = tuple(about["expect_files"]), (about["dropped"],)
    return World(name, "written", about["language"], about["task"], expected, decoys, learned)


def ask(world: World, path: Path, rev: str | None = None, *, history: bool) -> Row:
    """Put a world's question to the tree at `path`."""
    options = Options(learned=False, without=frozenset() if history else ALONE)
    session = Repository.open(path, rev=rev, jobs=1).ask(world.task, options)
    answers = [session.context() for _ in session]  # as it stood after each cycle
    return row_of(world, answers, session.run(), history=history)


def row_of(world: World, answers: Sequence[Context], context: Context, *, history: bool) -> Row:
    """What the final answer says of a world; `answers` are those after each cycle."""
    since = [set(listed(answer)) for answer in answers]
    return Row(
        world.name,
        world.kind,
        world.language,
        history,
        tuple(place_of(path, context, since) for path in world.expected),
        tuple(place_of(path, context, since) for path in world.decoys),
        {said: learned(said, named, context) for said, named in world.words.items()},
        len(context.cycles),
        context.stop_reason.code,
        context.sufficient,
        {part: len(found) for part in PLACES if (found := getattr(context, part, ()))},
    )


def listed(context: Context) -> dict[str, tuple[str, Judgment]]:
    """Path → the part of an answer that lists it, and its judgment."""
    return {j.path: (part, j) for part in reversed(PLACES) for j in getattr(context, part, ())}


def place_of(path: str, context: Context, since: Sequence[set[str]]) -> Place:
    """Where an answer has a file; `since` are the paths listed after each cycle. Relevance 0 if it was not judged."""
    found = listed(context).get(path)
    if found is None:
        judged = (*context.ranking, *(context.cycles[-1].judgments if context.cycles else ()))
        return Place(path, round(next((j.relevance for j in judged if j.path == path), 0.0), 2))
    first = len(since)
    while first > 1 and path in since[first - 2]:
        first -= 1
    return Place(path, round(found[1].relevance, 2), found[0], first)


def learned(said: str, named: Sequence[str], context: Context) -> bool:
    """Whether one of the code's words `named` was learned for a word of the task."""
    stems = set(analyse(said))
    found = {w for t in context.terminology if stems & set(analyse(t.task_word)) for w in analyse(t.code_word)}
    return any(set(analyse(word)) <= found for word in named)


def ask_written(file: Path, scratch: Path) -> list[Row]:
    """Both answers to a world of `tests/worlds`, whose history is made as its tests make it."""
    about = json.loads(file.read_text(encoding="utf-8"))
    world = written_world(file.stem, about)
    plain, git = scratch / "plain" / file.stem, scratch / "git" / file.stem
    shutil.copytree(ROOT / about["root"], plain)
    commits = [(commit["message"], commit["files"]) for commit in about["history"]]
    commit_all(git, {path: (plain / path).read_text("utf-8") for _, paths in commits for path in paths}, commits)
    return [ask(world, plain, history=False), ask(world, git, history=True)]


def ask_real(row: Mapping[str, Any], git_dir: Path, scratch: Path) -> list[Row]:
    """Both answers to a row of `worlds.jsonl`."""
    world = real_world(row)
    plain = scratch / "plain" / world.name
    plain.mkdir(parents=True)
    Checkout(git_dir, plain).move(row["commit"])
    return [ask(world, plain, history=False), ask(world, git_dir, row["commit"], history=True)]


def against(row: Mapping[str, Any], git_dir: Path) -> list[str]:
    """Why a row of `worlds.jsonl` is no world: its task says names of a file that it needs, or a file is missing."""
    why = "; ".join(row["expect_files"].values())
    return reasons_against({**row, "gold": [*row["expect_files"]], "why": why}, git_dir)


def totals(rows: Sequence[Row]) -> dict[str, Any]:
    """Sums over rows: expected files by place, decoys listed, terms learned, what was said to be sufficient."""
    expected = [found for row in rows for found in row.expected]
    decoys = [found for row in rows for found in row.decoys]
    terms = [found for row in rows for found in row.terms.values()]
    return {
        "worlds": len(rows),
        "complete": sum(row.complete for row in rows),
        "expected": len(expected),
        "places": {part: sum(found.place == part for found in expected) for part in PLACES},
        "listed": sum(bool(found.place) for found in expected),
        "listed_since_first_cycle": sum(found.since == 1 for found in expected),
        "decoys": len(decoys),
        "decoys_listed": sum(bool(found.place) for found in decoys),
        "terms": len(terms),
        "terms_learned": sum(terms),
        "sufficient": sum(row.sufficient for row in rows),
        "sufficient_but_incomplete": sum(row.sufficient and not row.complete for row in rows),
        "cycles": round(fmean(row.cycles for row in rows), 2) if rows else None,
        "files_listed": round(fmean(sum(row.listed.values()) for row in rows), 2) if rows else None,
    }


def groups(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Rows by kind and history, and all of them."""
    out: dict[str, list[Row]] = {}
    for row in rows:
        out.setdefault(f"{row.kind}, {'with' if row.history else 'without'} history", []).append(row)
    return {**out, "all": list(rows)}


def table(rows: Sequence[Row]) -> str:
    """Markdown: a line for every answer; `0.83 files@2` is relevance, place and the cycle since when it is listed."""
    out = [
        "| world | history | expected files | best decoy | terms | cycles | stop | sufficient | listed |",
        "|---|---|---|---|---|---:|---|---|---:|",
    ]
    for row in rows:
        best = max(row.decoys, key=lambda found: (bool(found.place), found.relevance), default=None)
        cells = (
            row.world,
            "with" if row.history else "without",
            "<br>".join(map(_shown, row.expected)),
            _shown(best) if best else "",
            ", ".join(f"{said} {'✓' if found else '–'}" for said, found in row.terms.items()),
            str(row.cycles),
            row.stop,
            "yes" if row.sufficient else "no",
            str(sum(row.listed.values())),
        )
        out.append(f"| {' | '.join(cells)} |")
    return "\n".join(out)


def _shown(found: Place) -> str:
    where = f"{found.place}@{found.since}" if found.place else "not listed"
    return f"{'/'.join(found.path.split('/')[-2:])} {found.relevance:.2f} {where}"


def totals_table(sums: Mapping[str, Mapping[str, Any]]) -> str:
    """Markdown: a line for every group of rows."""
    out = [
        "| | answers | all listed | expected listed | in files | since cycle 1 | decoys listed | terms learned "
        "| said sufficient | though incomplete | cycles | files listed |",
        "|---|" + "---:|" * 11,
    ]
    for name, sum_ in sums.items():
        cells = (
            name,
            sum_["worlds"],
            sum_["complete"],
            f"{sum_['listed']} of {sum_['expected']}",
            sum_["places"]["files"],
            sum_["listed_since_first_cycle"],
            f"{sum_['decoys_listed']} of {sum_['decoys']}",
            f"{sum_['terms_learned']} of {sum_['terms']}",
            sum_["sufficient"],
            sum_["sufficient_but_incomplete"],
            sum_["cycles"],
            sum_["files_listed"],
        )
        out.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(out)


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask every world, print the tables, write the result file; 1 if a row of `worlds.jsonl` is no world."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = argparse.ArgumentParser(prog="benchmarks.worlds", description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories, owner+name/…")
    parser.add_argument("--worlds", type=Path, default=REAL, help="rows of real worlds")
    parser.add_argument("--written", type=Path, default=WRITTEN, help="folder of hand-written worlds")
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args(given)
    found = find_repositories(options.repos)
    rows: list[Row] = []
    skipped: list[str] = []
    wrong: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory(prefix="worlds-") as name:
        scratch = Path(name)
        os.environ.setdefault("ZEROIN_CACHE_DIR", str(scratch / "cache"))
        for row in read_tasks(options.worlds):
            git_dir = next(iter(locate(row["repo"], found, {})), None)
            if git_dir is None or not has_commit(git_dir, row["commit"]):
                skipped.append(row["id"])
            elif reasons := against(row, git_dir):
                wrong[row["id"]] = reasons
            else:
                rows += ask_real(row, git_dir, scratch)
        for file in sorted(options.written.glob("*.json")):
            rows += ask_written(file, scratch)
    for world, reasons in wrong.items():
        print(f"{world}: {'; '.join(reasons)}", file=sys.stderr)
    if wrong:
        return 1
    sums = {group: totals(part) for group, part in groups(rows).items()}
    print(table(rows), totals_table(sums), sep="\n\n")
    if skipped:
        print(f"\nNot on this machine: {', '.join(skipped)}")
    result = {
        "provenance": provenance("benchmarks.worlds", given),
        "skipped": skipped,
        "totals": sums,
        "rows": [asdict(row) for row in rows],
    }
    options.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
