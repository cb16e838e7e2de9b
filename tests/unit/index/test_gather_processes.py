"""Analysis in processes that somebody ends, and beside processes that do the same."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from test_gather import PROGRAM, encoded, run

from tests.repositories import repository
from zeroin.corpus.source import open_source
from zeroin.index import analysing, turns
from zeroin.index.gather import Effort, Gathered
from zeroin.index.opening import open_index
from zeroin.index.store import Store

HERE = Path(__file__).parent


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_facts_of_ended_processes_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**PROGRAM, "pkg/ended.py": "!ended\n\n\ndef ended(): pass\n"}
    root = repository(tmp_path / "r", files)
    with monkeypatch.context() as patched:
        patched.setenv("PYTHONPATH", str(HERE))
        patched.setattr(analysing, "WORK", replace(analysing.WORK, function="broken_worker:answer"))
        source = open_source(root)
        for _ in range(2):  # nothing of the first call makes the second believe it
            opened = open_index(source, Effort(jobs=2))
            assert "1 files are known by their words alone for now" in " ".join(opened.warnings)
            assert opened.missing == 0
    later, clean = (open_index(open_source(root)) for _ in range(2))
    assert (later.analysed, clean.analysed) == (1, 0) and not later.warnings
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "other"))
    fresh = open_index(open_source(root))
    assert clean.view.snapshot.symbols.names.tolist() == fresh.view.snapshot.symbols.names.tolist()


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_whoever_kills_workers_changes_no_answer(tmp_path: Path) -> None:
    files = {f"pkg/m{i}.py": f"def name_{i}(argument):\n    return {i}\n\n\n" * 400 for i in range(120)}
    root = repository(tmp_path / "r", files)
    environment = {**os.environ, "ZEROIN_CACHE_DIR": str(tmp_path / "killed")}
    index = subprocess.Popen(
        [sys.executable, "-m", "zeroin", "index", str(root), "--jobs", "2"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    killed: set[str] = set()
    while index.poll() is None and len(killed) < 2:
        for pid in sorted(filter(_has_begun, _workers(index.pid) - killed)):
            time.sleep(0.3)  # what it said has been read, and it is at work
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
                killed.add(pid)
        time.sleep(0.01)
    assert index.communicate(timeout=120)[1] == b"" and index.returncode == 0 and killed
    _, _, after, _ = run(root, tmp_path / "killed" / "index")
    _, _, clean, _ = run(root, tmp_path / "clean")
    assert after.analysed == 0
    assert encoded(after) == encoded(clean)


def _workers(parent: int) -> set[str]:
    try:
        below = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        return {pid for pid in below if b"zeroin.workers" in Path(f"/proc/{pid}/cmdline").read_bytes()}
    except OSError:
        return set()


def _has_begun(pid: str) -> bool:
    """Whether a worker has loaded what it needs: then it opens the null device once more.

    Of workers that end before, zeroin does without after a few.
    """
    try:
        return any(int(fd.name) > 2 and str(fd.readlink()) == os.devnull for fd in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return False


@pytest.mark.skipif(os.name == "nt", reason="folders cannot be locked there")
@pytest.mark.parametrize("ends", [True, False])
def test_what_another_process_analyses_is_not_analysed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: bool
) -> None:
    """While one holds the turn, others wait and take over its facts; but not for ever where it does nothing."""
    import fcntl

    root = repository(tmp_path / "r", PROGRAM)
    clean = encoded(run(root, tmp_path / "elsewhere")[2])
    with Store.open(open_source(root).identity, directory=tmp_path / "c") as store:
        folder = store.folder()
        assert folder is not None
        folder.mkdir(parents=True)
        handle = os.open(folder, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX)
        if not ends:
            monkeypatch.setattr(turns, "_PATIENCE_S", 0.1)
        found: list[Gathered] = []
        waiting = threading.Thread(target=lambda: found.append(run(root, tmp_path / "c")[2]))
        waiting.start()
        if ends:
            time.sleep(0.3)  # by then it has seen that nothing is known
            store.put_facts(clean)
            os.close(handle)
        waiting.join(60)
    assert encoded(found[0]) == clean
    assert found[0].analysed == (0 if ends else 60)
