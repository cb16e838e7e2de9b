"""A `Context` as Markdown for an agent: the files, what is missing and the words in short; the code; then the rest."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from zeroin.answer import Context
from zeroin.context.clean import line, path_text
from zeroin.context.packing.passages import Passage, Selected, numbered_layout
from zeroin.context.packing.select import select_listed
from zeroin.context.packing.texts import Read
from zeroin.context.redaction.quotes import quotes_of
from zeroin.context.rendering import wording
from zeroin.context.rendering.brief import files_in, lines_of, main_reason, missing_in, to_read, words_in
from zeroin.context.rendering.page import Page
from zeroin.context.tokens import estimate, weigh
from zeroin.patterns import lazy_pattern
from zeroin.types import Gap, Judgment, figure_of

HEAD_SHARE, TAIL_SHARE, PART_SHARE = 0.4, 0.4, 0.12  # of the budget, at most; a part is a list after the code
SMALL, SMALL_HEAD_SHARE = 1500, 0.65  # tokens below which code is cut before the reasons of files
CODE_FROM = 0.12  # share of the characters before the code, if shortening all but the files achieves it
SCREEN, FEW_FILES = 15, 3  # files in the first table; files that come before whole reasons

_TABLE = "| File | Relevance | Reason | Lines |\n| --- | --- | --- | --- |\n"
_CODE = "\n## Code\n"
_ALSO = 200  # characters of the files that are nearly listed
_LINES = 24  # characters of the lines to read
_LEAST_REASON = 120  # characters of a reason in the table, below which a list after the code has none
_WIDEST = "10000-10000, 20000-20000 +10"  # about the longest
_BACKTICKS = lazy_pattern("`+")
# Names in brackets stay as they are: an agent opens `app/[id]/page.tsx` by what it reads.
_MARKUP = (("\\", "\\\\"), ("|", "\\|"), ("<", "&lt;"), ("`", "\\`"), ("](", "]\\("), ("]:", "]\\:"))


@dataclass(frozen=True, slots=True)
class _Size:
    """Characters of a file's reason, of what is missing, and of the words."""

    reason: int
    missing: int
    words: int


# What is missing and the words shrink first, the reason of a file last.
_SIZES = (
    *(_Size(110, missing, words) for missing, words in ((240, 160), (140, 100), (90, 60), (60, 40))),
    *(_Size(reason, 60, 40) for reason in (80, 60, 40)),
)
_WHOLE = 4  # sizes before the first that shortens reasons


def render(context: Context, read: Read, *, opening: str = "") -> str:
    """Return the context as Markdown of at most `context.budget` estimated tokens, `opening` before it."""
    context, quoted = quotes_of(context)
    page = Page(context.budget)
    if opening:
        page.add(f"{opening}\n")
    listed = (*context.files, *context.supporting)

    def head(rows: int, size: _Size, lines: Callable[[Judgment], str], later: int | None = None) -> str:
        left = len(listed) - rows
        return _head(context, listed[:rows], left, left if later is None else later, size, lines)

    share = HEAD_SHARE if context.budget >= SMALL else SMALL_HEAD_SHARE
    most = min(page.left, int(context.budget * share))
    at_most = min(SCREEN, len(listed))
    fitting = (given for given in _forms(at_most) if estimate(head(*given, lambda j: _WIDEST)) <= most)
    rows, size = next(fitting, (0, _SIZES[-1]))
    widest, note = head(rows, size, lambda j: _WIDEST), f"\n{wording.redacted_of(9999)}\n"
    tail = _tail(context, listed[rows:], max(0, min(page.left - estimate(widest), int(context.budget * TAIL_SHARE))))
    room = page.left - sum(map(estimate, (widest, tail, _CODE, note)))
    chosen = select_listed(context, read, room, LAYOUT)
    spans = {s.judgment.path: [p.span for p in s.passages] for s in chosen if context.pack == "spans"}
    code = "".join([_CODE if chosen else "", *map(_file, chosen)])
    hidden = quoted + sum(selected.hidden for selected in chosen)
    rest = (f"\n{wording.redacted_of(hidden)}\n" if hidden else "") + tail

    def lines(judgment: Judgment) -> str:
        return lines_of(to_read(judgment, spans.get(judgment.path, ())), _LINES, named=False)

    later = sum(_start(judgment) in tail for judgment in listed[rows:])
    heads = [(other.reason == size.reason, head(rows, other, lines, later)) for other in _SIZES[_SIZES.index(size) :]]
    room = page.left - estimate(code) - estimate(rest)
    heads = [(same, text) for same, text in heads if estimate(text) <= room] or [(True, "")]
    begin, end = code.find("```"), len(code) + len(rest)
    first = len(opening) + 1 if opening else 0
    otherwise = heads[len(heads) > 1 and size in _SIZES[: _WHOLE - 1]][1]  # too little code: no size helps
    whole = (text for same, text in heads if same)  # no reason is cut for the code's sake
    early = (text for text in whole if first + len(text) + begin <= CODE_FROM * (first + len(text) + end))
    for text in (next(early, otherwise), code, rest):
        page.add(text)
    return page.text()


def _forms(files: int) -> list[tuple[int, _Size]]:
    """Return forms of the head, fullest first: number of files and size; files are dropped before reasons are cut."""
    few = min(FEW_FILES, files)
    return [
        *((files, size) for size in _SIZES[:_WHOLE]),
        *((count, _SIZES[_WHOLE - 1]) for count in range(files - 1, few - 1, -1)),
        *((few, size) for size in _SIZES[_WHOLE:]),
        *((count, size) for count in range(few - 1, -1, -1) for size in _SIZES[_WHOLE - 1 :]),
    ]


