"""The values that stages hand to one another: frozen, slotted, comparable.

Paths are repository-relative, POSIX, `str`. Lines are 1-based and inclusive. Durations are seconds.
`relevance` is calibrated usefulness in 0–1; `score` is uncalibrated and comparable only within one list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Literal, get_args

from zeroin.patterns import lazy_pattern
from zeroin.tree import Diff

Purpose = Literal["fix", "feature", "review", "explore", "architecture"]
PURPOSES: tuple[Purpose, ...] = get_args(Purpose)
Band = Literal["high", "medium", "low", "none"]
HIGH, MEDIUM, LOW = 0.7, 0.5, 0.2
PROMISING = 0.25  # the precision of a gap from which on its search is worth a cycle
Edit = Literal["", "signature", "body", "added", "removed", "moved"]  # what a change does to a name; "": it uses it
Pack = Literal["spans", "skeleton", "full"]  # what is shown of a file
PACKS: tuple[Pack, ...] = get_args(Pack)
_QUALIFIERS = lazy_pattern(r"::|->|[.#\\/]")  # between the parts of a qualified name


def band_of(relevance: float) -> Band:
    """Return the band of a relevance: high ≥ 0.7, medium ≥ 0.5, low ≥ 0.2, else none (PATTERN P5)."""
    if relevance >= MEDIUM:
        return "high" if relevance >= HIGH else "medium"
    return "low" if relevance >= LOW else "none"


def figure_of(relevance: float) -> str:
    """Return a relevance with two decimals that lie in its band: 0.698 is no 0.70, which would be high."""
    text = f"{relevance:.2f}"
    return text if band_of(float(text)) == band_of(relevance) else f"{relevance - 0.005:.2f}"


class Role(StrEnum):
    """What a file is for in its repository."""

    IMPLEMENTATION = "implementation"
    TEST = "test"
    DOC = "doc"
    EXAMPLE = "example"
    CONFIG = "config"
    GENERATED = "generated"
    VENDORED = "vendored"
    DATA = "data"


UNREAD_ROLES = (Role.GENERATED, Role.VENDORED, Role.DATA)  # of files that no person reads


class TaskKind(StrEnum):
    """What sort of request a task is, from its form and wording alone."""

    TRACE = "bug report with trace"
    BUG = "bug report in prose"
    FEATURE = "feature request"
    REFACTORING = "refactoring"
    DOCUMENTATION = "documentation"
    CONFIG = "dependency or config change"
    QUESTION = "question about the code"
    SYMBOL = "symbol look-up"
    DIFF = "diff"


class Origin(StrEnum):
    """Where in the task (or after it) a term was seen."""

    TITLE = "title"
    PROSE = "prose"
    CODE = "code"
    TRACE = "trace"
    ERROR = "error"
    PATH = "path"
    SYMBOL = "symbol"
    QUOTED = "quoted"
    DIFF = "diff"
    CALLER = "caller"
    LEARNED = "learned"


@dataclass(frozen=True, slots=True)
class Task:
    """What the caller asks, as given."""

    text: str
    purpose: Purpose = "fix"
    diff: Diff | None = None


@dataclass(frozen=True, slots=True)
class Keyword:
    """A weighted word of a query in its surface form; analysed into terms by the index's analyser."""

    text: str
    weight: float
    origin: Origin
    why: str = ""
    phrase: str = ""  # what the task says in its place; empty for a word of the task


@dataclass(frozen=True, slots=True)
class SymbolMention:
    """An identifier or dotted name that the task names, e.g. `Foo.bar` or `parse_args`.

    `edit` is what a change does to it: to the line that defines it, or (`body`) to lines
    that follow it.
    """

    name: str
    weight: float
    origin: Origin
    edit: Edit = ""

    @property
    def parts(self) -> list[str]:
        """The names that a qualified name is made of, outermost first."""
        return [part for piece in _QUALIFIERS.split(self.name) if (part := piece.strip("()"))]


