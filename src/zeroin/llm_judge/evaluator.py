"""The evaluator with a model beside it: built-in judgments, grades where they can change the answer, one relevance."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import NamedTuple

from zeroin.answer import JudgeUse
from zeroin.context.packing.texts import Texts
from zeroin.errors import JudgeError
from zeroin.llm_judge.cache import store, stored
from zeroin.llm_judge.contract import Grade, Model, Reply, Request, Verdict, parse
from zeroin.llm_judge.fusion import fused
from zeroin.llm_judge.prompt import request_of
from zeroin.loop import Annotate
from zeroin.protocols import Evaluator, RepositoryView
from zeroin.types import Candidate, Evidence, Judgment, Query, Reason, Span, Task

# Best files that are graded: one for so many tokens of the budget, within bounds; in a later cycle new ones.
_TOKENS_A_FILE, _LEAST_ASKED, _MOST_ASKED, ASKED_LATER = 500, 6, 48, 12
# Files that are surely not useful, graded with them: how the judge grades those shows what it knows.
CONTROLS = 4
_CONTROL = 0.02  # relevance of those at most
# Doubt of a pool: sum of p (1 - p) over the files to be asked. Below, no grade is likely to change the answer.
LEAST_DOUBT = 0.12
_SURE_DOUBT = 0.005  # doubt of one file below which grading it is waste
_REPLY_TOKENS = 45  # a file, expected of the reply
CALL_SECONDS, LEAST_SECONDS = 90.0, 1.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What a question may spend. `cost` in US dollars: None is unlimited, as it is where the price is not known."""

    tokens: int
    calls: int
    cost: float | None


class _Fused(NamedTuple):
    """A graded file: relevance before its grade, and after."""

    before: float
    after: float


