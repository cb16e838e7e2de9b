"""Which judged files an answer lists: the good ones, what they refer to, and apart from them what to run and read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from zeroin.answer import Cycle
from zeroin.context.breadth import LEAST_FILES, LEAST_RELEVANCE
from zeroin.context.sections import LOOKING, Wanted, aside, documents_of, ordered, tests_of
from zeroin.context.told import homes_of
from zeroin.types import HIGH, LOW, Gap, Judgment, Reason, Task

# A supporting file reaches this: between 0.3 and 0.5 about as many are useful as among the files that fill up a hand.
SUPPORTING = 0.3
_MAX_NEEDED = 4  # files ≥ 0.2 listed because they define what the files found refer to


@dataclass(frozen=True, slots=True)
class Listed:
    """The files of an answer in the sections that it tells them in, each best first."""

    files: tuple[Judgment, ...]
    supporting: tuple[Judgment, ...]
    tests: tuple[Judgment, ...] = ()
    documents: tuple[Judgment, ...] = ()

    @property
    def paths(self) -> frozenset[str]:
        """Every path that is listed."""
        return frozenset(j.path for j in (*self.files, *self.supporting, *self.tests, *self.documents))


def listed_files(
    ranking: Sequence[Judgment],
    task: Task,
    cycles: Sequence[Cycle],
    language: Callable[[str], str],
    wanted: Wanted,
    importers: Callable[[str], Collection[str]] = lambda path: (),
) -> Listed:
    """Files ≥ 0.7, filled up with the best available to what the purpose wants; others ≥ 0.3 are supporting (P10).

    So are the first few files ≥ 0.2 that define what the files found refer to (`_needed`); what is less is named by
    `missing_context`. The files of a change come first, as given, and do not count. Tests, documents and built files
    have sections of their own, unless the task is about them (`wanted`) or nothing else reaches 0.2. `importers` gives
    the files that import a path.
    """
    touched = {f.path for f in task.diff.files} if task.diff is not None else set()
    main = [j for j in ranking if not aside(j, wanted)]
    asides = [j for j in ranking if aside(j, wanted)]
    apart = any(j.relevance >= LOW for j in asides)
    if (apart or not main) and not any(j.relevance >= LOW for j in main):
        main, apart = list(ordered(ranking, wanted)), False
    given = [j for j in main if j.path in touched]
    others = [j for j in main if j.path not in touched]
    least = LEAST_FILES[task.purpose]
    high = [j for j in others if j.relevance >= HIGH]
    best = [j for j in others[:least] if j.relevance >= LEAST_RELEVANCE[task.purpose]]
    if others[:1] != best[:1] and not (given and apart):  # never an empty hand
        best.insert(0, others[0])
    files = given + (high if len(high) >= least else best)
    held = {j.path for j in files}
    supporting = [j for j in others if j.relevance >= SUPPORTING and j.path not in held]
    held |= {j.path for j in supporting}
    needed = {path: why for path, why in _needed(cycles, files, language).items() if path not in held}
    order = list(needed)
    supporting += [
        j if j.reasons else replace(j, reasons=(needed[j.path],))
        for j in sorted(
            (j for j in others if j.path in needed and j.relevance >= LOW), key=lambda j: order.index(j.path)
        )
    ]
    held |= {j.path for j in supporting}
    asides = [j for j in asides if j.path not in held]
    changed = files[0].path if files and files[0].relevance >= LOW and task.purpose not in LOOKING else ""
    return Listed(tuple(files), tuple(supporting), tests_of(asides, changed, importers), documents_of(asides))


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
