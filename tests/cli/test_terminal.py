"""The command line on a real terminal: what a person sees, at several widths and in several encodings."""

import re
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are POSIX", allow_module_level=True)

from rich.cells import cell_len

from tests.cli.conftest import build_environment, build_repository
from tests.cli.terminal_screen import Ran, frames, run_on_terminal
from tests.cli.test_cli_terminal_rules import TELLING
from tests.repositories import git
from zeroin.cli.main import main

TASK = "validate token expiry of sessions"


@pytest.fixture
def env(environment: dict[str, str]) -> dict[str, str]:
    """An ordinary terminal: 256 colours, UTF-8, no word on links."""
    return on_a_terminal(environment)


def on_a_terminal(environment: dict[str, str]) -> dict[str, str]:
    plain = {k: v for k, v in environment.items() if k not in (*TELLING, "LINES", "PYTHONIOENCODING")}
    return {**plain, "TERM": "xterm-256color", "LANG": "C.UTF-8"}


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    """Asks in one repository, on a terminal; options and environment of the caller come on top."""
    folder = tmp_path_factory.mktemp("terminal")
    repo = build_repository(folder / "repo")
    usual = on_a_terminal(build_environment(folder))

    def ask(*args: str, columns: int = 80, lines: int = 50, **more: str | bool | float) -> Ran:
        env = {**usual, **{k: v for k, v in more.items() if isinstance(v, str)}}
        rest = {k: v for k, v in more.items() if not isinstance(v, str)}
        return run_on_terminal(
            TASK,
            "--always-loop",
            *args,
            cwd=repo,
            env=env,
            columns=columns,
            lines=lines,
            **rest,  # type: ignore[arg-type]
        )

    return ask


@pytest.fixture(scope="module")
def ordinary(asked) -> Ran:  # type: ignore[no-untyped-def]
    """What it writes on an ordinary terminal."""
    ran: Ran = asked()
    return ran


def shown(ran: Ran) -> str:
    return "\n".join(ran.screen)


def views(ran: Ran) -> list[str]:
    """What was drawn on the terminal and wiped again."""
    drawn = ["\n".join(rows) for rows in frames(ran.text, ran.columns)][:-1]
    return [view for view in drawn if view.strip()]


def test_cycles_are_shown_and_wiped_before_the_answer(ordinary: Ran) -> None:
    ran = ordinary
    drawn = [view for view in views(ran) if "cycle 1" in view]
    assert ran.code == 0 and drawn
    assert "candidates" in drawn[0] and "█" in drawn[0] and "src/auth/token-service.ts" in drawn[0]
    assert "cycle 1" not in shown(ran) and "candidates" not in shown(ran) and "asking again" not in shown(ran)
    assert ran.screen[0].startswith(("0.", "1.")) and "src/auth/token-service.ts" in shown(ran)


def test_the_answer_is_on_stdout_alone_and_the_view_on_stderr_alone(asked) -> None:  # type: ignore[no-untyped-def]
    ran = asked("--format", "paths", pipe_stdout=True)
    assert ran.out.splitlines()[0] == b"src/auth/token-service.ts"
    assert any("cycle 1" in view for view in views(ran))
    assert shown(ran).strip() == ""  # nothing is left of it
    assert b"\x1b" not in ran.out


@pytest.mark.parametrize(
    ("args", "more"),
    [(("--quiet",), {}), ((), {"TERM": "dumb"}), ((), {"pipe_stderr": True}), ((), {"delay_s": 60.0})],
    ids=["quiet", "dumb", "no terminal", "quick"],
)
def test_nothing_is_drawn(asked, args, more) -> None:  # type: ignore[no-untyped-def]
    ran = asked(*args, **more)
    assert ran.code == 0
    assert "\x1b[2K" not in ran.text and "\x1b[?25l" not in ran.text and "candidates" not in ran.text
    assert "src/auth/token-service.ts" in shown(ran)


