"""Parse TEXT and PATH: a text may begin with a dash, and the error for a wrong call shows the right call.

An option holds no blank and a text nearly always does, so `-x: the exit code is 0` is a text. An option with its value
attached, such as `-krate limit` or `--focus=rate limit`, stays an option; but `-fPIC is not passed` is a text where no
other argument is.
"""

import difflib
import os
import shlex
import textwrap
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import click

_MAX_SHOWN = 100  # characters of a text in an error
_MAX_SIBLINGS = 1_000  # folders that a misspelt path is compared with
_ENDS_A_FLAG = ":,;)"  # after the letter of a short option; no value begins with one of these


class WrongCall(click.UsageError):
    """An error whose message shows the right call."""


class TextCommand(click.Command):
    """A command that takes TEXT [PATH]; with `several`, any number of paths.

    TEXT may be left out where a parameter named in `instead` is given. Errors call it `text` and show the `example`.
    """

    def __init__(
        self, *args: Any, text: str, example: str, instead: Sequence[str] = (), several: bool = False, **given: Any
    ) -> None:
        super().__init__(*args, **given)
        self._several = several
        self._text = text
        self._example = example
        self._instead = frozenset(instead)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if ctx.resilient_parsing:  # completion
            return super().parse_args(ctx, args)
        ctx.allow_extra_args = True
        extra = super().parse_args(ctx, self._hidden(ctx, args))
        ctx.params = {name: _restored(value) for name, value in ctx.params.items()}
        arguments = [ctx.params[p.name] for p in self.params if isinstance(p, click.Argument) and p.name]
        words = [*_flat(arguments), *(_restored(word) for word in extra)]
        instead = any(ctx.params.get(name) not in (None, False) for name in self._instead)
        self._check(ctx.command_path.removesuffix(" find"), words, instead)
        return []

    def _hidden(self, ctx: click.Context, args: Sequence[str]) -> list[str]:
        """Return the arguments with a blank before each text that begins with a dash: so the parser takes no option."""
        options = [param for param in self.params if isinstance(param, click.Option)]
        valued = {name: not option.is_flag for option in options for name in option.opts}
        hidden = [f" {arg}" if _is_dashed_text(arg, valued) else arg for arg in args]
        given, extra, _ = self.make_parser(ctx).parse_args(list(hidden))
        words = _flat([given.get(p.name or "") for p in self.params if isinstance(p, click.Argument)])
        if self._instead & given.keys() or any(
            isinstance(word, str) and not is_folder(word) for word in [*words, *extra]
        ):
            return hidden
        return [f" {arg}" if arg[:1] == "-" != arg[1:2] and _has_blank(arg) else arg for arg in hidden]

    def _check(self, name: str, words: Sequence[str], instead: bool) -> None:
        """Raise `WrongCall` unless the words are a text and folders that exist."""
        missing = [word for word in words[1:] if not is_folder(word)]
        if len(words) > 2 and self._several and not missing:
            return
        if len(words) > 2 and _has_blank(words[0]):
            if missing:
                raise WrongCall(self._no_folder(name, words[0], missing[0]))
            raise WrongCall(f"one folder at a time: {name} {quoted(words[0])} {_shown(words[1])}")
        if len(words) > 2:
            at = next((i for i in (-1, 0) if is_folder(words[i]) or _is_missing(words[i])), None)
            text = " ".join(word for i, word in enumerate(words) if at is None or i != at % len(words))
            folder = f" {_shown(words[at])}" if at is not None else ""
            raise WrongCall(f"put the {self._text} in quotes: {name} {quoted(text)}{folder}")
        if len(words) == 1 and _is_missing(words[0]):
            raise WrongCall(self._no_folder(name, self._example, words[0]))
        if not instead and all(map(is_folder, words[:1])) and len(words) < 2:
            raise WrongCall(self._needed(name, *words))
        if len(words) == 2 and not is_folder(words[1]):
            text, path = words
            if is_folder(text):
                raise WrongCall(f"the {self._text} comes first: {name} {quoted(path)} {_shown(text)}")
            raise WrongCall(self._no_folder(name, text, path))

    def _needed(self, name: str, folder: str = "") -> str:
        place = _shown(folder) if folder else "path/to/repo"
        message = f"a {self._text} is needed, as in: {name} {quoted(self._example)} {place}"
        if folder and Path(folder).name == folder and folder.isalnum():
            message += f"; about the word itself: {name} {folder} ."
        return message

    def _no_folder(self, name: str, text: str, path: str) -> str:
        if "://" in path:
            return f"{quoted(path)} is no folder here; clone it first, then: {name} {quoted(text)} path/to/repo"
        if not _has_blank(text) and not _has_blank(path) and "/" not in path and not path.startswith("."):
            call = f"{name} {quoted(f'{text} {path}')}"
            return f"{_shown(path)} does not exist; put a {self._text} of several words in quotes: {call}"
        if _exists(path):
            call = f"{name} {quoted(text)} {_shown(str(Path(path).parent))}"
            return f"{_shown(path)} is a file; name it in the {self._text} and give a folder: {call}"
        near = _near(path)
        hint = "did you mean" if near else "name a folder, as in"
        return f"{_shown(path)} does not exist; {hint}: {name} {quoted(text)} {_shown(near or 'path/to/repo')}"


