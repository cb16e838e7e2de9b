"""Settings with their defaults; a constant that two rooms must agree on lives here."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import UnionType
from typing import TypedDict

from zeroin.errors import OptionError
from zeroin.types import PACKS, PURPOSES, Pack, Purpose

RETRIEVERS = ("lexical", "symbols", "paths", "history", "graph", "cochange", "dense")
REFINEMENTS = ("phrases", "terminology", "followed")  # what is added to the task's own words
PARTS = (*RETRIEVERS, *REFINEMENTS, "reader")  # what --without can switch off

READER = "ZEROIN_READER"  # environment: path of another reader, to measure one before it is shipped
HOST = "mcp"  # the judge that is the model of an MCP host
JUDGE_ROLES = ("evaluate", "refine", "plan", "verify")  # what a judge may be asked to do

MAX_WORDS_CHARS = 20_000  # of all words that a caller adds to a task: each is analysed in every cycle
MAX_TASK_CHARS = 200_000  # what is read of a task; the rest is ignored with a warning
MAX_FILE_BYTES = 2_000_000  # larger files are listed by path and not analysed
MAX_LINE_CHARS = 4_000  # a text file with a longer line is treated as minified or data
MAX_COMMITS = 20_000  # history that is read, newest first

_RANGES = {  # of whole numbers that a question may set: the least, the most, and what is counted
    "budget": (200, 2_000_000, " tokens"),
    "max_cycles": (1, 10, ""),
    "top": (0, 10_000, ""),
    "max_judge_tokens": (1_000, 2_000_000, ""),
    "max_calls": (1, 100, ""),
    "jobs": (0, 10_000, ""),
}
_KINDS: dict[str, tuple[type | UnionType, str]] = {  # by the annotation of a field: what a value may be
    "int": (int, "a whole number"),
    "bool": (bool, "True or False"),
    "str": (str, "a text"),
    "str | None": (str, "a text"),
    "float | None": (int | float, "a number"),
}


@dataclass(frozen=True, slots=True)
class Options:
    """What one question may set. Raises `OptionError` when a value is out of range or of another type.

    Any list of texts may be given for a tuple or a set of them, and a text for a list of one.
    """

    purpose: Purpose | None = None  # None: inferred from the task
    budget: int = 8_000  # tokens
    pack: Pack = "spans"  # what is shown of a file: its spans, its skeleton, or all of it
    redact: bool = True  # values that look like secrets are not shown
    max_cycles: int = 3
    timeout_s: float | None = None
    keywords: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    focus: tuple[str, ...] = ()
    without: frozenset[str] = field(default_factory=frozenset)
    always_loop: bool = False
    learned: bool = True  # use lessons of the repository, if `may_learn` allows it
    at_once: bool = False  # ask everything in one cycle: what the loop is measured against
    top: int = 0  # rank at least this many files regardless of threshold
    judge: str = ""  # a language model that grades files, PROVIDER:MODEL, command:PROGRAM or mcp; "": none
    judge_roles: frozenset[str] = frozenset(("evaluate", "refine"))  # the others cost a call each
    max_judge_tokens: int = 12_000  # sent and received
    max_calls: int = 4
    max_cost: float | None = None  # US dollars
    rev: str | None = None
    submodules: bool = True  # those that are checked out are part of the repository
    jobs: int = 0  # analysis processes; 0: as many as there are cores, at most 4

    def __post_init__(self) -> None:
        self._check_types()
        if self.purpose is not None and self.purpose not in PURPOSES:
            raise OptionError(f"purpose {self.purpose!r} is none of {', '.join(PURPOSES)}")
        if self.pack not in PACKS:
            raise OptionError(f"pack {self.pack!r} is none of {', '.join(PACKS)}")
        if self.timeout_s is not None and not 0 < self.timeout_s <= 86_400:
            raise OptionError(f"timeout must be above 0 and at most 86400 seconds, not {self.timeout_s}")
        for name, (least, most, unit) in _RANGES.items():
            if not least <= (value := getattr(self, name)) <= most:
                raise OptionError(f"{name.replace('_', ' ')} {value} is outside {least}..{most}{unit}")
        self._check_judge()
        unknown = self.without - set(PARTS)
        if unknown:
            raise OptionError(f"unknown part {', '.join(sorted(unknown))}; known: {', '.join(PARTS)}")

    def _check_judge(self) -> None:
        if self.judge and ":" not in self.judge and self.judge != HOST:
            raise OptionError(f"judge {self.judge!r} is not of the form PROVIDER:MODEL or command:PROGRAM")
        if unknown := self.judge_roles - set(JUDGE_ROLES):
            raise OptionError(f"unknown role {', '.join(sorted(unknown))}; known: {', '.join(JUDGE_ROLES)}")
        if self.max_cost is not None and not 0 < self.max_cost <= 1_000:
            raise OptionError(f"max cost must be above 0 and at most 1000 US dollars, not {self.max_cost}")

    def _check_types(self) -> None:
        for each in fields(self):
            kind, name, value = str(each.type), each.name, getattr(self, each.name)
            if kind.startswith(("tuple", "frozenset")):
                listed = texts_of(name, value)
                object.__setattr__(self, name, listed if kind.startswith("tuple") else frozenset(listed))
            elif kind in _KINDS and not (value is None and kind.endswith("None")):
                allowed, what = _KINDS[kind]
                if not isinstance(value, allowed) or (isinstance(value, bool) and kind != "bool"):
                    raise OptionError(f"{name} must be {what}, not {value!r}")


class Settings(TypedDict, total=False):
    """The fields of `Options` as keyword arguments of `zeroin.retrieve` and the calls like it."""

    purpose: Purpose | None
    budget: int
    pack: Pack
    redact: bool
    max_cycles: int
    timeout_s: float | None
    keywords: tuple[str, ...]
    includes: tuple[str, ...]
    excludes: tuple[str, ...]
    focus: tuple[str, ...]
    without: frozenset[str]
    always_loop: bool
    learned: bool
    at_once: bool
    top: int
    judge: str
    judge_roles: frozenset[str]
    max_judge_tokens: int
    max_calls: int
    max_cost: float | None
    rev: str | None
    submodules: bool
    jobs: int


def texts_of(name: str, value: object) -> tuple[str, ...]:
    """Return a list of texts, or a text as a list of one. Raises `OptionError` for anything else."""
    items = (value,) if isinstance(value, str) else value
    if not isinstance(items, list | tuple | set | frozenset) or not all(isinstance(x, str) for x in items):
        raise OptionError(f"{name} must be a list of texts, not {value!r}")
    most = MAX_WORDS_CHARS if name in ("keywords", "focus", "terms") else MAX_TASK_CHARS
    if (size := sum(map(len, items))) > most:
        raise OptionError(f"{name} has {size:,} characters; at most {most:,} are taken")
    return tuple(items if isinstance(items, list | tuple) else sorted(items))


def options_with(options: Options | None, settings: Settings) -> Options:
    """`options`, or the defaults, with some fields replaced. Raises `OptionError`."""
    if unknown := set(settings) - set(Settings.__annotations__):
        from difflib import get_close_matches  # only where something is wrong

        known = [each for name in sorted(unknown) for each in get_close_matches(name, Settings.__annotations__, 1)]
        meant = f"; did you mean {', '.join(known)}?" if known else ""
        raise OptionError(f"unknown option {', '.join(sorted(unknown))}{meant}")
    if not isinstance(options, Options | None):
        raise OptionError(f"options must be zeroin.Options, not {options!r}")
    return replace(options or Options(), **settings)


def cache_dir() -> Path:
    """The cache directory of this user; read from the environment on every call, never created here."""
    return _folder("ZEROIN_CACHE_DIR", "zeroin", "Caches", "XDG_CACHE_HOME", ".cache")


def data_dir() -> Path:
    """The directory of this user's data that cannot be computed again; never created here, never a roaming folder."""
    return _folder("ZEROIN_DATA_DIR", "zeroin/data", "Application Support", "XDG_DATA_HOME", ".local/share")


