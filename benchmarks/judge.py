"""How good must a judge be to pay? A language model in the evaluator's seat, simulated by known answers.

    ZEROIN_CACHE_DIR=… python -m benchmarks.judge --data DATA --repos REPOS [--models FOLDS] [--limit N] [--draws N]
        [--judges NAME,…] [--out FILE]

Issues are asked without a judge, with judges that are right about a file with a stated probability (a file that is to
be edited gets a 3 or a 2, another one a 1 or a 0), with biased ones (right nine times in ten, but for tests, the first
files of the request, or long ones, which always get a 3), and with useless ones. Beside them: the same judge
grades the first 50 files of BM25, which are then ordered by grade. `tokens` are sent and received, as estimated.
A judge's mistakes are drawn by file, so that asking twice brings nothing; every figure is the mean over `--draws`
judges of the same kind, since one draw moves a figure by 2 points. What the fusion holds for constants was chosen on
the first half of the repositories by the hash of their names, so both halves are reported. `--judges` measures those
alone; PROVIDER:MODEL and command:PROGRAM are asked for real (and paid for), once, with the default budget.

`pools`: the same without the rest of the loop, in seconds: relevances of the first cycle stand in the rows, with a +
for a file that is to be edited; they are graded as the product would have them graded, and ordered by what its fusion
says; the mean of 20 draws. A test holds useless judges to it. Judges of whom the user has said of 20 earlier grades
whether the file was useful (half of them were) are measured on pools alone.

    python -m benchmarks.judge --pools RESULT [--out FILE]      the pools of an earlier result, with the fusion as it is
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
from zeroin.context.packing.texts import Texts
from zeroin.context.tokens import estimate
from zeroin.corpus.roles import role_of
from zeroin.engine import Repository
from zeroin.llm_judge import evaluator
from zeroin.llm_judge.choice import controls, worth_asking
from zeroin.llm_judge.contract import Reply, Request, Shown
from zeroin.llm_judge.fusion import fused
from zeroin.llm_judge.prompt import FILE_TOKENS, Part, part_of
from zeroin.types import Judgment, Role

ACCURACIES = (0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
BUDGETS = (3_000, 6_000, 24_000)  # beside the default
FIRST_OF_BM25 = 50
POOL = 80  # files of the first cycle that are kept
A_FILE = 400  # tokens that a file takes, request and reply, with its share of the instructions
SURE = 0.7  # share of right grades that are 3 or 0, and of wrong ones that are 2 or 1: mistakes are seldom great
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
    guess: float | None = None  # share of files that get a 2 or 3, whatever they are
    verdicts: int = 0  # of the user on earlier grades
    draw: int = 0
    cache_name: str = ""

    @property
    def is_drawn(self) -> bool:
        """True where another draw grades otherwise."""
        return self.always is None and self.name != "by turns 3 and 0"

    def grade(self, path: str) -> int:
        """Grade a file, the same whenever it is asked about."""
        random = Random(sha256(f"{self.name}\0{self.draw}\0{path}".encode("utf-8", "replace")).digest())
        if self.always is not None:
            return self.always
        if self.name == "random":
            return random.randrange(4)
        right = random.random() < (self.accuracy if self.guess is None else self.guess)
        sure = random.random() < (SURE if right or self.guess is not None else 1 - SURE)
        return (3 if sure else 2) if (self.guess is not None or path in self.gold) == right else (0 if sure else 1)

    @property
    def told(self) -> list[tuple[int, bool]]:
        """Earlier grades, each with whether the file was useful."""
        paths = [f"told {number}" for number in range(self.verdicts)]
        known = replace(self, gold=frozenset(paths[::2]))
        return [(known.grade(path), path in known.gold) for path in paths]

    def grades(self, request: Request) -> list[int]:
        """Grade the files of a request."""
        if self.name == "by turns 3 and 0":
            return [3 * (file.number % 2) for file in request.files]
        biased = [bool(self.bias and self.bias(file, request)) for file in request.files]
        return [3 if b else self.grade(file.path) for b, file in zip(biased, request.files, strict=True)]

    def ask(self, requests: Sequence[Request], timeout_s: float) -> list[Reply]:
        return [self.reply(request) for request in requests]

    def reply(self, request: Request) -> Reply:
        grades = self.grades(request)
        files = [{"id": f.number, "grade": grade} for f, grade in zip(request.files, grades, strict=True)]
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
    Judge("by turns 3 and 0"),
    Judge("upside down", accuracy=0.0),
    Judge("guesses, a tenth high", guess=0.1),
)
# These are measured on pools alone.
JUDGED = (
    Judge("right 90%, 20 verdicts", verdicts=20),
    Judge("guesses, a tenth high, 20 verdicts", guess=0.1, verdicts=20),
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


def pool_of(row: Row) -> list[tuple[float, bool]]:
    """Relevance and usefulness of the files of the first cycle, best first."""
    return [(float(one.rstrip("+")), one.endswith("+")) for one in row["pool"].split()]


def on_pool(pool: Sequence[tuple[float, bool]], judge: Judge, tokens: int = 12_000) -> list[bool]:
    """Whether each file is useful, best first after its grade."""
    judgments = [Judgment(f"f{n}.py", relevance) for n, (relevance, _) in enumerate(pool)]
    known = replace(judge, gold=frozenset(f"f{n}.py" for n, (_, useful) in enumerate(pool) if useful))
    wanted = worth_asking(judgments, (), tokens)[: tokens // A_FILE]
    first = controls(judgments, wanted, ())
    rest = sorted(wanted, key=lambda j: sha256(j.path.encode()).digest())
    asked = [*first, *rest]
    shown = tuple(Shown(n, j.path, frozenset()) for n, j in enumerate(asked, 1))
    grades = known.grades(Request("", "", shown, "", 0))
    after = fused([j.relevance for j in asked], grades, known.told)[0] if asked else []
    relevance = {j.path: j.relevance for j in judgments} | {
        j.path: float(one) for j, one in zip(asked, after, strict=True)
    }
    order = sorted(range(len(pool)), key=lambda n: (-relevance[f"f{n}.py"], n))
    return [pool[n][1] for n in order]


def pooled(rows: Sequence[Row], judge: Judge, draws: int = 20) -> Row:
    """Percentages of the judges of one kind on the pools of all rows."""
    ranked = [
        on_pool(pool_of(row), replace(judge, draw=1_000 * number + draw))
        for number, row in enumerate(rows)
        for draw in range(draws if judge.is_drawn else 1)
    ]
    return {f"any@{k}": round(100 * fmean(any(one[:k]) for one in ranked), 1) for k in (1, 3, 5)}


def report_of_pools(rows: Sequence[Row]) -> Row:
    """By half of the repositories: without a judge, and with each kind that needs no file to be seen."""
    unseen = [judge for judge in (*JUDGES, *JUDGED) if judge.bias is None]
    return {
        name: {
            "tasks": len(mine),
            "no judge": {
                f"any@{k}": round(100 * fmean(any(useful for _, useful in pool_of(row)[:k]) for row in mine), 1)
                for k in (1, 3, 5)
            },
            **{judge.name: pooled(mine, judge) for judge in unseen},
        }
        for name, mine in zip(("half chosen on", "other half"), halves(rows), strict=True)
        if mine
    }


def halves(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows of either half of the repositories."""
    return [[r for r in rows if sha256(r["repo"].encode()).digest()[0] % 2 == half] for half in (0, 1)]


