"""The store under misfortune: whatever happens to its file, what is put is got, or computed anew, and it is said."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest

from tests.repositories import repository
from zeroin import retrieve
from zeroin.index import database
from zeroin.index.database import VERSION, file_name
from zeroin.index.store import Store
from zeroin.parsing.facts import Facts
from zeroin.tree import Definition, Import


def facts(i: int, size: int = 20) -> Facts:
    rng = np.random.default_rng(i)
    return Facts(
        "python",
        i,
        3,
        "tree-sitter",
        term_ids=np.sort(rng.integers(0, 2**63, size).astype(np.uint64)),
        counts=rng.integers(0, 9, (size, 4)).astype(np.uint16),
        names=np.sort(rng.integers(0, 2**63, 5).astype(np.uint64)),
        definitions=(Definition(f"f{i}", "function", 1, 3, "C"),),
        imports=(Import("os.path", ("join",), 1),),
    )


def key(i: int) -> tuple[str, str]:
    return f"{i:040x}", "python"


def same(a: Facts, b: Facts) -> bool:
    return a.encode() == b.encode()


def put(store: Store, numbers: Iterable[int], size: int = 20) -> None:
    store.put_facts({key(i): facts(i, size).encode() for i in numbers})


def fill(directory: Path, count: int = 50) -> Path:
    with Store.open("repo", directory=directory) as store:
        put(store, range(count))
        store.put("value", b"x")
        assert store.warnings == []
    return directory / f"{file_name('repo')}.sqlite3"


def works(store: Store, *, keeps: bool = True) -> None:
    """It takes everything, and gives it back if it can keep anything."""
    put(store, [1000])
    store.put("n", b"v")
    store.put_stats("/r", {"p": ((1, 2, 3), "b")})
    assert store.writable == keeps
    if keeps:
        assert same(store.facts([key(1000)])[key(1000)], facts(1000))
        assert store.stats("/r") == {"p": ((1, 2, 3), "b")}
    assert store.known([key(1000), key(1001)]) == ({key(1000)} if keeps else set())
    assert store.get("n") == (b"v" if keeps else None)


def test_what_is_put_is_got_by_the_next_process(tmp_path: Path) -> None:
    fill(tmp_path)
    with Store.open("repo", directory=tmp_path) as store:
        got = store.facts([key(i) for i in range(60)])
        assert set(got) == {key(i) for i in range(50)}
        assert all(same(got[key(i)], facts(i)) for i in range(50))
        assert store.facts([key(3), ("absent", "python"), (key(3)[0], "go")]).keys() == {key(3)}
        assert store.facts([]) == {}
        assert store.known([key(3), key(99)]) == {key(3)}
        assert store.get("value") == b"x"
        store.put("value", None)
        assert store.get("value") is None
        assert store.warnings == []


def test_few_of_many_and_all_are_looked_up(tmp_path: Path) -> None:
    same_bytes = facts(0).encode()
    with Store.open("repo", directory=tmp_path) as store:
        store.put_facts({key(i): same_bytes for i in range(12_000)})
        wanted = [key(i) for i in range(0, 14_000, 6)]
        assert len(store.facts(wanted)) == len(store.known(wanted)) == 2000
        assert len(store.facts([key(i) for i in range(13_000)])) == 12_000
        assert list(store.facts([key(9), key(4), key(7)])) == [key(9), key(4), key(7)]
        assert 0 < len(store.facts([key(i) for i in range(12_000)], until=0.0)) < 1_000


def test_stats_of_odd_paths_are_kept_by_root(tmp_path: Path) -> None:
    odd = {"a b\nc": ((1, 2, 2**64 - 1), "x"), b"caf\xe9".decode("utf-8", "surrogateescape"): ((0, -5, 0), "y")}
    with Store.open("repo", directory=tmp_path) as store:
        store.put_stats("/one", odd)
        store.put_stats("/two", {"a": ((1, 1, 1), "z")})
    with Store.open("repo", directory=tmp_path) as store:
        assert store.stats("/one") == odd
        store.put_stats("/one", {}, gone=list(odd))
        assert store.stats("/one") == {}
        assert len(store.stats("/two")) == 1


def test_file_names_are_readable_safe_and_distinct() -> None:
    assert file_name("git:/home/me/my project/.git").startswith("my-project-")
    assert file_name("folder:C:\\code\\x").startswith("x-")
    names = {file_name(i) for i in ("", "/", "..", "a/b", "b", "git:/ü/.git", "\udce9", "x" * 500)}
    assert len(names) == 8
    assert all(len(n) <= 60 and "/" not in n and not n.startswith(".") for n in names)


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/b", "", ".hidden", "a\\b"])
def test_array_files_cannot_lie_elsewhere(tmp_path: Path, name: str) -> None:
    with Store.open("repo", directory=tmp_path) as store, pytest.raises(Exception, match="cannot name"):
        store.path_for(name)


def test_a_lost_second_row_of_another_blob_is_noticed(tmp_path: Path) -> None:
    path = fill(tmp_path)
    raw = sqlite3.connect(path)
    raw.execute(
        "UPDATE facts SET data = (SELECT data FROM facts WHERE blob = ?) WHERE blob = ?", (key(1)[0], key(2)[0])
    )
    raw.execute("UPDATE facts SET data = x'00', crc = 0 WHERE blob = ?", (key(3)[0],))
    raw.commit()
    raw.close()
    with Store.open("repo", directory=tmp_path) as store:
        assert set(store.facts([key(i) for i in range(50)])) == {key(i) for i in range(50)} - {key(2), key(3)}
        assert store.warnings == ["2 damaged rows of the index are analysed anew"]


def foreign_database(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE bookmarks (url)")
        other.execute("INSERT INTO bookmarks VALUES ('mine')")
    other.close()


def missing_table(path: Path) -> None:
    with sqlite3.connect(path) as raw:
        raw.execute("DROP TABLE facts")
    raw.close()


def noise_in_the_middle(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096 : len(data) // 2] = os.urandom(len(data) // 2 - 4096)
    path.write_bytes(data)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "random bytes": lambda path: path.write_bytes(os.urandom(20_000)),
    "a page and a half": lambda path: os.truncate(path, 6000),
    "nothing useful": lambda path: os.truncate(path, 50),
    "foreign": foreign_database,
    "missing table": missing_table,
    "noise": noise_in_the_middle,
    "a schema that is no UTF-8": lambda path: path.write_bytes(
        path.read_bytes().replace(b"CREATE TABLE facts", b"CREATE \xffABLE facts")
    ),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_broken_file_is_rebuilt_and_the_loss_is_said(tmp_path: Path, damage: str) -> None:
    path = fill(tmp_path)
    DAMAGE[damage](path)
    with Store.open("repo", directory=tmp_path) as store:
        got = store.facts([key(i) for i in range(50)])
        assert all(same(got[k], facts(int(k[0], 16))) for k in got)
        works(store, keeps=store.writable)
        assert len(store.warnings) == 1, store.warnings
    if damage == "foreign":
        aside = sqlite3.connect(path.with_name(path.name + database.SET_ASIDE_SUFFIX))
        assert aside.execute("SELECT * FROM bookmarks").fetchall() == [("mine",)]
        aside.close()
    for attempt in range(2):
        with Store.open("repo", directory=tmp_path) as store:
            works(store)
            assert store.warnings == [], attempt


_STATS = "INSERT OR REPLACE INTO stats VALUES (CAST('{root}' AS BLOB), "
IMPOSSIBLE = {
    "data is garbage": "UPDATE facts SET data = x'00112233'",
    "data is text": "UPDATE facts SET data = 'abc'",
    "data is a number": "UPDATE facts SET data = 7",
    "checksum is text": "UPDATE facts SET crc = 'x'",
    "language is no UTF-8": "UPDATE facts SET language = CAST(x'ff' AS TEXT)",
    "language is bytes": "UPDATE facts SET language = x'ff'",
    "blob is no UTF-8": "UPDATE facts SET blob = CAST(x'ff' || blob AS TEXT)",
    "value is text": "INSERT OR REPLACE INTO named VALUES ('analysing', 'x')",
    "value is a number": "INSERT OR REPLACE INTO named VALUES ('analysing', 5)",
    "no facts": "DROP TABLE facts",
    "no stats": "DROP TABLE stats",
    "path is text": f"{_STATS} 'new.py', 1, 2, '3', 'b')",
    "path is no UTF-8": f"{_STATS} x'ff', 1, 2, '3', 'b')",
    "inode is no number": f"{_STATS} x'61', 1, 2, 'zz', 'b')",
    "inode is no UTF-8": f"{_STATS} x'61', 1, 2, CAST(x'ff' AS TEXT), 'b')",
    "blob of a file is bytes": f"{_STATS} x'61', 1, 2, '3', x'ff')",
}


@pytest.mark.parametrize("timeout_s", [None, 60.0])
@pytest.mark.parametrize("damage", IMPOSSIBLE)
def test_a_value_that_cannot_be_is_said_once_and_changes_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str, timeout_s: float | None
) -> None:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    root = repository(tmp_path / "r", {f"m{i}.py": f"def token_{i}(): pass\n" for i in range(3)})
    (root / "new.py").write_text("def token(): pass\n")

    def ask() -> tuple[list[tuple[str, float]], tuple[str, ...]]:
        found = retrieve("token", root, timeout_s=timeout_s)
        return [(j.path, j.relevance) for j in found.ranking], found.warnings

    clean = ask()
    assert clean[0] and not clean[1]
    (file,) = (tmp_path / "cache" / "index").glob("*.sqlite3")
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute(IMPOSSIBLE[damage].format(root=root))
    connection.close()
    for said in (1, 0, 0):
        shutil.rmtree(file.with_suffix(".arrays"), ignore_errors=True)  # else nobody would look at the facts
        ranking, warnings = ask()
        assert ranking == clean[0]
        assert len(warnings) <= said, warnings


def test_every_cut_of_the_file_is_survived(tmp_path: Path) -> None:
    path = fill(tmp_path, 30)
    whole = path.read_bytes()
    for size in range(0, len(whole), 1500):
        for name in tmp_path.iterdir():
            if name.is_file():
                name.unlink()
        path.write_bytes(whole[:size])
        with Store.open("repo", directory=tmp_path) as store:
            got = store.facts([key(i) for i in range(30)])
            assert all(same(got[k], facts(int(k[0], 16))) for k in got)
            works(store, keeps=store.writable)
            assert size == 0 or len(got) == 30 or store.warnings


def test_an_older_format_is_rebuilt(tmp_path: Path) -> None:
    path = fill(tmp_path)
    raw = sqlite3.connect(path)
    raw.execute(f"PRAGMA user_version = {VERSION - 1}")
    raw.execute("CREATE TABLE abandoned (x)")
    raw.commit()
    raw.close()
    (tmp_path / f"{file_name('repo')}.arrays").mkdir(exist_ok=True)
    (tmp_path / f"{file_name('repo')}.arrays" / "snapshot-old.bin").write_bytes(b"old")
    with Store.open("repo", directory=tmp_path) as store:
        assert store.known([key(1)]) == set()
        assert store.array_files("snapshot-") == []
        works(store)
    raw = sqlite3.connect(path)
    assert raw.execute("SELECT name FROM sqlite_master WHERE name = 'abandoned'").fetchone() is None


def test_a_newer_format_is_left_alone(tmp_path: Path) -> None:
    path = fill(tmp_path)
    raw = sqlite3.connect(path)
    raw.execute(f"PRAGMA user_version = {VERSION + 1}")
    raw.commit()
    raw.close()
    before = path.read_bytes()
    with Store.open("repo", directory=tmp_path) as store:
        assert store.known([key(1)]) == set()
        works(store, keeps=False)
        assert store.path_for("x") is None
        assert store.warnings == ["the index was written by a newer zeroin; this run does without it"]
    assert path.read_bytes() == before


@pytest.mark.parametrize("place", ["file for folder", "folder for file"])
def test_a_place_that_takes_no_file(tmp_path: Path, place: str) -> None:
    if place == "file for folder":
        (tmp_path / "cache").write_text("")
    else:
        (tmp_path / "cache" / f"{file_name('repo')}.sqlite3").mkdir(parents=True)
    with Store.open("repo", directory=tmp_path / "cache") as store:
        works(store, keeps=False)
        assert len(store.warnings) == 1 and "ZEROIN_CACHE_DIR" in store.warnings[0]


@pytest.mark.parametrize("options", ["mode=ro", "mode=ro&immutable=1"])
def test_a_read_only_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str) -> None:
    """Root may write anywhere, so that SQLite itself is told to open for reading only."""
    path = fill(tmp_path)
    before = path.read_bytes()
    real = sqlite3.connect

    def connect(target: object, **kwargs: object) -> sqlite3.Connection:
        if target == path:
            return real(f"{path.as_uri()}?{options}", uri=True, **kwargs)  # type: ignore[call-overload, no-any-return]
        return real(target, **kwargs)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(database.sqlite3, "connect", connect)
    with Store.open("repo", directory=tmp_path) as store:
        assert len(store.facts([key(i) for i in range(50)])) == 50
        assert store.get("value") == b"x"
        works(store, keeps=False)
        assert len(store.warnings) == 1
    assert path.read_bytes() == before


def test_a_full_disk_keeps_what_there_is(tmp_path: Path) -> None:
    fill(tmp_path)
    with Store.open("repo", directory=tmp_path) as store:
        assert store._connection is not None
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        put(store, range(100, 200), 500)
        assert len(store.warnings) == 1 and "full" in store.warnings[0]
        assert len(store.facts([key(i) for i in range(200)])) == 50
        works(store, keeps=False)
        assert len(store.warnings) == 1
    with Store.open("repo", directory=tmp_path) as store:
        works(store)
        assert store.warnings == []


def test_array_files_are_trimmed_to_the_last_used(tmp_path: Path) -> None:
    with Store.open("repo", directory=tmp_path) as store:
        for n in range(5):
            path = store.path_for(f"kind-{n}.bin")
            assert path is not None
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(b"")
            os.utime(path, (n, n))
        store.trim("kind-", 2)
        assert [p.name for p in store.array_files("kind-")] == ["kind-4.bin", "kind-3.bin"]
        assert store.array_files("other-") == []
