"""What a cycle has selected, how far other files are tied to the task, and what a gap between them is worth.

A gap is worth how often closing one like it led to a wanted file: two logistic models of the same features, fitted on
the tuning issues and checked on repositories left out (docs/QUALITY.md, "Gaps"). `precision` is fitted on the issues as
they are. `recall` is fitted with a gold file withheld, so without the missing file's own relevance: it decides which
gaps are shown whose files no retriever found. Words for which no file is known have neither: what they are worth is
how often nothing wanted is selected at all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.passages import TextMatch
from zeroin.evaluate.task_terms import TaskTerms
from zeroin.gaps.absence import Absence
from zeroin.index.locate import stem_key
from zeroin.index.scope import in_scope
from zeroin.index.view import View
from zeroin.parsing.facts import DEFINITIONS
from zeroin.terms import analyse_word, term_id
from zeroin.types import HIGH, LOW, MEDIUM, Evidence, Gap, GapKind, Judgment, Query, Role, Search, Task

_LOOKED_AT, _MOST_LOOKED_AT = 12, 40  # files that an answer may list: what they say is not absent
SEEDS = 10  # files whose surroundings are searched for what is missing
_ENOUGH_SEEDS = 2  # fewer good files than this are filled up with the best there are
_SEED_SHARE = 0.02  # of the best file's relevance that a file must have for its surroundings to matter
_BEST = 3  # selected where no file is good
# A name or a file that more of the repository uses is a tool of everybody's, not a missing piece.
_RARE_FILES, _RARE_SHARE = 8, 0.03

CRITICAL = 0.5  # a gap is critical when closing it leads to a wanted file at least this often
SHOWN = 0.1  # precision from which a gap is shown
SHOWN_RECALL = 0.06  # recall from which a gap is shown whatever its precision

# Coefficients of the two logistic models. `relevance`: log odds of the missing file's own relevance; `overlap`: log
# share of the task's information that its names say; `agree`: number of forms in which it is missing;
# `user_relevance`: log relevance of the file that needs it. The form adds an offset relative to "symbol".
_PRECISION = {"base": -0.03, "relevance": 1.07, "overlap": 0.15, "agree": 0.22, "user_relevance": 0.14}
_RECALL = {"base": -1.34, "relevance": 0.0, "overlap": 0.82, "agree": 0.61, "user_relevance": 0.42}
_FLOOR, _MOST_RELEVANCE, _MOST_FORMS = 0.02, 0.95, 4
_FORMS = {  # precision, recall
    "symbol": (0.0, 0.0),
    "implemented": (0.29, 0.18),
    "imported": (-0.16, -0.36),
    "importer": (0.01, 0.07),
    "implementation": (-0.47, -0.56),
    "namesake": (0.25, 0.58),
    "tested": (0.31, 1.02),
    "route": (0.62, 1.14),
    "aspect": (0.05, -0.27),
    "elsewhere": (0.32, -0.41),
    "in passing": (-0.27, -0.41),
}
_OTHER = (-0.5, -0.5)  # forms that were met too seldom to be measured
# What lies behind an interface that a good file uses is asked for even where its names say nothing of the task: 22 % of
# 32 such references led to an edited file, 33 % of 12 where one was withheld.
_BEHIND_INTERFACE = 0.25
# Words that no file is known for: in how many issues no selected file is wanted, by the best relevance selected. Where
# it is medium, the words must be a good part of the title to be worth a question.
_NOTHING_GOOD, _NOTHING_SURE, _SOMETHING_SURE = 0.46, 0.37, 0.15
_LARGE_PART = 0.2  # of the title's information
_NEARLY_ALL = 0.6  # where the title names so little, what looks sure looks so by words said in passing


@dataclass(frozen=True)
class Selection:
    """The best files of a cycle, best first, with what surrounds the question."""

    task: Task
    query: Query
    information: TaskTerms
    view: View
    judgments: Sequence[Judgment]
    passages: Mapping[int, TextMatch]

    @cached_property
    def files(self) -> tuple[Judgment, ...]:
        """Files ≥ 0.5, else the best three."""
        there = [j for j in self.judgments if self.view.doc_of(j.path) is not None]
        return tuple(j for j in there if j.relevance >= MEDIUM) or tuple(there[:_BEST])

    @cached_property
    def docs(self) -> tuple[int, ...]:
        """Document numbers of the selected files, one each."""
        return tuple(self.view.numbers[j.path] for j in self.files)

    @cached_property
    def selected_docs(self) -> frozenset[int]:
        """Documents that close what points at them: selected, or given with the task."""
        given = () if self.task.diff is None else tuple(f.path for f in self.task.diff.files)
        return frozenset(self.docs) | {doc for path in given if (doc := self.view.doc_of(path)) is not None}

    @cached_property
    def excluded(self) -> frozenset[int]:
        """Documents for which no gap is reported: selected, given, irrelevant by the caller, or not to be searched."""
        bad = {self.view.numbers[p] for p in self.query.irrelevant if p in self.view.numbers}
        scope = in_scope(replace(self.query, excludes=self.query.pinned), self.view)
        return self.selected_docs | bad | frozenset(np.flatnonzero(scope == 0).tolist())

    @cached_property
    def asked(self) -> frozenset[str]:
        """Paths that gaps of earlier cycles asked for: asking again finds nothing new."""
        return frozenset(path for gap in self.query.gaps for path in gap.search.paths)

    @cached_property
    def absence(self) -> Absence:
        """What the files that may be listed say: no gap may say that none of them does."""
        near = [j for i, j in enumerate(self.judgments) if i < _LOOKED_AT or j.relevance >= LOW]
        docs = [d for j in near[:_MOST_LOOKED_AT] if (d := self.view.doc_of(j.path)) is not None]
        return Absence(self.view, tuple(dict.fromkeys((*self.docs, *docs))))

    @cached_property
    def seeds(self) -> tuple[tuple[int, Judgment], ...]:
        """Code files whose surroundings are searched, best first: the good ones, else the best there are."""
        good = [j for j in self.judgments if j.relevance >= MEDIUM]
        chosen = (good if len(good) >= _ENOUGH_SEEDS else self.judgments)[:SEEDS]
        least = _SEED_SHARE * chosen[0].relevance if chosen else 0.0
        return tuple(
            (doc, j)
            for j in chosen
            if (doc := self.view.doc_of(j.path)) is not None
            and j.relevance >= least
            and j.role is not Role.DOC
        )

    @cached_property
    def relevance(self) -> Mapping[str, float]:
        """Relevance by path, of all that was judged."""
        return {j.path: j.relevance for j in self.judgments}

    @cached_property
    def rare(self) -> float:
        """In how many files a name may occur and still mean something."""
        return rare_users(self.view)

    @cached_property
    def named_docs(self) -> Mapping[str, NDArray[np.int32]]:
        """For every term of the task the documents whose path or definitions say it, ascending."""
        snapshot = self.view.snapshot
        out = {}
        for term in self.information.weights:
            identity = term_id(term)
            rows = snapshot.content.rows(identity)
            defining = snapshot.content.docs[rows][snapshot.content.counts[rows, DEFINITIONS] > 0]
            out[term] = np.union1d(defining, snapshot.path_terms.docs[snapshot.path_terms.rows(identity)])
        return out

    @cached_property
    def overlaps(self) -> NDArray[np.float32]:
        """For every document the share of the task's information that its path and definitions say, shape (D,)."""
        return self.shares(self.information.weights)

    def shares(self, worth: Mapping[str, float]) -> NDArray[np.float32]:
        """The same of some terms of the task alone."""
        shares = np.zeros(len(self.view.snapshot), np.float32)
        for term, value in worth.items():
            shares[self.named_docs[term]] += value
        return shares / np.float32(self.information.total or 1.0)

    @cached_property
    def docs_by_stem(self) -> Mapping[str, Sequence[int]]:
        """Documents by the core of their file names (`index.locate.stem_key`)."""
        cores: dict[str, list[int]] = {}
        for doc, path in enumerate(self.view.paths):
            cores.setdefault(stem_key(path), []).append(doc)
        return cores

    def features_of(self, docs: Iterable[int], user: float) -> GapFeatures:
        """Compute features from the files that would close a gap (the best counts) and the file that needs them."""
        docs = tuple(docs)
        return GapFeatures(
            overlap=max((float(self.overlaps[d]) for d in docs), default=0.0),
            relevance=max((self.relevance.get(self.view.paths[d], 0.0) for d in docs), default=0.0),
            user_relevance=user,
        )

    def says_task(self, name: str) -> bool:
        """Whether a name contains a word of the task, or one that stands in for it."""
        return any(self.information.matches(term) for term in analyse_word(name))


