"""Outlines as Markdown lists, two blanks a level."""

from __future__ import annotations

import re

from bramble.model.node import Node
from bramble.model.outline import Outline

_ITEM = re.compile(r"^(?P<indent>[ \t]*)[-*+] (?P<title>.*)$")
_FOLD_MARK = " …"
INDENT = 2


def read(text: str) -> Outline:
    """Lines that are no list items become part of the title above them."""
    root = Node(title="")
    path: list[tuple[int, Node]] = [(-1, root)]
    for line in text.splitlines():
        match = _ITEM.match(line)
        if match is None:
            _continue_title(path[-1][1], line, root)
            continue
        indent = len(match["indent"].expandtabs(4))
        while path[-1][0] >= indent:
            path.pop()
        title = match["title"]
        folded = title.endswith(_FOLD_MARK)
        node = Node(title=title.removesuffix(_FOLD_MARK), folded=folded)
        parent = path[-1][1]
        parent.attach(node, len(parent.children))
        path.append((indent, node))
    return Outline(root)


def _continue_title(node: Node, line: str, root: Node) -> None:
    if line.strip() == "":
        return
    if node is root:
        node.attach(Node(title=line.strip()), len(node.children))
    else:
        node.title += "\n" + line.strip()


def write(outline: Outline) -> str:
    lines: list[str] = []
    for node in outline.lines():
        pad = " " * (INDENT * node.depth())
        first, *rest = node.title.split("\n")
        lines.append(f"{pad}- {first}{_FOLD_MARK if node.folded else ''}")
        lines.extend(f"{pad}{' ' * INDENT}{more}" for more in rest)
    return "\n".join(lines) + "\n" if lines else ""
