"""A whole outline: the root and an index of nodes by id."""

from __future__ import annotations

from collections.abc import Iterator

from bramble.model.node import Node


class UnknownNode(KeyError):
    """There is no node with this id (any more)."""


class Outline:
    """Owns the tree. Nodes are looked up by id, because they move."""

    def __init__(self, root: Node | None = None) -> None:
        self.root = root if root is not None else Node(title="")
        self._by_id: dict[int, Node] = {node.id: node for node in self.root.walk()}

    def __len__(self) -> int:
        return len(self._by_id) - 1

    def node(self, node_id: int) -> Node:
        try:
            return self._by_id[node_id]
        except KeyError:
            raise UnknownNode(node_id) from None

    def lines(self) -> Iterator[Node]:
        """All nodes but the root, in the order in which they stand in the file."""
        nodes = self.root.walk()
        next(nodes)
        return nodes

    def visible_lines(self) -> Iterator[Node]:
        nodes = self.root.visible()
        next(nodes)
        return nodes

    def insert(self, node: Node, parent_id: int, position: int) -> None:
        self.node(parent_id).attach(node, position)
        for one in node.walk():
            self._by_id[one.id] = one

    def remove(self, node_id: int) -> Node:
        """Takes a node out, with everything below it, and hands it back."""
        node = self.node(node_id)
        node.detach()
        for one in node.walk():
            del self._by_id[one.id]
        return node

    def move(self, node_id: int, parent_id: int, position: int) -> None:
        node, parent = self.node(node_id), self.node(parent_id)
        if parent.is_below(node):
            raise ValueError("a node cannot be moved below itself")
        node.detach()
        parent.attach(node, position)

    def next_visible(self, node_id: int, offset: int) -> Node:
        """The line a number of lines further down (or up, when negative); stays within the outline."""
        lines = list(self.visible_lines())
        here = next((i for i, node in enumerate(lines) if node.id == node_id), 0)
        return lines[max(0, min(len(lines) - 1, here + offset))]
