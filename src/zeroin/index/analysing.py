"""Analyse files in worker processes: a file that crashes or hangs its parser twice is read as plain text instead."""

import sys
from collections import deque
from collections.abc import Generator, Iterable
from dataclasses import replace
from typing import NamedTuple

from zeroin.parsing.analyse import analyse
from zeroin.parsing.facts import FACTS_VERSION, Facts
from zeroin.terms import ANALYSER_VERSION
from zeroin.workers import Pool, Task, Work, jobs_for

VERSION = f"{FACTS_VERSION}.{ANALYSER_VERSION}"
OUT_OF_MEMORY = "out of memory"
MOST_JOBS = 4
# 3 GiB of address space: a 2 MB file and its syntax tree need well under a tenth.
WORK = Work("zeroin.index.analysing:answer", VERSION, limit_s=10.0, memory=3 << 30)
_AHEAD = 6  # files that a process is given at once
_TRIES = 2  # of the parser on a file: the first process may have been ended from outside


class Item(NamedTuple):
    """A file to analyse; `key` is the caller's own.

    `failed` counts failed tries; `outside` says that one of them may not be the file's fault.
    """

    key: tuple[str, str]
    language: str
    data: bytes
    failed: int = 0
    outside: bool = False

    @property
    def plain(self) -> bool:
        """Whether the file is read as plain text, since its parser failed too often."""
        return self.failed >= _TRIES


def analyse_many(
    items: Iterable[Item],
    *,
    jobs: int = 0,
    deadline: float | None = None,
    in_process: bool = False,
    warnings: list[str] | None = None,
) -> Generator[tuple[tuple[str, str], bytes, bool], None, None]:
    """Yield keys and encoded facts as they are ready, and whether another try may give better facts.

    Ends early at `deadline` (monotonic).
    """
    source = iter(items)
    again: deque[Task] = deque()

    def take(_: Task | None) -> Task | None:
        if again:
            return again.popleft()
        item = next(source, None)
        return None if item is None else _task(item)

    with Pool(WORK, 0 if in_process else jobs_for(jobs, MOST_JOBS), ahead=_AHEAD) as pool:
        pool.start()
        for task, encoded, error, outside in pool.run(take, deadline):
            item: Item = task.key
            if error:
                item = item._replace(data=task.request.partition(b"\0")[2])
            if error and not item.plain:
                again.append(_task(item._replace(failed=item.failed + 1, outside=item.outside or outside)))
                continue
            if error:
                failed = Facts(item.language, len(item.data), 0, "text", skipped="its analysis crashed")
                encoded = failed.encode()
            elif item.plain:
                encoded = replace(Facts.decode(encoded), language=item.language, parser="generic").encode()
            yield item.key, encoded, item.plain and (outside or item.outside)
        if pool.in_process and not in_process and warnings is not None:
            warnings.append("no analysis process could be started: files are analysed in this one")


def _task(item: Item) -> Task:
    """Return the task of an item; its data is in the request alone, not in memory twice."""
    language = "text" if item.plain else item.language
    return Task(item._replace(data=b""), language.encode() + b"\0" + item.data)


def answer(request: bytes) -> bytes:
    """Return the encoded facts of one file; a worker process calls it (`WORK`).

    Raises `MemoryError` where the process does not have the limit `WORK.memory`: the file may not be at fault then.
    """
    language, _, data = request.partition(b"\0")
    try:
        return analyse(data, language.decode()).encode()
    except MemoryError:
        if not _has_own_limit():
            raise
        return Facts(language.decode(), len(data), 0, "text", skipped=OUT_OF_MEMORY).encode()


def _has_own_limit() -> bool:
    if sys.platform == "win32":
        return False
    import resource  # not on Windows

    return resource.getrlimit(resource.RLIMIT_AS)[0] == WORK.memory
