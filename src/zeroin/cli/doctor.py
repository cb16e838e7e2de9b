"""`zeroin doctor [PATH]`: what works here, and what to do about what does not."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import click

from zeroin.cli.output import NOT_FOUND, OK, complain, write
from zeroin.cli.terminal import encoding_of, is_terminal, shows_unicode, terminal_width, wants_color, wants_links
from zeroin.context.clean import line, path_text

if TYPE_CHECKING:
    from zeroin.doctor import Finding, Result

SCHEMA = "zeroin.doctor/1"
_COLOURS = {"ok": "green", "warn": "yellow", "bad": "red"}


@click.command()
@click.argument("path", default=".", type=click.Path())
@click.option(
    "--format", "-f", "form", type=click.Choice(("table", "json")), default="table", help="Form of the answer."
)
@click.option("--no-color", is_flag=True, help="No colour; NO_COLOR does the same.")
def doctor(path: str, form: str, no_color: bool) -> int:
    """Say what works on this machine and in PATH, and what to do about what does not. Changes nothing.

    The exit code is 0 if everything that zeroin needs works, warnings or not, and 1 if something is broken.
    """
    try:
        from zeroin.doctor import Result, examine, works
    except ImportError as error:
        message = f"a library cannot be loaded: {error}; pip install --force-reinstall zeroin"
        return complain(message, code=NOT_FOUND)

    results = [*examine(path), Result("terminal", "output", _terminal())]
    if form == "json":
        checks = [
            {"area": area, "name": name, **{key: path_text(value) for key, value in found._asdict().items()}}
            for area, name, found in results
        ]
        write(json.dumps({"schema": SCHEMA, "works": works(results), "checks": checks}, indent=2) + "\n", None)
    else:
        write(_table(results, color=wants_color(no_color, None)), None)
    return OK if works(results) else NOT_FOUND


def _terminal() -> Finding:
    from zeroin.doctor import Finding

    if not is_terminal(sys.stdout):
        return Finding("ok", "no terminal: plain text, in UTF-8")
    features = [f"{terminal_width()} columns", encoding_of(sys.stdout)]
    features += ["colour" if wants_color(False, None) else "no colour"]
    features += ["links" if wants_links("auto", None) else "no links (--links always if it shows them)"]
    if shows_unicode():
        return Finding("ok", ", ".join(features))
    locale = next((os.environ[n] for n in ("LC_ALL", "LC_CTYPE", "LANG") if os.environ.get(n)), "not set")
    advice = f"the locale is {locale}, so bars are of ASCII; if the terminal shows UTF-8: export LANG=C.UTF-8"
    return Finding("warn", ", ".join(features), advice)


def _table(results: list[Result], *, color: bool) -> str:
    """Format the areas, below each its checks, below each check its advice."""
    from rich.padding import Padding
    from rich.text import Text

    from zeroin.context.rendering.table import console, shown

    out, area = console(terminal_width(), color), ""
    for result in results:
        if result.area != area:
            out.print(Text(f"{chr(10) if area else ''}{result.area.capitalize()}", style="bold underline"))
            area = result.area
        state, text, advice = result.finding
        row = Text(f"{state:<5}", style=_COLOURS[state])
        row.append(f"{line(result.name)}: ", style="bold").append(line(path_text(text)))
        out.print(Padding(row, (0, 0, 0, 2)), overflow="fold")
        if advice:
            action = Text(f"→ {line(path_text(advice))}", style="dim")
            out.print(Padding(action, (0, 0, 0, 9)), overflow="fold")
    states = [result.finding.state for result in results]
    bad, warned = states.count("bad"), states.count("warn")
    verdict = f"{bad} broken" if bad else "Everything that zeroin needs works"
    text = f"\n{verdict}; {warned} warning{'' if warned == 1 else 's'}"
    out.print(Text(text, style="red" if bad else ""))
    return shown(out, not shows_unicode())
