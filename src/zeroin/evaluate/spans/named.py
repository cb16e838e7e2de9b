"""Definitions that the task names: they are shown whole, before anything else of the file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zeroin.evaluate.reasons.wording import parts_of
from zeroin.tree import Definition
from zeroin.types import Origin, Query

MAX_NAMED = 3  # definitions of one file: a name that it defines more often singles nothing out
CALLABLE = frozenset({"function", "method", "constructor", "getter", "setter", "macro", "test"})
_LONG = 60  # lines of a type or module that is not shown whole: the parts of it that match are


@dataclass(frozen=True, slots=True)
class Named:
    """Definitions that the task names, the most certain first, and the weight of each of their names."""

    definitions: tuple[Definition, ...]
    weights: Mapping[str, float]


def named_in(query: Query, definitions: Sequence[Definition]) -> Named:
    """Find which of a file's definitions the symbols of a query name.

    `Writer.close` means only the `close` of a `Writer`, where the file has one. A definition that holds another named
    one only gives its place; so does a long type or module. A frame of a trace names a line.
    """
    by_name: dict[str, list[Definition]] = defaultdict(list)
    for definition in definitions:
        by_name[definition.name].append(definition)
    weights: dict[str, float] = {}
    meant: dict[Definition, float] = {}
    for mention in query.symbols:
        *parents, name = parts_of(mention.name) or [""]
        found = by_name.get(name, [])
        if not found:
            continue
        weights[name] = max(mention.weight, weights.get(name, 0.0))
        if mention.origin is Origin.TRACE:
            continue
        for definition in [d for d in found if d.parent.rpartition(".")[2] in parents] or found:
            meant[definition] = max(mention.weight, meant.get(definition, 0.0))
    whole = [d for d in meant if _shown_whole(d) and not any(_holds(d, other) for other in meant)]
    whole.sort(key=lambda d: (-meant[d], d.end == d.start, d.start))
    return Named(tuple(whole[:MAX_NAMED]), weights)


def _shown_whole(definition: Definition) -> bool:
    return definition.kind in CALLABLE or definition.end - definition.start < _LONG


def _holds(outer: Definition, inner: Definition) -> bool:
    return outer.name != inner.name and outer.start <= inner.start and inner.end <= outer.end
