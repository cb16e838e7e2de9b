"""Draws an outline as text."""

from __future__ import annotations

import textwrap

from bramble.model.node import Node
from bramble.model.outline import Outline

LEAF, OPEN, FOLDED = "·", "▾", "▸"
CURSOR = "❯"
INDENT = "  "


class Renderer:
    """Stateless but for the width; the driver compares screens and sends what differs."""

    def __init__(self, width: int) -> None:
        if width < 20:
            raise ValueError("the screen is too narrow")
        self._width = width

    def screen(self, outline: Outline, cursor: int | None) -> str:
        lines: list[str] = []
        for node in outline.visible_lines():
            lines.extend(self._lines(node, node.id == cursor))
        lines.append(self._status(outline))
        return "\n".join(lines)

    def _lines(self, node: Node, current: bool) -> list[str]:
        lead = f"{CURSOR if current else ' '} {INDENT * node.depth()}{self._mark(node)} "
        hanging = " " * len(lead)
        body = textwrap.wrap(
            node.title or " ",
            width=max(10, self._width - len(lead)),
            break_long_words=True,
            drop_whitespace=False,
        )
        return [lead + body[0], *(hanging + more for more in body[1:])]

    def _mark(self, node: Node) -> str:
        if not node.children:
            return LEAF
        return FOLDED if node.folded else OPEN

    def _status(self, outline: Outline) -> str:
        hidden = len(outline) - sum(1 for _ in outline.visible_lines())
        text = f"{len(outline)} lines" + (f", {hidden} folded" if hidden else "")
        return text.rjust(self._width)
