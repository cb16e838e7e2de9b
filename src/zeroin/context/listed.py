"""Which judged files an answer lists: the good ones, and what they refer to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from zeroin.answer import Cycle
from zeroin.context.breadth import LEAST_FILES, LEAST_RELEVANCE
from zeroin.context.told import homes_of
from zeroin.types import HIGH, MEDIUM, Gap, Judgment, Reason, Task

_MAX_NEEDED = 4  # files listed because they define what the files found refer to


def listed_files(
    ranking: Sequence[Judgment], task: Task, cycles: Sequence[Cycle], language: Callable[[str], str]
) -> tuple[tuple[Judgment, ...], tuple[Judgment, ...]]:
    """Files ≥ 0.7, filled up with the best available to what the purpose wants; medium ones are supporting (P10).

    So are the first few files that define what the files found refer to (`_needed`). The files of a change come
    first, as given, and do not count.
    """
    touched = {f.path for f in task.diff.files} if task.diff is not None else set()
    given = [j for j in ranking if j.path in touched]
    others = [j for j in ranking if j.path not in touched]
    least = LEAST_FILES[task.purpose]
    high = [j for j in others if j.relevance >= HIGH]
    best = others[:1] + [j for j in others[1:least] if j.relevance >= LEAST_RELEVANCE[task.purpose]]
    files = given + (high if len(high) >= least else best)
    held = {j.path for j in files}
    supporting = [j for j in others if j.relevance >= MEDIUM and j.path not in held]
    held |= {j.path for j in supporting}
    needed = {path: why for path, why in _needed(cycles, files, language).items() if path not in held}
    order = list(needed)
    supporting += [
        j if j.reasons else replace(j, reasons=(needed[j.path],))
        for j in sorted((j for j in others if j.path in needed), key=lambda j: order.index(j.path))
    ]
    return tuple(files), tuple(supporting)


def _needed(
    cycles: Sequence[Cycle], files: Sequence[Judgment], language: Callable[[str], str]
) -> dict[str, Reason]:
    """What the listed files refer to at their heart: files that define or implement it, those with most first.

    With each why it is needed.
    """
    listed = {j.path for j in files}
    gaps: dict[str, Gap] = {}
    for gap in (g for c in cycles for g in c.gaps if g.kind == "reference" and len(g.evidence) > 1):
        if gap.evidence[0].path in listed:
            gaps.setdefault(gap.follow_up, gap)
    homes = [(home, gap) for gap in gaps.values() for home in homes_of(gap, language) if home not in listed]
    paths = [path for path, _ in homes]
    why: dict[str, Reason] = {}
    for path, gap in homes:
        user = gap.evidence[0]
        text = f"has {gap.follow_up}, which {user.path}:{user.line} refers to"
        why.setdefault(path, Reason("reference", text, (user,)))
    return {path: why[path] for path in sorted(why, key=lambda path: -paths.count(path))[:_MAX_NEEDED]}
