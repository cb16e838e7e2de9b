"""Run a session, show its answer and keep it: what `find`, `show`, `more` and `refine` share."""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zeroin.cli.output import NOT_FOUND, OK, PARTIAL, check_target, complain, warn, write
from zeroin.cli.progress import LiveView
from zeroin.cli.terminal import When, screen_of, terminal_width

if TYPE_CHECKING:
    from zeroin.answer import Context, Cycle
    from zeroin.context.rendering.jsonl import Stream
    from zeroin.protocols import Progress
    from zeroin.session import Session


@dataclass(frozen=True, slots=True)
class Display:
    """How one answer is shown: the values of `answer_options` that are no fields of `Options`."""

    format_: str
    explain: bool
    null: bool
    output: Path | None
    report: Path | None
    quiet: bool
    no_color: bool
    links: When
    keep: bool
    code: bool  # --pack was given: table and JSON hold code too

    @classmethod
    def take(cls, given: dict[str, Any]) -> Display:
        """Take the fields out of `given`, which then holds settings of the question alone."""
        own = {field.name: given.pop(field.name) for field in fields(cls) if field.name != "code"}
        return cls(**own, code=given.get("pack") is not None)


def answer(ask: Callable[[Progress], Session], display: Display, *, max_cycles: int = 3) -> int:
    """Run and keep the session that `ask` opens, show its answer, return the exit code.

    `max_cycles` is for the progress display. Raises `click.ClickException` where a file cannot be written.
    """
    if display.null and display.format_ != "paths":
        raise click.UsageError("--null ends paths: add --format paths")
    targets = [target for target in (display.output, display.report) if target is not None]
    for target in targets:
        check_target(target)
    if len(targets) > len({target.resolve() for target in targets}):
        raise click.UsageError(f"the answer and the page cannot both be {targets[0]}")
    streams = display.format_ == "jsonl" and display.output is None
    enabled = not (display.quiet or streams)
    handler = signal.getsignal(signal.SIGINT)
    try:
        with LiveView(enabled=enabled, no_color=display.no_color, max_cycles=max_cycles) as view:
            session = ask(view)
            stream = None
            if streams:  # each event is written when it happens
                from zeroin.context.rendering.jsonl import Stream

                stream = Stream(session.task, str(session.opened.root), session.options)
                write(stream.start(), None)
            watch = view.cycle if stream is None else lambda c: write(stream.cycle(c), None)
            context, interrupted = _run(session, watch, keeps=display.keep)
        return _delivered(session, context, stream, display, interrupted)
    finally:
        signal.signal(signal.SIGINT, handler)


def _delivered(session: Session, context: Context, stream: Stream | None, display: Display, interrupted: bool) -> int:
    """Write the answer, the warnings and the HTML page; return the exit code."""
    if stream is None:
        _show(context, session, display)
    else:
        for event in stream.finish(context, session.read):
            write(event, None)
    warn(context.warnings, quiet=display.quiet or display.format_ == "table")
    if display.report is not None:  # last, so that a full disk costs only the page
        from zeroin import report

        write(report.render(context, session.read), display.report)
    return _exit_code(session, context, interrupted)


def _run(session: Session, watch: Callable[[Cycle], None], *, keeps: bool) -> tuple[Context, bool]:
    """Run the cycles and keep the session; return the answer, and True if interrupted after the first cycle.

    Once there is an answer, interrupts are ignored, so that it is written.
    """
    try:
        for cycle in session:
            watch(cycle)
        if keeps:
            from zeroin.session import keep

            keep(session)
        context = session.context()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:
        if not session.loop.cycles:
            raise
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        session.loop.stop_reason = None  # the caller's interrupt is the reason
        return session.context(), True
    return context, False


def _show(context: Context, session: Session, display: Display) -> None:
    from zeroin.context.rendering import render

    # A workspace's paths begin with a repository's name: a link to one would lead nowhere.
    links: When = "never" if context.members else display.links
    data = render(
        context,
        session.read,
        display.format_,
        code=display.code,
        null=display.null,
        top=session.options.top,
        screen=screen_of(context.repository, context.revision, display.no_color, links, display.output),
    )
    if not display.explain:
        write(data, display.output)
        return
    from zeroin.context.rendering.explain import LEAST, MOST
    from zeroin.context.rendering.explain import render as explain

    if display.format_ == "table" and isinstance(data, str):
        most = max(LEAST, MOST - data.count("\n") - 1)
        write(f"{data}\n{explain(context, most=most, width=terminal_width())}", display.output)
    else:
        write(data, display.output)
        click.echo(explain(context, most=MOST, width=terminal_width()), err=True, nl=False)


def _exit_code(session: Session, context: Context, interrupted: bool) -> int:
    if interrupted:
        return complain("interrupted; this is what was found so far", code=PARTIAL)
    partial = session.workspace is not None and session.workspace.partial
    if partial or context.stop_reason.code in ("deadline", "interrupted"):
        return PARTIAL
    from zeroin.context.rendering.wording import weak

    return NOT_FOUND if weak(context) else OK