def _head(
    context: Context,
    files: Sequence[Judgment],
    left: int,
    later: int,
    size: _Size,
    lines: Callable[[Judgment], str],
) -> str:
    """Return what comes before the code: the files, what is missing, the words; `later` of `left` others come later."""
    rows = [
        f"| {cell(path_text(j.path))} | {figure_of(j.relevance)} | {cell(main_reason(j, size.reason))} | {lines(j)} |\n"
        for j in files
    ]
    words = words_in(context, size.words)
    label = "Also worth a look" if wording.beside_sufficient(context) else "Missing"
    return "".join(
        [
            f"{wording.unsure_of(context)}\n\n" if wording.weak(context) else "",
            _TABLE if rows else "",
            *rows,
            f"\n{_others(left, later)}\n" if left else "",
            f"\n{label}: {cell(missing_in(context, size.missing))}\n",
            f"\nWords: {cell(words)}\n" if words else "",
        ]
    )


def _others(left: int, later: int) -> str:
    """Return how many files are left, and where they are; what does not fit is never longer than what is promised."""
    if later == left:
        return f"{left} more file{'s come' if left > 1 else ' comes'} after the code."
    return f"{left} more files, {later} of them below." if later else f"{left} more file{'s' if left > 1 else ''}."


def _tail(context: Context, files: Sequence[Judgment], budget: int) -> str:
    """Return what comes after the code, in at most `budget` tokens: at the end how it ended, which takes precedence."""
    part = int(context.budget * PART_SHARE / (1 if context.budget >= SMALL else 2))
    changed, advice = wording.change_of(context), wording.advice_of(context)
    first = (f"Change: {cell(changed)}.\n\n" if changed else "") + (f"{cell(advice)}\n\n" if advice else "")
    ending = f"\n## How it ended\n\n{first}{cell(wording.ending_of(context))}.\n"
    page = Page(budget, ending)
    if page.left < 0:
        return ""
    limit = wording.reason_limit(context.budget)
    lists: tuple[tuple[str, Iterable[str]], ...] = (
        ("More files\n\n", (_row(j, limit) for j in files)),
        ("Tests to run\n\n", (_row(j, limit) for j in context.tests)),
        ("Documents\n\n", (_row(j, limit) for j in context.documents)),
        ("Also seen\n\n", [f"{cell(files_in(also, _ALSO))}\n"] if (also := context.also_seen) else ()),
        ("Gaps\n\n", map(_gap, context.gaps)),
        (
            "Terminology\n\n| Task | Codebase | Seen in |\n| --- | --- | --- |\n",
            (
                f"| {cell(line(t.task_word))} | {cell(line(t.code_word))} | {cell(wording.term_of(t))} |\n"
                for t in context.shown_terms
            ),
        ),
        ("Patterns\n\n", (f"- {cell(line(p.kind))}: {cell(wording.pattern_of(p))}\n" for p in context.patterns)),
        ("Warnings\n\n", (f"- {cell(line(w))}\n" for w in context.warnings)),
    )
    for head, rows in lists:
        whole = list(rows)
        left = len(whole) - page.section(f"\n## {head}", whole, limit=part)
        if 0 < left < len(whole) and whole[0].startswith("- "):
            page.add(f"- {left} more\n")
    return page.text() + ending


def _row(judgment: Judgment, limit: int) -> str:
    reason = f": {wording.reason_of(judgment, limit=limit // 2)}" if limit >= _LEAST_REASON else ""
    return f"{_start(judgment)}{figure_of(judgment.relevance)}{cell(reason)}\n"


def _start(judgment: Judgment) -> str:
    return f"- {cell(path_text(judgment.path) + wording.role_note(judgment))} "


def _gap(gap: Gap) -> str:
    follow_up = f" → {code(line(gap.follow_up))}" if gap.follow_up else ""
    return f"- {'**critical** ' if gap.critical else ''}{cell(wording.missing_of(gap))}{follow_up}\n"


def _file(selected: Selected) -> str:
    return _heading(selected.judgment, wording.shown_of(selected)) + "".join(
        _passage(passage, selected.judgment.language) for passage in selected.passages
    )


def _heading(judgment: Judgment, shown: str) -> str:
    return f"\n### {cell(path_text(judgment.path))}{f' ({shown})' if shown else ''}\n"


def _passage(passage: Passage, language: str) -> str:
    fence = _ticks(passage.numbered, 3)
    label = wording.span_of(passage.span) + (" (cut)" if passage.cut else "")
    name = re.sub(r"[^a-z0-9+#-]", "", language)
    return f"\nLines {cell(label)}\n\n{fence}{name}\n{passage.numbered}\n{fence}\n"


def _around(passage: Passage) -> float:
    whole = _passage(passage, "typescript-react")
    return weigh(whole.replace(passage.numbered, "", 1)) + 0.5


LAYOUT = numbered_layout(_around, lambda judgment: weigh(_heading(judgment, "does not fit whole: spans")))


def cell(text: str) -> str:
    """Escape text so that it cannot end a table cell or start markup: a link, an image, a link's target."""
    for mark, plain in _MARKUP:
        text = text.replace(mark, plain)
    return text


def code(text: str) -> str:
    """Return text as inline code, in as many backticks as it needs."""
    ticks = _ticks(text, 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _ticks(text: str, least: int) -> str:
    """Return at least so many backticks, more than any run of them in the text."""
    return "`" * max(least, max(map(len, _BACKTICKS.findall(text)), default=0) + 1)
