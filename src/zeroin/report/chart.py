"""How relevance moved: a slope chart, one line a file, and the same as a table with the reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from zeroin.context.clean import line, path_text
from zeroin.context.wording import shortened
from zeroin.report.markup import Markup, el, path, spoken
from zeroin.report.story import Course
from zeroin.types import HIGH, LOW, MEDIUM, band_of, figure_of

_LEFT, _RIGHT, _ALONE = 13.0, 46.0, 28.0  # per cent of the width: first and last cycle, or the only one
_TOP, _ROW, _LEAST = 34.0, 21.0, 250.0  # pixels: head, least distance of two labels, least height of the plot
_SHORT = 16  # characters of a name on a narrow screen


def chart(followed: Sequence[Course], numbers: Sequence[int], links: Mapping[str, str]) -> Markup:
    """The chart. Widths are per cent and heights pixels, so that text keeps its size on every screen."""
    height = max(_LEAST, _ROW * (len(followed) + 1))
    columns = _columns(len(numbers))
    labels = spread([_y(course.last, height) for course in followed], _ROW, _TOP, _TOP + height)
    short = _short_names([course.path for course in followed])
    grid = [
        el(
            "g",
            el("line", x1=0, x2=f"{columns[-1]:.2f}%", y1=_y(at, height), y2=_y(at, height)),
            el("text", f"{at:.1f}", x=0, y=_y(at, height) - 5),
            el("text", name, x=24, y=_y(at, height) - 5, class_="wide"),
            class_="grid",
        )
        for at, name in ((1.0, ""), (HIGH, "high"), (MEDIUM, "medium"), (LOW, "low"), (0.0, ""))
    ]
    heads = [
        el(
            "g",
            el("line", x1=f"{x:.2f}%", x2=f"{x:.2f}%", y1=_TOP, y2=_TOP + height),
            el("text", f"Cycle {number}", x=f"{x:.2f}%", y=14, text_anchor="middle"),
            class_="column",
            data_cycle=number,
        )
        for x, number in zip(columns, numbers, strict=True)
    ]
    series = [
        _series(course, columns, height, label, name, links.get(course.path))
        for course, label, name in zip(followed, labels, short, strict=True)
    ]
    return el(
        "svg",
        el("g", grid, heads, aria_hidden="true"),
        reversed(series),
        class_="chart",
        width="100%",
        height=_TOP + height + 14,
        role="group",
        aria_label="Relevance of each file by cycle; the table below says the same with reasons",
    )


def _columns(count: int) -> list[float]:
    if count < 2:
        return [_ALONE]
    return [_LEFT + (_RIGHT - _LEFT) * i / (count - 1) for i in range(count)]


def _y(relevance: float, height: float) -> float:
    return _TOP + (1.0 - min(1.0, max(0.0, relevance))) * height


def spread(wanted: Sequence[float], gap: float, top: float, bottom: float) -> list[float]:
    """Positions near `wanted` (ascending), at least `gap` apart, within `top` and `bottom` where there is room."""
    out: list[float] = []
    for y in wanted:
        out.append(max(y, out[-1] + gap) if out else max(y, top))
    limit = bottom
    for i in range(len(out) - 1, -1, -1):
        out[i] = min(out[i], limit)
        limit = out[i] - gap
    return out


def _short_names(paths: Sequence[str]) -> list[str]:
    """File names short enough for a narrow screen, with their folder where two are alike."""
    names = [p.rpartition("/")[2] for p in paths]
    full = [
        "/".join(p.split("/")[-2:]) if names.count(n) > 1 else n for p, n in zip(paths, names, strict=True)
    ]
    return [n if len(n) <= _SHORT else "…" + n[-(_SHORT - 1) :] for n in full]


def _series(
    course: Course, columns: Sequence[float], height: float, label: float, short: str, anchor: str | None
) -> Markup:
    points = [(x, step) for x, step in zip(columns, course.steps, strict=True) if step.relevance is not None]
    marks: list[Markup] = []
    for (x1, a), (x2, b) in pairwise(points):
        marks.append(
            el(
                "line",
                x1=f"{x1:.2f}%",
                x2=f"{x2:.2f}%",
                y1=_y(a.relevance or 0.0, height),
                y2=_y(b.relevance or 0.0, height),
            )
        )
    for i, (x, step) in enumerate(points):
        new = i == 0 and step is not course.steps[0]
        marks.append(
            el(
                "circle",
                cx=f"{x:.2f}%",
                cy=_y(step.relevance or 0.0, height),
                r=4,
                class_="new" if new else None,
            )
        )
    end = columns[-1]
    y = _y(course.last, height)
    told = path_text(course.path)
    values = ", ".join(
        f"{'not found' if s.relevance is None else format(s.relevance, '.2f')} in cycle {s.cycle}"
        for s in course.steps
    )
    body = [
        marks,
        el(
            "svg",
            el("line", x1=8, x2=22, y1=y, y2=label, class_="leader"),
            el("text", el("tspan", figure_of(course.last), class_="value"), x=28, y=label + 4),
            el("text", shortened(told, 64), x=62, y=label + 4, class_="wide"),
            el("text", line(short), x=62, y=label + 4, class_="narrow"),
            x=f"{end:.2f}%",
            y=0,
            overflow="visible",
        ),
    ]
    kind = "listed" if course.listed else "other"
    group = el("g", el("title", f"{told}: {values}"), body, class_=f"series {kind} {band_of(course.last)}")
    return el("a", group, href=f"#{anchor}", aria_label=f"{told}: {values}") if anchor else group


def moves(followed: Sequence[Course], numbers: Sequence[int], links: Mapping[str, str]) -> Markup:
    """The table: each file, its relevance in each cycle, and why it moved."""
    head = el(
        "thead",
        el(
            "tr",
            el("th", "File", scope="col"),
            [el("th", f"Cycle {n}", scope="col", data_cycle=n, class_="num") for n in numbers],
            el("th", "Why", scope="col"),
        ),
    )
    return el(
        "table",
        el("caption", spoken("Relevance of each file by cycle, and why it moved")),
        head,
        el("tbody", [_move(course, links.get(course.path)) for course in followed]),
        class_="moves",
    )


def _move(course: Course, anchor: str | None) -> Markup:
    name = path(course.path)
    cells = [
        el(
            "td",
            "–" if step.relevance is None else figure_of(step.relevance),
            _arrow(step.moved),
            class_="num",
            data_cycle=step.cycle,
            data_label=f"Cycle {step.cycle}",
        )
        for step in course.steps
    ]
    whys = [
        el(
            "li",
            el("b", f"Cycle {step.cycle}"),
            " ",
            shortened("; ".join(line(why) for why in step.whys), 400),
            data_cycle=step.cycle,
        )
        for step in course.steps
        if step.whys
    ]
    return el(
        "tr",
        el("th", el("a", name, href=f"#{anchor}") if anchor else name, scope="row"),
        cells,
        el("td", el("ul", whys), class_="because"),
    )


def _arrow(moved: float) -> Markup | None:
    if not moved:
        return None
    word = "up" if moved > 0 else "down"
    return el(
        "span",
        spoken(f" {word} by {abs(moved):.2f}"),
        el("span", f" {'▲' if moved > 0 else '▼'}{abs(moved):.2f}", aria_hidden="true"),
        class_=f"move {word}",
    )
