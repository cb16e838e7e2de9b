"""A worker whose parser dies of some files: `!die` ends it, `!hang` never returns, `!always` kills text too."""

from __future__ import annotations

import os
import time

from zeroin.index import analysing
from zeroin.parsing.facts import Facts

VERSION = analysing.VERSION
_analyse = analysing.analyse


def analyse(data: bytes, language: str) -> Facts:
    if data.startswith(b"!always") or (data.startswith(b"!die") and language != "text"):
        os.abort()
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
