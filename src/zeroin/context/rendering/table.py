"""A `Context` for people: one screen of files with reasons and the lines to read; then code and further files."""

import io
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from textwrap import wrap
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from zeroin.answer import Context
from zeroin.context.clean import line, path_text
from zeroin.context.packing.passages import Selected, numbered_layout
from zeroin.context.packing.select import select_listed
from zeroin.context.packing.texts import Read
from zeroin.context.redaction.quotes import quotes_of
from zeroin.context.redaction.redact import MARKED
from zeroin.context.rendering import wording
from zeroin.context.rendering.brief import change_in, files_in, lines_of, main_reason, missing_rows, to_read, words_in
from zeroin.context.rendering.screen import PLAIN, Links, Place, Screen, normalise_links
from zeroin.context.tokens import estimate, weigh
from zeroin.types import Judgment, Span, figure_of

NARROW = 60  # columns below which the bar is left out
BAR = 8  # cells of a full bar
SCREEN = 24  # rows of a terminal: files, lists and ending fit in them
CODE_SHARE = 0.5  # of the budget, for everything but code, where code is shown
_LEAST_WIDTH = 80  # columns: on a narrower screen a reason keeps the text of so many, and wraps
_LINES = "lines "
_FEW_LINES, _LEAST_REASON = 12, 28  # characters of lines, and at least of a reason, where a file has one row
_MANY = (None, 20, 8, 4, 2, 1)  # files shown at most, until the budget holds them
_COLOURS = {"high": "green", "medium": "cyan", "low": "yellow", "none": "bright_black"}
_EIGHTHS = " ▏▎▍▌▋▊▉█"

Spans = Mapping[str, Sequence[Span]]


def render(context: Context, read: Read, screen: Screen = PLAIN, *, top: int = 0, code: bool = False) -> str:
    """Return the context as text for a `screen`; with `top`, files of the ranking follow until there are that many.

    With `code`, the code that `context.pack` selects follows. The text, colours and links apart, stays in the budget.
    """
    context, _ = quotes_of(context)
    chosen = select_listed(context, read, context.budget, pack="spans")
    spans = {s.judgment.path: tuple(p.span for p in s.passages) for s in chosen}
    room = int(context.budget * CODE_SHARE) if code else context.budget
    plain, most, hidden = "", None, 0
    for most in _MANY:
        plain = _text(_Page(context, spans, 0, top, most, screen._replace(color=False, links=Links())))
        hidden = len(MARKED.findall(" ".join(plain.split()))) if context.redact else 0
        if estimate(plain) + (estimate(wording.redacted_of(hidden)) if hidden else 0) <= room:
            break
    shown_files: tuple[Selected, ...] = ()
    if code:
        room = context.budget - estimate(plain) - 2 * estimate(wording.redacted_of(9999))
        shown_files = select_listed(context, read, room, _LAYOUT)
    hidden += sum(selected.hidden for selected in shown_files)
    text = _text(_Page(context, spans, hidden, top, most, screen)) + "".join(map(_code, shown_files))
    return normalise_links(text, screen.color) if screen.links.root else text


class _Page(NamedTuple):
    """Everything but the code: at most `most` files; where `most` is 1, without lists and notes."""

    context: Context
    spans: Spans
    hidden: int  # secrets that are not shown
    top: int
    most: int | None
    screen: Screen

    @property
    def files(self) -> Sequence[Judgment]:
        return (*self.context.files, *self.context.supporting)

    @property
    def complete(self) -> bool:
        """Whether lists and notes are shown besides the files."""
        return self.most is None or self.most > 1

    def notes(self) -> list[Text]:
        """Return the advice, how to go on where nothing is sure, warnings, and how many secrets are not shown."""
        advice, run = wording.advice_of(self.context), self.context.run
        notes = [Text(advice, style="cyan")] if advice else []
        patterns = any(cycle.query.includes or cycle.query.excludes for cycle in self.context.cycles[:1])
        explained = patterns and not self.context.ranking and self.context.warnings  # they leave no file to search
        if run and wording.weak(self.context) and not explained and self.context.task.diff is None:
            asked = "Is none right? " if self.context.listed else ""
            notes.append(Text(f"{asked}Name what the code may call it: zeroin refine {run} --term WORD", "cyan"))
        notes += [Text(f"Warning: {line(warning)}", style="yellow") for warning in self.context.warnings]
        return [*notes, Text(wording.redacted_of(self.hidden), style="yellow")] if self.hidden else notes

    def further(self) -> Sequence[Judgment]:
        """Ranked files that are not listed, as many as `top` asks for."""
        if not self.top or self.most is not None:
            return ()
        listed = {j.path for j in self.context.listed}
        left = max(0, self.top - len(listed))
        return [j for j in self.context.ranking if j.path not in listed][:left]


