"""Definitions that the task names: they are shown whole, before anything else of the file."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from zeroin.tree import Definition
from zeroin.types import Origin, Query

MAX_NAMED = 3  # definitions of one file that are shown whole, at most
CALLABLE = frozenset({"function", "method", "constructor", "getter", "setter", "macro", "test"})
_LONG = 60  # lines from which of a type or module only the matching parts are shown


class Named(NamedTuple):
    """Definitions that the task names, the most certain first, and the weight of each of their names."""

    definitions: tuple[Definition, ...]
    weights: Mapping[str, float]


def named_in(query: Query, definitions: Sequence[Definition]) -> Named:
    """Find which of a file's definitions the symbols of a query name.

    `Writer.close` means only the `close` of a `Writer`, where the file has one. Left out are definitions that hold
    another named one, long types and modules, and symbols of a trace, whose frames name lines.
    """
    by_name: dict[str, list[Definition]] = defaultdict(list)
    for definition in definitions:
        by_name[definition.name].append(definition)
    weights: dict[str, float] = {}
    meant: dict[Definition, float] = {}
    for mention in query.symbols:
        *parents, name = mention.parts or [""]
        found = by_name.get(name, [])
        if not found:
            continue
        weights[name] = max(mention.weight, weights.get(name, 0.0))
        if mention.origin is Origin.TRACE:
            continue
        for definition in [d for d in found if d.parent.rpartition(".")[2] in parents] or found:
            meant[definition] = max(mention.weight, meant.get(definition, 0.0))
    holding = holding_others(meant)
    whole = [d for d in meant if _shown_whole(d) and d not in holding]
    whole.sort(key=lambda d: (-meant[d], d.end == d.start, d.start))
    return Named(tuple(whole[:MAX_NAMED]), weights)


def _shown_whole(definition: Definition) -> bool:
    return definition.kind in CALLABLE or definition.end - definition.start < _LONG


def holding_others(definitions: Collection[Definition]) -> set[Definition]:
    """Return the definitions that hold one of another name."""
    ordered = sorted(definitions, key=lambda d: d.start)
    starts = [d.start for d in ordered]

    def holds(d: Definition) -> bool:
        inside = islice(ordered, bisect_left(starts, d.start), bisect_right(starts, d.end))
        return any(other.end <= d.end and other.name != d.name for other in inside)

    return {d for d in ordered if holds(d)}
