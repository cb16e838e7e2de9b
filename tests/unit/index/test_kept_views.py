"""A view is met again while its tree, commit and history are the same, and never otherwise."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from tests.repositories import git, repository
from zeroin.corpus.source import open_source
from zeroin.index import opening
from zeroin.index.store import Store
from zeroin.index.view import View, _Texts
from zeroin.tree import Entry

FILES = {"shop/cart.py": "def total(prices):\n    return sum(prices)\n", "shop/tax.py": "RATE = 0.2\n"}
EDITED = "def total(prices):\n    return round(sum(prices), 2)\n"


@pytest.fixture(autouse=True)
def _nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "_views", opening.KeptViews())


def view_of(folder: Path) -> View:
    return opening.open_index(open_source(folder)).view


def test_the_same_tree_is_the_same_view(tmp_path: Path) -> None:
    folder = repository(tmp_path / "shop", FILES)
    view = view_of(folder)
    assert view_of(folder) is view
    assert view_of(folder / "shop") is not view  # a part of it is another place
    assert view_of(folder) is view


def test_an_edit_or_a_commit_makes_another_view(tmp_path: Path) -> None:
    folder = repository(tmp_path / "shop", FILES)
    first = view_of(folder)
    (folder / "shop/cart.py").write_text(EDITED)
    edited = view_of(folder)
    assert edited is not first
    assert edited.text(edited.numbers["shop/cart.py"]) == EDITED
    git(folder, "commit", "-aqm", "Round the total")
    committed = view_of(folder)
    assert committed is not edited
    assert "Round the total" in list(committed.history.subjects)
    assert view_of(folder) is committed


def test_what_is_read_of_it_later_is_of_its_tree(tmp_path: Path) -> None:
    """A view that was kept before an edit and after its return reads what is there now."""
    folder = repository(tmp_path / "shop", FILES)
    before = view_of(folder)
    (folder / "shop/cart.py").write_text(EDITED)
    (folder / "shop/cart.py").write_text(FILES["shop/cart.py"])
    again = view_of(folder)
    assert again is before
    assert again.text(again.numbers["shop/cart.py"]) == FILES["shop/cart.py"]


def test_the_views_of_the_last_two_places_are_kept(tmp_path: Path) -> None:
    folders = [repository(tmp_path / name, {**FILES, "name.py": f"NAME = '{name}'\n"}) for name in "abc"]
    first, second, third = map(view_of, folders)
    assert view_of(folders[2]) is third
    assert view_of(folders[1]) is second
    assert view_of(folders[0]) is not first


def test_the_snapshots_of_the_trees_last_asked_about_are_kept(tmp_path: Path) -> None:
    folder = repository(tmp_path / "shop", FILES)
    for number in range(5):
        (folder / "shop/tax.py").write_text(f"RATE = {number}\n")
        git(folder, "commit", "-aqm", f"Change the rate to {number}")
    oldest, *others, newest = (open_source(folder, f"HEAD~{back}") for back in range(5))
    for source in (oldest, *others, oldest, newest):
        opening._views = opening.KeptViews()  # as in a process of its own
        opening.open_index(source)
    tree = oldest.state(oldest.list()[0]).tree
    with Store.open(oldest.identity) as store:
        assert opening.kept_snapshot(store, tree) is not None


def test_texts_are_counted_once_however_many_threads_read_them() -> None:
    class Slow:
        def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | None]]:
            together.wait(timeout=10)
            yield from ((entry, b"x" * 100) for entry in entries)

    together = Barrier(2)
    texts = _Texts(Slow(), [Entry("a.py", "a" * 40)])
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(texts.prefetch, [[0], [0]]))
    assert texts._chars == 100
