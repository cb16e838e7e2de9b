"""An evaluator around an evaluator: the caller's judgments override all others."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real

from zeroin.errors import InputError, OptionError
from zeroin.protocols import Evaluator, RepositoryView
from zeroin.types import Candidate, Judgment, Query, Reason, Span, Task, best_first

RELEVANT = Reason("caller", "the caller has read it and judged it relevant")
IRRELEVANT = Reason("caller", "the caller has read it and judged it irrelevant")


@dataclass(frozen=True, slots=True)
class CallerOverrides:
    """Judges like `inner`, except for the files that the caller judged.

    `injected`: `inner` is the caller's own evaluator; a lower judgment than before is evidence against a file even
    without a reason. Raises `OptionError` if it cannot evaluate, `InputError` if its relevance is not in 0–1 or none of
    its files is in the tree.
    """

    inner: Evaluator
    injected: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.inner, type) or not callable(getattr(self.inner, "evaluate", None)):
            raise OptionError(f"evaluator must be an object with evaluate(), not {self.inner!r}")

    def evaluate(
        self,
        task: Task,
        query: Query,
        candidates: Sequence[Candidate],
        previous: Sequence[Judgment],
        view: RepositoryView,
    ) -> Sequence[Judgment]:
        judgments = self.inner.evaluate(task, query, candidates, previous, view)
        if self.injected:
            if not isinstance(judgments, Iterable):
                raise InputError(f"evaluator must return a list of zeroin.Judgment, not {judgments!r}")
            before = {judgment.path: judgment.relevance for judgment in previous}
            judgments = [_checked(judgment, before, view) for judgment in judgments]
            if judgments and not any(view.doc_of(judgment.path) is not None for judgment in judgments):
                raise InputError(f"evaluator: none of the files that it judged is in the tree: {judgments[0].path}")
        return apply_overrides(query, judgments)


def _checked(judgment: Judgment, before: Mapping[str, float], view: RepositoryView) -> Judgment:
    """Return a judgment of the caller's evaluator: plain floats (JSON has no numpy), spans cut to the file.

    Its path is as the view has it: of several repositories the caller may give `NAME:path`. Where the relevance is less
    than `before`, it says what is against the file.
    """
    if not isinstance(judgment, Judgment):
        raise InputError(f"evaluator must return zeroin.Judgment(path, relevance), not {judgment!r}")
    relevance = judgment.relevance
    if not (isinstance(relevance, Real) and 0 <= relevance <= 1):
        raise InputError(f"evaluator: the relevance of {judgment.path} is {relevance}, not 0 to 1")
    spans: list[Span] = []
    doc = view.doc_of(judgment.path)
    path = judgment.path if doc is None else view.paths[doc]
    if judgment.spans:
        last = 0 if doc is None else len(view.text(doc).splitlines())
        for span in judgment.spans:
            start, end = max(1, int(span.start)), min(last, int(span.end))
            if start <= end:
                spans.append(replace(span, start=start, end=end, score=float(span.score)))
    lower = relevance < before.get(path, 0.0)
    against = judgment.against or ((judgment.reason or "judged lower since") if lower else "")
    relevance, score = float(relevance), float(judgment.score)
    return replace(judgment, path=path, relevance=relevance, score=score, spans=tuple(spans), against=against)


def apply_overrides(query: Query, judgments: Sequence[Judgment]) -> Sequence[Judgment]:
    """Judge files that the caller called relevant 1, irrelevant 0; best first."""
    if not query.relevant and not query.irrelevant:
        return judgments
    judged = [_override(query, judgment) for judgment in judgments]
    return tuple(sorted(judged, key=best_first))


def _override(query: Query, judgment: Judgment) -> Judgment:
    if judgment.path in query.relevant:
        others = tuple(r for r in judgment.reasons if r.kind not in ("caller", "against"))
        return replace(judgment, relevance=1.0, reasons=(RELEVANT, *others), irrelevant_because="", against="")
    if judgment.path in query.irrelevant:
        return replace(judgment, relevance=0.0, reasons=(IRRELEVANT,), irrelevant_because=IRRELEVANT.text)
    return judgment
