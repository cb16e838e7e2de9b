"""Named arrays in one file: written whole, replaced atomically, checked, mapped into memory. No pickle.

`docs/FORMAT.md` numbers the layout: magic, sizes and checksum of the header, the header as JSON, then the
arrays in little-endian order, each on a 64-byte boundary with a CRC-32 of its own.
"""

from __future__ import annotations

import json
import math
import mmap
import os
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

from zeroin.errors import CacheError
from zeroin.replacing import replacing

T = TypeVar("T")
MAGIC = b"ZEROINA1"
_PREFIX = struct.Struct("<8sIIQ")  # magic, header bytes, CRC-32 of the header, bytes of the whole file
_ALIGN = 64
_AT_ONCE = 1 << 20
_MAX_HEADER = 64_000_000
_DTYPES = frozenset({"|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8"})


class _File(mmap.mmap):
    """A mapped array file, whose pages can be let go; those of other mappings would lose what they hold."""


def save(path: Path, arrays: Mapping[str, NDArray[Any]], meta: Mapping[str, Any]) -> None:
    """Write arrays of numbers and JSON-able `meta` to `path`, replacing it in one step. Raises `CacheError`.

    Readers that have the old file mapped keep it. Not synced to disk: a power cut may cost the file, which
    its checksums reveal.
    """
    columns: list[tuple[str, NDArray[Any]]] = []
    specs: list[dict[str, Any]] = []
    at = 0
    for name, array in arrays.items():
        # `ascontiguousarray` gives scalars a dimension.
        column = np.ascontiguousarray(array).reshape(array.shape)
        column = column.astype(column.dtype.newbyteorder("<"), copy=False)
        if column.dtype.str not in _DTYPES:
            raise CacheError(f"array {name} has the type {column.dtype}, which is not stored")
        columns.append((name, column))
        view = _bytes_of(column)
        specs.append({"name": name, "type": column.dtype.str, "shape": column.shape, "at": at, "crc": zlib.crc32(view)})
        at = _aligned(at + column.nbytes)
    header = json.dumps({"meta": meta, "arrays": specs}, separators=(",", ":")).encode()
    start = _aligned(_PREFIX.size + len(header))
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(_PREFIX.pack(MAGIC, len(header), zlib.crc32(header), start + at))
            file.write(header)
            file.write(bytes(start - _PREFIX.size - len(header)))
            for _, column in columns:
                file.write(_bytes_of(column))
                file.write(bytes(_aligned(column.nbytes) - column.nbytes))
    except OSError as error:
        raise CacheError(f"{path.name} cannot be written: {error.strerror or error}") from error


def load(path: Path, *, verify: bool = True) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return the arrays (read-only) and `meta` of a file. Raises `CacheError` if it is missing, damaged or foreign.

    The file is mapped, so that only what is used is read; `verify=False` leaves out the checksums of the
    arrays, not that of the header. On Windows, where a mapped file cannot be replaced, it is read instead.
    """
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size < _PREFIX.size:
                raise CacheError(f"{path.name} is cut short")
            buffer: _File | bytes
            buffer = file.read() if os.name == "nt" else _File(file.fileno(), 0, access=mmap.ACCESS_READ)
            return _load(buffer, file if verify else None, path.name)
    except (OSError, ValueError) as error:
        raise CacheError(f"{path.name} cannot be read: {getattr(error, 'strerror', None) or error}") from error


def _load(
    buffer: mmap.mmap | bytes, file: BinaryIO | None, name: str
) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return the arrays and `meta` in `buffer`, the arrays verified by reading `file` if it is given."""
    magic, length, checksum, total = _PREFIX.unpack_from(buffer)
    if magic != MAGIC:
        raise CacheError(f"{name} is no array file of this version")
    if total != len(buffer) or not 0 < length <= min(_MAX_HEADER, total - _PREFIX.size):
        raise CacheError(f"{name} is cut short")
    header = buffer[_PREFIX.size : _PREFIX.size + length]
    if zlib.crc32(header) != checksum:
        raise CacheError(f"{name} has a damaged header")
    start = _aligned(_PREFIX.size + length)
    try:
        described = json.loads(header)
        out = {str(spec["name"]): _array(buffer, start, spec, name) for spec in described["arrays"]}
        meta = dict(described["meta"])
        if file is not None:
            for spec in described["arrays"]:
                if _checksum(file, start + int(spec["at"]), out[str(spec["name"])].nbytes) != spec["crc"]:
                    raise CacheError(f"{name} is damaged in {spec['name']}")
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise CacheError(f"{name} has an unreadable header: {error}") from error
    return out, meta


def _checksum(file: BinaryIO, at: int, size: int) -> int:
    """Return the CRC-32 of a range of a file: read, as touching all of a mapping would count as memory in use."""
    file.seek(at)
    checksum = 0
    while size > 0:
        data = file.read(min(size, _AT_ONCE))
        if not data:
            return -1
        checksum = zlib.crc32(data, checksum)
        size -= len(data)
    return checksum


