"""The live view's lines: they fit any width, whatever a repository is called, and are found again to be wiped."""

from __future__ import annotations

import io
import os
import shutil
import sys
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from zeroin.answer import Cycle
from zeroin.cli import progress
from zeroin.cli.live import LiveView, rows_of
from zeroin.types import Expansion, Gap, Judgment, Query

TEXT = st.text(max_size=60)


def cycle(
    number: int = 2,
    paths: list[str] | None = None,
    words: list[tuple[str, str]] | None = None,
    needs: list[str] | None = None,
) -> Cycle:
    return Cycle(
        number=number,
        query=Query(),
        changes=(),
        candidates=(),
        judgments=tuple(
            Judgment(path, 1.0 - n / 10, cycle=1 + n) for n, path in enumerate(paths or ["src/limit.py"])
        ),
        gaps=tuple(Gap("aspect", need, critical=n > 0) for n, need in enumerate(needs or [])),
        terminology=tuple(Expansion(a, b, 0.9) for a, b in words or []),
    )


@given(
    st.lists(TEXT, max_size=5),
    st.lists(st.tuples(TEXT, TEXT), max_size=3),
    st.lists(TEXT, max_size=3),
    st.integers(0, 120),
    st.booleans(),
)
def test_every_line_fits_and_says_nothing_to_the_terminal(
    paths: list[str], words: list[tuple[str, str]], needs: list[str], width: int, unicode: bool
) -> None:
    for _, row in rows_of(cycle(paths=paths, words=words, needs=needs), 3, width, unicode):
        assert cell_len(row) <= width
        assert not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in row)


def test_what_it_tells() -> None:
    asked = cycle(
        paths=["src/limit.py", "src/" + "deep/" * 20 + "routes.py"],
        words=[("rate limit", "throttle")],
        needs=["no file says “sign”", "where is Bucket defined?"],
    )
    rows = [row for _, row in rows_of(asked, 3, 60)]
    assert rows[0] == "cycle 2 of at most 3: 0 candidates"
    assert rows[1] == "  1.00 ████████ src/limit.py"
    assert rows[2].startswith("  0.90 ███████░ …") and rows[2].endswith("deep/routes.py  new")
    assert rows[3] == "words  rate limit → throttle"
    assert rows[4] == "gaps   2 open, 1 critical: where is Bucket defined?"
    assert rows[5] == "asking again …"
    unshown = replace(asked, gaps=tuple(replace(gap, shown=False) for gap in asked.gaps))
    assert not any(row.startswith("gaps") for _, row in rows_of(unshown, 3, 60))
    assert [row for _, row in rows_of(cycle(4), 3, 60, unicode=False)] == [
        "cycle 4: 0 candidates",
        "  1.00 ######## src/limit.py",
        "putting it together ...",
    ]


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def on_terminal(monkeypatch: pytest.MonkeyPatch, delay_s: float) -> Terminal:
    """stderr as an ordinary terminal, from here on (pytest puts its own there for each test)."""
    for name in ("CI", "LC_ALL", "LC_CTYPE", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setattr(progress, "DELAY_S", delay_s)
    out = Terminal()
    monkeypatch.setattr(sys, "stderr", out)
    return out


def test_a_narrowed_window_is_wiped_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """The terminal has folded what was drawn: as many more rows are gone up over."""
    stderr = on_terminal(monkeypatch, 0.0)
    sizes = [(80, 24)]
    monkeypatch.setattr(shutil, "get_terminal_size", lambda *_: os.terminal_size(sizes[-1]))
    with LiveView(no_color=True) as view:
        view.cycle(cycle(needs=["x" * 60]))  # rows of 34, 28, 75 and 14 cells
        sizes.append((30, 24))
        view.close()
    assert stderr.getvalue().endswith("\r\x1b[6A\x1b[J")  # 2 + 1 + 3 + 1 rows, the cursor in the last


def test_a_long_cycle_after_a_quick_one_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first cycle ended before the delay was over: it shows when that is over, not when the second ends."""
    stderr = on_terminal(monkeypatch, 0.2)
    with LiveView() as view:
        view.cycle(cycle(1))
        assert stderr.getvalue() == ""
        until = time.monotonic() + 10
        while not stderr.getvalue() and time.monotonic() < until:
            time.sleep(0.02)
        assert "cycle 1 of at most 3" in stderr.getvalue()
    assert stderr.getvalue().endswith("\x1b[J")


def test_a_quick_answer_shows_nothing_even_late(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = on_terminal(monkeypatch, 0.05)
    with LiveView() as view:
        view.cycle(cycle(1))
    time.sleep(0.1)
    assert stderr.getvalue() == ""


def test_a_terminal_that_went_away_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_: str) -> int:
        raise OSError(5, "Input/output error")

    stderr = on_terminal(monkeypatch, 0.0)
    monkeypatch.setattr(stderr, "write", gone)
    with LiveView() as view:
        view("analysing", 1, 2)
        view.cycle(cycle())
