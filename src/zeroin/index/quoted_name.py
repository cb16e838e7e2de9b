"""Look up a flag, a key or a constant that a task names."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import islice
from typing import NamedTuple

import numpy as np

from zeroin.index.quote_match import COMMENT, MAX_FILES_PLAIN, QuoteMatch, SearchedText, containing
from zeroin.index.snapshot import ROLES, Snapshot
from zeroin.patterns import lazy_pattern
from zeroin.types import Quotation, Role

_ATTRIBUTE = 600  # characters of an attribute, at most
_NEAR = 300  # characters around a name that are looked at: a line may be very long
_MOST_SEEN = 1_000  # words spelled like the name in one file
# What registers an option, on its line or the one before: parser.add_argument, flag.String, long = "…", StringOption.
_REGISTERS = lazy_pattern(
    r"(?i:(?<![a-z])arg(?!o)|flag|opt(?:s|ion)?\b|option|long\b|short\b|switch|param|getopt|cli\b)|Arg(?!o)"
)
_MAKES_OPTION = lazy_pattern(
    r"#\[(?:arg|clap|structopt|argh|command|option)\b|@(?:\w+\.)?(?:Option|Flag|Argument|Parameter|Arg|Switch)s?\b"
)
# Between an attribute and its field: a block that ends, or another field.
_ENDS = lazy_pattern(r"\}|\b\w+\s?:[^:\n][^\n]*[,;]\n|\b(?:var|let|val)\s[^\n]*\n|;\n")


class QuotedName(NamedTuple):
    """A flag, a key or a constant prepared for the search: it must match whole.

    Of a flag the code may have the name alone: in quotes, or as a field that an attribute makes an option. A name of
    one word must be registered as an option there, since any string may say `config`. Of keys pressed together
    (`Ctrl+C`) case and what joins them may differ.
    """

    quotation: Quotation
    bare: str  # without dashes; empty for keys
    pattern: re.Pattern[str]

    @classmethod
    def of(cls, quotation: Quotation) -> QuotedName:
        if "+" in quotation.text:
            keys = r"(?: ?\+ ?|-)".join(map(re.escape, quotation.text.split("+")))
            return cls(quotation, "", re.compile(rf"(?<![\w.+-]){keys}(?![\w+-])", re.IGNORECASE))
        text, bare = quotation.text, quotation.text.lstrip("-")
        forms = [rf"(?<![\w.-]){re.escape(text)}(?![\w-]|\.\w)"]
        if bare != text:
            first, *rest = bare.split("-")
            fields = {bare.replace("-", "_"), first + "".join(word.capitalize() for word in rest)}
            field = "|".join(re.escape(name) for name in sorted(fields))
            forms.append(rf"(?<=[\"'`])(?P<bare>{re.escape(bare)})(?=[\"'`])")
            forms.append(rf"(?<![\w.$-])(?P<field>{field})(?=\s{{0,4}}[:=;]|\sby\b)")
        return cls(quotation, bare, re.compile("|".join(forms)))

    def files(self, snapshot: Snapshot) -> list[int]:
        """Return documents with all its words, code first, small ones first."""
        docs = np.array(sorted(self.may_hold(snapshot)), np.int64)
        other = snapshot.roles[docs] != ROLES.index(Role.IMPLEMENTATION)
        return list(docs[np.lexsort((docs, snapshot.sizes[docs], other))][:MAX_FILES_PLAIN].tolist())

    def may_hold(self, snapshot: Snapshot) -> frozenset[int]:
        """Return documents with all its words, by the postings."""
        return containing(self.quotation.text, snapshot)

    def in_text(self, text: SearchedText) -> QuoteMatch | None:
        """Return the first line with it in a string or as an option's field, else the first line with it."""
        first: QuoteMatch | None = None
        if self.bare.split("-")[0] not in text.text:  # faster than the pattern
            return None
        for match in islice(self.pattern.finditer(text.text), _MOST_SEEN):
            form = match.lastgroup
            number = bisect_right(text.starts, match.start()) - 1
            before = text.text[max(text.starts[number], match.start() - _NEAR) : match.start()]
            string = COMMENT.match(before) is None and any(mark in before for mark in "\"'`")
            if form == "field":
                string = _is_option(text.text[max(0, match.start() - _ATTRIBUTE) : match.start()])
            if form and not (string and (form == "field" or self._is_registered(text.text, match))):
                continue
            if first is None or string:
                first = QuoteMatch(self.quotation, number + 1, 1.0, 1, string=string, words=match.group())
            if string:
                break
        return first

    def _is_registered(self, text: str, match: re.Match[str]) -> bool:
        """Tell whether a name in quotes is that of an option: it has several words, or its line registers one."""
        if "-" in self.bare:
            return True
        before = text[max(0, match.start() - _NEAR) : match.start()].split("\n")[-2:]
        after = text[match.end() : match.end() + _NEAR].split("\n", 1)[0]
        return any(_REGISTERS.search(part) for part in (*before, after))


def _is_option(before: str) -> bool:
    """Tell whether what stands before a field ends with an attribute that makes the field an option."""
    at = max((match.end() for match in _MAKES_OPTION.finditer(before)), default=None)
    return at is not None and _ENDS.search(before, at) is None
