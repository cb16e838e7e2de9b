"""A worker whose parser dies of some files: `!die` ends it, `!hang` never returns, `!always` kills text too.

`!ended` is a process that somebody else ends: once, where `ENDED_ONCE` names a file that is not there yet.
"""

import os
import signal
import time
from pathlib import Path

from zeroin.index import analysing
from zeroin.parsing.facts import Facts

VERSION = analysing.VERSION
_analyse = analysing.analyse


def analyse(data: bytes, language: str) -> Facts:
    if data.startswith(b"!always") or (data.startswith(b"!die") and language != "text"):
        os.abort()
    if data.startswith(b"!ended") and language != "text":
        mark = Path(os.environ["ENDED_ONCE"]) if "ENDED_ONCE" in os.environ else None
        if mark is None or not mark.exists():
            if mark is not None:
                mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    if data.startswith(b"!hang") and language != "text":
        time.sleep(3600)
    if data.startswith(b"!memory"):
        bytearray(analysing.WORK.memory * 2)
    print("a library that prints")
    return _analyse(data, language)


def answer(request: bytes) -> bytes:
    analysing.analyse = analyse
    try:
        return analysing.answer(request)
    finally:
        analysing.analyse = _analyse  # some callers are no worker process
