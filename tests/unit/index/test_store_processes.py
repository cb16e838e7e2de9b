"""A store that several processes and threads use at once, and one that is killed while it writes."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from subprocess import PIPE

import pytest
from test_store import facts, fill, key, put, same, works

from zeroin.index import database
from zeroin.index.store import Store

HERE = Path(__file__).parent
PATHS = [str(HERE), str(HERE.parents[2])]  # of processes that import this module


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_kill_in_the_middle_loses_the_last_batch_at_most(tmp_path: Path) -> None:
    code = (
        f"import sys; sys.path[:0] = {PATHS}\n"
        "from test_store import *\nimport itertools\n"
        f"store = Store.open('repo', directory=Path({str(tmp_path)!r}))\n"
        "for n in itertools.count(0, 10):\n"
        "    put(store, range(n, n + 10))\n"
        "    print(n + 10, flush=True)\n"
    )
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.15)
        process.send_signal(signal.SIGKILL)
        said = process.stdout.read().split()
        process.stdout.close()
        process.wait()
        promised = int(said[-1]) if said else 10
        with Store.open("repo", directory=tmp_path) as store:
            got = store.facts([key(i) for i in range(promised)])
            assert len(got) == promised
            assert store.warnings == []


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    code = (
        f"import sys; sys.path[:0] = {PATHS}\n"
        "from test_store import *\nstart = int(sys.argv[1])\n"
        f"with Store.open('repo', directory=Path({str(tmp_path)!r})) as store:\n"
        "    for n in range(start, start + 400, 10):\n"
        "        put(store, range(n, n + 10))\n"
        "    assert store.warnings == [], store.warnings\n"
    )
    pair = [
        subprocess.Popen([sys.executable, "-c", code, str(start)], stderr=subprocess.PIPE, text=True)
        for start in (0, 200)
    ]
    for process in pair:
        _, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
    with Store.open("repo", directory=tmp_path) as store:
        got = store.facts([key(i) for i in range(600)])
        assert len(got) == 600
        assert all(same(got[key(i)], facts(i)) for i in range(600))


def test_the_first_to_open_a_store_do_not_shut_each_other_out(tmp_path: Path) -> None:
    """SQLite refuses one of two that switch a new file to a write-ahead log, without waiting."""
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom zeroin.index.store import Store\n"
        "print(flush=True)\nstart = float(sys.stdin.readline())\n"
        "for n in range(50):\n"
        "    while time.time() < start + n * 0.03: pass\n"
        f"    with Store.open(f'repo{{n}}', directory=Path({str(tmp_path)!r})) as store:\n"
        "        assert store.warnings == [], store.warnings\n"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", code], stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True)
        for _ in range(2)
    ]
    for process in processes:
        assert process.stdout is not None
        process.stdout.readline()
    start = time.time() + 0.1
    for process in processes:
        assert process.stdin is not None
        print(start, file=process.stdin, flush=True)
    assert [process.communicate(timeout=60)[1] for process in processes] == ["", ""]


def test_a_lock_that_is_not_released_does_not_stop_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_BUSY_S", 0.1)
    path = fill(tmp_path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with Store.open("repo", directory=tmp_path) as store:
        assert len(store.facts([key(i) for i in range(50)])) == 50
        works(store, keeps=False)
        assert len(store.warnings) == 1 and "locked" in store.warnings[0]
    other.close()


def test_threads_share_a_store(tmp_path: Path) -> None:
    errors: list[Exception] = []

    def run(start: int) -> None:
        try:
            for i in range(start, start + 40):
                put(store, [i])
                assert same(store.facts([key(i)])[key(i)], facts(i))
        except (AssertionError, KeyError, sqlite3.Error) as error:
            errors.append(error)

    with Store.open("repo", directory=tmp_path) as store:
        threads = [threading.Thread(target=run, args=(n * 40,)) for n in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not errors
        assert len(store.facts([key(i) for i in range(240)])) == 240
