"""Words that are written apart here and together there: `keepalive` for "keep alive", `connpool` for "connection pool".

And words that British and American English spell in two ways: `color` for "colour". A joined form is the task's word in
another spelling, no other word for it, and counts only if the tree says it. The index holds terms as hashes, so forms
are generated from the words of the task and looked up; the vocabulary is searched for forms inside longer words.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial, reduce
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroin.index.postings import distinct
from zeroin.index.view import View
from zeroin.models.commonness import UNLISTED, commonness
from zeroin.parsing.facts import DEFINITIONS
from zeroin.patterns import lazy_pattern, lines_with
from zeroin.refine.abbreviations import listed_long, listed_short
from zeroin.refine.evidence import WRITTEN_ROLES
from zeroin.terms import INTENT_WORDS, STOPWORDS, WORD, cut, split_identifier, stem, term_id
from zeroin.types import Expansion, ExpansionSource, Role

_WORDS, _TEXT_CHARS = 60, 2000  # of a text that are looked at
_APART = lazy_pattern(r"[^\S\n]*\n?[^\S\n]*|[-‐/]")  # what may stand between the parts of one word
_PATHS = lazy_pattern(r"(?:^|(?<=\s))(?=\S*?(?::/|[/\\][^/\\.\s]*[/\\.]\w))\S+")  # addresses and paths
_BETWEEN = frozenset("a an and by for in of the to".split())  # function words that a name leaves out
_LEADING = frozenset("set test tests".split())  # mostly verbs, whose object is the next word
# A "pool of connections" is a connection pool; to "size a window" is no window size.
_TURNED = frozenset(("of", "for"))
_ENDINGS = ("e", "s", "es", "ed", "er", "ers", "ing", "ion", "ions", "or", "y", "al")
# Letters of a part, of a form, of a word that may be split, of a form inside a longer word, and of a part of a word
# that the tree does not know.
_LEAST_PART, _LEAST_FORM, _LEAST_SPLIT, _LEAST_INSIDE, _LEAST_UNKNOWN = 2, 5, 6, 8, 3
# A form in more than this share of the files, and in more than twenty, is too common.
_COMMON, _COMMON_FILES = 0.1, 20
_WRITTEN, _SHORTENED, _INSIDE = 1.0, 0.9, 0.8
_PER_PLACE, _MOST, _TRIED = 2, 8, 4
_MAX_CHARS = 400_000  # of a file that is read for how it writes a form
_SOURCE_CHARS = 160  # of the line that does


# British and American spellings of the end of a word, what may follow ("" too), and letters before it, at least.
_SPELLINGS = (
    ("is", "iz", ("e", "ed", "es", "er", "ers", "ing", "able", "ation", "ations"), 3),
    ("ys", "yz", ("e", "ed", "es", "er", "ers", "ing"), 3),
    ("our", "or", ("", "s", "ed", "ing", "ful", "al"), 3),
    ("tre", "ter", ("", "s"), 3),
    ("ogue", "og", ("", "s"), 4),
    ("ence", "ense", ("", "s"), 3),
    ("rey", "ray", ("", "s"), 1),
)


class _Form(NamedTuple):
    """A spelling that the tree may have: `term` is what the index holds of it, `parts` are the words joined in it."""

    term: str
    parts: tuple[str, ...]
    weight: float


class _Place(NamedTuple):
    """Words of the task that stand together, or one alone, and the forms that they may have.

    `between`: a function word stands between them. `leaves_path`: only one of them is a word of a path or an address.
    """

    said: tuple[str, ...]
    forms: tuple[_Form, ...]
    between: bool = False
    leaves_path: bool = False


def joined_terms(view: View, text: str) -> tuple[Expansion, ...]:
    """Joined forms of the words of a text that the tree says, surest first, at most eight.

    A pair is only a guess, not shown, if the text itself has its form: "web socket → websocket" of `WebSocket`. So is
    one over the end of a path, and one over a function word whose form no definition has.
    """
    text = text[:_TEXT_CHARS]
    places = list(dict.fromkeys(_places(text)))
    search = _Search(view, places)
    as_one = {_as_one(word) for word in WORD.findall(text)}
    found: dict[str, Expansion] = {}
    for place in places:
        for term in search.terms(place):
            if len(place.said) > 1 and _as_one(term.code_word) in as_one:
                term = replace(term, certainty="guess")
            known = found.setdefault(term.code_word, term)
            if replace(term, certainty=known.certainty) == known and term.certainty == "sure":
                found[term.code_word] = term  # the words stand together elsewhere in the text
    return tuple(sorted(found.values(), key=lambda t: -t.weight)[:_MOST])


def _places(text: str) -> Iterator[_Place]:
    """Neighbours of a text, also with a function word between them, and its long words alone."""
    found = list(WORD.finditer(text))[:_WORDS]
    paths = [match.span() for match in _PATHS.finditer(text)]
    for i, match in enumerate(found):
        parts = split_identifier(match.group()) if match.group().isascii() else []
        for first, second in pairwise(parts):
            if _joins(first) and _joins(second) and first not in _LEADING:
                yield _Place((first, second), tuple(_together(first, second)))
        if len(parts) == 1 and _joins(parts[0]):
            word = parts[0]
            splits = len(word) >= _LEAST_SPLIT
            own = (*_respelled(word), *(_split(word) if splits else ()))
            if own or splits:
                yield _Place((word,), own)
            between, other = _next_word(text, found[i : i + 3])
            if other and word not in _LEADING:
                forms = [*_together(word, other)]
                forms += _together(word, between + other) if between else ()
                forms += _together(other, word) if between in _TURNED else ()
                after = found[i + 1 + bool(between)].start()
                leaves_path = any((start <= match.start() < end) != (start <= after < end) for start, end in paths)
                yield _Place((word, other), tuple(forms), bool(between), leaves_path)


def _next_word(text: str, words: Sequence[re.Match[str]]) -> tuple[str, str]:
    """The function word after the first of the words ("" if there is none), and the word that it can be joined with."""
    between = ""
    for before, after in pairwise(words):
        other = after.group().lower()
        if not _APART.fullmatch(text, before.end(), after.start()) or text.startswith("=", after.end()):
            break  # of "level=error msg=…" each is a field of its own
        if other in _BETWEEN and not between:
            between = other
        else:
            valid = other.isascii() and split_identifier(after.group()) == [other]
            return between, other if valid and _joins(other) else ""
    return between, ""


def _joins(part: str) -> bool:
    """Whether a word (lower case) can be a part of another: a function word or a word of the request is none."""
    return len(part) >= _LEAST_PART and part not in STOPWORDS and part not in INTENT_WORDS


def _together(first: str, second: str) -> Iterator[_Form]:
    """Yield two words as one: as they are, inflected, or shortened as programmers do."""
    firsts = dict.fromkeys((first, _singular(first)))
    root = stem(second)
    seconds = dict.fromkeys((second, _singular(second), root, *(root + ending for ending in _ENDINGS)))
    seen: set[str] = set()
    for weight, left, right in (
        (_WRITTEN, firsts, seconds),
        (_SHORTENED, listed_short(first), (*seconds, *listed_short(second))),
        (_SHORTENED, firsts, listed_short(second)),
    ):
        for one in left:
            for other in right:
                whole = one + other
                for term in dict.fromkeys((stem(whole), whole)):
                    if len(whole) >= _LEAST_FORM and term not in seen:
                        seen.add(term)
                        yield _Form(term, (one, other), weight)


def _split(word: str) -> Iterator[_Form]:
    """One word as a compound: `keepalive` → `keep_alive`, whose whole the index keeps unstemmed; `connpool` in full."""
    for one in dict.fromkeys((word, _singular(word))):
        for at in range(_LEAST_PART, len(one) - _LEAST_PART + 1):
            first, second = one[:at], one[at:]
            if one != stem(word):
                yield _Form(one, (first, second), _WRITTEN)
            for long in listed_long(first):
                if long != one:  # "metadata" is "meta" in full, and no "metadata data"
                    yield _Form(long + second, (long, second), _SHORTENED)
            for long in listed_long(second):
                yield _Form(first + long, (first, long), _SHORTENED)


def _respelled(word: str) -> Iterator[_Form]:
    """Yield the American spellings of a British word, and the other way round."""
    for british, american, endings, least in _SPELLINGS:
        for here, there in ((british, american), (american, british)):
            for ending in endings:
                begin = word.removesuffix(here + ending)
                if begin != word and len(begin) >= least:
                    other = begin + there + ending
                    yield _Form(stem(other), (other,), _WRITTEN)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > _LEAST_PART + 1 and word.endswith("s") and word[-2] != "s" else word


_both = partial(np.intersect1d, assume_unique=True)  # of two arrays of documents


class _Search:
    """Looks forms up in one tree."""

    def __init__(self, view: View, places: Sequence[_Place]) -> None:
        self._view = view
        content, paths = view.snapshot.content, view.snapshot.path_terms
        terms = list(dict.fromkeys(form.term for place in places for form in place.forms))
        ids = [term_id(term) for term in terms]
        known = np.maximum(content.document_frequencies(ids), paths.document_frequencies(ids))
        self._most = max(_COMMON_FILES, int(_COMMON * len(view.snapshot)))
        self._known = {terms[i]: int(known[i]) for i in np.flatnonzero(known).tolist()}

    def terms(self, place: _Place) -> list[Expansion]:
        """Return the best forms of one place that the tree says."""
        found: dict[str, Expansion] = {}
        forms = [form for form in place.forms if form.term in self._known]
        forms.sort(key=lambda form: (-form.weight, -self._known[form.term]))
        for form in forms[:_TRIED]:
            rare = self._known[form.term] <= self._most or len(form.parts) == 1
            term = self._term(place, form) if rare else None
            if term is not None:
                found.setdefault(_as_one(term.code_word), term)
        if not forms:
            found = {term.code_word: term for term in islice(self._inside(place), _PER_PLACE)}
        if not forms and len(place.said) == 1:
            found = {term.code_word: term for term in self._apart(place.said[0])}
        return list(found.values())[:_PER_PLACE]

    def _term(self, place: _Place, form: _Form) -> Expansion | None:
        """The pair of a form as the tree writes it; None where it is no other spelling of the task's words."""
        if form.weight == _SHORTENED and len(place.said) > 1 and _is_english(form.term):
            return None  # "transport" is hardly ever the port of a transaction
        holding = self._docs(form.term)
        said = reduce(_both, (self._docs(stem(word)) for word in place.said))
        new = np.setdiff1d(holding, said, assume_unique=True)
        found = self._as_written(place, form.term, form.weight, new if len(new) else holding)
        if found is None:
            return None
        if len(form.parts) == 1:  # the word itself, in the spelling that the tree prefers
            return found if len(holding) > len(said) else None
        seam = [stem(part) for part in split_identifier(found.code_word)]
        if len(seam) > 1:  # a compound: of two words its parts are met anyway, unless they are shortened
            other = len(place.said) == 1 or form.weight == _SHORTENED
            parts = [stem(part) for part in form.parts]
            return found if other and seam == parts and seam != [stem(word) for word in place.said] else None
        first, second = form.parts
        if any(second in listed_short(word) for word in place.said):  # `copymode` says no module
            return found if found.code_word in (first + second, f"{first}{second}s") else None
        root = stem(second)
        begins = first + (root if second.startswith(root) else second)
        return found if len(place.said) > 1 and found.code_word.startswith(begins) else None

    def _inside(self, place: _Place) -> Iterator[Expansion]:
        """Longer words of names that hold two words of the task side by side: `tcpkeepalivetime`."""
        whole = "".join(place.said)
        if len(place.said) < 2 or len(whole) < _LEAST_INSIDE:
            return
        at, tried = self._words.find(whole), 0
        while at >= 0 and tried < _TRIED:  # each reads a file
            tried += 1
            end = self._words.index("\n", at)
            word = self._words[self._words.rindex("\n", 0, at) + 1 : end]
            docs = self._docs(stem(word))
            term = self._as_written(place, stem(word), _INSIDE, docs) if len(docs) else None
            if term is not None:
                yield term
            at = self._words.find(whole, end)

    def _apart(self, word: str) -> Iterator[Expansion]:
        """A word that the tree does not know, whose halves stand side by side in a path: `rate-limit/`."""
        if len(self._docs(stem(word))) or len(self._docs(word)):
            return
        for at in range(_LEAST_UNKNOWN, len(word) - _LEAST_UNKNOWN + 1):
            first, second = word[:at], word[at:]
            if not len(_both(self._docs(stem(first)), self._docs(stem(second)))):
                continue
            side_by_side = re.search(rf"(?<![a-z]){first}[-. ]{second}(?![a-z])", self._paths)
            if side_by_side is not None:
                path = self._view.paths[self._paths.count("\0", 0, side_by_side.start())]
                yield _pair((word,), f"{first} {second}", _INSIDE, path, None, path)

    def _as_written(self, place: _Place, term: str, weight: float, docs: NDArray[np.int32]) -> Expansion | None:
        """Return the pair of a term as the best of some documents writes it, None if no word there is this term."""
        snapshot = self._view.snapshot
        defining = set(snapshot.content.holding(term_id(term), DEFINITIONS).tolist())
        best = min(docs.tolist(), key=lambda d: (snapshot.role(d) is not Role.IMPLEMENTATION, d not in defining, d))
        path = self._view.paths[best]
        found: dict[str, tuple[int | None, str]] = {}
        text = self._view.text(best)[:_MAX_CHARS]
        lines, spelled = text.split("\n"), text.lower().replace("_", "")
        for number, _ in lines_with(spelled, term[:_LEAST_FORM]):
            line = lines[number - 1]
            found.setdefault(_written(line, term), (number, line))
        found.setdefault(_written(path, term), (None, path))
        written = min(filter(None, found), key=len, default="")  # not the plural
        if not written:
            return None
        pair = _pair(place.said, written, weight, path, *found[written])
        proving = defining if place.between else docs.tolist()
        shown = not place.leaves_path and any(snapshot.role(doc) in WRITTEN_ROLES for doc in proving)
        return pair if shown else replace(pair, certainty="guess")

    def _docs(self, term: str) -> NDArray[np.int32]:
        """Return documents that say a term, in their text or in their path."""
        identity = term_id(term)
        content, paths = self._view.snapshot.content, self._view.snapshot.path_terms
        return distinct(content.holding(identity), paths.holding(identity))

    @cached_property
    def _words(self) -> str:
        """The vocabulary words of the tree, each between two ends of a line."""
        return "\n".join(("", *self._view.vocabulary.words, ""))

    @cached_property
    def _paths(self) -> str:
        """All paths in lower case, joined by a character that no path can hold."""
        return "\0".join(self._view.paths).lower()


def _pair(said: tuple[str, ...], written: str, weight: float, path: str, line: int | None, text: str) -> Expansion:
    source = ExpansionSource("joined", path, line, cut(text.strip(), _SOURCE_CHARS))
    return Expansion(" ".join(said), written, weight, (source,), "sure")


def _written(line: str, term: str) -> str:
    """Return how a line writes a term: as a compound, or as a word of one; "" where it does not."""
    if term[:_LEAST_FORM] not in line.lower().replace("_", ""):
        return ""
    for word in WORD.findall(line):
        if word.replace("_", "").lower() == term:
            return str(word)
        for part in split_identifier(word):
            if stem(part) == term:
                return part
    return ""


def _is_english(term: str) -> bool:
    """Tell whether a term is a word of its own: commit messages of many repositories say it."""
    return bool(commonness().document_frequency(np.array([term_id(term)], np.uint64))[0] > UNLISTED)


def _as_one(word: str) -> str:
    """Return the stem of all letters of a word, however it is written."""
    return stem(word.replace("_", "").lower())
