"""`zeroin batch TASKS.jsonl --out RUN.jsonl`: many tasks in worker processes, resumable."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import click
import msgspec

import zeroin
from zeroin.cli.batch_rows import Results, Row, error_row, read_tasks
from zeroin.cli.options import batch_options
from zeroin.cli.output import OK, PARTIAL, say
from zeroin.cli.progress import LiveView
from zeroin.cli.request import options_of
from zeroin.config import Options
from zeroin.wording import counted
from zeroin.workers import Pool, Task, Work

Rows = Mapping[str, Row]

GRACE_S = 120.0  # over the time limit of a row before its process counts as hung


@click.command()
@click.argument("tasks", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Worker processes.")
@batch_options
@click.option("--at-once", is_flag=True, help="Ask everything in one cycle: what the loop is measured against.")
def batch(tasks: Path, out: Path, jobs: int, retry_errors: bool, quiet: bool, **given: Any) -> int:
    """Answer each task row of TASKS (JSON lines) and append a result row to --out.

    A task row is {id, repo, rev?, task, include?, exclude?, top?, purpose?, diff?}; repo may be a list. Rows whose id
    is already in --out are not done again. A bad row gives a result row with an "error" and does not stop the rest.
    """
    options = options_of(given)  # out of range: refused before any row runs
    rows, notes = read_tasks(tasks, out)
    results_of = partial(answered, options=options, jobs=jobs)
    return run(rows, notes, results_of, out, retry_errors=retry_errors, quiet=quiet)


def run(
    rows: Mapping[str, Row | str],
    notes: Sequence[str],
    answered: Callable[[Rows], Iterator[tuple[str, bytes]]],
    out: Path,
    *,
    retry_errors: bool,
    quiet: bool,
) -> int:
    """Append what `answered` yields for the rows not done yet, sort all results as `rows`, return the exit code."""
    results = Results(out, retry_errors=retry_errors)
    with results, LiveView(enabled=not quiet) as meter:
        todo = {identity: row for identity, row in rows.items() if identity not in results.done}
        good = {identity: row for identity, row in todo.items() if isinstance(row, Row)}
        bad = [(name, error_row(name, row)) for name, row in todo.items() if isinstance(row, str)]
        for note in (*notes, *results.notes):
            if not quiet:
                say(note)
        before = len(rows) - len(todo)
        meter("tasks", before, len(rows))
        try:
            for count, (identity, line) in enumerate(chain(bad, answered(good)), 1):
                results.add(identity, line)
                meter("tasks", before + count, len(rows))
        except KeyboardInterrupt:
            meter.close()
            say(f"zeroin: interrupted; {len(results.done)} of {len(rows)} rows are done, run again for the rest")
            return PARTIAL
        results.sort(list(rows))
    if not quiet:
        failed = sum(results.done.get(name, False) for name in rows)
        say(f"{counted(len(todo), 'row')} done, {before} done before, {failed} with an error: {out}")
    return OK


def answered(rows: Rows, options: Options, jobs: int) -> Iterator[tuple[str, bytes]]:
    """Yield each row's id and result (JSON) when it is done; closing the iterator ends all processes."""
    count = max(1, min(jobs, len(rows)))
    # At least 2: with 1, this process analyses the files, and a crash costs the row, not the file.
    options = replace(options, jobs=max(2, (os.cpu_count() or 1) // count))
    todo: list[tuple[str, Task]] = []
    for identity, row in rows.items():
        request = msgspec.json.encode({"row": row, "options": options})
        group = row.repo if isinstance(row.repo, str) else "\n".join(row.repo)
        todo.append((group, Task((identity, group), request)))
    limit_s = None if options.timeout_s is None else options.timeout_s + GRACE_S
    work = Work("zeroin.cli.batch_worker:answer", zeroin.__version__, limit_s)
    with Pool(work, count) as pool:
        for task, line, error, _ in pool.run(Schedule(todo).take):
            yield task.key[0], error_row(task.key[0], error) if error else line


class Schedule:
    """Hand out tasks by repository: a process first gets those of its last repository, then of one not started.

    So two processes index the same repository at the same time only when all repositories are started.
    """

    def __init__(self, tasks: Iterable[tuple[str, Task]]) -> None:
        self._waiting: dict[str, list[Task]] = {}
        for repo, task in tasks:
            self._waiting.setdefault(repo, []).insert(0, task)
        self._started: set[str] = set()

    def take(self, last: Task | None) -> Task | None:
        """Return the next task for a process that has just done `last`; None when all are taken."""
        if not self._waiting:
            return None
        repo = last.key[1] if last is not None else ""
        if repo not in self._waiting:
            repo = next((r for r in self._waiting if r not in self._started), next(iter(self._waiting)))
        self._started.add(repo)
        task = self._waiting[repo].pop()
        if not self._waiting[repo]:
            del self._waiting[repo]
        return task
