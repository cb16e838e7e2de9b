"""Fuse the built-in judgments with a model's grades, which are asked for where they can change the answer."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import accumulate

from zeroin.answer import JudgeUse
from zeroin.config import Options
from zeroin.context.packing.texts import Texts
from zeroin.errors import JudgeError
from zeroin.evaluate.annotate import ANNOTATED, Annotator
from zeroin.llm_judge.cache import store, stored
from zeroin.llm_judge.choice import batches, controls, expected, worth_asking
from zeroin.llm_judge.contract import Asking, Grade, Model, Reply, Request, Verdict, parse
from zeroin.llm_judge.fusion import fused
from zeroin.llm_judge.prompt import Part, part_of, request_of
from zeroin.protocols import Evaluator, RepositoryView
from zeroin.types import Candidate, Evidence, Judgment, Query, Reason, Span, Task, best_first

CHECK_TOKENS = 2_500  # kept for the role `verify`
CALL_SECONDS, LEAST_SECONDS = 90.0, 1.0
_AGAIN = "\n\nYour last reply was refused: {wrong}. Answer the same again with the JSON object alone."


@dataclass(slots=True)
class ModelEvaluator:
    """Evaluates one question: `inner` judges everything, `model` grades some of it.

    Grades are kept for all cycles of the question, so that no file is graded twice. A file that the model does not
    grade, for lack of budget or of an answer, keeps the judgment of `inner`, and `use` says why.
    """

    inner: Evaluator
    annotator: Annotator  # finds the lines of a file that the model is shown
    model: Model
    read: Texts
    options: Options
    deadline: float | None = None  # of the question, a reading of the monotonic clock
    known: Sequence[tuple[int, bool]] = ()  # earlier grades that the user judged: was the file useful?
    use: JudgeUse = field(default_factory=JudgeUse)
    words: tuple[str, ...] = ()  # the code base's words, by the model
    # What replies from the cache had taken: they count against the limits, so that asking again grades no more.
    _repeated: JudgeUse = field(default_factory=JudgeUse)
    _came: dict[str, Verdict | None] = field(default_factory=dict)  # by the key of the request
    _grades: dict[str, Grade] = field(default_factory=dict)
    # Relevance of graded files before the grade, and after.
    _fused: dict[str, tuple[float, float]] = field(default_factory=dict)
    _spans: dict[str, Sequence[Span]] = field(default_factory=dict)  # of graded files, found by zeroin

    def __post_init__(self) -> None:
        self.use = replace(self.use, model=self.model.name, verdicts=len(self.known))

    @property
    def grades(self) -> dict[str, int]:
        return {path: grade.grade for path, grade in self._grades.items()}

    def evaluate(
        self,
        task: Task,
        query: Query,
        candidates: Sequence[Candidate],
        previous: Sequence[Judgment],
        view: RepositoryView,
    ) -> tuple[Judgment, ...]:
        judgments = [self._before(j) for j in self.inner.evaluate(task, query, candidates, previous, view)]
        self._ask(task, query, candidates, judgments)
        return tuple(sorted(self._with_grades(judgments), key=best_first))

    def _before(self, judgment: Judgment) -> Judgment:
        """Return a judgment with its relevance before the grade: `inner` may return it as fused in the last cycle."""
        before, after = self._fused.get(judgment.path, (judgment.relevance, None))
        return replace(judgment, relevance=before) if judgment.relevance == after else judgment

    def _ask(self, task: Task, query: Query, candidates: Sequence[Candidate], judgments: Sequence[Judgment]) -> None:
        wanted = worth_asking(judgments, self._grades, self.options.max_judge_tokens)
        if "evaluate" not in self.options.judge_roles or not wanted:
            return
        spare = controls(judgments, wanted, self._grades)
        both = [*wanted, *spare]
        chunks = [both[start : start + ANNOTATED] for start in range(0, len(both), ANNOTATED)]
        shown = [j for chunk in chunks for j in self.annotator.annotate(task, query, candidates, chunk)]
        parts = [part_of(judgment, self.read, redact=self.options.redact) for judgment in shown]
        kept = int("verify" in self.options.judge_roles)  # a call, with its tokens
        left = self.calls_left() - kept
        cut, frame = len(shown) - len(spare), self.request(task, ()).tokens
        packed = batches(parts[:cut], parts[cut:], frame, self.tokens_left() - kept * CHECK_TOKENS, left)
        if not packed:
            self.use = replace(self.use, failed=self.use.failed or "its budget was used up")
            return
        relevance = {judgment.path: judgment.relevance for judgment in judgments}
        more = sum(expected(batch, relevance) for batch in packed)
        self.use = replace(self.use, expected=round(self.use.expected + more, 3))
        for verdict in self.verdicts([self.request(task, batch) for batch in packed]):
            self._grades.update({grade.path: grade for grade in verdict.grades})
            self.words = tuple(dict.fromkeys((*self.words, *verdict.words)))
        self._spans.update({judgment.path: judgment.spans for judgment in shown})
        self.use = replace(self.use, graded=len(self._grades))

    def request(self, task: Task, files: Sequence[Part], asking: Asking = "evaluate") -> Request:
        """Build a request; values that look like secrets are replaced unless the user said otherwise."""
        return request_of(task, files, asking, redact=self.options.redact)

    def calls_left(self) -> int:
        return self.options.max_calls - self.use.calls - self._repeated.calls if self._can_pay() else 0

    def tokens_left(self) -> int:
        return self.options.max_judge_tokens - sum(
            use.input_tokens + use.output_tokens for use in (self.use, self._repeated)
        )

    def _can_pay(self) -> bool:
        limit, costs = self.options.max_cost, (self.use.cost, self._repeated.cost)
        return limit is None or costs == (None, None) or sum(cost or 0.0 for cost in costs) < limit

    def verdicts(self, requests: Sequence[Request]) -> list[Verdict]:
        """Return the model's verdicts in the order of the requests, from the cache where it has them.

        A request without an answer has none, and `use` says why. No request is sent twice for one question.
        """
        new = [request for request in requests if request.key not in self._came]
        self._came.update({request.key: self._stored(request) for request in new})
        unknown = [request for request in new if self._came[request.key] is None]
        # With a limit on cost, each call waits for the cost of the last one.
        at_once = len(unknown) if self.options.max_cost is None else 1
        for start in range(0, len(unknown), max(1, at_once)):
            if self._can_pay():
                self._came |= self._replies(unknown[start : start + at_once])
        return [verdict for request in requests if (verdict := self._came[request.key]) is not None]

    def _stored(self, request: Request) -> Verdict | None:
        name = self.model.cache_name
        reply = stored(name, request.key) if name else None
        if reply is None:
            return None
        with suppress(JudgeError):
            verdict = parse(reply.text, request)
            self.use = replace(self.use, cached=self.use.cached + 1)
            self._repeated = _with(self._repeated, request, reply)
            return verdict
        return None

    def _replies(self, requests: Sequence[Request]) -> dict[str, Verdict | None]:
        given: dict[str, Verdict | None] = {}
        left = CALL_SECONDS if self.deadline is None else self.deadline - time.monotonic()
        try:
            if left < LEAST_SECONDS:
                raise JudgeError("no time is left for it")
            came = replies(self.model, requests, min(left, CALL_SECONDS), self._count, self._affordable)
        except JudgeError as error:
            self.use = replace(self.use, failed=str(error))
            return given
        for request, reply in zip(requests, came, strict=True):
            try:
                if isinstance(reply, JudgeError):
                    raise reply
                given[request.key] = parse(reply.text, request)
            except JudgeError as error:
                self.use = replace(self.use, failed=str(error))
                continue
            if self.model.cache_name:
                store(self.model.cache_name, request.key, reply)
        return given

    def _count(self, request: Request, came: Reply | JudgeError) -> None:
        self.use = _with(self.use, request, came)

    def _affordable(self, requests: Sequence[Request]) -> int:
        tokens = accumulate(request.tokens for request in requests)
        return min(self.calls_left(), sum(total <= self.tokens_left() for total in tokens))

    def _with_grades(self, judgments: Sequence[Judgment]) -> list[Judgment]:
        graded = [j for j in judgments if j.path in self._grades]
        if not graded:
            return list(judgments)
        grades = [self._grades[j.path].grade for j in graded]
        after, weight = fused([j.relevance for j in graded], grades, self.known)
        self.use = replace(self.use, weight=round(weight, 3))
        pairs = zip(graded, after.tolist(), strict=True)
        self._fused = {judgment.path: (judgment.relevance, round(one, 4)) for judgment, one in pairs}
        return [self._graded(j) if j.path in self._fused else j for j in judgments]

    def _graded(self, judgment: Judgment) -> Judgment:
        """Return a judgment with the relevance after its grade, the model's reason, and the lines that it cites."""
        grade, (before, relevance) = self._grades[judgment.path], self._fused[judgment.path]
        said = f"{self.model.name} grades it {grade.grade} of 3"
        said += f": {grade.reason}" if grade.reason else ""
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
        return replace(judgment, against=said) if relevance < before else judgment


