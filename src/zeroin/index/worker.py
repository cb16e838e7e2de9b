"""A worker: analyses what comes in on stdin, answers on stdout, ends when stdin does (`python -m zeroin.index.worker`).

Frames, both ways, start with their length; `docs/FORMAT.md` has no part in them, since both ends are one version.
Request: u32 length · u16 bytes of the language · language · file. Answer: u32 length · encoded facts.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
import struct
import sys
from typing import BinaryIO

from zeroin.parsing.analyse import analyse
from zeroin.parsing.facts import FACTS_VERSION, Facts
from zeroin.terms import ANALYSER_VERSION

HELLO = f"zeroin-worker {FACTS_VERSION}.{ANALYSER_VERSION}".encode()
FILE_SECONDS = 10.0  # longer, and the pool ends the worker
MEMORY_BYTES = 3 << 30  # of address space; a 2 MB file and its syntax tree need well under a tenth
OUT_OF_MEMORY = "out of memory"

_LENGTH = struct.Struct("<I")
_LANGUAGE = struct.Struct("<H")


def request(language: str, data: bytes) -> bytes:
    """A request frame."""
    name = language.encode()
    return _LENGTH.pack(_LANGUAGE.size + len(name) + len(data)) + _LANGUAGE.pack(len(name)) + name + data


def answer(payload: bytes) -> bytes:
    """An answer frame."""
    return _LENGTH.pack(len(payload)) + payload


def read_frame(pipe: BinaryIO) -> bytes | None:
    """The next frame without its length; None at the end of the pipe, a torn last frame included."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    size = _LENGTH.unpack(head)[0]
    body = pipe.read(size)
    return body if len(body) == size else None


def main() -> None:
    """Serve until stdin ends."""
    # Ctrl-C goes to the whole foreground group: the parent decides, and closes our stdin.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory()
    # Answers get a descriptor of their own: whatever a library prints must not land between frames.
    out = os.fdopen(os.dup(1), "wb")
    sys.stdout = sys.stderr
    out.write(answer(HELLO))
    out.flush()
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123 - a device, not a path
        while (frame := read_frame(sys.stdin.buffer)) is not None:
            # If the parent dies while we hang, nobody ends us: this timer, which needs no interpreter, does.
            faulthandler.dump_traceback_later(3 * FILE_SECONDS, exit=True, file=nowhere)
            size = _LANGUAGE.unpack_from(frame)[0]
            language = frame[_LANGUAGE.size : _LANGUAGE.size + size].decode()
            data = frame[_LANGUAGE.size + size :]
            try:
                facts = analyse(data, language)
            except MemoryError:
                facts = Facts(language, len(data), 0, "text", skipped=OUT_OF_MEMORY)
            try:
                out.write(answer(facts.encode()))
                out.flush()
            except BrokenPipeError:
                os._exit(0)  # the parent is gone; flushing at exit would only fail again
            faulthandler.cancel_dump_traceback_later()


def _limit_memory() -> None:
    if sys.platform == "win32":
        return
    import resource  # not on Windows

    with contextlib.suppress(ValueError, OSError):  # macOS refuses; a lower limit may already stand
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = MEMORY_BYTES if hard == resource.RLIM_INFINITY else min(MEMORY_BYTES, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


if __name__ == "__main__":
    main()
