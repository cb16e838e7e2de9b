"""Imports between repositories: the names that a tree offers to others, and those that it wants from them."""

from collections.abc import Mapping
from typing import NamedTuple


class Outward(NamedTuple):
    """What one tree offers and wants, by coarse names (`imports.tree.Resolver`).

    `wants` maps a name to the imports that the tree does not resolve itself: (document, position among its imports).
    `configs` are the configuration files that its resolvers read.
    """

    offers: frozenset[str]
    wants: Mapping[str, tuple[tuple[int, int], ...]]
    configs: Mapping[str, bytes | None]
