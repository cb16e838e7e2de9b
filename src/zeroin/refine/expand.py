"""Query expansion: the codebase's own words for what the task names, each with a weight and where it was learned.

Sources: what somebody wrote in this repository (`cooccurrence`), abbreviations, and models (`related`).
"""

from dataclasses import dataclass, replace

from zeroin.index.view import View
from zeroin.index.vocabulary import MIN_WORD
from zeroin.models.encoder import Encoder
from zeroin.models.words import word_table
from zeroin.refine.abbreviations import abbreviations
from zeroin.refine.cooccurrence import from_commits, from_passages
from zeroin.refine.evidence import MIN_WEIGHT, WRITTEN_ROLES, ExpansionScores, Phrase
from zeroin.refine.related import RelatedTerms, translations
from zeroin.terms import INTENT_WORDS, STOPWORDS, WORD, analyse, analyse_word, term_id
from zeroin.types import Expansion, Query

_FRAGMENTS = frozenset("doesn isn wasn aren didn won couldn shouldn wouldn hasn haven don ain one two three".split())
_MAX_RUN = 3  # words of a phrase
_MAX_WORDS = 24  # of the title that are expanded
_READ_PHRASES = 24  # for which files and commits are read
_WEAKLY_NAMED = 2  # a word that names something in more files is the codebase's own
_TITLE_CHARS = 300
_MAX_EXPANSIONS = 12
_SURE_RUN = 0.5  # weight from which the words of a run are not expanded one by one


@dataclass(frozen=True, slots=True)
class ExpansionLearner:
    """Learns pairs (task word, code word); `without` switches kinds of evidence off."""

    view: View
    encoder: Encoder | None = None
    without: frozenset[str] = frozenset()

    def learn(self, query: Query) -> tuple[Expansion, ...]:
        """Pairs for the words of the title, strongest first; each code word once, for the word that it fits best.

        A word that is not searched for (a sample value) has none.
        """
        task_terms = frozenset(t for k in query.own for t in analyse(k.text))
        known = frozenset(w for term in query.terminology if not term.joined for w in term.task_word.split())
        text = query.title or query.text[:_TITLE_CHARS]
        known |= {word for word in WORD.findall(text) if task_terms.isdisjoint(analyse_word(word))}
        found = self.pairs(text, task_terms, known)
        found.sort(key=lambda t: not t.is_synonym)
        runs = [t for t in found if t.is_synonym and " " in t.task_word and t.weight >= _SURE_RUN]
        whole = {word for t in runs for word in t.task_word.split()}
        out: dict[str, Expansion] = {}
        for term in found:
            if term.task_word not in whole:
                out.setdefault(term.code_word, term)
        return tuple(sorted(out.values(), key=lambda t: -t.weight)[:_MAX_EXPANSIONS])

    def pairs(
        self,
        text: str,
        task_terms: frozenset[str] = frozenset(),
        known: frozenset[str] = frozenset(),
        *,
        least: float = MIN_WEIGHT,
    ) -> list[Expansion]:
        """Learn all pairs for the words, and short runs of words, of a text; strongest first. Skips `known` words."""
        runs = _runs(text)
        asked = [word for word in dict.fromkeys(w for run in runs for w in run) if word not in known]
        asked = asked[:_MAX_WORDS]
        weak = {word for word in asked if self._named(word) <= _WEAKLY_NAMED}
        longer = (tuple(run) for run in runs if 2 <= len(run) <= _MAX_RUN and set(asked) & set(run))
        single: list[Phrase] = [(word,) for word in asked]
        phrases = list(dict.fromkeys([*longer, *single]))
        # Phrases with a weakly named word are read for first: the others are the codebase's own words already.
        read = sorted(phrases, key=lambda phrase: weak.isdisjoint(phrase))[:_READ_PHRASES]
        own = task_terms | {t for phrase in phrases for word in phrase for t in analyse_word(word)}
        vocabulary = self.view.vocabulary
        related = RelatedTerms.of(self.encoder, vocabulary) if self.encoder is not None else None
        similarity = related.similarity(single) if related is not None else None
        scores = ExpansionScores(vocabulary, own, similarity, frozenset(asked) - weak, self.without)
        from_passages(self.view, read, scores)
        from_commits(self.view.history, read, scores)
        abbreviations(phrases, scores)
        translations(word_table(), single, scores)
        if related is not None:
            related.nearest(phrases, scores)
        return [self._checked(term) for term in scores.terms(phrases, least)]

    def _checked(self, term: Expansion) -> Expansion:
        """Make the pair a guess unless implementation, configuration or documents say its code word."""
        snapshot = self.view.snapshot
        docs = snapshot.content.holding(term_id(analyse_word(term.code_word)[0]))
        written = any(snapshot.role(doc) in WRITTEN_ROLES for doc in docs.tolist())
        return term if written else replace(term, certainty="guess")

    def named(self, text: str) -> dict[str, int]:
        """The words of a text that are expanded, each with the number of files in which it is part of a name."""
        asked = list(dict.fromkeys(word for run in _runs(text) for word in run))[:_MAX_WORDS]
        return {word: self._named(word) for word in asked}

    def _named(self, word: str) -> int:
        """Return in how many files a word is part of a name."""
        return max((self.view.name_df(term) for term in analyse_word(word)[:1]), default=0)


def _runs(text: str) -> list[list[str]]:
    """Split a text into runs of words that can have expansions; any other word ends a run."""
    runs: list[list[str]] = [[]]
    for word in WORD.findall(text):
        lower = word.lower()
        fragment = len(word) < MIN_WORD or word.isdigit() or lower in _FRAGMENTS
        if fragment or lower in STOPWORDS or lower in INTENT_WORDS:
            runs.append([])
        else:
            runs[-1].append(word)
    return runs
