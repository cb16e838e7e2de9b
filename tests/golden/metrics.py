"""What the golden set's answers are worth, and whether they are worth less than the committed figures say."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from tests.golden.world import Golden
from zeroin.types import HIGH, MEDIUM

FIRST = 10  # files of an answer whose relevance is compared with gold
Ranking = tuple[tuple[str, float], ...]  # path and relevance, best first
Figures = dict[str, float]
Report = dict[str, dict[str, Figures]]


@dataclass(frozen=True, slots=True)
class Answer:
    """The ranking that one task was answered with; the files of a change under review are left out."""

    golden: Golden
    ranking: Ranking

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.ranking]


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a figure may get worse than committed, as a function of the number of tasks; `sign` 1: more is better."""

    sign: int
    most: Callable[[float], float]


def _of_tasks(tasks: float) -> float:
    return 2.0


def _share_of_tasks(tasks: float) -> float:
    return 2.0 / tasks


# Two tasks may get worse, of any group; the means of few files in a kind or a repository are shown, not asserted.
TOLERANCE = {
    **dict.fromkeys(("hit@1", "hit@5", "strict@3", "strict@5", "strict@10"), Tolerance(1, _of_tasks)),
    "mrr": Tolerance(1, _share_of_tasks),
    "unwanted": Tolerance(-1, _of_tasks),
    "files_medium": Tolerance(-1, lambda tasks: 0.5),
    "relevance_gold": Tolerance(1, lambda tasks: 0.05),
    "relevance_other": Tolerance(-1, lambda tasks: 0.03),
    "high_gold": Tolerance(1, lambda tasks: 0.08),
}
_MEANS = frozenset({"files_medium", "relevance_gold", "relevance_other", "high_gold"})


def report(answers: Sequence[Answer]) -> Report:
    """Figures of all tasks, by kind and by repository."""
    groups: Report = {"all": {"all": figures(answers)}}
    keys: dict[str, Callable[[Answer], str]] = {
        "kind": lambda a: a.golden.kind,
        "repository": lambda a: a.golden.id.partition("/")[0],
    }
    for name, key in keys.items():
        groups[name] = {
            one: figures([a for a in answers if key(a) == one]) for one in sorted({key(a) for a in answers})
        }
    return groups


def figures(answers: Sequence[Answer]) -> Figures:
    """Counts of tasks, except: `mrr` and what is named in `_MEANS`, means (0–1; `files_medium` files a task).

    hit@k: one gold file among the first k. strict@k: all of them. unwanted: a file that would be a mistake has
    relevance ≥ 0.5. high: files ≥ 0.7; high_gold: the share of them that is gold.
    """
    firsts = [pair for a in answers for pair in _marked(a.ranking[:FIRST], a.golden)]
    high = [good for a in answers for relevance, good in _marked(a.ranking, a.golden) if relevance >= HIGH]
    out: Figures = {"tasks": len(answers)}
    out |= {f"hit@{k}": sum(not a.golden.gold.isdisjoint(a.paths[:k]) for a in answers) for k in (1, 5)}
    out |= {f"strict@{k}": sum(a.golden.gold <= set(a.paths[:k]) for a in answers) for k in (3, 5, 10)}
    out["mrr"] = _mean(_reciprocal(a) for a in answers)
    out["unwanted"] = sum(
        any(path in a.golden.unwanted and relevance >= MEDIUM for path, relevance in a.ranking) for a in answers
    )
    out["files_medium"] = _mean(sum(r >= MEDIUM for _, r in a.ranking) for a in answers)
    out["relevance_gold"] = _mean(relevance for relevance, good in firsts if good)
    out["relevance_other"] = _mean(relevance for relevance, good in firsts if not good)
    out["high"] = len(high)
    out["high_gold"] = _mean(float(good) for good in high)
    return out


def compare(committed: Report, now: Report) -> tuple[list[str], list[str]]:
    """Lines of a table of everything that differs, and the lines of those that are worse than tolerated."""
    rows: list[str] = []
    worse: list[str] = []
    for group, parts in committed.items():
        for part, before in parts.items():
            after = now.get(group, {}).get(part, {})
            for name, old in before.items():
                new = after.get(name, 0.0)
                if new == old:
                    continue
                limit = TOLERANCE.get(name)
                row = f"{group:<10} {part:<14} {name:<16} {old:>8.3f} → {new:<8.3f} {new - old:+.3f}"
                if limit is not None and (group == "all" or name not in _MEANS):
                    most = limit.most(before["tasks"])
                    if limit.sign * (old - new) > most + 1e-9:
                        row += f"  WORSE than the tolerated {most:.3f}"
                        worse.append(row)
                rows.append(row)
    return rows, worse


def _marked(ranking: Ranking, golden: Golden) -> list[tuple[float, bool]]:
    return [(relevance, path in golden.gold) for path, relevance in ranking]


def _reciprocal(answer: Answer) -> float:
    places = (n for n, path in enumerate(answer.paths, start=1) if path in answer.golden.gold)
    return 1.0 / next(places, float("inf"))


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return round(fmean(found), 4) if found else 0.0