@dataclass(slots=True)
class ModelEvaluator:
    """Evaluates one question: `inner` judges everything, `model` grades some of it.

    Grades are kept for the cycles of the question, so that no file is graded twice. What the model cannot do, for lack
    of budget or because it does not answer, stays as `inner` judges it, and `use` says so.
    """

    inner: Evaluator
    annotator: Annotate  # finds the lines of a file that the model is shown
    model: Model
    read: Texts
    limits: Limits
    redact: bool = True
    deadline: float | None = None  # of the question, a reading of the monotonic clock
    use: JudgeUse = field(default_factory=JudgeUse)
    words: tuple[str, ...] = ()  # the code base's words, by the model
    _grades: dict[str, Grade] = field(default_factory=dict)
    _fused: dict[str, _Fused] = field(default_factory=dict)
    _spans: dict[str, Sequence[Span]] = field(default_factory=dict)  # of graded files, found by zeroin

    def __post_init__(self) -> None:
        self.use = replace(self.use, model=self.model.name)

    def evaluate(
        self,
        task: Task,
        query: Query,
        candidates: Sequence[Candidate],
        previous: Sequence[Judgment],
        view: RepositoryView,
    ) -> tuple[Judgment, ...]:
        """Judge every candidate, best first."""
        judgments = [self._before(j) for j in self.inner.evaluate(task, query, candidates, previous, view)]
        asked = self._to_ask(judgments)
        if asked:
            self._ask(task, list(self.annotator.annotate(task, query, candidates, asked)))
        return tuple(sorted(self._with_grades(judgments), key=lambda j: (-j.relevance, -j.score, j.path)))

    def _before(self, judgment: Judgment) -> Judgment:
        """Return a judgment with its relevance before the grade: an unchanged one comes back from the cycle before."""
        known = self._fused.get(judgment.path)
        if known is not None and judgment.relevance == known.after:
            return replace(judgment, relevance=known.before)
        return judgment

    def _to_ask(self, judgments: Sequence[Judgment]) -> list[Judgment]:
        """Choose the files to grade, in an order that says nothing of their relevance; none where it cannot pay."""
        most = min(max(self.limits.tokens // _TOKENS_A_FILE, _LEAST_ASKED), _MOST_ASKED)
        most = min(most, ASKED_LATER) if self._grades else most
        best = [j for j in judgments[:most] if j.path not in self._grades and _doubt(j) >= _SURE_DOUBT]
        if sum(map(_doubt, best)) < LEAST_DOUBT:
            return []
        others = [
            j for j in judgments[most:] if j.relevance <= _CONTROL and j.read and j.path not in self._grades
        ]
        chosen = [*best, *others[:: max(1, len(others) // CONTROLS)][:CONTROLS]]
        return sorted(chosen, key=lambda j: sha256(j.path.encode("utf-8", "replace")).digest())

    def _ask(self, task: Task, asked: list[Judgment]) -> None:
        request = self._fitting(task, asked)
        if request is None:
            self.use = self.use.stopped("its budget was used up")
            return
        try:
            verdict = self._verdict(request)
        except JudgeError as error:
            self.use = self.use.stopped(str(error))
            return
        self._grades.update({grade.path: grade for grade in verdict.grades})
        self._spans.update({judgment.path: judgment.spans for judgment in asked})
        self.words = tuple(dict.fromkeys((*self.words, *verdict.words)))
        self.use = replace(self.use, graded=len(self._grades))

    def _fitting(self, task: Task, asked: list[Judgment]) -> Request | None:
        """Return the request for as many files as the budget allows, the least relevant left out first."""
        left = self.limits.tokens - self.use.input_tokens - self.use.output_tokens
        if self.use.calls >= self.limits.calls or not self._can_pay():
            return None
        keep = list(asked)
        while keep:
            request = request_of(task, keep, self.read, redact=self.redact)
            over = request.tokens + _REPLY_TOKENS * len(keep) - left
            if over <= 0:
                return request
            share = max(1, over * len(keep) // max(1, request.tokens))
            least = sorted(keep, key=lambda j: (j.relevance, j.path))[:share]
            keep = [j for j in keep if j not in least]
        return None

    def _seconds(self) -> float:
        """Return how long a call may take. Raises `JudgeError` where no time is left."""
        left = CALL_SECONDS if self.deadline is None else self.deadline - time.monotonic()
        if left < LEAST_SECONDS:
            raise JudgeError("no time is left for it")
        return min(left, CALL_SECONDS)

    def _can_pay(self) -> bool:
        limit, spent = self.limits.cost, self.use.cost
        return limit is None or spent is None or spent < limit

    def _verdict(self, request: Request) -> Verdict:
        """Return the model's verdict, from the cache where it was given before. Raises `JudgeError`."""
        name = self.model.cache_name
        known = stored(name, request.key) if name else None
        if known is not None:
            try:
                verdict = parse(known.text, request)
            except JudgeError:
                known = None
            else:
                self.use = self.use.with_hit()
                return verdict
        reply = self.model.ask(request, self._seconds())
        self.use = self.use.with_call(_counted(reply, request), reply.output_tokens, reply.cost)
        verdict = parse(reply.text, request)
        if name:
            store(name, request.key, reply)
        return verdict

    def _with_grades(self, judgments: Sequence[Judgment]) -> list[Judgment]:
        graded = [j for j in judgments if j.path in self._grades]
        if not graded:
            return list(judgments)
        after = fused([j.relevance for j in graded], [self._grades[j.path].grade for j in graded])
        self._fused = {
            j.path: _Fused(j.relevance, round(float(one), 4)) for j, one in zip(graded, after, strict=True)
        }
        return [self._graded(j) if j.path in self._fused else j for j in judgments]

    def _graded(self, judgment: Judgment) -> Judgment:
        """Return a judgment with the relevance after its grade, the model's reason, and the lines that it cites."""
        grade, relevance = self._grades[judgment.path], self._fused[judgment.path].after
        said = f"{self.model.name} grades it {grade.grade} of 3" + (
            f": {grade.reason}" if grade.reason else ""
        )
        reason = Reason("judge", said, tuple(Evidence(judgment.path, start) for start, _ in grade.spans))
        judgment = replace(
            judgment,
            relevance=relevance,
            reasons=(reason, *judgment.reasons),
            missing_context=tuple(dict.fromkeys((*judgment.missing_context, *grade.missing))),
        )
        if grade.grade >= 2 and grade.spans:
            cited = tuple(Span(start, end, why="cited by the judge", score=1.0) for start, end in grade.spans)
            judgment = replace(judgment, spans=(*cited, *self._spans.get(judgment.path, ())))
        if relevance < self._fused[judgment.path].before:
            judgment = replace(judgment, against=said)
        return judgment


def _doubt(judgment: Judgment) -> float:
    return judgment.relevance * (1 - judgment.relevance)


def _counted(reply: Reply, request: Request) -> int:
    """Return the input tokens of a call: as counted by the provider, else as estimated."""
    return reply.input_tokens or request.tokens
