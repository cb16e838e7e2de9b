"""How fast is it? One command measures all of it, beside semble and `git grep`, and writes result files.

    python -m benchmarks.speed --repos DIR --data DATA --semble COMMAND --model MODEL
    python -m benchmarks.tables                      # then renders docs/PERFORMANCE.md

Parts (`--parts`): `commands`, whole commands in three repositories, by turns (`benchmarks.speed_commands`); `process`,
real issues in an open process (`benchmarks.speed_process`; needs `--data`); `scale`, assembled trees
(`benchmarks.speed_scale`). Result files are `speed-PART.json` in `--out`. `--repos` is a folder of bare repositories.

Ctrl-C ends the run: what was measured is written, marked as incomplete.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import speed_commands, speed_process, speed_scale, trees
from benchmarks.ledger import Ledger
from benchmarks.provenance import provenance
from benchmarks.repositories import find_repositories
from benchmarks.timed import timed
from benchmarks.tools import STATES, Semble, Tool, add_semble, semble_of, zeroin

RESULTS = Path(__file__).parent / "results"
PARTS = ("commands", "process", "scale")
Json = dict[str, Any]


def numbers(text: str) -> list[int]:
    """`1000,4000` → [1000, 4000], ascending. Raises `ValueError`."""
    return sorted(int(part) for part in text.split(","))


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="benchmarks.speed", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--repos", type=Path, required=True)
    made.add_argument("--data", type=Path, help="folder with issues_tune.jsonl, for the open process")
    made.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    made.add_argument("--only", nargs="+", choices=list(speed_commands.CASES), help="repositories to measure")
    made.add_argument("--runs", type=int, default=7, help="of every command (default: 7)")
    made.add_argument("--scale", type=numbers, default=list(speed_scale.SIZES), metavar="FILES,FILES")
    made.add_argument("--out", type=Path, default=RESULTS, metavar="FOLDER")
    add_semble(made)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, write; 130 after Ctrl-C."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    made = parser()
    options = made.parse_args(given)
    peer = semble_of(options, made)
    if "process" in options.parts and options.data is None:
        made.error("the open process is asked real issues: --data says where they are, or leave it out of --parts")
    absent = [name for name in cases(options) if name.lower() not in find_repositories(options.repos)]
    if absent:
        made.error(f"not below --repos: {', '.join(absent)}")
    origin = provenance("benchmarks.speed", given) | {"load": os.getloadavg(), "runs": options.runs}
    if peer is not None:
        origin["semble"] = peer.version()
    ledgers = {part: Ledger() for part in options.parts}
    complete = False
    try:
        with tempfile.TemporaryDirectory(prefix="bench-") as place:
            run(options, peer, Path(place), ledgers)
        complete = True
    except KeyboardInterrupt:
        print("ended early: what was measured is kept", file=sys.stderr)
    finally:
        for part, ledger in ledgers.items():
            if rows := ledger.rows():
                write(options.out, part, {"provenance": origin | {"complete": complete}, "rows": rows})
    return 0 if complete else 130


def run(options: argparse.Namespace, peer: Semble | None, place: Path, ledgers: dict[str, Ledger]) -> None:
    """Measure the parts that are asked for."""
    tools = (zeroin(), *([peer.tool()] if peer else []))
    warm_up(tools, place / "warm-up")
    found = find_repositories(options.repos)
    for name in cases(options):
        folder = place / name.replace("/", "+")
        bare = found[name.lower()]
        if "commands" in ledgers:
            speed_commands.measure(name, bare, folder, tools, options.runs, ledgers["commands"])
        if "process" in ledgers:
            if not (folder / "work").exists():
                speed_commands.clone(bare, speed_commands.CASES[name].commit, folder / "work")
            asked = speed_process.issues(options.data, name)
            speed_process.measure(name, folder / "work", folder, asked, options.runs, ledgers["process"])
    if "scale" in ledgers:
        for size in options.scale:
            folder = place / str(size)
            speed_scale.measure(options.repos, size, folder, tools, options.runs, ledgers["scale"])


def cases(options: argparse.Namespace) -> list[str]:
    """The repositories that are asked for."""
    if not {"commands", "process"} & set(options.parts):
        return []
    return options.only or list(speed_commands.CASES)


def warm_up(tools: Sequence[Tool], place: Path) -> None:
    """Run every tool once over a small tree: Python compiles what it imports for the first time."""
    (place / "work").mkdir(parents=True)
    (place / "work" / "worker.py").write_text("def retry(job):\n    return job.run()\n")
    trees.commit(place / "work")
    for tool in tools:
        for _ in STATES:
            done = timed(tool.command("retry a job", place / "work"), tool.environment(place / tool.name))
        if done.code not in (0, 3):
            sys.exit(f"error: {tool.name} ends with exit code {done.code}: {done.output.decode()[:300]}")


def write(folder: Path, part: str, result: Json) -> None:
    """Write a result file and print its rows."""
    if part == "scale":
        result["exponents"] = speed_scale.exponents(result["rows"])
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"speed-{part}.json"
    path.write_text(json.dumps({"what": f"speed, {part}", **result}, indent=1, ensure_ascii=False) + "\n")
    print(f"wrote {path.name}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
