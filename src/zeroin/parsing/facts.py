"""What is known of a blob from its bytes alone: computed once, never changed.

Facts depend on the bytes and on the language that the path implies, so they are keyed by both.
`docs/FORMAT.md` numbers the encoded form.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from zeroin.tree import Definition, Import

FACTS_VERSION = 2  # another encoder makes other vectors: it is part of this number

# Content fields of a document, in the order of the columns of `Facts.counts`. The path is a field of the
# snapshot, not of the blob.
DEFINITIONS, IDENTIFIERS, COMMENTS, TEXT = range(4)
CONTENT_FIELDS = ("definitions", "identifiers", "comments", "text")


def _no_ids() -> NDArray[np.uint64]:
    return np.empty(0, np.uint64)


def _no_lines() -> NDArray[np.uint32]:
    return np.empty((0, 2), np.uint32)


def _no_vectors() -> NDArray[np.int8]:
    return np.empty((0, 0), np.int8)


def _no_counts() -> NDArray[np.uint16]:
    return np.empty((0, len(CONTENT_FIELDS)), np.uint16)


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """Facts of one blob.

    `term_ids` are sorted unique 64-bit term ids (`terms.term_id`), shape (n,); `counts` how often each occurs
    by field, shape (n, 4), saturating at 65535. `names` are sorted unique ids of the whole identifiers that
    occur in code (case-sensitive, `terms.term_id(identifier)`): what the file refers to. `passages` are the first and
    last lines of the passages, shape (c, 2), and `vectors` what these mean, shape (c, D). `parser` is `tree-sitter`,
    `generic` (a language without grammar, or one that failed) or `text`.
    """

    language: str
    size: int
    lines: int
    parser: str
    generated: bool = False
    minified: bool = False
    term_ids: NDArray[np.uint64] = field(default_factory=_no_ids)
    counts: NDArray[np.uint16] = field(default_factory=_no_counts)
    names: NDArray[np.uint64] = field(default_factory=_no_ids)
    passages: NDArray[np.uint32] = field(default_factory=_no_lines)
    vectors: NDArray[np.int8] = field(default_factory=_no_vectors)
    definitions: tuple[Definition, ...] = ()
    imports: tuple[Import, ...] = ()
    skipped: str = ""  # why nothing was analysed: binary, too large, undecodable …

    def encode(self) -> bytes:
        """The facts as bytes; `decode` is its inverse."""
        head = json.dumps(
            [
                self.language,
                self.size,
                self.lines,
                self.parser,
                int(self.generated),
                int(self.minified),
                self.skipped,
                len(self.term_ids),
                len(self.names),
                *self.vectors.shape,
                [[d.name, d.kind, d.start, d.end, d.parent] for d in self.definitions],
                [[i.module, list(i.names), i.line] for i in self.imports],
            ],
            separators=(",", ":"),
        ).encode("utf-8", "surrogatepass")
        arrays = self.term_ids.tobytes() + self.counts.tobytes() + self.names.tobytes()
        arrays += self.passages.astype("<u4").tobytes() + self.vectors.tobytes()
        return zlib.compress(len(head).to_bytes(4, "little") + head + arrays, 1)

    @classmethod
    def decode(cls, data: bytes) -> Facts:
        """Facts from bytes. Raises `ValueError` when they are not of this format."""
        try:
            raw = zlib.decompress(data)
            size = int.from_bytes(raw[:4], "little")
            head = json.loads(raw[4 : 4 + size])
            n, m, c, dimensions = sizes = head[7:11]
            if not all(type(length) is int and 0 <= length < 2**31 for length in sizes):
                raise ValueError("facts have impossible lengths")
            at = 4 + size
            width = len(CONTENT_FIELDS)
            ends = at + 8 * n + 2 * width * n + 8 * m
            if len(raw) != ends + 8 * c + c * dimensions:
                raise ValueError("facts are cut short")
            ids = np.frombuffer(raw, np.uint64, n, at)
            counts = np.frombuffer(raw, np.uint16, n * width, at + 8 * n).reshape(n, width)
            names = np.frombuffer(raw, np.uint64, m, at + 8 * n + 2 * width * n)
            passages = np.frombuffer(raw, np.uint32, 2 * c, ends).reshape(c, 2)
            vectors = np.frombuffer(raw, np.int8, c * dimensions, ends + 8 * c).reshape(c, dimensions)
            return cls(
                language=head[0],
                size=head[1],
                lines=head[2],
                parser=head[3],
                generated=bool(head[4]),
                minified=bool(head[5]),
                skipped=head[6],
                term_ids=ids,
                counts=counts,
                names=names,
                passages=passages,
                vectors=vectors,
                definitions=tuple(Definition(*d) for d in head[11]),
                imports=tuple(Import(i[0], tuple(i[1]), i[2]) for i in head[12]),
            )
        except (zlib.error, IndexError, KeyError, TypeError) as error:
            raise ValueError(f"facts are not readable: {error}") from error
