"""What `find`, `show`, `more` and `refine` share: run a session, show its answer, keep it; the exit code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zeroin.cli.output import NOT_FOUND, OK, PARTIAL, check_target, complain, warn, write
from zeroin.cli.progress import LiveView
from zeroin.cli.terminal import When, links_to, shows_unicode, terminal_width, wants_color

if TYPE_CHECKING:
    from zeroin.answer import Context, Cycle
    from zeroin.protocols import Progress
    from zeroin.session import Session


@dataclass(frozen=True, slots=True)
class Display:
    """How one answer is shown: the `answer_options` that are no settings of the question."""

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
        """Take its fields out of `given`; what is left are settings of the question."""
        own = {field.name: given.pop(field.name) for field in fields(cls) if field.name != "code"}
        return cls(**own, code=given.get("pack") is not None)


def answer(ask: Callable[[Progress], Session], display: Display, *, max_cycles: int = 3) -> int:
    """Ask, show the answer, keep the session; `max_cycles` are expected. The exit code."""
    for target in (display.output, display.report):
        if target is not None:
            check_target(target)
    streams = display.format_ == "jsonl" and display.output is None
    enabled = not (display.quiet or streams)
    with LiveView(enabled=enabled, no_color=display.no_color, max_cycles=max_cycles) as view:
        session = ask(view)
        events = _Events(session) if streams else None
        interrupted = _run(session, [view.cycle] if events is None else [events.cycle])
    if display.keep and not interrupted:
        from zeroin import saving

        saving.keep(session)
    context = session.context()
    if events is not None:
        events.finish(context)
    else:
        _show(context, session, display)
    warn(context.warnings, quiet=display.quiet or display.format_ == "table")
    if display.report is not None:  # last: a disk that is full by now costs the page alone
        from zeroin import report

        write(report.of(session, context), display.report)
    return _exit_code(session, context, interrupted)


def _run(session: Session, watchers: list[Callable[[Cycle], None]]) -> bool:
    """Run the cycles; True if the caller interrupted them after the first one."""
    try:
        for cycle in session:
            for watch in watchers:
                watch(cycle)
    except KeyboardInterrupt:
        if not session.loop.cycles:
            raise
        return True
    return False


class _Events:
    """The events of `--format jsonl`, each written when it happens."""

    def __init__(self, session: Session) -> None:
        from zeroin.context.rendering.jsonl import Stream

        self._stream = Stream(session.task, str(session.opened.root), session.options)
        self._read = session.read
        self._cycles: set[int] = set()
        write(self._stream.start(), None)

    def cycle(self, cycle: Cycle) -> None:
        """Write what one cycle did."""
        self._cycles.add(cycle.number)
        write(self._stream.cycle(cycle), None)

    def finish(self, context: Context) -> None:
        """Write the cycles that had run before, and the answer."""
        for cycle in context.cycles:
            if cycle.number not in self._cycles:
                self.cycle(cycle)
        for event in self._stream.finish(context, self._read):
            write(event, None)


def _show(context: Context, session: Session, display: Display) -> None:
    from zeroin.context.rendering import render
    from zeroin.context.rendering.screen import Screen

    data = render(
        context,
        session.read,
        display.format_,
        code=display.code,
        null=display.null,
        top=session.options.top,
        screen=Screen(
            terminal_width(),
            wants_color(display.no_color, display.output),
            not shows_unicode(),
            # Paths of several repositories begin with their names, which lead nowhere.
            links_to(context.repository, context.revision, display.links, display.output)
            if not context.members
            else None,
        ),
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
