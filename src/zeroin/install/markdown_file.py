"""A block in a Markdown file that is somebody else's, such as AGENTS.md, between two comments that name it as ours."""

from __future__ import annotations

import re
from dataclasses import dataclass

from zeroin.errors import InstallError
from zeroin.install.editing import State, decode, fingerprint, gap_after, newline

_BEGIN = re.compile(r"^<!-- zeroin begin \((\w+)\): written by `zeroin install` -->[ \t]*\r?$", re.MULTILINE)
_END = re.compile(r"^<!-- zeroin end -->[ \t]*(?:\r?\n|\r?\Z)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class MarkdownBlock:
    """The editor of our block, whose content is `text`."""

    text: str

    def fingerprint(self) -> str:
        return fingerprint(self.text.strip().encode())

    def state(self, data: bytes, written: str) -> State:
        text = decode(data)[1]
        found = _span(text)
        if found is None:
            return State.MISSING
        inside = _inside(text[found[0] : found[1]])
        if inside == self.text.strip():
            return State.CURRENT
        begin = _BEGIN.search(text, found[0])
        stamp = begin[1] if begin else ""
        return State.STALE if fingerprint(inside.encode()) in (stamp, written) else State.EDITED

    def put(self, data: bytes) -> bytes:
        mark, text = decode(data)
        eol, found = newline(text), _span(text)
        block = eol.join(
            [
                f"<!-- zeroin begin ({self.fingerprint()}): written by `zeroin install` -->",
                *self.text.strip().splitlines(),
                "<!-- zeroin end -->",
            ]
        )
        if found is not None:
            tail = eol if text[found[0] : found[1]].endswith("\n") else ""
            return (mark + text[: found[0]] + block + tail + text[found[1] :]).encode()
        gap = gap_after(text, eol)
        return (mark + text + gap + block + eol).encode()

    def drop(self, data: bytes, existed: int | None = None) -> bytes:
        mark, text = decode(data)
        found = _span(text)
        if found is None:
            return data
        head, tail = text[: found[0]], text[found[1] :]
        blank = re.search(r"\n\r?\n\Z", head)
        if blank and (not tail or re.match(r"\r?\n", tail)):  # the empty line that we put before the block
            head = head[: blank.start() + 1]
        return (mark + head + tail).encode()

    def depth(self, data: bytes) -> int:
        return 0

    def blank(self, data: bytes) -> bool:
        return not decode(data)[1].strip()


def _span(text: str) -> tuple[int, int] | None:
    """Where our block is, its comments included. Raises `InstallError` where its end is missing."""
    begin = _BEGIN.search(text)
    if begin is None:
        return None
    end = _END.search(text, begin.end())
    following = _BEGIN.search(text, begin.end())
    if end is None or (following is not None and following.start() < end.start()):
        raise InstallError("the line <!-- zeroin end --> is missing")
    return begin.start(), end.end()


def _inside(block: str) -> str:
    return "\n".join(block.splitlines()[1:-1]).strip()
