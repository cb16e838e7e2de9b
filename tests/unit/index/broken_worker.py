"""A worker whose parser dies of some files: `!die` ends it, `!hang` never returns, `!always` kills text too."""

from __future__ import annotations

import os
import time

from zeroin.index import worker
from zeroin.parsing.facts import Facts

_analyse = worker.analyse


def analyse(data: bytes, language: str) -> Facts:
    if data.startswith(b"!always") or (data.startswith(b"!die") and language != "text"):
        os.abort()
    if data.startswith(b"!hang") and language != "text":
        time.sleep(3600)
    if data.startswith(b"!memory"):
        bytearray(worker.MEMORY_BYTES * 2)
    print("a library that prints")
    return _analyse(data, language)


worker.analyse = analyse
worker.main()
