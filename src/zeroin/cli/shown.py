"""What `find`, `show`, `more` and `refine` share: how an answer is waited for, shown and ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click

from zeroin.cli.live import LiveView
from zeroin.cli.output import NOT_FOUND, OK, PARTIAL, complain, say, write
from zeroin.cli.terminal import When, here, shows_unicode, terminal_width, wants_color, wants_links
from zeroin.errors import LearningError

if TYPE_CHECKING:
    from zeroin.answer import Context
    from zeroin.context.links import Links
    from zeroin.context.select import Read
    from zeroin.protocols import Progress
    from zeroin.retrieval import Retrieval

FORMATS = ("table", "json", "markdown", "xml", "paths")
Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--format", "-f", "format_", type=click.Choice(FORMATS), default="table", help="Form of the answer."
    ),
    click.option("--budget", type=int, metavar="TOKENS", help="Size of the answer in tokens. [8000]"),
    click.option("--timeout-s", type=float, metavar="S", help="Return the best so far after S seconds."),
    click.option("--top", type=int, metavar="N", help="Rank at least N files, whatever their relevance."),
    click.option(
        "--explain", is_flag=True, help="Show every cycle: query, what was added or excluded and why."
    ),
    click.option(
        "--no-run", "keep", flag_value=False, default=True, help="Do not keep this run (zeroin show)."
    ),
    click.option("--jobs", type=click.IntRange(0, 256), metavar="N", help="Processes that analyse files."),
    click.option("--null", is_flag=True, help="With --format paths: end each path with NUL."),
    click.option(
        "--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file, at once."
    ),
    click.option("--quiet", "-q", is_flag=True, help="No progress and no warnings on stderr."),
    click.option("--no-color", is_flag=True, help="No colour; NO_COLOR does the same."),
    click.option(
        "--links",
        type=click.Choice(get_args(When)),
        default="auto",
        help="Places in the table can be clicked. [auto: on terminals known to show links]",
    ),
)


@dataclass(frozen=True, slots=True)
class Shown:
    """How one answer is shown: the options below that are the command line's alone."""

    format_: str = "table"
    explain: bool = False
    null: bool = False
    output: Path | None = None
    quiet: bool = False
    no_color: bool = False
    links: When = "auto"


def showing(command: Command) -> Command:
    """Adds the options of everything that shows an answer."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def shown_of(given: dict[str, Any]) -> Shown:
    """Takes what is the command line's out of `given`; what is left are settings of the question."""
    return Shown(**{field.name: given.pop(field.name) for field in fields(Shown)})


def answer(ask: Callable[[Progress], Retrieval], shown: Shown, *, most: int = 3) -> int:
    """Ask, show what comes of it, keep the run; the exit code. `most` is how many cycles are expected."""
    retrieval: Retrieval | None = None
    interrupted = False
    with LiveView(enabled=not shown.quiet, no_color=shown.no_color, most=most) as view:
        try:
            retrieval = ask(view)
            for cycle in retrieval:
                view.cycle(cycle)
        except KeyboardInterrupt:
            if retrieval is None or not retrieval.loop.cycles:
                raise
            interrupted = True
    if not interrupted:
        retrieval.keep()
    context = retrieval.context()
    _show(context, retrieval.read, shown, retrieval.options.top)
    if not shown.quiet and shown.format_ != "table":
        for warning in context.warnings:
            say(f"warning: {warning}")
    try:
        retrieval.remember(context)
    except LearningError as error:  # the answer is given all the same
        if not shown.quiet:
            say(f"warning: the task is not remembered: {error}")
    return _exit_code(context, interrupted)


def _show(context: Context, read: Read, shown: Shown, top: int) -> None:
    color = wants_color(shown.no_color, shown.output)
    links = _links(context) if wants_links(shown.links, shown.output) else None
    data = rendered(context, read, shown.format_, null=shown.null, top=top, color=color, links=links)
    told = ""
    if shown.explain:
        from zeroin.context.render_explain import render as render_explain

        told = render_explain(context)
    if told and shown.format_ == "table" and isinstance(data, str):
        data, told = f"{data}\n{told}", ""
    write(data, shown.output)
    if told:
        click.echo(told, err=True, nl=False)


def _links(context: Context) -> Links | None:
    """Links to the files of an answer; none for those of a revision, which lie in no folder."""
    from zeroin.context.links import Links

    return None if context.revision.rev else Links(context.repository, here())


def rendered(
    context: Context,
    read: Read,
    format_: str,
    *,
    null: bool = False,
    top: int = 0,
    color: bool = False,
    links: Links | None = None,
) -> str | bytes:
    """The context in one of `FORMATS`; each renderer is imported when it is asked for."""
    if format_ == "json":
        from zeroin.context.render_json import render as render_json

        return render_json(context, read)
    if format_ == "markdown":
        from zeroin.context.render_markdown import render as render_markdown

        return render_markdown(context, read)
    if format_ == "xml":
        from zeroin.context.render_xml import render as render_xml

        return render_xml(context, read)
    if format_ == "paths":
        from zeroin.context.render_paths import render as render_paths

        return render_paths(context, null=null, top=top)
    from zeroin.context.render_table import render as render_table

    return render_table(
        context,
        read,
        width=terminal_width(),
        color=color,
        top=top,
        ascii_only=not shows_unicode(),
        links=links,
    )


def _exit_code(context: Context, interrupted: bool) -> int:
    if interrupted:
        return complain("interrupted; this is what was found so far", code=PARTIAL)
    if context.stop_reason.code in ("deadline", "interrupted"):
        return PARTIAL
    from zeroin.context.wording import weak

    return NOT_FOUND if weak(context) else OK
