"""Gathering: nothing is read twice, nothing wrong is kept, a kill or a deadline loses little."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.repositories import commit, git, repository, write
from zeroin.corpus.source import open_source
from zeroin.index import analysing
from zeroin.index import gather as gathering
from zeroin.index.gather import Effort, Gathered, gather, identify, key_of
from zeroin.index.store import Store
from zeroin.protocols import Source
from zeroin.tree import Entry, Skipped, TreeState

HERE = Path(__file__).parent
PATHS = [str(HERE), str(HERE.parents[2])]  # of processes that import this module


class Counting:
    """A source that counts what is read of it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.reads: list[str] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._source, name)

    def list(self) -> tuple[tuple[Entry, ...], tuple[Skipped, ...]]:
        return self._source.list()

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | None]]:
        for entry, data in self._source.read(entries):
            self.reads.append(entry.path)
            yield entry, data

    def state(self, entries: Sequence[Entry]) -> TreeState:
        return self._source.state(entries)


def run(
    path: Path, cache: Path, rev: str | None = None, **kwargs: object
) -> tuple[Counting, tuple[Entry, ...], Gathered, list[str]]:
    source = Counting(open_source(path, rev))
    with Store.open(str(source.identity), directory=cache) as store:
        entries, _ = identify(source, store)  # type: ignore[arg-type]
        found = gather(source, store, entries, Effort(**kwargs))  # type: ignore[arg-type]
        return source, entries, found, store.warnings


def encoded(gathered: Gathered) -> dict[tuple[str, str], bytes]:
    return {k: f.encode() for k, f in gathered.facts.items()}


