"""Write and remove our text: a marked block in the user's Markdown, or a file that is all ours.

Each holds a fingerprint of its text: it distinguishes what the user edited from what an older zeroin wrote.
"""

import hashlib
import re
from dataclasses import dataclass

from zeroin.errors import InstallError
from zeroin.install.entries import State, decode, newline
from zeroin.patterns import lazy_pattern

_WRITTEN = "written by `zeroin install`"
_BEGIN = lazy_pattern(rf"^<!-- zeroin begin \((\w+)\): {_WRITTEN} -->[ \t]*\r?$", re.MULTILINE)
_END = lazy_pattern(r"^<!-- zeroin end -->[ \t]*(?:\r?\n|\r?\Z)", re.MULTILINE)
_STAMP = lazy_pattern(rf"^(?:# zeroin: {_WRITTEN} \((\w+)\)|<!-- zeroin: {_WRITTEN} \((\w+)\) -->)\n", re.MULTILINE)


def _fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class MarkdownBlock:
    """A block between two comments, at the end of the file unless it is there already."""

    text: str

    def state(self, data: bytes) -> State:
        text = decode(data)[1]
        begin, end = _block(text)
        if begin == end:
            return State.MISSING
        inside = "\n".join(text[begin:end].splitlines()[1:-1]).strip()
        if inside == self.text.strip():
            return State.CURRENT
        return State.STALE if f"({_fingerprint(inside)})" in text[begin:end].splitlines()[0] else State.EDITED

    def put(self, data: bytes) -> bytes:
        mark, text = decode(data)
        begin, end = _block(text)
        inside = self.text.strip()
        first = f"<!-- zeroin begin ({_fingerprint(inside)}): {_WRITTEN} -->"
        block = "\n".join([first, inside, "<!-- zeroin end -->", ""]).replace("\n", newline(text))
        head = text[:begin]
        if begin == end and head:
            head = head.rstrip("\r\n") + newline(text) * 2
        return (mark + head + block + text[end:]).encode()

    def drop(self, data: bytes) -> bytes | None:
        mark, text = decode(data)
        begin, end = _block(text)
        if begin == end:
            return data
        head, tail = text[:begin].rstrip("\r\n"), text[end:]
        rest = (head + newline(text) if head else "") + tail
        return (mark + rest).encode() if rest.strip() else None


def _block(text: str) -> tuple[int, int]:
    """Return begin and end of our block with its comments; the text's end twice without one. Raises `InstallError`."""
    begin = _BEGIN.search(text)
    if begin is None:
        return len(text), len(text)
    end, again = _END.search(text, begin.end()), _BEGIN.search(text, begin.end())
    if end is None or (again is not None and again.start() < end.start()):
        raise InstallError("the line <!-- zeroin end --> is missing")
    return begin.start(), end.end()


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file of the skill, or a subagent; `name` says its form (.md, .toml).

    The fingerprint is a comment: in the frontmatter of Markdown, else at the end, out of the model's way.
    """

    name: str
    text: str

    def state(self, data: bytes) -> State:
        if not data:
            return State.MISSING
        text = decode(data)[1].replace("\r\n", "\n")
        stamp, bare = _STAMP.search(text), _STAMP.sub("", text, count=1)
        if bare == self.text:
            return State.CURRENT
        return State.STALE if stamp and _fingerprint(bare) in stamp.groups() else State.EDITED

    def put(self, data: bytes) -> bytes:
        words = f"zeroin: {_WRITTEN} ({_fingerprint(self.text)})"
        if self.text.startswith("---\n") and (close := self.text.find("\n---\n", 4) + 1):
            return f"{self.text[:close]}# {words}\n{self.text[close:]}".encode()
        comment = f"<!-- {words} -->" if self.name.endswith(".md") else f"# {words}"
        return f"{self.text}{comment}\n".encode()

    def drop(self, data: bytes) -> bytes | None:
        """Return None for a file that we wrote, edited since or not; the user's own file stays."""
        return None if self.state(data) is State.CURRENT or _STAMP.search(decode(data)[1]) else data
