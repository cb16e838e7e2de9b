"""`zeroin learn`: what turned out relevant, kept for the next question about the same repository."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zeroin.cli.arguments import TextCommand
from zeroin.cli.output import OK, say, write
from zeroin.cli.request import read_stdin, read_text, task_text
from zeroin.errors import InputError

if TYPE_CHECKING:
    from zeroin.types import Feedback

_ACTIONS = ("show", "forget")


@click.command(
    cls=TextCommand,
    text="task",
    example="Sign-in is not throttled",
    instead=("--run", "--show", "--forget"),
)
@click.argument("task", required=False)
@click.argument("path", required=False)
@click.option("--relevant", "-r", multiple=True, metavar="FILE", help="Turned out relevant; repeatable.")
@click.option("--irrelevant", "-n", multiple=True, metavar="FILE", help="Turned out not to be; repeatable.")
@click.option(
    "--run",
    metavar="RUN|FILE",
    help="Take TASK from a run that is kept, with what it was told of files, or from a JSON answer.",
)
@click.option("--show", is_flag=True, help="Show what was learned.")
@click.option("--forget", metavar="ID|all", help="Forget one task, or everything.")
@click.option(
    "--format",
    "-f",
    "format_",
    type=click.Choice(("table", "json")),
    default="table",
    help="Form of the output.",
)
@click.option("--quiet", "-q", is_flag=True, help="No warnings on stderr.")
def learn(
    task: str | None,
    path: str | None,
    relevant: tuple[str, ...],
    irrelevant: tuple[str, ...],
    run: str | None,
    format_: str,
    quiet: bool,
    **given: Any,
) -> int:
    """Learn what turned out relevant to TASK in PATH (default: here), so that later questions are answered better.

    \b
    zeroin learn "Sign-in is not throttled" --relevant src/limit.py --irrelevant src/form.py
    zeroin learn --run r-5f0c2a91b7     what was said of files by zeroin refine
    zeroin learn --run answer.json --relevant src/limit.py
    zeroin learn --show | --forget ID | --forget all

    What is learned stays on this machine. Asking with --no-learned ignores it.
    """
    chosen = [name for name in _ACTIONS if given[name]]
    marked = bool(relevant or irrelevant)
    if len(chosen) > 1 or (chosen and (marked or run is not None)):
        raise click.UsageError("one thing at a time: FILES to learn from, --show or --forget")
    if chosen or run is not None:
        if path is not None:
            raise click.UsageError("this needs no TASK: give PATH alone")
        task, path = None, task
    repository = "." if path is None else path
    from zeroin import lessons
    from zeroin.cli.learned import as_json, as_table

    if chosen == ["show"]:
        known = lessons.known(repository)
        _warn(known.warnings, quiet)
        write(as_json(known) if format_ == "json" else as_table(known), None)
    elif chosen == ["forget"]:
        count = lessons.forget(repository, None if given["forget"] == "all" else given["forget"])
        click.echo(f"forgot {count} task{'s' if count != 1 else ''}")
    else:
        text = ""
        if run is not None:
            text, place, good, bad = _judged_in(run)
            repository = place if path is None and place else repository
            relevant, irrelevant = relevant or good, irrelevant or bad
        if not relevant and not irrelevant:
            raise click.UsageError("name what turned out relevant: --relevant FILE or --irrelevant FILE")
        if run is None and task is None:
            raise click.UsageError("a task is needed: its text, @FILE, - or --run RUN")
        text = text or task_text(task or "")
        known = lessons.learn(text, repository, relevant=relevant, irrelevant=irrelevant)
        _warn(known.warnings, quiet)
        (lesson,) = known.lessons.items
        click.echo(
            f"{lesson.id}  {lesson.title}: {len(lesson.relevant)} relevant, {len(lesson.irrelevant)} not"
        )
    return OK


def _warn(warnings: tuple[str, ...], quiet: bool) -> None:
    for warning in () if quiet else warnings:
        say(f"warning: {warning}")


def _judged_in(run: str) -> tuple[str, str | None, tuple[str, ...], tuple[str, ...]]:
    """Task and folder of a run or a saved answer, and the files that its caller judged. Raises `InputError`."""
    from zeroin.engine import kept_session
    from zeroin.sessions.record import is_id

    if not is_id(run):
        return _task_of(Path(run)), None, (), ()
    kept = kept_session(run)
    said = {p: good for turn in kept.turns for p, good in _verdicts(turn)}
    relevant = tuple(path for path, good in said.items() if good)
    return kept.task.text, kept.place, relevant, tuple(path for path in said if path not in relevant)


def _verdicts(turn: Feedback) -> list[tuple[str, bool]]:
    return [(path, True) for path in turn.relevant] + [(path, False) for path in turn.irrelevant]


def _task_of(path: Path) -> str:
    """The task of a saved answer. Raises `InputError` for a file that is none."""
    text = read_stdin() if str(path) == "-" else read_text(path)
    try:
        task = json.loads(text)["task"]
        found = task["text"] if isinstance(task, dict) else task
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{path} is no answer of zeroin --format json") from error
    if not isinstance(found, str) or not found.strip():
        raise InputError(f"{path} holds no task")
    return found
