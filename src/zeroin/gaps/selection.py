"""The files that a cycle has selected, and gap candidates with the precision and recall of asking for them.

Two logistic models over the same features, fitted on the tuning issues and checked on held-out repositories
(benchmarks/NOTES.md, "Gaps"), predict how often closing such a gap leads to a wanted file. `precision` is fitted on the
issues as they are; `recall_probability` with a gold file withheld, so without the missing file's own relevance: it
decides which gaps are shown whose files no retriever found. Words for which no file is known get the share of issues
in which no selected file was wanted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.passages import TextMatch
from zeroin.evaluate.task_terms import TaskTerms
from zeroin.gaps.absence import Absence
from zeroin.index.scope import in_scope
from zeroin.index.view import View
from zeroin.terms import WORD, analyse_word, split_identifier, stem
from zeroin.types import HIGH, LOW, MEDIUM, Evidence, Gap, GapKind, Judgment, Query, Role, Search, Task

_ABSENCE_FILES, _MAX_ABSENCE_FILES = 12, 40  # files that the answer may list: their words are not absent
_SEEDS = 10  # files whose neighbourhood is searched
_MIN_SEEDS = 2  # with fewer good files the best of all judged files are the seeds
_SEED_SHARE = 0.02  # of the best file's relevance that a seed must have
_FALLBACK = 3  # files selected where none is good
# A name or file that more files use is too common to be a missing piece.
_RARE_FILES, _RARE_SHARE = 8, 0.03


class GapForm(StrEnum):
    """What a gap is about: a file that defines, implements, imports, tests … what a selected file has."""

    SYMBOL = "symbol"
    IMPLEMENTED = "implemented"  # a symbol with its implementations
    UNKNOWN_SYMBOL = "unknown symbol"
    IMPORTED = "imported"
    IMPORTER = "importer"
    CALLER = "caller"  # uses a name that the change touches
    UNDEFINED = "undefined"  # has to define a name that the change uses, or imports what it removes
    IMPLEMENTATION = "implementation"
    SAME_STEM = "same stem"
    TESTED = "tested"
    TEST = "test"
    ROUTE = "route"
    READER = "reader"  # of a setting
    SETTING = "setting"
    MODEL = "model"
    MIGRATION = "migration"
    TOGETHER = "together"  # changed in the same commits
    ASPECT = "aspect"  # named by words that no selected name says
    UNMENTIONED = "unsaid"  # words of the task that no file says
    UNNAMED = "unnamed"  # no name says
    ELSEWHERE = "elsewhere"  # no selected file says
    IN_PASSING = "in passing"  # no selected name says
    QUOTED = "quoted"
    PART = "part left out"  # of the repository


CRITICAL = 0.5  # precision from which a gap is critical
SHOWN = 0.1  # precision from which a gap is shown
SHOWN_RECALL = 0.06  # recall probability from which a gap is shown whatever its precision

# Coefficients of the two models. `relevance`: log odds of the missing file's own relevance; `overlap`: log share of
# the task's weight that its names say; `forms`: number of forms in which it is missing; `user_relevance`: log
# relevance of the file that needs it. The form adds an offset relative to SYMBOL.
_PRECISION = {"base": -0.03, "relevance": 1.07, "overlap": 0.15, "forms": 0.22, "user_relevance": 0.14}
_RECALL = {"base": -1.34, "relevance": 0.0, "overlap": 0.82, "forms": 0.61, "user_relevance": 0.42}
_FLOOR, _MAX_RELEVANCE, _MAX_FORMS = 0.02, 0.95, 4
_FORM_OFFSETS = {  # precision, recall
    GapForm.SYMBOL: (0.0, 0.0),
    GapForm.IMPLEMENTED: (0.29, 0.18),
    GapForm.IMPORTED: (-0.16, -0.36),
    GapForm.IMPORTER: (0.01, 0.07),
    GapForm.IMPLEMENTATION: (-0.47, -0.56),
    GapForm.SAME_STEM: (0.25, 0.58),
    GapForm.TESTED: (0.31, 1.02),
    GapForm.ROUTE: (0.62, 1.14),
    GapForm.ASPECT: (0.05, -0.27),
    GapForm.ELSEWHERE: (0.32, -0.41),
    GapForm.IN_PASSING: (-0.27, -0.41),
}
_OTHER_OFFSETS = (-0.5, -0.5)  # forms too rare in the tuning issues to be fitted
# What lies behind an interface that a good file uses, whatever its names say: 22 % of 32 such references led to an
# edited file, 33 % of 12 where one was withheld.
_BEHIND_INTERFACE = 0.25
# Words without a known file, by the best relevance selected: share of issues in which no selected file is wanted.
# Where the best is medium or high, the words must carry this share of the title's weight to count as much.
_NOTHING_GOOD, _NOTHING_SURE, _SOMETHING_SURE = 0.46, 0.37, 0.15
_LARGE_PART, _NEARLY_ALL = 0.2, 0.6


@dataclass(frozen=True)
class Selection:
    """The best files of a cycle, best first, and what gap detectors ask about them."""

    task: Task
    query: Query
    terms: TaskTerms
    view: View
    judgments: Sequence[Judgment]
    matches: Mapping[int, TextMatch]  # of the selected documents

    @cached_property
    def files(self) -> tuple[Judgment, ...]:
        """Files ≥ 0.5, else the best three."""
        there = [j for j in self.judgments if self.view.doc_of(j.path) is not None]
        return tuple(j for j in there if j.relevance >= MEDIUM) or tuple(there[:_FALLBACK])

    @cached_property
    def docs(self) -> tuple[int, ...]:
        return tuple(self.view.numbers[j.path] for j in self.files)

    @cached_property
    def best(self) -> float:
        return max((j.relevance for j in self.files), default=0.0)

    @cached_property
    def selected_docs(self) -> frozenset[int]:
        """Documents that are selected or given with the task: a need that one of them meets is no gap."""
        given = () if self.task.diff is None else tuple(f.path for f in self.task.diff.files)
        return frozenset(self.docs) | frozenset(self.view.docs_of(given))

    @cached_property
    def excluded(self) -> frozenset[int]:
        """Documents for which no gap is reported: selected, given, irrelevant by the caller, or out of scope."""
        bad = {self.view.numbers[p] for p in self.query.irrelevant if p in self.view.numbers}
        scope = in_scope(replace(self.query, excludes=self.query.pinned), self.view)
        return self.selected_docs | bad | frozenset(np.flatnonzero(scope == 0).tolist())

    @cached_property
    def asked(self) -> frozenset[str]:
        """Paths that gaps of earlier cycles asked for."""
        return frozenset(path for gap in self.query.gaps for path in gap.search.paths)

    @cached_property
    def absence(self) -> Absence:
        """Looks words up in the files that the answer may list."""
        near = [j for i, j in enumerate(self.judgments) if i < _ABSENCE_FILES or j.relevance >= LOW]
        docs = self.view.docs_of(j.path for j in near[:_MAX_ABSENCE_FILES])
        return Absence(self.view, tuple(dict.fromkeys((*self.docs, *docs))))

    @cached_property
    def seeds(self) -> tuple[tuple[int, Judgment], ...]:
        """Code files whose neighbourhood is searched, best first: the good ones, else the best there are."""
        good = [j for j in self.judgments if j.relevance >= MEDIUM]
        chosen = (good if len(good) >= _MIN_SEEDS else self.judgments)[:_SEEDS]
        least = _SEED_SHARE * chosen[0].relevance if chosen else 0.0
        found = [(self.view.doc_of(j.path), j) for j in chosen if j.role is not Role.DOC]
        return tuple((doc, j) for doc, j in found if doc is not None and j.relevance >= least)

    @cached_property
    def relevance(self) -> Mapping[str, float]:
        """Relevance by path, of all that was judged."""
        return {j.path: j.relevance for j in self.judgments}

    @cached_property
    def named_docs(self) -> Mapping[str, NDArray[np.int32]]:
        """For every term of the task the documents whose path or definitions say it, ascending."""
        return {term: self.view.docs_named(term) for term in self.terms.weights}

    @cached_property
    def overlaps(self) -> NDArray[np.float32]:
        """For every document the share of the task's weight that its path and definitions say, shape (D,)."""
        return self.overlaps_with(self.terms.weights)

    def overlaps_with(self, weights: Mapping[str, float]) -> NDArray[np.float32]:
        """Return the same for some terms of the task alone."""
        shares = np.zeros(len(self.view.snapshot), np.float32)
        for term, weight in weights.items():
            shares[self.named_docs[term]] += weight
        return shares / np.float32(self.terms.total or 1.0)

    def features_of(self, docs: Iterable[int], user_relevance: float) -> GapFeatures:
        """Features of a gap that any of `docs` would close (the best counts), needed by a file of this relevance."""
        docs = tuple(docs)
        return GapFeatures(
            overlap=max((float(self.overlaps[d]) for d in docs), default=0.0),
            relevance=max((self.relevance.get(self.view.paths[d], 0.0) for d in docs), default=0.0),
            user_relevance=user_relevance,
        )

    def says_task(self, name: str) -> bool:
        """Tell whether a name contains a term of the task or an expansion of one."""
        return any(self.terms.matches(term) for term in analyse_word(name))


