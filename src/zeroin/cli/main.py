"""The command line: `zeroin TASK [PATH]` and its subcommands, exit codes, errors as one line."""

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from zeroin import __version__
from zeroin.cli.arguments import WrongCall
from zeroin.cli.output import OK, PARTIAL, complain, finish_stdout
from zeroin.cli.terminal import fit_streams
from zeroin.errors import ZeroinError

# Subcommand → module and one line for the overview; modules are imported when their command is used.
COMMANDS: dict[str, tuple[str, str]] = {
    "find": ("zeroin.cli.find", "Find the files for TASK; the default command, so `find` may be left out."),
    "show": ("zeroin.cli.runs", "Show the answer of an earlier run again; without RUN, list them."),
    "more": ("zeroin.cli.runs", "Go on from a run with one more cycle."),
    "refine": ("zeroin.cli.runs", "Go on from a run with what you have read in the meantime."),
    "batch": ("zeroin.cli.batch", "Answer many tasks over many repositories, resumably."),
    "fleet": ("zeroin.cli.fleet", "Ask a workspace that several machines hold (extra: zeroin[fleet])."),
    "learn": ("zeroin.cli.learn", "Learn what turned out relevant; show or forget it."),
    "terms": ("zeroin.cli.terms", "Show what the codebase calls the things that TEXT names."),
    "prompt": ("zeroin.cli.about", "Print the pattern as a block to paste into an agent's prompt."),
    "mcp": ("zeroin.cli.mcp", "Serve agents' hosts as an MCP server (extra: zeroin[mcp])."),
    "serve": ("zeroin.cli.serve", "Stay in memory, so that commands start at once (with ZEROIN_SERVE=1)."),
    "install": ("zeroin.cli.install", "Make zeroin known to the coding agents found here; ask first."),
    "uninstall": ("zeroin.cli.install", "Take that away again."),
    "index": ("zeroin.cli.maintain", "Build the index ahead; share its facts with other machines."),
    "cache": ("zeroin.cli.maintain", "Show, clear or prune the cache."),
    "doctor": ("zeroin.cli.doctor", "Say what works here, and what to do about what does not."),
    "schema": ("zeroin.cli.about", "Print the JSON Schema of --format json, jsonl, terms or doctor."),
    "completion": ("zeroin.cli.about", "Print a completion script for bash, zsh or fish."),
}


_EXAMPLES = (
    ('zeroin "Fix the token expiry bug" path/to/repo', "which files, which lines, and why"),
    ('zeroin "-x: the exit code is 0"', "a task may begin with a dash; after -- anything is one"),
    ("zeroin - -f markdown < issue.txt", "for an agent, with the code"),
    ("zeroin --diff=main...HEAD", "what a reviewer of this branch should read besides it"),
    ("zeroin find cache", "a task that is the name of a command"),
)


class DefaultGroup(click.Group):
    """A group whose first argument is a task unless it is the name of a subcommand."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if ctx.resilient_parsing and not args:  # completion of the first word
            return super().parse_args(ctx, args)
        if not args or args[0] not in (*COMMANDS, "--help", "-h", "--version"):
            args = ["find", *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(COMMANDS[cmd_name][0]), cmd_name)
        return command if isinstance(command, click.Command) else None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        own = super().shell_complete(ctx, incomplete)
        find = self.get_command(ctx, "find")
        if find is None or not incomplete.startswith("-"):
            return own
        return own + find.shell_complete(click.Context(find, info_name="zeroin", parent=ctx), incomplete)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage("zeroin", "TASK [PATH]... [OPTIONS]")
        formatter.write_usage("zeroin", "COMMAND [ARGS]", prefix="       ")
        self.format_help_text(ctx, formatter)
        find = self.get_command(ctx, "find")
        if find is not None:
            with formatter.section("Examples"):
                formatter.write_dl(_EXAMPLES)
            find.format_options(click.Context(find, info_name="zeroin", parent=ctx), formatter)
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])
        with formatter.section("Exit codes"):
            formatter.write_dl(
                [
                    ("0", "files were found"),
                    ("1", "no file reaches relevance 0.2; the best available is printed all the same"),
                    ("2", "usage or input error"),
                    ("3", "interrupted or out of time; what was found so far is printed"),
                ]
            )


@click.group(cls=DefaultGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="zeroin", message="%(prog)s %(version)s")
def cli() -> None:
    """Which few files of this repository matter for this task, and what is still missing?

    \b
    TASK  an issue, a question or a change to make, in quotes;
          "-" reads it from standard input, "@FILE" from a file
    PATH  a git work tree or a folder in it, a bare repository,
          or any folder; default: here
    """


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    fit_streams()
    has_failed = False
    try:
        code = cli.main(args=None if argv is None else list(argv), prog_name="zeroin", standalone_mode=False)
        result = code if isinstance(code, int) else OK
    except click.UsageError as error:
        result = complain(_with_hint(error))
    except click.ClickException as error:
        result = complain(error.format_message())
    except (KeyboardInterrupt, click.Abort):
        result = complain("interrupted", code=PARTIAL)
    except ZeroinError as error:
        result = complain(str(error))
    except OSError as error:
        result, has_failed = complain(_refusal(error)), True
    except MemoryError:
        result = complain("there is not enough memory for this")
    sys.exit(finish_stdout(result, has_failed=has_failed))


def _refusal(error: OSError) -> str:
    try:
        Path.cwd()
    except FileNotFoundError:
        return "the current folder does not exist any more"
    return f"the system refused: {error}"


# What other commands call it → the option here.
_OF_OTHERS = {f"--{form}": f"--format {form}" for form in ("json", "jsonl", "markdown", "xml")}
_OF_OTHERS |= {"--md": "--format markdown", "--verbose": "--explain", "--model": "--judge"}


def _with_hint(error: click.UsageError) -> str:
    message = error.format_message()
    if isinstance(error, WrongCall):
        return message
    message = message.rstrip(".")
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        here = _OF_OTHERS.get(error.option_name, "")
        if any(here.split(" ")[0] in param.opts for param in error.ctx.command.params):
            return f"{error.option_name} is {here} here"
    if message.startswith("Got unexpected extra argument"):
        message += "; several words go in quotes to be one value"
    name = error.ctx.command_path.removesuffix(" find") if error.ctx is not None else "zeroin"
    return f"{message} (see {name} --help)"
