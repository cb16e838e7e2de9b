"""Which judged files an answer lists: every file from relevance 0.2, best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zeroin.context.selection.breadth import GUESSES, LEAST_FILES, overview_files
from zeroin.context.selection.sections import Wanted, is_secondary, ordered
from zeroin.types import HIGH, LOW, Judgment, Role, Task


@dataclass(frozen=True, slots=True)
class Listed:
    """The files of an answer by section, each best first."""

    files: tuple[Judgment, ...]
    supporting: tuple[Judgment, ...] = ()
    tests: tuple[Judgment, ...] = ()
    documents: tuple[Judgment, ...] = ()

    @property
    def paths(self) -> frozenset[str]:
        """Every path that is listed."""
        return frozenset(j.path for j in (*self.files, *self.supporting, *self.tests, *self.documents))


def listed_files(ranking: Sequence[Judgment], task: Task, wanted: Wanted) -> Listed:
    """Return every file ≥ 0.2, so that no file is left out that is better than a listed one.

    `files` are those ≥ 0.7, or the best few that the purpose wants (P10); `supporting` are the others. Tests, documents
    and built files have sections of their own, unless the task is about them (`wanted`) or nothing else reaches 0.2.
    The files of a change are given, and not listed. Where no file reaches 0.2, the best three are listed as guesses.
    """
    if task.purpose == "architecture":
        return Listed(overview_files(ranking))
    ranking = without_change(ranking, task)
    good = [j for j in ranking if j.relevance >= LOW]
    main = [j for j in good if not is_secondary(j, wanted)]
    apart = [j for j in good if is_secondary(j, wanted)]
    if not main:
        main, apart = apart, []
    if not good:
        return Listed(tuple(ordered(ranking, wanted)[:GUESSES]))
    high = sum(j.relevance >= HIGH for j in main)
    first = max(high, LEAST_FILES[task.purpose])
    best = sorted(apart, key=lambda j: -j.relevance)
    return Listed(
        tuple(main[:first]),
        tuple(main[first:]),
        tuple(j for j in best if j.role is Role.TEST),
        tuple(j for j in best if j.role is not Role.TEST),
    )


def without_change(judgments: Sequence[Judgment], task: Task) -> tuple[Judgment, ...]:
    """The judgments of files that are not of the change which the task is: those are given, and found by nobody."""
    touched = paths_of_change(task)
    return tuple(j for j in judgments if j.path not in touched)


def paths_of_change(task: Task) -> frozenset[str]:
    """Return the files of the change that a task is; none where it is no change."""
    files = task.diff.files if task.diff is not None else ()
    return frozenset(path for f in files for path in (f.path, f.old_path) if path)
