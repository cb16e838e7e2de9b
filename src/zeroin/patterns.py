"""Regular expressions compiled at their first use, lines that may match one, and paths as globs.

Most commands use few of our patterns, and most lines hold none of the words that a pattern needs.
"""

import re
from collections.abc import Iterator
from typing import Any, AnyStr, cast


class _LazyPattern:
    """A pattern that is compiled when a method of it is first asked for."""

    def __init__(self, text: Any, flags: int) -> None:
        self._given = (text, flags)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # a protocol, such as copying, looks for its hooks
            raise AttributeError(name)
        found = getattr(re.compile(*self._given), name)
        setattr(self, name, found)  # not asked again
        return found


def lazy_pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern for a constant of a module: as of `re.compile`, but compiled at its first use.

    Call the methods of what is returned; the functions of `re` do not take it.
    """
    return cast("re.Pattern[AnyStr]", _LazyPattern(text, flags))


_GLOB_MARKS = lazy_pattern(r"[*?\[\\]|^[#!]")


def literal(path: str) -> str:
    """Return a path as a glob of gitignore that means it as it stands: folders may be called `[id]`."""
    return _GLOB_MARKS.sub(r"\\\g<0>", path)


def lines_with(text: str, *words: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text that hold any of some words, with their numbers (1-based), in order."""
    starts: set[int] = set()
    for word in words:
        at = text.find(word)
        while at >= 0:
            starts.add(text.rfind("\n", 0, at) + 1)
            end = text.find("\n", at)
            at = text.find(word, end + 1) if end >= 0 else -1
    number, before = 1, 0
    for start in sorted(starts):
        number += text.count("\n", before, start)
        before = start
        end = text.find("\n", start)
        yield number, text[start:] if end < 0 else text[start:end]
