"""The JSON that zeroin writes: `zeroin.context/1` and `zeroin.terms/1` (events: `events`).

These structures are the only definition: they are encoded as they stand, and `events` makes their schemas. A field that
is `UNSET`, or left at its default in a structure that omits defaults, is not written.
"""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from zeroin.context.rendering.written import Base64, Figure, Located, Share, Structure, base64_of
from zeroin.types import Band, Certainty, GapKind, Origin, Outcome, Pack, Purpose, Role

CONTEXT: Final = "zeroin.context/1"
TERMS: Final = "zeroin.terms/1"

Line = Annotated[int, Meta(ge=1)]
Count = Annotated[int, Meta(ge=0)]
Shown = Literal["spans", "skeleton", "whole"]
_CLOSED = "How often closing such a gap led to a wanted file, on tasks with known answers."
Precision = Annotated[Share, Meta(description=_CLOSED)]
_FOUND = "What its search found, once it was run: a file of 0.2 or more, none, none relevant."
Found = Annotated[Outcome, Meta(description=_FOUND)]


class Evidence(Structure, omit_defaults=True):
    """Something that can be looked up; at least one of its parts is there."""

    path: str = ""
    path_base64: Base64 | UnsetType = UNSET
    line: Line | None = None
    symbol: str = ""
    commit: str = ""
    text: str = ""

    def __post_init__(self) -> None:
        self.path_base64 = base64_of(self.path)


class Reason(Structure):
    """Why a file is relevant."""

    kind: str
    text: str
    evidence: list[Evidence]


class Span(Structure):
    """Lines, 1-based and inclusive."""

    start: Line
    end: Line
    symbol: str
    why: str


class Block(Structure):
    """Code as it stands in the file: lines that follow one another."""

    start: Line
    end: Line
    text: str
    enclosing: Annotated[bool, Meta(description="A signature around a span.")] | UnsetType = UNSET
    cut: Annotated[bool, Meta(description="What it is of goes on.")] | UnsetType = UNSET


class Ranked(Located, kw_only=True):
    """A judged file."""

    relevance: Share
    role: Role


class File(Located, kw_only=True):
    """A listed file."""

    relevance: Share
    band: Band
    role: Role
    language: str
    cycle: Annotated[int, Meta(ge=1, description="The cycle in which the file first reached relevance 0.2.")]
    reasons: list[Reason]
    spans: list[Span]
    missing_context: list[str]
    shown: Shown | UnsetType = UNSET
    code: list[Block] | UnsetType = UNSET
    fell_back: bool | UnsetType = UNSET


class Search(Structure, omit_defaults=True):
    """A query in parts, the most specific first; parts that it does not have are left out."""

    symbols: list[str] = msgspec.field(default_factory=list)
    paths: list[Located] = msgspec.field(default_factory=list)
    words: list[str] = msgspec.field(default_factory=list)
    scope: Annotated[str, Meta(description="A glob that says where.")] = ""


class Gap(Structure):
    """An open need."""

    kind: GapKind
    need: str
    critical: bool
    evidence: list[Evidence]
    follow_up: Annotated[str, Meta(description="A query that would close it.")]
    search: Search | UnsetType = UNSET
    precision: Precision | UnsetType = msgspec.field(default=UNSET, name="chance")
    outcome: Found | UnsetType = UNSET
    closed_by: Located | UnsetType = UNSET


class TermSource(Structure):
    """Where a pair of words was seen."""

    kind: str
    where: str
    line: Line | None
    text: str


class Term(Structure):
    """A word of the task and the codebase's own word for it."""

    task_word: str
    code_word: str
    weight: Share
    certainty: Certainty
    sources: list[TermSource]


class Pattern(Structure):
    """A convention and the paths that show it."""

    kind: str
    text: str
    glob: str
    evidence: list[str]


class Change(Structure):
    """A change of the query, and why."""

    action: str
    what: str
    why: str
    evidence: list[Evidence]


class Candidate(Located, kw_only=True):
    """A file with its first-stage score and its rank in the retrievers that found it."""

    score: Figure
    ranks: dict[str, Count]


class Keyword(Structure):
    """A weighted word of a query."""

    text: str
    weight: Figure
    origin: Origin
    why: str


