"""What lies in a place of shared facts and cannot be read costs bounded time, and nothing else."""

import os
import time
from pathlib import Path

import msgspec
import pytest

from tests.repositories import commit, repository
from tests.unit.index.shared_facts import FILES, folder_in, taken_from
from zeroin.errors import CacheError
from zeroin.index import places, sharing
from zeroin.kept_indexes import build_index, export_facts


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop", FILES)


@pytest.fixture
def place(shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the facts of the shop; nothing of it is in the cache any more."""
    monkeypatch.delenv("ZEROIN_FACTS", raising=False)
    monkeypatch.setattr(sharing, "_resting", {})
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "first"))
    build_index(shop, jobs=1)
    assert export_facts(shop, str(tmp_path / "place")) == len(FILES)
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "second"))
    return tmp_path / "place"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name on this system")
@pytest.mark.parametrize("name", ["a" * 64, "list"])
def test_a_pipe_in_a_place_is_not_waited_for(shop: Path, place: Path, name: str) -> None:
    folder = folder_in(place)
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    commit(shop, {"more.py": "x = 1\n"})
    began = time.monotonic()
    if name == "list":
        assert "no regular file" in taken_from(str(place), shop)[1][0]
        with pytest.raises(CacheError, match="no regular file"):
            export_facts(shop, str(place))
    else:
        assert taken_from(str(place), shop) == (1, ())
        assert export_facts(shop, str(place)) == 1
    assert time.monotonic() - began < 8


def test_bundles_that_cannot_be_read_are_waited_for_once(
    shop: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many they are, so long as a place may be waited for; what is whole is listed all the same."""
    monkeypatch.setattr(sharing, "_LISTING_S", 1.0)
    hanging = [str(number) * 64 for number in range(3)]
    for name in hanging:
        (folder_in(place) / name).write_bytes(b"junk")
    (folder_in(place) / "list").unlink()
    read, asked = places._Folder.read, list[str]()

    def slow(self: places._Folder, name: str, most: int, until: float) -> bytes:
        asked.append(name)
        if name in hanging:
            time.sleep(6)
        return read(self, name, most, until)

    monkeypatch.setattr(places._Folder, "read", slow)
    commit(shop, {"more.py": "x = 1\n"})
    build_index(shop, jobs=1)
    began = time.monotonic()
    assert export_facts(shop, str(place)) == 1
    assert time.monotonic() - began < 5
    assert sorted(name for name in asked if name in hanging) == hanging
    assert len(msgspec.msgpack.decode((folder_in(place) / "list").read_bytes())) == 2
