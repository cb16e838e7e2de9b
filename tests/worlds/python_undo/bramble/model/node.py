"""One line of an outline, with everything below it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

_ids = count(1)


@dataclass(eq=False)
class Node:
    """A title, whether it is folded, and children in order."""

    title: str
    folded: bool = False
    children: list[Node] = field(default_factory=list)
    parent: Node | None = None
    id: int = field(default_factory=lambda: next(_ids))

    def walk(self) -> Iterator[Node]:
        """This node and all below it, top down."""
        yield self
        for child in self.children:
            yield from child.walk()

    def visible(self) -> Iterator[Node]:
        """Like walk, but nothing below a folded node."""
        yield self
        if not self.folded:
            for child in self.children:
                yield from child.visible()

    def depth(self) -> int:
        """Zero for the children of the root."""
        depth = -1
        above = self.parent
        while above is not None:
            depth += 1
            above = above.parent
        return depth

    def position(self) -> int:
        """Index among the siblings."""
        if self.parent is None:
            raise ValueError("the root has no siblings")
        return next(i for i, sibling in enumerate(self.parent.children) if sibling is self)

    def is_below(self, other: Node) -> bool:
        """Whether `other` is this node or one of its ancestors."""
        above: Node | None = self
        while above is not None:
            if above is other:
                return True
            above = above.parent
        return False

    def attach(self, child: Node, position: int) -> None:
        child.parent = self
        self.children.insert(position, child)

    def detach(self) -> None:
        if self.parent is None:
            raise ValueError("the root cannot be detached")
        del self.parent.children[self.position()]
        self.parent = None