def _with(use: JudgeUse, request: Request, reply: Reply | JudgeError) -> JudgeUse:
    """Add a call to what was used: tokens as counted by the provider, else as estimated."""
    if isinstance(reply, JudgeError):
        return replace(use, calls=use.calls + 1)
    return replace(
        use,
        calls=use.calls + 1,
        input_tokens=use.input_tokens + (reply.input_tokens or request.tokens),
        output_tokens=use.output_tokens + reply.output_tokens,
        cost=use.cost if reply.cost is None else (use.cost or 0.0) + reply.cost,
    )


def replies(
    model: Model,
    requests: Sequence[Request],
    timeout_s: float,
    count: Callable[[Request, Reply | JudgeError], None],
    affordable: Callable[[Sequence[Request]], int],
) -> list[Reply | JudgeError]:
    """Return the last reply to each request, valid or not, or its error; an unusable reply is asked for once more.

    `count` is called for every call made; `affordable` returns how many of some requests, from the first on, may still
    be sent. Raises `JudgeError` as `Model.ask`.
    """
    until = time.monotonic() + timeout_s

    def asked(some: Sequence[Request], within_s: float) -> list[Reply | JudgeError]:
        came = list(model.ask(some, within_s))
        for request, reply in zip(some, came, strict=True):
            count(request, reply)
        return came

    came = asked(requests, timeout_s)
    wrong: dict[int, Request] = {}
    for number, (request, reply) in enumerate(zip(requests, came, strict=True)):
        try:
            if isinstance(reply, Reply):
                parse(reply.text, request)
        except JudgeError as error:
            wrong[number] = replace(request, user=request.user + _AGAIN.format(wrong=error))
    again = [*wrong.values()][: affordable([*wrong.values()])]
    left_s = until - time.monotonic()
    if again and left_s > 0:
        with suppress(JudgeError):  # the replies that can be used are kept
            for number, reply in zip(wrong, asked(again, left_s), strict=False):
                came[number] = reply
    return came
