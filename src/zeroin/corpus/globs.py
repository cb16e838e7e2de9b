"""git's ignore patterns as regular expressions whose time grows with the path, not with what could be tried.

A pattern is cut at its stars. What stands between two of them may as well match where it first can, since that leaves
the most for the rest (as in CPython's `fnmatch`): it is looked for in an atomic group, once. The same holds for the
folders between two `**`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from zeroin.patterns import lazy_pattern

MAX_LINE = 1_000  # characters of a pattern; longer ones are passed over, as broken ones are

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
    """The lines of one ignore file: whether each leaves out, and its expression, the last line first."""

    any_line: re.Pattern[str]
    lines: tuple[tuple[bool, str], ...]  # compiled when one of them is known to match

    def decide(self, path: str) -> bool | None:
        """Return what the last line says that matches a path, or a folder on the way to it; None if none does."""
        if not self.any_line.match(path):
            return None
        return next((leaves_out for leaves_out, line in self.lines if _compiled(line).match(path)), None)


def rules_of(lines: Iterable[str]) -> Rules | None:
    """Return the rules of lines; None where none of them says anything."""
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
    """Whether a line leaves out what it matches, and its expression from the start of a path; None where it is none."""
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
    if not others[-1]:  # what lies below
        return out + ("[^/]++/" if is_folder else ".")
    return f"{out}{_ANYWHERE}{others[-1]}{end}"


def _segment(text: str) -> str | None:
    """The expression of what stands between two slashes; None for a bracket without its end and the like."""
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
    """What a bracket holds, for a bracket of Python's; None where a class has no known name."""
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
    """A line without blanks at its end, unless a backslash keeps one."""
    line = line.removesuffix("\r")
    text = line.rstrip(" ")
    kept = len(text) < len(line) and (len(text) - len(text.rstrip("\\"))) % 2
    return f"{text} " if kept else text