def in_parts(array: NDArray[Any], rows: int) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield the parts of an array of so many rows each, with the number of their first row.

    The pages of a mapped part are let go when the next one is asked for, so that a pass over all of it takes no more
    memory than a part. They stay in the system's file cache: a pass over 95 MB takes 17 ms instead of 16.
    """
    for at in range(0, len(array), rows):
        part = array[at : at + rows]
        yield at, part
        release(part)


def release(array: NDArray[Any]) -> None:
    """Let go of the pages that hold an array of a mapped file and nothing else; reading it maps them again."""
    base: Any = array
    while isinstance(base, (np.ndarray, memoryview)):
        base = base.base if isinstance(base, np.ndarray) else base.obj
    if not isinstance(base, _File) or not hasattr(mmap, "MADV_DONTNEED"):
        return
    at = _address(array) - _address(np.frombuffer(base, np.uint8))
    first, last = -(-at // mmap.PAGESIZE), (at + array.nbytes) // mmap.PAGESIZE
    if last > first:
        base.madvise(mmap.MADV_DONTNEED, first * mmap.PAGESIZE, (last - first) * mmap.PAGESIZE)


def _address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])


def _array(buffer: mmap.mmap | bytes, start: int, spec: Mapping[str, Any], name: str) -> NDArray[Any]:
    """Return one array as the header describes it.

    Raises `CacheError`, and errors of a malformed description, which `_load` translates.
    """
    shape = tuple(int(n) for n in spec["shape"])
    if spec["type"] not in _DTYPES or any(n < 0 for n in shape) or int(spec["at"]) < 0:
        raise CacheError(f"{name} describes an array that cannot be")
    count = math.prod(shape)
    kind = np.dtype(spec["type"])
    at = start + int(spec["at"])
    if at + count * kind.itemsize > len(buffer):
        raise CacheError(f"{name} is cut short")
    return np.frombuffer(buffer, kind, count, at).reshape(shape)


def to_columns(value: Any, prefix: str = "") -> dict[str, NDArray[Any]]:
    """Return the arrays of a dataclass by field name, for `save`; a nested one's under "field.".

    Other fields are left out.
    """
    out: dict[str, NDArray[Any]] = {}
    for one in fields(value):
        item = getattr(value, one.name)
        if isinstance(item, np.ndarray):
            out[prefix + one.name] = item
        elif is_dataclass(item):
            out |= to_columns(item, f"{prefix}{one.name}.")
    return out


def from_columns(of: type[T], columns: Mapping[str, NDArray[Any]], prefix: str = "", /, **others: Any) -> T:
    """Return the inverse of `to_columns`; `others` are its other fields.

    Raises `CacheError` if an array is missing.
    """
    types = get_type_hints(of)
    try:
        for name in types.keys() - others.keys():
            nested = is_dataclass(types[name])
            others[name] = from_columns(types[name], columns, f"{prefix}{name}.") if nested else columns[prefix + name]
    except KeyError as error:
        raise CacheError(f"the array {error} is missing") from error
    return of(**others)


@dataclass(frozen=True, slots=True, eq=False)
class StringTable:
    """Many strings as two arrays: `offsets` (n + 1,) int64 into `data` uint8 (UTF-8); decoded when asked."""

    offsets: NDArray[np.int64]
    data: NDArray[np.uint8]

    @classmethod
    def pack(cls, strings: Sequence[str]) -> StringTable:
        """Return the table of `strings`; lone surrogates (paths that are not UTF-8) survive."""
        encoded = [text.encode("utf-8", "surrogatepass") for text in strings]
        offsets = np.r_[0, np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)))]
        return cls(offsets, np.frombuffer(b"".join(encoded), np.uint8))

    @classmethod
    def concatenated(cls, tables: Sequence[StringTable]) -> StringTable:
        """Return the strings of several tables, one after another."""
        sizes = [np.diff(table.offsets) for table in tables]
        data = [table.data[int(table.offsets[0]) : int(table.offsets[-1])] for table in tables]
        return cls(np.r_[0, np.cumsum(np.concatenate(sizes))], np.concatenate(data))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, at: int) -> str:
        if not 0 <= at < len(self):
            raise IndexError(at)
        start, end = self.offsets[at], self.offsets[at + 1]
        return self.data[start:end].tobytes().decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        return iter(self.tolist())

    def pick(self, rows: Sequence[int]) -> list[str]:
        """Return the strings of some rows; cheaper than one at a time."""
        at, data = np.asarray(rows, np.int64), self.data.data
        spans = zip(self.offsets[at].tolist(), self.offsets[at + 1].tolist(), strict=True)
        return [str(data[start:end], "utf-8", "surrogatepass") for start, end in spans]

    def take(self, rows: NDArray[np.int64]) -> StringTable:
        """Return the table of some rows, in their order."""
        sizes = np.diff(self.offsets)[rows]
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        breaks = np.flatnonzero(np.diff(rows) != 1) + 1
        if 8 * len(breaks) < len(rows):  # mostly runs of rows: copied whole
            firsts, stops = self.offsets[rows[np.r_[0, breaks]]], self.offsets[rows[np.r_[breaks, len(rows)] - 1] + 1]
            runs = zip(firsts.tolist(), stops.tolist(), strict=True)
            return StringTable(offsets, np.concatenate([self.data[first:stop] for first, stop in runs]))
        bytes_ = np.repeat(self.offsets[rows] - offsets[:-1], sizes) + np.arange(int(offsets[-1]))
        return StringTable(offsets, self.data[bytes_])

    def tolist(self) -> list[str]:
        """Return all strings at once; cheaper than one at a time."""
        data = self.data.tobytes()
        ends = self.offsets.tolist()
        return [data[start:end].decode("utf-8", "surrogatepass") for start, end in pairwise(ends)]


def _aligned(size: int) -> int:
    return -(-size // _ALIGN) * _ALIGN


def _bytes_of(array: NDArray[Any]) -> memoryview:
    return array.reshape(-1).view(np.uint8).data
