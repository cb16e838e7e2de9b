"""The word table's file: save and load is identity, damage is named, the shipped one holds what its card says."""

from pathlib import Path

import pytest

from zeroin.errors import ModelError
from zeroin.models.words import SHIPPED, Follower, WordTable, read_words, word_table

ROWS = {
    "limit": [Follower("throttl", 0.8, 6), Follower("burst", 0.4, 300)],
    "auth": [Follower("limit", 1.0, 5)],
}


def test_load_is_the_inverse_of_save(tmp_path: Path) -> None:
    WordTable.pack(ROWS, {"repositories": 3}).save(tmp_path / "w.npz")
    table = read_words(tmp_path / "w.npz")
    assert table.card == {"repositories": 3}
    assert [(f.term, f.repositories) for f in table.following("limit")] == [("throttl", 6), ("burst", 255)]
    assert table.following("limit")[0].weight == pytest.approx(0.8, abs=0.005)
    assert table.following("auth")[0].term == "limit"
    assert table.following("throttl") == table.following("nowhere") == []


def test_an_empty_table(tmp_path: Path) -> None:
    WordTable.pack({}).save(tmp_path / "w.npz")
    assert read_words(tmp_path / "w.npz").following("") == []


def test_what_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "w.npz").write_bytes(b"rubbish")
    with pytest.raises(ModelError, match="not a word table"):
        read_words(tmp_path / "w.npz")
    with pytest.raises(ModelError):
        read_words(tmp_path / "none.npz")


def test_the_shipped_table() -> None:
    table = word_table()
    assert SHIPPED.stat().st_size <= 600_000
    assert int(str(table.card["repositories"])) >= 150
    assert len(table.pointers) - 1 == table.card["words"]
    assert len(table.followers) == table.card["pairs"]
    assert "throttl" in {f.term for f in table.following("limit")}
    assert all(f.repositories >= int(str(table.card["support"])) for f in table.following("authent"))
