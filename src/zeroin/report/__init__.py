"""One self-contained HTML page that shows how an answer came about."""

from zeroin.report.page import render

__all__ = ["render"]