def rare_users(view: View) -> float:
    """In how many files of a repository a name may occur and still mean something."""
    return max(_RARE_FILES, _RARE_SHARE * len(view.snapshot))


@dataclass(frozen=True, slots=True)
class GapFeatures:
    """Inputs of the two models, and their results; all in 0–1.

    `overlap`: share of the information of the task that names of the missing file say. `relevance`: its own relevance.
    `user_relevance`: relevance of the file that needs it. `unnamed`: share of the title that nothing is named by.
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

    `form` is its kind in the table of chances. `mark` is a document and a word in it: the first piece of evidence is
    the line that says it. What is not `told` is searched for and never shown: it asks about an everyday word, or claims
    an absence that does not hold in every form.
    """

    form: str
    kind: GapKind
    need: str
    evidence: tuple[Evidence, ...]
    follow_up: str
    search: Search = field(default_factory=Search)
    features: GapFeatures = field(default_factory=GapFeatures)
    mark: tuple[int, str] | None = None
    shown: bool = True

    def gap(self, asked: frozenset[str] = frozenset()) -> Gap:
        """The gap that is made of it; without a precision where all that it names was `asked` for before."""
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
            shown=self.shown,
            quiet=not self.shown,
        )


def with_probabilities(found: Sequence[GapCandidate]) -> list[GapCandidate]:
    """The same candidates with their precision and recall, in the same order."""
    forms: dict[str, set[str]] = {}
    for one in found:
        for path in one.search.paths:
            forms.setdefault(path, set()).add(one.form)
    out = []
    for one in found:
        agree = min(_MOST_FORMS, max((len(forms[path]) for path in one.search.paths), default=0))
        precision = recall = 0.0
        if one.search.paths:
            precision, recall = (
                _probability(one, agree, weights, place)
                for place, weights in enumerate((_PRECISION, _RECALL))
            )
        precision = max(precision, _without_file(one))
        out.append(
            replace(
                one,
                features=replace(
                    one.features, precision=round(precision, 4), recall_probability=round(recall, 4)
                ),
            )
        )
    return out


def _probability(one: GapCandidate, agree: int, weights: Mapping[str, float], place: int) -> float:
    """One of the two models for a candidate that names a file."""
    relevance = min(_MOST_RELEVANCE, max(_FLOOR, one.features.relevance))
    logit = weights["base"] + weights["relevance"] * math.log(relevance / (1 - relevance))
    logit += weights["overlap"] * math.log(_FLOOR + one.features.overlap) + weights["agree"] * agree
    logit += (
        weights["user_relevance"] * math.log(_FLOOR + one.features.user_relevance)
        + _FORMS.get(one.form, _OTHER)[place]
    )
    return 1 / (1 + math.exp(-logit))


def _without_file(one: GapCandidate) -> float:
    """What a gap is worth whatever file it names: words without a file, and what lies behind an interface."""
    best = one.features.user_relevance
    if one.kind == "terminology":
        if best < MEDIUM:
            return _NOTHING_GOOD
        large = _LARGE_PART if best < HIGH else _NEARLY_ALL
        return _NOTHING_SURE if one.features.unnamed >= large else _SOMETHING_SURE
    return _BEHIND_INTERFACE if one.form == "implemented" and best >= MEDIUM else 0.0
