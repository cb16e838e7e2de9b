"""Anchors: short runs of a quotation's words as written. A text is searched for them before it is compared."""

from itertools import pairwise

from zeroin.patterns import lazy_pattern
from zeroin.terms import STOPWORDS
from zeroin.types import Quotation

WORD = lazy_pattern(r"[^\W_]+")
_LEAST = 6  # characters of an anchor of two words

Anchors = tuple[tuple[str, tuple[str, ...]], ...]  # (pair of words, the anchors that contain it)


def pairs_of(quotation: Quotation) -> tuple[str, ...]:
    """Return each two adjacent words of the fixed pieces as written, in lower case, except two stop words."""
    out: dict[str, None] = {}
    for piece in quotation.fixed:
        for first, second in pairwise(WORD.finditer(piece)):
            if not {first.group().lower(), second.group().lower()} <= STOPWORDS:
                out[piece[first.start() : second.end()].lower()] = None
    return tuple(out)


def anchors_of(quotation: Quotation) -> Anchors:
    """Return runs of three words of the fixed pieces as written, in lower case; of two where a piece has no more.

    Two neighbouring runs are grouped by the pair of words that both contain: a text without it contains neither.
    """
    out: dict[str, str] = {}  # anchor → the pair that it shares
    for piece in quotation.fixed:
        spans = [m.span() for m in WORD.finditer(piece)]
        if len(spans) >= 3:
            for at in range(len(spans) - 2):
                anchor = piece[spans[at][0] : spans[at + 2][1]].lower()
                middle = at + 1 - at % 2  # the second and third word of one, the first and second of the next
                both = piece[spans[middle][0] : spans[middle + 1][1]].lower()
                out.setdefault(anchor, both if both in anchor else anchor)
        elif len(spans) == 2 and spans[1][1] - spans[0][0] >= _LEAST:
            both = piece[spans[0][0] : spans[1][1]].lower()
            out.setdefault(both, both)
    if not out:  # no anchor in the fixed pieces: any two adjacent words
        words = [m.span() for m in WORD.finditer(quotation.text)]
        for (start, _), (_, end) in pairwise(words):
            if end - start >= _LEAST:
                both = quotation.text[start:end].lower()
                out[both] = both
    shared: dict[str, list[str]] = {}
    for anchor, pair in out.items():
        shared.setdefault(pair, []).append(anchor)
    return tuple((pair, tuple(anchors)) for pair, anchors in shared.items())
