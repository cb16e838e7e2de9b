"""Find where a secret value begins and ends, so that no half of it is shown beside a mark."""

import re

from zeroin.context.redaction.likely import is_mixed
from zeroin.patterns import lazy_pattern

_MOST = 1_000  # characters of a value that are looked at
_QUOTES = "'\"`"
_USER = lazy_pattern(r"(?<=['\"])[^\s:\"'$]{1,100}:$")  # `user:` between a quote and a password
_TO_QUOTE = {q: lazy_pattern(rf"(?:\\.|[^\\{q}]){{0,{_MOST}}}+(?={q})") for q in _QUOTES}
_TO_ESCAPED = {q: lazy_pattern(rf"[^{q}\\]{{0,{_MOST}}}+(?=\\{q})") for q in _QUOTES}
_APOSTROPHE = lazy_pattern(r"(?<=[^\W_])'(?=[^\W_])")
_PARAMETER = lazy_pattern(r"([?&;])[\w-]{0,30}\s{0,4}=\s{0,4}['\"]?$")
_TOKEN = lazy_pattern(rf"\S{{0,{_MOST}}}")
_AROUND = "'\"`,;:!?.)]}>*"  # what ends a token, and is no part of it
# A line up to the value that it sets
_SETTING = lazy_pattern(r"\s{0,40}(?:-\s{1,4})?[\w.-]{1,80}\s{0,8}[=:]\s{0,8}$")
_REST = lazy_pattern(r"\s{1,4}([^\s#;]\S{0,200})")


def whole_of(found: re.Match[str], text: str, *, bare: bool) -> tuple[int, int]:
    """Return where the value that was found begins and ends.

    A value in quotes ends with them. Any other goes on to a blank or to a quote that opened before it: always in a file
    whose values are `bare`, elsewhere only where the rest looks like part of a secret.
    """
    start, end = found.span("value")
    before = text[max(0, start - _MOST) : start]
    quote = _quote_of(before, found[0][: start - found.start()])
    if quote is not None:
        escaped = len(quote) > 1
        closed = (_TO_ESCAPED if escaped else _TO_QUOTE)[quote[-1]].match(text, end)
        if closed is not None:
            return start, closed.end()
    rest = _rest_of(before, text, end)
    if rest and (bare or is_mixed(rest)):
        end += len(rest)
    if bare and _SETTING.fullmatch(before):
        while (more := _REST.match(text, end)) and is_mixed(more[1]):
            end = more.end()
    return start, end


def _quote_of(before: str, matched: str) -> str | None:
    """Return the quote that a value is in, with a backslash before it; None if there is none."""
    user = _USER.search(matched)
    opened = matched[: user.start()] if user else before
    if not opened.endswith(tuple(_QUOTES)):
        return None
    return opened[-2:] if opened[-2:-1] == "\\" else opened[-1]


def _rest_of(before: str, text: str, end: int) -> str:
    """Return the text after a value up to a blank, to a quote that opened before it, or to the next parameter."""
    token = _TOKEN.match(text, end)
    rest = token[0] if token else ""
    plain = _APOSTROPHE.sub("", before)
    ends = [q for q in _QUOTES if plain.count(q) % 2]
    parameter = _PARAMETER.search(before)
    if parameter is not None:
        ends += ";" if parameter[1] == ";" else "&#"
    for mark in ends:
        rest = rest.partition(mark)[0]
    return rest.rstrip(_AROUND + "\\")
