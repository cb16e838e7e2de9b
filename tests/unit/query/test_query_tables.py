"""The tables of the query room: every pattern compiles."""

from pathlib import Path

import pytest

import zeroin.query
from zeroin.query.tables import Table

NAMES = sorted(path.stem for path in Path(zeroin.query.__path__[0]).glob("*.toml"))
PARTS = {"before", "after", "start", "word", "text", "any"}


@pytest.mark.parametrize("name", NAMES)
def test_every_pattern_compiles(name: str) -> None:
    table = Table(name)
    patterns = [key for key, entry in table.data.items() if isinstance(entry, dict) and set(entry) <= PARTS]
    assert all("<<" not in table.pattern(key).pattern for key in patterns)
    assert patterns or name in ("names", "languages")