def surface_words(text: str) -> dict[str, str]:
    """Map every term of a text to the first word that yields it."""
    return {term: word for word in WORD.findall(text)[::-1] for term in analyse_word(word)}


def named_parts(view: View, doc: int) -> dict[str, str]:
    """Map every term that a document is named after to the first word of its path and definitions that yields it."""
    definitions = view.snapshot.symbols.of_document(doc)
    names = WORD.findall(" ".join((view.paths[doc], *(definition.name for definition in definitions))))
    return {stem(part): part.lower() for name in names[::-1] for part in split_identifier(name)}


def said_part(word: str, term: str, carried: Sequence[str]) -> str:
    """Return the word of the task with a `term`; its part, if the file has only a part of a compound."""
    if analyse_word(word)[-1] in carried:
        return word
    return next((part for part in split_identifier(word) if stem(part) == term), word)


def rare_users(view: View) -> float:
    """Return the most files of a repository in which a name may occur and still be informative."""
    return max(_RARE_FILES, _RARE_SHARE * len(view.snapshot))


class GapFeatures(NamedTuple):
    """Inputs of the two models, and their results; all in 0–1.

    `overlap`: share of the task's weight that names of the missing file say. `relevance`: its own relevance.
    `user_relevance`: relevance of the file that needs it. `unnamed`: share of the title's weight that no name says.
    """

    overlap: float = 0.0
    relevance: float = 0.0
    user_relevance: float = 0.0
    unnamed: float = 0.0
    precision: float = 0.0
    recall_probability: float = 0.0


