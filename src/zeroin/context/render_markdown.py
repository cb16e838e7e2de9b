"""A `Context` as Markdown for an agent: the table first, then words, patterns, gaps, then the code."""

from __future__ import annotations

import re

from zeroin.answer import Context
from zeroin.context.clean import line, path_text
from zeroin.context.page import Page
from zeroin.context.passages import GAP, Layout, Passage, Selected, numbered_row
from zeroin.context.redact import quotes_of
from zeroin.context.select import select_listed
from zeroin.context.texts import Read
from zeroin.context.tokens import weigh
from zeroin.context.wording import (
    aside_of,
    ending_of,
    gaps_in_order,
    missing_of,
    pattern_of,
    reason_limit,
    reason_of,
    redacted_of,
    shown_of,
    span_of,
    term_of,
    weak,
)
from zeroin.types import Judgment

TABLE_SHARE, PART_SHARE = 0.4, 0.12  # of the budget: the table at most, and each list after it
SMALL = 1500  # tokens; below, lists have half their share

_FENCE = re.compile(r"`{3,}")


def render(context: Context, read: Read) -> str:
    """The context as Markdown of at most `context.budget` estimated tokens."""
    context, quoted = quotes_of(context)
    budget = context.budget
    page = Page(budget)
    listed = (*context.files, *context.supporting)
    part = int(budget * PART_SHARE / (1 if budget >= SMALL else 2))
    head = "| File | Relevance | Reason |\n| --- | --- | --- |\n"
    limit = reason_limit(budget)
    rows = [
        f"| {cell(path_text(j.path))} | {j.relevance:.2f} | {cell(reason_of(j, limit=limit))} |\n"
        for j in listed
    ]
    written = page.section(head, rows, limit=int(budget * TABLE_SHARE))
    if not written:
        page.add(head)
    if written < len(listed):
        page.add(f"\n{len(listed) - written} more files do not fit the budget.\n")
    if weak(context):
        page.add("\nNo file reaches relevance 0.2: this is only the best available.\n")
    page.add(f"\n{cell(ending_of(context))}.\n")
    if context.advice is not None:
        page.add(f"\nAdvice: {cell(line(context.advice.text))}\n")
    for title, asides in (("Tests to run", context.tests), ("Documents", context.documents)):
        page.section(f"\n## {title}\n\n", (_aside(j, limit) for j in asides), limit=part)
    page.section(
        "\n## Gaps\n\n",
        (
            f"- {'**critical** ' if g.critical else ''}{cell(missing_of(g))}"
            f"{' → ' + code(line(g.follow_up)) if g.follow_up else ''}\n"
            for g in gaps_in_order(context.gaps)
        ),
        limit=part,
    )
    page.section(
        "\n## Terminology\n\n| Task | Codebase | Seen in |\n| --- | --- | --- |\n",
        (
            f"| {cell(line(t.task_word))} | {cell(line(t.code_word))} | {cell(term_of(t))} |\n"
            for t in context.terminology
        ),
        limit=part,
    )
    page.section(
        "\n## Patterns\n\n",
        (f"- {cell(line(p.kind))}: {cell(pattern_of(p))}\n" for p in context.patterns),
        limit=part,
    )
    page.section("\n## Warnings\n\n", (f"- {cell(line(w))}\n" for w in context.warnings), limit=part)
    title, note = "\n## Code\n", f"\n{redacted_of(9999)}\n"
    page.reserve(title)
    page.reserve(note)
    chosen = select_listed(context, read, page.left, LAYOUT)
    page.release(note)
    hidden = quoted + sum(selected.hidden for selected in chosen)
    if hidden:
        page.add(f"\n{redacted_of(hidden)}\n")
    page.release(title)
    if chosen:
        page.add(title)
        for selected in chosen:
            page.add(_file(selected))
    return page.text()


def _aside(judgment: Judgment, limit: int) -> str:
    """A test or a document in a line."""
    told = f"{judgment.relevance:.2f}: {reason_of(judgment, limit=limit // 2)}"
    return f"- {cell(path_text(judgment.path) + aside_of(judgment))} {cell(told)}\n"


def _file(selected: Selected) -> str:
    """One file's passages."""
    return _head(selected.judgment, shown_of(selected)) + "".join(
        _passage(passage, selected.judgment.language) for passage in selected.passages
    )


def _head(judgment: Judgment, shown: str) -> str:
    return f"\n### {cell(path_text(judgment.path))}{f' ({shown})' if shown else ''}\n"


def _passage(passage: Passage, language: str) -> str:
    """A passage in a fence longer than any run of backticks inside."""
    ticks = max((len(run) for _, text in passage.rows for run in _FENCE.findall(text)), default=2) + 1
    fence = "`" * max(3, ticks)
    label = span_of(passage.span) + (" (cut)" if passage.cut else "")
    name = re.sub(r"[^a-z0-9+#-]", "", language)
    return f"\nLines {cell(label)}\n\n{fence}{name}\n{passage.numbered}\n{fence}\n"


def _around(passage: Passage) -> float:
    """Tokens of a passage without its rows."""
    whole = _passage(passage, "typescript-react")
    return weigh(whole.replace(passage.numbered, "", 1)) + 0.5


LAYOUT = Layout(
    row=lambda number, text: weigh(f"\n{numbered_row(number, text, 2)}"),
    passage=_around,
    file=lambda judgment: weigh(_head(judgment, "does not fit whole: spans")),
    gap=weigh(f"\n   {GAP}"),
)


def cell(text: str) -> str:
    """Text that cannot end a table cell or start markup of its own: pipes and angle brackets are escaped."""
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "\\`")


def code(text: str) -> str:
    """Text as inline code, in as many backticks as it needs."""
    ticks = max((len(run) for run in re.findall(r"`+", text)), default=0) + 1
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{'`' * ticks}{pad}{text}{pad}{'`' * ticks}"
