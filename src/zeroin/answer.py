"""What a run hands back: the context with its parts and how it came about, and the terminology of a text.

The values inside that stages hand to one another on the way there are in `types`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from zeroin.tree import Skipped, TreeState
from zeroin.types import Candidate, Evidence, Expansion, Gap, Judgment, Pack, Query, Task

SECTIONS = (
    "files",
    "supporting",
    "tests",
    "documents",
)  # the fields of `Context` that list files, in reading order


@dataclass(frozen=True, slots=True)
class Context:
    """The answer (PATTERN P1, P10): files, patterns, terminology, and what is still missing.

    `files` and `supporting` are what to change and to understand, `tests` what to run. `documents` are the others that
    the change is hardly made in: documents, data, generated and vendored files. What the task is about is in `files`.
    """

    task: Task
    repository: str
    revision: TreeState
    files: tuple[Judgment, ...]
    supporting: tuple[Judgment, ...]
    terminology: tuple[Expansion, ...]
    patterns: tuple[Pattern, ...]
    gaps: tuple[Gap, ...]
    cycles: tuple[Cycle, ...]
    stop_reason: StopReason
    sufficient: bool
    advice: Advice | None = None
    ranking: tuple[
        Judgment, ...
    ] = ()  # every judged file, best first, regardless of threshold; tests and such behind
    tests: tuple[Judgment, ...] = ()
    documents: tuple[Judgment, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    warnings: tuple[str, ...] = ()
    stats: Mapping[str, float] = field(default_factory=dict)
    budget: int = 8000
    pack: Pack = "spans"
    redact: bool = True
    learned: LessonsUsed | None = None  # None: no lesson is known, or none was to be used
    run: str = ""  # names this answer for `zeroin show`, `more` and `refine`; "" where it is not kept
    parent: str = ""  # the run it goes on from
    stale: bool = False  # it was asked of another state of the tree and is answered anew

    @property
    def shown_terms(self) -> tuple[Expansion, ...]:
        """The words that are sure or likely: what is read. Guesses helped the search."""
        return tuple(t for t in self.terminology if t.certainty != "guess")

    @property
    def asides(self) -> tuple[Judgment, ...]:
        """Listed files that are not to be changed: the tests, then the documents."""
        return (*self.tests, *self.documents)

    @property
    def listed(self) -> tuple[Judgment, ...]:
        """Every file that the answer lists, in the order in which it tells them."""
        return (*self.files, *self.supporting, *self.asides)


@dataclass(frozen=True, slots=True)
class Cycle:
    """One pass of the loop."""

    number: int
    query: Query
    changes: tuple[Change, ...]
    candidates: tuple[Candidate, ...]
    judgments: tuple[Judgment, ...]  # best context merged so far, best first
    gaps: tuple[Gap, ...]  # what is missing now
    asked: tuple[Gap, ...] = ()  # gaps of earlier cycles whose searches were run, with their outcomes
    terminology: tuple[Expansion, ...] = ()
    seconds: float = 0.0
    cpu_seconds: float = 0.0  # of this process, with what refining the query for it took


@dataclass(frozen=True, slots=True)
class Change:
    """One change that REFINE made to the query, and why."""

    # learn_term, add_keyword, ask, focus, must_read, add_pattern, exclude, revoke_exclude; of the caller's also
    # relevant, irrelevant and note
    action: str
    what: str
    why: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class StopReason:
    """Why the loop ended: code is enough, no_gain, cycles, deadline, interrupted, direct or nothing."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Advice:
    """The loop was not needed (PATTERN P13): kind is exact_files, single_file or small_repository."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """A convention of the codebase: kind is location, naming, sibling or tests; evidence are paths."""

    kind: str
    text: str
    glob: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Terminology:
    """The codebase's words for those of a text; `named` says in how many files each word of it is part of a name."""

    text: str
    repository: str
    revision: TreeState
    terms: tuple[Expansion, ...]
    named: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[Expansion, ...]:
        """The words that are sure or likely."""
        return tuple(t for t in self.terms if t.certainty != "guess")


@dataclass(frozen=True, slots=True)
class LessonsUsed:
    """The lessons of the repository when it was asked: a digest of all, how many tasks, and those that were `used`."""

    digest: str
    tasks: int
    used: tuple[UsedLesson, ...] = ()


@dataclass(frozen=True, slots=True)
class UsedLesson:
    """An earlier task that changed an answer, with its similarity to the new one, 0–1."""

    id: str
    title: str
    similarity: float
