"""What earlier tasks say of a new one: files of tasks that resemble it are lifted, those that misled are lowered.

Resemblance is the cosine of weighted words; several tasks that speak for a file are joined like independent
witnesses (noisy or). The lift is added to the log odds that the evaluator maps to relevance, so that it moves what is
in doubt and hardly what is plain. Measured in docs/QUALITY.md, "Learning".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from zeroin.index.history import History
from zeroin.index.postings import Array
from zeroin.index.view import View
from zeroin.learning.lessons import Lesson, Lessons, Word
from zeroin.models.commonness import commonness
from zeroin.protocols import Evaluator, RepositoryView
from zeroin.terms import term_id, weighted_terms
from zeroin.types import Candidate, Evidence, Judgment, Keyword, Origin, Query, Reason, Task

LEAST = 0.1  # resemblance below which a task says nothing
LIFT = 3.0  # what full resemblance adds to the log-odds of a file that turned out relevant
DROP = 3.0  # and takes from one that turned out irrelevant; resemblance counts squared, since tasks nearby differ in it
SAME = 6.0  # the same for the very task that was asked before: what was said of it holds
OTHERS = 0.5  # what the best witness takes from every file: if one is right, the others are less likely to be
_CLEAR = 0.3  # resemblance that is told before other reasons


@dataclass(frozen=True, slots=True)
class Recalled:
    """An earlier task that resembles the new one, 0–1."""

    lesson: Lesson
    resemblance: float


@dataclass(frozen=True, slots=True)
class Recall:
    """What all resembling tasks, most alike first, say together: by path, in 0–1."""

    tasks: tuple[Recalled, ...] = ()
    relevant: Mapping[str, float] | None = None
    irrelevant: Mapping[str, float] | None = None
    same: Lesson | None = None

    def __bool__(self) -> bool:
        return bool(self.tasks)

    def witness(self, path: str) -> Recalled | None:
        """The most alike task for which a path turned out relevant."""
        return next((task for task in self.tasks if path in task.lesson.relevant), None)


def recall(lessons: Lessons, words: Sequence[Word], identity: str, view: View) -> Recall:
    """The lessons that resemble a task of these words; `identity` is the task's id."""
    if not lessons.items:
        return Recall()
    mine = _terms(words)
    theirs = [_terms(lesson.words) for lesson in lessons.items]
    worth = _worth({t for terms in (mine, *theirs) for t in terms}, view)
    own = _length(mine, worth)
    found = []
    for lesson, terms in zip(lessons.items, theirs, strict=True):
        if lesson.id == identity:
            found.append(Recalled(lesson, 1.0))
            continue
        shared = sum(weight * terms[t] * worth[t] ** 2 for t, weight in mine.items() if t in terms)
        alike = shared / (own * _length(terms, worth)) if shared else 0.0
        if alike >= LEAST:
            found.append(Recalled(lesson, round(min(1.0, alike), 4)))
    found.sort(key=lambda task: -task.resemblance)  # stable: newer first among equals
    return Recall(
        tuple(found),
        _together((task.lesson.relevant, task.resemblance) for task in found),
        _together((task.lesson.irrelevant, task.resemblance**2) for task in found),
        next((task.lesson for task in found if task.lesson.id == identity), None),
    )


def _terms(words: Sequence[Word]) -> dict[str, float]:
    return weighted_terms(Keyword(word, weight, Origin.PROSE) for word, weight in words)


def _length(terms: Mapping[str, float], worth: Mapping[str, float]) -> float:
    return math.sqrt(sum((weight * worth[t]) ** 2 for t, weight in terms.items())) or 1.0


def _worth(terms: set[str], view: View) -> dict[str, float]:
    """How much each term tells, 0–1: rare in what people say of changes, and in this repository's own messages."""
    listed = sorted(terms)
    ids = np.array([term_id(term) for term in listed], np.uint64)
    common = commonness()
    worth = _rarity(common.holders_of(ids), common.messages)
    history = view.history
    if history is not None and len(history):
        worth = np.minimum(worth, _rarity(_messages(history, ids), len(history)))
    return dict(zip(listed, worth.tolist(), strict=True))


def _rarity(holders: NDArray[np.int64], of: int) -> NDArray[np.float64]:
    """Robertson–Spärck Jones weight as a share of its maximum."""
    weight = np.log1p((of - holders + 0.5) / (holders + 0.5)) / np.log1p((of + 0.5) / 0.5)
    return np.asarray(weight, np.float64)


