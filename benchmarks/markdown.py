"""A Markdown table of texts and figures."""

from collections.abc import Iterable, Sequence

Row = Sequence[str]


def table(head: Row, rows: Iterable[Row], texts: int = 1) -> str:
    """A Markdown table; all but the first `texts` columns are figures, set to the right."""
    rule = ["---"] * texts + ["---:"] * (len(head) - texts)
    return "".join("| " + " | ".join(row) + " |\n" for row in (head, rule, *rows))


def percent(share: float | None) -> str:
    """A share of 0–1 in per cent with one decimal."""
    return "–" if share is None else f"{100 * share:.1f}"
