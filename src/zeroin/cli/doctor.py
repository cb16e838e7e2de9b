"""`zeroin doctor [PATH]`: what works here, and what to do about what does not."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import click

from zeroin.cli.output import NOT_FOUND, OK, write
from zeroin.cli.terminal import (
    encoding_of,
    is_terminal,
    shows_unicode,
    terminal_width,
    wants_color,
    wants_links,
)
from zeroin.context.clean import line, path_text

if TYPE_CHECKING:
    from zeroin.doctor import Check

SCHEMA = "zeroin.doctor/1"
_COLOURS = {"ok": "green", "warn": "yellow", "bad": "red"}


@click.command()
@click.argument("path", default=".", type=click.Path())
@click.option(
    "--format",
    "-f",
    "format_",
    type=click.Choice(("table", "json")),
    default="table",
    help="Form of the answer.",
)
@click.option("--no-color", is_flag=True, help="No colour; NO_COLOR does the same.")
def doctor(path: str, format_: str, no_color: bool) -> int:
    """Say what works on this machine and in PATH, and what to do about what does not. Changes nothing.

    The exit code is 0 if everything that zeroin needs works, warnings or not, and 1 if something is broken.
    """
    from zeroin.doctor import examine, works

    checks = [*examine(path), _terminal()]
    if format_ == "json":
        write(json.dumps(_document(checks, works(checks)), indent=2) + "\n", None)
    else:
        write(_table(checks, color=wants_color(no_color, None)), None)
    return OK if works(checks) else NOT_FOUND


def _terminal() -> Check:
    from zeroin.doctor import Check

    if not is_terminal(sys.stdout):
        return Check("terminal", "output", "ok", "no terminal: plain text, in UTF-8")
    shown = [f"{terminal_width()} columns", encoding_of(sys.stdout)]
    shown += ["colour"] if wants_color(False, None) else ["no colour"]
    shown += ["links"] if wants_links("auto", None) else ["no links (--links always if it shows them)"]
    told = ", ".join(shown)
    if shows_unicode():
        return Check("terminal", "output", "ok", told)
    locale = next((os.environ[n] for n in ("LC_ALL", "LC_CTYPE", "LANG") if os.environ.get(n)), "not set")
    advice = f"the locale is {locale}, so bars are of ASCII; if the terminal shows UTF-8: export LANG=C.UTF-8"
    return Check("terminal", "output", "warn", told, advice)


def _document(checks: list[Check], fine: bool) -> dict[str, object]:
    rows = [
        {
            "area": check.area,
            "name": check.name,
            "state": check.state,
            "told": path_text(check.told),
            "advice": path_text(check.advice),
        }
        for check in checks
    ]
    return {"schema": SCHEMA, "works": fine, "checks": rows}


def _table(checks: list[Check], *, color: bool) -> str:
    """Areas, below each its checks; what to do stands under what it is about."""
    from rich.padding import Padding
    from rich.text import Text

    from zeroin.context.rendering.table import console, shown

    out = console(terminal_width(), color)
    area = ""
    for check in checks:
        if check.area != area:
            out.print(Text(f"{chr(10) if area else ''}{check.area.capitalize()}", style="bold underline"))
            area = check.area
        row = Text(f"{check.state:<5}", style=_COLOURS[check.state])
        row.append(f"{line(check.name)}: ", style="bold").append(line(path_text(check.told)))
        out.print(Padding(row, (0, 0, 0, 2)), overflow="fold")
        if check.advice:
            out.print(
                Padding(Text(f"→ {line(path_text(check.advice))}", style="dim"), (0, 0, 0, 9)),
                overflow="fold",
            )
    bad, warned = (sum(check.state == state for check in checks) for state in ("bad", "warn"))
    out.print()
    verdict = f"{bad} broken" if bad else "Everything that zeroin needs works"
    out.print(Text(f"{verdict}; {warned} warning{'' if warned == 1 else 's'}", style="red" if bad else ""))
    return shown(out, not shows_unicode())
