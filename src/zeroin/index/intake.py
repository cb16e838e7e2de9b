"""Collect the columns of a snapshot from facts as they come, since all facts at once would fill the memory."""

import json
import mmap
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from zeroin.heap import trim
from zeroin.index.postings import Postings, build, merged
from zeroin.index.store import Key
from zeroin.index.symbols import Symbols
from zeroin.parsing.facts import CONTENT_FIELDS, Facts

_CHUNK = 256  # documents whose facts are in memory at once; a byte numbers them
_TRIM_EVERY = 4  # chunks after which memory goes back to the system
_LARGE = 16_384  # documents from which on their vectors wait in a file: a third of all columns, and needed last
_Rows = tuple[NDArray[np.int32], NDArray[np.int64], NDArray[Any]]  # documents, how many rows each has, rows


class Intake:
    """Facts of documents 0 … D-1 as columns; `docs` are the documents by the key of their facts.

    `known` marks documents whose facts were taken; `imports` are theirs as JSON, "" where there are none. A method that
    returns columns can be called once, since it frees their parts. Vectors of a large tree wait in a file without a
    name in `folder`, where there is one.
    """

    def __init__(self, docs: Mapping[Key, Sequence[int]], size: int, folder: Path | None = None) -> None:
        self.known = np.zeros(size, np.bool_)
        self.generated = np.zeros(size, np.bool_)
        self.sizes = np.zeros(size, np.int64)
        self.lines = np.zeros(size, np.int32)
        self.languages = [""] * size
        self.imports = [""] * size
        self._docs, self._size = docs, size
        self._waiting: list[tuple[int, Facts]] = []
        self._content: list[tuple[NDArray[np.int32], Postings]] = []
        self._names: list[tuple[NDArray[np.int32], Postings]] = []
        self._passages: list[_Rows] = []
        self._vectors: list[_Rows] = []
        self._definitions: list[_Rows] = []
        self._file = _file_in(folder) if folder is not None and size >= _LARGE else None
        self._name_numbers: dict[str, int] = {}
        self._kind_numbers: dict[str, int] = {}

    def take(self, key: Key, facts: Facts) -> None:
        """Take the facts of a key, for all documents that share it."""
        written = json.dumps(facts.imports, separators=(",", ":")) if facts.imports else ""
        docs = self._docs[key]
        self.known[docs], self.generated[docs] = True, facts.generated
        self.sizes[docs], self.lines[docs] = facts.size, facts.lines
        for doc in docs:
            self.languages[doc], self.imports[doc] = facts.language, written
            self._waiting.append((doc, facts))
        if len(self._waiting) >= _CHUNK:
            self._settle()

    def content(self) -> Postings:
        """Return postings over `CONTENT_FIELDS`."""
        self._settle()
        content = merged(self._content, self._size, len(CONTENT_FIELDS))
        trim()  # of what merging took besides
        return content

    def names(self) -> Postings:
        """Return postings of whole identifiers."""
        self._settle()
        return merged(self._names, self._size, 1)

    def passages(self, dimensions: int) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.int8]]:
        """Return where the passages of each document begin, their lines, and their vectors."""
        self._settle()
        pointers, passages = _in_order(self._passages, self._size, np.empty((0, 2), np.uint32))
        _, vectors = _in_order(self._vectors, self._size, np.empty((0, dimensions), np.int8))
        return pointers, passages, vectors

    def symbols(self) -> Symbols:
        """Return the definitions."""
        self._settle()
        pointers, rows = _in_order(self._definitions, self._size, np.empty((0, 5), np.int32))
        return Symbols.build(pointers, rows, self._name_numbers, tuple(self._kind_numbers))

    def _settle(self) -> None:
        """Turn the waiting facts into columns."""
        if not self._waiting:
            return
        self._waiting.sort(key=lambda item: item[0])
        facts = [facts for _, facts in self._waiting]
        docs = np.array([doc for doc, _ in self._waiting], np.int32)
        self._waiting.clear()
        content = build([(f.term_ids, f.counts) for f in facts], len(CONTENT_FIELDS))
        self._content.append((docs, _postings_apart(content)))
        names = build([(f.names, np.ones((len(f.names), 1), np.uint16)) for f in facts], 1)
        self._names.append((docs, _postings_apart(names)))
        counts = np.array([len(f.passages) for f in facts], np.int64)
        self._passages.append((docs, counts, np.concatenate([f.passages for f in facts])))
        vectors = [f.vectors for f in facts if len(f.vectors)]
        if vectors:
            self._vectors.append((docs, counts, self._aside(np.concatenate(vectors))))
        counts = np.array([len(f.definitions) for f in facts], np.int64)
        rows = np.array([row for f in facts for row in self._rows(f)], np.int32).reshape(-1, 5)
        self._definitions.append((docs, counts, _apart(rows)))
        if len(self._definitions) % _TRIM_EVERY == 0:
            trim()

    def _aside(self, rows: NDArray[np.int8]) -> NDArray[np.int8]:
        """Return the rows mapped from the file, or a copy in memory where there is none, or no room on the disk."""
        if self._file is not None:
            with suppress(OSError):
                at = self._file.seek(0, os.SEEK_END)
                if self._file.write(rows.data) == rows.nbytes:  # a full disk takes a part first
                    return np.memmap(self._file, rows.dtype, "r", at, rows.shape)
            self._file = None
        return _apart(rows)

    def _rows(self, facts: Facts) -> list[tuple[int, int, int, int, int]]:
        """Return name, parent (-1: none), kind, start and end of definitions; names and kinds numbered as they come."""
        names, kinds = self._name_numbers, self._kind_numbers
        return [
            (
                names.setdefault(name, len(names)),
                names.setdefault(parent, len(names)) if parent else -1,
                kinds.setdefault(kind, len(kinds)),
                start,
                end,
            )
            for name, kind, start, end, parent in facts.definitions
        ]


def _file_in(folder: Path) -> IO[bytes] | None:
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return TemporaryFile(dir=folder, buffering=0)
    return None


def _apart(array: NDArray[Any]) -> NDArray[Any]:
    """Return a copy in pages of its own: unlike parts of the heap, they go back to the system when it is freed."""
    if not array.nbytes:
        return array
    copy = np.frombuffer(mmap.mmap(-1, array.nbytes), array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def _postings_apart(postings: Postings) -> Postings:
    """Return a copy in pages of its own, its few documents and rows numbered by as few bytes as will do."""
    numbers = {"docs": max(postings.documents - 1, 0), "pointers": len(postings.docs)}
    small = replace(
        postings, **{name: getattr(postings, name).astype(np.min_scalar_type(n)) for name, n in numbers.items()}
    )
    return Postings(*(_apart(getattr(small, field.name)) for field in fields(small)))


def _in_order(parts: list[_Rows], documents: int, empty: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Return pointers (D + 1,) and rows of documents 0 … D-1, shaped like `empty`. `parts` is emptied."""
    sizes = np.zeros(documents, np.int64)
    for docs, counts, _ in parts:
        sizes[docs] = counts
    pointers = np.r_[0, np.cumsum(sizes)]
    out = np.empty((int(pointers[-1]), *empty.shape[1:]), empty.dtype)
    while parts:
        docs, counts, rows = parts.pop()
        first = np.cumsum(counts) - counts
        out[np.repeat(pointers[docs] - first, counts) + np.arange(len(rows))] = rows
    return pointers, out
