"""A match of quoted text in a file, and what the searches for it share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from zeroin.config import MAX_FILE_BYTES
from zeroin.corpus.languages import TEXT_LANGUAGES
from zeroin.index.anchors import WORD
from zeroin.index.snapshot import Snapshot
from zeroin.patterns import lazy_pattern
from zeroin.terms import analyse_word, term_id
from zeroin.types import Quotation, Role

MAX_FILES_PLAIN = 60  # read for a name, or for a text that nothing marks as quoted
NEARLY_ALL = 0.8  # share of a message
_SURE_RUN = 6  # so many words without a break are found by chance in no second file

COMMENT = lazy_pattern(r"\s*(?:#(?!(?:define|error|warning)\b)|//|\*|/\*|--|;;|<!--|%)")
_RAISES = lazy_pattern(
    r"\b(?:raise|throws?|panic|bail|abort|die|fatal|fail|errors?|err|warn|warnings?|log|logs|logger|logging|invariant|"
    r"ensure|expect|reject|e?println|exit|assert|console|printf|fprintf|syslog|notice|debug|trace|info|deprecated?)\b|"
    r"(?:Error|Exception|Fatal|Fatalf|Errorf|Warn|Warnf|Panicf|Failure|error|warning|_err|_error|_fatal|_log)\b"
)


class QuoteMatch(NamedTuple):
    """The best match of a quotation in a file.

    `share` (0–1) of its weight matches; the longest match without a break has `run` words, which `words` quotes.
    `files` is how many code files match at least as well; `best`: no file matches better; `raised`: the line or one
    beside it raises or logs; `string`: the match is in a string; `through`: the constant that is used for the text.
    """

    quotation: Quotation
    line: int
    share: float
    run: int
    files: int = 1
    best: bool = True
    raised: bool = False
    string: bool = False
    words: str = ""
    through: str = ""

    @property
    def value(self) -> float:
        """Orders the matches of one file, and of one quotation."""
        return self.share * min(1.0, 0.5 + 0.1 * self.run) + 0.01 * self.run

    @property
    def sure(self) -> bool:
        """Whether a string of this file, and no other file of the code, holds nearly all of a long message."""
        return self.string and self.files == 1 and self.run >= _SURE_RUN and self.share >= NEARLY_ALL


@dataclass(frozen=True, slots=True)
class QuoteMatches:
    """The best match of each document with any of the quotations.

    `absent` are messages of which no file has two neighbouring words, and names that no file has in a form that counts:
    all files that may have them were read.
    `read` is the number of files read.
    """

    by_doc: Mapping[int, QuoteMatch] = field(default_factory=dict)
    absent: tuple[Quotation, ...] = ()
    read: int = 0


class SearchedText:
    """The searched part of a text, prepared once for all quotations."""

    def __init__(self, text: str) -> None:
        self.text = text[:MAX_FILE_BYTES]

    @cached_property
    def lower(self) -> str:
        return self.text.lower()

    @cached_property
    def starts(self) -> Sequence[int]:
        """Offsets at which its lines begin."""
        letters = np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), np.uint32)
        return [0, *(np.flatnonzero(letters == ord("\n")) + 1).tolist()]


def is_code(doc: int, snapshot: Snapshot) -> bool:
    """Whether a file can raise or log: implementation in a programming language."""
    return snapshot.role(doc) is Role.IMPLEMENTATION and snapshot.language(doc) not in TEXT_LANGUAGES


def raises_at(lines: Sequence[str], number: int) -> bool:
    """Tell whether a line (1-based), no comment, or one of the three around it raises or logs."""
    around = "\n".join(lines[max(0, number - 3) : number + 1])
    return COMMENT.match(lines[number - 1]) is None and _RAISES.search(around) is not None


def containing(text: str, snapshot: Snapshot) -> frozenset[int]:
    """Return documents with all words of a text, by the postings."""
    content = snapshot.content
    ids = {term_id(term) for word in WORD.findall(text) for term in analyse_word(word)}
    docs = [frozenset(content.holding(i).tolist()) for i in sorted(ids)]
    return frozenset.intersection(*docs) if docs else frozenset()
