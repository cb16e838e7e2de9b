"""`zeroin show`, `more`, `refine`: show a kept session again, run one more cycle, or apply feedback in one."""

from __future__ import annotations

import json
import time
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zeroin.cli.answer import Display, answer
from zeroin.cli.arguments import WrongCall, quoted
from zeroin.cli.options import answer_options, keep_option
from zeroin.cli.output import NOT_FOUND, OK, say, write
from zeroin.context.clean import line
from zeroin.sessions.record import SessionRecord, is_id
from zeroin.sessions.store import MAX_SESSIONS, newest
from zeroin.types import Feedback

if TYPE_CHECKING:
    from zeroin.protocols import Progress
    from zeroin.session import Session

_LISTED = 20


@click.command()
@click.argument("run", required=False)
@click.option("--all", "every", is_flag=True, help="Without RUN: list all that are kept, not only the last 20.")
@answer_options
@keep_option
def show(run: str | None, every: bool, **given: Any) -> int:
    """Show the answer of RUN again, in any format; without RUN, list the runs that are kept.

    \b
    zeroin show                         the last runs: id, when, where, task
    zeroin show r-5f0c2a91b7 -f markdown

    Where the files have changed since, everything is evaluated anew, and the answer says so.
    """
    if run is None:
        if given["format_"] not in ("table", "json") or given["report"] is not None:
            raise click.UsageError("the list of runs is a table or json: name a RUN for other forms")
        return _list(given["format_"], given["output"], every=every, quiet=given["quiet"])
    return _answer(run, given)


@click.command()
@click.argument("run")
@answer_options
@keep_option
def more(run: str, **given: Any) -> int:
    """Go on from RUN with one more cycle."""
    return _answer(run, given, more=True)


@click.command()
@click.argument("run")
@click.option("--relevant", "-r", multiple=True, metavar="FILE", help="Read it: it is relevant; repeatable.")
@click.option("--irrelevant", "-n", multiple=True, metavar="FILE", help="Read it: it is not; repeatable.")
@click.option(
    "--term",
    "-t",
    "terms",
    multiple=True,
    metavar="WORD",
    help='What the code calls it: "throttle", or "rate limit=throttle"; repeatable.',
)
@click.option("--focus", multiple=True, metavar="WORDS", help="What to look for next; repeatable.")
@click.option("--note", default="", metavar="TEXT", help="What you learned; its names and words are searched for.")
@answer_options
@keep_option
def refine(run: str, **given: Any) -> int:
    """Go on from RUN with what you have read: your judgment of a file stands, and the next cycle starts from it.

    \b
    zeroin refine r-5f0c2a91b7 --relevant src/limit.py --irrelevant src/form.py
    zeroin refine r-5f0c2a91b7 --term "rate limit=throttle" --focus "router registration"
    """
    feedback = Feedback(**{field.name: given.pop(field.name) for field in fields(Feedback)})
    if is_id(run) and feedback == Feedback():
        raise WrongCall(
            "say what you have learned with --relevant, --irrelevant, --term, --focus or --note, "
            f"as in: zeroin refine {run} --relevant src/limit.py"
        )
    return _answer(run, given, feedback=feedback)


def _answer(run: str, given: dict[str, Any], *, feedback: Feedback | None = None, more: bool = False) -> int:
    if not is_id(run):
        if run.startswith("r-"):
            raise WrongCall(f"{quoted(run)} is no run (r-5f0c2a91b7 is one); those that are kept: zeroin show")
        asked = quoted(run) if run.strip() else '"Fix the token expiry bug"'
        raise WrongCall(
            f"{asked} is no run (r-5f0c2a91b7 is one); an answer names its run, so ask first: zeroin {asked}"
        )
    display = Display.take(given)
    settings = {name: value for name, value in given.items() if value is not None}

    def ask(progress: Progress) -> Session:
        from zeroin import engine

        return engine.resume(run, feedback=feedback, more=more, progress=progress, **settings)

    return answer(ask, display)


def _list(format_: str, output: Path | None, *, every: bool, quiet: bool) -> int:
    kept, count = newest(MAX_SESSIONS if every else _LISTED)
    if format_ == "json":
        write(json.dumps([run.to_json() for run in kept], indent=2) + "\n", output)
    else:
        write("".join(f"{_row(run)}\n" for run in kept), output)
        if count > _LISTED and not every and not quiet:
            say(f"{count - _LISTED} more: zeroin show --all")
    if not kept and format_ != "json":
        say("zeroin: no run is kept here yet")
    return OK if kept else NOT_FOUND


def _row(run: SessionRecord) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(run.at))
    steps = f" + {len(run.turns)}" if run.turns else ""
    title = line(run.task.text.strip().split("\n")[0])[:80]
    return f"{run.id}{steps:<5}  {when}  {line(run.place)}  {title}"
