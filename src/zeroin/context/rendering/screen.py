"""What a terminal can show."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from zeroin.context.rendering.links import Links


class Screen(NamedTuple):
    """A width in columns, whether there are colours and other characters than ASCII, and links to click."""

    width: int = 100
    color: bool = False
    ascii_only: bool = False
    links: Links | None = None


PLAIN = Screen()
