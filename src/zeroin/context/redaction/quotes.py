"""Secrets in what an answer quotes: reasons, gaps, terms, patterns. Paths stay, so that what is named can be found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from zeroin.answer import SECTIONS, Context
from zeroin.context.redaction.redact import redact, redact_quote
from zeroin.evaluate.deferred import Deferred
from zeroin.types import Expansion, Judgment

_ANSWER = (*SECTIONS, "terminology", "patterns", "gaps", "warnings", "stop_reason", "advice")
_AS_IT_IS = frozenset({"path", "paths", "closed_by", "where", "commit", "glob", "scope"})


def quotes_of(context: Context) -> tuple[Context, int]:
    """Return a context without secrets in what it quotes, and how many of those are in the answer itself.

    The caller's own words stay. What only some formats show, the cycles and files that are not in the answer, is
    redacted when it is looked at: most never is, and making it is expensive.
    """
    if not context.redact:
        return context, 0
    counts: list[int] = []
    parts = {name: _redacted(getattr(context, name), counts) for name in _ANSWER}
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
    return replace(context, cycles=cycles, ranking=ranking, **parts), sum(counts)


def everything_of(context: Context) -> Context:
    """A context without secrets, whatever its own setting says, the caller's words included; paths stay."""
    context, _ = quotes_of(replace(context, redact=True))
    text, _ = redact("", context.task.text.split("\n"))
    cycles = tuple(
        replace(
            cycle,
            query=replace(
                cycle.query, **{n: _redacted(getattr(cycle.query, n)) for n in ("title", "symbols")}
            ),
        )
        for cycle in context.cycles
    )
    return replace(context, task=replace(context.task, text="\n".join(text)), cycles=cycles)


def terms_of(terms: Iterable[Expansion]) -> tuple[Expansion, ...]:
    """Learned words without secrets in what their sources quote."""
    shown: tuple[Expansion, ...] = _redacted(tuple(terms))
    return shown


def _redacted(value: Any, counts: list[int] | None = None) -> Any:
    """Return a text, a sequence or a dataclass without secrets; how many there were is added to `counts`."""
    if isinstance(value, str):
        text, count = redact_quote(value)
        if counts is not None:
            counts.append(count)
        return text
    if isinstance(value, Sequence):  # tuples, and what evaluation defers until it is looked at
        return tuple(_redacted(item, counts) for item in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    parts = {f.name: getattr(value, f.name) for f in fields(value) if f.name not in _AS_IT_IS}
    redacted = {name: _redacted(part, counts) for name, part in parts.items()}
    changed = {name: part for name, part in redacted.items() if part != parts[name]}
    return replace(value, **changed) if changed else value


def _deferred(values: Sequence[Any], redacted: Callable[[Any], Any] = _redacted) -> Any:
    """Return the same values, each `redacted` when one of them is looked at."""
    return Deferred(lambda: tuple(map(redacted, values)))


def _when_looked_at(judgment: Judgment) -> Judgment:
    """Return a judgment whose reasons are redacted when somebody asks for them."""
    because, _ = redact_quote(judgment.irrelevant_because)
    return replace(
        judgment,
        reasons=Deferred(lambda: tuple(map(_redacted, judgment.reasons))),
        irrelevant_because=because,
    )
