"""The definitions of a file that the task names: they are shown whole, before anything else of the file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from zeroin.evaluate.passages import Line
from zeroin.evaluate.reasons.wording import parts_of
from zeroin.tree import Definition
from zeroin.types import Origin, Query

MAX_NAMED = 3  # definitions of one file: a name that it defines more often singles nothing out
_CALLABLE = frozenset({"function", "method", "constructor", "getter", "setter", "macro", "test"})
_LONG = 60  # lines of a type or module that is not shown whole: the parts of it that match are
_PEAKS = 40


@dataclass(frozen=True, slots=True)
class Named:
    """Definitions that the task names, the one it means most first, and the weight of every name that it says."""

    definitions: tuple[Definition, ...]
    weights: Mapping[str, float]


def named_in(query: Query, definitions: Sequence[Definition]) -> Named:
    """What of a file's definitions the symbols of a query name.

    Of `Writer.close` only the `close` of a `Writer` is meant, where the file has one. A definition that holds another
    named one is only where that is; so is a long type or module. A frame of a trace names a line.
    """
    by_name: dict[str, list[Definition]] = {}
    for definition in definitions:
        by_name.setdefault(definition.name, []).append(definition)
    weights: dict[str, float] = {}
    meant: dict[Definition, float] = {}
    for mention in query.symbols:
        parts = parts_of(mention.name)
        found = by_name.get(parts[-1], []) if parts else []
        if not found:
            continue
        weights[parts[-1]] = max(mention.weight, weights.get(parts[-1], 0.0))
        if mention.origin is Origin.TRACE:
            continue  # there the line counts
        within = [d for d in found if d.parent.rpartition(".")[2] in parts[:-1]]
        for definition in within or found:
            meant[definition] = max(mention.weight, meant.get(definition, 0.0))
    whole = [d for d in meant if _is_shown_whole(d) and not _holds_another(d, meant)]
    whole.sort(key=lambda d: (-meant[d], d.end == d.start, d.start))
    return Named(tuple(whole[:MAX_NAMED]), weights)


def peaks_of(
    definition: Definition, matched: Mapping[int, Line], weights: Mapping[str, float]
) -> tuple[int, ...]:
    """The lines of a definition that say most of the task, best first: what is kept of one that is too long."""
    inside = [n for n in matched if definition.start <= n <= definition.end]

    def value(number: int) -> float:
        return sum(weights.get(term, 0.0) * share for term, share in matched[number].hits.items())

    return tuple(sorted(inside, key=lambda n: (-value(n), n))[:_PEAKS])


def _is_shown_whole(definition: Definition) -> bool:
    return definition.kind in _CALLABLE or definition.end - definition.start < _LONG


def _holds_another(definition: Definition, others: Iterable[Definition]) -> bool:
    return any(
        other != definition
        and other.name != definition.name
        and definition.start <= other.start
        and other.end <= definition.end
        for other in others
    )
