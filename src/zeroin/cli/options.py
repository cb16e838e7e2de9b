"""Options that several commands share, each defined once."""

import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

import click

from zeroin.cli.terminal import When
from zeroin.context.rendering import FORMATS
from zeroin.types import PACKS, PURPOSES

Command = TypeVar("Command", bound=Callable[..., Any])


class FiniteRange(click.FloatRange):
    """A range of finite numbers; `click.FloatRange` would take `nan` and `inf` too."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value!r} is no number", param, ctx)
        return number


class NewFile(click.Path):
    """A file that is written: `results/` names a folder, whether it exists or not."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value).endswith(("/", os.sep)):
            self.fail(f"{str(value)!r} names a folder; name a file in it", param, ctx)
        return super().convert(value, param, ctx)


def format_option(formats: Sequence[str]) -> Callable[[Command], Command]:
    """Return the option `--format`, the first of `formats` by default."""
    return click.option(
        "--format", "-f", "format_", type=click.Choice(formats), default=formats[0], help="Form of the output."
    )


def all_of(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Combine options into one decorator; the help lists them in this order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def split(values: Sequence[str]) -> frozenset[str]:
    """Return the values of a repeated option, each split at commas, as one set."""
    return frozenset(part.strip() for value in values for part in value.split(",") if part.strip())


rev_option = click.option("--rev", metavar="REV", help="A git revision, read without a checkout.")
submodules_option = click.option(
    "--no-submodules",
    "submodules",
    flag_value=False,
    default=True,
    help="Leave out the submodules that are checked out.",
)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(0, 256),
    metavar="N",
    help="Processes that analyse files; 0, the default, means one a core, at most 4.",
)
quiet_option = click.option("--quiet", "-q", is_flag=True, help="No progress and no warnings on stderr.")
output_options = all_of(
    click.option(
        "--output",
        "-o",
        type=NewFile(),
        help="Write to a file, replacing it in one step.",
    ),
    quiet_option,
    click.option("--no-color", is_flag=True, help="No colour; NO_COLOR does the same."),
    click.option(
        "--links",
        type=click.Choice(get_args(When)),
        default="auto",
        help="Places in the table can be clicked. [auto: on terminals known to show links]",
    ),
)
budget_option = click.option("--budget", type=int, metavar="TOKENS", help="Size of the answer in tokens. [8000]")
timeout_option = click.option("--timeout-s", type=float, metavar="S", help="Return the best so far after S seconds.")
question_options = all_of(
    click.option("--purpose", type=click.Choice(PURPOSES), help="What the answer is for; inferred from the task."),
    click.option("--keyword", "-k", "keywords", multiple=True, help="A word to search for, as given; repeatable."),
    click.option("--include", "-i", "includes", multiple=True, metavar="GLOB", help="Look only here; repeatable."),
    click.option("--exclude", "-x", "excludes", multiple=True, metavar="GLOB", help="Never return; repeatable."),
    click.option("--focus", multiple=True, metavar="WORDS", help="An aspect to prefer; repeatable."),
)
loop_options = all_of(
    click.option("--max-cycles", type=int, metavar="N", help="Cycles of the loop at most. [3]"),
    click.option(
        "--without",
        multiple=True,
        metavar="A,B",
        callback=lambda _ctx, _param, values: split(values),
        help="Parts to switch off, e.g. history,dense.",
    ),
    click.option(
        "--no-learned", "learned", flag_value=False, default=True, help="Ignore what was learned (zeroin learn)."
    ),
    click.option("--always-loop", is_flag=True, help="Run the loop even where the answer is plain at once."),
)
judge_options = all_of(
    click.option(
        "--judge",
        metavar="MODEL",
        envvar="ZEROIN_JUDGE",
        help="Let a language model grade the uncertain files: PROVIDER:MODEL, or command:PROGRAM. Excerpts leave "
        "this machine; see docs/JUDGE.md.",
    ),
    click.option(
        "--judge-roles",
        multiple=True,
        metavar="A,B",
        callback=lambda _ctx, _param, values: split(values) or None,
        help="What it is asked: evaluate, refine, plan, verify. [evaluate,refine]",
    ),
    click.option("--max-judge-tokens", type=int, metavar="N", help="Tokens sent to it and received. [12000]"),
    click.option("--max-calls", type=int, metavar="N", help="Calls of it at most. [4]"),
    click.option("--max-cost", type=float, metavar="USD", help="What it may cost, where its price is known."),
)
batch_options = all_of(
    click.option("--out", "-o", required=True, type=NewFile(), help="Results, one a line."),
    click.option("--top", type=int, default=50, show_default=True, help="Files to rank where a row does not say."),
    budget_option,
    timeout_option,
    loop_options,
    judge_options,
    click.option("--retry-errors", is_flag=True, help="Do rows again whose result is an error."),
    quiet_option,
)
keep_option = click.option(
    "--no-run", "keep", flag_value=False, default=True, help="Do not keep this run (zeroin show)."
)
answer_options = all_of(
    format_option(FORMATS),
    budget_option,
    click.option(
        "--pack",
        type=click.Choice(PACKS),
        help="What is shown of a file: spans, its skeleton, or all of it; puts code into table and json too. [spans]",
    ),
    click.option("--no-redact", "redact", flag_value=False, default=True, help="Show secrets as they are."),
    timeout_option,
    click.option("--top", type=int, metavar="N", help="Rank at least N files, whatever their relevance."),
    click.option("--explain", is_flag=True, help="Show every cycle: query, what was added or excluded and why."),
    jobs_option,
    click.option("--null", is_flag=True, help="With --format paths: end each path with NUL."),
    click.option(
        "--report",
        type=NewFile(),
        metavar="FILE",
        help="Write an HTML page, too, that shows how the answer came about.",
    ),
    output_options,
)
