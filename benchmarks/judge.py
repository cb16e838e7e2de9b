"""How good must a judge be to pay? A language model in the evaluator's seat, simulated by known answers.

    ZEROIN_CACHE_DIR=… python -m benchmarks.judge --data DATA --repos REPOS [--models FOLDS] [--limit N] [--out FILE]

Issues are asked without a judge, with judges that are right about a file with a stated probability (a file that is to
be edited gets a 3 or a 2, another one a 1 or a 0), with biased ones (right nine times in ten, but for tests, the first
files of the request, or long ones, which always get a 3), and with useless ones. Beside them: the same judge
grades the first 50 files of BM25, which are then ordered by grade. `tokens` are sent and received, as estimated.
A judge's mistakes are drawn by file, so that asking twice brings nothing.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from benchmarks.baselines import answers
from benchmarks.data import Task, load
from benchmarks.models import use_model
from benchmarks.processes import by_repository
from benchmarks.provenance import provenance
from benchmarks.scoring import any_hit, strict
from zeroin.answer import Context
from zeroin.config import Options
from zeroin.corpus.roles import role_of
from zeroin.engine import Repository
from zeroin.llm_judge.contract import Reply, Request, Shown
from zeroin.llm_judge.prompt import FILE_TOKENS
from zeroin.types import Role

ACCURACIES = (0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
BUDGETS = (3_000, 6_000, 12_000, 24_000)
FIRST_OF_BM25 = 50
SURE = (
    0.7  # share of right grades that are 3 or 0, and of wrong ones that are 2 or 1: mistakes are seldom great
)
LONG = 0.8  # share of the longest excerpt of the request from which on a file counts as long

Row = dict[str, Any]
Bias = Callable[[Shown, Request], bool]


def _is_test(file: Shown, request: Request) -> bool:
    return role_of(file.path) is Role.TEST


def _is_first(file: Shown, request: Request) -> bool:
    return file.number <= 3


def _is_long(file: Shown, request: Request) -> bool:
    return len(file.rows) >= LONG * max(len(other.rows) for other in request.files)


@dataclass(frozen=True, slots=True)
class Judge:
    """Knows the answers. `always` is its only grade, if it has one; `bias` names files that get a 3 in any case."""

    name: str
    gold: frozenset[str] = frozenset()
    accuracy: float = 0.9
    always: int | None = None
    bias: Bias | None = None
    cache_name: str = ""

    def grade(self, path: str) -> int:
        """Grade a file, the same whenever it is asked about."""
        random = Random(sha256(f"{self.name}\0{path}".encode("utf-8", "replace")).digest())
        if self.always is not None:
            return self.always
        if self.name == "random":
            return random.randrange(4)
        right = random.random() < self.accuracy
        sure = random.random() < (SURE if right else 1 - SURE)
        return (3 if sure else 2) if (path in self.gold) == right else (0 if sure else 1)

    def ask(self, request: Request, timeout_s: float) -> Reply:
        biased = [file for file in request.files if self.bias and self.bias(file, request)]
        files = [
            {"id": file.number, "grade": 3 if file in biased else self.grade(file.path)}
            for file in request.files
        ]
        text = json.dumps({"files": files, "words": []})
        return Reply(text, request.tokens, 40 * len(files))


JUDGES: tuple[Judge, ...] = (
    *(Judge(f"right {accuracy:.0%}", accuracy=accuracy) for accuracy in ACCURACIES),
    Judge("90%, tests always 3", bias=_is_test),
    Judge("90%, first three always 3", bias=_is_first),
    Judge("90%, long files always 3", bias=_is_long),
    Judge("always 3", always=3),
    Judge("always 0", always=0),
    Judge("random"),
    Judge("upside down", accuracy=0.0),
)


def scored(task: Task, ranking: Sequence[str], tokens: int = 0, calls: int = 0) -> Row:
    """The scores of one answer."""
    hits = {f"any@{k}": any_hit(ranking, task.gold, k) for k in (1, 3, 5)}
    return {**hits, "strict@10": strict(ranking, task.gold, 10), "tokens": tokens, "calls": calls}


def of_answer(task: Task, answer: Context) -> Row:
    """The scores of an answer, and what its judge took."""
    used = answer.judge
    tokens = used.input_tokens + used.output_tokens if used else 0
    return scored(task, [j.path for j in answer.ranking], tokens, used.calls if used else 0)


def simulate(task: Task, repository: Repository, lexical: Sequence[str]) -> Row:
    """Scores by way of asking."""
    ask = partial(repository.ask, task.task)
    ways = {"no judge": of_answer(task, ask(Options()).run())}
    for judge in JUDGES:
        known = replace(judge, gold=frozenset(task.gold))
        ways[judge.name] = of_answer(task, ask(Options(), model=known).run())
    right = replace(Judge("right 90%"), gold=frozenset(task.gold))
    for budget in BUDGETS:
        ways[f"right 90%, {budget:,} tokens"] = of_answer(
            task, ask(Options(max_judge_tokens=budget), model=right).run()
        )
    ways["BM25"] = scored(task, lexical)
    first = sorted(lexical[:FIRST_OF_BM25], key=lambda path: -right.grade(path))
    tokens = FIRST_OF_BM25 * (FILE_TOKENS + 40)
    ways["right 90%, orders 50 of BM25"] = scored(task, [*first, *lexical[FIRST_OF_BM25:]], tokens, 1)
    return {"id": task.id, "repo": task.repo, "language": task.language, "gold": len(task.gold), "ways": ways}


def measure(tasks: Sequence[Task], models: Path | None) -> list[Row]:
    """Rows of the tasks of one repository."""
    use_model(models, tasks[0].repo)
    lexical = {row["id"]: [file["path"] for file in row["ranking"]] for row in answers("bm25-code", tasks)}
    return [
        simulate(task, Repository.open(task.git_dir, rev=task.rev, jobs=1), lexical[task.id])
        for task in tasks
    ]


def report(rows: Sequence[Row]) -> Row:
    """Means by way, over all issues and over those of Python with one file."""
    sets = {
        "issues": rows,
        "Python, one file": [r for r in rows if r["language"] == "python" and r["gold"] == 1],
    }
    return {
        name: {
            "tasks": len(mine),
            "ways": {way: _means([row["ways"][way] for row in mine]) for way in mine[0]["ways"]},
        }
        for name, mine in sets.items()
        if mine
    }


def _means(scores: Sequence[Mapping[str, float]]) -> Row:
    """Percentages, and mean tokens and calls."""
    means = {name: fmean(one[name] for one in scores) for name in scores[0]}
    return {
        name: round(value, 2) if name in ("tokens", "calls") else round(100 * value, 1)
        for name, value in means.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories")
    parser.add_argument("--models", type=Path, help="folder of rankers that never saw the repository")
    parser.add_argument("--limit", type=int, help="so many tasks, by a hash of their id")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    loaded = load(options.data, options.repos, kinds=("issue",), limit=options.limit)
    rows = by_repository(measure, loaded.tasks, options.models, options.jobs)
    result = {"provenance": provenance("benchmarks.judge", sys.argv[1:]), "skipped": loaded.skipped}
    result |= report(rows)
    for name in ("issues", "Python, one file"):
        print(name, result[name]["tasks"])
        for way, means in result[name]["ways"].items():
            print(f"  {way:32}", "  ".join(f"{key} {value}" for key, value in means.items()))
    if options.out:
        options.out.write_text(json.dumps(result | {"rows": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
