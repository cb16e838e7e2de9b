"""Where messages and data go."""

import json
import sys
from pathlib import Path

import click
import pytest

from tests.cli.conftest import Run, refused
from zeroin.cli import output


def test_a_message_is_one_line_without_sequences(capsys: pytest.CaptureFixture[str]) -> None:
    assert output.complain("red \x1b[31mred\nline") == output.USAGE
    assert capsys.readouterr().err == "zeroin: red red line\n"


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


def test_links_in_a_circle_are_one_line(tmp_path: Path) -> None:
    circle = tmp_path / "circle"
    circle.symlink_to(circle)
    for use in (output.check_target, lambda target: output.write(b"new", target)):
        with pytest.raises(click.ClickException, match=r"circle: .*(circle|loop|levels of symbolic links)"):
            use(circle)


def test_a_message_goes_nowhere_where_stderr_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert output.complain("no folder") == output.USAGE


HIDDEN = "\u200b\u200f\u202e\u2060\u2066\u206a\u3164\ufeff\ufffa\xad\U000e0041\U000e0101"


@pytest.mark.parametrize("form", [("json",), ("jsonl",), ("json", "--pack", "full"), ("json", "--explain")])
def test_json_shows_what_a_path_hides(zeroin: Run, repo: Path, form: tuple[str, ...]) -> None:
    name = f"src/auth/token{HIDDEN}.ts"
    (repo / name).write_text(f"export function validateTokenExpiry{HIDDEN}() {{}} // {HIDDEN}\n")
    done = zeroin("find", "validateTokenExpiry", repo, "--format", *form)
    assert done.returncode == 0, done.stderr
    out = done.stdout.decode()
    assert not set(HIDDEN) & set(out) and "\\u200b\\u200f\\u202e" in out and "\\udb40\\udd01" in out
    spelled = out[out.index("src/auth/token\\u200b") :].partition(".ts")[0]
    assert json.loads(f'"{spelled}.ts"') == name


@pytest.mark.parametrize("option", ["--output", "--report"])
def test_a_folder_is_no_file_to_write(zeroin: Run, repo: Path, tmp_path: Path, option: str) -> None:
    place = tmp_path / "results"
    assert "results/' names a folder; name a file in it" in refused(zeroin("the basket", repo, option, f"{place}/"))
    assert not place.exists()
