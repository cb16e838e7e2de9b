"""What a terminal can show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zeroin.context.rendering.links import Links


@dataclass(frozen=True, slots=True)
class Screen:
    """A width in columns, whether there are colours and other characters than ASCII, and links to click."""

    width: int = 100
    color: bool = False
    ascii_only: bool = False
    links: Links | None = None


PLAIN = Screen()
