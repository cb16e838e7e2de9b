"""What the terminal can show, by stated rules: colour, its characters, links, a view that is drawn over.

The rules, in docs/CLI.md ("Terminals") for people: what the caller says wins, then the environment, then what the
stream is. A stream that is no terminal gets plain text, unless the caller asks for more.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TextIO

if TYPE_CHECKING:
    from zeroin.context.rendering.links import Links
    from zeroin.tree import TreeState

When = Literal["auto", "always", "never"]

_LINKING_PROGRAMS = frozenset(
    ("iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "Tabby", "mintty")
)
_LINKING_TERMS = re.compile(r"xterm-(kitty|ghostty)|alacritty|foot|wezterm|contour|rio")
_LEAST_VTE, _LEAST_KONSOLE, _LEAST_TMUX = 5000, 201200, (3, 4)  # the first versions that show OSC 8 links
_ENABLE_PROCESSING = 0x0004  # ENABLE_VIRTUAL_TERMINAL_PROCESSING of the Windows console


def terminal_width() -> int:
    """Columns of the terminal; `COLUMNS` wins; 100 where there is none."""
    return shutil.get_terminal_size((100, 24)).columns


def is_terminal(stream: TextIO | None) -> bool:
    """Whether `stream` is one; a stream that is absent or closed is none."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def encoding_of(stream: TextIO | None) -> str:
    """The encoding of what is at the other end of `stream`.

    Where the locale is C, Python writes UTF-8 all the same (PEP 538, 540); a terminal is then taken at its word.
    """
    given = getattr(stream, "encoding", None) or "utf-8"
    if not is_terminal(stream) or sys.platform in ("win32", "darwin"):
        return given
    if not sys.flags.utf8_mode or os.environ.get("PYTHONUTF8"):
        return given
    kinds = os.environ.get("LC_CTYPE", "")
    names = (os.environ.get("LC_ALL"), "" if kinds.startswith("C.") else kinds, os.environ.get("LANG"))
    return given if "utf" in next((name for name in names if name), "").lower() else "ascii"


def fitting(text: str, stream: TextIO | None) -> str:
    """`text` with every character that the other end of `stream` cannot show replaced."""
    encoding = encoding_of(stream)
    return text.encode(encoding, "replace").decode(encoding)


def shows_unicode(stream: TextIO | None = None) -> bool:
    """False for a terminal whose encoding has no bars and arrows; stdout where no stream is given."""
    stream = stream or sys.stdout
    try:
        "█→…".encode(encoding_of(stream) if is_terminal(stream) else "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def wants_color(no_color: bool, target: Path | None, stream: TextIO | None = None) -> bool:
    """Colour only on a terminal that can show it; `--no-color` and NO_COLOR forbid it, FORCE_COLOR asks for it."""
    stream = stream or sys.stdout
    if no_color or target is not None or os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0", "false"):
        return True
    return is_terminal(stream) and not _dumb() and obeys_sequences(stream)


def wants_links(when: When, target: Path | None) -> bool:
    """Whether locations are links (OSC 8): as said, else FORCE_HYPERLINK, else on a terminal known to show them.

    A terminal that does not know the sequence mostly swallows it, some print it: so only known ones get it unasked.
    """
    if when != "auto":
        return when == "always"
    asked = os.environ.get("FORCE_HYPERLINK", "")
    if asked and target is None:
        return asked not in ("0", "false")
    if target is not None or not is_terminal(sys.stdout) or _dumb() or in_ci():
        return False
    return obeys_sequences(sys.stdout) and _known_to_link()


def links_to(root: str, tree: TreeState, when: When, target: Path | None) -> Links | None:
    """Links to the files below `root`; none where they are not wanted, or are of a revision and lie in no folder."""
    if tree.rev or not wants_links(when, target):
        return None
    from zeroin.context.rendering.links import Links

    return Links(root, here())


def _known_to_link() -> bool:
    env = os.environ
    if env.get("TMUX") or env.get("TERM", "").startswith(("screen", "tmux")):  # what lies behind is not told
        found = re.match(r"(\d+)\.(\d+)", env.get("TERM_PROGRAM_VERSION", ""))
        recent = found is not None and (int(found[1]), int(found[2])) >= _LEAST_TMUX
        return env.get("TERM_PROGRAM") == "tmux" and recent
    return (
        env.get("TERM_PROGRAM") in _LINKING_PROGRAMS
        or _LINKING_TERMS.match(env.get("TERM", "")) is not None
        or _number("VTE_VERSION") >= _LEAST_VTE
        or _number("KONSOLE_VERSION") >= _LEAST_KONSOLE
        or bool(env.get("WT_SESSION") or env.get("DOMTERM"))
    )


def here() -> str:
    """The name of this machine where the terminal is on another one (SSH), which can then tell; else ""."""
    if not os.environ.get("SSH_CONNECTION") or _in_editor():
        return ""
    import socket

    return socket.gethostname()


def _in_editor() -> bool:
    """A terminal of an editor that is itself connected to this machine: the files are as near as to us."""
    return os.environ.get("TERM_PROGRAM") == "vscode"


def shows_progress() -> bool:
    """Whether stderr is a terminal that somebody watches: no `TERM=dumb`, no CI."""
    return is_terminal(sys.stderr) and not _dumb() and not in_ci()


def in_ci() -> bool:
    """Whether a build machine says that it runs us."""
    return os.environ.get("CI", "") not in ("", "0", "false")


def _dumb() -> bool:
    return os.environ.get("TERM") == "dumb"


def _number(name: str) -> int:
    value = os.environ.get(name, "")
    return int(value) if value.isascii() and value.isdigit() else 0


def obeys_sequences(stream: TextIO) -> bool:
    """False for a console of Windows that prints escape sequences instead of obeying them; they are switched on."""
    if sys.platform != "win32":
        return True
    if os.environ.get("TERM") or os.environ.get("WT_SESSION"):  # mintty, a modern host: no console to ask
        return True
    return _switched_on(stream)


def _switched_on(stream: TextIO) -> bool:
    import ctypes

    try:
        kernel = ctypes.windll.kernel32  # type: ignore[attr-defined, unused-ignore]
        handle = kernel.GetStdHandle(-12 if stream is sys.stderr else -11)
        mode = ctypes.c_uint32()
        if not kernel.GetConsoleMode(handle, ctypes.byref(mode)):
            return False
        return bool(kernel.SetConsoleMode(handle, mode.value | _ENABLE_PROCESSING))
    except (AttributeError, OSError):
        return False
