"""Ignore files in git's pattern language: which paths they leave out.

Inside git, git itself applies `.gitignore`; `.ignore` and `.zeroinignore` are applied here on top, to tracked
files as well. They can only leave out: what git ignores stays ignored. In a plain folder all three are applied
here. `.zeroinignore` has the last word, then `.ignore`, then `.gitignore`; within one kind the deepest file
that has an opinion, within one file the last line that matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zeroin.corpus.globs import Rules

GIT_KINDS = (".zeroinignore", ".ignore")
FOLDER_KINDS = (".zeroinignore", ".ignore", ".gitignore")
MAX_IGNORE_BYTES = 200_000


class Ignores:
    """The ignore files of a tree; those of deeper folders may be added as they are found."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self._rules: dict[str, dict[str, Rules]] = {kind: {} for kind in kinds}
        self._longest = dict.fromkeys(kinds, 0)  # characters of the longest folder with such a file

    def __bool__(self) -> bool:
        return any(self._rules.values())

    def add(self, path: str, data: bytes) -> None:
        """Add the ignore file at `path` with its contents; a file whose name is no kind is passed over."""
        folder, _, name = path.rpartition("/")
        if not data or name not in self._rules:
            return
        from zeroin.corpus.globs import rules_of  # most trees have no such file

        text = data[:MAX_IGNORE_BYTES].decode("utf-8", "surrogateescape").removeprefix("\ufeff")
        lines = text.split("\n")
        if len(data) >= MAX_IGNORE_BYTES:
            del lines[-1]  # a cut pattern may match more than the whole one: `*` of `*.log`
        rules = rules_of(lines)
        if rules is not None:
            prefix = f"{folder}/" if folder else ""
            self._rules[name][prefix] = rules
            self._longest[name] = max(self._longest[name], len(prefix))

    def decide(self, path: str) -> str | None:
        """Return why a path (that of a folder ends in "/") is left out, "" if it is kept on purpose.

        None if no line matches it.
        """
        for kind, by_folder in self._rules.items():
            if not by_folder:
                continue
            # No deeper folder has such a file, and looking up each takes time quadratic in the path's length.
            at = path.rfind("/", 0, min(len(path) - 1, self._longest[kind]))
            while True:
                rules = by_folder.get(path[: at + 1])
                if rules is not None and (ignored := rules.decide(path[at + 1 :])) is not None:
                    return f"ignored by {kind}" if ignored else ""
                if at < 0:
                    break
                at = path.rfind("/", 0, at)
        return None


def folders_above(prefix: str) -> tuple[str, ...]:
    """Return the folders that contain `prefix`, from the top: "a/b/" gives "" and "a/"."""
    parts = prefix.split("/")[:-1]
    return tuple("".join(f"{part}/" for part in parts[:depth]) for depth in range(len(parts)))
