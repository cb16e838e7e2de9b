"""What `find`, `show`, `more` and `refine` share: how an answer is waited for, shown and ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click

from zeroin.cli.live import LiveView
from zeroin.cli.output import NOT_FOUND, OK, PARTIAL, check_target, complain, say, write
from zeroin.cli.terminal import When, links_to, shows_unicode, terminal_width, wants_color
from zeroin.context.rendering import FORMATS
from zeroin.types import PACKS

if TYPE_CHECKING:
    from zeroin.answer import Context, Cycle
    from zeroin.context.packing.texts import Read
    from zeroin.context.rendering.links import Links
    from zeroin.protocols import Progress
    from zeroin.session import Session

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--format", "-f", "format_", type=click.Choice(FORMATS), default="table", help="Form of the answer."
    ),
    click.option("--budget", type=int, metavar="TOKENS", help="Size of the answer in tokens. [8000]"),
    click.option(
        "--pack",
        type=click.Choice(PACKS),
        help="What is shown of a file: spans, its skeleton, or all of it; puts code into table and json too. [spans]",
    ),
    click.option("--no-redact", "redact", flag_value=False, default=True, help="Show secrets as they are."),
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
    click.option(
        "--report",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write a page to look at besides: one HTML file that shows how the answer came about.",
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
    report: Path | None = None
    quiet: bool = False
    no_color: bool = False
    links: When = "auto"
    keep: bool = True  # the question is kept, for `zeroin show`, `more` and `refine`
    code: bool = False  # --pack was given: table and JSON hold code too


def showing(command: Command) -> Command:
    """Adds the options of everything that shows an answer."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def shown_of(given: dict[str, Any]) -> Shown:
    """Takes what is the command line's out of `given`; what is left are settings of the question."""
    own = {field.name: given.pop(field.name) for field in fields(Shown) if field.name != "code"}
    return Shown(**own, code=given.get("pack") is not None)


def answer(ask: Callable[[Progress], Session], shown: Shown, *, most: int = 3) -> int:
    """Ask, show what comes of it, keep the run; the exit code. `most` is how many cycles are expected."""
    for target in (shown.output, shown.report):
        if target is not None:
            check_target(target)
    session: Session | None = None
    interrupted = False
    events: LiveEvents | None = None
    live = shown.format_ == "jsonl" and shown.output is None
    with LiveView(enabled=not (shown.quiet or live), no_color=shown.no_color, most=most) as view:
        try:
            session = ask(view)
            events = LiveEvents(session) if live else None
            for cycle in session:
                view.cycle(cycle)
                if events is not None:
                    events.cycle(cycle)
        except KeyboardInterrupt:
            if session is None or not session.loop.cycles:
                raise
            interrupted = True
    from zeroin import saving

    if shown.keep and not interrupted:
        saving.keep(session)
    context = session.context()
    if events is not None:
        events.finish(context)
    else:
        _show(context, session.read, shown, session.options.top)
    if not shown.quiet and shown.format_ != "table":
        for warning in context.warnings:
            say(f"warning: {warning}")
    if shown.report is not None:  # last: a disk that is full by now costs the page alone
        from zeroin import report

        write(report.of(session, context), shown.report)
    return _exit_code(context, interrupted)


class LiveEvents:
    """The events of `--format jsonl`, each written when it happens."""

    def __init__(self, session: Session) -> None:
        from zeroin.context.rendering.jsonl import Stream

        self._stream = Stream(session.task, str(session.opened.root), session.options)
        self._read = session.read
        self._cycles: set[int] = set()
        write(self._stream.start(), None)

    def cycle(self, cycle: Cycle) -> None:
        """What one cycle did."""
        self._cycles.add(cycle.number)
        write(self._stream.cycle(cycle), None)

    def finish(self, context: Context) -> None:
        """Cycles that ran before we looked, then the answer."""
        for cycle in context.cycles:
            if cycle.number not in self._cycles:
                self.cycle(cycle)
        for event in self._stream.finish(context, self._read):
            write(event, None)


def _show(context: Context, read: Read, shown: Shown, top: int) -> None:
    color = wants_color(shown.no_color, shown.output)
    links = links_to(context.repository, context.revision, shown.links, shown.output)
    data = rendered(
        context, read, shown.format_, code=shown.code, null=shown.null, top=top, color=color, links=links
    )
    told = ""
    if shown.explain:
        from zeroin.context.rendering.explain import LEAST, MOST
        from zeroin.context.rendering.explain import render as render_explain

        above = data.count("\n") + 1 if shown.format_ == "table" and isinstance(data, str) else 0
        told = render_explain(context, most=max(LEAST, MOST - above), width=terminal_width())
    if told and shown.format_ == "table" and isinstance(data, str):
        data, told = f"{data}\n{told}", ""
    write(data, shown.output)
    if told:
        click.echo(told, err=True, nl=False)


def rendered(
    context: Context,
    read: Read,
    format_: str,
    *,
    code: bool = False,
    null: bool = False,
    top: int = 0,
    color: bool = False,
    links: Links | None = None,
) -> str | bytes:
    """The context in one of `FORMATS`, for a terminal like this one."""
    from zeroin.context.rendering import render

    return render(
        context,
        read,
        format_,
        code=code,
        null=null,
        top=top,
        width=terminal_width(),
        color=color,
        ascii_only=not shows_unicode(),
        links=links,
    )


def _exit_code(context: Context, interrupted: bool) -> int:
    if interrupted:
        return complain("interrupted; this is what was found so far", code=PARTIAL)
    if context.stop_reason.code in ("deadline", "interrupted"):
        return PARTIAL
    from zeroin.context.rendering.wording import weak

    return NOT_FOUND if weak(context) else OK
