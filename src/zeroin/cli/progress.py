"""What a person sees on stderr while an answer is worked out, drawn by rich and wiped before the answer is printed.

cycle 2 of at most 3: 184 candidates
  0.93 ███████░ src/auth/token-service.ts
  0.71 █████░░░ src/auth/session-service.ts  new
words  sign-in → login, rate limit → throttle
gaps   2 open, 1 critical: TokenStore is used, not defined in what was found
asking again …
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal

from zeroin.answer import Cycle
from zeroin.cli.terminal import shows_progress, shows_unicode, terminal_width, wants_color
from zeroin.context.clean import line, path_text
from zeroin.types import Band, Judgment, figure_of

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

DELAY_S = 0.5  # nothing is shown before, so quick answers show nothing
EVERY_S = 0.1  # between two progress lines
FILES, BAR, NARROW = 3, 8, 50  # files shown; cells of a bar; columns below which there are no bars
_STYLES: dict[Band, str] = {"high": "green", "medium": "cyan", "low": "yellow", "none": "bright_black"}


class LiveView(contextlib.AbstractContextManager["LiveView", None]):
    """A `Progress` callable that also shows cycles; leaving the `with` block wipes everything."""

    def __init__(self, *, enabled: bool = True, no_color: bool = False, max_cycles: int = 3) -> None:
        self._enabled = enabled and shows_progress()
        self._color = self._enabled and wants_color(no_color, None, sys.stderr)
        self._max_cycles = max_cycles
        self._began, self._drawn = time.monotonic(), 0.0
        self._cycle: Cycle | None = None
        self._live: Live | None = None
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show progress, until there is a cycle to show."""
        now = time.monotonic()
        if self._enabled and self._cycle is None and now >= max(self._began + DELAY_S, self._drawn + EVERY_S):
            from rich.text import Text

            self._draw([Text(described(what, done, total), no_wrap=True, overflow="crop")])

    def cycle(self, cycle: Cycle) -> None:
        """Show a cycle that has just ended, at once or as soon as the delay is over."""
        self._cycle = cycle
        if not self._enabled:
            return
        left = self._began + DELAY_S - time.monotonic()
        if left <= 0:
            self._draw_cycle()
        elif self._timer is None:
            self._timer = threading.Timer(left, self._draw_cycle)
            self._timer.daemon = True
            self._timer.start()

    def _draw_cycle(self) -> None:
        if self._cycle is not None:
            self._draw(rows_of(self._cycle, self._max_cycles, terminal_width(), shows_unicode(sys.stderr)))

    def _draw(self, rows: Iterable[Text]) -> None:
        from rich.console import Console, Group
        from rich.live import Live

        with self._lock:
            if not self._enabled:
                return
            self._drawn = time.monotonic()
            if self._live is None:
                color: Literal["standard"] | None = "standard" if self._color else None
                console = Console(stderr=True, force_terminal=True, color_system=color, highlight=False)
                self._live = Live(
                    console=console,
                    auto_refresh=False,
                    transient=True,
                    redirect_stdout=False,
                    redirect_stderr=False,
                    vertical_overflow="crop",
                )
            with contextlib.suppress(OSError, ValueError):  # a closed terminal costs only the view
                self._live.start()
                self._live.update(Group(*rows), refresh=True)

    def close(self) -> None:
        """Wipe what is shown; nothing is drawn afterwards."""
        with self._lock:
            self._enabled = False
            if self._timer is not None:
                self._timer.cancel()
            if self._live is not None:
                with contextlib.suppress(OSError, ValueError):
                    self._live.update("")  # stop() draws once more, uncropped
                    self._live.stop()

    def __exit__(self, *_: object) -> None:
        self.close()


def described(what: str, done: int, total: int) -> str:
    """Return `40 %  analysing 1,200 of 3,000 files`, or a count alone where the total is unknown."""
    if total <= 0:
        return f"{line(what)} {done:,}" if done else line(what)
    return f"{100 * done // total} %  {line(what)} {done:,} of {total:,}"


def rows_of(cycle: Cycle, max_cycles: int, width: int, unicode: bool = True) -> Iterator[Text]:
    """Yield a line for each thing that a cycle found; rich cuts it to the width of the terminal."""
    from rich.text import Text

    def row(text: str, style: str = "") -> Text:
        return Text(text, style, no_wrap=True, overflow="ellipsis" if unicode else "crop")

    arrow, dots = ("→", "…") if unicode else ("->", "...")
    of = f" of at most {max_cycles}" if max_cycles >= cycle.number else ""
    yield row(f"cycle {cycle.number}{of}: {len(cycle.candidates):,} candidates", "bold")
    for judgment in cycle.judgments[:FILES]:
        bar = _bar(judgment, unicode) if width >= NARROW else ""
        new = "  new" if judgment.cycle == cycle.number > 1 else ""
        text = f"  {figure_of(judgment.relevance)} {bar}{path_text(judgment.path)}{new}"
        yield row(text, _STYLES[judgment.band])
    words = [f"{line(t.task_word)} {arrow} {line(t.code_word)}" for t in cycle.terminology[:6]]
    if words:
        yield row(f"words  {', '.join(words)}")
    gaps = sorted((g for g in cycle.gaps if g.shown), key=lambda g: not g.critical)
    if gaps:
        critical = sum(g.critical for g in gaps)
        count = f"{len(gaps)} open" + (f", {critical} critical" if critical else "")
        yield row(f"gaps   {count}: {line(gaps[0].need)}")
    yield row(f"{'asking again' if cycle.number < max_cycles else 'putting it together'} {dots}", "dim")


def _bar(judgment: Judgment, unicode: bool) -> str:
    full = round(min(1.0, max(0.0, judgment.relevance)) * BAR)
    return ("█" if unicode else "#") * full + ("░" if unicode else ".") * (BAR - full) + " "
