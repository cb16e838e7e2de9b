"""Asking from an event loop: the same answer as without, the loop never blocked, the work ended when nobody waits."""

import asyncio
import contextlib
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import zeroin
from tests.e2e.small_repository import TASK, build
from zeroin.aio import in_thread
from zeroin.answer import Context, Cycle
from zeroin.errors import EmptyTaskError, RepositoryError
from zeroin.protocols import Progress


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZEROIN_DATA_DIR", str(tmp_path / "data"))
    folder = tmp_path / "shop"
    folder.mkdir()
    return build(folder)


def _ours() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("zeroin")]


def _ended(within_s: float) -> bool:
    until = time.monotonic() + within_s
    while _ours() and time.monotonic() < until:
        time.sleep(0.01)
    return not _ours()


def test_the_answer_is_that_of_retrieve(repository: Path) -> None:
    awaited = asyncio.run(zeroin.aretrieve(TASK, repository, always_loop=True))
    plain = zeroin.retrieve(TASK, repository, always_loop=True)
    assert [(j.path, j.relevance) for j in awaited.ranking] == [(j.path, j.relevance) for j in plain.ranking]
    assert _ended(60)


def test_cycles_come_one_by_one_and_the_context_at_last(repository: Path) -> None:
    async def collect() -> list[Cycle | Context]:
        return [event async for event in zeroin.astream(TASK, repository, always_loop=True)]

    *cycles, context = asyncio.run(collect())
    assert isinstance(context, Context)
    assert [cycle.number for cycle in cycles if isinstance(cycle, Cycle)] == list(range(1, len(cycles) + 1))
    assert len(cycles) == len(context.cycles) > 0
    assert _ended(60)


def test_the_event_loop_goes_on_meanwhile(repository: Path) -> None:
    async def ticks() -> int:
        count = 0
        asked = asyncio.create_task(zeroin.aretrieve(TASK, repository, always_loop=True))
        while not asked.done():
            await asyncio.sleep(0.005)
            count += 1
        await asked
        return count

    assert asyncio.run(ticks()) > 5  # a loop that is blocked by the question ticks once


def test_errors_are_those_of_retrieve(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(EmptyTaskError):
        asyncio.run(zeroin.aretrieve("  ", repository))
    with pytest.raises(RepositoryError):
        asyncio.run(zeroin.aretrieve(TASK, tmp_path / "nowhere"))
    assert _ended(60)


def test_a_stop_iteration_of_the_caller_s_code_is_an_error_and_no_hang(repository: Path) -> None:
    def stop(*_: object) -> None:
        next(iter(()))

    async def asked() -> None:
        await asyncio.wait_for(zeroin.aretrieve(TASK, repository, progress=stop), 30)

    with pytest.raises(RuntimeError, match="raised StopIteration"):
        asyncio.run(asked())


def test_cancelling_ends_the_work_soon(tmp_path: Path) -> None:
    """Of a repository that takes seconds to index, little is indexed once the task is cancelled."""
    folder = tmp_path / "large"
    folder.mkdir()
    for number in range(3_000):
        lines = "".join(f"def token_{number}_{n}(value):\n    return value + {n}\n\n\n" for n in range(30))
        (folder / f"module_{number}.py").write_text(lines)
    told: list[tuple[str, int, int]] = []

    async def cancelled() -> int:
        asked = asyncio.create_task(
            zeroin.aretrieve("token expiry", folder, jobs=1, progress=lambda *step: told.append(step))
        )
        while not any(what == "analysing" for what, _, _ in told) and not asked.done():
            await asyncio.sleep(0.01)
        asked.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asked
        assert asked.cancelled()
        return len(told)

    heard = asyncio.run(cancelled())
    assert _ended(60)
    assert len(told) <= heard + 1  # the step under way ends it; no clock decides
    done = [done for what, done, _ in told if what == "analysing"]
    assert done and max(done) < 2_000


def test_leaving_the_stream_ends_the_work(repository: Path) -> None:
    async def first() -> int:
        async with contextlib.aclosing(zeroin.astream(TASK, repository, always_loop=True)) as events:
            async for event in events:
                assert isinstance(event, Cycle)
                return event.number
        raise AssertionError("no cycle")

    assert asyncio.run(first()) == 1
    assert _ended(60)


def test_many_questions_at_once(repository: Path) -> None:
    async def ask() -> list[Context]:
        return await asyncio.gather(*(zeroin.aretrieve(TASK, repository) for _ in range(2)))

    answers = asyncio.run(ask())
    assert len({tuple(j.path for j in answer.files) for answer in answers}) == 1


def test_work_that_nobody_waits_for_ends_at_its_next_step() -> None:
    steps: list[int] = []
    entered = threading.Event()

    def work(progress: Progress) -> None:
        for number in range(1_000):
            steps.append(number)
            entered.set()
            time.sleep(0.01)
            progress("working", number, 1_000)

    async def cancelled() -> None:
        task = asyncio.create_task(in_thread(work))
        while not entered.is_set():
            await asyncio.sleep(0.001)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert _ended(60) and len(steps) < 100


def test_the_example_runs(repository: Path) -> None:
    script = Path(__file__).resolve().parents[2] / "examples" / "agents" / "with_asyncio.py"
    done = subprocess.run([sys.executable, script, repository, TASK], capture_output=True, text=True, check=True)
    assert "cycle 1: best shop/tokens.py" in done.stdout and " shop/tokens.py: " in done.stdout
