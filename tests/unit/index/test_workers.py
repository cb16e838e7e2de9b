"""Worker processes: every file gets facts, whatever its parser does; no process is left behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from zeroin.index import analysing
from zeroin.index.analysing import Item, analyse_many
from zeroin.parsing.analyse import analyse
from zeroin.parsing.facts import Facts
from zeroin.workers import Pool, Task, Work

HERE = Path(__file__).parent


def items(count: int, special: dict[int, bytes] | None = None) -> Iterator[Item]:
    for i in range(count):
        data = (special or {}).get(i, b"") + f"\ndef name_{i}(argument):\n    return {i}\n".encode()
        yield Item((f"{i:040x}", "python"), "python", data)


def facts_of(results: Iterable[tuple[tuple[str, str], bytes, bool]]) -> dict[tuple[str, str], bytes]:
    return {key: encoded for key, encoded, _ in results}


def children() -> set[int]:
    out = subprocess.run(["ps", "-ww", "-o", "pid=,args=", "--ppid", str(os.getpid())], capture_output=True, text=True)
    return {int(line.split()[0]) for line in out.stdout.splitlines() if "zeroin.workers" in line}


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    work = replace(analysing.WORK, function="broken_worker:answer", limit_s=1.0)
    monkeypatch.setattr(analysing, "WORK", work)


@pytest.mark.parametrize("in_process", [True, False])
@pytest.mark.parametrize("count", [0, 1, 150])
def test_processes_give_what_this_process_gives(count: int, in_process: bool) -> None:
    got = facts_of(analyse_many(items(count), jobs=2, in_process=in_process))
    assert got == {item.key: analyse(item.data, item.language).encode() for item in items(count)}
    assert not children()


def test_large_files_and_answers_do_not_block_the_pipes() -> None:
    source = b"\n".join(b"def function_%d(): pass" % k for k in range(4_000))
    big = [Item((f"{i:040x}", "python"), "python", source) for i in range(8)]
    got = facts_of(analyse_many(big, jobs=2))
    assert len(got) == 8
    assert all(len(Facts.decode(data).definitions) == 4_000 for data in got.values())


@pytest.mark.usefixtures("broken")
def test_a_crash_or_a_hang_costs_the_parse_of_one_file() -> None:
    special = {3: b"!die", 50: b"!hang", 51: b"!die", 90: b"!always", 99: b"!memory"}
    got = {key: Facts.decode(data) for key, data in facts_of(analyse_many(items(100, special), jobs=2)).items()}
    assert set(got) == {item.key for item in items(100)}
    by_number = {int(blob, 16): facts for (blob, _), facts in got.items()}
    for i, facts in by_number.items():
        assert facts.language == "python"
        if i in (3, 50, 51):
            assert (facts.parser, facts.skipped) == ("generic", "")
            assert len(facts.term_ids)
        elif i == 90:
            assert facts.skipped == "its analysis crashed"
        elif i == 99:
            assert facts.skipped == "out of memory"
        else:
            assert facts.definitions[0].name == f"name_{i}"
    assert not children()


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.usefixtures("broken")
def test_a_process_that_somebody_ends_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENDED_ONCE", str(tmp_path / "mark"))
    results = list(analyse_many(items(60, {30: b"!ended"}), jobs=2))
    assert facts_of(results) == {
        item.key: analyse(item.data, item.language).encode() for item in items(60, {30: b"!ended"})
    }
    assert (tmp_path / "mark").exists() and not any(doubtful for _, _, doubtful in results)


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.usefixtures("broken")
def test_facts_of_processes_that_are_always_ended_are_doubtful() -> None:
    special = {30: b"!ended", 40: b"!die"}  # what a file does to itself, it will do again
    results = list(analyse_many(items(60, special), jobs=2))
    got = facts_of(results)
    assert [key for key, _, doubtful in results if doubtful] == [(f"{30:040x}", "python")]
    assert {Facts.decode(got[(f"{n:040x}", "python")]).parser for n in special} == {"generic"}


@pytest.mark.parametrize("broken_by", ["executable", "function", "version"])
def test_without_processes_the_work_is_done_here(monkeypatch: pytest.MonkeyPatch, broken_by: str) -> None:
    if broken_by == "executable":
        monkeypatch.setattr(sys, "executable", "/bin/false")
    elif broken_by == "version":  # the package was replaced while we ran: nothing that it says can be used
        monkeypatch.setattr(analysing, "WORK", replace(analysing.WORK, version="0.0"))
    else:
        monkeypatch.setattr(sys, "executable", "")
    warnings: list[str] = []
    assert len(facts_of(analyse_many(items(60), jobs=2, warnings=warnings))) == 60
    assert len(warnings) == 1
    assert not children()


@pytest.mark.usefixtures("broken")
def test_the_deadline_ends_it_even_when_a_file_hangs() -> None:
    began = time.monotonic()
    got = list(analyse_many(items(60, {0: b"!hang", 1: b"!hang"}), jobs=2, deadline=began + 0.5))
    assert time.monotonic() - began < 1.5
    assert len(got) < 60
    assert not children()


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("jobs", [0, 1])
def test_an_error_is_said_of_its_task_alone(jobs: int) -> None:
    requests = [b"no-language-and-no-zero", b"\xff\0bad language", b"python\0x = 1"]
    tasks = iter([Task(at, request) for at, request in enumerate(requests)])
    with Pool(Work("broken_worker:answer", analysing.VERSION), jobs) as pool:
        outcomes = {done.task.key: done for done in pool.run(lambda _: next(tasks, None))}
    assert outcomes[1].error.startswith("UnicodeDecodeError: ")
    assert outcomes[2].error == "" and Facts.decode(outcomes[2].answer).language == "python"


def test_an_abandoned_generator_leaves_no_process() -> None:
    results = analyse_many(items(500), jobs=2)
    next(results)
    assert children()
    results.close()
    assert not children()


def test_a_module_in_the_current_folder_is_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "numpy.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["", "."]))
    warnings: list[str] = []
    assert len(facts_of(analyse_many(items(60), jobs=1, warnings=warnings))) == 60
    assert not warnings and not (tmp_path / "ran").exists()


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_workers_end_with_their_parent(how: signal.Signals) -> None:
    code = (
        "from zeroin.index.analysing import Item, analyse_many\nimport itertools, subprocess, os\n"
        "items = (Item((str(i), 'python'), 'python', b'x = 1') for i in itertools.count())\n"
        "results = analyse_many(items, jobs=2)\nnext(results)\n"
        "print(subprocess.run(['ps', '-o', 'pid=', '--ppid', str(os.getpid())], capture_output=True,"
        " text=True).stdout.split(), flush=True)\n"
        "for _ in results: pass\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert parent.stdout is not None
    pids = [int(p.strip("'")) for p in parent.stdout.readline().strip()[1:-1].split(", ")]
    assert len(pids) >= 2
    parent.send_signal(how)
    assert parent.wait(10) != 0
    parent.stdout.close()
    until = time.monotonic() + 10
    while any(_runs(pid) for pid in pids) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(_runs(pid) for pid in pids)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="of Linux")
def test_a_worker_that_still_loads_ends_with_its_parent(tmp_path: Path) -> None:
    loading = "import os, pathlib, time\npathlib.Path(__file__).with_name('pid').write_text(str(os.getpid()))\n"
    (tmp_path / "slow.py").write_text(loading + "time.sleep(100)\n")
    code = (
        "import time\nfrom zeroin.workers import Pool, Work\n"
        "with Pool(Work('slow:answer', ''), 1) as pool:\n    pool.start()\n    time.sleep(100)\n"
    )
    paths = os.pathsep.join([str(tmp_path), *sys.path])
    parent = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": paths})
    pid, until = tmp_path / "pid", time.monotonic() + 30
    while not (pid.exists() and pid.read_text()) and time.monotonic() < until:
        time.sleep(0.01)
    parent.kill()
    parent.wait()
    while _runs(int(pid.read_text())) and time.monotonic() < until:
        time.sleep(0.01)
    assert not _runs(int(pid.read_text()))


def _runs(pid: int) -> bool:
    try:
        return "zeroin.workers" in Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return False
