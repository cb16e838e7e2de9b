"""The live view: what it says, that repository text cannot break it, and when it shows."""

import io
import sys
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from zeroin.answer import Cycle
from zeroin.cli import progress
from zeroin.cli.progress import LiveView, described, rows_of
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
        judgments=tuple(Judgment(path, 1.0 - n / 10, cycle=1 + n) for n, path in enumerate(paths or ["src/limit.py"])),
        gaps=tuple(Gap("aspect", need, critical=n > 0) for n, need in enumerate(needs or [])),
        terminology=tuple(Expansion(a, b, 0.9) for a, b in words or []),
    )


def plain(asked: Cycle, width: int = 60, *, unicode: bool = True) -> list[str]:
    return [row.plain for row in rows_of(asked, 3, width, unicode)]


@given(
    st.lists(TEXT, max_size=5),
    st.lists(st.tuples(TEXT, TEXT), max_size=3),
    st.lists(TEXT, max_size=3),
    st.integers(10, 120),
)
def test_every_line_fits_and_has_no_control_character(
    paths: list[str], words: list[tuple[str, str]], needs: list[str], width: int
) -> None:
    rows = [*rows_of(cycle(paths=paths, words=words, needs=needs), 3, width)]
    assert not any(ord(c) < 32 or 127 <= ord(c) < 160 for row in rows for c in row.plain)
    console = Console(file=io.StringIO(), width=width)
    assert all(len(console.render_lines(row)) == 1 for row in rows)


def test_what_it_shows() -> None:
    asked = cycle(
        paths=["src/limit.py", "src/routes.py"],
        words=[("rate limit", "throttle")],
        needs=["no file says “sign”", "where is Bucket defined?"],
    )
    assert plain(asked) == [
        "cycle 2 of at most 3: 0 candidates",
        "  1.00 ████████ src/limit.py",
        "  0.90 ███████░ src/routes.py  new",
        "words  rate limit → throttle",
        "gaps   2 open, 1 critical: where is Bucket defined?",
        "asking again …",
    ]
    hidden = replace(asked, gaps=tuple(replace(gap, chosen=False) for gap in asked.gaps))
    assert not any(row.startswith("gaps") for row in plain(hidden))
    assert plain(cycle(4), unicode=False) == [
        "cycle 4: 0 candidates",
        "  1.00 ######## src/limit.py",
        "putting it together ...",
    ]
    assert plain(cycle(1), 40)[1] == "  1.00 src/limit.py"


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (("analysing", 1200, 3000), "40 %  analysing 1,200 of 3,000"),
        (("reading \x1b[31mhistory\n", 7, 0), "reading history 7"),
        (("listing", 0, 0), "listing"),
    ],
)
def test_progress_in_words(args: tuple[str, int, int], text: str) -> None:
    assert described(*args) == text


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def stderr_of(monkeypatch: pytest.MonkeyPatch, delay_s: float, stderr: io.StringIO) -> io.StringIO:
    """stderr as an ordinary terminal, from here on (pytest puts its own there for each test)."""
    for name in ("CI", "LC_ALL", "LC_CTYPE", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setattr(progress, "DELAY_S", delay_s)
    monkeypatch.setattr(sys, "stderr", stderr)
    return stderr


def test_progress_waits_shows_now_and_then_and_is_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = stderr_of(monkeypatch, 0.5, Terminal())
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    with LiveView() as view:
        for now[0], done in ((0.1, 1), (0.6, 5), (0.62, 6), (0.8, 7)):
            view("analysing", done, 10)
    shown = stderr.getvalue()
    assert [f"analysing {n} of 10" in shown for n in (1, 5, 6, 7)] == [False, True, False, True]
    assert shown.endswith("\x1b[2K")


def test_a_cycle_that_ended_before_the_delay_shows_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = stderr_of(monkeypatch, 0.2, Terminal())
    with LiveView() as view:
        view.cycle(cycle(1))
        assert stderr.getvalue() == ""
        until = time.monotonic() + 10
        while "asking" not in stderr.getvalue() and time.monotonic() < until:
            time.sleep(0.02)
        assert "cycle 1 of at most 3" in stderr.getvalue()
    assert stderr.getvalue().endswith("\x1b[2K")


def test_a_quick_answer_shows_nothing_even_late(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = stderr_of(monkeypatch, 0.05, Terminal())
    with LiveView() as view:
        view("analysing", 1, 2)
        view.cycle(cycle(1))
    time.sleep(0.1)
    assert stderr.getvalue() == ""


def test_a_terminal_that_went_away_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_: str) -> int:
        raise OSError(5, "Input/output error")

    stderr = stderr_of(monkeypatch, 0.0, Terminal())
    monkeypatch.setattr(stderr, "write", gone)
    with LiveView() as view:
        view("analysing", 1, 2)
        view.cycle(cycle())
