"""git's ignore patterns as regular expressions that do not backtrack exponentially.

A pattern is cut at its stars. The part between two stars may match at its first occurrence, since that leaves the most
text for the rest: an atomic group keeps the matcher from trying later ones (as in CPython's `fnmatch`). The same holds
for the folders between two `**`.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from zeroin.patterns import lazy_pattern

MAX_LINE = 1_000  # characters of a pattern; longer ones are ignored, like malformed ones

_ANYWHERE, _TO_THE_END = "(?:.*/)?", r"(?:/|\Z)"
_TOKEN = lazy_pattern(
    r"(?P<stars>\*+)|\?|\\(?P<escaped>.)|\[(?P<negated>[!^]?)(?P<set>\]?(?:\[:\w+:\]|\\.|[^]\\])*+)\]|(?P<plain>[^*?\\[]+)",
    re.S,
)
_MEMBER = lazy_pattern(r"\[:(?P<named>\w+):\]|\\?(?P<low>.)-\\?(?P<high>.)|\\?(?P<one>.)", re.S)
_NAMED = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": " \\t-\\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


class Rules(NamedTuple):
    """The rules of one ignore file, the last line first: whether each ignores (`!`: not), and its expression."""

    any_line: re.Pattern[str]
    lines: tuple[tuple[bool, str], ...]  # compiled when one of them is known to match

    def decide(self, path: str) -> bool | None:
        """Whether the last rule that matches a path or a folder above it ignores it; None if no rule matches."""
        if not self.any_line.match(path):
            return None
        return next((leaves_out for leaves_out, line in self.lines if _compiled(line).match(path)), None)


def rules_of(lines: Iterable[str]) -> Rules | None:
    """Return the rules of an ignore file's lines; None where no line is a rule."""
    found = [rule for line in lines if (rule := expression_of(line)) is not None]
    if not found:
        return None
    floating = [each.removeprefix(_ANYWHERE) for _, each in found if each.startswith(_ANYWHERE)]
    fixed = [each for _, each in found if not each.startswith(_ANYWHERE)]
    any_line = "|".join([*fixed, f"{_ANYWHERE}(?:{'|'.join(floating)})"] if floating else fixed)
    return Rules(re.compile(any_line, re.S), tuple(reversed(found)))


@lru_cache(maxsize=1 << 12)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.S)


def expression_of(line: str) -> tuple[bool, str] | None:
    """Return whether a line ignores what it matches, and its expression from the root; None where it is no rule."""
    text = _trimmed(line)
    leaves_out = not text.startswith("!")
    text = text if leaves_out else text[1:]
    is_folder = text.endswith("/")
    text = text.removesuffix("/")
    parts = text.removeprefix("/").split("/")
    if not text or (text.startswith("#") and leaves_out) or len(text) > MAX_LINE or "" in parts:
        return None
    groups: list[list[str]] = [[]] if "/" in text else [[], []]  # the folders between two `**`
    for part in parts:
        if len(part) > 1 and not part.strip("*"):
            groups += [[]] if groups[-1] or len(groups) == 1 else []
        elif (written := _segment(part)) is not None:
            groups[-1].append(written)
        else:
            return None
    return leaves_out, _joined(["/".join(group) for group in groups], is_folder)


def _joined(groups: list[str], is_folder: bool) -> str:
    first, *others = groups
    end = "/" if is_folder else _TO_THE_END
    if not others:
        return first + end
    out = f"{first}/" if first else ""
    out += "".join(f"(?>(?:.*?/)??{group}/)" for group in others[:-1])
    if not others[-1]:  # `**` at the end: everything below
        return out + ("[^/]++/" if is_folder else ".")
    return f"{out}{_ANYWHERE}{others[-1]}{end}"


def _segment(text: str) -> str | None:
    """Return the expression of a pattern between two slashes; None for a malformed one, such as an open bracket."""
    if text == "*":
        return "[^/]++"
    chunks, at = [""], 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            return None
        at = token.end()
        if token["stars"]:
            chunks.append("")
        elif token["set"] is not None:
            members = _members(token["set"])
            if members is None:
                return None
            chunks[-1] += f"[^/{members}]" if token["negated"] else f"(?!/)[{members}]" if members else "(?!)"
        else:
            chunks[-1] += re.escape(token["plain"] or token["escaped"] or "") or "[^/]"
    first, *others = chunks
    if not others:
        return first
    middle = "".join(f"(?>[^/]*?{chunk})" for chunk in others[:-1])
    return first + middle + (f"[^/]*{others[-1]}" if others[-1] else "[^/]*+")


def _members(text: str) -> str | None:
    """Translate the members of a bracket for `re`; None where a character class is unknown."""
    out = ""
    for member in _MEMBER.finditer(text):
        if member["named"]:
            if member["named"] not in _NAMED:
                return None
            out += _NAMED[member["named"]]
        elif member["low"]:
            low, high = member["low"], member["high"]
            out += _escaped(low) + (f"-{_escaped(high)}" if low <= high else "")
        else:
            out += _escaped(member["one"])
    return out


def _escaped(character: str) -> str:
    return f"\\{character}" if character in "\\]^-[&~|" else character


def _trimmed(line: str) -> str:
    """Return a line without blanks at its end, except one after a backslash."""
    line = line.removesuffix("\r")
    text = line.rstrip(" ")
    kept = len(text) < len(line) and (len(text) - len(text.rstrip("\\"))) % 2
    return f"{text} " if kept else text
