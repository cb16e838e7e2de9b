"""The plot of ``benchmarks.savings`` as SVG: share reached against tokens, readable on white and on black."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 240, 190  # of the area of a panel, in pixels
LEFT, TOP, GAP, BOTTOM = 44, 62, 34, 44
TEXT = "#7d8590"  # the same contrast, about 4 to 1, against white and against GitHub's dark page
COLOURS = ("#2f81f7", "#c2410c", "#d9920d", "#a371f7", "#7d8590")  # of the curves, in their order
DASHES = ("", "10 3", "6 3", "2 3", "9 3 2 3")  # tells them apart without colour
THICK = 3.0


@dataclass(frozen=True, slots=True)
class Panel:
    """One set of axes: a share (0–1) at each budget for each named curve."""

    title: str
    curves: Mapping[str, Sequence[float]]


def plot(panels: Sequence[Panel], budgets: Sequence[int]) -> str:
    """An SVG with the panels side by side, one legend on top; curves have the same order in all panels."""
    names = list(panels[0].curves) if panels else []
    width = LEFT + max(len(panels) * (WIDTH + GAP), sum(map(_legend_width, names)))
    height = TOP + HEIGHT + BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' role="img" font-family="system-ui, Helvetica, Arial, sans-serif" font-size="12" fill="{TEXT}">',
        "<title>Share of the gold reached against tokens read</title>",
    ]
    parts += _legend(names)
    for number, panel in enumerate(panels):
        parts += _panel(panel, budgets, LEFT + number * (WIDTH + GAP), first=number == 0)
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


def _panel(panel: Panel, budgets: Sequence[int], left: int, *, first: bool) -> list[str]:
    low, high = math.log(budgets[0]), math.log(budgets[-1])
    across = [left + round(WIDTH * (math.log(budget) - low) / (high - low), 1) for budget in budgets]
    bottom = TOP + HEIGHT
    parts = [f'<text x="{left}" y="{TOP - 14}" font-weight="600">{escape(panel.title)}</text>']
    for percent in (0, 25, 50, 75, 100):
        y = bottom - HEIGHT * percent / 100
        parts.append(f'<path d="M{left} {y:g}h{WIDTH}" stroke="{TEXT}" stroke-opacity="0.3"/>')
        if first:
            parts.append(f'<text x="{left - 6}" y="{y + 4:g}" text-anchor="end">{percent}%</text>')
    for x, budget in zip(across, budgets, strict=True):
        label = f"{budget // 1000}k" if budget >= 1000 else str(budget)
        parts.append(f'<text x="{x:g}" y="{bottom + 18}" text-anchor="middle">{label}</text>')
    parts.append(f'<text x="{left + WIDTH / 2:g}" y="{bottom + 36}" text-anchor="middle">tokens</text>')
    for i, shares in reversed(list(enumerate(panel.curves.values()))):  # the first lies on top
        points = [(x, round(bottom - HEIGHT * share, 1)) for x, share in zip(across, shares, strict=True)]
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
