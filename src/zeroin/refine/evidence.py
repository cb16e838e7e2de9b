"""Evidence for a pair (phrase of the task, word of the codebase): its score, and how certain the pair is.

The score says how much a pair helps a search; many pairs that help mean something else (`slabs` beside "items"). Only
sure and likely pairs are shown. Thresholds of certainty are read off labelled pairs (`benchmarks/terms.py --judged`).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroin.index.view import View
from zeroin.index.vocabulary import Vocabulary
from zeroin.parsing.facts import DEFINITIONS
from zeroin.terms import MAX_WORD_CHARS, WORD, analyse_word, split_identifier, stem, term_id
from zeroin.types import LOW, Certainty, Expansion, ExpansionSource, Judgment, Quotation, Role

Phrase = tuple[str, ...]  # a word of the task, or a short run of its words

# Kind of evidence → weight of one clear piece, and the most that all pieces can add up to. Weighed on the open half of
# the plain-word tasks (`benchmarks/terms.py`), but for definitions and abbreviations, of which those tasks have few.
WEIGHTS = {
    "definition": (7.0, 12.0),  # "X is called Y"
    "abbreviation": (2.5, 2.5),
    "cue": (0.5, 1.8),  # a passage with a cue that one thing is another
    "documentation": (0.25, 0.5),
    "comment": (0.5, 1.0),
    "code": (0.24, 0.4),
    "commit": (0.08, 0.2),
    "neighbour": (0.6, 0.6),
    "global": (0.5, 0.5),
}
# Kinds as `ExpansionSource.kind` names them.
KIND = {"cue": "nearby", "comment": "nearby", "code": "nearby"}
KINDS = ("definition", "nearby", "documentation", "commit", "abbreviation", "neighbour", "global")
_CLEAR = frozenset({"definition", "abbreviation"})  # count in full, whatever the similarity to the text
_MODELS = frozenset({"neighbour", "global"})  # written nowhere in this repository
_IN_FILES = frozenset({"cue", "documentation", "comment", "code"})

WRITTEN_ROLES = frozenset({Role.IMPLEMENTATION, Role.CONFIG, Role.DOC})  # by people, of what the code does

# Thresholds of certainty; cosines are between the word and the phrase.
_SIMILAR, _AGREED = 0.5, 0.1  # cosine of a likely word, and the amount that files say of both
_TEXT_SIMILAR = 0.5  # cosine with the whole text where files say nothing
_SHORT_SIMILAR, _SIDE_BY_SIDE = 0.38, 0.2  # cosine that confirms a short form; amount that makes it sure
_STATED_SIMILAR = 0.2  # cosine that confirms a definition of a word that names something else here
_FILES, _TIMES = 3, 3  # files of an answer that confirm a word; how often the best one says a short form
_JOINED_TIMES = 2  # how often one of these files says two words as one, unless it defines them
_KEYWORDS = frozenset("val var def fn func fun int str char bool enum struct impl mod mut del elif exec proc".split())
_SAME_RATIO, _SAME_LETTERS, _SAME_SHARE = 0.75, 4, 0.55

_CONTEXT = 8.0  # weight of the similarity of a word with the whole text
_UNKNOWN_CONTEXT = 0.15  # similarity where there is no encoder
_NAMED_SHARE = 0.6  # weight of written evidence for a task word by which the codebase names things itself
_SHARED = 0.6  # weight of the scores that a word has with the text's other phrases
_FULL = 4.0  # a score of this much weighs 0.63
_PER_PHRASE, _MAX_SOURCES = 3, 3
MIN_WEIGHT = 0.3


class Finding(NamedTuple):
    """One piece of evidence; `share` is 1 for a clear one.

    `stated`: it says outright that the two are the same. `trusted`: it stands outside of tests, or comes from the list
    of abbreviations. `similarity`: cosine of phrase and word.
    """

    kind: str
    share: float
    source: ExpansionSource
    stated: bool = False
    trusted: bool = True
    similarity: float = 0.0


@dataclass(slots=True)
class PairEvidence:
    amounts: dict[str, float] = field(default_factory=dict)
    best: dict[str, tuple[float, ExpansionSource]] = field(default_factory=dict)  # source of each kind
    stated: bool = False
    listed: bool = False
    in_files: float = 0.0
    similarity: float = 0.0

    def add(self, found: Finding) -> None:
        kind, amount = found.kind, WEIGHTS[found.kind][0] * found.share
        self.amounts[kind] = self.amounts.get(kind, 0.0) + amount
        if amount > self.best.get(kind, (0.0, None))[0]:
            self.best[kind] = amount, found.source
        self.stated = self.stated or found.stated
        self.similarity = max(self.similarity, found.similarity)
        self.listed = self.listed or (kind == "abbreviation" and found.trusted)
        if kind in _IN_FILES and found.trusted:
            self.in_files += amount

    def score(self, context: float, share: float) -> float:
        """Sum the kinds, each capped; all but clear evidence × `context`, and × `share` unless from a model."""
        clear = other = 0.0
        for kind, amount in self.amounts.items():
            capped = min(amount, WEIGHTS[kind][1])
            if kind in _CLEAR:
                clear += capped
            else:
                other += capped * (1.0 if kind in _MODELS else share)
        return clear + other * context

    @property
    def sources(self) -> tuple[ExpansionSource, ...]:
        """The best source of each kind, the strongest first."""
        ordered = sorted(self.best.values(), key=lambda pair: -pair[0])
        return tuple(dict.fromkeys(source for _, source in ordered))

    def certainty(self, phrase: Phrase, word: str, text_similarity: float, *, plain: bool) -> Certainty:
        """Return how certain the pair is; `plain` if the codebase names nothing by the phrase itself.

        A likely pair stays so only where the files of the answer confirm it (`confirmed`).
        """
        if "abbreviation" in self.amounts:
            agreed = self.listed or self.in_files >= _AGREED
            if not _shortens(phrase, word) or self.similarity < _SHORT_SIMILAR or not agreed:
                return "guess"
            return "sure" if self.listed and self.in_files >= _SIDE_BY_SIDE else "likely"
        if same_word(phrase, word):
            return "guess"  # another form of the word itself: nothing to show
        if self.stated and (plain or self.similarity >= _STATED_SIMILAR):
            return "sure"
        supported = self.in_files >= _AGREED or "global" in self.amounts or text_similarity >= _TEXT_SIMILAR
        return "likely" if self.similarity >= _SIMILAR and supported else "guess"


@dataclass(slots=True, eq=False)
class ExpansionScores:
    """Evidence for the pairs of all phrases of one text.

    `similarity` (W,) is the cosine of each vocabulary word with the whole text, None without an encoder. `named` are
    words of the text by which the codebase names things itself. Terms of the task are never expansions.
    """

    vocabulary: Vocabulary
    task_terms: frozenset[str]
    similarity: NDArray[np.float32] | None = None
    named: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    _pairs: dict[Phrase, dict[int, PairEvidence]] = field(default_factory=lambda: defaultdict(dict))
    _scored: dict[Phrase, dict[int, float]] = field(default_factory=dict)

    def wants(self, kind: str) -> bool:
        """Tell whether evidence of a kind (of `KINDS`) counts."""
        return kind not in self.without

    def row(self, term: str) -> int | None:
        """Return the row of a term in the vocabulary, None for a term of the task or one that it lacks."""
        return None if term in self.task_terms else self.vocabulary.number.get(term)

    def rows(self, text: str) -> Iterator[tuple[str, int]]:
        """(word, row of one of its parts) for the words of a text."""
        for word in WORD.findall(text):
            for term in parts_of(word):
                row = self.row(term)
                if row is not None:
                    yield word, row

    def add(self, phrase: Phrase, row: int, found: Finding) -> None:
        self._pairs[phrase].setdefault(row, PairEvidence()).add(found)

    def terms(self, phrases: Sequence[Phrase], least: float = MIN_WEIGHT) -> list[Expansion]:
        """Return the best three pairs of every phrase of weight `least` or more, strongest first."""
        out = []
        for phrase in phrases:
            scores = self._scores(phrase)
            for row in sorted(scores, key=lambda r: (-scores[r], self.vocabulary.terms[r]))[:_PER_PHRASE]:
                weight = round(float(1 - np.exp(-scores[row] / _FULL)), 3)
                if weight >= least:
                    out.append(self._term(phrase, row, weight))
        out.sort(key=lambda t: (-t.weight, -len(t.task_word), t.task_word, t.code_word))
        return [t for t in out if not any(_covers(other, t) for other in out)]

    def _scores(self, phrase: Phrase) -> dict[int, float]:
        """Return the score of each word, with a share of its scores with the text's other phrases.

        A run of words takes a share from the single words in it; these take none from the run.
        """
        scores = dict(self._own(phrase))
        for other in self._pairs:
            if other != phrase and (len(other) < len(phrase) or not set(other) & set(phrase)):
                own = self._own(other)
                for row in own.keys() & scores.keys():
                    scores[row] += _SHARED * own[row]
        return scores

    def _own(self, phrase: Phrase) -> dict[int, float]:
        if phrase not in self._scored:
            share = _NAMED_SHARE if len(phrase) == 1 and phrase[0] in self.named else 1.0
            pairs = self._pairs.get(phrase, {})
            self._scored[phrase] = {row: p.score(self._context(row), share) for row, p in pairs.items()}
        return self._scored[phrase]

    def _context(self, row: int) -> float:
        similarity = float(self.similarity[row]) if self.similarity is not None else _UNKNOWN_CONTEXT
        return 1.0 + _CONTEXT * max(0.0, similarity)

    def _term(self, phrase: Phrase, row: int, weight: float) -> Expansion:
        pair, word = self._pairs[phrase][row], self.vocabulary.words[row]
        similarity = float(self.similarity[row]) if self.similarity is not None else 0.0
        plain = len(phrase) > 1 or phrase[0] not in self.named
        certainty = pair.certainty(phrase, word, similarity, plain=plain)
        return Expansion(" ".join(phrase), word, weight, pair.sources[:_MAX_SOURCES], certainty)


def _covers(run: Expansion, term: Expansion) -> bool:
    """Tell whether a run that contains the term's task word has the same code word, as surely."""
    return (
        run.code_word == term.code_word
        and run.weight >= term.weight
        and run.is_synonym >= term.is_synonym
        and f" {term.task_word} " in f" {run.task_word} "
        and run.task_word != term.task_word
    )


