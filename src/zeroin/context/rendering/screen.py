"""What a terminal can show."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from zeroin.context.rendering.links import Links


class Screen(NamedTuple):
    """A width in columns, whether there are colours and other characters than ASCII, and links to click.

    `folds`: a path longer than the width goes on in the next row; in a file or a pipe it stays whole.
    """

    width: int = 100
    color: bool = False
    ascii_only: bool = False
    links: Links | None = None
    folds: bool = True


PLAIN = Screen(folds=False)
