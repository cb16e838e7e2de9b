"""Ask from an event loop: each question runs in a thread of its own, never on the loop.

The engine stays synchronous. A question runs in one thread from beginning to end; when the awaiting task is cancelled,
that thread ends at the next step of indexing or at the end of the cycle, and what was indexed by then is kept.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from zeroin.answer import Context, Cycle
from zeroin.config import Settings
from zeroin.engine import open_session
from zeroin.protocols import Progress
from zeroin.session import Session
from zeroin.types import Task

if TYPE_CHECKING:
    from zeroin.workspace.members import Place

T = TypeVar("T")
Run = Callable[[Callable[[], Any]], Awaitable[Any]]


class _Abandoned(Exception):
    """Raised in the thread, to end it once the awaiting task is cancelled."""


async def in_thread(work: Callable[[Progress], T], progress: Progress | None = None) -> T:
    """Run `work` in a thread and return its result.

    `work` gets a `Progress` to call at every step; after a cancellation that call raises, which ends the thread. The
    caller's `progress` is called from the thread.
    """
    async with _thread(progress) as (run, watch):
        result: T = await run(lambda: work(watch))
        return result


async def aretrieve(
    task: str | Task, repository: Place = ".", *, progress: Progress | None = None, **settings: Unpack[Settings]
) -> Context:
    """Await `zeroin.retrieve`: the same arguments, answer and errors. `progress` is called from a thread."""
    return await in_thread(
        lambda watch: _run(open_session(task, repository, progress=watch, **settings), watch), progress
    )


async def astream(
    task: str | Task, repository: Place = ".", *, progress: Progress | None = None, **settings: Unpack[Settings]
) -> AsyncGenerator[Cycle | Context, None]:
    """Yield every `Cycle` as it is done, then the `Context`; arguments and errors of `zeroin.retrieve`.

    Leaving the loop early ends the work; `contextlib.aclosing` makes that happen at once.
    """
    async with _thread(progress) as (run, watch):
        session = await run(lambda: open_session(task, repository, progress=watch, **settings))
        cycles = iter(session)
        while (cycle := await run(lambda: next(cycles, None))) is not None:
            yield cycle
        yield await run(session.run)


def _run(session: Session, watch: Progress) -> Context:
    for cycle in session:
        watch("asking", cycle.number, 0)
    return session.run()


def _finished(work: Callable[[], T]) -> T:
    """Return the result of `work`. A future cannot hold a `StopIteration`: awaiting it would never end."""
    try:
        return work()
    except StopIteration as error:
        raise RuntimeError("what the caller gave raised StopIteration") from error


@asynccontextmanager
async def _thread(progress: Progress | None) -> AsyncIterator[tuple[Run, Progress]]:
    """Yield a function that runs calls in one thread, and their `Progress`; leaving the block ends the thread."""
    abandoned = threading.Event()

    def watch(what: str, done: int, total: int) -> None:
        if abandoned.is_set():
            raise _Abandoned
        if progress is not None:
            progress(what, done, total)

    def run(work: Callable[[], Any]) -> Awaitable[Any]:
        return asyncio.get_running_loop().run_in_executor(executor, _finished, work)

    executor = ThreadPoolExecutor(1, thread_name_prefix="zeroin")
    try:
        yield run, watch
    finally:
        abandoned.set()
        executor.shutdown(wait=False, cancel_futures=True)
