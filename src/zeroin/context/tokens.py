"""How many tokens a text costs: an estimate that needs no tokenizer and errs on the high side.

The text is cut into words, runs of capitals, of digits, of punctuation, of blanks, line breaks with their indentation,
and other characters; each costs a fixed part and a part for its length (hundredths of a token). The parts were fitted
to the highest of three tokenizers (OpenAI's o200k_base, Anthropic's published one, Mistral's Tekken) over packs of 40
repositories, then raised by a tenth: `benchmarks.tokens` measures the error. Such costs are subadditive (the parts of a
text never cost less than the whole), so the sum over pieces bounds the cost of a page.
"""

import re
from functools import lru_cache

from zeroin.patterns import lazy_pattern

# The last capital before a small letter begins the word after it: else “AAa” would cost more than “A” and “Aa”.
_PIECE = lazy_pattern(r" ?[A-Z]?[a-z]+| ?[A-Z]+(?![a-z])|[0-9]+|\n[ \t]*|[ \t]+|[!-/:-@\[-`{-~]+|.", re.DOTALL)
# Hundredths of a token: for a piece, and for each of its characters.
_WORD, _LETTER, _SHORT = 75, 8, 44  # a word of up to three letters costs `_SHORT` more
_CAPITALS, _CAPITAL = 66, 24
_DIGITS, _DIGIT = 66, 94
_BREAK, _BLANKS, _TAB, _RUN = 72, 50, 15, 110  # `_RUN` for every 16 blanks after the first
_SIGNS, _SIGN = 44, 33
_OTHER, _BYTE = 88, 44  # any other character, and each of its UTF-8 bytes after the first
_SCRIPTS = (
    (0x0400, 0x06FF, 100),
    (0x3000, 0x9FFF, 134),
    (0xAC00, 0xD7AF, 134),
    (0x10000, 0x10FFFF, 330),
)  # exceptions: first and last character of a script, cost of one


@lru_cache(maxsize=50_000)
def _cost(piece: str) -> int:
    size, first = len(piece), piece[0]
    if first == "\n":
        return _BREAK + _TAB * piece.count("\t") + _RUN * ((size - 1) // 16)
    if not piece.strip(" \t"):
        return _BLANKS + _TAB * piece.count("\t") + _RUN * ((size - 1) // 16)
    if first == " ":
        size -= 1
    return _ascii_cost(first, piece[-1], size) or _other_cost(piece)


def _ascii_cost(first: str, last: str, size: int) -> int:
    """Return the cost of letters, digits or signs; 0 for anything else."""
    if "a" <= last <= "z":
        return _WORD + _LETTER * size + (_SHORT if size <= 3 else 0)
    if "A" <= last <= "Z":
        return _CAPITALS + _CAPITAL * size
    if "0" <= first <= "9":
        return _DIGITS + _DIGIT * size
    return _SIGNS + _SIGN * size if last.isascii() and " " < first != "\x7f" else 0


def _other_cost(piece: str) -> int:
    for low, high, cost in _SCRIPTS:
        if low <= ord(piece[0]) <= high:
            return cost
    return _OTHER + _BYTE * (len(piece.encode("utf-8", "surrogatepass")) - 1)


def weigh(text: str) -> float:
    """Return the estimated number of tokens of `text`, not rounded, so that pieces can be added up."""
    return sum(map(_cost, _PIECE.findall(text))) / 100


def estimate(text: str) -> int:
    """Return the estimated number of tokens of `text`; 0 for the empty string."""
    return -(-sum(map(_cost, _PIECE.findall(text))) // 100)
