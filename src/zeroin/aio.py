"""Asks from an event loop: each question runs in a thread of its own, never on the loop.

The engine stays synchronous. A question runs in one thread from beginning to end; when the awaiting task is cancelled,
that thread ends at the next step of indexing or at the end of the cycle, and what was indexed by then is kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar, Unpack

from zeroin.config import Settings
from zeroin.protocols import Progress

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from zeroin.answer import Context, Cycle
    from zeroin.session import Session
    from zeroin.types import Task
    from zeroin.workspace.members import Place

T = TypeVar("T")


class _Abandoned(Exception):
    """Raised in the thread, to end it once the awaiting task is cancelled."""


class _Watch:
    """Passes progress on to the caller's `Progress`; once abandoned, ends the thread that reports."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._abandoned = False

    def __call__(self, what: str, done: int, total: int) -> None:
        if self._abandoned:
            raise _Abandoned
        if self._progress is not None:
            self._progress(what, done, total)

    def abandon(self) -> None:
        self._abandoned = True


class _Thread:
    """One thread; runs one call after another."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="zeroin")

    async def do(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._executor, work)

    def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)


async def in_thread(work: Callable[[Progress], T], progress: Progress | None = None) -> T:
    """Run `work` in a thread and return its result.

    `work` gets a `Progress` to call at every step; after a cancellation that call raises, which ends the thread. The
    caller's `progress` is called from the thread.
    """
    async with _working(progress) as (thread, watch):
        return await thread.do(lambda: work(watch))


async def aretrieve(
    task: str | Task,
    repository: Place = ".",
    *,
    progress: Progress | None = None,
    **settings: Unpack[Settings],
) -> Context:
    """Await `zeroin.retrieve`: the same arguments, answer and errors. `progress` is called from a thread."""
    from zeroin.engine import open_session

    return await in_thread(
        lambda watch: _run(open_session(task, repository, progress=watch, **settings), watch), progress
    )


async def astream(
    task: str | Task,
    repository: Place = ".",
    *,
    progress: Progress | None = None,
    **settings: Unpack[Settings],
) -> AsyncGenerator[Cycle | Context, None]:
    """Yield every `Cycle` as it is done, then the `Context`; arguments and errors of `zeroin.retrieve`.

    Leaving the loop early ends the work; `contextlib.aclosing` makes that happen at once.
    """
    from zeroin.engine import open_session

    async with _working(progress) as (thread, watch):
        session = await thread.do(lambda: open_session(task, repository, progress=watch, **settings))
        cycles = iter(session)
        while (cycle := await thread.do(lambda: next(cycles, None))) is not None:
            yield cycle
        yield await thread.do(session.run)


def _run(session: Session, watch: Progress) -> Context:
    for cycle in session:
        watch("asking", cycle.number, 0)
    return session.run()


@asynccontextmanager
async def _working(progress: Progress | None) -> AsyncIterator[tuple[_Thread, _Watch]]:
    thread, watch = _Thread(), _Watch(progress)
    try:
        yield thread, watch
    finally:
        watch.abandon()
        thread.close()
