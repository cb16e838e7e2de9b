"""Cache a model's replies by request, so that the same request is not paid for twice.

Each reply is a file in the cache folder of this user. A file that cannot be read counts as missing.
"""

import shutil
import zlib
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from zeroin.config import cache_dir
from zeroin.llm_judge.contract import Reply
from zeroin.replacing import replacing

FOLDER = "judged"
MOST_FILES = 5_000  # oldest ones go
_TRIMMED_EVERY = 64  # files stored between two trims, on average


def _checksum(path: Path, reply: Reply) -> int:
    """Return the CRC-32 of a reply and of the key of its request."""
    took = (reply.input_tokens, reply.output_tokens, *(() if reply.cost is None else (reply.cost,)))
    return zlib.crc32(f"{path.stem} {took} {reply.text}".encode("utf-8", "surrogatepass"))


def _place(model: str, key: str) -> Path:
    digest = sha256(f"{model}\0{key}".encode("utf-8", "replace")).hexdigest()
    return cache_dir() / FOLDER / digest[:2] / f"{digest}.json"


def stored(model: str, key: str) -> Reply | None:
    """Return the reply that this model gave to the same request; None where there is none."""
    with suppress(OSError, msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        path = _place(model, key)
        row = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
        reply = msgspec.convert(row, Reply)
        return reply if row.get("crc") == _checksum(path, reply) else None
    return None


def store(model: str, key: str, reply: Reply) -> None:
    """Keep a reply; a cache that cannot be written keeps nothing."""
    path = _place(model, key)
    content = msgspec.json.encode({**asdict(reply), "crc": _checksum(path, reply)})
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with replacing(path) as file:
            file.write(content)
    except OSError:
        return
    if int(path.stem[:8], 16) % _TRIMMED_EVERY == 0:
        _trim()


def _trim() -> None:
    with suppress(OSError):
        files = sorted((cache_dir() / FOLDER).glob("??/*.json"), key=lambda file: file.stat().st_mtime)
        for file in files[:-MOST_FILES]:
            file.unlink(missing_ok=True)


def clear() -> None:
    shutil.rmtree(cache_dir() / FOLDER, ignore_errors=True)
