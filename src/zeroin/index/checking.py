"""Check facts that another machine computed: are they well-formed, and do they agree with the file at hand?"""

import zlib
from collections.abc import Sequence, Set
from dataclasses import replace
from typing import Annotated

import msgspec
import numpy as np

from zeroin.config import MAX_FILE_BYTES, MAX_LINE_CHARS
from zeroin.corpus.decode import decode
from zeroin.corpus.languages import TEXT_LANGUAGES
from zeroin.models.encoder import encoder
from zeroin.parsing.analyse import NO_PASSAGES, is_generated, is_minified
from zeroin.parsing.components import COMPONENT_LANGUAGES
from zeroin.parsing.facts import Facts
from zeroin.parsing.grammars import GRAMMAR_LANGUAGES
from zeroin.parsing.passages import MAX_PASSAGES, passage_lines
from zeroin.parsing.text import text_outline
from zeroin.patterns import lazy_pattern

# Bound of decoded facts: a constant, and so much for each byte of the file (of 4,700 files none had more than 5).
_DECODED_BYTES, _DECODED_A_BYTE = 1_000_000, 16
# Bound of characters searched for names of definitions: a constant, and so much for each character of the file.
_LOOKED_CHARS, _LOOKED_A_CHAR = 50_000_000, 50
_ROW_CHARS = 50  # counted for each row that is searched, beside its own
_WITH_GRAMMAR = frozenset((*GRAMMAR_LANGUAGES, *COMPONENT_LANGUAGES))
_KIND = lazy_pattern(r"[a-z][\w*-]{0,40}")
_Number = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
_Values = tuple[
    tuple[str, str, str, _Number, _Number],
    list[tuple[str, str, str, _Number, _Number]],
    list[tuple[str, tuple[str, ...], _Number]],
]


def is_portable(facts: Facts) -> bool:
    """Whether another machine would compute the same facts: the file was analysed, by its grammar if there is one."""
    return not facts.skipped and not (facts.parser == "generic" and facts.language in _WITH_GRAMMAR)


def agree(one: Facts, other: Facts) -> bool:
    """Whether two facts are equal, up to one step of int8 in their vectors: processors round differently."""
    if one.vectors.shape != other.vectors.shape:
        return False
    steps = one.vectors.astype(np.int16) - other.vectors.astype(np.int16)
    empty = one.vectors[:0]
    same = replace(one, vectors=empty).encode() == replace(other, vectors=empty).encode()
    return same and (not steps.size or int(np.abs(steps).max()) <= 1)


def checked(encoded: bytes, data: bytes, language: str) -> Facts:
    """Decode facts and check them against the file's bytes. Raises `ValueError` for facts that cannot be of this file.

    Checked are size, lines, whether it is minified or generated, the parser, lines and names of definitions, lines of
    imports, and passages; of its words only that they are no more than the file can hold.
    """
    if len(data) > MAX_FILE_BYTES:
        raise ValueError("nothing is known of a file of this size")
    try:
        facts = _in_form(encoded, len(data))
    except (TypeError, AttributeError, OverflowError, RecursionError, zlib.error) as error:
        raise ValueError(f"they are unreadable: {error}") from error
    if facts.language != language or not is_portable(facts):
        raise ValueError("they are of another language, or of nothing")
    decoded = decode(data, language)
    rows = decoded.text.split("\n")
    lines = len(rows) - (not rows[-1])
    if decoded.skipped or (facts.size, facts.lines) != (len(data), lines):
        raise ValueError("they are of another size")
    kind = is_minified(rows), is_generated(decoded.text, language)
    if (facts.minified, facts.generated) != kind:  # a false value could hide the file
        raise ValueError("whether it is minified or generated is not as they say")
    if facts.parser != _parser_of(facts):
        raise ValueError("they are by another parser")
    spans = [*((d.start, d.end) for d in facts.definitions), *((i.line, i.line) for i in facts.imports)]
    if not all(1 <= start <= end <= max(lines, 1) for start, end in spans):
        raise ValueError("a definition or an import is not in the file")
    if not _is_defined(facts, decoded.text, rows):
        raise ValueError("a definition is not where they say")
    has_none = facts.minified or language in NO_PASSAGES
    cuts = [] if has_none else passage_lines(lines, (d.start for d in facts.definitions))[:MAX_PASSAGES]
    if facts.passages.tolist() != [list(cut) for cut in cuts]:
        raise ValueError("its passages are others")
    return facts


def _parser_of(facts: Facts) -> str:
    """Return the parser that portable facts of this language must name."""
    if facts.minified or facts.language in TEXT_LANGUAGES:
        return "text"
    return "tree-sitter" if facts.language in _WITH_GRAMMAR else "generic"


def _is_defined(facts: Facts, text: str, rows: Sequence[str]) -> bool:
    """Whether a file has these definitions: a text is outlined again, which is cheap; code must contain the names."""
    if facts.minified:
        return not facts.definitions and not facts.imports and not len(facts.names)
    if facts.language in TEXT_LANGUAGES:
        found = text_outline("\n".join(row[:MAX_LINE_CHARS] for row in rows), facts.language)
        same = (facts.definitions, facts.imports) == (found.definitions, found.imports)
        return same and not len(facts.names)
    if not all(one.name and _KIND.fullmatch(one.kind) for one in facts.definitions):
        return False
    names = {one.name for one in facts.definitions}
    left = _LOOKED_CHARS + _LOOKED_A_CHAR * len(text)
    for one in facts.definitions:
        written = [one.name]
        if facts.language == "elixir":
            left -= len(one.name) * one.name.count(".")
            written = _written(one.name, names) if left >= 0 else []
        for number in range(one.start - 1, one.end):
            row = rows[number]
            left -= (len(row) + _ROW_CHARS) * len(written)
            if left < 0 or any(name in row for name in written):
                break
        else:
            return False
    for parent in {one.parent for one in facts.definitions} - names:
        at = text.find(parent)
        left -= at
        if at < 0 or left < 0:
            return False
    return left >= 0


def _written(name: str, names: Set[str]) -> list[str]:
    """Return the forms in which Elixir code may write a module's name: whole, or without the modules around it."""
    dots = (at for at, letter in enumerate(name[:-1]) if letter == ".")
    return [name, *(name[at + 1 :] for at in dots if name[:at] in names)]


def _in_form(encoded: bytes, size: int) -> Facts:
    """Decode facts and check types, sizes, order and shapes. Raises also the errors that `checked` catches."""
    inflate = zlib.decompressobj()
    most = _DECODED_BYTES + _DECODED_A_BYTE * size
    if len(encoded) > most:  # what is not taken in is copied
        raise ValueError("they are more than the file can hold")
    inflate.decompress(encoded, most)
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
    # No two terms, names, definitions or imports begin at the same byte.
    imported = sum(max(1, len(i.names)) for i in facts.imports)
    if max(len(facts.term_ids), len(facts.names), len(facts.definitions), imported) > size:
        raise ValueError("they are more than the file can hold")
    for ids in (facts.term_ids, facts.names):
        if len(ids) > 1 and not bool(np.all(ids[1:] > ids[:-1])):
            raise ValueError("their ids are not sorted")
    count, width = facts.vectors.shape
    if count != len(facts.passages) or (width != encoder().dimensions and (count or width)):
        raise ValueError("passages and vectors do not match")
    return facts