def simulate(task: Task, repository: Repository, draws: int, names: Sequence[str]) -> Row:
    """Scores by way of asking, of the judges that are named, or of all ways."""
    shown: dict[str, Part] = {}

    def part_once(judgment: Judgment, read: Texts, *, redact: bool) -> Part:
        if judgment.path not in shown:
            shown[judgment.path] = part_of(judgment, read, redact=redact)
        return shown[judgment.path]

    evaluator.part_of = part_once  # two thirds of the time, and the same for every judge

    def asked(judge: Judge, **options: Any) -> Row:
        known = [replace(judge, gold=frozenset(task.gold), draw=draw) for draw in range(draws)]
        known = known if judge.is_drawn else known[:1]
        runs = (repository.ask(task.task, Options(**options), model=one).run() for one in known)
        return _mean([of_answer(task, answer) for answer in runs])

    plain = repository.ask(task.task, Options()).run()
    first_cycle = plain.cycles[0].judgments[:POOL]
    pool = " ".join(f"{j.relevance:.4g}{'+' * (j.path in task.gold)}" for j in first_cycle)
    ways = {"no judge": of_answer(task, plain)}
    ways |= {judge.name: asked(judge) for judge in JUDGES if judge.name in names or not names}
    for name in names:
        if ":" in name:
            ways[name] = of_answer(task, repository.ask(task.task, Options(judge=name)).run())
    ways |= {} if names else _others(task, plain, repository, asked)
    row = {"id": task.id, "repo": task.repo, "language": task.language, "gold": len(task.gold)}
    return row | {"ways": ways, "pool": pool}


