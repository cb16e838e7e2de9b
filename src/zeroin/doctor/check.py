"""One thing that was looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warn", "bad"]


@dataclass(frozen=True, slots=True)
class Check:
    """What was found of one thing, and what to do about it.

    `bad` is what zeroin needs and does not have; `warn` costs quality, time or a surface. `advice` is one
    line, "" where there is nothing to do.
    """

    area: str
    name: str
    state: State
    told: str
    advice: str = ""
