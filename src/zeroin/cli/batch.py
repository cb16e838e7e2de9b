"""`zeroin batch TASKS.jsonl --out RUN.jsonl`: many tasks in worker processes, resumable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from zeroin.cli.batch_rows import read_tasks, settings_of
from zeroin.cli.output import OK, PARTIAL, say
from zeroin.cli.progress import Meter
from zeroin.cli.request import options_of, split


@click.command()
@click.argument("tasks", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--out", "-o", required=True, type=click.Path(dir_okay=False, path_type=Path), help="Results, one a line."
)
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Worker processes.")
@click.option(
    "--top", type=int, default=50, show_default=True, help="Files to rank where a row does not say."
)
@click.option("--budget", type=int, metavar="TOKENS", help="Size of an answer in tokens. [8000]")
@click.option("--max-cycles", type=int, metavar="N", help="Cycles at most, of every row. [3]")
@click.option("--timeout-s", type=float, metavar="S", help="Seconds at most, of every row.")
@click.option("--without", multiple=True, metavar="A,B", help="Parts to switch off in every row.")
@click.option(
    "--no-learned", "learned", flag_value=False, default=True, help="Ignore what was learned (zeroin learn)."
)
@click.option("--always-loop", is_flag=True, help="Run the loop even where the answer is plain at once.")
@click.option(
    "--at-once", is_flag=True, help="Ask everything in one cycle: what the loop is measured against."
)
@click.option("--retry-errors", is_flag=True, help="Do rows again whose result is an error.")
@click.option("--quiet", "-q", is_flag=True, help="No progress and no notes on stderr.")
def batch(
    tasks: Path, out: Path, jobs: int, without: tuple[str, ...], retry_errors: bool, quiet: bool, **given: Any
) -> int:
    """Answer each task row of TASKS (JSON lines) and append a result row to --out.

    A task row is {id, repo, rev?, task, include?, exclude?, top?, purpose?, diff?}. Rows whose id is already in
    --out are not done again. A bad row gives a result row with an "error" and does not stop the rest.
    """
    from zeroin.cli.batch_pool import run_rows
    from zeroin.cli.batch_rows import Results

    options = options_of({**given, "without": split(without)})  # out of range: refused before any row runs
    rows, notes = read_tasks(tasks)
    results = Results(out, retry_errors=retry_errors)
    with results, Meter(enabled=not quiet) as meter:
        todo = [row for row in rows if row.id not in results.done]
        for note in (*notes, *results.notes):
            if not quiet:
                say(note)
        before, failed = len(rows) - len(todo), 0
        meter("tasks", before, len(rows))
        try:
            for count, result in enumerate(run_rows(todo, settings_of(options), jobs), 1):
                results.add(result)
                failed += "error" in result
                meter("tasks", before + count, len(rows))
        except KeyboardInterrupt:
            meter.close()
            say(
                f"zeroin: interrupted; {len(results.done)} of {len(rows)} rows are done, run again for the rest"
            )
            return PARTIAL
    if not quiet:
        say(f"{len(todo)} rows done, {before} were done before, {failed} with an error: {out}")
    return OK
