"""The answer: the context with its parts and how it came about, and the terminology of a text.

The values that stages hand to one another are in `types`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import Literal, get_args

from zeroin.tree import Skipped, TreeState
from zeroin.types import LOW, Candidate, Evidence, Expansion, Gap, Judgment, Pack, Query, Task

Section = Literal["files", "supporting", "tests", "documents"]  # the fields of `Context` that list files
SECTIONS: tuple[Section, ...] = get_args(Section)  # in reading order


@dataclass(frozen=True, slots=True)
class JudgeUse:
    """What a language model in the evaluator's seat was asked, and what it took."""

    model: str = ""
    graded: int = 0  # files
    calls: int = 0
    cached: int = 0  # calls that were answered from the cache
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None  # US dollars; None where the price is not known
    verdicts: int = 0  # of the user on its grades in earlier questions
    weight: float = 0.0  # probability that its grades are informative, from the verdicts and the grades
    expected: float = 0.0  # by how much the calls were expected to reduce the sum of p (1 - p) over files
    failed: str = ""  # why the last grades that were wanted are missing


@dataclass(frozen=True, slots=True)
class MemberState:
    """One of several repositories that were asked together; `share` is the probability that the task is about it."""

    name: str  # its paths are `NAME:path`
    path: str
    revision: TreeState
    files: int
    share: float = 0.0
    searched: bool = False  # False: left out, since others are likelier or it is nearly a copy
    copy_of: str = ""  # the searched member that has most of its files, if it was left out for that


@dataclass(frozen=True, slots=True)
class Context:
    """The answer (PATTERN P1, P10): files, patterns, terminology, and what is still missing."""

    task: Task  # as asked; its purpose as it was decided
    repository: str  # the folder or git directory that was asked about
    revision: TreeState  # the state of the tree that the answer is about
    files: tuple[Judgment, ...]  # to change or to read first: ≥ 0.7, or the best few that the purpose wants
    supporting: tuple[Judgment, ...]  # to understand: every other main file ≥ 0.2
    terminology: tuple[Expansion, ...]  # the codebase's words for the task's, guesses among them
    patterns: tuple[Pattern, ...]  # conventions that the best files share
    gaps: tuple[Gap, ...]  # at most three information needs that are still open, critical ones first
    cycles: tuple[Cycle, ...]  # every pass of the loop, in order
    stop_reason: StopReason
    sufficient: bool  # every file that the task needs is listed, with a probability of 0.9 or more
    advice: Advice | None = None  # why the loop was not needed; None where it was
    # The best judged files whatever their relevance, secondary roles behind
    ranking: tuple[Judgment, ...] = ()
    tests: tuple[Judgment, ...] = ()  # to run
    documents: tuple[Judgment, ...] = ()  # documents, data, generated and vendored files ≥ 0.2
    skipped: tuple[Skipped, ...] = ()  # files that were not searched, and why
    warnings: tuple[str, ...] = ()  # a sentence each
    # documents, analysed, missing, commits: counts; seconds_index, seconds: wall time
    stats: Mapping[str, float] = field(default_factory=dict)
    budget: int = 8000  # tokens that a rendered answer may take
    pack: Pack = "spans"  # what is shown of a file
    redact: bool = True  # values that look like secrets are not shown
    judge: JudgeUse | None = None  # None: no language model was asked
    learned: LessonsUsed | None = None  # None: no lesson is known, or none was to be used
    run: str = ""  # names the kept session for `zeroin show`, `more` and `refine`; "" where it is not kept
    parent: str = ""  # the session that it continues
    stale: bool = False  # the session was first asked of another state of the tree
    members: tuple[MemberState, ...] = ()  # the repositories, where several were asked; likeliest first

    @property
    def shown_terms(self) -> tuple[Expansion, ...]:
        """The expansions that are sure or likely; guesses only helped the search."""
        return tuple(t for t in self.terminology if t.certainty != "guess")

    @property
    def secondary(self) -> tuple[Judgment, ...]:
        """Listed files that are not to be changed: the tests, then the documents."""
        return (*self.tests, *self.documents)

    @property
    def listed(self) -> tuple[Judgment, ...]:
        """Every listed file, in reading order."""
        return (*self.files, *self.supporting, *self.secondary)

    @property
    def also_seen(self) -> tuple[Judgment, ...]:
        """The best three files that the answer does not name yet, with half the relevance for being listed.

        None if the answer is sufficient.
        """
        named = {j.path for j in self.listed}.union(*(gap.search.paths for gap in self.gaps))
        near = (j for j in self.ranking if j.relevance >= LOW / 2 and j.path not in named)
        return () if self.sufficient else tuple(islice(near, 3))

    @property
    def irrelevant(self) -> tuple[Judgment, ...]:
        """Ranked files with evidence against them and less than half the relevance of the last main file."""
        least = min((j.relevance for j in (*self.files, *self.supporting)), default=LOW)
        return tuple(j for j in self.ranking if j.irrelevant_because and j.relevance < least / 2)


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
    cpu_seconds: float = 0.0  # CPU time of this process, refining the query included


class Action(StrEnum):
    """What a change does to the query."""

    LEARN_TERM = "learn_term"
    ADD_KEYWORD = "add_keyword"
    ASK = "ask"
    FOCUS = "focus"
    MUST_READ = "must_read"
    ADD_PATTERN = "add_pattern"
    EXCLUDE = "exclude"
    REVOKE_EXCLUDE = "revoke_exclude"
    # Of the caller alone.
    RELEVANT = "relevant"
    IRRELEVANT = "irrelevant"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Change:
    """One change that REFINE made to the query, and why."""

    action: Action
    what: str
    why: str
    evidence: tuple[Evidence, ...] = ()


class StopCode(StrEnum):
    """Why a loop ends."""

    ENOUGH = "enough"  # three files ≥ 0.7 and no gap worth a cycle
    NO_GAIN = "no_gain"  # another cycle is not expected to change the answer
    CYCLES = "cycles"  # the agreed number is used up
    DEADLINE = "deadline"  # no time is left
    INTERRUPTED = "interrupted"  # the caller stopped
    DIRECT = "direct"  # the loop was not needed
    NOTHING = "nothing"  # no file reaches 0.2


@dataclass(frozen=True, slots=True)
class StopReason:
    """Why the loop ended, as a code and as a sentence."""

    code: StopCode
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
        """The expansions that are sure or likely."""
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
