"""The rules by which colour, characters, links and progress are decided, each by the environment that decides it."""

import io
import socket
import sys
from pathlib import Path

import pytest

from zeroin.cli import terminal
from zeroin.context.rendering.screen import Links

TELLING = (
    "TERM TERM_PROGRAM TERM_PROGRAM_VERSION TMUX CI VTE_VERSION KONSOLE_VERSION WT_SESSION DOMTERM LC_ALL "
    "LC_CTYPE LANG FORCE_HYPERLINK SSH_CONNECTION PYTHONUTF8 NO_COLOR FORCE_COLOR"
).split()


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.fixture
def env(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment that says nothing of the terminal."""
    for name in TELLING:
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def given(env: pytest.MonkeyPatch, words: str) -> None:
    """Both streams are a terminal, of which the environment says this too."""
    env.setattr(sys, "stdout", Terminal())
    env.setattr(sys, "stderr", Terminal())
    for word in words.split():
        name, _, value = word.partition("=")
        env.setenv(name, value)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("TERM=xterm-kitty", True),
        ("TERM=foot", True),
        ("TERM_PROGRAM=iTerm.app", True),
        ("VTE_VERSION=6003", True),
        ("WT_SESSION=1", True),
        ("TMUX=/tmp/t TERM=tmux-256color TERM_PROGRAM=tmux", True),
        ("TERM=xterm FORCE_HYPERLINK=1", True),
        ("TERM=xterm-kitty NO_COLOR=1", True),
        ("TERM=xterm-256color", False),
        ("TERM_PROGRAM=Apple_Terminal", False),
        ("TMUX=/tmp/t VTE_VERSION=6003", False),
        ("TERM=screen VTE_VERSION=6003", False),
        ("TERM=dumb VTE_VERSION=6003", False),
        ("TERM=xterm-kitty CI=1", False),
        ("TERM=xterm-kitty FORCE_HYPERLINK=0", False),
    ],
)
def test_links(env: pytest.MonkeyPatch, words: str, wanted: bool) -> None:
    given(env, words)
    assert terminal.wants_links("auto", None) is wanted
    assert terminal.wants_links("always", None) and not terminal.wants_links("never", None)
    assert not terminal.wants_links("auto", Path("table.txt"))


def test_a_pipe_gets_no_links_and_no_colour(env: pytest.MonkeyPatch) -> None:
    given(env, "TERM=xterm-kitty")
    env.setattr(sys, "stdout", io.StringIO())
    assert not terminal.wants_links("auto", None) and not terminal.wants_color(False, None)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("TERM=xterm", True),
        ("TERM=dumb", False),
        ("TERM=xterm NO_COLOR=1", False),
        ("TERM=xterm NO_COLOR=", True),
        ("TERM=dumb FORCE_COLOR=1", True),
        ("NO_COLOR=1 FORCE_COLOR=1", False),
    ],
)
def test_colour(env: pytest.MonkeyPatch, words: str, wanted: bool) -> None:
    given(env, words)
    assert terminal.wants_color(False, None) is wanted
    assert not terminal.wants_color(True, None) and not terminal.wants_color(False, Path("out"))


@pytest.mark.parametrize(
    ("words", "coerced", "wanted"),
    [
        ("LANG=C.UTF-8", False, True),
        ("LANG=C", True, False),
        ("LANG=C LC_CTYPE=C.UTF-8", True, False),  # what Python itself makes of LANG=C
        ("LC_ALL=C LANG=en_US.UTF-8", True, False),
        ("LANG=en_US.UTF-8 LC_CTYPE=C.UTF-8", True, True),  # a locale that is not installed
        ("LC_CTYPE=C.UTF-8", False, True),
        ("", True, False),
        ("LANG=C PYTHONUTF8=1", True, True),
    ],
)
@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="terminals there are UTF-8")
def test_the_characters_of_a_c_locale(env: pytest.MonkeyPatch, words: str, coerced: bool, wanted: bool) -> None:
    class Flags:
        utf8_mode = int(coerced)

    given(env, words)
    env.setattr(terminal.sys, "flags", Flags())
    assert terminal.shows_unicode() is wanted


def test_characters_of_an_encoding(env: pytest.MonkeyPatch) -> None:
    env.setattr(Terminal, "encoding", "latin-1")
    given(env, "LANG=de_DE PYTHONUTF8=0")
    assert not terminal.shows_unicode()


def test_no_terminal_is_without_end(env: pytest.MonkeyPatch) -> None:
    given(env, "COLUMNS=1000000000")
    assert terminal.terminal_width() == 10_000


def test_progress_is_for_people(env: pytest.MonkeyPatch) -> None:
    given(env, "TERM=xterm")
    assert terminal.shows_progress()
    for words in ("TERM=dumb", "CI=true TERM=xterm"):
        given(env, words)
        assert not terminal.shows_progress()
    given(env, "CI=false TERM=xterm")
    assert terminal.shows_progress()
    env.setattr(sys, "stderr", None)
    assert not terminal.shows_progress()


def test_over_ssh_a_link_names_the_machine(env: pytest.MonkeyPatch) -> None:
    assert terminal.link_host() == ""
    given(env, "SSH_CONNECTION=1")
    assert terminal.link_host() == socket.gethostname()
    given(env, "TERM_PROGRAM=vscode")
    assert terminal.link_host() == ""


def test_urls() -> None:
    assert Links("/a b").url("c#d%\udcff/é.ts", 12) == "file:///a%20b/c%23d%25%FF/%C3%A9.ts#12"
    assert Links("/", "box").url("x\n\x1b.py") == "file://box/x%0A%1B.py"
    assert Links("C:/code").url("x.py", 3) == "file:///C%3A/code/x.py#3"
    assert Links("/").url("\ud800.py") == "file:///%ED%A0%80.py"