@pytest.mark.parametrize("columns", [24, 40])
def test_every_line_fits(asked, columns: int) -> None:  # type: ignore[no-untyped-def]
    ran = asked(columns=columns, TERM="xterm-kitty")
    assert any("cycle 1" in view for view in views(ran))
    for frame in frames(ran.text, columns):
        assert all(cell_len(row) <= columns for row in frame)
    assert "cycle 1" not in shown(ran)
    # The terminal folded nothing: what we wrote as a line is a line.
    answer = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", ran.text[ran.text.rindex("\x1b[2K") :])
    assert len([row for row in ran.screen if row]) == len([row for row in answer.splitlines() if row.strip()])
    path = "src/auth/token-service.ts"
    joined = "".join(row.strip() for row in ran.screen)
    assert path in joined


def test_an_interrupt_wipes_the_view_and_shows_what_was_found(repo: Path, env: dict[str, str]) -> None:
    before = (
        "import os, signal\nfrom zeroin.cli.progress import LiveView\nshow = LiveView.cycle\n"
        "def interrupted(self, cycle):\n    show(self, cycle)\n    os.kill(os.getpid(), signal.SIGINT)\n"
        "LiveView.cycle = interrupted"
    )
    ran = run_on_terminal(TASK, "--always-loop", cwd=repo, env=env, before=before)
    assert ran.code == 3
    assert any("cycle 1" in view for view in views(ran)) and "cycle 1" not in shown(ran)
    assert "src/auth/token-service.ts" in shown(ran) and "interrupted; this is what was found so far" in shown(ran)


@pytest.mark.parametrize(
    ("where", "code"),
    [
        ("zeroin.session.Session.context", 3),  # all cycles are done, and the answer is put together
        ("zeroin.context.rendering.render", 0),
        ("zeroin.cli.answer.warn", 0),
    ],
)
def test_an_interrupt_after_the_last_cycle_loses_nothing(
    repo: Path, env: dict[str, str], where: str, code: int
) -> None:
    before = (
        "import os, pkgutil, signal\n"
        f"home, name = pkgutil.resolve_name({where.rpartition('.')[0]!r}), {where.rpartition('.')[2]!r}\n"
        "called = getattr(home, name)\n"
        "def interrupted(*args, **given):\n"
        "    setattr(home, name, called)\n    os.kill(os.getpid(), signal.SIGINT)\n    return called(*args, **given)\n"
        "setattr(home, name, interrupted)"
    )
    ran = run_on_terminal(TASK, cwd=repo, env=env, before=before)
    assert ran.code == code and "src/auth/token-service.ts" in shown(ran)
    assert ("interrupted; this is what was found so far" in shown(ran)) == (code == 3)


def test_the_view_is_no_taller_than_the_terminal(asked) -> None:  # type: ignore[no-untyped-def]
    ran = asked(lines=4)
    assert any("cycle 1" in view for view in views(ran))
    assert all(len(view.splitlines()) <= 4 for view in views(ran))
    assert "cycle 1" not in shown(ran)


def test_a_terminal_without_unicode_gets_ascii(asked) -> None:  # type: ignore[no-untyped-def]
    ran = asked(LANG="C")
    assert ran.code == 0 and ran.raw.isascii()
    assert any("#" in view and "cycle 1" in view for view in views(ran))
    assert "####" in shown(ran)


def test_names_that_a_terminal_cannot_show(repo: Path, env: dict[str, str]) -> None:
    """No byte above 127 reaches a terminal of the C locale: in 8-bit ones some of them are control characters."""
    (repo / "src/auth/tokené-ě31m.ts").write_text("export function validateTokenExpiry() {}\n")
    git(repo, "add", "-A")
    ran = run_on_terminal("validateTokenExpiry", cwd=repo, env={**env, "LANG": "C"})
    assert ran.raw.isascii() and "src/auth/token?-?31m.ts" in shown(ran)


def test_colour_and_no_colour(asked, ordinary: Ran) -> None:  # type: ignore[no-untyped-def]
    assert "\x1b[32m" in ordinary.text
    ran = asked(NO_COLOR="1", TERM="xterm-kitty")
    codes = {found[2] for found in re.finditer(r"\x1b\[([0-9;]*)([A-Za-z])", ran.text)}
    assert codes <= {"A", "K", "h", "l"}  # the view moves the cursor, without colour
    assert any("cycle 1" in view for view in views(ran))
    assert "\x1b]8;id=" in ran.text  # colour and links are two things


def test_links_change_no_width(
    repo: Path, env: dict[str, str], monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    def found(*args: str, **more: str) -> str:
        for name, value in {**env, **more}.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(SystemExit) as ended:
            main(["find", TASK, str(repo), *args])
        assert ended.value.code == 0
        return capfdbinary.readouterr().out.decode()

    for term, columns in (("dumb", "30"), ("xterm", "100")):
        plain = found(COLUMNS=columns)
        linked = found("--links", "always", COLUMNS=columns, TERM=term)
        assert linked.count("\x1b]8;id=") == linked.count("\x1b]8;;\x1b\\")
        bare = re.sub(r"\x1b\]8;[^\x1b]*\x1b\\", "", linked)
        assert [row.rstrip() for row in bare.split("\n")] == plain.split("\n") and plain != linked


def test_a_hostile_name_says_nothing_to_the_terminal(repo: Path, env: dict[str, str]) -> None:
    name = "src/auth/token\x1b]0;owned\x07 #?%;[1m\udcff.ts"
    (repo / name).write_text("export function validateTokenExpiry() {}\n")
    git(repo, "add", "-A")
    ran = run_on_terminal("validateTokenExpiry", cwd=repo, env={**env, "TERM": "xterm-kitty"})
    assert "\x07" not in ran.text and "\x1b]0" not in ran.text
    url = "src/auth/token%1B%5D0%3Bowned%07%20%23%3F%25%3B%5B1m%FF.ts#1"
    assert f"file://{repo}/{url}" in ran.text
    assert list(frames(ran.text, 80))  # only sequences that we write on purpose
