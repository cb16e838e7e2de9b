"""The array file: what is saved is loaded, and damage is always noticed."""

import mmap
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from zeroin.errors import CacheError
from zeroin.index.arrays import StringTable, from_columns, in_parts, load, release, save, to_columns

KINDS = st.sampled_from(["u1", "i4", "i8", "u8", "u2", "f4", "f8", "?"])


def sample(path: Path) -> None:
    arrays = {"ids": np.arange(50, dtype=np.uint64), "grid": np.ones((3, 4), np.float32), "none": np.empty(0, np.int32)}
    save(path, arrays, {"tip": "abc", "n": 3})


@given(st.dictionaries(st.text(max_size=5), hnp.arrays(KINDS, hnp.array_shapes(min_dims=0, min_side=0)), max_size=4))
def test_load_after_save_is_identity(tmp_path_factory: pytest.TempPathFactory, arrays: dict[str, np.ndarray]) -> None:
    path = tmp_path_factory.mktemp("a") / "x.bin"
    save(path, arrays, {"k": ["v", 1]})
    got, meta = load(path)
    assert meta == {"k": ["v", 1]}
    assert list(got) == list(arrays)
    for name, array in arrays.items():
        assert got[name].dtype == array.dtype
        assert got[name].shape == array.shape
        assert got[name].tobytes() == array.tobytes()


def test_objects_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CacheError):
        save(tmp_path / "x", {"a": np.array(["text"])}, {})
    assert list(tmp_path.iterdir()) == []


def test_every_damaged_byte_and_every_cut_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "x"
    sample(path)
    whole = path.read_bytes()
    want = load(path)
    for at in range(0, len(whole), 3):
        path.write_bytes(whole[:at])
        with pytest.raises(CacheError):
            load(path)
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        try:
            got = load(path)
        except CacheError:
            continue
        assert got[1] == want[1]  # only padding may differ unnoticed
        assert all((got[0][name] == want[0][name]).all() for name in want[0])


@pytest.mark.parametrize("content", [b"", b"\0" * 10, b"ZEROINA1", b"ZEROINA1" + b"\xff" * 200, os.urandom(5000)])
def test_a_foreign_file_is_an_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(CacheError):
        load(tmp_path / "x")


def test_a_missing_file_and_an_unwritable_place_are_errors(tmp_path: Path) -> None:
    with pytest.raises(CacheError):
        load(tmp_path / "absent")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(CacheError):
        save(tmp_path / "file" / "x", {}, {})


def test_a_reader_keeps_the_file_that_was_replaced(tmp_path: Path) -> None:
    path = tmp_path / "x"
    save(path, {"a": np.arange(1000)}, {})
    old = load(path)[0]["a"]
    save(path, {"a": np.zeros(10, np.int64)}, {})
    assert old.tolist() == list(range(1000))
    assert [p.name for p in tmp_path.iterdir()] == ["x"]


def resident(array: NDArray[np.uint8]) -> int:
    """How many bytes of an array, in whole pages, this process has in memory."""
    first, size = array.__array_interface__["data"][0] // mmap.PAGESIZE, array.nbytes // mmap.PAGESIZE
    with Path("/proc/self/pagemap").open("rb") as file:
        file.seek(8 * first)
        entries = np.frombuffer(file.read(8 * size), np.uint64)
    return int((entries >> np.uint64(63)).sum()) * mmap.PAGESIZE


@pytest.mark.skipif(sys.platform != "linux", reason="where pages are seen in /proc")
def test_a_pass_over_a_mapped_array_keeps_little_of_it_in_memory(tmp_path: Path) -> None:
    given = np.random.default_rng(1).integers(0, 255, (40_000, 100), np.uint8)
    save(tmp_path / "x", {"grid": given}, {})
    grid = load(tmp_path / "x", verify=False)[0]["grid"]
    parts = in_parts(grid, 3_000)
    for at, part in parts:
        assert (part == given[at : at + 3_000]).all()
        assert resident(grid) < 1_500_000, "a part of 300 kB, and what the system maps around it"
    assert (grid == given).all()
    assert resident(grid) > 3_900_000
    release(grid[:20_000])
    assert resident(grid) < 2_500_000
    assert (grid == given).all(), "what was let go is read again"


@pytest.mark.parametrize("mapped", [False, True])
def test_an_array_of_no_file_stays_as_it_is(mapped: bool) -> None:
    given = np.arange(100_000, dtype=np.int32)
    array = np.frombuffer(mmap.mmap(-1, given.nbytes), np.int32) if mapped else given.copy()
    array[:] = given
    release(array)
    assert [at for at, part in in_parts(array, 30_000) if part[0] == at] == [0, 30_000, 60_000, 90_000]
    assert (array == given).all()


@given(st.lists(st.text(st.characters(exclude_categories=[]))))
def test_string_table_keeps_every_string(strings: list[str]) -> None:
    table = StringTable.pack(strings)
    assert table.tolist() == list(table) == strings
    assert [table[i] for i in range(len(table))] == strings
    with pytest.raises(IndexError):
        table[len(strings)]
    rows = list(range(len(strings)))[::-2]
    assert table.pick(rows) == table.take(np.array(rows, np.int64)).tolist() == [strings[row] for row in rows]
    run = np.arange(len(strings) // 2, len(strings))
    assert table.take(run).tolist() == strings[len(strings) // 2 :]


@dataclass(frozen=True)
class Sample:
    names: StringTable
    numbers: NDArray[np.int32]
    kind: str


@dataclass(frozen=True)
class Outer:
    sample: Sample
    grid: NDArray[np.float32]


def test_a_dataclass_is_columns_and_back(tmp_path: Path) -> None:
    sample = Sample(StringTable.pack(["a", "bc"]), np.arange(3, dtype=np.int32), "k")
    columns = to_columns(Outer(sample, np.ones((2, 2), np.float32)))
    assert set(columns) == {"sample.names.offsets", "sample.names.data", "sample.numbers", "grid"}
    save(tmp_path / "x", columns, {})
    loaded, _ = load(tmp_path / "x")
    back = from_columns(Outer, loaded, sample=from_columns(Sample, loaded, "sample.", kind="k"))
    assert list(back.sample.names) == ["a", "bc"] and back.sample.kind == "k"
    assert back.sample.numbers.tolist() == [0, 1, 2] and back.grid.shape == (2, 2)
    with pytest.raises(CacheError, match="missing"):
        from_columns(Sample, loaded, kind="k")