def _folder(variable: str, windows: str, mac: str, xdg: str, below_home: str) -> Path:
    """Return the folder that a variable names, else the one that this system has for such files."""
    if given := os.environ.get(variable):
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or _home() / "AppData" / "Local") / windows
    if sys.platform == "darwin":
        return _home() / "Library" / mac / "zeroin"
    given = os.environ.get(xdg, "")  # the XDG specification: a relative path is ignored
    return Path(given if given.startswith("/") else _home() / below_home) / "zeroin"


def judge_of_environment() -> str:
    """Return the language model that the user has named for all questions of a server; "" for none."""
    return os.environ.get("ZEROIN_JUDGE", "")


def facts_of_environment() -> str:
    """Return the place from which every question takes facts that it lacks; "" for none."""
    return os.environ.get("ZEROIN_FACTS", "")


def may_keep_sessions() -> bool:
    """False where the environment says that no session is to be kept."""
    return not os.environ.get("ZEROIN_NO_RUNS")


def home_folder() -> Path:
    """Return the user's home folder; an empty HOME counts as none. Raises `RuntimeError` where there is none."""
    if sys.platform == "win32" or os.environ.get("HOME") != "":
        return Path.home()  # with an empty HOME this is the root of the file system
    from pwd import getpwuid

    try:
        return Path(getpwuid(os.getuid()).pw_dir)
    except KeyError as error:
        raise RuntimeError("this user has no account") from error


def _home() -> Path:
    try:
        return home_folder()
    except RuntimeError as error:  # a container without an account for its user
        message = "this user has no home folder: name one in HOME, or set ZEROIN_CACHE_DIR and ZEROIN_DATA_DIR"
        raise OptionError(message) from error


def may_learn() -> bool:
    """False where the environment switches learning off: no lesson is used."""
    return not os.environ.get("ZEROIN_NO_LEARNED")
