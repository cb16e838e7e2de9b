"""Facts travel between caches: all that is common is taken, nothing else can be read, and nothing false is believed."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path

import msgspec
import numpy as np
import pytest

from tests.repositories import commit, git, repository
from tests.unit.index.servers import Guarded, Quiet, Strange, served
from tests.unit.index.shared_facts import FILES, bundles, folder_in, kept, taken_from
from zeroin import retrieve
from zeroin.errors import CacheError, InputError
from zeroin.fleet.shard import Setting
from zeroin.index import places, sharing
from zeroin.index.gather import FEW_FILES
from zeroin.index.sealing import Seal, seal_of
from zeroin.kept_indexes import build_index, export_facts
from zeroin.parsing.analyse import analyse
from zeroin.parsing.facts import Facts

MANY = {f"part{number}.py": f"def part_{number}(token):\n    return token + {number}\n" for number in range(FEW_FILES)}


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A cache of the test's own, and no place that failed before."""
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "first"))
    monkeypatch.delenv("ZEROIN_FACTS", raising=False)
    sharing._resting.clear()


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], None]:
    """Another machine at every call: nothing is in its cache."""
    numbers = iter(range(100))
    return lambda: monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / f"cache{next(numbers)}"))


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop", FILES)


@pytest.fixture
def place(shop: Path, tmp_path: Path, elsewhere: Callable[[], None]) -> Path:
    """A folder with the facts of the shop; nothing of it is in the cache any more."""
    build_index(shop, jobs=1)
    assert export_facts(shop, str(tmp_path / "place")) == len(FILES)
    elsewhere()
    return tmp_path / "place"


# --- what travels -----------------------------------------------------------------------------------


def test_a_clone_elsewhere_takes_everything_and_answers_alike(
    shop: Path, tmp_path: Path, elsewhere: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(root: Path) -> list[tuple[str, float, str]]:
        return [(f.path, f.relevance, f.reason) for f in retrieve("open the parcel", root, jobs=1).ranking]

    answer, facts = ask(shop), kept(shop)
    export_facts(shop, str(tmp_path / "place"))
    git(tmp_path, "clone", "-q", str(shop), str(tmp_path / "clone"))
    elsewhere()
    assert taken_from(str(tmp_path / "place"), tmp_path / "clone") == (0, ())
    assert kept(tmp_path / "clone") == facts
    assert ask(tmp_path / "clone") == answer
    elsewhere()
    assert taken_from((tmp_path / "place").as_uri(), shop) == (0, ())


def test_another_revision_takes_what_is_common(shop: Path, place: Path, elsewhere: Callable[[], None]) -> None:
    commit(shop, {"shop/parcel.py": "def send_parcel():\n    pass\n", "shop/new.py": "x = 1\n"})
    assert taken_from(str(place), shop) == (2, ())
    assert export_facts(shop, str(place)) == 2
    assert export_facts(shop, str(place)) == 0
    elsewhere()
    assert taken_from(str(place), shop) == (0, ())
    assert build_index(shop, rev="HEAD~1", jobs=1, facts=str(place)).analysed == 0


def test_a_question_takes_where_many_files_are_unknown(
    shop: Path, tmp_path: Path, elsewhere: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    many = repository(tmp_path / "many", MANY)
    for root in (shop, many):
        build_index(root, jobs=1)
        export_facts(root, str(tmp_path / "place"))
    monkeypatch.setenv("ZEROIN_FACTS", str(tmp_path / "place"))
    elsewhere()
    assert build_index(many, jobs=1).analysed == 0
    assert build_index(shop, jobs=1).analysed == len(FILES)  # quicker than asking
    assert Setting.here().environment["ZEROIN_FACTS"] == str(tmp_path / "place")  # as the nodes of a fleet do


def test_http_is_read_and_not_written(shop: Path, place: Path) -> None:
    with served(partial(Quiet, directory=str(place))) as url:
        assert taken_from(url, shop) == (0, ())
        with pytest.raises(InputError, match="only read over HTTP"):
            export_facts(shop, url)


def test_a_store_that_fsspec_opens(shop: Path, elsewhere: Callable[[], None]) -> None:
    pytest.importorskip("fsspec")
    url = "memory://team/facts"
    build_index(shop, jobs=1)
    assert export_facts(shop, url) == len(FILES)
    assert export_facts(shop, url) == 0
    elsewhere()
    assert taken_from(url, shop) == (0, ())


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("nowhere://x", "nowhere"),
        ("http://[x", "no URL"),
        ("~nobody-here/x", "home"),
        ("github://x", "github://x cannot be opened"),
        ("ftp://127.0.0.1:1/x", "refused"),
    ],
)
def test_a_place_that_nothing_opens_costs_a_line(shop: Path, url: str, why: str) -> None:
    analysed, warnings = taken_from(url, shop)
    assert analysed == len(FILES)
    assert len(warnings) == 1 and why in warnings[0]
    with pytest.raises((CacheError, InputError), match=why):
        export_facts(shop, url)