class Symbol(Structure):
    """A name that a query asks for."""

    name: str
    weight: Figure
    origin: Origin


class PathMention(Located, kw_only=True):
    """A path that a query names."""

    weight: Figure
    origin: Origin
    line: Count | None


class Query(Structure):
    """One formulation of the task."""

    title: str
    keywords: list[Keyword]
    symbols: list[Symbol]
    paths: list[PathMention]
    patterns: list[str]
    includes: list[str]
    excludes: list[str]
    focus_areas: list[str]
    must_read: list[str]
    relevant: list[str]
    irrelevant: list[str]
    wanted_roles: list[Role]
    languages: list[str]


class Cycle(Structure):
    """One cycle: its query, what changed in it and why, what it found."""

    number: Line
    seconds: Figure
    query: Query
    changes: list[Change]
    candidates: Count
    best_candidates: list[Candidate]
    judgments: list[Ranked]
    gaps: list[Gap]
    asked: Annotated[
        list[Gap], Meta(description="Gaps of earlier cycles whose searches were run, with their outcomes.")
    ]


class Task(Structure):
    """What was asked; `diff` are the files of a change."""

    text: str
    purpose: Purpose
    diff: list[str] | None


class Revision(Structure):
    """The state of the tree."""

    commit: str
    tree: str
    dirty: bool
    rev: str


class StopReason(Structure):
    """Why the loop ended."""

    code: str
    text: str


class Advice(Structure):
    """That the loop was not needed."""

    kind: str
    text: str


class LearnedTask(Structure):
    """An earlier task that changed the answer."""

    id: str
    title: str
    similarity: Share = msgspec.field(name="resemblance")


class Learned(Structure):
    """What was learned of the repository when it was asked."""

    digest: str
    tasks: Count
    used: list[LearnedTask]


class JudgeUse(Structure):
    """What a language model was asked, and what it took; cost in US dollars, null where the price is not known."""

    model: str
    graded: Count
    calls: Count
    cached: Count
    input_tokens: Count
    output_tokens: Count
    cost: float | None
    expected: float
    failed: str
    verdicts: Count | UnsetType = UNSET
    weight: float | UnsetType = UNSET


class Member(Structure):
    """One of several repositories that were asked, its `share` the probability that the task is about it.

    `copy_of` is the searched one that has most of its files, where it was left out for that.
    """

    name: str
    path: str
    revision: Revision
    files: Count
    share: Share
    searched: bool
    copy_of: str | UnsetType = UNSET


class Skipped(Structure):
    """How many files were not searched, by reason."""

    files: Count
    reasons: dict[str, Line]


class Answer(Structure):
    """What zeroin answers with --format json."""

    schema: Literal["zeroin.context/1"]
    task: Task
    repository: str
    revision: Revision
    budget: Line
    files: list[File]
    supporting: list[File]
    tests: Annotated[
        list[File], Meta(description="The tests to run, best first; those that the task is about are among the files.")
    ]
    documents: Annotated[
        list[File],
        Meta(description="Documents, data, generated and vendored files that the task is not about, best first."),
    ]
    terminology: list[Term]
    patterns: list[Pattern]
    gaps: list[Gap]
    cycles: list[Cycle]
    stop_reason: StopReason
    sufficient: bool
    advice: Advice | None
    ranking: list[Ranked]
    skipped: Skipped
    warnings: list[str]
    learned: Learned | None
    stats: dict[str, Figure]
    run: str
    parent: str
    stale: bool
    pack: Pack | UnsetType = UNSET
    redacted: Count = 0
    left_out: list[str] | UnsetType = UNSET
    judge: JudgeUse | UnsetType = UNSET
    members: Annotated[
        list[Member] | UnsetType, Meta(description="Where several were asked, likeliest first; paths are NAME:path.")
    ] = msgspec.field(default=UNSET, name="repositories")


class Terminology(Structure):
    """What zeroin terms answers with --format json."""

    schema: Literal["zeroin.terms/1"]
    text: str
    repository: str
    revision: Revision
    terms: list[Term]
    named: Annotated[
        dict[str, Count],
        Meta(description="Words of the text, each with the number of files in which it is part of a name."),
    ]
    warnings: list[str]