@lru_cache(maxsize=1 << 15)  # words recur within a file and between tasks
def parts_of(word: str) -> tuple[str, ...]:
    """Return stems of the parts of a word; none for what is too long to be one."""
    return tuple(stem(part) for part in split_identifier(word)) if len(word) <= MAX_WORD_CHARS else ()


def confirmed(
    terms: Iterable[Expansion], view: View, files: Sequence[Judgment], quotations: Iterable[Quotation] = ()
) -> tuple[Expansion, ...]:
    """Return the expansions, as guesses where the best `files` of an answer do not confirm them.

    The best file must say the code word of an abbreviation three times; if that is the long form, no name may hold the
    task's short one. One of the first three files must define two words that are joined, or say them twice: elsewhere
    they are hardly what the task means. Another likely word must be in the name of one of these, of relevance ≥ 0.2,
    and be the only one for its task word: several are kinds of it. Without files the first two stay as they are. Where
    the task is about a message among its `quotations`, its words are those of the code already: no short form helps.
    """
    pasted = any(q.marked and not q.name and q.part >= Quotation.SUBJECT for q in quotations)
    terms = tuple(terms)
    rivals = Counter(t.task_word for t in terms if t.certainty == "likely" and not _is_short(t))
    stems = [j.path.rpartition("/")[2].partition(".")[0] for j in files[:_FILES] if j.relevance >= LOW]
    names = {stem(part) for name in stems for part in split_identifier(name)}

    def holds(term: Expansion) -> bool:
        if _is_short(term):
            longer = len(term.code_word) > len(term.task_word)
            named = longer and any(view.name_df(t) for t in analyse_word(term.task_word))
            return not files or (not pasted and not named and _times(term.code_word, view, files[0].path) >= _TIMES)
        if term.joined and " " in term.task_word and files:
            return any(_says_joined(term.code_word, view, j.path) for j in files[:_FILES])
        return term.certainty == "sure" or (stem(term.code_word) in names and rivals[term.task_word] == 1)

    return tuple(t if holds(t) else replace(t, certainty="guess") for t in terms)


