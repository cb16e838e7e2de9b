"""Redact secrets in what an answer quotes: reasons, gaps, terms, patterns. Paths stay, so that files can be found."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from zeroin.answer import SECTIONS, Context
from zeroin.context.redaction.redact import redact, redact_quote, redact_words, without_marks
from zeroin.evaluate.deferred import Deferred
from zeroin.tree import Diff
from zeroin.types import Expansion, ExpansionSource, Judgment, Reason, Span

_ANSWER = (*SECTIONS, "terminology", "patterns", "gaps", "warnings", "stop_reason", "advice", "learned")
_AS_IT_IS = frozenset({"path", "paths", "closed_by", "where", "commit", "glob", "scope", "digest", "id"})
_SAYS_WORDS = ("passage", "dense")  # reasons that list words of a file, where a part of a secret may be one


def quotes_of(context: Context) -> tuple[Context, int]:
    """Return a context without secrets in what it quotes, and how many of those are in the answer itself.

    The caller's own words stay. Cycles, and files that are not in the answer, are redacted when they are read: only
    some formats show them, and producing them is expensive.
    """
    if not context.redact:
        return context, 0
    hide = _Hider()
    parts = {name: hide(getattr(context, name)) for name in _ANSWER}
    cycles = tuple(
        replace(
            cycle,
            **{n: _deferred(getattr(cycle, n)) for n in ("changes", "gaps", "asked", "terminology")},
            judgments=_deferred(cycle.judgments, _when_looked_at),
            query=replace(cycle.query, keywords=_deferred(cycle.query.keywords)),
        )
        for cycle in context.cycles
    )
    ranking = _deferred(context.ranking, _when_looked_at)
    return replace(context, cycles=cycles, ranking=ranking, **parts), hide.hidden


def everything_of(context: Context) -> Context:
    """Return a context without secrets, in the caller's words too, whatever `context.redact` says; paths stay."""
    context, _ = quotes_of(replace(context, redact=True))
    text, _ = redact("", context.task.text.split("\n"))
    cycles = tuple(
        replace(
            cycle, query=replace(cycle.query, **{n: _redacted(getattr(cycle.query, n)) for n in ("title", "symbols")})
        )
        for cycle in context.cycles
    )
    return replace(context, task=replace(context.task, text="\n".join(text)), cycles=cycles)


def terms_of(terms: Iterable[Expansion]) -> tuple[Expansion, ...]:
    """Return learned words without secrets in what their sources quote."""
    shown: tuple[Expansion, ...] = _redacted(tuple(terms))
    return shown


def change_without_secrets(change: Diff) -> Diff:
    """Return a change without the secrets in its message and lines, which must be neither searched for nor kept."""
    files = tuple(
        replace(f, added=_left(f.path, f.added), removed=_left(f.old_path or f.path, f.removed)) for f in change.files
    )
    return replace(change, files=files, message=_left("", change.message))


def text_without_secrets(text: str) -> str:
    """Return a text of the user without the secrets in it, as it may be kept."""
    return _left("", text)


def _left(path: str, text: str) -> str:
    """Return what is left of the lines of a file at `path` when each secret is cut out."""
    lines, count = redact(path, text.split("\n"))
    return without_marks("\n".join(lines)) if count else text


class _Hider:
    """Removes secrets from values, and counts them."""

    def __init__(self) -> None:
        self.hidden = 0
        self._paths: tuple[str, ...] = ()  # that the evidence of the last gap, reason or pattern names

    def __call__(self, value: Any) -> Any:
        """Return a text, a sequence or a dataclass without secrets."""
        if isinstance(value, str):
            return self._kept(redact_quote(value, self._paths))
        if isinstance(value, ExpansionSource):  # by its path: every value in a .env file is secret
            lines, count = redact(value.where, value.text.split("\n"))
            value = replace(value, text=self._kept(("\n".join(lines), count)))
        if isinstance(value, Span):
            value = replace(value, why=self._kept(redact_words(value.why)))
        if isinstance(value, Reason) and value.kind in _SAYS_WORDS:
            said = tuple(replace(e, text=self._kept(redact_words(e.text))) for e in value.evidence)
            value = replace(value, text=self._kept(redact_words(value.text)), evidence=said)
        if isinstance(value, Sequence):  # tuples, and `Deferred` values of the evaluator
            return tuple(map(self, value))
        if not is_dataclass(value) or isinstance(value, type):
            return value
        if hasattr(value, "evidence"):
            self._paths = tuple(e if isinstance(e, str) else e.path for e in value.evidence)
        parts = {f.name: getattr(value, f.name) for f in fields(value) if f.name not in _AS_IT_IS}
        changed = {name: new for name, part in parts.items() if (new := self(part)) != part}
        return replace(value, **changed) if changed else value

    def _kept(self, redacted: tuple[str, int]) -> str:
        text, count = redacted
        self.hidden += count
        return text


def _redacted(value: Any) -> Any:
    return _Hider()(value)


def _deferred(values: Sequence[Any], redacted: Callable[[Any], Any] = _redacted) -> Any:
    """Return the same values, all `redacted` when the first of them is read."""
    return Deferred(lambda: tuple(map(redacted, values)))


def _when_looked_at(judgment: Judgment) -> Judgment:
    """Return a judgment whose reasons and spans are redacted when they are read."""
    because, _ = redact_quote(judgment.irrelevant_because)
    return replace(
        judgment, reasons=_deferred(judgment.reasons), spans=_deferred(judgment.spans), irrelevant_because=because
    )