def test_the_extra_is_named_where_it_is_missing(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(InputError, match=r"pip install 'zeroin\[remote\]'"):
        export_facts(shop, "s3://bucket/facts")


# --- who may read and make facts --------------------------------------------------------------------


def test_nothing_of_the_files_can_be_read_in_a_place(shop: Path, place: Path) -> None:
    words = (b"invoice", b"parcel", b"customer", b"shop", *(blob.encode() for blob, _ in kept(shop)))
    for path in folder_in(place).iterdir():
        data = path.read_bytes()
        assert not [word for word in words if word in data]
        assert b"\x78\x01" not in data[:64]  # facts are compressed, and that does not show either


@pytest.mark.parametrize("other", [b"def f():\n    return 2\n", b"def f():\n    return 1\n\n", b""])
def test_only_who_has_the_file_opens_its_facts(other: bytes) -> None:
    data, version = b"def f():\n    return 1\n", b"1"
    seal = seal_of(data, "python", version)
    sealed = seal.closed(b"facts")
    assert seal.opened(sealed) == b"facts" and seal.closed(b"facts") == sealed
    for wrong in (
        seal_of(other, "python", version), seal_of(data, "", version), seal_of(data, "python", b"2"),
        Seal(seal.name, bytes(64)),
    ):  # fmt: skip
        with pytest.raises(ValueError):
            wrong.opened(sealed)
    for at in range(len(sealed)):
        with pytest.raises(ValueError):
            seal.opened(sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :])
        with pytest.raises(ValueError):
            seal.opened(sealed[:at])


# --- what is not believed ---------------------------------------------------------------------------


def forge(place: Path, root: Path, forged: Callable[[str, bytes, Facts], Facts]) -> None:
    """Put other facts in the place of those of a repository, as somebody can who has its files."""
    for path in bundles(place):
        path.unlink()
    bundle = {}
    for path in FILES:
        data = (root / path).read_bytes()
        seal = seal_of(data, "python", sharing.version())
        bundle[seal.name] = seal.closed(forged(path, data, analyse(data, "python")).encode())
    sharing._write(places.place_of(str(place), folder_in(place).name), bundle)
    (folder_in(place) / "list").unlink()
    (made,) = bundles(place)
    listed = {made.name: (made.stat().st_size, b"".join(bundle))}
    (folder_in(place) / "list").write_bytes(msgspec.msgpack.encode(listed))


def _of_another(path: str, data: bytes, facts: Facts) -> Facts:
    return analyse(FILES["shop/voucher.py" if path != "shop/voucher.py" else "shop/refund.py"].encode(), "python")


FORGED: dict[str, Callable[[str, bytes, Facts], Facts]] = {
    "facts of another blob": _of_another,
    "another size": lambda path, data, facts: replace(facts, size=facts.size + 1),
    "more lines": lambda path, data, facts: replace(facts, lines=facts.lines + 1),
    "another language": lambda path, data, facts: replace(facts, language="go"),
    "a definition elsewhere": lambda path, data, facts: replace(
        facts, definitions=tuple(d._replace(start=1, end=2) for d in facts.definitions)
    ),
    "a definition that is none": lambda path, data, facts: replace(
        facts, definitions=tuple(d._replace(name="everything") for d in facts.definitions)
    ),
    "nothing to know": lambda path, data, facts: Facts("python", len(data), 0, "text", skipped="binary"),
    "other passages": lambda path, data, facts: replace(facts, passages=facts.passages - np.uint32(0) + np.uint32(1)),
    "other words": lambda path, data, facts: replace(facts, term_ids=facts.term_ids + np.uint64(1)),
    "other counts": lambda path, data, facts: replace(facts, counts=facts.counts + np.uint16(1)),
    "other vectors": lambda path, data, facts: replace(facts, vectors=-facts.vectors),
}


