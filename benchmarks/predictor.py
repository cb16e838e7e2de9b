"""What the ranker costs: loading it, judging 200 candidates, saying why; each in a fresh process.

python -m benchmarks.predictor [--out benchmarks/results/predictor.json]
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.provenance import provenance

CANDIDATES, EXPLAINED = 200, 30
REPEATS, PROCESSES = 50, 5


def once() -> dict[str, float]:
    """Milliseconds in this process; numpy is loaded before, as every command loads it anyway."""
    began = time.perf_counter()
    from zeroin.models.ranker import ranker

    model = ranker()
    loaded = time.perf_counter()
    rows = np.random.default_rng(0).random((CANDIDATES, model.trees.width), np.float32)
    model.trees.predict(rows)
    first = time.perf_counter()
    times = []
    for _ in range(REPEATS):
        at = time.perf_counter()
        model.trees.predict(rows)
        times.append(time.perf_counter() - at)
    at = time.perf_counter()
    model.trees.contributions(rows[:EXPLAINED])
    told = time.perf_counter() - at
    return {
        "import and load": 1e3 * (loaded - began),
        "first prediction": 1e3 * (first - loaded),
        "prediction": 1e3 * statistics.median(times),
        "best prediction": 1e3 * min(times),
        "contributions of 30": 1e3 * told,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--once", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.once:
        print(json.dumps(once()))
        return
    command = [sys.executable, "-m", "benchmarks.predictor", "--once"]
    runs = [json.loads(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(PROCESSES)]
    report = {
        "provenance": provenance("benchmarks.predictor", sys.argv[1:]),
        "candidates": CANDIDATES,
        "milliseconds, median of processes": {
            name: round(statistics.median(run[name] for run in runs), 2) for name in runs[0]
        },
    }
    print(json.dumps(report["milliseconds, median of processes"], indent=1))
    if arguments.out:
        arguments.out.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
