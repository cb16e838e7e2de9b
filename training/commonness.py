"""Counts in how many mined tasks each term occurs: the table by which resemblance of tasks is weighted.

    python -m training.commonness --mined TASKS.jsonl --out src/zeroin/models/commonness.npz

Terms of fewer than LEAST tasks are left out: they are names of one project, and as telling as a term can be.
"""

import argparse
from collections import Counter
from hashlib import sha256
from pathlib import Path

import numpy as np

from training.mined import read_mined
from training.model_files import save_commonness
from zeroin.models.commonness import Commonness
from zeroin.terms import ANALYSER_VERSION, analyse, term_id

LEAST = 30


def main() -> None:
    """Count and write."""
    parser = argparse.ArgumentParser(prog="training.commonness", description=__doc__)
    parser.add_argument("--mined", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    tasks = read_mined(options.mined)
    counts: Counter[int] = Counter()
    for task in tasks:
        counts.update({term_id(term) for term in analyse(task.task)})
    listed = sorted((identity, count) for identity, count in counts.items() if count >= LEAST)
    card = {
        "what": "messages of mined changes that say a term; ids of terms only, no text",
        "repositories": len({task.repo for task in tasks}),
        "tasks_sha256": sha256(options.mined.read_bytes()).hexdigest(),
        "least": LEAST,
        "analyser": ANALYSER_VERSION,
    }
    table = Commonness(
        np.array([identity for identity, _ in listed], np.uint64),
        np.array([count for _, count in listed], np.int64),
        len(tasks),
        card,
    )
    save_commonness(table, options.out)
    print(f"{len(listed)} terms of {len(tasks)} tasks, {options.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
