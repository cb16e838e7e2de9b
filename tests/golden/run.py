"""Ask the golden set, and compare with the committed figures: python -m tests.golden.run [--update] [TASK …]

--update writes expected.json (figures, asserted by the test within a tolerance) and rankings.txt (the first files of
every task, for a reviewer to see what moved) anew. TASK, a part of a task's name, prints its ranking alone.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.golden.metrics import Answer, Report, compare, report
from tests.golden.world import Golden, World, worlds
from zeroin import Repository
from zeroin.answer import Context
from zeroin.config import Options
from zeroin.index.view import View

EXPECTED = Path(__file__).parent / "expected.json"
RANKINGS = Path(__file__).parent / "rankings.txt"
SHOWN = 5
DECIMALS = 3
# The worlds are small enough to be read whole: without always_loop the answer would be that, after one cycle.
OPTIONS = Options(always_loop=True, jobs=1)


@dataclass(frozen=True, slots=True)
class Asked:
    """An answer with what it is about: the view that it was taken from, and where its commits are."""

    answer: Answer
    context: Context
    view: View
    git_dir: Path


@contextmanager
def cache_in(folder: Path) -> Iterator[None]:
    """Indexes are kept in `folder` while this lasts."""
    before = os.environ.get("ZEROIN_CACHE_DIR")
    os.environ["ZEROIN_CACHE_DIR"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["ZEROIN_CACHE_DIR"]
        else:
            os.environ["ZEROIN_CACHE_DIR"] = before


def ask_all(folder: Path, among: Sequence[World], wanted: Callable[[Golden], bool]) -> list[Asked]:
    """Every wanted task, asked of its world built under `folder`; each repository is opened once."""
    out = []
    for world in among:
        tasks = [golden for golden in world.tasks if wanted(golden)]
        root = folder / world.name
        if not tasks:
            continue
        if not root.exists():
            world.build(root)
        repository = Repository.open(root, jobs=1)
        for golden in tasks:
            context = repository.ask(golden.task, OPTIONS).run()
            ranking = tuple(
                (j.path, round(j.relevance, DECIMALS)) for j in context.ranking if j.path not in golden.changed
            )
            out.append(Asked(Answer(golden, ranking), context, repository.opened.view, root / ".git"))
    return out


def listing(answers: Sequence[Answer], shown: int = SHOWN) -> str:
    """Per task its first files with relevance: `*` marks gold, `!` what would be a mistake; then gold that is lower."""
    lines = []
    for answer in answers:
        golden = answer.golden
        lines.append(f"{golden.id}  ({golden.kind})")
        for place, (path, relevance) in enumerate(answer.ranking, start=1):
            mark = "*" if path in golden.gold else "!" if path in golden.unwanted else " "
            if place <= shown or mark == "*":
                lines.append(f"  {place:>2} {mark} {relevance:.2f}  {path}")
        lines += [f"   - *       {path}" for path in sorted(golden.gold - set(answer.paths))]
        lines.append("")
    return "\n".join(lines)


def committed() -> Report:
    """The figures of expected.json."""
    found: Report = json.loads(EXPECTED.read_text(encoding="utf-8")) if EXPECTED.exists() else {}
    return found


def _text(figures: Report) -> str:
    parts = (
        f' "{group}": {{\n'
        + ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
        + "\n }"
        for group, rows in figures.items()
    )
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """1 when a figure is worse than tolerated and was not updated."""
    parser = argparse.ArgumentParser(prog="tests.golden.run", description=__doc__)
    parser.add_argument("--update", action="store_true", help="write expected.json and rankings.txt anew")
    parser.add_argument("task", nargs="*", help="print the rankings of tasks whose name holds this")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="golden-") as scratch, cache_in(Path(scratch) / "cache"):
        asked = ask_all(
            Path(scratch), worlds(), lambda golden: not options.task or any(part in golden.id for part in options.task)
        )
    answers = [one.answer for one in asked]
    if options.task:
        print(listing(answers, 10))
        return 0
    now = report(answers)
    rows, worse = compare(committed(), now)
    print("\n".join(rows) or "no figure differs")
    for name, value in now["all"]["all"].items():
        print(f"{name:<16} {value:g}")
    if options.update:
        EXPECTED.write_text(_text(now), encoding="utf-8")
        RANKINGS.write_text(listing(answers), encoding="utf-8")
        return 0
    return int(bool(worse))


if __name__ == "__main__":
    sys.exit(main())
