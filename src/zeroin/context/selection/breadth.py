"""Breadth over depth: for exploring and for architecture, one good file of each component beats five of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from zeroin.types import Judgment, Purpose

# Factor of a component's second file beside another's first; 1.0 leaves the ranking as it is.
DECAY: Mapping[Purpose, float] = {
    "fix": 1.0,
    "feature": 1.0,
    "review": 1.0,
    "explore": 0.6,
    "architecture": 1.0,  # its files are spread over the parts before they are judged
}
# How many files come before the supporting ones, where fewer reach 0.7; an overview has no more than these.
LEAST_FILES: Mapping[Purpose, int] = {"fix": 3, "feature": 3, "review": 5, "explore": 8, "architecture": 12}
# Of files between 0.1 and 0.2 three in ten stood for a part that no file before them stood for, on both halves of
# `benchmarks.architecture`; without them 59 instead of 72 % of the parts of the untuned half are on the map.
_ON_THE_MAP = 0.1
GUESSES = 3  # files listed, as guesses, where none is good enough
_HEAD = 60  # files that compete for the next place


def overview_files(ranking: Sequence[Judgment]) -> tuple[Judgment, ...]:
    """The files of an overview: one list, best first, of those ≥ 0.1; the best few where there is none."""
    best = [j for j in ranking if j.relevance >= _ON_THE_MAP]
    return tuple(best[: LEAST_FILES["architecture"]] or ranking[:GUESSES])


def spread(ranking: Sequence[Judgment], component: Mapping[str, str], decay: float) -> tuple[Judgment, ...]:
    """The ranking re-ordered so that components take turns: relevance × decay^(files of it already taken).

    `component` names the component of each path; files without one (documents, tests) share one.
    """
    waiting = list(ranking)
    taken: Counter[str] = Counter()
    out: list[Judgment] = []
    while waiting:
        best = max(
            waiting[:_HEAD],
            key=lambda j: (j.relevance * decay ** taken[component.get(j.path, "")], j.score),
        )
        waiting.remove(best)
        taken[component.get(best.path, "")] += 1
        out.append(best)
    return tuple(out)
