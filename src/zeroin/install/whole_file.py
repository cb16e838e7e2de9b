"""A file that is ours from the first byte to the last: of the skill, or a subagent definition.

It carries a stamp, the fingerprint of the rest of it, where no model reads it if that can be: as a comment in the
frontmatter of Markdown, else as a comment at the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from zeroin.install.editing import State, decode, fingerprint

_STAMP = re.compile(
    r"^(?:# zeroin: written by `zeroin install` \((\w+)\)|<!-- zeroin: written by `zeroin install` \((\w+)\) -->)\n",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class WholeFile:
    """The editor of a file whose content is `text`; `name` tells its form (.md, .toml)."""

    name: str
    text: str

    def fingerprint(self) -> str:
        return fingerprint(self._plain().encode())

    def state(self, data: bytes, written: str) -> State:
        if not data:
            return State.MISSING
        text, stamp = _unstamped(decode(data)[1].replace("\r\n", "\n"))
        if text == self._plain():
            return State.CURRENT
        return State.STALE if fingerprint(text.encode()) in (stamp, written) else State.EDITED

    def put(self, data: bytes) -> bytes:
        text, words = self._plain(), f"zeroin: written by `zeroin install` ({self.fingerprint()})"
        if text.startswith("---\n") and "\n---\n" in text[4:]:
            close = text.index("\n---\n", 4) + 1
            return f"{text[:close]}# {words}\n{text[close:]}".encode()
        comment = f"<!-- {words} -->" if self.name.endswith(".md") else f"# {words}"
        return f"{text}{comment}\n".encode()

    def drop(self, data: bytes, existed: int | None = None) -> bytes:
        return b"" if self.ours(data) else data

    def ours(self, data: bytes) -> bool:
        """Whether we wrote the file, whatever was done to it since."""
        return bool(_STAMP.search(decode(data)[1].replace("\r\n", "\n")))

    def depth(self, data: bytes) -> int:
        return 0

    def blank(self, data: bytes) -> bool:
        return not data

    def _plain(self) -> str:
        return self.text if self.text.endswith("\n") else self.text + "\n"


def _unstamped(text: str) -> tuple[str, str]:
    """The text without its stamp, and the stamp ("" where it has none)."""
    match = _STAMP.search(text)
    if match is None:
        return text, ""
    return text[: match.start()] + text[match.end() :], match[1] or match[2]
