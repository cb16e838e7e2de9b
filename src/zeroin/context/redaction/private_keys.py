"""Find private keys in PEM and in PuTTY's form, and redact the lines of them."""

from collections.abc import Sequence
from itertools import pairwise

from zeroin.patterns import lazy_pattern

MOST_LINES = 400  # a key without an end is taken to be at most this long
_MOST_CHARS = 300  # of a line that is nothing but a part of a key

_MARK = lazy_pattern(r"-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PUTTY = lazy_pattern(r"Private-Lines:\s{0,4}(\d{1,3})\s{0,4}$")
_LONG_RUN = lazy_pattern(r"(\\[nr]|(?<![A-Za-z0-9+/=]))[A-Za-z0-9+/]{40,}={0,2}(?![A-Za-z0-9+/=])")
_RUN = lazy_pattern(
    r"(\\[nr]|(?<![A-Za-z0-9+/=]))(?:[A-Za-z0-9+/]{40,}|(?=[A-Za-z+/]{0,40}[0-9])[A-Za-z0-9+/]{16,40})"
    r"={0,2}(?![A-Za-z0-9+/=])"
)
# Base 64 of a PEM header, but not of a certificate or a public key
_ENCODED = lazy_pattern(r"LS0tLS1CRUdJTi(?!BDRVJU|BQVUJM|BUUlVTVE)[A-Za-z0-9+/]{16}")
_SOME_KEY = lazy_pattern(r"[A-Za-z0-9+/]{16}")
_BASE64 = lazy_pattern(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]+={0,2}(?![A-Za-z0-9+/=])")
_AROUND = lazy_pattern(r"""^[\s"'`+,]+|(?:\\[nr])*[\s"'`+,;)\\]*$""")  # of a key's line in a string literal


def key_lines(lines: Sequence[str]) -> dict[int, bool]:
    """Return the numbers (1-based) of lines within private keys; True for a line that holds nothing but the key."""
    inside: dict[int, bool] = {}
    left = 0
    for number, text in enumerate(lines, 1):
        marks = _MARK.findall(text) if "-----" in text else []
        putty = _PUTTY.match(text) if text.startswith("Private-Lines") else None
        if putty is not None:
            left = min(int(putty[1]), MOST_LINES)
        elif marks:
            left = MOST_LINES if marks[-1] == "BEGIN" else 0  # `without_key` redacts the line itself
        elif left:
            bare = _AROUND.sub("", text) if len(text) <= _MOST_CHARS else ""
            inside[number] = len(bare) > 15 and _BASE64.fullmatch(bare) is not None
            left -= 1
    return inside


def is_encoded_key(text: str) -> bool:
    """Tell whether base 64 of a private key begins in a line."""
    return "LS0tLS1CRUdJTi" in text and _ENCODED.search(text) is not None


def without_key_line(text: str, mark: str) -> str:
    """Return a line that holds nothing but a part of a key, with `mark` in its place."""
    return text.replace(max(_BASE64.findall(text), key=len), mark)


def without_key(text: str, mark: str) -> tuple[str, int]:
    """Return a line in which private keys begin or end, with `mark` in place of the keys, and how often.

    Where a key only begins or only ends in the line, every run that may be part of it is replaced; words of code stay.
    """
    found = list(_MARK.finditer(text))
    out: list[str] = []
    total = 0
    for before, after in pairwise([None, *found, None]):
        piece = text[before.end() if before else 0 : after.start() if after else len(text)]
        opened = before is not None and before[1] == "BEGIN"
        closed = after is not None and after[1] == "END"
        count = 0
        if opened and closed and _SOME_KEY.search(piece):
            piece, count = mark, 1
        elif opened or closed:
            piece, count = _RUN.subn(rf"\1{mark}", piece)
        total += count
        out += [piece, after[0] if after else ""]
    return "".join(out), total


def without_runs(text: str, mark: str) -> tuple[str, int]:
    """Return a line within a private key, with `mark` in place of every long run of base 64, and how often."""
    return _LONG_RUN.subn(rf"\1{mark}", text)
