"""The cache directory as a whole: its size, emptying it, pruning it; and moving an index from one machine to another.

An exported file is data from a stranger: its checksum is verified before anything of it is used, every size in it
is bounded, it names no path, and every row must decode. What it cannot promise is that its facts are true of the
blobs that they claim to describe: import only what comes from where the code comes from.
"""

from __future__ import annotations

import math
import os
import shutil
import sqlite3
import stat
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np
from numpy.typing import NDArray

from zeroin.errors import CacheError
from zeroin.index import arrays
from zeroin.index.arrays import StringTable
from zeroin.index.database import ARRAYS_SUFFIX, SET_ASIDE_SUFFIX, SUFFIX, file_name, index_dir
from zeroin.index.store import Key, Store
from zeroin.models.encoder import encoder
from zeroin.parsing.facts import FACTS_VERSION, Facts
from zeroin.parsing.passages import MAX_PASSAGES
from zeroin.patterns import lazy_pattern
from zeroin.replacing import sweep
from zeroin.terms import ANALYSER_VERSION

EXPORT_VERSION = 2
MAX_DECODED_BYTES = 256_000_000  # of one file's facts
_VERSIONS = [EXPORT_VERSION, FACTS_VERSION, ANALYSER_VERSION]
_BLOB = lazy_pattern(r"[0-9a-f]{40}|[0-9a-f]{64}")
_LANGUAGE = lazy_pattern(r"[a-z0-9]*")
_Number = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
_Values = tuple[
    tuple[str, str, str, _Number, _Number],
    list[tuple[str, str, str, _Number, _Number]],
    list[tuple[str, tuple[str, ...], _Number]],
]
# Only what bears our naming is ever removed: the folder may be one that holds other files too.
_OURS = lazy_pattern(r"(.+-[0-9a-f]{12})\.(?:sqlite3(?:-wal|-shm|\.set-aside)?|arrays)")


@dataclass(frozen=True, slots=True, eq=False)
class _Exported:
    """The columns of an exported index: row r is `facts[offsets[r]:offsets[r + 1]]` of its blob in its language."""

    blobs: StringTable
    languages: StringTable
    offsets: NDArray[np.int64]
    facts: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Usage:
    """Size (bytes) of one repository's files in the cache; `used`: last opened, seconds since 1970."""

    name: str
    size: int
    used: float


def usage(directory: Path | None = None) -> list[Usage]:
    """Return the sizes of all repositories, last used first."""
    out = []
    for name, places in _by_store(directory or index_dir()).items():
        for store in places:
            if store.name == name + SUFFIX:
                with suppress(OSError):  # it has vanished
                    out.append(Usage(name, sum(map(_size, places)), store.stat().st_mtime))
    return sorted(out, key=lambda u: (-u.used, u.name))


def cache_size(directory: Path | None = None) -> int:
    """Return bytes of all files in the cache of indexes, what was set aside and left behind included."""
    return _size(directory or index_dir())


def clear(directory: Path | None = None, *, identity: str | None = None) -> int:
    """Remove every index, or that of one repository; returns the bytes freed.

    Files that cannot be removed, or are not ours, stay.
    """
    folder = directory or index_dir()
    before = cache_size(folder)
    for name, places in _by_store(folder).items():
        if identity is None or name == file_name(identity):
            _remove(places)
    return before - cache_size(folder)


def prune(
    max_bytes: int | None = None, max_age_days: float | None = None, *, directory: Path | None = None
) -> int:
    """Remove indexes not used for `max_age_days`, then the least recently used until `max_bytes` remain.

    Returns the bytes freed; what broke or was left behind by a killed process goes in any case.
    """
    folder = directory or index_dir()
    before = cache_size(folder)
    found = _by_store(folder)
    for name, places in found.items():
        is_orphan = not any(place.name == name + SUFFIX for place in places)
        _remove([place for place in places if is_orphan or place.name.endswith(SET_ASIDE_SUFFIX)])
        sweep(folder / (name + ARRAYS_SUFFIX))
    oldest = -math.inf if max_age_days is None else time.time() - max_age_days * 86_400
    left = math.inf if max_bytes is None else max_bytes
    for item in usage(folder):
        left -= item.size
        if item.used < oldest or left < 0:
            _remove(found[item.name])
    return before - cache_size(folder)


def export_index(identity: str, file: Path, *, directory: Path | None = None) -> int:
    """Write the facts of a repository to `file`, an array file, replacing it in one step; returns their number.

    Raises `CacheError` when there is no index or the file cannot be written, or is a link, a device or a pipe.
    """
    if os.path.lexists(file) and not stat.S_ISREG(file.lstat().st_mode):
        raise CacheError(f"{file} is no regular file and is left as it is: name another for the export")
    if not ((directory or index_dir()) / (file_name(identity) + SUFFIX)).exists():
        raise CacheError("there is no index of this repository to export")
    try:
        with Store.open(identity, directory=directory) as store:
            rows = list(store.encoded_facts())
            if not rows and store.warnings:
                raise CacheError("; ".join(store.warnings))
    except sqlite3.Error as error:
        raise CacheError(f"the index cannot be read: {error}") from error
    facts = _Exported(
        blobs=StringTable.pack([blob for (blob, _), _ in rows]),
        languages=StringTable.pack([language for (_, language), _ in rows]),
        offsets=np.cumsum([0, *(len(data) for _, data in rows)], dtype=np.int64),
        facts=np.frombuffer(b"".join(data for _, data in rows), np.uint8),
    )
    arrays.save(file, arrays.to_columns(facts), {"kind": "index", "versions": _VERSIONS})
    return len(rows)


