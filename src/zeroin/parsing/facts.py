"""Facts of a blob: all that is computed from its bytes alone, once.

They depend on the bytes and on the language that the path implies, so they are keyed by both. `docs/FORMAT.md` numbers
the versions of the encoded form.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import starmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroin.tree import Definition, Import

FACTS_VERSION = 10  # raised for a new encoder, too, since its vectors are part of the facts

# Content fields of a document, in the order of the columns of `Facts.counts`. The path is a field of the
# snapshot, not of the blob.
DEFINITIONS, IDENTIFIERS, COMMENTS, TEXT = range(4)
CONTENT_FIELDS = ("definitions", "identifiers", "comments", "text")
_MOST_STORED = 0xFFFF  # bytes of a block


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """Facts of one blob.

    `term_ids` are sorted unique 64-bit term ids (`terms.term_id`), shape (n,); `counts` how often each occurs by field,
    shape (n, 4), saturating at 65535. `names` are sorted unique ids of the whole identifiers in the code
    (case-sensitive, `terms.term_id(identifier)`). `passages` are first and last lines, shape (c, 2), and `vectors` the
    packed vectors of the passages, shape (c, D). `parser` is `tree-sitter`, `generic` (no grammar, or it failed) or
    `text`.
    """

    language: str
    size: int
    lines: int
    parser: str
    generated: bool = False
    minified: bool = False
    term_ids: NDArray[np.uint64] = field(default_factory=lambda: np.empty(0, np.uint64))
    counts: NDArray[np.uint16] = field(default_factory=lambda: np.empty((0, len(CONTENT_FIELDS)), np.uint16))
    names: NDArray[np.uint64] = field(default_factory=lambda: np.empty(0, np.uint64))
    passages: NDArray[np.uint32] = field(default_factory=lambda: np.empty((0, 2), np.uint32))
    vectors: NDArray[np.int8] = field(default_factory=lambda: np.empty((0, 0), np.int8))
    definitions: tuple[Definition, ...] = ()
    imports: tuple[Import, ...] = ()
    skipped: str = ""  # why nothing was analysed: binary, too large, undecodable …

    def encode(self) -> bytes:
        """Return the facts as bytes; `decode` is its inverse."""
        head = [
            self.language, self.size, self.lines, self.parser, int(self.generated), int(self.minified), self.skipped,
            len(self.term_ids), len(self.names), *self.vectors.shape,
            self.definitions, self.imports,
        ]  # fmt: skip
        written = json.dumps(head, separators=(",", ":")).encode("utf-8", "surrogatepass")
        head_bytes = len(written).to_bytes(4, "little") + written
        vectors = self.passages.astype("<u4").tobytes() + self.vectors.tobytes()
        parts = (head_bytes, self.term_ids.tobytes()), (self.counts.tobytes(), self.names.tobytes()), (vectors, b"")
        return _zlib_stream(parts)

    @classmethod
    def decode(cls, data: bytes) -> Facts:
        """Return facts from bytes. Raises `ValueError` when they are not of this format."""
        try:
            raw = zlib.decompress(data)
            at = 4 + int.from_bytes(raw[:4], "little")
            language, size, lines, parser, generated, minified, skipped, *lengths, defined, imported = json.loads(
                raw[4:at]
            )
            n, m, c, dimensions = lengths
            if not all(type(length) is int and 0 <= length < 2**31 for length in lengths):
                raise ValueError("facts have impossible lengths")
            arrays: list[NDArray[Any]] = []
            for dtype, shape in (
                ("<u8", (n,)),
                ("<u2", (n, len(CONTENT_FIELDS))),
                ("<u8", (m,)),
                ("<u4", (c, 2)),
                ("<i1", (c, dimensions)),
            ):
                arrays.append(np.frombuffer(raw, dtype, math.prod(shape), at).reshape(shape))
                at += arrays[-1].nbytes
            if at != len(raw):
                raise ValueError("facts go on where they should end")
            term_ids, counts, names, passages, vectors = arrays
            return cls(
                language, size, lines, parser, bool(generated), bool(minified),
                term_ids, counts, names, passages, vectors,
                tuple(starmap(Definition, defined)),
                tuple(Import(module, tuple(names), line) for module, names, line in imported),
                skipped,
            )  # fmt: skip
        except (zlib.error, IndexError, KeyError, TypeError) as error:
            raise ValueError(f"facts are not readable: {error}") from error


def _zlib_stream(parts: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return a zlib stream of all parts, of which the first of each pair is compressed.

    To compress hashes as well took half as long again and saved nothing.
    """
    deflate = zlib.compressobj(1, wbits=-zlib.MAX_WBITS)
    out = [b"\x78\x01"]
    check = 1
    for packed, plain in parts:
        out += [deflate.compress(packed), deflate.flush(zlib.Z_FULL_FLUSH), *_stored(plain)]
        check = zlib.adler32(plain, zlib.adler32(packed, check))
    return b"".join([*out, b"\1\0\0\xff\xff", check.to_bytes(4, "big")])


def _stored(data: bytes) -> Iterator[bytes]:
    """Yield blocks of a zlib stream that hold bytes as they are: a mark, the length and its complement before each."""
    for at in range(0, len(data), _MOST_STORED):
        block = data[at : at + _MOST_STORED]
        yield b"\0" + (len(block) | (len(block) ^ 0xFFFF) << 16).to_bytes(4, "little")
        yield block
