"""Ignore files in git's pattern language: which paths they leave out.

Inside git, git itself applies `.gitignore`; `.ignore` and `.zeroinignore` are applied here on top, to tracked
files as well. They can only leave out: what git ignores stays ignored. In a plain folder all three are applied
here. `.zeroinignore` has the last word, then `.ignore`, then `.gitignore`; within one kind the deepest file
that has an opinion, within one file the last line that matches.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from zeroin.patterns import lazy_pattern

GIT_KINDS = (".zeroinignore", ".ignore")
FOLDER_KINDS = (".zeroinignore", ".ignore", ".gitignore")
MAX_IGNORE_BYTES = 1_000_000

_NAMED_GROUP = lazy_pattern(r"\(\?P<\w+>")  # may not occur twice in one alternation


class Verdict(NamedTuple):
    """The decision of an ignore file on a path: left out or kept on purpose, and the kind of file that decides."""

    ignored: bool
    kind: str


class _Rules(NamedTuple):
    any_line: re.Pattern[str]
    lines: tuple[tuple[bool, str], ...]  # last line first; compiled when one of them is known to match

    def decide(self, path: str) -> bool | None:
        if not self.any_line.match(path):
            return None
        return next((ignored for ignored, pattern in self.lines if _compiled(pattern).match(path)), None)


@lru_cache(maxsize=1 << 12)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.S)


def _compile(data: bytes) -> _Rules | None:
    from pathspec import GitIgnoreSpec

    found: list[tuple[bool, str]] = []
    text = data[:MAX_IGNORE_BYTES].decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    for line in text.splitlines():
        try:
            patterns = list(GitIgnoreSpec.from_lines([line]).patterns)
        except (ValueError, re.error):
            continue  # git passes over a broken line, too
        for pattern in patterns:
            if pattern.include is not None and pattern.regex is not None:
                found.append((pattern.include, _NAMED_GROUP.sub("(?:", pattern.regex.pattern)))
    if not found:
        return None
    any_line = re.compile("|".join(f"(?:{pattern})" for _, pattern in found), re.S)
    return _Rules(any_line, tuple(reversed(found)))


class Ignores:
    """The ignore files of a tree; those of deeper folders may be added as they are found."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self._rules: dict[str, dict[str, _Rules]] = {kind: {} for kind in kinds}

    def __bool__(self) -> bool:
        return any(self._rules.values())

    def add(self, path: str, data: bytes) -> None:
        """The ignore file at `path`, whose name is its kind, with its contents; another file changes nothing."""
        folder, _, name = path.rpartition("/")
        rules = _compile(data) if name in self._rules else None
        if rules is not None:
            self._rules[name][f"{folder}/" if folder else ""] = rules

    def decide(self, path: str) -> Verdict | None:
        """Return the verdict on a path (that of a folder ends in "/"), None if no line matches it."""
        for kind, by_folder in self._rules.items():
            if not by_folder:
                continue
            at = path.rfind("/", 0, len(path) - 1)
            while True:
                rules = by_folder.get(path[: at + 1])
                if rules is not None and (ignored := rules.decide(path[at + 1 :])) is not None:
                    return Verdict(ignored, kind)
                if at < 0:
                    break
                at = path.rfind("/", 0, at)
        return None


def folders_above(prefix: str) -> tuple[str, ...]:
    """Return the folders that contain `prefix`, from the top: "a/b/" gives "" and "a/"."""
    parts = prefix.split("/")[:-1]
    return tuple("".join(f"{part}/" for part in parts[:depth]) for depth in range(len(parts)))
