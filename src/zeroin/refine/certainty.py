"""How certain it is that a word of the codebase means what the task's word means: sure, likely, or a guess.

A weight says how much a pair helps a search, and many that help mean something else: `slabs` stands near "items". Only
sure and likely pairs are shown. The thresholds are read off labelled pairs (`benchmarks/terms.py --judged`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from zeroin.index.view import View
from zeroin.terms import split_identifier, stem, term_id
from zeroin.types import Certainty, Expansion

_WRITTEN = frozenset({"cue", "documentation", "comment", "code"})
_ALIKE, _AGREED = 0.5, 0.1  # cosine of a likely word with the phrase, and what is written near both
_ALONE = 0.5  # cosine with the whole text where nothing is
_SHORT, _SIDE_BY_SIDE = 0.38, 0.2  # the cosine that confirms a short form; what is written near both
_STATED = 0.2  # the cosine that confirms a definition of a word that names something else here
_FILES, _SAID = 3, 3  # files of an answer that bear a word out; how often the best one says a short form
# Said everywhere, and no word of the codebase's.
_KEYWORDS = frozenset(
    "val var def fn func fun int str char bool enum struct impl mod mut del elif exec proc".split()
)
_SAME_RATIO, _SAME_LETTERS, _SAME_SHARE = 0.75, 4, 0.55


@dataclass(slots=True)
class Evidence:
    """What was found for one pair, as far as it bears on what the words mean."""

    stated: bool = False  # a definition right across its cue
    shortened: bool = False
    listed: bool = False
    elsewhere: bool = False  # so in the histories of other repositories
    written: float = 0.0
    alike: float = 0.0

    def add(self, kind: str, amount: float, *, stated: bool, told: bool, alike: float) -> None:
        """Takes one piece of evidence in."""
        self.stated = self.stated or (kind == "definition" and stated)
        self.alike = max(self.alike, alike)
        self.shortened = self.shortened or kind == "abbreviation"
        self.listed = self.listed or (kind == "abbreviation" and told)
        self.elsewhere = self.elsewhere or kind == "global"
        if kind in _WRITTEN and told:
            self.written += amount

    def certainty(self, phrase: tuple[str, ...], word: str, text_alike: float, *, plain: bool) -> Certainty:
        """How certain the pair is; `plain` if the codebase names nothing by the phrase itself.

        What is likely is so only where the files of the answer bear it out (`confirmed`).
        """
        if self.shortened and not _shortens(phrase, word):
            return "guess"
        if self.shortened:
            if self.alike < _SHORT or (not self.listed and self.written < _AGREED):
                return "guess"
            return "sure" if self.listed and self.written >= _SIDE_BY_SIDE else "likely"
        if same_word(phrase, word):
            return "guess"  # true, and nothing that anybody needs to be told
        if self.stated and (plain or self.alike >= _STATED):
            return "sure"
        agreed = self.alike >= _ALIKE and (self.written >= _AGREED or self.elsewhere)
        alone = self.alike >= _ALIKE and text_alike >= _ALONE
        return "likely" if agreed or alone else "guess"


def confirmed(terms: Iterable[Expansion], view: View, files: Sequence[str]) -> tuple[Expansion, ...]:
    """The terms, those that the best `files` of an answer do not bear out a guess.

    The best file must say a short form some times; what is likely by meaning alone must be in the name of one of the
    first, and be the only such word: several for one word of the task are kinds of it. Without files a short form
    stays as likely as it is.
    """
    terms = tuple(terms)
    kinds_of = Counter(t.task_word for t in terms if t.certainty == "likely" and not _is_short(t))
    names = {
        stem(part)
        for path in files[:_FILES]
        for part in split_identifier(path.rpartition("/")[2].partition(".")[0])
    }

    def holds(term: Expansion) -> bool:
        if term.certainty == "sure" and not _is_short(term):
            return True
        if _is_short(term):
            return not files or _times(term.code_word, view, files[0]) >= _SAID
        return stem(term.code_word) in names and kinds_of[term.task_word] == 1

    return tuple(t if holds(t) else replace(t, certainty="guess") for t in terms)


def _is_short(term: Expansion) -> bool:
    kinds = {source.kind for source in term.sources}
    return "abbreviation" in kinds and "caller" not in kinds


def _times(word: str, view: View, path: str) -> int:
    """How often a file says a word."""
    doc, content = view.doc_of(path), view.snapshot.content
    if doc is None:
        return 0
    rows = content.rows(term_id(stem(word)))
    return int(content.counts[rows][content.docs[rows] == doc].sum())


def same_word(phrase: tuple[str, ...], word: str) -> bool:
    """Whether a word is one of the phrase's in another form, or holds it: `sent` and `send`, `mail` and `mailer`."""
    return any(_alike_spelled(said.lower(), word.lower()) for said in phrase)


def _shortens(phrase: tuple[str, ...], word: str) -> bool:
    """Whether the shorter of the two is made of the other's letters, in order, and is no keyword of a language."""
    shorter, longer = sorted((word.lower(), "".join(phrase).lower()), key=len)
    letters = iter(longer)
    return word not in _KEYWORDS and all(letter in letters for letter in shorter)


def _alike_spelled(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) > 2 and shorter in longer:
        return True
    same = 0
    while same < len(shorter) and shorter[same] == longer[same]:
        same += 1
    if same >= _SAME_LETTERS and same >= _SAME_SHARE * len(shorter):
        return True
    return SequenceMatcher(None, one, other).ratio() >= _SAME_RATIO
