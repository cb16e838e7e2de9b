"""REFINE with the words that the model named: they are searched for where this code base has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from zeroin.answer import Action, Change
from zeroin.index.view import View
from zeroin.llm_judge.evaluator import ModelEvaluator
from zeroin.loop import Refine
from zeroin.terms import analyse, term_id
from zeroin.types import Gap, Judgment, Keyword, Origin, Query

WEIGHT = 0.7  # of a named word, as a share of the task's heaviest


@dataclass(frozen=True, slots=True)
class WordsRefiner:
    """Refines like `inner`, and adds the model's words to the query."""

    inner: Refine
    evaluator: ModelEvaluator
    view: View

    def refine(
        self, query: Query, judgments: Sequence[Judgment], gaps: Sequence[Gap]
    ) -> tuple[Query, tuple[Change, ...]]:
        query, changes = self.inner.refine(query, judgments, gaps)
        query, more = with_words(query, self.evaluator.words, self.evaluator.model.name, self.view)
        return query, (*changes, *more)

    def expanded(self, query: Query) -> Query:
        """Return the query with all expansions that can be learned before anything is judged."""
        return self.inner.expanded(query)


def with_words(
    query: Query, words: Sequence[str], model: str, view: View
) -> tuple[Query, tuple[Change, ...]]:
    """Return a query with the model's words that the repository has and the query has not, and what changed in it."""
    known = {keyword.text.lower() for keyword in query.keywords}
    named = [word for word in words if word.lower() not in known and is_written(word, view)]
    why = f"{model} names it"
    keywords = tuple(Keyword(word, WEIGHT, Origin.LEARNED, why) for word in named)
    changes = tuple(Change(Action.ADD_KEYWORD, word, why) for word in named)
    return replace(query, keywords=(*query.keywords, *keywords)), changes


def is_written(word: str, view: View) -> bool:
    """Tell whether files of the repository have all terms of a word."""
    terms = analyse(word)
    content = view.snapshot.content
    return bool(terms) and all(content.document_frequency(term_id(term)) for term in terms)
