"""What it costs that a task stands in a prompt: the same tasks asked alone, and within words on how to work.

    python -m benchmarks.prompts --data DATA --repos REPOS [--half tuned|locked] [--jobs N] [--program ZEROIN]

`prompts.jsonl` holds prompts around a placeholder `{t}`, written for this by someone who had seen neither the model nor
what it learns from (`training/instructions.jsonl`). The even ones were looked at while the model was made. Each task of
strangers gets the prompt that a hash of its id picks. Shown are the right file first, among five, and listed.
"""

import argparse
import json
import sys
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from benchmarks.data import Task, load
from benchmarks.measure import run_batch
from benchmarks.provenance import provenance
from benchmarks.runs import Answer, read_run

PROMPTS = Path(__file__).with_name("prompts.jsonl")
RESULTS = Path(__file__).parent / "results" / "prompts.json"
PLACE = "{t}"


def prompts(half: str) -> list[str]:
    """The prompts of one half."""
    rows = [json.loads(line) for line in PROMPTS.read_text(encoding="utf-8").splitlines()]
    return rows[half == "locked" :: 2]


def in_prompts(tasks: Sequence[Task], around: Sequence[str]) -> list[Task]:
    """The tasks, each within the prompt that its id picks."""
    picked = [around[zlib.crc32(task.id.encode()) % len(around)] for task in tasks]
    return [replace(task, task=prompt.replace(PLACE, task.task)) for task, prompt in zip(tasks, picked, strict=True)]


def figures(tasks: Sequence[Task], found: Mapping[str, Answer]) -> dict[str, float]:
    """Shares of tasks with a right file first, among five and listed."""
    ranks, listed = [], []
    for task in tasks:
        answer = found[task.id]
        ranks.append(next((n for n, path in enumerate(answer.ranking) if path in task.gold), len(answer.ranking)))
        listed.append(any(path in task.gold for path in answer.files or ()))
    return {
        "tasks": len(tasks),
        "first": round(fmean(rank == 0 for rank in ranks), 4),
        "five": round(fmean(rank < 5 for rank in ranks), 4),
        "listed": round(fmean(listed), 4),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask twice, print and write the figures."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with tune_ids.txt and forks.json")
    parser.add_argument("--repos", type=Path, required=True, help="folder of repositories, owner+name/…")
    parser.add_argument("--half", choices=("tuned", "locked"), default="locked")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--program", type=Path, default=Path(sys.executable).with_name("zeroin"))
    options = parser.parse_args(given)
    tasks = load(options.data, options.repos, kinds=("stranger",)).tasks
    out = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, asked in (("alone", tasks), ("in a prompt", in_prompts(tasks, prompts(options.half)))):
            run = Path(folder) / f"{name.replace(' ', '_')}.jsonl"
            run_batch(asked, run, program=options.program, jobs=options.jobs, extra=())
            out[name] = figures(tasks, read_run(run))
            print(name, out[name], flush=True)
    body = {"half": options.half, "provenance": provenance("benchmarks.prompts", given), "asked": out}
    RESULTS.write_text(json.dumps(body, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
