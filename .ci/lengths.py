"""No Python file of the product, the benchmarks or the training is longer than 400 lines."""

import sys
from pathlib import Path

LIMIT = 400

long = []
for folder in ("src", "benchmarks", "training"):
    for path in sorted(Path(folder).rglob("*.py")):
        count = len(path.read_bytes().splitlines())
        if count > LIMIT:
            long.append(f"{path}: {count} lines, at most {LIMIT} are allowed\n")
sys.stderr.writelines(long)
sys.exit(bool(long))