def _is_short(term: Expansion) -> bool:
    kinds = {source.kind for source in term.sources}
    return "abbreviation" in kinds and "caller" not in kinds


def _times(word: str, view: View, path: str) -> int:
    doc, content = view.doc_of(path), view.snapshot.content
    rows = content.rows(term_id(stem(word)))
    return 0 if doc is None else int(content.counts[rows][content.docs[rows] == doc].sum())


def _says_joined(word: str, view: View, path: str) -> bool:
    """Tell whether a file defines a joined word, says it twice, or has it in its path."""
    doc, whole = view.doc_of(path), word.replace("_", "").lower()
    for term in {stem(whole), whole}:
        content, paths = view.snapshot.content, view.snapshot.path_terms
        rows = content.rows(term_id(term))
        counts = content.counts[rows][content.docs[rows] == doc]
        in_path = doc in paths.holding(term_id(term))
        if in_path or counts[:, DEFINITIONS].any() or counts.sum() >= _JOINED_TIMES:
            return True
    return False


def same_word(phrase: Phrase, word: str) -> bool:
    """Whether a word is another form of one of the phrase, or contains it: `sent` and `send`, `mail` and `mailer`."""
    return any(_spelled_alike(said.lower(), word.lower()) for said in phrase)


def _spelled_alike(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) > 2 and shorter in longer:
        return True
    same = next((i for i, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), len(shorter))
    if same >= max(_SAME_LETTERS, _SAME_SHARE * len(shorter)):
        return True
    return SequenceMatcher(None, one, other).ratio() >= _SAME_RATIO


def _shortens(phrase: Phrase, word: str) -> bool:
    """Whether the shorter of the two is made of the other's letters, in order, and is no keyword of a language."""
    shorter, longer = sorted((word.lower(), "".join(phrase).lower()), key=len)
    letters = iter(longer)
    return word not in _KEYWORDS and all(letter in letters for letter in shorter)
