"""Copying lines to other programs and pasting lines from them, as Markdown lists."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence

from bramble.formats import markdown
from bramble.model.node import Node
from bramble.model.outline import Outline

# The first program that is installed is used: Wayland, X11, macOS.
COPY_PROGRAMS: tuple[tuple[str, ...], ...] = (("wl-copy",), ("xclip", "-selection", "c"), ("pbcopy",))
PASTE_PROGRAMS: tuple[tuple[str, ...], ...] = (
    ("wl-paste", "--no-newline"),
    ("xclip", "-selection", "c", "-o"),
    ("pbpaste",),
)


class NoClipboard(RuntimeError):
    """None of the programs is installed."""


def _installed(programs: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    for program in programs:
        if shutil.which(program[0]) is not None:
            return program
    raise NoClipboard("install wl-clipboard or xclip to copy and paste")


def as_text(node: Node) -> str:
    """A line and what is below it. The node itself is not touched, a copy is written."""
    root = Node(title="")
    root.attach(copy_of(node), 0)
    return markdown.write(Outline(root))


def copy_of(node: Node) -> Node:
    """The same titles with new ids."""
    copy = Node(title=node.title, folded=node.folded)
    for child in node.children:
        copy.attach(copy_of(child), len(copy.children))
    return copy


def copy_to_clipboard(node: Node) -> None:
    subprocess.run(_installed(COPY_PROGRAMS), input=as_text(node), text=True, check=True)


def paste_from_clipboard() -> list[Node]:
    """Lines of the clipboard, ready to be inserted."""
    done = subprocess.run(_installed(PASTE_PROGRAMS), capture_output=True, text=True, check=True)
    root = markdown.read(done.stdout).root
    pasted = list(root.children)
    for node in pasted:
        node.detach()
    return pasted
