"""Spans of the files of one question, made when looked at, and once for cycles in which they are the same."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from zeroin.evaluate.deferred import Deferred
from zeroin.evaluate.passages import TextMatch
from zeroin.evaluate.spans.select import spans_of
from zeroin.evaluate.task_terms import TaskTerms
from zeroin.index.view import View
from zeroin.types import Query, Span


class KeptSpans:
    """Spans by document, with what they were made for. Shared by what judges and what annotates."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[TextMatch, object, Sequence[Span]]] = {}

    def of(self, view: View, query: Query, doc: int, match: TextMatch, terms: TaskTerms) -> Sequence[Span]:
        """Return the spans of a document (`spans_of`), the last ones where all that they depend on is the same."""
        named = (query.symbols, query.paths, query.quotations)
        asked = (named, query.own, query.relevant, query.irrelevant, terms.weights, terms.title)
        known = self._kept.get(doc)
        if known is not None and known[0] is match and known[1] == asked:
            return known[2]
        spans: Sequence[Span] = Deferred(partial(spans_of, view, query, doc, match, terms))
        self._kept[doc] = match, asked, spans
        return spans
