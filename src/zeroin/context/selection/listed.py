"""Which judged files an answer lists: every file from relevance 0.2, best first, and three where none is sure.

Breadth over depth: for exploring and for an overview, one good file of each component beats five of one.
"""

import posixpath
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from zeroin.context.selection.sections import Wanted, is_secondary, ordered
from zeroin.types import HIGH, LOW, Judgment, Purpose, Role, Task

# How many files come before the supporting ones, where fewer reach 0.7; an overview has no more than these.
LEAST_FILES: Mapping[Purpose, int] = {"fix": 3, "feature": 3, "review": 5, "explore": 8, "architecture": 12}
# Least relevance in an overview. Of files between 0.1 and 0.2 three in ten were the first of their component, on both
# halves of `benchmarks.architecture`; without them 59 instead of 72 % of the untuned half's components are covered.
_ON_THE_MAP = 0.1
# An answer whose first file is below `HIGH` lists three, down to this relevance: 84 % of 57 tasks of the open trial
# then list a right file instead of 77, and 14 of the 23 files that come with it are right or related
# (benchmarks/NOTES.md).
_AT_LEAST, _UNSURE = 3, 0.12
GUESSES = 3  # files listed, as guesses, where none is good enough
_DECAY = 0.6  # of a file's worth, for each file of its component that was taken before it
_HEAD = 60  # files that compete for the next place
# Files of a folder that are listed for one quoted text; of so many words, it is in the others because they are copies.
_COPIES, _COPIED_WORDS = 3, 6


class Listed(NamedTuple):
    """The files of an answer by section, each best first."""

    files: tuple[Judgment, ...]
    supporting: tuple[Judgment, ...] = ()
    tests: tuple[Judgment, ...] = ()
    documents: tuple[Judgment, ...] = ()

    @property
    def all(self) -> tuple[Judgment, ...]:
        """Every file that is listed, in reading order."""
        return (*self.files, *self.supporting, *self.tests, *self.documents)

    @property
    def paths(self) -> frozenset[str]:
        """Every path that is listed."""
        return frozenset(j.path for j in self.all)


def listed_files(ranking: Sequence[Judgment], task: Task, wanted: Wanted) -> Listed:
    """Return every file ≥ 0.2, of an overview ≥ 0.1, so that no file is left out that is better than a listed one.

    `files` are those ≥ 0.7, or the best few that the purpose wants (P10); `supporting` are the others. Tests, documents
    and built files have sections of their own, unless the task is about them (`wanted`) or no other file is listed.
    Where fewer than three reach 0.2 and none 0.7, the list goes on to the third that reaches 0.12. The files of a
    change are given, and not listed. Where no file reaches 0.2, the best three are listed as guesses. Of the files in
    one folder that hold the same quoted text the best three are listed, and a reason counts the others.
    """
    if task.purpose == "architecture":
        best = [j for j in ranking if j.relevance >= _ON_THE_MAP]
        return Listed(tuple(best[: LEAST_FILES["architecture"]] or ranking[:GUESSES]))
    ranking = without_change(ranking, task)
    least = LOW if task.purpose == "review" else _least(ranking, wanted)
    good = without_copies([j for j in ranking if j.relevance >= least], wanted)
    main = [j for j in good if not is_secondary(j, wanted)]
    apart = [j for j in good if is_secondary(j, wanted)]
    if not main:
        main, apart = apart, []
    if not good:  # guesses are the best ones, whatever component they are of
        best_first = sorted(ranking, key=lambda j: -j.relevance)
        return Listed(tuple(ordered(best_first, wanted)[:GUESSES]))
    high = sum(j.relevance >= HIGH for j in main)
    first = max(high, LEAST_FILES[task.purpose])
    best = sorted(apart, key=lambda j: -j.relevance)
    return Listed(
        tuple(sorted(main[:first], key=lambda j: -j.relevance)),
        tuple(sorted(main[first:], key=lambda j: -j.relevance)),
        tuple(j for j in best if j.role is Role.TEST),
        tuple(j for j in best if j.role is not Role.TEST),
    )


def _least(ranking: Sequence[Judgment], wanted: Wanted) -> float:
    """Return the least relevance that is listed: that of the third file where the first is between 0.2 and 0.7."""
    best = max((j.relevance for j in ranking), default=0.0)
    if not LOW <= best < HIGH:
        return LOW
    main = [j.relevance for j in ranking if j.relevance >= _UNSURE and not is_secondary(j, wanted)]
    return min([LOW, *sorted(main, reverse=True)[:_AT_LEAST]])


def without_copies(judgments: Sequence[Judgment], wanted: Wanted) -> list[Judgment]:
    """Return the judgments with the best three of one folder that hold the same long quoted text, and all `wanted`."""
    alike: defaultdict[tuple[str, str], list[Judgment]] = defaultdict(list)
    for judgment in judgments:
        text = next((e.text for r in judgment.reasons if r.kind == "literal" for e in r.evidence), "")
        if len(text.split()) >= _COPIED_WORDS and judgment.path not in wanted.paths:
            alike[posixpath.dirname(judgment.path), text].append(judgment)
    changed: dict[str, Judgment | None] = {}
    for (folder, _), copies in alike.items():
        best = sorted(copies, key=lambda j: -j.relevance)
        if rest := best[_COPIES:]:
            changed |= {j.path: None for j in rest}
            last = best[_COPIES - 1]
            more = f"do {len(rest)} more files of {folder or '.'}/" if len(rest) > 1 else f"does {rest[0].path}"
            reasons = (replace(r, text=f"{r.text}, as {more}") if r.kind == "literal" else r for r in last.reasons)
            changed[last.path] = replace(last, reasons=tuple(reasons))
    kept = (changed.get(j.path, j) for j in judgments)
    return [j for j in kept if j is not None]


def without_change(judgments: Sequence[Judgment], task: Task) -> tuple[Judgment, ...]:
    """Return the judgments without the files of a change under review, which the caller has already."""
    touched = paths_of_change(task)
    return tuple(j for j in judgments if j.path not in touched)


def paths_of_change(task: Task) -> frozenset[str]:
    """Return the paths of a task's change, old and new; none where the task is no change."""
    files = task.diff.files if task.diff is not None else ()
    return frozenset(path for f in files for path in (f.path, f.old_path) if path)


def spread(ranking: Sequence[Judgment], component: Mapping[str, str]) -> tuple[Judgment, ...]:
    """Re-order the ranking so that components take turns: relevance × 0.6^(files of it already taken).

    `component` names the component of each path; files without one (documents, tests) share one.
    """
    waiting = list(ranking)
    taken: Counter[str] = Counter()
    out: list[Judgment] = []
    while waiting:
        best = max(waiting[:_HEAD], key=lambda j: (j.relevance * _DECAY ** taken[component.get(j.path, "")], j.score))
        waiting.remove(best)
        taken[component.get(best.path, "")] += 1
        out.append(best)
    return tuple(out)
