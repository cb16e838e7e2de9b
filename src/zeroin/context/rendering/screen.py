"""What a terminal can show, and locations as links (OSC 8): a click opens the file, at its line if the terminal can.

A link is a `file://` URL whose path is percent-encoded byte by byte, so no name can end the sequence or say anything
to the terminal. The line is the fragment (`#12`), as kitty and editors read it; other programs ignore it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from zeroin.context.clean import path_text, raw_path
from zeroin.patterns import lazy_pattern

if TYPE_CHECKING:
    from rich.style import Style
    from rich.text import Text

Place = tuple[str, int | None]  # a path and a line of it

_COLOURS = lazy_pattern(r"\x1b\[[0-9;]*m")
_OPENED = lazy_pattern(r"\x1b\]8;id=[^;]*;([^\x1b]+)\x1b\\")


class Links(NamedTuple):
    """Links to the files below `root` (""; none); `host` says on which machine they are, "" for the one shown on."""

    root: str = ""
    host: str = ""

    def url(self, path: str, line: int | None = None) -> str:
        """Return the URL of a file, at a line if one is given."""
        whole = f"{self.root.replace(os.sep, '/').rstrip('/')}/{path}"
        encoded = quote(raw_path(whole), safe="/")
        drive = "" if encoded.startswith("/") else "/"  # file:///C%3A/…
        return f"file://{quote(self.host, safe='')}{drive}{encoded}{f'#{line}' if line else ''}"

    def style(self, path: str, line: int | None = None, *, bold: bool = False) -> Style:
        """Return how text that names this place is shown."""
        from rich.style import Style

        return Style(bold=bold or None, link=self.url(path, line) if self.root else None)

    def mark(self, text: Text, places: Iterable[Place]) -> Text:
        """Make each place that `text` names (`path` or `path:line`) a link; return `text`."""
        for path, line in places if self.root else ():
            if not path:
                continue
            number = f"(?::{line}(?!\\d))?" if line else ""
            named = f"(?<![\\w./-]){re.escape(path_text(path))}(?![\\w/-]){number}"
            for found in re.finditer(named, text.plain):
                text.stylize(self.style(path, line), *found.span())
        return text


class Screen(NamedTuple):
    """A width in columns, whether there are colours and other characters than ASCII, and links to click.

    `folds`: a path longer than the width goes on in the next row; in a file or a pipe it stays whole.
    """

    width: int = 100
    color: bool = False
    ascii_only: bool = False
    links: Links = Links()
    folds: bool = True


PLAIN = Screen(folds=False)


def normalise_links(text: str, color: bool) -> str:
    """Make a rendered text reproducible: number its links in order; without `color`, remove all other codes.

    Pieces of a folded path are one link, as they have the same number.
    """
    numbers: dict[str, int] = {}

    def numbered(match: re.Match[str]) -> str:
        return f"\x1b]8;id=z{numbers.setdefault(match[1], len(numbers) + 1)};{match[1]}\x1b\\"

    if not color:
        text = "\n".join(row.rstrip() for row in _COLOURS.sub("", text).split("\n"))
    return _OPENED.sub(numbered, text)
