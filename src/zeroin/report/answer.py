"""The first screen: which files matter, how sure that is, and what is still missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from zeroin.answer import Context
from zeroin.context.brief import lead_of, lines_of, to_read
from zeroin.context.clean import clean, line
from zeroin.context.wording import gaps_in_order, missing_of, shortened, weak
from zeroin.query.diff import names_of
from zeroin.report.markup import Child, Markup, el, path, shown, spoken
from zeroin.report.story import Course
from zeroin.types import HIGH, LOW, MEDIUM, Gap, Judgment, band_of, figure_of

MAX_FILES, MAX_GAPS = 12, 6  # shown at once; the rest unfolds
MAX_LISTED = 50
_LINES = 70  # characters of the lines to read, or so
MAX_TITLE, LONG_TITLE, MAX_TASK = 140, 70, 12_000
BANDS = {
    "high": "implements what the task is about",
    "medium": "related patterns or types",
    "low": "tangential",
    "none": "hardly related",
}


def answer(context: Context, links: Mapping[str, str], followed: Sequence[Course]) -> Markup:
    """The task, the verdict, the files and the gaps."""
    return el(
        "section",
        _task(context),
        _verdict(context),
        el("div", _files(context, links, followed), _missing(context), class_="split"),
        id="answer",
        aria_labelledby="task",
    )


def title_of(context: Context) -> str:
    """The task in one line: the title that the first query has, else how the text begins."""
    first = next((told for row in context.task.text.splitlines() if (told := line(row).lstrip("# "))), "")
    diff = context.task.diff
    if diff is not None and first.startswith(names_of(diff)):
        return f"A change of {_files_in_words(len(diff.files))}"  # it came without a message
    if len(first) > MAX_TITLE and context.cycles:
        first = line(context.cycles[0].query.title) or first
    if len(first) > MAX_TITLE:
        first = (
            first[:MAX_TITLE].rpartition(" ")[0] + "…"
            if " " in first[:MAX_TITLE]
            else shortened(first, MAX_TITLE)
        )
    return first or "A change"


def _task(context: Context) -> Markup:
    title = title_of(context)
    text = clean(context.task.text).strip()
    long = line(text) != title
    more = "\n… (cut)" if len(text) > MAX_TASK else ""
    whole = Markup(escape(shown(text[:MAX_TASK] + more, 2 * MAX_TASK)))
    changed = [f.path for f in context.task.diff.files] if context.task.diff is not None else []
    return el(
        "div",
        el("h1", title, id="task", class_="long" if len(title) > LONG_TITLE else None),
        el(
            "details",
            el("summary", "The whole task"),
            el("pre", whole, class_="task"),
        )
        if long
        else None,
        el(
            "p",
            "The change: ",
            [el("span", path(p), ", " if p != changed[:8][-1] else "") for p in changed[:8]],
            f" and {len(changed) - 8} more" if len(changed) > 8 else "",
            class_="quiet",
        )
        if changed
        else None,
        class_="ask",
    )


def _verdict(context: Context) -> Markup:
    """One line that says how far the answer can be trusted, and why the loop ended."""
    # What to change besides what is changed already: tests and the change itself say nothing of how sure that is.
    changed = {f.path for f in context.task.diff.files} if context.task.diff is not None else set()
    listed = [j for j in (*context.files, *context.supporting) if j.path not in changed]
    high = sum(j.relevance >= HIGH for j in listed)
    best = max((j.relevance for j in listed), default=0.0)
    critical = sum(g.critical for g in context.gaps)
    if weak(context):
        state, word = "nothing", "Nothing sure"
    elif context.sufficient:
        state, word = "enough", "Enough to begin"
    else:
        state, word = "perhaps", "Perhaps not enough"
    besides = " besides the change" if changed else ""
    if high:
        sure = f"{_files_in_words(high)} at {HIGH} or more{besides}"
    elif listed:
        sure = f"no file{besides} reaches {HIGH}, the best has {figure_of(best)}"
    else:
        sure = f"no file{besides} was found"
    gaps: Child = "no critical gap is open"
    if context.gaps:
        told = f"{len(context.gaps)} gap{'s' * (len(context.gaps) != 1)}"
        gaps = [el("a", told, href="#missing"), f" open, {critical or 'none'} critical"]
    count = len(context.cycles)
    advice = line(context.advice.text).rstrip(".") if context.advice is not None else ""
    if advice == ending(context):
        advice = ""
    return el(
        "p",
        el("strong", el("span", class_="dot", aria_hidden="true"), word, class_=f"verdict {state}"),
        el("span", f"{sure[:1].upper()}{sure[1:]}; ", gaps, ".", class_="said"),
        el("span", f"Ended after {count} cycle{'s' * (count != 1)}: {ending(context)}.", class_="said quiet"),
        el("span", f"{advice[:1].upper()}{advice[1:]}.", class_="said quiet") if advice else None,
        class_="state",
    )


def ending(context: Context) -> str:
    """Why the loop ended, without repeating the number of cycles."""
    stop = context.stop_reason
    return "no more were asked for" if stop.code == "cycles" else line(stop.text).rstrip(".")


def _files(context: Context, links: Mapping[str, str], followed: Sequence[Course]) -> Markup:
    by_path = {course.path: course for course in followed}

    def rows(judgments: Sequence[Judgment]) -> list[Markup]:
        return [_file(j, links, by_path.get(j.path)) for j in judgments]

    first, more = context.files[:MAX_FILES], context.files[MAX_FILES:MAX_LISTED]
    supporting = context.supporting[:MAX_LISTED]
    left = len(context.files) - len(first) - len(more) + len(context.supporting) - len(supporting)
    return el(
        "div",
        el("h2", "The best available" if context.files and weak(context) else "Files that matter"),
        el("ol", rows(first), class_="files") if first else el("p", "None was found.", class_="quiet"),
        el(
            "details",
            el("summary", f"{len(more)} more"),
            el("ol", rows(more), class_="files", start=len(first) + 1),
        )
        if more
        else None,
        [
            [el("h3", title, class_="minor"), el("ol", rows(part), class_="files")] if part else None
            for title, part in (
                ("Supporting", supporting),
                ("Tests to run", context.tests),
                ("Documents", context.documents),
            )
        ],
        el("p", f"{left} more files are not shown here.", class_="quiet") if left else None,
        el(
            "p",
            "Relevance is calibrated: files at 0.7 prove useful about seven times in ten. "
            f"High from {HIGH}, medium from {MEDIUM}, low from {LOW}.",
            class_="note",
        )
        if first
        else None,
        class_="main",
    )


def _file(judgment: Judgment, links: Mapping[str, str], course: Course | None) -> Markup:
    anchor = links.get(judgment.path)
    name, lines = path(judgment.path), lines_of(to_read(judgment), _LINES)
    first = next((s.relevance for s in course.steps if s.relevance is not None), None) if course else None
    moved = judgment.relevance - first if first is not None else 0.0
    told: Child = None
    if course is not None and len(course.steps) > 1:
        if course.steps[0].relevance is None:
            told = f"first seen in cycle {next(s.cycle for s in course.steps if s.relevance is not None)}"
        elif first is not None and abs(moved) >= 0.005:
            told = f"{'up' if moved > 0 else 'down'} from {figure_of(first)}"
    return el(
        "li",
        gauge(judgment.relevance),
        el(
            "div",
            el("a", name, href=f"#{anchor}") if anchor else name,
            el("p", "lines ", el("span", lines), class_="lines") if lines else None,
            el("p", lead_of(judgment, 220), class_="why"),
            el(
                "p",
                el("span", band_word(judgment), title=BANDS[judgment.band]),
                el("span", str(judgment.role)) if judgment.role.value != "implementation" else None,
                el("span", told) if told else None,
                class_="facts",
            ),
        ),
        class_=f"file {judgment.band}",
    )


def band_word(judgment: Judgment) -> str:
    """The band of a file in a word."""
    return judgment.band if judgment.band != "none" else f"under {LOW}"


def gauge(relevance: float) -> Markup:
    """A relevance as a figure over a bar."""
    share = min(1.0, max(0.0, relevance))
    return el(
        "div",
        spoken("relevance "),
        el("span", figure_of(share), class_="figure"),
        el(
            "svg",
            el("rect", class_="track", x=0, y=0, width="100%", height="100%"),
            el("rect", class_="fill", x=0, y=0, width=f"{100 * share:.0f}%", height="100%"),
            class_=f"bar {band_of(share)}",
            aria_hidden="true",
        ),
        class_="gauge",
    )


def _missing(context: Context) -> Markup:
    gaps = gaps_in_order(context.gaps)
    warnings = [shortened(line(w), 300) for w in context.warnings[:12]]
    rest = gaps[MAX_GAPS : MAX_GAPS + MAX_LISTED]
    return el(
        "div",
        el("h2", "Still missing", id="missing"),
        el("ul", [gap_row(g) for g in gaps[:MAX_GAPS]], class_="gaps")
        if gaps
        else el("p", "Nothing is known to be missing.", class_="quiet"),
        el("details", el("summary", f"{len(rest)} more"), el("ul", [gap_row(g) for g in rest], class_="gaps"))
        if rest
        else None,
        el("ul", [el("li", w) for w in warnings], class_="warnings", aria_label="Warnings")
        if warnings
        else None,
        class_="side",
    )


def gap_row(gap: Gap) -> Markup:
    """A gap with what would close it."""
    look = shortened(line(gap.follow_up), 120)
    return el(
        "li",
        el("span", "critical" if gap.critical else "open", class_="tag strong" if gap.critical else "tag"),
        el("p", missing_of(gap)),
        el("p", "Look for ", el("code", look), class_="facts") if look else None,
    )


def _files_in_words(count: int) -> str:
    return "one file" if count == 1 else f"{count} files"
