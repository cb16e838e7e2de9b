"""Files that hold text which the task quotes: they enter the pool whatever their words say."""

from __future__ import annotations

from zeroin.index.view import View
from zeroin.types import Query

_MOST = 20  # a text that more files hold says of none that it is meant


def holders(query: Query, view: View) -> list[int]:
    """Documents that hold quoted text, those with most of it first; none for a task that quotes nothing."""
    held = view.quote_matches(query.quotations).by_doc
    return sorted(held, key=lambda doc: (-held[doc].value, doc))[:_MOST]
