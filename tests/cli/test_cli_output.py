"""Where words and data go, and progress for people who wait."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import click
import pytest

from zeroin.cli import output, progress


class Terminal(io.StringIO):
    encoding = "ascii"

    def isatty(self) -> bool:
        return True


def test_progress_waits_shows_and_wipes(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr, clock = Terminal(), iter([0.0, 0.1, 0.6, 0.62, 0.8])
    monkeypatch.delenv("CI", raising=False)  # a build machine gets no progress
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    with progress.Meter() as meter:
        meter("analysing", 1, 10)
        assert stderr.getvalue() == ""  # 0.1 s: too early
        meter("analysing", 5, 10)
        assert "[##########..........] analysing 5 of 10" in stderr.getvalue()
        meter("analysing", 6, 10)
        assert "6 of 10" not in stderr.getvalue()  # 0.02 s later: too soon again
        meter("reading \x1b[31mhistory", 700, 0)
    assert "reading history 700" in stderr.getvalue()
    assert stderr.getvalue().endswith(" \r")


def test_progress_only_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setattr(progress, "DELAY_S", 0.0)
    with progress.Meter() as meter:
        meter("analysing", 1, 10)
    assert stderr.getvalue() == ""


def test_words_for_people_fit_the_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = Terminal()
    monkeypatch.setattr(sys, "stderr", stderr)
    assert output.complain("caf\u00e9 \x1b[31mred\nline") == output.USAGE
    assert stderr.getvalue() == "zeroin: caf? red line\n"


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out.json"
    output.write("old", target)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(output.os, "fsync", full)
    with pytest.raises(click.ClickException, match="No space left"):
        output.write("new", target)
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["out.json"]


def test_output_through_a_link_and_to_a_device(tmp_path: Path) -> None:
    real = tmp_path / "real.txt"
    real.write_text("old")
    link = tmp_path / "link.txt"
    link.symlink_to(real)
    output.write(b"new", link)
    assert link.is_symlink() and real.read_bytes() == b"new"
    if sys.platform != "win32":
        output.write("gone", Path("/dev/null"))
        assert Path("/dev/null").is_char_device()
