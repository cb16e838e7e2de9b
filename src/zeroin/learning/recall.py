"""Applies lessons to a new task: files of similar earlier tasks are raised, files that misled are lowered.

Similarity is the cosine of weighted words; the evidence of several tasks for a file is joined by a noisy or. It is
added to the log odds that the evaluator maps to relevance. Measured in benchmarks/NOTES.md, "Learning".
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroin.index.scope import in_scope
from zeroin.index.view import View
from zeroin.learning.lessons import Lesson, Lessons, Word
from zeroin.models.commonness import commonness
from zeroin.protocols import Dispatch, Evaluator, RepositoryView
from zeroin.terms import term_id, weighted_terms
from zeroin.types import Candidate, Evidence, Judgment, Keyword, Origin, Query, Reason, Task

# All but the first and last are in log odds, chosen on the tuning issues (benchmarks/NOTES.md, "Learning").
LEAST = 0.1  # cosine below which a task is ignored
RAISE = 3.0  # added for a file that was relevant to a task of similarity 1
# Subtracted for one that was irrelevant, times the similarity squared: irrelevance carries over less.
LOWER = 3.0
SAME = 6.0  # added or subtracted for files of the very same task
# Subtracted from every file, times the best evidence: if one file is right, others are less likely.
OTHERS = 0.5
_CLEAR = 0.3  # evidence from which on the lesson is the first reason of a file


class SimilarTask(NamedTuple):
    """An earlier task and its similarity to the new one, 0–1."""

    lesson: Lesson
    similarity: float


@dataclass(frozen=True, slots=True)
class Recall:
    """Similar tasks, most similar first, with their joint evidence by path, 0–1."""

    tasks: tuple[SimilarTask, ...] = ()
    relevant: Mapping[str, float] = field(default_factory=dict)
    irrelevant: Mapping[str, float] = field(default_factory=dict)
    same: Lesson | None = None

    def __bool__(self) -> bool:
        return bool(self.tasks)


def recall(lessons: Lessons, words: Sequence[Word], identity: str, view: View) -> Recall:
    """Return the lessons that are similar to a task of these words; `identity` is the task's id."""
    new = _terms(words)
    known = [_terms(lesson.words) for lesson in lessons.items]
    weights = _term_weights({t for terms in (new, *known) for t in terms}, view)
    length = _length(new, weights)
    found = []
    for lesson, terms in zip(lessons.items, known, strict=True):
        if lesson.id == identity:
            found.append(SimilarTask(lesson, 1.0))
            continue
        product = sum(weight * terms[t] * weights[t] ** 2 for t, weight in new.items() if t in terms)
        cosine = product / (length * _length(terms, weights)) if product else 0.0
        if cosine >= LEAST:
            found.append(SimilarTask(lesson, round(min(1.0, cosine), 4)))
    found.sort(key=lambda task: -task.similarity)  # stable: newer first among equals
    return Recall(
        tuple(found),
        _noisy_or((task.lesson.relevant, task.similarity) for task in found),
        _noisy_or((task.lesson.irrelevant, task.similarity**2) for task in found),
        next((task.lesson for task in found if task.lesson.id == identity), None),
    )


def _terms(words: Sequence[Word]) -> dict[str, float]:
    return weighted_terms(Keyword(word, weight, Origin.PROSE) for word, weight in words)


