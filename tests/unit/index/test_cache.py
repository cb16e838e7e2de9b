"""The cache as a whole, and moving an index: a file from elsewhere adds nothing unless all of it is sound."""

from __future__ import annotations

import json
import os
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from test_store import facts, key, put, same

from zeroin.errors import CacheError
from zeroin.index import arrays, cache
from zeroin.index.cache import cache_size, clear, export_index, import_index, prune, usage
from zeroin.index.database import file_name
from zeroin.index.store import Store
from zeroin.models.encoder import encoder
from zeroin.parsing.facts import Facts
from zeroin.parsing.passages import MAX_PASSAGES

DAY = 86_400


def fill(directory: Path, identity: str, count: int, *, used: float | None = None) -> Path:
    with Store.open(identity, directory=directory) as store:
        put(store, range(count))
        path = store.path_for("snapshot.bin")
        assert path is not None
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(bytes(10_000))
    file = directory / f"{file_name(identity)}.sqlite3"
    if used is not None:
        os.utime(file, (used, used))
    return file


def test_nothing_cached(tmp_path: Path) -> None:
    assert (
        cache_size(tmp_path / "absent")
        == clear(tmp_path / "absent")
        == prune(0, 0, directory=tmp_path / "no")
        == 0
    )
    assert usage(tmp_path / "absent") == []


def test_size_usage_and_clear(tmp_path: Path) -> None:
    fill(tmp_path, "git:/a/one/.git", 20, used=1_000)
    fill(tmp_path, "git:/a/two/.git", 5, used=2_000)
    found = usage(tmp_path)
    assert [u.name.rpartition("-")[0] for u in found] == ["two", "one"]
    assert [u.used for u in found] == [2_000, 1_000]
    assert sum(u.size for u in found) == cache_size(tmp_path) > 20_000
    size = cache_size(tmp_path)
    assert clear(tmp_path) == size
    assert cache_size(tmp_path) == 0


def test_only_our_own_files_are_removed(tmp_path: Path) -> None:
    fill(tmp_path, "repo", 5)
    others = [
        tmp_path / n for n in ("mine.sqlite3", "notes.txt", ".x.tmp", "old.set-aside", "data.arrays/a.bin")
    ]
    for path in others:
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine")
    outside = tmp_path.parent / "outside"
    outside.mkdir(exist_ok=True)
    (outside / "keep").write_text("mine")
    (tmp_path / f"{file_name('gone')}.arrays").symlink_to(outside)
    clear(tmp_path)
    prune(0, 0, directory=tmp_path)
    assert all(path.read_text() == "mine" for path in [*others, outside / "keep"])
    assert usage(tmp_path) == []


def test_prune_by_age_then_by_size(tmp_path: Path) -> None:
    now = 2_000_000_000.0
    for n, age in enumerate((1, 5, 40)):
        fill(tmp_path, f"r{n}", 10, used=now - age * DAY)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache.time, "time", lambda: now)
        assert prune(directory=tmp_path) == 0
        assert prune(max_age_days=30, directory=tmp_path) > 0
        assert len(usage(tmp_path)) == 2
        prune(max_bytes=usage(tmp_path)[0].size, directory=tmp_path)
        assert [u.name for u in usage(tmp_path)] == [file_name("r0")]
        prune(max_bytes=0, directory=tmp_path)
        assert cache_size(tmp_path) == 0


def test_prune_sweeps_what_was_left_behind(tmp_path: Path) -> None:
    file = fill(tmp_path, "repo", 3)
    arrays = file.with_suffix(".arrays")
    aside = file.with_name(file.name + ".set-aside")
    aside.write_bytes(b"x" * 500)
    left = arrays / ".h.0123456789abcdef.zeroin-tmp"  # by a killed writer: nobody holds its lock
    left.write_bytes(b"x")
    os.utime(left, (1, 1))  # old enough where there are no locks
    orphan = tmp_path / f"{file_name('gone')}.arrays"
    orphan.mkdir()
    (orphan / "snapshot.bin").write_bytes(b"x")
    prune(directory=tmp_path)
    assert not aside.exists()
    assert not left.exists()
    assert not orphan.exists()
    assert file.exists()


def test_an_export_is_imported_whole(tmp_path: Path) -> None:
    fill(tmp_path / "a", "here", 30)
    assert export_index("here", tmp_path / "x.zeroin", directory=tmp_path / "a") == 30
    with Store.open("there", directory=tmp_path / "b") as store:
        store.put_facts({key(1): facts(777).encode()})
    assert import_index(tmp_path / "x.zeroin", "there", directory=tmp_path / "b") == 30
    with Store.open("there", directory=tmp_path / "b") as store:
        got = store.facts([key(i) for i in range(30)])
        assert same(got.pop(key(1)), facts(777))  # what was known here stays
        assert all(same(got[key(i)], facts(i)) for i in range(30) if i != 1)
    assert [p.name for p in tmp_path.iterdir() if p.is_file()] == ["x.zeroin"]