@dataclass(frozen=True, slots=True)
class GapCandidate:
    """Something that may be missing.

    `mark` is a document and a word in it: the first piece of evidence gets the line that says it. A candidate that is
    not `shown` is searched for only: it asks about an everyday word, or claims an absence that does not hold.
    """

    form: GapForm
    kind: GapKind
    need: str
    evidence: tuple[Evidence, ...]
    follow_up: str
    search: Search = field(default_factory=Search)
    features: GapFeatures = field(default_factory=GapFeatures)
    mark: tuple[int, str] | None = None
    shown: bool = True

    def gap(self, asked: frozenset[str] = frozenset()) -> Gap:
        """The gap of this candidate; its precision is 0 where all that it names was `asked` for before."""
        old = bool(self.search.paths) and asked.issuperset(self.search.paths)
        precision = 0.0 if old else self.features.precision
        return Gap(
            self.kind,
            self.need,
            self.shown and precision >= CRITICAL,
            self.evidence,
            self.follow_up,
            self.search,
            precision,
            round(self.features.user_relevance, 4),
            self.form,
            holds=self.shown,
        )


def with_probabilities(found: Sequence[GapCandidate]) -> list[GapCandidate]:
    """Return the same candidates, in the same order, with precision and recall probability."""
    forms: dict[str, set[str]] = {}
    for one in found:
        for path in one.search.paths:
            forms.setdefault(path, set()).add(one.form)
    out = []
    for one in found:
        paths = one.search.paths
        count = min(_MAX_FORMS, max((len(forms[path]) for path in paths), default=0))
        offsets = _FORM_OFFSETS.get(one.form, _OTHER_OFFSETS)
        precision = _probability(one.features, count, _PRECISION, offsets[0]) if paths else 0.0
        recall = _probability(one.features, count, _RECALL, offsets[1]) if paths else 0.0
        precision = round(max(precision, _without_file(one)), 4)
        features = one.features._replace(precision=precision, recall_probability=round(recall, 4))
        out.append(replace(one, features=features))
    return out


def _probability(features: GapFeatures, forms: int, weights: Mapping[str, float], offset: float) -> float:
    relevance = min(_MAX_RELEVANCE, max(_FLOOR, features.relevance))
    logit = weights["base"] + weights["relevance"] * math.log(relevance / (1 - relevance))
    logit += weights["overlap"] * math.log(_FLOOR + features.overlap) + weights["forms"] * forms
    logit += weights["user_relevance"] * math.log(_FLOOR + features.user_relevance) + offset
    return 1 / (1 + math.exp(-logit))


def _without_file(one: GapCandidate) -> float:
    """Return the precision of words without a file, and of implementations of an interface, whichever they are."""
    best = one.features.user_relevance
    if one.kind == "terminology":
        if best < MEDIUM:
            return _NOTHING_GOOD
        large = _LARGE_PART if best < HIGH else _NEARLY_ALL
        return _NOTHING_SURE if one.features.unnamed >= large else _SOMETHING_SURE
    return _BEHIND_INTERFACE if one.form is GapForm.IMPLEMENTED and best >= MEDIUM else 0.0
