"""TEXT and PATH as arguments: a text may begin with a dash, and whoever calls wrongly is shown the right call.

An option has no blank in it and a text nearly always has, so `-x: the exit code is 0` is a text. What has a blank and
could still be an option with its value, such as `-krate limit`, is one where the text stands elsewhere.
"""

from __future__ import annotations

import difflib
import os
import shlex
import textwrap
from collections import deque
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import click

_MOST_SHOWN = 100  # characters of a text in an error
_MOST_SIBLINGS = 1_000  # folders that a misspelt path is compared with
_ENDS_A_FLAG = ":,;)"  # after the letter of a short option: no value begins so


class WrongCall(click.UsageError):
    """An error whose message shows the right call."""


class TextCommand(click.Command):
    """A command of TEXT [PATH]; its `text` may be left out where one of the options `instead` is given."""

    def __init__(
        self, *args: Any, text: str, example: str, instead: Sequence[str] = (), **given: Any
    ) -> None:
        super().__init__(*args, **given)
        self._text = text
        self._example = example
        self._instead = frozenset(instead)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if ctx.resilient_parsing:  # completion
            return super().parse_args(ctx, args)
        options, words = self._separated(ctx, args)
        instead = any(option.partition("=")[0] in self._instead for option in options)
        if not instead and not any(map(_is_text, words)):
            options, words = self._separated(ctx, args, glued="text")
        name = ctx.command_path.removesuffix(" find")
        doubtful = next((option for option in options if _is_dashed(option) and _has_blank(option)), "")
        try:
            left = super().parse_args(ctx, [*options, "--", *words[:2]])  # a wrong option is told first
        except click.BadParameter as error:
            if doubtful and not instead and not any(map(_is_text, words)):
                raise WrongCall(self._needed(name, *words[:1], doubtful=doubtful)) from error
            raise
        self._check(name, words, instead, doubtful)
        return left

    def _separated(
        self, ctx: click.Context, args: Sequence[str], glued: Literal["option", "text"] = "option"
    ) -> tuple[list[str], list[str]]:
        """Options with their values, and the other arguments; `glued` says what a doubtful one is."""
        values = _values_of(self.get_params(ctx))
        options: list[str] = []
        words: list[str] = []
        waiting = deque(args)
        while waiting:
            arg = waiting.popleft()
            if arg == "--":
                words += waiting
                break
            kind = _kind(arg, values)
            if kind == "text" or (kind == "glued" and glued == "text"):
                words.append(arg)
                continue
            options.append(arg)
            wants = _wants(arg, values)
            if wants == "one" and not waiting:  # else the `--` that follows would be its value
                raise click.BadOptionUsage(arg, f"Option '{arg}' requires an argument.", ctx)
            if waiting and (wants == "one" or (wants == "any" and not _is_dashed(waiting[0]))):
                options.append(waiting.popleft())
        return options, words

    def _check(self, name: str, words: Sequence[str], instead: bool, doubtful: str) -> None:
        """Raises `WrongCall` where the words are not a text, and a folder that exists."""
        if len(words) > 2:
            raise WrongCall(self._too_many(name, words))
        if len(words) == 1 and _is_missing(words[0]):
            raise WrongCall(self._no_folder(name, self._example, words[0]))
        if not instead and (not words or (len(words) == 1 and _is_folder(words[0]))):
            raise WrongCall(self._needed(name, *words, doubtful=doubtful))
        if len(words) < 2 or _is_folder(words[1]):
            return
        text, path = words
        if _is_folder(text):
            raise WrongCall(f"the {self._text} comes first: {name} {quoted(path)} {_shown(text)}")
        raise WrongCall(self._no_folder(name, text, path))

    def _too_many(self, name: str, words: Sequence[str]) -> str:
        whole = [word for word in words if _has_blank(word)]
        folders = [word for word in words if _is_folder(word) and word not in whole]
        place = f" {_shown(folders[0])}" if folders else ""
        if whole:  # the text is in quotes: something else is not
            extra = next(word for word in reversed(words) if word not in (whole[0], *folders[:1]))
            call = f"{name} {quoted(whole[0])}{place}"
            return f"{quoted(extra)} is one argument too many; values of several words go in quotes: {call}"
        at = words.index(folders[0]) if folders else -1
        told = [w for i, w in enumerate(words) if i != at] if at in (0, len(words) - 1) else words
        place = place if len(told) < len(words) else ""
        return f"put the {self._text} in quotes: {name} {quoted(' '.join(told))}{place}"

    def _needed(self, name: str, folder: str = "", *, doubtful: str) -> str:
        place = f" {_shown(folder)}" if folder else ""
        if doubtful:
            return f"a {self._text} is needed; to ask what looks like an option: {name} -- {quoted(doubtful)}{place}"
        told = f"a {self._text} is needed, as in: {name} {quoted(self._example)}{place or ' path/to/repo'}"
        if folder and Path(folder).name == folder and folder.isalnum():
            told += f"; about the word itself: {name} {folder} ."
        return told

    def _no_folder(self, name: str, text: str, path: str) -> str:
        if "://" in path:
            return (
                f"{quoted(path)} is no folder here; clone it first, then: {name} {quoted(text)} path/to/repo"
            )
        try:
            is_file = Path(path).expanduser().is_file()
        except (OSError, RuntimeError, ValueError):
            is_file = False
        if is_file:
            above = _shown(str(Path(path).parent))
            call = f"{name} {quoted(text)} {above}"
            return f"{_shown(path)} is a file; name it in the {self._text} and give a folder: {call}"
        if not _has_blank(text) and not _has_blank(path) and not _is_path(path):
            call = f"{name} {quoted(f'{text} {path}')}"
            return f"{_shown(path)} does not exist; put a {self._text} of several words in quotes: {call}"
        near = _near(path)
        told = f"{_shown(path)} does not exist{'; did you mean' if near else '; name a folder, as in'}"
        return f"{told}: {name} {quoted(text)} {_shown(near or 'path/to/repo')}"