def _text(page: _Page) -> str:
    """Return one screen (files, one row for each list, the ending, notes), then further files, one row each."""
    out = console(page.screen.width, page.screen.color or bool(page.screen.links.root))
    context, files = page.context, page.files
    if not context.listed:
        out.print(Text("No file found.", style="bold"))
    elif wording.weak(context):
        out.print(Text(wording.unsure_of(context), style="yellow"))
    labelled = list(_labelled(page, out.width)) if page.complete else []
    notes, ending = page.notes(), Text(wording.ending_of(context))
    room = out.width - _LABEL
    rows = SCREEN - 1 - wording.weak(context)  # one is blank
    rows -= sum(_rows_of(sentence, room) for _, sentence, _ in labelled)
    rows -= sum(_rows_of(note.plain, out.width) for note in (ending, *notes))
    fitting = _print_files(page, out, rows)
    out.print()
    _print_lists(out, labelled, page.screen)
    out.print(ending)
    for note in notes if page.complete else ():
        out.print(note)
    for title, rest in (("More files", files[fitting : page.most]), ("Further down", page.further())):
        if rest:
            out.print()
            out.print(Text(title, style="bold underline"))
        for judgment in rest:
            _print_row(out, next(_file(page, judgment, out.width)), page.screen.folds)
    return shown(out, page.screen.ascii_only)


def _print_files(page: _Page, out: Console, rows: int) -> int:
    """Print the files that fit in `rows`, one row each if not all fit otherwise; return their number."""
    files = page.files[: page.most]
    blocks = [list(_file(page, j, out.width)) for j in files]
    if sum(map(len, blocks)) > rows:
        blocks = [list(_file(page, j, out.width, dense=True)) for j in files]
    fitting = _fitting(blocks, rows)
    for row in (row for block in blocks[:fitting] for row in block):
        _print_row(out, row, page.screen.folds)
    left = len(page.files) - fitting
    if left:
        out.print(Text(f"and {left} more{', below' if len(blocks) > fitting else ''}", style="dim"))
    return fitting


def _print_row(out: Console, row: RenderableType, folds: bool) -> None:
    """Print a row of a file; without `folds` the path stays whole, so that it can be copied and searched for."""
    if isinstance(row, Text) and not folds:
        out.print(row, no_wrap=True, overflow="ignore", crop=False)
    else:
        out.print(row, overflow="fold")


def _print_lists(out: Console, labelled: Sequence[tuple[str, str, list[Place]]], screen: Screen) -> None:
    """Print labels, each with its sentence in rows beside it; where the screen does not fold, a path stays whole."""
    grid = Table.grid()
    grid.add_column(width=_LABEL)
    grid.add_column(overflow="fold")
    for label, sentence, places in labelled:
        if screen.folds:
            grid.add_row(Text(label, style="bold"), screen.links.mark(Text(sentence), places))
            continue
        whole = sentence.replace("· ", "·\N{NO-BREAK SPACE}", sentence.startswith("· "))
        for row in wrap(whole, out.width - _LABEL, break_long_words=False, break_on_hyphens=False):
            start, text = Text(label.ljust(_LABEL), style="bold"), Text(row.replace("\N{NO-BREAK SPACE}", " "))
            out.print(start + screen.links.mark(text, places), no_wrap=True, overflow="ignore", crop=False)
            label = ""
    if grid.rows:
        out.print(grid)


def _fitting(blocks: Sequence[Sequence[object]], rows: int) -> int:
    """Return how many leading files fit in `rows`, at least one; a row is kept for “and n more”."""
    used = list(accumulate(map(len, blocks)))
    if not used or used[-1] <= rows:
        return len(used)
    return max(1, bisect_left(used, rows))