def _length(terms: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return math.sqrt(sum((weight * weights[t]) ** 2 for t, weight in terms.items())) or 1.0


def _term_weights(terms: set[str], view: View) -> dict[str, float]:
    """Rarity of each term, 0–1: in commit messages of many repositories and of this one, the lower of the two."""
    ordered = sorted(terms)
    ids = np.array([term_id(term) for term in ordered], np.uint64)
    common = commonness()
    weights = _rarity(common.document_frequency(ids), common.messages)
    history = view.history
    if len(history):
        weights = np.minimum(weights, _rarity(history.messages.document_frequencies(ids), len(history)))
    return dict(zip(ordered, weights.tolist(), strict=True))


def _rarity(holders: NDArray[np.int64], of: int) -> NDArray[np.float64]:
    """Robertson–Spärck Jones weight as a share of its maximum."""
    weight = np.log1p((of - holders + 0.5) / (holders + 0.5)) / np.log1p((of + 0.5) / 0.5)
    return np.asarray(weight, np.float64)


def _noisy_or(evidence: Iterable[tuple[Sequence[str], float]]) -> dict[str, float]:
    """1 − Π (1 − evidence) by path; a task with many files counts less for each, unless it is nearly the same."""
    complement: dict[str, float] = {}
    for paths, similarity in evidence:
        for path in paths:
            share = similarity / len(paths) ** (0.5 * (1.0 - similarity))
            complement[path] = complement.get(path, 1.0) * (1.0 - min(1.0, share))
    return {path: 1.0 - rest for path, rest in complement.items()}


def log_odds(recall: Recall, paths: Sequence[str]) -> NDArray[np.float64]:
    """Return what lessons add to the score of each path, before calibration; shape (paths,)."""
    relevant = np.array([recall.relevant.get(path, 0.0) for path in paths])
    irrelevant = np.array([recall.irrelevant.get(path, 0.0) for path in paths])
    out = RAISE * relevant - LOWER * irrelevant
    if recall.same is not None:
        good, bad = recall.same.relevant, recall.same.irrelevant
        out[[path in bad for path in paths]] = -SAME
        out[[path in good for path in paths]] = SAME
    return np.asarray(out - OTHERS * relevant.max(initial=0.0), np.float64)


@dataclass(frozen=True, slots=True)
class RecallingDispatcher:
    """Adds files of similar tasks to the pool, where the query allows them."""

    inner: Dispatch
    recall: Recall
    view: View

    def dispatch(self, query: Query) -> tuple[Candidate, ...]:
        found = self.inner.dispatch(query)
        known = {candidate.path for candidate in found}
        allowed = in_scope(query, self.view)
        docs = {path: self.view.doc_of(path) for path in self.recall.relevant if path not in known}
        added = (Candidate(doc, path, 0.0) for path, doc in docs.items() if doc is not None and allowed[doc])
        return (*found, *added)


@dataclass(frozen=True, slots=True)
class RecallingEvaluator:
    """Adds to each judgment the reason that a similar task gives; its effect on the score is `log_odds`."""

    inner: Evaluator
    recall: Recall

    def evaluate(
        self,
        task: Task,
        query: Query,
        candidates: Sequence[Candidate],
        previous: Sequence[Judgment],
        view: RepositoryView,
    ) -> tuple[Judgment, ...]:
        judgments = self.inner.evaluate(task, query, candidates, previous, view)
        return tuple(self._with_reason(judgment) for judgment in judgments)

    def _with_reason(self, judgment: Judgment) -> Judgment:
        path, same = judgment.path, self.recall.same
        similar = next((task.lesson for task in self.recall.tasks if path in task.lesson.relevant), None)
        misled = same is not None and path in same.irrelevant
        lesson = same if misled else similar
        if lesson is None or any(known.kind == "learned" for known in judgment.reasons):
            return judgment
        if misled:
            text = "turned out irrelevant to this very task"
        elif lesson is same:
            text = "turned out relevant to this very task"
        else:
            title = lesson.title if len(lesson.title) <= 60 else f"{lesson.title[:59].rstrip()}…"
            text = f"turned out relevant to an earlier task like this one, “{title}”"
        reason = Reason("learned", text, (Evidence(path, text=f"{lesson.id} {lesson.title}"),))
        first = misled or self.recall.relevant.get(path, 0.0) >= _CLEAR
        reasons = (reason, *judgment.reasons) if first else (*judgment.reasons, reason)
        return replace(judgment, reasons=reasons)