def _is_dashed_text(arg: str, valued: Mapping[str, bool]) -> bool:
    """True if an argument begins with a dash but holds a blank, and is no option with its value attached."""
    if not arg.startswith("-") or not _has_blank(arg):
        return False
    if arg.startswith("--"):
        name, equals, _ = arg.partition("=")
        return not (equals and valued.get(name))
    flags = arg[1:].partition(" ")[0]
    at = next((i for i, letter in enumerate(flags) if valued.get(f"-{letter}") is not False), len(flags))
    value = flags[at + 1 :]
    return not valued.get(f"-{flags[at : at + 1]}") or value[:1] in _ENDS_A_FLAG


def _restored(value: Any) -> Any:
    """Return a value as the caller wrote it: without the blank that `_hidden` put before its dash."""
    if isinstance(value, tuple):
        return tuple(map(_restored, value))
    if isinstance(value, str | Path) and str(value).startswith(" -"):
        return type(value)(str(value)[1:])
    return value


def _flat(values: Sequence[Any]) -> list[str]:
    out: list[str] = []
    for value in values:
        out += value if isinstance(value, tuple) else [value] if isinstance(value, str) else []
    return out


def _has_blank(text: str) -> bool:
    return any(c.isspace() for c in text)


def is_folder(word: str) -> bool:
    """True if an argument is the path of a folder; False for a text, however long."""
    return bool(word.strip()) and os.path.isdir(os.path.expanduser(word))  # noqa: PTH111, PTH112 (never fail)


def _exists(word: str) -> bool:
    return os.path.exists(os.path.expanduser(word))  # noqa: PTH110, PTH111 (never fail)


def _is_missing(word: str) -> bool:
    """True if an argument is written as a path (`./`, `../`, `~/`) that does not exist."""
    return not _has_blank(word) and word.startswith(("./", "../", "~/")) and not _exists(word)


def _near(path: str) -> str:
    """Return an existing folder whose name is spelt nearly like `path`; "" if there is none."""
    try:
        given = Path(path).expanduser()
        with os.scandir(given.parent) as entries:
            names = [entry.name for entry in islice(entries, _MAX_SIBLINGS) if entry.is_dir()]
    except (OSError, RuntimeError, ValueError):
        return ""
    found = difflib.get_close_matches(given.name, names, 1)
    return str(given.parent / found[0]) if found else ""


def quoted(text: str) -> str:
    """Quote a text for a shell, shortened to one line."""
    short = textwrap.shorten(text, _MAX_SHOWN, placeholder="…")
    return shlex.quote(short) if set('"$`\\!') & set(short) else f'"{short}"'


def _shown(path: str) -> str:
    return quoted(path) if _has_blank(path) else path
