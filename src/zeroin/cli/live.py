"""The loop to look at while it runs: a few lines on stderr, drawn over at each cycle, wiped before the answer.

    cycle 2 of at most 3: 184 candidates
      0.93 #######. src/auth/token-service.ts
      0.71 #####... src/auth/session-service.ts  new
    words  sign-in -> login, rate limit -> throttle
    gaps   2 open, 1 critical: TokenStore is used, not defined in what was found
    asking again …

Only on a terminal that can be drawn over, and not before `DELAY_S`: quick answers show nothing.
"""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Iterator

from zeroin.answer import Cycle
from zeroin.cli import progress
from zeroin.cli.progress import Meter, put
from zeroin.cli.terminal import obeys_sequences, shows_unicode, wants_color
from zeroin.context.clean import line, path_text
from zeroin.types import Band, Judgment, figure_of

FILES, BAR, NARROW = 3, 8, 50  # files shown, cells of a bar, columns below which bars are left out
_COLOURS: dict[Band, str] = {"high": "32", "medium": "36", "low": "33", "none": "90"}
Row = tuple[str, str]  # an SGR code or "", and the text


class LiveView:
    """A `Progress` callable like `Meter`, which also shows cycles; leaving the `with` block wipes it all."""

    def __init__(self, *, enabled: bool = True, no_color: bool = False, most: int = 3) -> None:
        self._meter = Meter(enabled=enabled)
        self._drawing = self._meter.enabled and obeys_sequences(sys.stderr)
        self._color = self._drawing and wants_color(no_color, None, sys.stderr)
        self._most = most
        self._cycle: Cycle | None = None
        self._drawn: list[int] = []  # cells of each line on the screen
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def __call__(self, what: str, done: int, total: int) -> None:
        if self._cycle is None:
            self._meter(what, done, total)

    def cycle(self, cycle: Cycle) -> None:
        """Shows a cycle that has just ended, at once or as soon as the delay is over."""
        if not self._drawing:
            return
        with self._lock:
            self._cycle = cycle
            left = self._meter.began + progress.DELAY_S - time.monotonic()
            if left <= 0:
                self._draw()
            elif self._timer is None:
                # Started here and not before: while files are analysed nothing but the meter writes.
                self._timer = threading.Timer(left, self._late)
                self._timer.daemon = True
                self._timer.start()

    def _late(self) -> None:
        with self._lock:
            if self._drawing:
                self._draw()

    def _draw(self) -> None:
        assert self._cycle is not None
        self._meter.close()
        size = shutil.get_terminal_size((80, 24))
        unicode = shows_unicode(sys.stderr)
        rows = list(rows_of(self._cycle, self._most, size.columns - 1, unicode))[: max(1, size.lines - 1)]
        told = "\n".join(_coloured(code, text) if self._color else text for code, text in rows)
        put(self._wiping(size.columns) + told)
        self._drawn = [_cells(text) for _, text in rows]

    def _wiping(self, columns: int) -> str:
        """From the end of what is drawn to its start, and nothing left; a narrowed window has folded the lines."""
        if not self._drawn:
            return ""
        above = sum(max(1, -(-cells // max(1, columns))) for cells in self._drawn) - 1
        return "\r" + (f"\x1b[{above}A" if above else "") + "\x1b[J"

    def close(self) -> None:
        """Wipes what is shown; nothing is drawn after that."""
        with self._lock:
            self._drawing = False
            if self._timer is not None:
                self._timer.cancel()
            self._meter.close()
            if self._drawn:
                put(self._wiping(shutil.get_terminal_size((80, 24)).columns))
                self._drawn = []

    def __enter__(self) -> LiveView:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def rows_of(cycle: Cycle, most: int, width: int, unicode: bool = True) -> Iterator[Row]:
    """What a cycle found, in lines of at most `width` cells."""
    arrow, dots = ("→", "…") if unicode else ("->", "...")
    of = f" of at most {most}" if most >= cycle.number else ""
    yield "1", _cut(f"cycle {cycle.number}{of}: {len(cycle.candidates):,} candidates", width, dots)
    for judgment in cycle.judgments[:FILES]:
        yield _COLOURS[judgment.band], _file(judgment, cycle.number, width, unicode)
    words = [f"{line(t.task_word)} {arrow} {line(t.code_word)}" for t in cycle.terminology[:6]]
    if words:
        yield "", _cut(f"words  {', '.join(words)}", width, dots)
    gaps = [g for g in cycle.gaps if g.shown]
    if gaps:
        critical = [g for g in gaps if g.critical]
        first = line((critical or gaps)[0].need)
        count = f"{len(gaps)} open" + (f", {len(critical)} critical" if critical else "")
        yield "", _cut(f"gaps   {count}: {first}", width, dots)
    yield (
        "2",
        _cut(f"asking again {dots}" if cycle.number < most else f"putting it together {dots}", width, dots),
    )


def _file(judgment: Judgment, number: int, width: int, unicode: bool) -> str:
    head = f"  {figure_of(judgment.relevance)} "
    if width >= NARROW:
        full = round(min(1.0, max(0.0, judgment.relevance)) * BAR)
        head += ("█" if unicode else "#") * full + ("░" if unicode else ".") * (BAR - full) + " "
    new = "  new" if judgment.cycle == number and number > 1 else ""
    path = path_text(judgment.path)
    dots = "…" if unicode else "..."
    return _cut(head + _end_of(path, width - len(head) - len(new), dots) + new, width, dots)


def _coloured(code: str, text: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if code else text


def _cells(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _cut(text: str, width: int, dots: str) -> str:
    """`text` in at most `width` cells, cut at its end."""
    if _cells(text) <= width:
        return text
    while text and _cells(text) > width - len(dots):
        text = text[:-1]
    return (text.rstrip() + dots)[: max(0, width)]


def _end_of(path: str, width: int, dots: str) -> str:
    """The end of a path in at most `width` cells: its last parts tell more than its first."""
    if _cells(path) <= width:
        return path
    while path and _cells(path) > width - len(dots):
        path = path[1:]
    return (dots + path)[: max(0, width)]
