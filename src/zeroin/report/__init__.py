"""One self-contained HTML page that shows how an answer came about."""

from __future__ import annotations

from zeroin.answer import Context
from zeroin.report.page import render
from zeroin.retrieval import Retrieval

__all__ = ["of", "render"]


def of(retrieval: Retrieval, context: Context) -> str:
    """The report on `context`, an answer of `retrieval`, with the map of its repository."""
    view = retrieval.opened.view
    lines = view.snapshot.lines.tolist()
    return render(context, retrieval.read, tuple(zip(view.paths, lines, strict=True)))