@pytest.fixture
def aged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let files of any age be old enough for their stat to be trusted."""
    monkeypatch.setattr(gathering, "_RACY_NS", -(10**15))


PROGRAM = {f"pkg/m{i}.py": f"def name_{i}(): pass\n" for i in range(60)}


@pytest.mark.parametrize("kind", ["worktree", "revision", "folder"])
@pytest.mark.usefixtures("aged")
def test_a_second_run_reads_nothing(tmp_path: Path, kind: str) -> None:
    root = tmp_path / "r"
    if kind == "folder":
        write(root, PROGRAM)
    else:
        repository(root, PROGRAM)
        (root / "untracked.py").write_text("x = 1")
    rev = "HEAD" if kind == "revision" else None
    first, entries, cold, _ = run(root, tmp_path / "c", rev)
    assert cold.analysed == len(set(map(key_of, entries))) == 60 + (kind == "worktree")
    assert cold.missing == 0
    assert first.reads
    second, again, warm, _ = run(root, tmp_path / "c", rev)
    assert second.reads == []
    assert (warm.analysed, warm.missing) == (0, 0)
    assert again == entries
    assert encoded(warm) == encoded(cold)


def test_worktrees_and_branches_share_facts(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", PROGRAM)
    run(root, tmp_path / "c")
    git(root, "worktree", "add", "-q", "-b", "other", str(tmp_path / "w"))
    commit(tmp_path / "w", {"pkg/m1.py": "def other(): pass\n"}, "other")
    source, _, got, _ = run(tmp_path / "w", tmp_path / "c")
    assert source.reads == ["pkg/m1.py"]
    assert got.analysed == 1
    source, _, _, _ = run(root, tmp_path / "c", "other")
    assert source.reads == []
    assert len(list((tmp_path / "c").glob("*.sqlite3"))) == 1


def test_young_files_are_hashed_again(tmp_path: Path) -> None:
    """Two edits within the tick of a clock look alike by stat."""
    root = tmp_path / "r"
    root.mkdir()
    (root / "a.py").write_text("def one(): pass\n")
    _, before, _, _ = run(root, tmp_path / "c")
    stat = (root / "a.py").stat()
    (root / "a.py").write_text("def two(): pass\n")
    os.utime(root / "a.py", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    _, after, got, _ = run(root, tmp_path / "c")
    assert before[0].blob != after[0].blob
    assert got.facts[key_of(after[0])].definitions[0].name == "two"


@pytest.mark.usefixtures("aged")
@pytest.mark.skipif(sys.platform == "win32", reason="no time of the last change of anything")
def test_an_edit_that_keeps_size_and_time_is_seen(tmp_path: Path) -> None:
    write(tmp_path / "r", {"a.py": "def one(): pass\n"})
    file = tmp_path / "r" / "a.py"
    os.utime(file, (1_600_000_000, 1_600_000_000))
    _, before, _, _ = run(tmp_path / "r", tmp_path / "c")
    time.sleep(0.05)  # longer than the tick of a clock
    file.write_text("def two(): pass\n")
    os.utime(file, (1_600_000_000, 1_600_000_000))
    _, after, got, _ = run(tmp_path / "r", tmp_path / "c")
    assert before[0].blob != after[0].blob
    assert got.facts[key_of(after[0])].definitions[0].name == "two"


@pytest.mark.usefixtures("aged")
def test_ids_are_gits_own_and_forgotten_with_the_file(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.py": "a = 1\n"})
    (root / "b.py").write_text("b = 1\n")
    source, entries, _, _ = run(root, tmp_path / "c")
    assert {e.path: e.blob for e in entries} == {p: git(root, "hash-object", p) for p in ("a.py", "b.py")}
    with Store.open(str(source.identity), directory=tmp_path / "c") as store:
        assert set(store.stats(str(source.root))) == {"b.py"}
    (root / "b.py").unlink()
    (root / "c.py").write_text("")
    run(root, tmp_path / "c")
    with Store.open(str(source.identity), directory=tmp_path / "c") as store:
        assert set(store.stats(str(source.root))) == {"c.py"}


def test_a_shebang_counts_where_there_is_no_extension(tmp_path: Path) -> None:
    script = "#!/usr/bin/env python3\ndef tool(): pass\n"
    root = repository(tmp_path / "r", {"tool": script, "tool.txt": script, "NOTES": "words\n"})
    _, entries, got, _ = run(root, tmp_path / "c")
    by_path = {e.path: got.facts[key_of(e)] for e in entries}
    assert by_path["tool"].language == "python"
    assert by_path["tool"].definitions[0].name == "tool"
    assert by_path["tool.txt"].language == "text"
    assert by_path["NOTES"].language == "text"
    assert encoded(run(root, tmp_path / "c")[2]) == encoded(got)


class Changing(Counting):
    """A source whose file is edited between listing, hashing and reading."""

    def __init__(self, source: object, edit: Path) -> None:
        super().__init__(source)  # type: ignore[arg-type]
        self._edit = edit
        self.edits = 0

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | None]]:
        for entry in entries:
            yield from super().read([entry])
            if entry.path == self._edit.name:
                self.edits += 1
                self._edit.write_text(f"def edit_{self.edits}(): pass\n")


def test_a_file_edited_meanwhile_gives_no_wrong_facts(tmp_path: Path) -> None:
    root = tmp_path / "r"
    root.mkdir()
    for name in ("a.py", "b.py"):
        (root / name).write_text("def original(): pass\n" + f"# {name}")
    source = Changing(open_source(root), root / "a.py")
    with Store.open("x", directory=tmp_path / "c") as store:
        entries, _ = identify(source, store)  # type: ignore[arg-type]
        found = gather(source, store, entries)  # type: ignore[arg-type]
        assert found.missing == 1
        assert set(found.facts) == {key_of(entries[1])}
        assert store.known([key_of(entries[0])]) == set()
        assert "could not be read" in store.warnings[0]


def test_unreadable_and_vanished_files_are_skipped(tmp_path: Path) -> None:
    root = tmp_path / "r"
    root.mkdir()
    (root / "a.py").write_text("a = 1")
    (root / "b.py").write_text("b = 1")
    source = open_source(root)
    source.list()
    (root / "a.py").unlink()
    with Store.open("x", directory=tmp_path / "c") as store:
        entries, skipped = identify(source, store)
        assert [e.path for e in entries] == ["b.py"]
        assert [(s.path, s.reason) for s in skipped] == [("a.py", "unreadable")]


def big_program(count: int) -> dict[str, str]:
    return {f"d{i % 20}/f{i}.py": f"def name_{i}(a): return a\n" * 100 + f"# {i}" for i in range(count)}


def test_every_call_analyses_some_files_however_late_it_is(tmp_path: Path) -> None:
    """With 0.7 s for 5,000 files no call analysed any, nor did the one after it."""
    source = open_source(repository(tmp_path / "r", big_program(100)), "HEAD")
    with Store.open("x", directory=tmp_path / "c") as store:
        entries, _ = identify(source, store)
        late = Effort(deadline=time.monotonic() - 1.0, wanted={"name": 1.0})
        first = gather(source, store, entries, late)
        assert first.analysed > 0
        assert len(store.known(map(key_of, entries))) == first.analysed


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_deadline_is_kept_and_nothing_done_is_lost(tmp_path: Path, jobs: int) -> None:
    count = 1000
    root = repository(tmp_path / "r", big_program(count))
    source = open_source(root)

    with Store.open(source.identity, directory=tmp_path / "c") as store:
        entries, _ = identify(source, store)
        wanted = next(e for e in entries if e.path == "d7/f7.py").blob
        for seconds in (0.7, 1.5, 3.0, 6.0):  # on a busy machine the processes are slow to start
            began = time.monotonic()
            got = gather(source, store, entries, Effort(began + seconds, jobs, {"f7": 1.0}))
            assert time.monotonic() - began < seconds + 60  # no clock decides, but it does not hang
            if wanted in {blob for blob, _ in got.facts}:
                break
        assert wanted in {blob for blob, _ in got.facts}
        assert 0 < len(got.facts) < count
        assert got.missing == count - len(got.facts)
    with Store.open(source.identity, directory=tmp_path / "c") as store:
        assert len(store.known(map(key_of, entries))) == len(got.facts)
        late = gather(source, store, entries, Effort(time.monotonic() - 1))
        assert late.missing == got.missing - late.analysed
        rest = gather(source, store, entries, Effort(jobs=jobs))
        assert (rest.analysed, rest.missing) == (late.missing, 0)


def test_hashing_keeps_its_share_of_the_time(tmp_path: Path) -> None:
    root = tmp_path / "r"
    root.mkdir()
    for i in range(300):
        (root / f"{i}.py").write_text(str(i))
    source = open_source(root)
    with Store.open("x", directory=tmp_path / "c") as store:
        entries, _ = identify(source, store, Effort(time.monotonic() - 1))
        assert len(entries) == 300
        unknown = sum(e.blob is None for e in entries)
        assert unknown > 200
        assert gather(source, store, entries).missing == unknown


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_kill_or_interrupt_in_the_middle_keeps_what_was_stored(tmp_path: Path, how: signal.Signals) -> None:
    root = repository(tmp_path / "r", big_program(900))
    code = (
        f"import sys; sys.path[:0] = {PATHS}\nfrom test_gather import *\n"
        f"source = open_source({str(root)!r})\n"
        f"with Store.open(source.identity, directory=Path({str(tmp_path / 'c')!r})) as store:\n"
        "    entries, _ = identify(source, store)\n"
        "    gather(source, store, entries, Effort(jobs=2, progress=lambda w, d, n: print(d, flush=True)))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    said = 0
    while said < 400:
        said = int(process.stdout.readline())
    process.send_signal(how)
    process.wait(20)
    process.stdout.close()
    source = open_source(root)
    with Store.open(source.identity, directory=tmp_path / "c") as store:
        entries, _ = identify(source, store)
        kept = len(store.known(map(key_of, entries)))
        assert kept >= said - 256
        assert kept < 900
        rest = gather(source, store, entries, Effort(jobs=2))
        assert (rest.analysed, rest.missing) == (900 - kept, 0)
        assert store.warnings == []


def test_two_processes_gather_at_once(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", big_program(300))
    code = (
        f"import sys; sys.path[:0] = {PATHS}\nfrom test_gather import *\n"
        f"_, entries, got, warnings = run(Path({str(root)!r}), Path({str(tmp_path / 'c')!r}), jobs=1)\n"
        "assert (len(got.facts), got.missing, warnings) == (300, 0, []), (len(got.facts), got.missing, warnings)\n"
    )
    pair = [subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for process in pair:
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
    source, _, got, _ = run(root, tmp_path / "c")
    assert source.reads == []
    assert encoded(got) == encoded(run(root, tmp_path / "fresh")[2])


def test_a_file_that_killed_this_process_goes_to_a_worker_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path / "r", {"evil.py": "!die", "good.py": "def good(): pass\n"})
    code = (
        f"import os, sys; sys.path[:0] = {PATHS}\nfrom test_gather import *\n"
        "analysing.analyse = lambda data, language: os.abort()\n"
        f"run(Path({str(root)!r}), Path({str(tmp_path / 'c')!r}))\n"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode != 0
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    monkeypatch.setattr(analysing, "WORK", replace(analysing.WORK, function="broken_worker:answer"))
    _, entries, got, _ = run(root, tmp_path / "c")
    assert got.missing == 0
    assert {e.path: got.facts[key_of(e)].parser for e in entries} == {"evil.py": "generic", "good.py": "tree-sitter"}
    monkeypatch.setattr(analysing, "WORK", replace(analysing.WORK, version="0.0"))
    (root / "good.py").write_text("def better(): pass\n")
    assert run(root, tmp_path / "c")[3] == []  # in this process again: the mark is gone


@pytest.mark.parametrize("place", ["file", "newer", "broken"])
def test_the_answer_is_right_without_a_usable_cache(tmp_path: Path, place: str) -> None:
    root = repository(tmp_path / "r", PROGRAM)
    want = encoded(run(root, tmp_path / "good")[2])
    cache = tmp_path / "c"
    if place == "file":
        cache.write_text("")
    else:
        run(root, cache)
        (file,) = cache.glob("*.sqlite3")
        file.write_bytes(os.urandom(9_000) if place == "broken" else _newer(file.read_bytes()))
    _, _, got, warnings = run(root, cache)
    assert encoded(got) == want
    assert got.missing == 0
    assert len(warnings) == 1


def _newer(data: bytes) -> bytes:
    return data[:60] + (2**31 - 1).to_bytes(4, "big") + data[64:]
