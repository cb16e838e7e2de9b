"""What the terminal can show: colour, characters, links, a live view. docs/CLI.md ("Terminals") states the rules.

What the caller asks for wins, then the environment, then what the stream is.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TextIO

from zeroin.context.rendering.screen import Links, Screen
from zeroin.patterns import lazy_pattern

if TYPE_CHECKING:
    from zeroin.tree import TreeState

When = Literal["auto", "always", "never"]

# Terminals known to show links (OSC 8): by TERM_PROGRAM, by TERM, or by a variable that they set.
_LINKING_PROGRAMS = frozenset("iTerm.app WezTerm vscode ghostty Hyper rio Tabby mintty tmux".split())
_LINKING_TERMS = lazy_pattern(r"xterm-(kitty|ghostty)|alacritty|foot|wezterm|contour|rio")
_LINKING_VARIABLES = ("VTE_VERSION", "KONSOLE_VERSION", "WT_SESSION", "DOMTERM")


def terminal_width() -> int:
    """Return the columns of the terminal; `COLUMNS` wins; 100 where there is none, and at most 10,000."""
    return min(10_000, shutil.get_terminal_size((100, 24)).columns)


def is_terminal(stream: TextIO | None) -> bool:
    """True if `stream` is a terminal; an absent or closed stream is none."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def encoding_of(stream: TextIO | None) -> str:
    """Return the encoding that the reader of `stream` expects.

    Where the locale is C, Python writes UTF-8 all the same (PEP 538, 540), but a terminal may not show it.
    """
    given = getattr(stream, "encoding", None) or "utf-8"
    if not is_terminal(stream) or sys.platform in ("win32", "darwin"):
        return given
    if not sys.flags.utf8_mode or os.environ.get("PYTHONUTF8"):
        return given
    ctype = os.environ.get("LC_CTYPE", "")
    names = (os.environ.get("LC_ALL"), "" if ctype.startswith("C.") else ctype, os.environ.get("LANG"))
    return given if "utf" in next((name for name in names if name), "").lower() else "ascii"


def fit_streams() -> None:
    """Let stdout and stderr write `?` for every character that their terminal cannot show."""
    for stream in (sys.stdout, sys.stderr):
        if is_terminal(stream) and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=encoding_of(stream), errors="replace")
    if sys.platform == "win32":  # old consoles print escape sequences instead of obeying them
        import_module("colorama").just_fix_windows_console()


def shows_unicode(stream: TextIO | None = None) -> bool:
    """False if `stream` (default: stdout) is a terminal whose encoding has no bars and arrows."""
    stream = stream or sys.stdout
    try:
        "█→…".encode(encoding_of(stream) if is_terminal(stream) else "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def wants_color(no_color: bool, target: Path | None, stream: TextIO | None = None) -> bool:
    """True if output is coloured: on terminals; `--no-color` and NO_COLOR forbid it, FORCE_COLOR asks for it."""
    if no_color or target is not None or os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0", "false"):
        return True
    return is_terminal(stream or sys.stdout) and not _is_dumb()


def wants_links(when: When, target: Path | None) -> bool:
    """True if links (OSC 8) are written: as asked, else by FORCE_HYPERLINK, else on terminals known to show them.

    Other terminals may print the escape sequences.
    """
    if when != "auto":
        return when == "always"
    forced = os.environ.get("FORCE_HYPERLINK", "")
    if forced and target is None:
        return forced not in ("0", "false")
    if target is not None or not is_terminal(sys.stdout) or _is_dumb() or in_ci():
        return False
    env = os.environ
    # Inside tmux or screen, the outer terminal is not known
    if env.get("TMUX") or env.get("TERM", "").startswith(("screen", "tmux")):
        return env.get("TERM_PROGRAM") == "tmux"
    return (
        env.get("TERM_PROGRAM") in _LINKING_PROGRAMS
        or _LINKING_TERMS.match(env.get("TERM", "")) is not None
        or any(map(env.get, _LINKING_VARIABLES))
    )


def screen_of(root: str, tree: TreeState, no_color: bool, links: When, target: Path | None) -> Screen:
    """Return the screen that an answer is drawn for, with links to the files below `root`.

    It has no links where they are not wanted, and for a revision, whose files are in no folder.
    """
    found = Links(root, link_host()) if not tree.rev and wants_links(links, target) else Links()
    folds = target is None and is_terminal(sys.stdout)
    return Screen(terminal_width(), wants_color(no_color, target), not shows_unicode(), found, folds)


def link_host() -> str:
    """Return this machine's name if the terminal is on another one (SSH) and cannot open local paths; else ""."""
    if not os.environ.get("SSH_CONNECTION") or os.environ.get("TERM_PROGRAM") == "vscode":
        return ""
    import socket

    return socket.gethostname()


def shows_progress() -> bool:
    """True if stderr is a terminal that somebody watches: no `TERM=dumb`, no CI."""
    return is_terminal(sys.stderr) and not _is_dumb() and not in_ci()


def in_ci() -> bool:
    """True if the environment variable CI is set, as on build machines."""
    return os.environ.get("CI", "") not in ("", "0", "false")


def _is_dumb() -> bool:
    return os.environ.get("TERM") == "dumb"
