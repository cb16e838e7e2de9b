"""Ten repositories in one question beside one repository of all their files: whole commands, by turns.

    python -m benchmarks.workspace_time --repos REPOS [--files 10000] [--runs 7] [--out FILE]

The tree is that of `benchmarks.speed_scale`: real repositories one after another. Once it is one repository of one
commit, once as many repositories as `--members` says, of equally many files in the same order.
"""

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import trees
from benchmarks.provenance import provenance
from benchmarks.speed_scale import TASK, assemble
from benchmarks.timed import timed

Row = dict[str, Any]


def split(tree: Path, members: int, place: Path) -> list[Path]:
    """Write the files of a tree into several repositories, in the order of their paths."""
    files = sorted(path for path in tree.rglob("*") if path.is_file() and ".git" not in path.relative_to(tree).parts)
    each = -(-len(files) // members)
    made = []
    for number in range(members):
        folder = place / f"member{number}"
        for path in files[number * each : (number + 1) * each]:
            target = folder / path.relative_to(tree)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        trees.commit(folder)
        made.append(folder)
    return made


def measure(repos: Path, files: int, members: int, runs: int) -> Row:
    """Wall and processor seconds and memory, cold once and warm as median of `runs`, of both ways."""
    with tempfile.TemporaryDirectory(prefix="bench-") as temporary:
        place = Path(temporary)
        _, count, _ = assemble(repos, files, place / "work")
        trees.commit(place / "work")
        ways = {"one repository": [place / "work"], f"{members} repositories": split(place / "work", members, place)}
        command = [sys.executable, "-m", "zeroin", TASK]
        row: Row = {"files": count, "members": members, "runs": runs}
        found: dict[str, list[Any]] = {name: [] for name in ways}
        for turn in range(runs + 1):
            for name, folders in ways.items():
                cache = {"ZEROIN_CACHE_DIR": str(place / f"cache {name}")}
                found[name].append(timed([*command, *map(str, folders), "--no-run"], cache))
            print(f"{turn} of {runs}", file=sys.stderr, flush=True)
    for name, all_runs in found.items():
        cold, warm = all_runs[0], all_runs[1:]
        row[name] = {"cold": _figures([cold]), "warm": _figures(warm)}
    one, several = (row[name] for name in ways)
    row["ratio"] = {
        state: {figure: round(several[state][figure] / one[state][figure], 2) for figure in one[state]}
        for state in ("cold", "warm")
    }
    return row


def _figures(runs: Sequence[Any]) -> dict[str, float]:
    return {name: round(median(getattr(run, name) for run in runs), 3) for name in ("wall_s", "cpu_s", "memory_mb")}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.workspace_time", description="Ten repositories beside one.")
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--members", type=int, default=10)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args(arguments)
    row = measure(given.repos, given.files, given.members, given.runs)
    print(json.dumps(row, indent=1))
    if given.out:
        result = {"provenance": provenance("benchmarks.workspace_time", arguments or sys.argv[1:]), **row}
        given.out.write_text(json.dumps(result, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
