"""Repositories that are kept for the final measurement: never fetched, mined, trained on or looked at."""

from collections.abc import Iterable
from pathlib import Path

LIST = Path(__file__).with_name("held_out.txt")


class HeldOutError(Exception):
    """A repository of the list was asked for."""


def held_out() -> frozenset[str]:
    """Names of the list in lower case: `owner/name`, or a name alone, which holds for every owner."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return frozenset(line.strip().lower() for line in lines if line.strip() and not line.startswith("#"))


def refuse(names: Iterable[str]) -> None:
    """Raises HeldOutError if any of the repositories (`owner/name`) is held out."""
    kept = held_out()
    refused = sorted(name for name in names if {name.lower(), name.rpartition("/")[2].lower()} & kept)
    if refused:
        raise HeldOutError(f"held out, never to be mined: {', '.join(refused)}")
