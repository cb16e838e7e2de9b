"""`zeroin prompt`: the pattern as a block to paste."""

from __future__ import annotations

import click

from zeroin.cli.output import OK, write


@click.command()
def prompt() -> int:
    """Print the pattern as a block to paste into any agent's prompt; it works with grep alone."""
    from zeroin.install.texts import prompt as text

    write(text(), None)
    return OK