def reads_on(task: Task, answer: Context, repository: Repository) -> Row:
    """The scores of reading files, best first, until the budget ends; what is right is recognised.

    The last file is read as far as the budget goes, which counts as reading it.
    """
    view, most = repository.opened.view, Options().max_judge_tokens
    ranking = [judgment.path for judgment in answer.ranking]
    read, spent = 0, 0
    while read < len(ranking) and spent < most:
        spent += estimate(view.text(view.numbers[ranking[read]]))
        read += 1
    first = sorted(ranking[:read], key=lambda path: path not in task.gold)
    return scored(task, [*first, *ranking[read:]], min(spent, most))


def _others(task: Task, answer: Context, repository: Repository, asked: Callable[..., Row]) -> dict[str, Row]:
    """Other budgets, and what needs no loop."""
    right = Judge("right 90%")
    ways = {f"right 90%, {most:,} tokens": asked(right, max_judge_tokens=most) for most in BUDGETS}
    (found,) = answers("bm25-code", [task])
    lexical = [file["path"] for file in found["ranking"]]
    ways["BM25"] = scored(task, lexical)
    known = replace(right, gold=frozenset(task.gold))
    first = sorted(lexical[:FIRST_OF_BM25], key=lambda path: -known.grade(path))
    tokens = FIRST_OF_BM25 * (FILE_TOKENS + 40)
    ways["right 90%, orders 50 of BM25"] = scored(task, [*first, *lexical[FIRST_OF_BM25:]], tokens, 1)
    ways["reads on, never wrong"] = reads_on(task, answer, repository)
    return ways


def _mean(rows: Sequence[Row]) -> Row:
    return {name: round(fmean(row[name] for row in rows), 4) for name in rows[0]}


def measure(tasks: Sequence[Task], models: Path | None, *, draws: int, names: Sequence[str]) -> list[Row]:
    """Rows of the tasks of one repository."""
    use_model(models, tasks[0].repo)
    return [simulate(task, Repository.open(task.git_dir, rev=task.rev, jobs=1), draws, names) for task in tasks]


def report(rows: Sequence[Row]) -> Row:
    """Means by way, over all issues and over those of Python with one file."""
    chosen, other = halves(rows)
    sets = {
        "issues": rows,
        "issues, half chosen on": chosen,
        "issues, other half": other,
        "Python, one file": [r for r in rows if r["language"] == "python" and r["gold"] == 1],
    }
    return {
        name: {"tasks": len(mine), "ways": {way: _means([row["ways"][way] for row in mine]) for way in mine[0]["ways"]}}
        for name, mine in sets.items()
        if mine
    }


def _means(scores: Sequence[Mapping[str, float]]) -> Row:
    """Percentages, and mean tokens and calls."""
    means = {name: fmean(one[name] for one in scores) for name in scores[0]}
    return {
        name: round(value, 2) if name in ("tokens", "calls") else round(100 * value, 1) for name, value in means.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--repos", type=Path, help="folder of bare repositories")
    parser.add_argument("--pools", type=Path, help="an earlier result")
    parser.add_argument("--models", type=Path, help="folder of rankers that never saw the repository")
    parser.add_argument("--limit", type=int, help="so many tasks, by a hash of their id")
    parser.add_argument("--draws", type=int, default=3, help="judges of the same kind")
    parser.add_argument("--judges", default="", help="these alone: names of simulated or of real ones")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    result: Row = {"provenance": provenance("benchmarks.judge", sys.argv[1:])}
    if options.pools:
        result["pools"] = report_of_pools(json.loads(options.pools.read_text("utf-8"))["rows"])
        _written(result, options.out)
        return
    if not (options.data and options.repos):
        parser.error("--data and --repos are needed, or --pools")
    loaded = load(options.data, options.repos, kinds=("issue",), limit=options.limit)
    names = [name.strip() for name in options.judges.split(",") if name.strip()]
    drawn = partial(measure, draws=options.draws, names=names)
    rows = by_repository(drawn, loaded.tasks, options.models, options.jobs)
    result |= {"skipped": loaded.skipped} | report(rows) | {"pools": report_of_pools(rows)}
    for name in (name for name in result if "ways" in result[name]):
        print(name, result[name]["tasks"])
        for way, means in result[name]["ways"].items():
            print(f"  {way:32}", "  ".join(f"{key} {value}" for key, value in means.items()))
    _written(result | {"rows": rows}, options.out)


def _written(result: Row, out: Path | None) -> None:
    print(json.dumps(result["pools"], indent=1))
    if out:
        out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
