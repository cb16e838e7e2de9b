"""Taking facts in: in any order the same columns, and few facts in memory at once."""

import gc
import random
from pathlib import Path

import numpy as np
import pytest

from zeroin.index import arrays, intake, postings
from zeroin.index.assembling import assemble
from zeroin.index.intake import Intake
from zeroin.index.snapshot import Snapshot
from zeroin.parsing.analyse import analyse
from zeroin.parsing.facts import Facts
from zeroin.tree import Entry

FILES = [(f"d{n % 7}/f{n:03}.py", f"blob{n % 50}") for n in range(60)]  # ten of them share another's contents
ENTRIES = [Entry(path, blob.encode().hex().ljust(40, "0")) for path, blob in sorted(FILES)]


def facts_of(blob: str) -> Facts:
    text = "".join(f"import m{blob}_{n}\n\ndef name_{blob}_{n}(a):\n    return shared_{n} + a\n" for n in range(5))
    return analyse(text.encode(), "python")


def assembled(order: list[str], folder: Path | None = None) -> Snapshot:
    docs: dict[tuple[str, str], list[int]] = {}
    for doc, entry in enumerate(ENTRIES):
        docs.setdefault((entry.blob or "", "python"), []).append(doc)
    taken = Intake(docs, len(ENTRIES), folder)
    for blob in order:
        taken.take((blob, "python"), facts_of(blob))
    return assemble(ENTRIES, taken, "tree")


def test_the_order_of_facts_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    blobs = sorted({entry.blob or "" for entry in ENTRIES})
    want = arrays.to_columns(assembled(blobs))
    for seed, chunk in enumerate((1, 3, 7, 512)):
        monkeypatch.setattr(intake, "_CHUNK", chunk)
        monkeypatch.setattr(postings, "_AT_ONCE", 100 * chunk)
        random.Random(seed).shuffle(blobs)
        got = arrays.to_columns(assembled(blobs))
        assert got.keys() == want.keys()
        for name, column in want.items():
            assert column.dtype == got[name].dtype, name
            assert np.array_equal(column, got[name]), name


@pytest.mark.parametrize("place", ["a folder", "a full disk", "a file in its place"])
def test_vectors_of_a_large_tree_wait_in_a_file_where_one_can_be_written(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blobs = sorted({entry.blob or "" for entry in ENTRIES})
    want = arrays.to_columns(assembled(blobs))
    monkeypatch.setattr(intake, "_LARGE", len(ENTRIES))
    monkeypatch.setattr(intake, "_CHUNK", 7)
    folder = tmp_path / "arrays"
    if place == "a file in its place":
        folder.write_bytes(b"")
    elif place == "a full disk":
        if not Path("/dev/full").exists():
            pytest.skip("no device that is full")
        monkeypatch.setattr(intake, "TemporaryFile", lambda **_: open("/dev/full", "wb", buffering=0))  # noqa: PTH123, SIM115
    got = arrays.to_columns(assembled(blobs, folder))
    assert all(np.array_equal(column, got[name]) for name, column in want.items())
    assert not folder.is_dir() or not list(folder.iterdir())


def test_facts_that_were_taken_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "_CHUNK", 5)
    taken = Intake({(str(n), "python"): [n] for n in range(40)}, 40)
    most = 0
    for n in range(40):
        taken.take((str(n), "python"), facts_of(str(n)))
        if n % 5 == 3:  # before five are taken together
            most = max(most, sum(isinstance(thing, Facts) for thing in gc.get_objects()))
    assert 0 < most <= 5
    assert taken.symbols().pointers[-1] == 200
