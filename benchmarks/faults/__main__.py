"""Is it hard to break? Kills, damaged files, want of everything, many at once: every deviation is counted and named.

    python -m benchmarks.faults --out F.json        all of it
    python -m benchmarks.faults --parts kills --kills 100 --seed 3

A small repository is made in a temporary folder (`--place`: in another one, best in memory) and asked about in homes
of its own. After each trial a normal question must be answered as with a clean cache, without a traceback and without
anything left behind. `--out` keeps what a file says of other parts. Linux alone has all that is needed. Exit status 1
if there is a deviation.
"""

import argparse
import json
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import reduce
from pathlib import Path
from typing import Any

from benchmarks.faults.few import few
from benchmarks.faults.parts import PARTS, joined, measured
from benchmarks.faults.place import World
from benchmarks.provenance import provenance


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.faults", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--parts", default=",".join(PARTS), help="of " + ",".join(PARTS))
    parser.add_argument("--kills", type=int, default=1_000)
    parser.add_argument("--damage", type=int, default=300)
    parser.add_argument("--minutes", type=float, default=10, help="of `together`")
    parser.add_argument("--most-minutes", type=float, help="of `kills` and `damage`: fewer trials are done then")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="of `kills`, each with a seed of its own")
    parser.add_argument("--place", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--few", action="store_true", help="a few trials, the same each time")
    given = parser.parse_args(arguments)
    if given.few:
        with tempfile.TemporaryDirectory(dir=given.place, ignore_cleanup_errors=True) as folder:
            found = few(World(Path(folder), files=42, fork=True))
        print(json.dumps(found, indent=1))
        return int(any(found.values()))
    parts = given.parts.split(",")
    if unknown := set(parts) - set(PARTS):
        parser.error(f"unknown part {', '.join(sorted(unknown))}")
    value: dict[str, Any] = {}
    stamp = provenance("benchmarks.faults", sys.argv[1:] if arguments is None else arguments)
    for part in parts:
        began = time.perf_counter()
        jobs = given.jobs if part == "kills" else 1
        with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
            shares = [pool.submit(measured, part, given, job, jobs) for job in range(jobs)]
            value[part] = reduce(joined, (share.result() for share in shares))
        value[part] |= {"minutes": round((time.perf_counter() - began) / 60, 1), "provenance": stamp}
    print(json.dumps(value, indent=1))
    if given.out:
        older = json.loads(given.out.read_text()) if given.out.exists() else {}
        merged = {part: {**older, **value}[part] for part in PARTS if part in {**older, **value}}
        given.out.write_text(json.dumps(merged, indent=1) + "\n", encoding="utf-8")
    return int(any(result["faults"] for result in value.values()))


if __name__ == "__main__":
    sys.exit(main())
