"""Main files, which a change edits, before secondary files: tests, documents, data, built and copied files.

A failing test, a bundle with the bug and a README that describes it all match the task, and the change goes into none.
"""

from collections.abc import Sequence
from typing import NamedTuple

from zeroin.types import LOW, MEDIUM, Judgment, Purpose, Query, Role, Task, TaskKind

LOOKING: frozenset[Purpose] = frozenset({"explore", "architecture"})  # they change nothing
# Purposes that rank secondary files behind the main files. Not reviews, which look for missing tests, nor
# questions: with short queries, documents and tests account for 1.8 points @1.
ORDERED: frozenset[Purpose] = frozenset({"fix", "feature"})
LEAST_FIRST = 0.05  # of the best main file, for it to precede the first secondary file

_SECONDARY = frozenset({Role.TEST, Role.DOC, Role.GENERATED, Role.VENDORED, Role.DATA})


class Wanted(NamedTuple):
    """Files that are never secondary: of a role that the task is about, of a change, or judged relevant."""

    roles: frozenset[Role] = frozenset()
    paths: frozenset[str] = frozenset()


def wanted_in(task: Task, query: Query) -> Wanted:
    """Return the files that are never secondary for a task; exploring and documenting want documents, too."""
    documents = task.purpose in LOOKING or query.kind is TaskKind.DOCUMENTATION
    touched = [f.path for f in task.diff.files] if task.diff is not None else []
    return Wanted(query.wanted_roles | ({Role.DOC} if documents else set()), frozenset((*touched, *query.relevant)))


def is_secondary(judgment: Judgment, wanted: Wanted) -> bool:
    """Whether a file is a test, a document, data, generated or vendored, and not `wanted`."""
    return judgment.role in _SECONDARY - wanted.roles and judgment.path not in wanted.paths


def ordered(ranking: Sequence[Judgment], wanted: Wanted) -> tuple[Judgment, ...]:
    """Return the ranking with its secondary files after every main file ≥ 0.2.

    Where there is none, the best main file ≥ 0.05 comes first, unless a document reaches 0.5: then the task is about
    that. Otherwise the order stays.
    """
    main = [j for j in ranking if not is_secondary(j, wanted)]
    ahead = [j for j in main if j.relevance >= LOW]
    if not ahead and not any(j.relevance >= MEDIUM and j.role is Role.DOC for j in ranking):
        ahead = [j for j in main if j.relevance >= LEAST_FIRST][:1]
    before = {j.path for j in ahead}
    return (*ahead, *(j for j in ranking if j.path not in before))


def ranked(judgments: Sequence[Judgment], task: Task, query: Query) -> tuple[Judgment, ...]:
    """Judgments, best first, as an answer to the task ranks them; `query` is the last one that was asked."""
    return ordered(judgments, wanted_in(task, query)) if task.purpose in ORDERED else tuple(judgments)