def import_index(file: Path, identity: str, *, directory: Path | None = None) -> int:
    """Add the facts of an exported file to a repository's index; returns their number.

    Nothing is added unless all of it is whole and of this version. Raises `CacheError`.
    """
    if file.exists() and not file.is_file():
        raise CacheError(f"no index can be imported: {file.name} is no regular file")
    try:
        columns, meta = arrays.load(file)
    except CacheError as error:
        raise CacheError(f"no index can be imported: {error}") from error
    if meta.get("kind") != "index":
        raise CacheError(f"{file.name} is no exported index")
    if meta.get("versions") != _VERSIONS:
        raise CacheError(
            f"{file.name} was written by another version of zeroin: export it again with this one"
        )
    exported = arrays.from_columns(_Exported, columns)
    try:
        with Store.open(identity, directory=directory) as store:
            return store.import_facts(_checked(exported))
    except ValueError as error:
        raise CacheError(f"{file.name} holds {error}") from error
    except sqlite3.Error as error:
        raise CacheError(f"{file.name} cannot be imported: {error}") from error


def _checked(exported: _Exported) -> Iterator[tuple[Key, bytes]]:
    """Yield the rows of an exported file. Raises `ValueError` for what we would not have written."""
    ends = exported.offsets
    texts = [(table.offsets, table.data) for table in (exported.blobs, exported.languages)]
    if not all(
        a.shape == ends.shape != (0,) and _is_partition(a, b) for a, b in (*texts, (ends, exported.facts))
    ):
        raise ValueError("lists that do not fit together")
    blobs, languages = exported.blobs.tolist(), exported.languages.tolist()
    for at, key in enumerate(zip(blobs, languages, strict=True)):
        blob, language = key
        if not _BLOB.fullmatch(blob):
            raise ValueError("facts of something that is no blob")
        if not _LANGUAGE.fullmatch(language):
            raise ValueError("a language that is none")
        data = exported.facts[int(ends[at]) : int(ends[at + 1])].tobytes()
        try:
            _check_facts(data, language)
        except (ValueError, TypeError, AttributeError, OverflowError, RecursionError, zlib.error) as error:
            raise ValueError(f"unreadable facts of {blob[:12]}: {error}") from error
        yield key, data


def _is_partition(offsets: NDArray[np.int64], data: NDArray[np.uint8]) -> bool:
    """Tell whether the offsets cut all of the data into pieces, one behind the other."""
    if offsets.dtype != np.int64 or data.dtype != np.uint8 or offsets.ndim != 1 or data.ndim != 1:
        return False
    return int(offsets[0]) == 0 and int(offsets[-1]) == len(data) and not bool((np.diff(offsets) < 0).any())


def _check_facts(data: bytes, language: str) -> None:
    """Raises an error unless `data` are facts as we would have encoded them."""
    inflate = zlib.decompressobj()
    inflate.decompress(data, MAX_DECODED_BYTES)
    if not inflate.eof or inflate.unused_data:
        raise ValueError("they do not end where they should")
    facts = Facts.decode(data)
    values = (facts.language, facts.parser, facts.skipped, facts.size, facts.lines)
    definitions = [(d.name, d.kind, d.parent, d.start, d.end) for d in facts.definitions]
    imports = [(i.module, i.names, i.line) for i in facts.imports]
    msgspec.convert((values, definitions, imports), _Values)
    if language and facts.language != language:
        raise ValueError("their language is another")
    for ids in (facts.term_ids, facts.names):
        if len(ids) > 1 and not bool(np.all(ids[1:] > ids[:-1])):
            raise ValueError("their ids are not sorted")
    _check_passages(facts)


def _check_passages(facts: Facts) -> None:
    """Passages lie in the file, one after the other, each with a vector of the encoder in use."""
    count, width = facts.vectors.shape
    if count > MAX_PASSAGES or count != len(facts.passages):
        raise ValueError("passages and vectors do not match")
    if width != encoder().dimensions and (count or width):
        raise ValueError("their vectors are of another encoder")
    lines = facts.passages.astype(np.int64).ravel()  # first, last, first, last …
    first, last = lines[::2], lines[1::2]
    ordered = bool(np.all(first <= last)) and bool(np.all(first[1:] > last[:-1]))
    if count and not (ordered and first[0] >= 1 and last[-1] <= facts.lines):
        raise ValueError("a passage is not in the file")


def _by_store(folder: Path) -> dict[str, list[Path]]:
    """Return the files and folders of each store by its name: those that bear our naming."""
    out: dict[str, list[Path]] = {}
    with suppress(OSError):  # nothing was ever cached
        for path in sorted(folder.iterdir()):
            found = _OURS.fullmatch(path.name)
            if found is not None and (path.suffix == ARRAYS_SUFFIX or not path.is_dir()):
                out.setdefault(found[1], []).append(path)
    return out


def _remove(places: Iterable[Path]) -> None:
    """Remove files and folders if the system lets us: `prune` tries again, and what remains shows in the size."""
    for place in places:
        if place.suffix == ARRAYS_SUFFIX:
            shutil.rmtree(place, ignore_errors=True)
        else:
            with suppress(OSError):  # in use on Windows (by a virus scanner, say), or read-only
                place.unlink(missing_ok=True)


def _size(place: Path) -> int:
    """Return the bytes of a file, or of all files in a folder; links in it are not followed."""
    files = [place]
    if place.is_dir():
        files = [Path(where) / name for where, _, names in os.walk(place) for name in names]
    size = 0
    for file in files:
        with suppress(OSError):  # it has vanished
            size += file.lstat().st_size
    return size
