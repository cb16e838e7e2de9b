"""Curves as SVG, panels side by side, readable on white and on black; the x axis is logarithmic."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 240, 190  # of the area of a panel, in pixels
LEFT, TOP, GAP, BOTTOM = 44, 62, 44, 44
TEXT = "#7d8590"  # the same contrast, about 4 to 1, against white and against GitHub's dark page
COLOURS = ("#2f81f7", "#c2410c", "#d9920d", "#a371f7", "#7d8590")  # of the curves, in their order
DASHES = ("", "10 3", "6 3", "2 3", "9 3 2 3")  # tells them apart without colour
THICK = 3.0


@dataclass(frozen=True, slots=True)
class Axis:
    """What stands beside the lines of a panel from below: value and label; logarithmic or even."""

    ticks: Sequence[tuple[float, str]]
    logarithmic: bool = False

    def place(self, value: float) -> float:
        """Where a value lies between the lowest line (0) and the highest (1)."""
        low, high = self.ticks[0][0], self.ticks[-1][0]
        if self.logarithmic:
            value, low, high = math.log(value), math.log(low), math.log(high)
        return (value - low) / (high - low)


SHARES = Axis([(percent / 100, f"{percent}%") for percent in (0, 25, 50, 75, 100)])


@dataclass(frozen=True, slots=True)
class Panel:
    """One set of axes: a value at each point of the x axis for each named curve."""

    title: str
    curves: Mapping[str, Sequence[float]]
    axis: Axis = SHARES


@dataclass(frozen=True, slots=True)
class Across:
    """The x axis: its points, what they count, and what the plot as a whole is called."""

    points: Sequence[int]
    unit: str
    title: str


def decades(values: Iterable[float]) -> Axis:
    """A logarithmic axis with a line at every power of ten, that holds all values."""
    known = list(values)
    low, high = math.floor(math.log10(min(known))), math.ceil(math.log10(max(known)))
    return Axis([(10.0**n, f"{10.0**n:,g}") for n in range(low, max(high, low + 1) + 1)], logarithmic=True)


def plot(panels: Sequence[Panel], across: Across) -> str:
    """An SVG with the panels side by side, one legend on top; curves have the same order in all panels."""
    names = list(panels[0].curves) if panels else []
    width = LEFT + max(len(panels) * (WIDTH + GAP), sum(map(_legend_width, names)))
    height = TOP + HEIGHT + BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' role="img" font-family="system-ui, Helvetica, Arial, sans-serif" font-size="12" fill="{TEXT}">',
        f"<title>{escape(across.title)}</title>",
    ]
    parts += _legend(names)
    for number, panel in enumerate(panels):
        labelled = number == 0 or panel.axis != panels[number - 1].axis
        parts += _panel(panel, across, LEFT + number * (WIDTH + GAP), labelled=labelled)
    return "\n".join([*parts, "</svg>", ""])


def _legend(names: Sequence[str]) -> list[str]:
    parts, x = [], LEFT
    for i, name in enumerate(names):
        parts.append(f'<path d="M{x} 16h26" {_stroke(i)}/>')
        parts.append(f'<text x="{x + 32}" y="20">{escape(name)}</text>')
        x += _legend_width(name)
    return parts


def _legend_width(name: str) -> int:
    return 62 + round(6.6 * len(name))


def _panel(panel: Panel, across: Across, left: int, *, labelled: bool) -> list[str]:
    low, high = math.log(across.points[0]), math.log(across.points[-1])
    places = [left + round(WIDTH * (math.log(point) - low) / (high - low), 1) for point in across.points]
    bottom = TOP + HEIGHT
    parts = [f'<text x="{left}" y="{TOP - 14}" font-weight="600">{escape(panel.title)}</text>']
    for value, label in panel.axis.ticks:
        y = round(bottom - HEIGHT * panel.axis.place(value), 1)
        parts.append(f'<path d="M{left} {y:g}h{WIDTH}" stroke="{TEXT}" stroke-opacity="0.3"/>')
        if labelled:
            parts.append(f'<text x="{left - 6}" y="{y + 4:g}" text-anchor="end">{label}</text>')
    for x, point in zip(places, across.points, strict=True):
        label = f"{point // 1000}k" if point >= 1000 else str(point)
        parts.append(f'<text x="{x:g}" y="{bottom + 18}" text-anchor="middle">{label}</text>')
    parts.append(f'<text x="{left + WIDTH / 2:g}" y="{bottom + 36}" text-anchor="middle">{escape(across.unit)}</text>')
    for i, values in reversed(list(enumerate(panel.curves.values()))):  # the first lies on top
        heights = [round(bottom - HEIGHT * panel.axis.place(value), 1) for value in values]
        points = list(zip(places, heights, strict=True))
        line = " ".join(f"{x:g},{y:g}" for x, y in points)
        parts.append(f'<polyline points="{line}" {_stroke(i)}/>')
        parts += [f'<circle cx="{x:g}" cy="{y:g}" r="3" fill="{_colour(i)}"/>' for x, y in points]
    return parts


def _stroke(number: int) -> str:
    dash = DASHES[number % len(DASHES)]
    width = THICK if number == 0 else 2
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'fill="none" stroke="{_colour(number)}" stroke-width="{width:g}"{dashes}'


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]
