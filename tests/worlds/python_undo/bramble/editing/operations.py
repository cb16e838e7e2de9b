"""The smallest changes of an outline. Everything else is made of these five."""

from __future__ import annotations

from dataclasses import dataclass

from bramble.model.node import Node
from bramble.model.outline import Outline


@dataclass(frozen=True)
class Insert:
    """Puts a node (and what is below it) under a parent."""

    node: Node
    parent_id: int
    position: int

    def apply(self, outline: Outline) -> None:
        outline.insert(self.node, self.parent_id, self.position)


@dataclass(frozen=True)
class Remove:
    """Takes a node out, with everything below it."""

    node_id: int

    def apply(self, outline: Outline) -> None:
        outline.remove(self.node_id)


@dataclass(frozen=True)
class Move:
    """Hangs a node somewhere else. The position counts after the node was taken out."""

    node_id: int
    parent_id: int
    position: int

    def apply(self, outline: Outline) -> None:
        outline.move(self.node_id, self.parent_id, self.position)


@dataclass(frozen=True)
class Retitle:
    """Gives a node another title."""

    node_id: int
    title: str

    def apply(self, outline: Outline) -> None:
        outline.node(self.node_id).title = self.title


@dataclass(frozen=True)
class Fold:
    """Hides or shows what is below a node."""

    node_id: int
    folded: bool

    def apply(self, outline: Outline) -> None:
        outline.node(self.node_id).folded = self.folded


Operation = Insert | Remove | Move | Retitle | Fold
