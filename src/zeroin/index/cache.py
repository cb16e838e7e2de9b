"""The cache directory as a whole: its size, emptying it, pruning it; and moving an index from one machine to another.

An exported file is data from a stranger: its checksum is verified before anything of it is used, every size in it
is bounded, it names no path, and every row must decode. What it cannot promise is that its facts are true of the
blobs that they claim to describe: import only what comes from where the code comes from.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
import sqlite3
import struct
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from zeroin.errors import CacheError
from zeroin.index.arrays import TEMPORARY_SUFFIX
from zeroin.index.database import ARRAYS_SUFFIX, SET_ASIDE_SUFFIX, SUFFIX, file_name, index_dir
from zeroin.index.store import Key, Store
from zeroin.models.encoder import encoder
from zeroin.parsing.facts import FACTS_VERSION, Facts
from zeroin.parsing.passages import MAX_PASSAGES
from zeroin.terms import ANALYSER_VERSION

EXPORT_VERSION = 1
MAGIC = b"ZEROINX1"
MAX_ROW_BYTES = 16_000_000  # of an encoded row; the largest seen of a 2 MB file is under a tenth
MAX_DECODED_BYTES = 256_000_000
MAX_ROWS = 5_000_000
_MAX_HEADER = 1_000_000
_MAX_NAME = 255
_HEAD = struct.Struct("<8sI")  # magic, bytes of the header
_ROW = struct.Struct("<BBI")  # bytes of the blob id, of the language, of the facts
_DIGEST_BYTES = 32
_BATCH = 1000
_CHUNK = 1 << 20
# Only what bears our naming is ever removed: the folder may be one that holds other files too.
_OURS = re.compile(r".+-[0-9a-f]{12}")
_STALE_SECONDS = 86_400.0  # a temporary file as old as this has no writer any more


@dataclass(frozen=True, slots=True)
class Usage:
    """What one repository takes in the cache; `used` is when it was last opened, seconds since 1970."""

    name: str
    size: int
    used: float


def usage(directory: Path | None = None) -> list[Usage]:
    """What each repository takes, last used first."""
    folder = directory or index_dir()
    out = []
    for path in _stores(folder):
        sizes = [_size(file) for file in _files_of(path)]
        out.append(Usage(path.stem, sum(sizes), _modified(path)))
    return sorted(out, key=lambda u: (-u.used, u.name))


def cache_size(directory: Path | None = None) -> int:
    """Bytes of all files in the cache of indexes, what was set aside and left behind included."""
    folder = directory or index_dir()
    return sum(_size(path) for path in _walk(folder))


def clear(directory: Path | None = None, *, identity: str | None = None) -> int:
    """Remove every index, or that of one repository; returns the bytes freed.

    Files that cannot be removed, or are not ours, stay.
    """
    folder = directory or index_dir()
    before = cache_size(folder)
    if identity is not None:
        _remove_store(folder / (file_name(identity) + SUFFIX))
        return before - cache_size(folder)
    for path in _stores(folder):
        _remove_store(path)
    _sweep(folder, older_than=0.0)
    return before - cache_size(folder)


def prune(
    max_bytes: int | None = None, max_age_days: float | None = None, *, directory: Path | None = None
) -> int:
    """Remove indexes not used for `max_age_days`, then the least recently used until `max_bytes` remain.

    Returns the bytes freed; what broke or was left behind by a killed process goes in any case.
    """
    folder = directory or index_dir()
    before = cache_size(folder)
    _sweep(folder, older_than=_STALE_SECONDS)
    kept = usage(folder)
    if max_age_days is not None:
        oldest = time.time() - max_age_days * 86_400
        for item in [u for u in kept if u.used < oldest]:
            _remove_store(folder / (item.name + SUFFIX))
            kept.remove(item)
    if max_bytes is not None:
        total = sum(item.size for item in kept)
        while kept and total > max_bytes:
            item = kept.pop()
            _remove_store(folder / (item.name + SUFFIX))
            total -= item.size
    return before - cache_size(folder)


def export_index(identity: str, file: Path, *, directory: Path | None = None) -> int:
    """Write the facts of a repository to `file`, replacing it in one step; returns their number.

    Raises `CacheError` when there is no index or the file cannot be written.
    """
    if not ((directory or index_dir()) / (file_name(identity) + SUFFIX)).exists():
        raise CacheError("there is no index of this repository to export")
    temporary = file.with_name(f".{file.name}.{os.getpid()}.{secrets.token_hex(4)}{TEMPORARY_SUFFIX}")
    try:
        with Store.open(identity, directory=directory) as store:
            if store.path_for("x") is None:
                raise CacheError("; ".join(store.warnings))
            digest = hashlib.sha256()
            with temporary.open("wb") as out:

                def write(data: bytes) -> None:
                    digest.update(data)
                    out.write(data)

                count = _write(store, write)
                out.write(digest.digest())
        temporary.replace(file)
    except (OSError, sqlite3.Error) as error:
        raise CacheError(f"{file.name} cannot be written: {error}") from error
    finally:
        temporary.unlink(missing_ok=True)
    return count


def _write(store: Store, write: Callable[[bytes], object]) -> int:
    header = {"version": EXPORT_VERSION, "facts": FACTS_VERSION, "analyser": ANALYSER_VERSION}
    encoded = json.dumps(header, separators=(",", ":")).encode()
    write(_HEAD.pack(MAGIC, len(encoded)) + encoded)
    count = 0
    for (blob, language), data in store.encoded_facts():
        ids = blob.encode("ascii", "replace"), language.encode("ascii", "replace")
        if max(map(len, ids)) > _MAX_NAME or len(data) > MAX_ROW_BYTES:
            continue  # no such row is ever written by us
        write(_ROW.pack(len(ids[0]), len(ids[1]), len(data)) + ids[0] + ids[1] + data)
        count += 1
    return count


def import_index(file: Path, identity: str, *, directory: Path | None = None) -> int:
    """Add the facts of an exported file to a repository's index; returns their number.

    Nothing is added unless all of it is whole and of this version. Raises `CacheError`.
    """
    try:
        with file.open("rb") as source:
            # The file stays open between checking and reading, and is read in one pass each: what is imported
            # was checked row by row, whatever happens to the file meanwhile.
            _verify(source, file.name)
            with Store.open(identity, directory=directory) as store:
                if store.in_memory:
                    raise CacheError("; ".join(store.warnings))
                with store.importing() as put:
                    count = 0
                    batch: dict[Key, bytes] = {}
                    for key, data in _rows(source, file.name):
                        batch[key] = data
                        count += 1
                        if len(batch) >= _BATCH:
                            put(batch)
                            batch = {}
                    put(batch)
                return count
    except (OSError, sqlite3.Error) as error:
        raise CacheError(f"{file.name} cannot be imported: {error}") from error


def _verify(source: BinaryIO, name: str) -> None:
    """Check magic and digest of the whole file; leaves it at its start."""
    size = os.fstat(source.fileno()).st_size
    if source.read(len(MAGIC)) != MAGIC:
        raise CacheError(f"{name} is no exported index")
    if size < _HEAD.size + _DIGEST_BYTES:
        raise CacheError(f"{name} is cut short")
    source.seek(0)
    digest = hashlib.sha256()
    left = size - _DIGEST_BYTES
    while left > 0:
        chunk = source.read(min(_CHUNK, left))
        if not chunk:
            raise CacheError(f"{name} is cut short")
        digest.update(chunk)
        left -= len(chunk)
    if source.read(_DIGEST_BYTES) != digest.digest():
        raise CacheError(f"{name} is damaged: its checksum is wrong")
    source.seek(0)


def _rows(source: BinaryIO, name: str) -> Iterator[tuple[Key, bytes]]:
    """The rows of a verified file, each decoded once. Raises `CacheError`."""
    end = os.fstat(source.fileno()).st_size - _DIGEST_BYTES
    _, length = _HEAD.unpack(_exactly(source, _HEAD.size, end, name))
    if length > _MAX_HEADER:
        raise CacheError(f"{name} has an impossible header")
    _check_header(_exactly(source, length, end, name), name)
    count = 0
    while source.tell() < end:
        count += 1
        sizes = _ROW.unpack(_exactly(source, _ROW.size, end, name))
        if sizes[2] > MAX_ROW_BYTES or count > MAX_ROWS:
            raise CacheError(f"{name} is larger than an index can be")
        blob = _exactly(source, sizes[0], end, name)
        language = _exactly(source, sizes[1], end, name)
        data = _exactly(source, sizes[2], end, name)
        if len(blob) not in (40, 64) or not set(blob) <= set(b"0123456789abcdef"):
            raise CacheError(f"{name} holds facts of something that is no blob")
        if not all(97 <= c <= 122 or 48 <= c <= 57 for c in language):
            raise CacheError(f"{name} names a language that is none")
        key = (blob.decode(), language.decode())
        _check_facts(key, data, name)
        yield key, data


def _exactly(source: BinaryIO, size: int, end: int, name: str) -> bytes:
    if source.tell() + size > end:
        raise CacheError(f"{name} is cut short")
    data = source.read(size)
    if len(data) != size:
        raise CacheError(f"{name} is cut short")
    return data


def _check_header(data: bytes, name: str) -> None:
    try:
        header = json.loads(data)
        versions = (header["version"], header["facts"], header["analyser"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CacheError(f"{name} has an unreadable header") from error
    if versions != (EXPORT_VERSION, FACTS_VERSION, ANALYSER_VERSION):
        raise CacheError(f"{name} was written by another version of zeroin: export it again with this one")


def _check_facts(key: Key, data: bytes, name: str) -> None:
    """Raises `CacheError` unless `data` are facts as we would have encoded them."""
    try:
        inflate = zlib.decompressobj()
        inflate.decompress(data, MAX_DECODED_BYTES)
        if not inflate.eof or inflate.unused_data:
            raise ValueError("they do not end where they should")
        facts = Facts.decode(data)
        _check_values(facts, key[1])
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError, zlib.error) as error:
        raise CacheError(f"{name} holds unreadable facts of {key[0][:12]}: {error}") from error


def _check_values(facts: Facts, language: str) -> None:
    texts = [facts.language, facts.parser, facts.skipped]
    numbers = [facts.size, facts.lines]
    for definition in facts.definitions:
        texts += [definition.name, definition.kind, definition.parent]
        numbers += [definition.start, definition.end]
    for statement in facts.imports:
        texts += [statement.module, *statement.names]
        numbers.append(statement.line)
    if not all(type(text) is str for text in texts):
        raise ValueError("a name is no text")
    if not all(type(number) is int and 0 <= number < 2**31 for number in numbers):
        raise ValueError("a number is out of range")
    if language and facts.language != language:
        raise ValueError("their language is another")
    if len(facts.counts) != len(facts.term_ids):
        raise ValueError("terms and counts do not match")
    for ids in (facts.term_ids, facts.names):
        if len(ids) > 1 and not bool(np.all(ids[1:] > ids[:-1])):
            raise ValueError("their ids are not sorted")
    _check_passages(facts)


def _check_passages(facts: Facts) -> None:
    """Passages lie in the file, one after the other, each with a vector of the encoder in use."""
    count = len(facts.passages)
    if count > MAX_PASSAGES or count != len(facts.vectors):
        raise ValueError("passages and vectors do not match")
    if facts.vectors.shape[1] not in ({encoder().dimensions} if count else {0, encoder().dimensions}):
        raise ValueError("their vectors are of another encoder")
    lines = facts.passages.astype(np.int64).ravel()  # first, last, first, last …
    first, last = lines[::2], lines[1::2]
    if count and not (
        first[0] >= 1
        and last[-1] <= facts.lines
        and bool(np.all(first <= last))
        and bool(np.all(first[1:] > last[:-1]))
    ):
        raise ValueError("a passage is not in the file")


def _ours(folder: Path, suffix: str) -> list[Path]:
    """Files and folders named like those of a store, with a suffix."""
    try:
        found = sorted(folder.iterdir())
    except OSError:  # nothing was ever cached
        return []
    return [
        path
        for path in found
        if path.name.endswith(suffix) and _OURS.fullmatch(path.name.removesuffix(suffix))
    ]


def _stores(folder: Path) -> list[Path]:
    return [path for path in _ours(folder, SUFFIX) if path.is_file()]


def _files_of(path: Path) -> Iterator[Path]:
    yield from (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm"))
    yield from _walk(path.with_suffix(ARRAYS_SUFFIX))


def _walk(folder: Path) -> Iterator[Path]:
    for where, _, names in os.walk(folder):  # does not follow links to folders
        yield from (Path(where) / name for name in names)


def _remove_store(path: Path) -> None:
    for file in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        _unlink(file)
    shutil.rmtree(path.with_suffix(ARRAYS_SUFFIX), ignore_errors=True)


def _sweep(folder: Path, *, older_than: float) -> None:
    """Remove what was set aside, what killed writers left, and arrays whose index is gone."""
    before = time.time() - older_than
    for path in _ours(folder, SUFFIX + SET_ASIDE_SUFFIX):
        _unlink(path)
    for arrays in _ours(folder, ARRAYS_SUFFIX):
        if not arrays.with_suffix(SUFFIX).exists():
            shutil.rmtree(arrays, ignore_errors=True)
            continue
        for path in list(_walk(arrays)):
            if (
                path.name.startswith(".")
                and path.name.endswith(TEMPORARY_SUFFIX)
                and _modified(path) <= before
            ):
                _unlink(path)


def _unlink(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:  # in use on Windows, or read-only: what remains shows in the size
        return


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0


def _modified(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0