@dataclass(frozen=True, slots=True)
class PathMention:
    """A path or module that the task names; `line` and `frame` (0 = innermost) where a trace gives them."""

    path: str
    weight: float
    origin: Origin
    line: int | None = None
    frame: int | None = None
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class Quotation:
    """Text that the task quotes, to be found in files as it stands: a message, a log line, a flag, a key.

    `fixed` are its pieces between values that seem filled in. `marked`: the task marks it as quoted, by its form or by
    quotes; else it is a sentence that may be a quotation. `part` is its share of the task's words, 0–1.
    `name`: a flag or a key, to be found whole.
    """

    text: str
    fixed: tuple[str, ...]
    marked: bool = True
    part: float = 1.0
    name: bool = False

    SUBJECT: ClassVar[float] = 0.25  # from this `part` on the task is about it


@dataclass(frozen=True, slots=True)
class Query:
    """One formulation of the task (PATTERN P2). Every part may be given or pinned by the caller."""

    keywords: tuple[Keyword, ...] = ()
    symbols: tuple[SymbolMention, ...] = ()
    paths: tuple[PathMention, ...] = ()
    quotations: tuple[Quotation, ...] = ()  # looked up in the texts of files, whatever words they are made of
    patterns: tuple[str, ...] = ()  # globs to prefer: found around relevant files
    includes: tuple[str, ...] = ()  # globs to look in, as given by the caller; nothing else is searched
    # Globs or paths never returned: the caller's, and what REFINE found irrelevant
    excludes: tuple[str, ...] = ()
    pinned: tuple[str, ...] = ()  # the excludes that the caller gave: never taken back
    focus_areas: tuple[str, ...] = ()  # what to look at besides: the caller's, and what gaps lack words for
    must_read: tuple[str, ...] = ()  # paths that enter the pool and are read, whatever finds them
    gaps: tuple[Gap, ...] = ()  # gaps that were asked: DISPATCH runs the search of each
    terminology: tuple[Expansion, ...] = ()  # expansions learned so far
    expansion_weight: float = 1.0  # 0–1, of expansions that are not `stated`: less, the better the best file
    known_terms: int = 0  # how many of `terminology` the cycle before knew: the others are new
    wanted_roles: frozenset[Role] = frozenset()  # roles the task is about besides implementation
    languages: frozenset[str] = frozenset()
    title: str = ""
    text: str = ""  # the prose that history is compared with
    kind: TaskKind = TaskKind.BUG
    relevant: tuple[str, ...] = ()  # paths: the caller has read them and says so
    irrelevant: tuple[str, ...] = ()

    @property
    def own(self) -> tuple[Keyword, ...]:
        """The task's and the caller's keywords: learned ones are a formulation of their own."""
        return tuple(k for k in self.keywords if k.origin is not Origin.LEARNED)


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a caller who has read files says before the next cycle; its judgments replace ours.

    `relevant` and `irrelevant` are paths, judged 1 and 0. A term is the codebase's word, alone ("throttle") or for one
    of the task's ("rate limit=throttle"). `focus` are aspects to look for next; what the `note` says is searched for.
    """

    relevant: tuple[str, ...] = ()
    irrelevant: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    focus: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """What one retriever says of one document; `doc` is its number in the snapshot."""

    doc: int
    score: float
    why: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An unjudged document with its fused score, and its score and rank by retriever.

    `why` holds what a caller's own retrievers say of it, by name; `asked_by` the gaps whose searches brought it.
    """

    doc: int
    path: str
    score: float
    scores: Mapping[str, float] = field(default_factory=dict)
    ranks: Mapping[str, int] = field(default_factory=dict)
    why: Mapping[str, str] = field(default_factory=dict)
    asked_by: tuple[Gap, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """Something that exists and can be looked up: a line, a symbol, a commit."""

    path: str = ""
    line: int | None = None
    symbol: str = ""
    commit: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a file has its relevance: one sentence and what proves it."""

    kind: str
    text: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """Lines of a file that matter, with the definition around them and why.

    What the task names is `whole`: shown first of its file. Of a span that does not fit its `peaks` are shown: where it
    is whole, with its head, the lines that match best (best first), else those that its reason cites.
    """

    start: int
    end: int
    symbol: str = ""
    why: str = ""
    score: float = 0.0
    whole: bool = False
    peaks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgment:
    """What EVALUATE says of one document (PATTERN P4)."""

    path: str
    relevance: float
    reasons: Sequence[Reason] = ()
    missing_context: tuple[str, ...] = ()
    spans: Sequence[Span] = ()
    role: Role = Role.IMPLEMENTATION
    language: str = ""
    cycle: int = 1  # the cycle in which the file was first judged ≥ 0.2
    score: float = 0.0  # uncalibrated log odds: orders files of equal relevance
    own_score: float | None = None  # the score before the file was read beside the task; None: it is `score`
    irrelevant_because: str = ""  # positive evidence of irrelevance, else ""
    read: bool = False  # whether its text was read, not only what the index knows of it
    against: str = ""  # why its relevance is lower than in the cycle before, else ""

    @property
    def band(self) -> Band:
        return band_of(self.relevance)

    @property
    def reason(self) -> str:
        """All reasons as one sentence."""
        return "; ".join(r.text for r in self.reasons)


def best_first(judgment: Judgment) -> tuple[float, float, str]:
    """Sort key: relevance, then score, then path."""
    return -judgment.relevance, -judgment.score, judgment.path


GapKind = Literal["terminology", "reference", "dependency", "counterpart", "aspect"]
GAP_KINDS: tuple[GapKind, ...] = get_args(GapKind)
Outcome = Literal["", "closed", "absent", "open"]


@dataclass(frozen=True, slots=True)
class Search:
    """What to look up: names, files to read, words, and a glob that says where; the most telling first."""

    symbols: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Gap:
    """An open information need (PATTERN P6) with the search that would close it.

    `follow_up` is that query as text, `search` the same in parts. `precision` (0–1) is how often closing such a gap led
    to a wanted file, measured on tasks with known answers (`gaps/selection.py`): from 0.25 on its search is worth a
    cycle (`promising`), from 0.5 on a reader should not start without it (`critical`). `user_relevance` is that
    of the file that needs it. A gap without `holds` (it asks about an everyday word, or one that exists in another
    form) is searched for but not shown; one that is not `chosen` is no reason for a cycle. `outcome`, once its search
    was run: "closed" (by the file `closed_by`), "absent" (nothing found) or "open" (nothing relevant found).
    """

    kind: GapKind
    need: str
    critical: bool
    evidence: tuple[Evidence, ...] = ()
    follow_up: str = ""
    search: Search = Search()
    precision: float = 0.0
    user_relevance: float = 0.0
    form: str = ""  # which detector found it
    holds: bool = True
    chosen: bool = True
    outcome: Outcome = ""
    closed_by: str = ""

    @property
    def key(self) -> tuple[str, Search]:
        """Identity of the need, equal in every cycle."""
        return self.kind, self.search

    @property
    def shown(self) -> bool:
        """Whether it is shown with its cycle."""
        return self.holds and self.chosen

    @property
    def promising(self) -> bool:
        """Whether its search is worth a cycle."""
        counts = self.chosen and self.outcome != "closed"
        return self.critical or (counts and self.precision >= PROMISING)


Certainty = Literal["sure", "likely", "guess"]
CERTAINTIES: tuple[Certainty, ...] = get_args(Certainty)


@dataclass(frozen=True, slots=True)
class ExpansionSource:
    """Where an expansion was learned; `where` is a path, a commit id or "".

    Kinds: `caller` (given), `definition` (a sentence that calls the one the other), `documentation` or `nearby` (both
    in one passage of a document, or of code), `commit` (both in one message, or in the files that it changed),
    `abbreviation`, `joined` (the same words, written as one or apart), `neighbour` (near by the encoder), `global` (in
    other repositories).
    """

    kind: str
    where: str
    line: int | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Expansion:
    """A word of the task and the codebase's own word for it; weight in 0–1."""

    task_word: str
    code_word: str
    weight: float
    sources: tuple[ExpansionSource, ...] = ()
    certainty: Certainty = "guess"  # that the two mean the same; `weight` is how much the pair helps a search

    @property
    def is_synonym(self) -> bool:
        """Whether the code word counts as the task's when files are judged: given, joined, defined or abbreviated."""
        return any(s.kind in ("caller", "definition", "abbreviation", "joined") for s in self.sources)

    @property
    def joined(self) -> bool:
        """Whether the pair is one name in two spellings: `keepalive` for "keep alive"."""
        return any(source.kind == "joined" for source in self.sources)

    @property
    def stated(self) -> bool:
        """Whether the caller or a text says that one means the other: `expansion_weight` does not lower it."""
        return any(source.kind in ("caller", "definition") for source in self.sources)
