"""A `Context` as Markdown for an agent: the table first, then words, patterns, gaps, then the code."""

from __future__ import annotations

import re

from zeroin.answer import Context
from zeroin.context.clean import line, path_text
from zeroin.context.page import Page
from zeroin.context.select import Read, Selected, select
from zeroin.context.wording import (
    ending_of,
    gap_of,
    gaps_in_order,
    pattern_of,
    reason_of,
    span_of,
    term_of,
    weak,
)

TABLE_SHARE, PART_SHARE = 0.4, 0.12  # of the budget: the table at most, and each list after it

_FENCE = re.compile(r"`{3,}")


def render(context: Context, read: Read) -> str:
    """The context as Markdown of at most `context.budget` estimated tokens."""
    budget = context.budget
    page = Page(budget)
    listed = (*context.files, *context.supporting)
    head = "| File | Relevance | Reason |\n| --- | --- | --- |\n"
    rows = [f"| {cell(path_text(j.path))} | {j.relevance:.2f} | {cell(reason_of(j))} |\n" for j in listed]
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
    part = int(budget * PART_SHARE)
    page.section(
        "\n## Gaps\n\n",
        (
            f"- {'**critical** ' if g.critical else ''}{cell(gap_of(g))}"
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
    title = "\n## Code\n"
    page.reserve(title)
    chosen = select(listed, read, page.left)
    texts = [_file(selected) for selected in chosen]
    if texts:
        page.close(title)
        for text in texts:
            page.add(text)
    return page.text()


def _file(selected: Selected) -> str:
    """One file's passages, each in a fence longer than any run of backticks inside."""
    judgment = selected.judgment
    parts = [f"\n### {cell(path_text(judgment.path))}\n"]
    for passage in selected.passages:
        ticks = max((len(run[0]) for run in _FENCE.finditer(passage.text)), default=2) + 1
        fence = "`" * max(3, ticks)
        more = " (cut)" if passage.cut else ""
        label = span_of(passage.span) + more
        language = re.sub(r"[^a-z0-9+#-]", "", judgment.language)
        parts.append(f"\nLines {cell(label)}\n\n{fence}{language}\n{passage.numbered}\n{fence}\n")
    return "".join(parts)


def cell(text: str) -> str:
    """Text that cannot end a table cell or start markup of its own: pipes and angle brackets are escaped."""
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "\\`")


def code(text: str) -> str:
    """Text as inline code, in as many backticks as it needs."""
    ticks = max((len(run) for run in re.findall(r"`+", text)), default=0) + 1
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{'`' * ticks}{pad}{text}{pad}{'`' * ticks}"
