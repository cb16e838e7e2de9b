"""What a reason is written about, one candidate of one cycle, and how evidence is put into words."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from math import fsum

from zeroin.evaluate.passages import TextMatch
from zeroin.evaluate.spans.candidates import is_comment
from zeroin.evaluate.spans.select import KeptSpans
from zeroin.evaluate.task_terms import TaskTerms
from zeroin.evaluate.undefined import BrokenImport, Undefined
from zeroin.index.history import bm25_commits
from zeroin.index.postings import Postings, rarity
from zeroin.index.view import View
from zeroin.patterns import lines_with
from zeroin.terms import WORD, analyse, analyse_word, term_id, weighted_ids, weighted_terms
from zeroin.tree import Definition
from zeroin.types import Candidate, Evidence, Keyword, Origin, Query, Reason

_COMMITS = 150  # as many as the retriever looks at
_SHARED_WORDS = 2  # of a commit and the task, at least
# Shares of all files that say a word: a reason leaves out words from `USUAL`, and there is no reason if all its words
# reach `_COMMON`. A word of at most `_FEW` files has share 0.
USUAL, _COMMON, _FEW = 0.3, 0.2, 5


@dataclass(frozen=True)
class Question:
    """What all reasons of one cycle share; `best` are the documents judged most relevant, best first."""

    query: Query
    terms: TaskTerms
    view: View
    best: tuple[int, ...]
    spans: KeptSpans = field(default_factory=KeptSpans)
    undefined: tuple[Undefined, ...] = ()  # names that the change uses and that nothing defines
    broken: tuple[BrokenImport, ...] = ()  # imports of what it removes

    @cached_property
    def own_terms(self) -> frozenset[str]:
        """The terms of the task's own words."""
        return frozenset(weighted_terms(k for k in self.query.own if not k.phrase))

    @cached_property
    def phrases(self) -> dict[str, str]:
        """The phrases of the task that terms stand for which it does not say."""
        return {term: k.phrase for k in self.query.own if k.phrase for term in analyse(k.text)}

    @cached_property
    def matching_commits(self) -> list[int]:
        """Commits whose message matches the task (rows of the history), best first."""
        return bm25_commits(self.view.history, weighted_ids(self.query.own), _COMMITS)[0].tolist()  # type: ignore[no-any-return]

    @cached_property
    def overlap(self) -> Callable[[int], float]:
        """How much the subject of a commit (a row of the history) and the task share, 0–1; 0 for less than two words.

        It is the part that the shared words are of the text that says less, each word counted by its rarity in
        messages: what two texts of a project have in common is often what all of them say.
        """
        history, asked = self.view.history, self.own_terms
        messages, subjects = history.messages, history.subjects

        @cache
        def weight(term: str) -> float:
            return rarity(max(1, messages.document_frequency(term_id(term))), messages.documents)

        @cache
        def shared(commit: int) -> float:
            said = weighted_terms([Keyword(subjects[commit], 1.0, Origin.PROSE)]).keys()
            both = said & asked
            if not both or len(both) < min(_SHARED_WORDS, len(asked)):
                return 0.0
            return fsum(map(weight, both)) / min(fsum(map(weight, said)), fsum(map(weight, asked)))

        return shared


class Subject:
    """A candidate with its text match, and the question."""

    def __init__(self, question: Question, candidate: Candidate, match: TextMatch) -> None:
        self.question, self.candidate, self.match = question, candidate, match
        self.query, self.terms, self.view = question.query, question.terms, question.view
        self.doc, self.path = candidate.doc, candidate.path
        self.others = [doc for doc in question.best if doc != candidate.doc]  # the best files but this one
        self.strict = True  # common words are no reason

    @property
    def text(self) -> str:
        return self.view.text(self.doc)

    def telling(self, words: Sequence[str]) -> list[str]:
        """Return words that tell a file from others, without those that many files say; none where all are common."""
        shares = {word: self.share(word, self.view.snapshot.content) for word in words}
        if all(share >= _COMMON for share in shares.values()):
            return []
        return [word for word in words if shares[word] < USUAL]

    def worded(self, words: Iterable[str]) -> str:
        """List words of the file, behind them those that stand for a phrase of the task: retry for “trying again”."""
        groups: dict[str, list[str]] = {"": []}
        for word in words:
            phrase = next(filter(None, map(self.question.phrases.get, analyse_word(word))), "")
            groups.setdefault(phrase, []).append(word)
        own = [", ".join(groups.pop(""))]
        return "; ".join(filter(None, [*own, *(f"{', '.join(said)} for “{meant}”" for meant, said in groups.items())]))

    def share(self, word: str, postings: Postings) -> float:
        """Return the share of all files that say a word, or whose paths do; 0 for a handful."""
        terms = analyse_word(word)
        holding = postings.document_frequency(term_id(terms[-1])) if terms else 0
        return holding / len(self.view.snapshot) if holding > _FEW else 0.0

    def reason(self, kind: str, text: str, *evidence: Evidence) -> Reason:
        """Make a reason whose evidence is the file itself, unless other is given."""
        return Reason(kind, text, evidence or (Evidence(self.path),))

    def cited(self, definitions: Sequence[Definition]) -> tuple[Evidence, ...]:
        """Cite definitions at the line that names them: they may begin with decorators or a comment."""
        lines = self.text.split("\n")

        def line(d: Definition) -> int:
            inside = range(d.start, min(d.end, len(lines)) + 1)
            naming = ((is_comment(lines[n - 1]), n) for n in inside if d.name in lines[n - 1])
            return min(naming, default=(False, d.start))[1]

        return tuple(Evidence(self.path, line(d), d.name) for d in definitions)


def listed(cited: Sequence[Evidence]) -> str:
    """List symbols with the lines that define them."""
    return ", ".join(f"{e.symbol} (line {e.line})" for e in cited)


def line_of(name: str, text: str) -> int | None:
    """Find the first line that contains an identifier, rather one that is no comment; None if there is none."""
    found = ((is_comment(line), n) for n, line in lines_with(text, name) if name in WORD.findall(line))
    return min(found, default=(False, None))[1]
