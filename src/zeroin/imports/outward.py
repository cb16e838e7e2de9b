"""What one repository of several is to the others: what it offers them, and what it wants of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Outward(NamedTuple):
    """What one tree offers and wants, by coarse names (`imports.tree.Resolver`).

    `wants` are the imports that it does not resolve itself: documents and positions of imports in them. `configs` are
    the configuration files by which its resolvers were made.
    """

    offers: frozenset[str]
    wants: Mapping[str, tuple[tuple[int, int], ...]]
    configs: Mapping[str, bytes | None]
