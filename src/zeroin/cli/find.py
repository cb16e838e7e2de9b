"""`zeroin TASK [PATH]`: the files that matter for a task."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zeroin.cli.live import LiveView
from zeroin.cli.output import NOT_FOUND, OK, PARTIAL, complain, say, write
from zeroin.cli.request import change, options_of, split, task_text
from zeroin.cli.terminal import shows_unicode, terminal_width, wants_color
from zeroin.errors import InputError, LearningError
from zeroin.types import PURPOSES

if TYPE_CHECKING:
    from zeroin.answer import Context
    from zeroin.context.select import Read
    from zeroin.retrieval import Retrieval
    from zeroin.types import Task

FORMATS = ("table", "json", "markdown", "xml", "paths")


@click.command(epilog="A task that is named like a subcommand: zeroin find cache")
@click.argument("task", required=False)
@click.argument("path", required=False, type=click.Path())
@click.option(
    "--format", "-f", "format_", type=click.Choice(FORMATS), default="table", help="Form of the answer."
)
@click.option("--budget", type=int, metavar="TOKENS", help="Size of the answer in tokens. [8000]")
@click.option(
    "--purpose", type=click.Choice(PURPOSES), help="What the answer is for; inferred from the task."
)
@click.option("--max-cycles", type=int, metavar="N", help="Cycles of the loop at most. [3]")
@click.option("--timeout-s", type=float, metavar="S", help="Return the best so far after S seconds.")
@click.option(
    "--keyword", "-k", "keywords", multiple=True, help="A word to search for, as given; repeatable."
)
@click.option(
    "--include", "-i", "includes", multiple=True, metavar="GLOB", help="Look only here; repeatable."
)
@click.option("--exclude", "-x", "excludes", multiple=True, metavar="GLOB", help="Never return; repeatable.")
@click.option("--focus", multiple=True, metavar="WORDS", help="An aspect to prefer; repeatable.")
@click.option("--without", multiple=True, metavar="A,B", help="Parts to switch off, e.g. history,meaning.")
@click.option(
    "--no-learned", "learned", flag_value=False, default=True, help="Ignore what was learned (zeroin learn)."
)
@click.option("--always-loop", is_flag=True, help="Run the loop even where the answer is plain at once.")
@click.option("--top", type=int, metavar="N", help="Rank at least N files, whatever their relevance.")
@click.option("--rev", metavar="REV", help="Ask about a git revision, without a checkout.")
@click.option(
    "--diff",
    is_flag=False,
    flag_value="",
    default=None,
    metavar="[SPEC]",
    help="A change as the task: a revision, a range A..B, a diff file, or - for stdin; alone: uncommitted changes. "
    "Write --diff=SPEC, or give it last.",
)
@click.option("--explain", is_flag=True, help="Show every cycle: query, what was added or excluded and why.")
@click.option("--jobs", type=click.IntRange(0, 256), metavar="N", help="Processes that analyse files.")
@click.option("--null", is_flag=True, help="With --format paths: end each path with NUL.")
@click.option(
    "--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file, at once."
)
@click.option("--quiet", "-q", is_flag=True, help="No progress and no warnings on stderr.")
@click.option("--no-color", is_flag=True, help="No colour; NO_COLOR does the same.")
def find(
    task: str | None,
    path: str | None,
    format_: str,
    diff: str | None,
    without: tuple[str, ...],
    explain: bool,
    null: bool,
    output: Path | None,
    quiet: bool,
    no_color: bool,
    **given: Any,
) -> int:
    """Find the files that matter for TASK in PATH (default: here)."""
    if diff is not None and path is None and task is not None and Path(task).is_dir():
        task, path = None, task
    repository = "." if path is None else path
    if task == "-" and diff == "-":
        raise click.UsageError("standard input cannot be both the task and the change")
    options = options_of({**given, "without": split(without)})
    asked = _task(task, diff, repository)
    retrieval: Retrieval | None = None
    interrupted = False
    with LiveView(enabled=not quiet, no_color=no_color, most=options.max_cycles) as view:
        try:
            from zeroin import engine

            retrieval = engine.open_loop(asked, repository, options=options, progress=view)
            for cycle in retrieval:
                view.cycle(cycle)
        except KeyboardInterrupt:
            if retrieval is None or not retrieval.loop.cycles:
                raise
            interrupted = True
    context = retrieval.context()
    _show(
        context,
        retrieval.read,
        format_,
        explain=explain,
        null=null,
        top=options.top,
        output=output,
        no_color=no_color,
    )
    if not quiet and format_ != "table":
        for warning in context.warnings:
            say(f"warning: {warning}")
    try:
        retrieval.remember(context)
    except LearningError as error:  # the answer is given all the same
        if not quiet:
            say(f"warning: the task is not remembered: {error}")
    return _exit_code(context, interrupted)


def _task(task: str | None, diff: str | None, repository: str) -> str | Task:
    if diff is None:
        if task is None:
            raise click.UsageError("a task is needed")
        return task_text(task)
    from zeroin.types import Task

    changed = change(diff, repository)
    text = task_text(task) if task is not None and task.strip() else changed.message
    if not changed.files:
        raise InputError("the change touches no file")
    return Task(text or " ".join(f.path for f in changed.files[:20]), "review", changed)


def _show(
    context: Context,
    read: Read,
    format_: str,
    *,
    explain: bool,
    null: bool,
    top: int,
    output: Path | None,
    no_color: bool,
) -> None:
    data = rendered(context, read, format_, null=null, top=top, color=wants_color(no_color, output))
    told = ""
    if explain:
        from zeroin.context.render_explain import render as render_explain

        told = render_explain(context)
    if told and format_ == "table" and isinstance(data, str):
        data, told = f"{data}\n{told}", ""
    write(data, output)
    if told:
        click.echo(told, err=True, nl=False)


def rendered(
    context: Context, read: Read, format_: str, *, null: bool = False, top: int = 0, color: bool = False
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
        context, read, width=terminal_width(), color=color, top=top, ascii_only=not shows_unicode()
    )


def _exit_code(context: Context, interrupted: bool) -> int:
    if interrupted:
        return complain("interrupted; this is what was found so far", code=PARTIAL)
    if context.stop_reason.code in ("deadline", "interrupted"):
        return PARTIAL
    from zeroin.context.wording import weak

    return NOT_FOUND if weak(context) else OK
