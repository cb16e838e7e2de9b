"""Look up quoted text in files: which files contain it, where, and how much of it.

Postings select the files that contain most of its rare words; the texts of the best of them are read and searched.
A message is written in the code with placeholders. Matching blocks of words, in order (Ratcliff and Obershelp), find
its fixed words, so no format of placeholders has to be known.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from zeroin.index.anchors import Anchors, anchors_of, pairs_of
from zeroin.index.quote_match import (
    COMMENT,
    MAX_FILES_PLAIN,
    NEARLY_ALL,
    QuoteMatch,
    QuoteMatches,
    SearchedText,
    containing,
    is_code,
    raises_at,
)
from zeroin.index.snapshot import ROLES, Snapshot
from zeroin.patterns import lazy_pattern
from zeroin.terms import analyse_word, term_id
from zeroin.types import Quotation, Role

if TYPE_CHECKING:
    from zeroin.index.quoted_name import QuotedName

MAX_FILES = 150  # read for one quotation that is marked as quoted, else `MAX_FILES_PLAIN` …
MAX_READ, MAX_BYTES = 300, 8_000_000  # … and for all together
_LARGE_BYTES = 100_000  # of a file of data
# Share of the quotation's summed idf that a file must contain to be read.
_LEAST_SAID, _LEAST_PLAIN = 0.3, 0.35
_LEAST_MATCHED = 0.45  # share that must agree for a match …
_LONG_RUN, _LEAST_LONG = 5, 0.2  # … or so many words without a break and this share
# Of a sentence that nothing marks as quoted: so many words without a break, or this share in all.
_RUN_PLAIN = 4
# Of a marked message whose string it says whole: words without a break, and words of the string, at least.
_RUN_WHOLE, _LEAST_WORDS = 3, 4
_SPOTS = 4  # places of a file that are compared with the quotation
_WINDOW_LINES, _WINDOW_CHARS = 7, 1_600
_ANCHOR_HITS = 30  # of one anchor in one file
_PLAIN_WORD, _MARK = 0.25, 0.03  # weight of a common word, of a punctuation mark
_LONE = 0.6  # factor for a word that matches without its neighbours
_HINT = 0.3  # of its rarity: what a filled-in word counts in the order of files
_ALIKE = 0.01  # two matches whose values differ by less are equal
_FILLED_IN = 0.1  # factor for a word that looks filled in

_PLACEHOLDER = lazy_pattern(
    r"%\(\w{1,60}\)[a-zA-Z]?|%[-+#0-9.*]{0,6}[a-zA-Z]?\b|[#$]?\{[^{}]{0,60}\}|\$\w+|\\\(.{0,60}?\)|<[^<>]{0,60}>"
)
# The mark of a string: not an escaped one, and no apostrophe within a word.
_QUOTE = lazy_pattern(r"(?<!\\)(?:[\"`]|(?<![a-z])'|'(?![a-z]))")
_TOKEN = lazy_pattern(r"[^\W_]+|_|[^\w\s]")
# Where a string literal is continued on the next line, by an operator, a comma of a list, or a mark at the line's end.
_JOIN = r"(?:[+.\\&,~]|<<|<>|\+\+|\.\.|\|\|)?"
_JOINT = lazy_pattern(
    rf"([\"'`])\s{{0,4}}{_JOIN}\s{{0,4}}\\?\n\s{{0,60}}{_JOIN}\s{{0,4}}[bfruLR$@]{{0,2}}\1|\\\n\s{{0,60}}\\|\\[nrt]"
)


def match_quotations(
    quotations: Sequence[Quotation],
    snapshot: Snapshot,
    text_of: Callable[[int], str],
    prefetch: Callable[[Iterable[int]], None],
) -> QuoteMatches:
    """Look up quotations; earlier ones get the bounds first: `MAX_READ` files and `MAX_BYTES` are read in all."""
    best: dict[int, QuoteMatch] = {}
    absent: list[Quotation] = []
    chosen: list[tuple[_Message | QuotedName, list[int]]] = []
    read: dict[int, int] = {}  # sizes by document
    for quotation in quotations:
        wanted = _prepared(quotation, snapshot)
        docs = []
        for doc in wanted.files(snapshot):
            size = int(snapshot.sizes[doc])
            if doc in read or (len(read) < MAX_READ and sum(read.values()) + size <= MAX_BYTES):
                read[doc] = size
                docs.append(doc)
        chosen.append((wanted, docs))
    prefetch(sorted(read))
    texts = {doc: SearchedText(text_of(doc)) for doc in read}
    for wanted, docs in chosen:
        matches = {doc: one for doc in docs if (one := wanted.in_text(texts[doc])) is not None}
        read_all = not matches and wanted.may_hold(snapshot) <= frozenset(docs)
        pairs = () if wanted.quotation.name else pairs_of(wanted.quotation)  # a name has no parts
        if read_all and not any(pair in texts[doc].lower for doc in docs for pair in pairs):
            absent.append(wanted.quotation)
        for doc, one in _compared(matches, snapshot).items():
            if doc not in best or one.value > best[doc].value:
                best[doc] = one
    return QuoteMatches(best, tuple(absent), len(read))


def _prepared(quotation: Quotation, snapshot: Snapshot) -> _Message | QuotedName:
    """Return what is searched for a quotation."""
    if not quotation.name:
        return _Message.of(quotation, snapshot)
    from zeroin.index.quoted_name import QuotedName  # few tasks name a flag or a key

    return QuotedName.of(quotation)


def _compared(matches: Mapping[int, QuoteMatch], snapshot: Snapshot) -> dict[int, QuoteMatch]:
    """Return the matches with `files` and `best` filled in."""
    inside = [one.value for doc, one in matches.items() if is_code(doc, snapshot)]
    most = max((one.value for one in matches.values()), default=0.0)
    out = {}
    for doc, one in matches.items():
        files = sum(value >= one.value - _ALIKE for value in inside)
        out[doc] = one._replace(files=max(1, files), best=one.value >= most - _ALIKE)
    return out


class _Message(NamedTuple):
    """A message prepared for the search: its tokens in order with weights, and the anchors to look for."""

    quotation: Quotation
    tokens: tuple[str, ...]
    places: tuple[tuple[int, int], ...]  # start and end of each token in its text
    weights: tuple[float, ...]
    total: float
    terms: Mapping[int, float]  # ids of its fixed words with their idf
    hints: Mapping[int, float]  # ids of words that look filled in, with a part of their idf
    anchors: Anchors

    @classmethod
    def of(cls, quotation: Quotation, snapshot: Snapshot) -> _Message:
        fixed = Counter(t.lower() for piece in quotation.fixed for t in _TOKEN.findall(piece))
        most = float(np.log1p(max(1, len(snapshot)) / 1.5))
        found = list(_TOKEN.finditer(quotation.text))
        tokens, places = tuple(match.group().lower() for match in found), tuple(match.span() for match in found)
        weights: list[float] = []
        terms: dict[int, float] = {}
        hints: dict[int, float] = {}
        for token in tokens:
            if not token.isalnum():
                weights.append(_MARK)
                continue
            index = analyse_word(token)
            ids = [term_id(term) for term in index]
            rare = max((snapshot.content.idf(i) for i in ids), default=0.0) / most if most else 0.0
            known = bool(ids) and all(snapshot.content.document_frequency(i) for i in ids)
            weight = max(_PLAIN_WORD, min(1.0, rare))
            if fixed[token] <= 0 or not known:  # a word that no file contains was filled in
                weight *= _FILLED_IN if known else 0.0
                for i in ids if known else ():
                    hints[i] = _HINT * snapshot.content.idf(i)
            else:
                fixed[token] -= 1
                for i in ids:
                    terms[i] = max(terms.get(i, 0.0), max(0.05, snapshot.content.idf(i)))
            weights.append(weight)
        total = sum(w for w in weights if w >= _PLAIN_WORD)
        return cls(quotation, tokens, places, tuple(weights), total, terms, hints, anchors_of(quotation))

    def files(self, snapshot: Snapshot) -> list[int]:
        """Return documents to read, those with most of its words by idf first; code has a head start.

        Large files of data come last: the translations of a program hold all its messages, and use up the bounds.
        """
        total = sum(self.terms.values())
        if not total:
            return []
        sums = np.zeros(len(snapshot), np.float64)
        for term, rare in self.terms.items():
            sums[snapshot.content.holding(term)] += rare
        hinted = sums.copy()
        for term, rare in self.hints.items():
            hinted[snapshot.content.holding(term)] += rare
        least = (_LEAST_SAID if self.quotation.marked else _LEAST_PLAIN) * total
        docs = np.flatnonzero(sums >= least)
        code = snapshot.roles[docs] == ROLES.index(Role.IMPLEMENTATION)
        late = (snapshot.roles[docs] == ROLES.index(Role.DATA)) & (snapshot.sizes[docs] > _LARGE_BYTES)
        value = np.round(hinted[docs] / total, 2) + 0.08 * code
        order = docs[np.lexsort((docs, snapshot.sizes[docs], -value, late))]
        most = MAX_FILES if self.quotation.marked else MAX_FILES_PLAIN
        return list(order[:most].tolist())

    def may_hold(self, snapshot: Snapshot) -> frozenset[int]:
        """Return documents with two neighbouring words of the quotation, by the postings."""
        return frozenset[int]().union(*(containing(pair, snapshot) for pair in pairs_of(self.quotation)))

    def in_text(self, text: SearchedText) -> QuoteMatch | None:
        """Return the best match in a text; None where too little matches."""
        if len(text.lower) != len(text.text):  # lower case of some letters is longer: offsets must agree
            text = SearchedText(text.lower)
        lower = text.lower
        hits: Counter[int] = Counter()
        said = (anchor for pair, anchors in self.anchors if pair in lower for anchor in anchors)
        for anchor in said:
            at, count = lower.find(anchor), 0
            while at >= 0 and count < _ANCHOR_HITS:
                hits[bisect_right(text.starts, at) - 1] += 1
                at, count = lower.find(anchor, at + len(anchor)), count + 1
        found = filter(None, (self._at(place, text.text, text.starts) for place in _spots(hits)))
        return max(found, key=lambda match: (match.value, match.raised), default=None)

    def _at(self, place: int, text: str, starts: Sequence[int]) -> QuoteMatch | None:
        begin = max(starts[max(0, place - 2)], starts[place] - _WINDOW_CHARS)  # a line may be very long
        first = bisect_right(starts, begin) - 1
        last = min(len(starts) - 1, place + _WINDOW_LINES)
        end = min(starts[last + 1] if last + 1 < len(starts) else len(text), starts[place] + _WINDOW_CHARS)
        window = text[begin:end]
        # As many blanks in its place, so that positions and line ends stay the same.
        joined = _JOINT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), window)
        spans = [(m.group().lower(), m.start()) for m in _TOKEN.finditer(joined)]
        blocks = SequenceMatcher(None, self.tokens, [token for token, _ in spans], autojunk=False).get_matching_blocks()
        weight, run, run_at = 0.0, 1, 0
        words = ""
        for a, b, size in blocks:
            words_at = [i for i in range(a, a + size) if self.tokens[i].isalnum()]
            if not words_at:
                continue
            alone = len(words_at) == 1
            weight += sum(self.weights[i] for i in words_at) * (_LONE if alone else 1.0)
            if len(words_at) > run:
                run, run_at = len(words_at), b + words_at[0] - a
                words = self.quotation.text[self.places[words_at[0]][0] : self.places[words_at[-1]][1]]
        if run < 2 or not self.total:
            return None
        share = min(1.0, weight / self.total)
        if self.quotation.marked and run >= _RUN_WHOLE and share < NEARLY_ALL:
            said = {i for _, b, size in blocks for i in range(b, b + size)}
            share = NEARLY_ALL if _is_whole(joined, spans, said, run_at) else share
        if not self.quotation.marked and run < _RUN_PLAIN and share < NEARLY_ALL:
            return None
        if share < _LEAST_MATCHED and (run < _LONG_RUN or share < _LEAST_LONG):
            return None
        number = first + joined.count("\n", 0, spans[run_at][1])
        lines = text[starts[max(0, number - 2)] : starts[number] + 400].split("\n")
        at = min(2, number)
        comment = COMMENT.match(lines[at]) is not None
        before = window[window.rfind("\n", 0, spans[run_at][1]) + 1 : spans[run_at][1]]
        return QuoteMatch(
            self.quotation,
            number + 1,
            round(share, 4),
            run,
            raised=raises_at(lines, at + 1),
            string=not comment and any(mark in before for mark in "\"'`"),
            words=words,
        )


def _is_whole(joined: str, spans: Sequence[tuple[str, int]], said: Set[int], run_at: int) -> bool:
    """Tell whether the string around a token has enough words, and all its words but its placeholders are `said`.

    What fills its placeholders in may be longer than the message itself.
    """
    begin, end = _string_at(joined, spans[run_at][1])
    if end < 0:
        return False
    filled = [(begin + m.start(), begin + m.end()) for m in _PLACEHOLDER.finditer(joined[begin:end])]
    words = [
        i
        for i, (token, place) in enumerate(spans)
        if begin < place < end and token.isalpha() and not any(low <= place < high for low, high in filled)
    ]
    return len(words) >= _LEAST_WORDS and said >= set(words)


def _string_at(text: str, at: int) -> tuple[int, int]:
    """Return where the string around a place begins and ends, its marks; −1 for both if there is none."""
    begin, mark = -1, ""
    for match in _QUOTE.finditer(text):
        if not mark and match.start() > at:
            break
        if not mark:
            begin, mark = match.start(), match.group()
        elif match.group() == mark:
            if match.start() > at:
                return begin, match.start()
            mark = ""
    return -1, -1


def _spots(hits: Counter[int]) -> list[int]:
    """Return the lines with most anchors around them, best first."""
    near = {place: sum(hits.get(place + i, 0) for i in range(-1, 5)) for place in hits}
    out: list[int] = []
    for place in sorted(near, key=lambda p: (-near[p], p)):
        if all(abs(place - other) > 2 for other in out):
            out.append(place)
        if len(out) == _SPOTS:
            break
    return out
