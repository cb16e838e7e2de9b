"""The page of the command line has every option that the commands have, and no other."""

import re
from collections.abc import Iterator
from pathlib import Path

import click

from zeroin.cli.main import COMMANDS, cli

DOCS = Path(__file__).resolve().parents[2] / "docs"
# Of other programs, and one that is misspelt on purpose.
OTHERS = {"--json", "--fromat", "--unshallow"}


def options(command: click.Command, context: click.Context) -> Iterator[str]:
    """The long options of a command and of the commands below it."""
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from options(below, context)
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            yield from (name for name in parameter.opts if name.startswith("--"))


def named(*pages: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", "".join((DOCS / page).read_text("utf-8") for page in pages)))


def test_every_option_is_on_a_page() -> None:
    context = click.Context(cli)
    assert set(options(cli, context)) - named("CLI.md", "FLEET.md") - {"--help", "--version"} == set()


def test_the_page_names_no_option_that_is_not_there() -> None:
    assert named("CLI.md") - set(options(cli, click.Context(cli))) - OTHERS == set()


def test_every_command_is_on_the_page() -> None:
    page = (DOCS / "CLI.md").read_text("utf-8")
    assert [name for name in COMMANDS if not re.search(rf"zeroin {name}\b|`{name}`", page)] == []
