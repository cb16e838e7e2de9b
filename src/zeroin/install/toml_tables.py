"""Put a table into the text of a TOML file, or take it out; every other line stays as it is, byte for byte.

The text is cut by its lines, which is right for nearly every file but not for all: the caller has to parse the result.
"""

import re
from itertools import chain, pairwise

from zeroin.patterns import lazy_pattern

# Strings and comments come first, so that no header is looked for in one.
_HEADER = lazy_pattern(
    r'"""(?:[^\\]|\\.)*?(?:"""(?!")|\Z)|\'\'\'.*?(?:\'\'\'(?!\')|\Z)|"(?:[^"\\\n]|\\.)*+"?|\'[^\'\n]*+\'?|#[^\n]*+'
    r"|^[ \t]*+\[\[?(?P<name>[^\[\]\n#]++)\]\]?[ \t]*+(?=[#\r\n]|\Z)",
    re.DOTALL | re.MULTILINE,
)
_BLANK = lazy_pattern(r"\s*+(?:#[^\n]*+)?\s*+")


def with_table(text: str, path: tuple[str, ...], block: str, eol: str) -> str:
    """Return the text with `block` in the place of the table at `path`, or at the end where there is none.

    An empty `block` takes the table out.
    """
    parts = _parts(text, path)
    if not parts:
        return f"{text}{'' if text.endswith(eol) else eol}{eol}{block}" if text.strip() and block else text + block
    for start, end in reversed(parts[1:] if block else parts):
        text = _without(text[:start], text[end:], eol)
    start, end = parts[0]
    return text[:start] + block + text[end:] if block else text


def _without(head: str, tail: str, eol: str) -> str:
    """Join what is around a table that goes, with it the blank line before or after it."""
    if tail.startswith(eol) and not head:
        return tail.removeprefix(eol)
    ends = not tail or tail.startswith(eol)
    return (head.removesuffix(eol) if ends and head.endswith(eol * 2) else head) + tail


def _parts(text: str, path: tuple[str, ...]) -> list[tuple[int, int]]:
    """Return where the table at `path` and those below it begin and end, without what stands before the next header."""
    headers = [match for match in _HEADER.finditer(text) if match["name"]]
    starts = chain((match.start() for match in headers), (len(text),))
    found = []
    for match, (start, end) in zip(headers, pairwise(starts), strict=True):
        keys = tuple(key.strip(" \t\"'") for key in match["name"].split("."))
        if keys[: len(path)] == path:
            lines = text[start:end].splitlines(keepends=True)
            while _BLANK.fullmatch(lines[-1]):
                lines.pop()
            found.append((start, start + len("".join(lines))))
    return found