@pytest.mark.parametrize("how", FORGED)
def test_facts_that_are_not_those_of_the_file_cost_the_whole_place(
    shop: Path, place: Path, how: str, elsewhere: Callable[[], None]
) -> None:
    build_index(shop, jobs=1)
    true = kept(shop)
    elsewhere()
    forge(place, shop, FORGED[how])
    analysed, warnings = taken_from(str(place), shop)
    assert len(warnings) == 1 and "none is used" in warnings[0], warnings
    assert kept(shop) == true
    assert analysed == len(FILES)
    commit(shop, {"more.py": "x = 1\n"})
    assert taken_from(str(place), shop) == (1, ())  # it is left alone, and that is not said again


def test_a_last_step_of_a_vector_is_the_processors(shop: Path, place: Path) -> None:
    forge(place, shop, lambda path, data, facts: replace(facts, vectors=facts.vectors + np.int8(1)))
    assert taken_from(str(place), shop) == (0, ())


CHANGED = ("a bundle with another byte", "half a bundle", "a longer bundle")
DAMAGED: dict[str, Callable[[Path], object]] = {
    "a bundle with another byte": lambda folder: _change(folder, lambda data: data[:-1] + bytes([data[-1] ^ 1])),
    "half a bundle": lambda folder: _change(folder, lambda data: data[: len(data) // 2]),
    "a longer bundle": lambda folder: _change(folder, lambda data: data + b"more"),
    "a bundle that is gone": lambda folder: [path.unlink() for path in folder.iterdir() if path.name != "list"],
    "no list": lambda folder: (folder / "list").unlink(),
    "half a list": lambda folder: (folder / "list").write_bytes((folder / "list").read_bytes()[:9]),
    "a foreign list": lambda folder: (folder / "list").write_bytes(b"<html>not found</html>"),
    "a list of paths": lambda folder: (folder / "list").write_bytes(
        msgspec.msgpack.encode({"../../../etc/passwd": (9, b"")})
    ),
    "a list of huge bundles": lambda folder: (folder / "list").write_bytes(
        msgspec.msgpack.encode({"a" * 64: (10_000_000_000, b"")})
    ),
    "a list of the wrong kind": lambda folder: (folder / "list").write_bytes(msgspec.msgpack.encode({"a": [1]})),
    "a deep list": lambda folder: (folder / "list").write_bytes(b"\x91" * 100_000),
    "another version": lambda folder: folder.rename(folder.with_name("zeroin-" + "0" * 32)),
    "a foreign folder": lambda folder: [path.rename(path.with_name(path.name[:9])) for path in folder.iterdir()],
}  # fmt: skip


def _change(folder: Path, how: Callable[[bytes], bytes]) -> None:
    (path,) = (path for path in folder.iterdir() if path.name != "list")
    path.write_bytes(how(path.read_bytes()))


@pytest.mark.parametrize("how", DAMAGED)
def test_damage_costs_a_line_and_the_next_export_mends_it(
    shop: Path, place: Path, how: str, elsewhere: Callable[[], None]
) -> None:
    DAMAGED[how](folder_in(place))
    analysed, warnings = taken_from(str(place), shop)
    assert len(warnings) == 1 and "zeroin analyses the rest" in warnings[0], warnings
    assert analysed == len(FILES)
    if how in CHANGED:  # one that is listed is not read again: who finds it damaged removes it
        bundles(place)[0].unlink()
    export_facts(shop, str(place))
    sharing._resting.clear()
    elsewhere()
    assert taken_from(str(place), shop) == (0, ())


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder(shop: Path, place: Path) -> None:
    folder_in(place).chmod(0o500)
    assert taken_from(str(place), shop) == (0, ())
    commit(shop, {"more.py": "x = 1\n"})
    build_index(shop, jobs=1)
    with pytest.raises(CacheError, match="no facts can be kept"):
        export_facts(shop, str(place))


def test_where_nothing_can_be_written(shop: Path, tmp_path: Path) -> None:
    build_index(shop, jobs=1)
    (tmp_path / "file").write_text("mine")
    with pytest.raises(CacheError, match="no facts can be kept"):
        export_facts(shop, str(tmp_path / "file"))


# --- servers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["redirects", "promises 10 GB", "stops", "drips", "hangs"])
def test_a_strange_server_costs_a_line_and_bounded_time(
    shop: Path, place: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "_WAIT_S", 2.0)
    monkeypatch.setattr(places, "_SILENCE_S", 1.0)  # so that the socket is the first to have waited enough
    with served(partial(Quiet, directory=str(place))) as other, served(partial(Strange, how=how, to=other)) as url:
        began = time.monotonic()
        analysed, warnings = taken_from(url, shop)
    assert analysed == len(FILES)
    assert len(warnings) == 1 and url in warnings[0], warnings
    expected = {"redirects": "another host", "promises 10 GB": "larger than", "stops": "in the middle"}
    assert expected.get(how, "too slow") in warnings[0]
    assert time.monotonic() - began < 30


def test_a_server_that_is_gone_and_passwords_are_not_said(shop: Path) -> None:
    with served(Quiet) as url:
        pass
    analysed, (warning,) = taken_from(url.replace("//", "//ada:secret@"), shop)
    assert analysed == len(FILES)
    assert "secret" not in warning and "127.0.0.1" in warning


def test_a_user_and_password_are_sent(shop: Path, place: Path) -> None:
    with served(partial(Guarded, directory=str(place))) as url:
        assert taken_from(url.replace("//", "//ada:secret@"), shop) == (0, ())
        commit(shop, {"more.py": "x = 1\n"})
        assert "HTTP 401" in taken_from(url, shop)[1][0]


# --- several at once --------------------------------------------------------------------------------

EXPORT = "import sys; from zeroin.kept_indexes import *; build_index(sys.argv[1], jobs=1); export_facts(*sys.argv[1:3])"


def test_exports_at_once_add_up(tmp_path: Path, elsewhere: Callable[[], None]) -> None:
    roots = [
        repository(tmp_path / f"r{number}", {"own.py": f"own = {number}\n", "common.py": "def common(): pass\n"})
        for number in range(3)
    ]
    running = [subprocess.Popen([sys.executable, "-c", EXPORT, str(root), str(tmp_path / "place")]) for root in roots]
    assert [process.wait(timeout=300) for process in running] == [0] * len(roots)
    elsewhere()
    assert [taken_from(str(tmp_path / "place"), root) for root in roots] == [(0, ())] * len(roots)


def test_an_export_that_is_killed_costs_what_it_did_not_write(
    shop: Path, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, elsewhere: Callable[[], None]
) -> None:
    """It ends between a bundle and the list, or in the middle of a bundle: the next export makes it good."""
    other = repository(tmp_path / "other", {"other.py": "def other(): pass\n", "more.py": "def more(): pass\n"})
    build_index(other, jobs=1)
    (folder_in(place) / f".{'a' * 40}.{'0' * 16}.zeroin-tmp").write_bytes(b"half")
    written = places._Folder.write

    def write(self: places._Folder, name: str, data: bytes) -> None:
        if name == "list":
            raise KeyboardInterrupt
        written(self, name, data)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(places._Folder, "write", write)
        export_facts(other, str(place))
    assert taken_from(str(place), shop) == (0, ())
    build_index(other, jobs=1)
    assert export_facts(other, str(place)) == 0  # they are there, and now they are listed
    assert sorted(path.name for path in bundles(place)) == sorted(
        msgspec.msgpack.decode((folder_in(place) / "list").read_bytes())
    )
    assert all(sha256(path.read_bytes()).hexdigest() == path.name for path in bundles(place))
    elsewhere()
    assert taken_from(str(place), other) == (0, ())