def _values_of(params: Sequence[click.Parameter]) -> dict[str, Literal["none", "one", "any"]]:
    """Each name of an option: whether it takes no value, one, or one that may be left out."""
    found: dict[str, Literal["none", "one", "any"]] = {}
    for param in params:
        if isinstance(param, click.Option):
            plain = param.is_flag or param.count
            optional = isinstance(param.flag_value, str)
            for name in (*param.opts, *param.secondary_opts):
                found[name] = "none" if plain else "any" if optional else "one"
    return found


def _kind(arg: str, values: dict[str, Literal["none", "one", "any"]]) -> Literal["option", "glued", "text"]:
    """What an argument is: an option has no blank, unless its value is glued to it."""
    if not _is_dashed(arg):
        return "text"
    if not _has_blank(arg):
        return "option"
    name, equals, _ = arg.partition("=")
    if arg.startswith("--"):
        if not equals or _has_blank(name):
            return "text"
        return {"none": "text", "one": "option", "any": "option"}.get(values.get(name, ""), "glued")  # type: ignore[return-value]
    for at, letter in enumerate(arg[1:], 2):
        wants = values.get(f"-{letter}")
        if wants != "none":
            value = arg[at:]
            begins = bool(value) and not value[0].isspace() and value[0] not in _ENDS_A_FLAG
            return "glued" if wants is not None and begins else "text"
    return "text"


def _wants(option: str, values: dict[str, Literal["none", "one", "any"]]) -> Literal["none", "one", "any"]:
    """Whether the argument after an option is its value."""
    if option.startswith("--"):
        return values.get(option, "none")
    for at, letter in enumerate(option[1:], 2):
        wants = values.get(f"-{letter}", "none")
        if wants != "none":
            return "none" if option[at:] else wants
    return "none"


def _is_dashed(arg: str) -> bool:
    return arg.startswith("-") and len(arg) > 1


def _has_blank(text: str) -> bool:
    return any(c.isspace() for c in text)


def _is_text(word: str) -> bool:
    return not _is_folder(word)


def _is_folder(word: str) -> bool:
    try:
        return bool(word.strip()) and Path(word).expanduser().is_dir()
    except (OSError, RuntimeError, ValueError):
        return False


def _is_path(word: str) -> bool:
    """Whether an argument can only be meant as a path."""
    return any(separator in word for separator in (os.sep, os.altsep, "/") if separator) or word.startswith(
        "."
    )


def _is_missing(word: str) -> bool:
    """Whether an argument is written as a path, and there is nothing."""
    if _has_blank(word) or not word.startswith(("./", "../", "~/")):
        return False
    try:
        return not Path(word).expanduser().exists()
    except (OSError, RuntimeError, ValueError):
        return True


def _near(path: str) -> str:
    """A folder that exists and is spelt nearly so, "" where there is none."""
    try:
        given = Path(path).expanduser()
        with os.scandir(given.parent) as entries:
            names = [entry.name for entry in islice(entries, _MOST_SIBLINGS) if entry.is_dir()]
    except (OSError, RuntimeError, ValueError):
        return ""
    found = difflib.get_close_matches(given.name, names, 1)
    return str(given.parent / found[0]) if found else ""


def quoted(text: str) -> str:
    """A text as a shell takes it, in one line."""
    short = textwrap.shorten(text, _MOST_SHOWN, placeholder="…")
    return shlex.quote(short) if set('"$`\\!') & set(short) else f'"{short}"'


def _shown(path: str) -> str:
    return quoted(path) if _has_blank(path) else path
