"""`zeroin TASK [PATH]`: the files that matter for a task."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zeroin.cli.answer import Display, answer
from zeroin.cli.arguments import TextCommand, WrongCall, is_folder
from zeroin.cli.options import (
    answer_options,
    judge_options,
    keep_option,
    loop_options,
    question_options,
    rev_option,
    submodules_option,
)
from zeroin.cli.output import OK, write
from zeroin.cli.request import change, options_of, task_text
from zeroin.errors import RepositoryError

if TYPE_CHECKING:
    from zeroin.config import Options
    from zeroin.protocols import Progress
    from zeroin.session import Session
    from zeroin.types import Task
    from zeroin.workspace.members import Place


_ONE_CHANGE = "--diff is a change of one repository: give that one alone"


@click.command(
    cls=TextCommand,
    text="task",
    example="Fix the token expiry bug",
    instead=("diff",),
    several=True,
    epilog="A task that is named like a subcommand: zeroin find cache",
)
@click.argument("task", required=False)
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option(
    "--workspace",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Ask the repositories that a TOML file lists; see docs/SOURCES.md.",
)
@question_options
@loop_options
@rev_option
@submodules_option
@click.option(
    "--diff",
    is_flag=False,
    flag_value="",
    default=None,
    metavar="[SPEC]",
    help="A change as the task: a revision, a range A..B, a diff file, or - for stdin; alone: uncommitted changes. "
    "Write --diff=SPEC, or give it last.",
)
@judge_options
@click.option("--dry-run", is_flag=True, help="Print what --judge would be sent first, and send nothing.")
@answer_options
@keep_option
def find(
    task: str | None, paths: tuple[str, ...], workspace: Path | None, diff: str | None, dry_run: bool, **given: Any
) -> int:
    """Find the files that matter for TASK in PATH (default: here), or in several repositories."""
    if diff is not None and task is not None and is_folder(task):
        if not paths:
            paths, task = (task,), None
        elif (Path(task).expanduser() / ".git").exists():
            raise click.UsageError(_ONE_CHANGE)
    if task == "-" and diff == "-":
        raise click.UsageError("standard input cannot be both the task and the change")
    display = Display.take(given)
    repository: Place = paths[0] if len(paths) == 1 else paths or "."
    if workspace is not None:
        from zeroin.workspace.members import read_workspace

        if paths:
            raise click.UsageError("--workspace names the repositories: give no PATH")
        repository = read_workspace(workspace)
    options = options_of(given)
    asked = _task(task, diff, repository)
    if dry_run:
        return _dry_run(asked, repository, options)

    def ask(progress: Progress) -> Session:
        from zeroin import engine

        return engine.open_session(asked, repository, options=options, progress=progress)

    return answer(ask, display, max_cycles=options.max_cycles)


def _dry_run(task: str | Task, repository: Place, options: Options) -> int:
    """Write the judge's first requests as they would be sent; only the random mark differs."""
    if not options.judge:
        raise click.UsageError("--dry-run shows what --judge would be sent: name one")
    from zeroin import engine
    from zeroin.llm_judge.providers import Recorder

    recorder = Recorder(options.judge)
    engine.open_session(task, repository, options=options, model=recorder).run()
    if not recorder.requests:
        write("nothing would be sent: no grade is likely to change the answer\n", None)
        return OK
    for request in recorder.requests:  # sent at the same time
        write(f"--- system\n{request.system}--- user\n{request.user}\n", None)
    tokens, files = (sum(n) for n in zip(*((r.tokens, len(r.files)) for r in recorder.requests), strict=True))
    click.echo(f"about {tokens:,} tokens, {files} files; nothing was sent", err=True)
    return OK


def _task(task: str | None, diff: str | None, repository: Place) -> str | Task:
    if diff is None:
        return task_text(task or "")
    if not isinstance(repository, str):
        raise click.UsageError(_ONE_CHANGE)
    from zeroin import engine

    try:
        changed = change(diff, repository)
    except RepositoryError as error:
        if diff and is_folder(diff) and task is None and repository == ".":
            raise WrongCall(f"{diff} is a folder, which comes before --diff: zeroin {diff} --diff") from error
        raise
    return engine.review_of(changed, task_text(task) if task is not None and task.strip() else "")