def _rows_of(sentence: str, width: int) -> int:
    """Return how many rows a sentence takes; a row ends with a word, so long paths leave room unused."""
    return max(-(-cell_len(sentence) // width), len(wrap(sentence, width, break_on_hyphens=False)))


_LABEL = 10  # cells of the column of labels
_PATTERN_ROWS = 4  # of the pattern that is shown, the shortest one where none is so short


def _labelled(page: _Page, width: int) -> Iterator[tuple[str, str, list[Place]]]:
    """Yield the lists, a row each: label, sentence, and the places that it names."""
    context, limit = page.context, max(_LEAST_WIDTH, width) - _LABEL
    also = () if page.further() else context.also_seen
    evidence: list[Place] = [(e.path, e.line) for g in context.gaps for e in g.evidence]
    evidence += [(path, None) for g in context.gaps for path in g.search.paths]
    label = "see also" if wording.beside_sufficient(context) else "missing"
    sentences = missing_rows(context)
    for sentence in sentences:
        yield label, f"· {sentence}" if len(sentences) > 1 else sentence, evidence
        label = ""
    if words := words_in(context, limit):
        yield "words", words, []
    if changed := change_in(context, limit):
        yield "change", changed, []
    for label, judgments in (("tests", context.tests), ("documents", context.documents), ("also seen", also)):
        if judgments:
            yield label, files_in(judgments, limit), [(j.path, None) for j in judgments]
    said = tuple(gap.need for gap in context.gaps)
    if texts := [text for text in map(wording.pattern_of, context.patterns) if not (said and text.startswith(said))]:
        more = f" · {len(texts) - 1} more" if len(texts) > 1 else ""
        most = _PATTERN_ROWS * limit
        yield "pattern", min(texts, key=lambda text: (max(0, len(text + more) - most), texts.index(text))) + more, []


def _code(selected: Selected) -> str:
    """Return the passages of a file; no line is wrapped, so that the code can be copied."""
    note = wording.shown_of(selected)
    head = f"\n{path_text(selected.judgment.path)}{f' ({note})' if note else ''}\n"
    return head + "".join(f"\n{passage.numbered}\n" for passage in selected.passages)


_LAYOUT = numbered_layout(
    lambda passage: 2, lambda judgment: weigh(f"\n{path_text(judgment.path)} (does not fit whole: spans)\n")
)


def console(width: int, color: bool) -> Console:
    """Return a console that writes to memory, so that what is shown can be checked and written at once."""
    return Console(
        file=io.StringIO(),
        width=max(20, width),
        force_terminal=color,
        color_system="standard" if color else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        _environ={},  # `width` heeds TERM and COLUMNS; rich would give a dumb terminal 80 columns
    )


def shown(out: Console, ascii_only: bool) -> str:
    """Return what was printed on a console of `console`, without blanks at the ends of lines."""
    assert isinstance(out.file, io.StringIO)
    rows = [row.rstrip() for row in out.file.getvalue().split("\n")]
    text = "\n".join(rows)
    return text.translate(_ASCII) if ascii_only else text


_ASCII = {ord(c): ascii_ for c, ascii_ in zip("→…“”·–≥", ("->", "...", '"', '"', "-", "-", ">="), strict=True)} | {
    ord(c): "#" if i > 3 else " " for i, c in enumerate(_EIGHTHS) if i
}


def _file(page: _Page, judgment: Judgment, width: int, *, dense: bool = False) -> Iterator[RenderableType]:
    """Yield the rows of a file: its path and the lines to read, on one row if they fit, then its strongest reason.

    `dense` puts the reason on the same row, where it has at least `_LEAST_REASON` cells.
    """
    colour, links = _COLOURS[judgment.band], page.screen.links
    bar = f"{_bar(judgment.relevance)} " if width >= NARROW else ""
    head = Text(f"{figure_of(judgment.relevance)} {bar}", style=colour)
    indent = min(cell_len(head.plain), width // 4)
    lines = to_read(judgment, page.spans.get(judgment.path, ()))
    first = min((s.start for s in lines), default=None)
    head.append(path_text(judgment.path), style=links.style(judgment.path, first, bold=True))
    head.append(wording.role_note(judgment), style="dim")
    room = width - cell_len(head.plain) - 2
    where = Text(lines_of(lines, _FEW_LINES if dense else room), style="dim")
    beside = bool(where) and cell_len(where.plain) <= room
    if not beside:
        where = Text(lines_of(lines, width - indent - len(_LINES)), style="dim")
    for span in lines if links.root else ():
        at = re.search(rf"(?<![\w-]){wording.numbers_of(span)}(?![\w-])", where.plain)
        if at is not None:
            where.stylize(links.style(judgment.path, span.start), *at.span())
    if beside:
        head.append("  ").append(where)
    room = width - cell_len(head.plain) - 2
    dense = dense and beside and room >= _LEAST_REASON
    reason = Text(main_reason(judgment, room if dense else max(_LEAST_WIDTH, width) - indent))
    links.mark(reason, [(e.path, e.line) for r in judgment.reasons[:1] for e in r.evidence])
    if dense:
        yield head.append("  ").append(reason)
        return
    yield head
    if where and not beside:
        yield _indented(Text(_LINES, style="dim").append(where), indent)
    yield _indented(reason, indent)


def _bar(relevance: float) -> str:
    eighths = round(min(1.0, max(0.0, relevance)) * BAR * 8)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (_EIGHTHS[rest] if rest else "")).ljust(BAR)


def _indented(text: Text, indent: int) -> Padding:
    return Padding(text, (0, 0, 0, indent))