def test_export_of_nothing_and_into_nowhere(tmp_path: Path) -> None:
    with pytest.raises(CacheError, match="no index"):
        export_index("never", tmp_path / "x", directory=tmp_path)
    fill(tmp_path, "here", 1)
    (tmp_path / "file").write_text("")
    with pytest.raises(CacheError, match="cannot be written"):
        export_index("here", tmp_path / "file" / "x", directory=tmp_path)


def test_import_into_an_index_that_cannot_be_written(tmp_path: Path) -> None:
    fill(tmp_path / "a", "here", 3)
    export_index("here", tmp_path / "x", directory=tmp_path / "a")
    (tmp_path / "file").write_text("")
    with pytest.raises(CacheError):
        import_index(tmp_path / "x", "there", directory=tmp_path / "file")
    with pytest.raises(CacheError, match="cannot be read"):
        import_index(tmp_path / "absent", "there", directory=tmp_path / "b")


def sealed(rows: list[tuple[bytes, bytes, bytes]], **meta: object) -> bytes:
    """An export with valid checksums around anything at all."""
    columns = {}
    for name, parts in zip(("blobs", "languages", "facts"), zip(*rows, strict=True), strict=False):
        columns[f"{name}.data"] = np.frombuffer(b"".join(parts), np.uint8)
        columns[f"{name}.offsets"] = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    columns["facts"], columns["offsets"] = columns.pop("facts.data"), columns.pop("facts.offsets")
    return saved(columns, **meta)


def saved(columns: dict[str, NDArray[Any]], **meta: object) -> bytes:
    with TemporaryDirectory() as folder:
        arrays.save(Path(folder) / "x", columns, {"kind": "index", "versions": cache._VERSIONS, **meta})
        return (Path(folder) / "x").read_bytes()


GOOD = (b"a" * 40, b"python", facts(1).encode())


def packed(head: object, tail: bytes = b"") -> bytes:
    data = json.dumps(head).encode()
    return zlib.compress(len(data).to_bytes(4, "little") + data + tail)


HEAD = ["python", 1, 1, "text", 0, 0, "", 0, 0, 0, 0, [], []]
LINES = 100  # of the file that `passages` are of


def changed(at: int, value: object) -> bytes:
    return packed([*HEAD[:at], value, *HEAD[at + 1 :]])


def passages(
    *spans: tuple[int, int], rows: int | None = None, width: int | None = None, dimensions: int | None = None
) -> bytes:
    """Facts with passages of these first and last lines; `rows` and `width` are what the header says of vectors."""
    true = encoder().dimensions if dimensions is None else dimensions
    shape = [len(spans) if rows is None else rows, true if width is None else width]
    body = np.array(spans, "<u4").tobytes() + bytes(len(spans) * true)
    return packed([*HEAD[:2], LINES, *HEAD[3:9], *shape, [], []], body)


def python(data: bytes) -> bytes:
    return sealed([(b"a" * 40, b"python", data)])


COLUMNS: dict[str, NDArray[Any]] = {
    "blobs.data": np.frombuffer(GOOD[0], np.uint8),
    "blobs.offsets": np.array([0, 40]),
    "languages.data": np.frombuffer(GOOD[1], np.uint8),
    "languages.offsets": np.array([0, 6]),
    "facts": np.frombuffer(GOOD[2], np.uint8),
    "offsets": np.array([0, len(GOOD[2])]),
}
MANY = MAX_PASSAGES + 1
TOO_MANY = np.array([(n, n) for n in range(1, MANY + 1)], "<u4").tobytes() + bytes(
    MANY * encoder().dimensions
)

