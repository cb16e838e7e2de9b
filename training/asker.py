"""Train the ranker that asks for second cycles in training: a small one, on first cycles of bug reports alone.

    python -m training.asker --features FEATURES/report --data DATA --out FOLDS0

What a second cycle asks depends on what a ranker found in the first; that ranker must not have seen the task's
repository. Reports whose repositories are in no other set of tasks train it, so it can ask for all the other sets. The
folder is what `training.features --models` reads. Maps from score to relevance are those of the shipped ranker.
"""

import argparse
import json
from pathlib import Path

from benchmarks.data import read_repositories
from benchmarks.models import FOLDS
from benchmarks.vocabulary import STRANGERS, TASKS, WRITTEN, read_tasks
from training.dataset import load, project, rows_of
from training.model_files import save_ranker
from training.train import fit, ranker_of
from zeroin.models.ranker import read_ranker

SHIPPED = Path(__file__).parents[1] / "src" / "zeroin" / "models" / "ranker.npz"
MINED = Path(__file__).with_name("repositories.json")
TREES, RATE, SEEDS = 200, 0.1, (1, 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--features", type=Path, required=True, help="features of the reports")
    parser.add_argument("--data", type=Path, required=True, help="the tuning data")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    mined = json.loads(MINED.read_text(encoding="utf-8"))["repositories"]
    own = {row["repo"] for path in (TASKS, WRITTEN, STRANGERS) for row in read_tasks(path)}
    names = {repo.lower() for repo in (*mined, *read_repositories(arguments.data), *own)}
    asked = {project(repo) for repo in names}
    tasks = [task for task in load([arguments.features], cycles=1) if not task.once and project(task.repo) not in asked]
    trees = fit(rows_of(tasks), seeds=SEEDS, trees=TREES, rate=RATE)
    arguments.out.mkdir(parents=True, exist_ok=True)
    save_ranker(ranker_of(trees, read_ranker(SHIPPED).maps, {}), arguments.out / "asker.npz")
    (arguments.out / FOLDS).write_text(json.dumps(dict.fromkeys(sorted(names), "asker.npz"), indent=1) + "\n")
    print(f"{len(tasks)} reports of {len({task.repo for task in tasks})} repositories; asks for {len(names)}")


if __name__ == "__main__":
    main()
