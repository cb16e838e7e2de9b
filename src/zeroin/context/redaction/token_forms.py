"""Secrets with a form of their own, as `token_forms.toml` lists them."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from zeroin.beside import table_beside
from zeroin.patterns import lazy_pattern

Secret = tuple[int, int, str]  # where it begins and ends in its line, and what it is called

_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"


@cache
def forms() -> Sequence[tuple[str, str, re.Pattern[str]]]:
    """Return what each kind of token is called, letters in lower case that a line with one holds, and its pattern."""
    table = table_beside(__file__, "token_forms.toml")
    begun = ((label, start, rf"(?<![A-Za-z0-9]){re.escape(start)}{rest}") for label, start, rest in table["prefixed"])
    named = ((label, held, form.replace("<<uuid>>", _UUID)) for label, held, form in (*begun, *table["other"]))
    return [(label, held.lower(), lazy_pattern(form)) for label, held, form in named]


def tokens_in(text: str, folded: str) -> Iterator[Secret]:
    """Yield the tokens in a line (`folded` is the line in lower case), the surest first."""
    for label, letters, pattern in forms():
        for match in pattern.finditer(text) if letters in folded else ():
            yield *match.span(match.lastindex or 0), label
