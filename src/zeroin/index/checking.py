"""Facts that were made elsewhere: are they in form, and do they agree with the file that they are said to be of?"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import msgspec
import numpy as np

from zeroin.corpus.decode import decode
from zeroin.models.encoder import encoder
from zeroin.parsing.analyse import NO_PASSAGES
from zeroin.parsing.components import COMPONENT_LANGUAGES
from zeroin.parsing.facts import Facts
from zeroin.parsing.grammars import GRAMMAR_LANGUAGES
from zeroin.parsing.passages import MAX_PASSAGES, passage_lines

MAX_DECODED_BYTES = 256_000_000  # of one file's facts
_WITH_GRAMMAR = frozenset((*GRAMMAR_LANGUAGES, *COMPONENT_LANGUAGES))
_Number = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
_Values = tuple[
    tuple[str, str, str, _Number, _Number],
    list[tuple[str, str, str, _Number, _Number]],
    list[tuple[str, tuple[str, ...], _Number]],
]


def is_portable(facts: Facts) -> bool:
    """Whether another machine would make the same facts: nothing was given up for want of time, memory or a grammar.

    Of files that are skipped there is nothing to know.
    """
    return not facts.skipped and not (facts.parser == "generic" and facts.language in _WITH_GRAMMAR)


def agree(one: Facts, other: Facts) -> bool:
    """Whether two facts are the same, but for the last step of their vectors: processors round differently."""
    if one.vectors.shape != other.vectors.shape:
        return False
    steps = one.vectors.astype(np.int16) - other.vectors.astype(np.int16)
    empty = one.vectors[:0]
    same = replace(one, vectors=empty).encode() == replace(other, vectors=empty).encode()
    return same and (not steps.size or int(np.abs(steps).max()) <= 1)


def checked(encoded: bytes, data: bytes, language: str) -> Facts:
    """Return facts of a file by its bytes. Raises `ValueError` for what we would not have written of it.

    Checked are its size, its lines, where its definitions and imports are, how it is cut into passages; not its words.
    """
    try:
        facts = _in_form(encoded)
    except (TypeError, AttributeError, OverflowError, RecursionError, zlib.error) as error:
        raise ValueError(f"they are unreadable: {error}") from error
    if facts.language != language or not is_portable(facts):
        raise ValueError("they are of another language, or of nothing")
    decoded = decode(data)
    rows = decoded.text.split("\n")
    lines = len(rows) - (not rows[-1])
    if decoded.skipped or (facts.size, facts.lines) != (len(data), lines):
        raise ValueError("they are of another size")
    for found in facts.definitions:
        if not 1 <= found.start <= found.end <= max(lines, 1):
            raise ValueError("a definition is not in the file")
        if facts.parser == "tree-sitter" and not _holds(rows[found.start - 1 : found.end], found.name):
            raise ValueError("a definition is not where they say")
    if not all(1 <= found.line <= max(lines, 1) for found in facts.imports):
        raise ValueError("an import is not in the file")
    has_none = facts.minified or language in NO_PASSAGES
    cuts = [] if has_none else passage_lines(lines, (d.start for d in facts.definitions))[:MAX_PASSAGES]
    if facts.passages.tolist() != [list(cut) for cut in cuts]:
        raise ValueError("its passages are others")
    return facts


def _holds(rows: Sequence[str], name: str) -> bool:
    return any(name in row for row in rows)


def _in_form(encoded: bytes) -> Facts:
    """Return facts as we would have encoded them. Raises what unreadable ones raise."""
    inflate = zlib.decompressobj()
    inflate.decompress(encoded, MAX_DECODED_BYTES)
    if not inflate.eof or inflate.unused_data:
        raise ValueError("they do not end where they should")
    facts = Facts.decode(encoded)
    values = (facts.language, facts.parser, facts.skipped, facts.size, facts.lines)
    definitions = [(d.name, d.kind, d.parent, d.start, d.end) for d in facts.definitions]
    imports = [(i.module, i.names, i.line) for i in facts.imports]
    try:
        msgspec.convert((values, definitions, imports), _Values)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error
    for ids in (facts.term_ids, facts.names):
        if len(ids) > 1 and not bool(np.all(ids[1:] > ids[:-1])):
            raise ValueError("their ids are not sorted")
    count, width = facts.vectors.shape
    if count != len(facts.passages) or (width != encoder().dimensions and (count or width)):
        raise ValueError("passages and vectors do not match")
    return facts
