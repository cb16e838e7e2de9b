"""One self-contained HTML page that shows how an answer came about."""

from __future__ import annotations

from zeroin.answer import Context
from zeroin.report.page import render
from zeroin.session import Session

__all__ = ["of", "render"]


def of(session: Session, context: Context) -> str:
    """Return the report on `context`, an answer of `session`."""
    return render(context, session.read)
