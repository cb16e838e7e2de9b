"""A `Context` for people: a bar and a number a file, a reason, lines to read; then what is missing."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from dataclasses import replace

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text

from zeroin.answer import Context
from zeroin.context.clean import line, path_text
from zeroin.context.links import Links, Place, settled
from zeroin.context.passages import GAP, Layout, Selected, numbered_row
from zeroin.context.redact import quotes_of
from zeroin.context.select import select_listed
from zeroin.context.texts import Read
from zeroin.context.tokens import estimate, weigh
from zeroin.context.wording import (
    aside_of,
    ending_of,
    gaps_in_order,
    missing_of,
    pattern_of,
    reason_of,
    redacted_of,
    shortened,
    shown_of,
    span_of,
    term_of,
    weak,
)
from zeroin.types import Judgment, Span

NARROW = 60  # columns below which the bar is left out
BAR = 8  # cells of a full bar
ROWS = (None, 20, 8, 4, 2, 1, 0)  # of each list at most, until the budget holds them
CODE_SHARE = 0.5  # of the budget: all but the code, where code is shown
_COLOURS = {"high": "green", "medium": "cyan", "low": "yellow", "none": "bright_black"}
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def render(
    context: Context,
    read: Read,
    *,
    width: int = 100,
    color: bool = False,
    top: int = 0,
    ascii_only: bool = False,
    links: Links | None = None,
    code: bool = False,
) -> str:
    """The context as text of `width` columns; with `color`, in ANSI colours; with `links`, places can be clicked.

    With `code`, what `context.pack` says is shown of the files follows. What is read (colours and links apart) stays
    within the budget.
    """
    context, quoted = quotes_of(context)
    chosen = select_listed(context, read, context.budget, pack="spans")
    spans = {s.judgment.path: tuple(p.span for p in s.passages) for s in chosen}
    most = int(context.budget * CODE_SHARE) if code else context.budget
    for rows in ROWS:
        less = _shortened(context, rows)
        plain = _told(
            less, spans, quoted, console(width, False), ascii_only, None, top if rows is None else 0
        )
        if estimate(plain) <= most:
            break
    shown_files: tuple[Selected, ...] = ()
    if code:
        room = context.budget - estimate(plain) - 2 * estimate(redacted_of(9999))
        shown_files = select_listed(context, read, room, _LAYOUT)
    hidden = quoted + sum(selected.hidden for selected in shown_files)
    out = console(width, color or links is not None)
    text = _told(less, spans, hidden, out, ascii_only, links, top if rows is None else 0)
    text += "".join(_code(selected) for selected in shown_files)
    return settled(text, color) if links is not None else text


def _shortened(context: Context, rows: int | None) -> Context:
    """The context with at most so many files, terms, patterns and gaps each; None: all."""
    if rows is None:
        return context
    files = context.files[: max(1, rows)]
    supporting = context.supporting[: rows // 2]
    tests, documents = context.tests[: rows // 2], context.documents[: rows // 4]
    left = len(context.listed) - len(files) - len(supporting) - len(tests) - len(documents)
    note = f"{left} more files, and other rows, do not fit the budget"
    return replace(
        context,
        files=tuple(replace(j, reasons=j.reasons[:1], missing_context=()) for j in files)
        if rows < 3
        else files,
        supporting=supporting,
        tests=tests,
        documents=documents,
        terminology=context.terminology[:rows],
        patterns=context.patterns[:rows],
        gaps=tuple(gaps_in_order(context.gaps)[:rows]),
        advice=context.advice if rows else None,
        warnings=(*context.warnings[:rows], note) if rows else (),
    )


def _told(
    context: Context,
    spans: Mapping[str, tuple[Span, ...]],
    hidden: int,
    out: Console,
    ascii_only: bool,
    links: Links | None,
    top: int,
) -> str:
    """All but the code."""
    listed = context.listed
    bar = out.width >= NARROW
    if not listed:
        out.print(Text("No file found.", style="bold"))
    if listed and weak(context):
        out.print(Text("No file reaches relevance 0.2; the best available:", style="yellow"))
    for judgment in context.files:
        _file(out, judgment, spans.get(judgment.path, ()), bar, links)
    for title, judgments in (
        ("Supporting", context.supporting),
        ("Tests to run", context.tests),
        ("Documents", context.documents),
    ):
        if judgments:
            _heading(out, title)
        for judgment in judgments:
            _file(out, judgment, spans.get(judgment.path, ()), bar, links)
    held = {j.path for j in listed}
    rest = [j for j in context.ranking if j.path not in held][: max(0, top - len(listed))]
    _rows(
        out,
        "Further down",
        ((f"{j.relevance:.2f}", "", path_text(j.path)) for j in rest),
        links,
        _places(rest),
    )
    _rows(
        out,
        "Terminology",
        ((f"{line(t.task_word)} → {line(t.code_word)}", "bold", term_of(t)) for t in context.terminology),
        links,
        ((s.where, s.line) for t in context.terminology for s in t.sources[:1] if s.kind != "commit"),
    )
    _rows(out, "Patterns", ((line(p.kind), "bold", pattern_of(p)) for p in context.patterns))
    _rows(
        out,
        "Gaps",
        (
            (
                "critical" if g.critical else "open",
                "red" if g.critical else "",
                _with_follow_up(missing_of(g), g.follow_up),
            )
            for g in gaps_in_order(context.gaps)
        ),
        links,
        ((e.path, e.line) for g in context.gaps for e in g.evidence),
    )
    out.print()
    out.print(Text(ending_of(context)))
    if context.advice is not None:
        out.print(Text(f"Advice: {line(context.advice.text)}", style="cyan"))
    for warning in context.warnings:
        out.print(Text(f"Warning: {line(warning)}", style="yellow"))
    if hidden:
        out.print(Text(redacted_of(hidden), style="yellow"))
    return shown(out, ascii_only)


def _code(selected: Selected) -> str:
    """The passages of a file, as wide as they are, so that they can be copied."""
    told = shown_of(selected)
    head = f"\n{path_text(selected.judgment.path)}{f' ({told})' if told else ''}\n"
    return head + "".join(f"\n{passage.numbered}\n" for passage in selected.passages)


_LAYOUT = Layout(
    row=lambda number, text: weigh(f"\n{numbered_row(number, text, 2)}"),
    passage=lambda passage: 2,
    file=lambda judgment: weigh(f"\n{path_text(judgment.path)} (does not fit whole: spans)\n"),
    gap=weigh(f"\n   {GAP}"),
)


def console(width: int, color: bool) -> Console:
    """A console that writes to memory, so that what is shown can be checked and written at once."""
    return Console(
        file=io.StringIO(),
        width=max(20, width),
        force_terminal=color,
        no_color=not color,
        color_system="standard" if color else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        soft_wrap=False,
        _environ={},  # TERM and COLUMNS were asked already: of a dumb terminal rich would say 80 columns
    )


def shown(out: Console, ascii_only: bool) -> str:
    """What was printed on a console of `console`, without blanks at the ends of lines."""
    assert isinstance(out.file, io.StringIO)
    rows = [row.rstrip() for row in out.file.getvalue().split("\n")]
    text = "\n".join(rows)
    return text.translate(_ASCII) if ascii_only else text


_ASCII = {
    ord(c): ascii_ for c, ascii_ in zip("→…“”·–≥", ("->", "...", '"', '"', "-", "-", ">="), strict=True)
} | {ord(c): "#" if i > 3 else " " for i, c in enumerate(_EIGHTHS) if i}


def _file(out: Console, judgment: Judgment, spans: tuple[Span, ...], bar: bool, links: Links | None) -> None:
    """A file with its reason and the lines to read."""
    colour = _COLOURS[judgment.band]
    head = Text(f"{judgment.relevance:.2f} ", style=colour)
    indent = 5
    if bar:
        head.append(f"{_bar(judgment.relevance)} ", style=colour)
        indent += BAR + 1
    first = min((s.start for s in spans), default=None)
    bold = Style(bold=True) if links is None else links.style(judgment.path, first, bold=True)
    head.append(path_text(judgment.path), style=bold)
    head.append(aside_of(judgment), style="dim")
    out.print(head, overflow="fold")
    width = out.width - indent
    reason = Text(reason_of(judgment, limit=max(40, 2 * width)))
    if links is not None:
        links.mark(reason, [(e.path, e.line) for r in judgment.reasons for e in r.evidence])
    _indented(out, reason, indent)
    if spans:
        told = Text("lines ", style="dim")
        for at, span in enumerate(spans[:12]):
            told.append(" · " if at else "")
            told.append(
                span_of(span), style=None if links is None else links.style(judgment.path, span.start)
            )
        told.append(f" · {len(spans) - 12} more" if len(spans) > 12 else "")
        _indented(out, told, indent)
    missing = ", ".join(line(m) for m in judgment.missing_context[:3])
    if missing:
        _indented(out, Text(f"points to {shortened(missing, 200)}", style="dim"), indent)


def _bar(relevance: float) -> str:
    eighths = round(min(1.0, max(0.0, relevance)) * BAR * 8)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (_EIGHTHS[rest] if rest else "")).ljust(BAR)


def _indented(out: Console, text: Text, indent: int) -> None:
    out.print(Padding(text, (0, 0, 0, min(indent, out.width // 4))), overflow="fold")


def _heading(out: Console, title: str) -> None:
    out.print()
    out.print(Text(title, style="bold underline"))


def _places(judgments: Iterable[Judgment]) -> list[Place]:
    return [(j.path, None) for j in judgments]


def _rows(
    out: Console,
    title: str,
    rows: Iterable[tuple[str, str, str]],
    links: Links | None = None,
    places: Iterable[Place] = (),
) -> None:
    """A section of label and sentence, in two columns; `places` that a sentence names become links."""
    listed = list(rows)
    named = list(dict.fromkeys(places))
    if not listed:
        return
    _heading(out, title)
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(
        width=min(max(cell_len(label) for label, _, _ in listed), out.width // 3), overflow="fold"
    )
    grid.add_column(overflow="fold")
    for label, style, sentence in listed:
        told = Text(sentence)
        grid.add_row(Text(label, style=style), told if links is None else links.mark(told, named))
    out.print(Padding(grid, (0, 0, 0, 2)))


def _with_follow_up(text: str, follow_up: str) -> str:
    return f"{text} → {line(follow_up)}" if follow_up else text