def _messages(history: History, ids: NDArray[np.uint64]) -> NDArray[np.int64]:
    """How many messages of the history say each term."""
    if not len(history.term_ids):
        return np.zeros(len(ids), np.int64)
    at = np.minimum(np.searchsorted(history.term_ids, ids), len(history.term_ids) - 1)
    return np.where(history.term_ids[at] == ids, np.diff(history.term_ptr)[at], 0)


def _together(witnesses: Iterable[tuple[Sequence[str], float]]) -> dict[str, float]:
    """1 − Π (1 − what each says of a path); who names many files says less of each, unless it is nearly the same."""
    silent: dict[str, float] = {}
    for paths, alike in witnesses:
        for path in paths:
            says = alike / len(paths) ** (0.5 * (1.0 - alike))
            silent[path] = silent.get(path, 1.0) * (1.0 - min(1.0, says))
    return {path: 1.0 - rest for path, rest in silent.items()}


class Dispatch(Protocol):
    def dispatch(self, query: Query) -> tuple[Candidate, ...]: ...


def log_odds(recall: Recall, paths: Sequence[str]) -> NDArray[np.float64]:
    """What earlier tasks add to the score of each path, before calibration; shape (paths,)."""
    relevant, irrelevant = recall.relevant or {}, recall.irrelevant or {}
    there = np.array([relevant.get(path, 0.0) for path in paths])
    others = OTHERS * float(there.max()) if len(there) else 0.0
    out = LIFT * there - DROP * np.array([irrelevant.get(path, 0.0) for path in paths])
    if recall.same is not None:
        good, bad = frozenset(recall.same.relevant), frozenset(recall.same.irrelevant)
        out = np.array(
            [
                SAME if path in good else -SAME if path in bad else lift
                for path, lift in zip(paths, out.tolist(), strict=True)
            ]
        )
    return np.asarray(out - others, np.float64)


@dataclass(frozen=True, slots=True)
class RecallingDispatcher:
    """Adds the files that resembling tasks speak for, where the pool lacks them and the query allows them."""

    inner: Dispatch
    recall: Recall
    view: View
    allowed: Callable[[Query, View], Array]

    def dispatch(self, query: Query) -> tuple[Candidate, ...]:
        found = self.inner.dispatch(query)
        held = {candidate.path for candidate in found}
        allowed = self.allowed(query, self.view)
        out = list(found)
        for path in self.recall.relevant or ():
            doc = self.view.doc_of(path)
            if doc is not None and path not in held and allowed[doc]:
                out.append(Candidate(doc=doc, path=path, score=0.0))
        return tuple(out)


@dataclass(frozen=True, slots=True)
class RecallingEvaluator:
    """Tells with each judgment which earlier task spoke for the file or against it.

    What these tasks are worth is among the evaluator's own evidence: `log_odds`.
    """

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
        """The evaluator's judgments with the reasons that earlier tasks give."""
        judgments = self.inner.evaluate(task, query, candidates, previous, view)
        return tuple(self._with_reason(judgment) for judgment in judgments)

    def _with_reason(self, judgment: Judgment) -> Judgment:
        reason = self._reason(judgment.path)
        if reason is None or any(known.kind == "learned" for known in judgment.reasons):
            return judgment
        clear = (self.recall.relevant or {}).get(judgment.path, 0.0) >= _CLEAR
        bad = self.recall.same is not None and judgment.path in self.recall.same.irrelevant
        reasons = (reason, *judgment.reasons) if clear or bad else (*judgment.reasons, reason)
        return replace(judgment, reasons=reasons)

    def _reason(self, path: str) -> Reason | None:
        same, witness = self.recall.same, self.recall.witness(path)
        if same is not None and path in same.irrelevant:
            return Reason("learned", "turned out irrelevant to this very task", (_evidence(path, same),))
        if witness is None:
            return None
        if same is not None and witness.lesson.id == same.id:
            return Reason("learned", "turned out relevant to this very task", (_evidence(path, same),))
        text = f"turned out relevant to an earlier task like this one, “{_short(witness.lesson.title)}”"
        return Reason("learned", text, (_evidence(path, witness.lesson),))


def _evidence(path: str, lesson: Lesson) -> Evidence:
    return Evidence(path, commit=lesson.commit, text=f"{lesson.id} {lesson.title}")


def _short(title: str) -> str:
    return title if len(title) <= 60 else f"{title[:59].rstrip()}…"
