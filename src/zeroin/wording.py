"""How counts and lists are put into words, in every sentence that quotes more than one thing."""

from collections.abc import Sequence


def counted(count: int, noun: str) -> str:
    """`1 commit`, `2 commits`, `1,234 repositories`."""
    several = f"{noun[:-1]}ies" if noun.endswith("ry") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else several}"


def first_of(names: Sequence[str], most: int, between: str = ", ") -> str:
    """List the first `most` of some names, and say how many more there are."""
    left = len(names) - most
    return between.join(names[:most]) + (f" and {left} more" if left > 0 else "")
