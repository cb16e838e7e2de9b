"""What works on this machine, and what to do about what does not: `zeroin doctor`."""

from __future__ import annotations

from pathlib import Path

from zeroin.doctor.agents import agents
from zeroin.doctor.check import Check, State
from zeroin.doctor.machine import machine
from zeroin.doctor.parts import parts
from zeroin.doctor.repository import repository
from zeroin.doctor.storage import storage

__all__ = ["Check", "State", "examine", "works"]


def examine(path: str | Path = ".") -> list[Check]:
    """Every check, by area; nothing is repaired, built or written, but for a probe file that is removed again."""
    return [*machine(), *parts(), *storage(), *repository(path), *agents(path)]


def works(checks: list[Check]) -> bool:
    """Whether all that zeroin needs is there: nothing is broken, whatever is warned of."""
    return not any(check.state == "bad" for check in checks)
