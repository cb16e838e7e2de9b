"""What a shard reads of several repositories: in order, once, and of a work tree as it is now."""

import shutil
from pathlib import Path

import pytest

from tests.repositories import commit, repository
from zeroin.corpus.source import open_source
from zeroin.fleet import reading
from zeroin.fleet.reading import Reader
from zeroin.protocols import Source
from zeroin.tree import Entry


def entries(source: Source) -> dict[str, Entry]:
    return {one.path: one for one in source.list()[0]}


def test_files_of_revisions_are_read_once(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", {"a.py": "a = 1\n", "b.py": "b = 1\n"})
    commit(root, {"b.py": "b = 2\n"})
    old, new = open_source(root, "HEAD~1"), open_source(root, "HEAD")
    wanted = [
        (new, entries(new)["b.py"]),
        (old, entries(old)["a.py"]),
        (new, entries(new)["a.py"]),
        (old, entries(old)["b.py"]),
        (old, Entry("gone.py", "1" * 40)),
    ]
    reader = Reader()
    assert reader.read(wanted) == [b"b = 2\n", b"a = 1\n", b"a = 1\n", b"b = 1\n", None]
    asked: list[str | None] = []
    for source in (old, new):
        source.read = lambda given: asked.extend(one.blob for one in given) or ()  # type: ignore[method-assign]
    assert reader.read(wanted) == [b"b = 2\n", b"a = 1\n", b"a = 1\n", b"b = 1\n", None]
    assert asked == ["1" * 40]  # what was not there may be there the next time


def test_a_file_that_git_does_not_know_is_read_as_it_is(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", {"a.py": "a = 1\n"})
    other = repository(tmp_path / "mail", {"a.py": "m = 1\n"})
    (root / "new.py").write_text("n = 1\n")
    source, bare = open_source(root), open_source(other, "HEAD")
    wanted = [(source, entries(source)["new.py"]), (bare, entries(bare)["a.py"])]
    reader = Reader()
    assert reader.read(wanted) == [b"n = 1\n", b"m = 1\n"]
    (root / "new.py").write_text("n = 2\n")
    assert reader.read(wanted) == [b"n = 2\n", b"m = 1\n"]
    shutil.rmtree(root)
    assert reader.read(wanted)[0] is None


def test_what_is_kept_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_KEPT_BYTES", 10)
    root = repository(tmp_path / "shop", {f"{name}.py": f"{name} = 1\n" for name in "abc"})
    source = open_source(root, "HEAD")
    wanted = [(source, entry) for entry in entries(source).values()]
    reader = Reader()
    for _ in range(2):
        assert reader.read(wanted) == [b"a = 1\n", b"b = 1\n", b"c = 1\n"]
        assert reader._bytes <= 10 and len(reader._kept) == 1
