"""Where messages and data go."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import pytest

from zeroin.cli import output


def test_a_message_is_one_line_without_sequences(capsys: pytest.CaptureFixture[str]) -> None:
    assert output.complain("red \x1b[31mred\nline") == output.USAGE
    assert capsys.readouterr().err == "zeroin: red red line\n"


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