HOSTILE = {
    "path as blob": sealed([(b"../../../../etc/passwd".ljust(40, b"x"), b"python", GOOD[2])]),
    "short blob": sealed([(b"ab", b"python", GOOD[2])]),
    "language": sealed([(b"a" * 40, b"../x", GOOD[2])]),
    "wrong language": sealed([(b"a" * 40, b"go", GOOD[2])]),
    "no facts": sealed([(b"a" * 40, b"python", b"junk")]),
    "good then bad": sealed([GOOD, (b"b" * 40, b"python", b"junk")]),
    "bomb": sealed([(b"a" * 40, b"python", zlib.compress(bytes(cache.MAX_DECODED_BYTES + 1), 1))]),
    "deep json": sealed(
        [(b"a" * 40, b"python", zlib.compress((50_000).to_bytes(4, "little") + b"[" * 50_000))]
    ),
    "list as path": sealed([(b"a" * 40, b"python", changed(6, ["x"]))]),
    "size below 0": sealed([(b"a" * 40, b"python", changed(1, -1))]),
    "huge line": sealed([(b"a" * 40, b"python", changed(11, [["f", "function", 1, 2**70, ""]]))]),
    "name is a number": sealed([(b"a" * 40, b"python", changed(11, [[5, "function", 1, 2, ""]]))]),
    "import of nothing": sealed([(b"a" * 40, b"python", changed(12, [["m", None, 1]]))]),
    "negative count": sealed([(b"a" * 40, b"python", changed(7, -1))]),
    "unsorted ids": sealed(
        [(b"a" * 40, b"python", packed([*HEAD[:8], 2, 0, 0, [], []], (5).to_bytes(8, "little") * 2))]
    ),
    "lines as counts": python(changed(7, [])),
    "names below 0": python(changed(8, -1)),
    "passages below 0": python(changed(9, -1)),
    # 8 bytes for its lines and minus 8 for its vector: the sum is right.
    "lengths that cancel out": python(packed([*HEAD[:9], 1, -8, [], []])),
    "dimensions below 0": python(changed(10, -1)),
    "true passages": python(changed(9, True)),
    "vectors of no passage": python(changed(10, encoder().dimensions + 1)),
    "wide vectors of no passage": python(changed(10, 2**80)),
    "passage in line 0": python(passages((0, 5))),
    "passage backwards": python(passages((9, 8))),
    "passage of 32 bits": python(passages((1, 2**32 - 1))),
    "passage behind the end": python(passages((1, LINES + 1))),
    "passages that overlap": python(passages((1, 20), (20, 40))),
    "passages out of order": python(passages((50, 60), (1, 20))),
    "second passage in line 0": python(passages((1, 20), (0, 40))),
    "too many passages": python(
        packed([*HEAD[:2], 10**6, *HEAD[3:9], MANY, encoder().dimensions, [], []], TOO_MANY)
    ),
    "more passages than vectors": python(passages((1, 20), (21, 40), rows=1)),
    "more vectors than passages": python(passages((1, 20), rows=2)),
    "fewer dimensions than bytes": python(passages((1, 20), width=encoder().dimensions - 1)),
    "another encoder": python(passages((1, 20), dimensions=encoder().dimensions // 2)),
    "no dimensions": python(passages((1, 20), dimensions=0)),
    "cancelling lies": python(passages((1, 20), (21, 40), rows=1, width=2 * encoder().dimensions + 8)),
    "trailing data": sealed([(b"a" * 40, b"python", GOOD[2] + b"more")]),
    "snapshot": sealed([GOOD], kind="snapshot"),
    "newer": sealed([GOOD], versions=[cache.EXPORT_VERSION + 1, 1, 1]),
    "strange versions": sealed([GOOD], versions={"a": 1}),
    "nothing": saved({}),
    "numbers as text": saved({**COLUMNS, "blobs.data": np.ones(40)}),
    "overlapping texts": saved({**COLUMNS, "blobs.offsets": np.array([40, 0])}),
    "ends as floats": saved({**COLUMNS, "offsets": np.array([0.0, 1.0])}),
    "no ends": saved({**COLUMNS, "offsets": np.empty(0, np.int64)}),
    "a grid of ends": saved({**COLUMNS, "offsets": np.zeros((2, 2), np.int64)}),
    "facts behind the end": saved({**COLUMNS, "offsets": np.array([0, 10**9])}),
    "empty": b"",
    "foreign": b"PK\x03\x04" + bytes(100),
    "database": b"SQLite format 3\0" + bytes(100),
    "cut": sealed([GOOD])[:-32],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_adds_nothing(tmp_path: Path, name: str) -> None:
    (tmp_path / "x").write_bytes(HOSTILE[name])
    with pytest.raises(CacheError):
        import_index(tmp_path / "x", "there", directory=tmp_path / "b")
    with Store.open("there", directory=tmp_path / "b") as store:
        assert list(store.encoded_facts()) == []
        assert store.warnings == []
    assert {p.name for p in tmp_path.iterdir()} <= {"x", "b"}


def test_the_sealing_used_above_is_right(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(
        sealed(
            [
                GOOD,
                (b"b" * 64, b"", GOOD[2]),
                (b"c" * 40, b"python", packed(HEAD)),
                (b"d" * 40, b"python", changed(10, encoder().dimensions)),
                (b"e" * 40, b"python", passages((1, 1), (2, 40), (41, LINES))),
            ]
        )
    )
    assert import_index(tmp_path / "x", "there", directory=tmp_path / "b") == 5


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_change_of_a_byte_or_cut_is_noticed(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    where = tmp_path_factory.mktemp("x")
    whole = sealed([GOOD])
    at = data.draw(st.integers(0, len(whole) - 1))
    cut = data.draw(st.booleans())
    (where / "x").write_bytes(whole[:at] if cut else whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    try:
        import_index(where / "x", "there", directory=where / "b")
    except CacheError:
        return
    with Store.open("there", directory=where / "b") as store:  # only padding may differ
        assert list(store.encoded_facts()) == [((GOOD[0].decode(), "python"), GOOD[2])] and not cut


@settings(max_examples=150, deadline=None)
@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=3), st.lists, max_leaves=8),
    st.data(),
)
def test_any_json_in_place_of_facts_is_refused_or_sound(value: object, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(HEAD) - 1))
    encoded = changed(at, value)
    try:
        cache._check_facts(encoded, "python")
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        return
    assert same(Facts.decode(Facts.decode(encoded).encode()), Facts.decode(encoded))
