"""`zeroin terms TEXT [PATH]`: what the codebase calls the things that a text names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from zeroin.cli.arguments import TextCommand
from zeroin.cli.output import NOT_FOUND, OK, say, write
from zeroin.cli.progress import Meter
from zeroin.cli.request import task_text
from zeroin.cli.terminal import When, links_to, shows_unicode, terminal_width, wants_color

if TYPE_CHECKING:
    from zeroin.answer import Terminology
    from zeroin.context.rendering.links import Links

FORMATS = ("table", "json", "markdown", "xml")


@click.command(cls=TextCommand, text="text", example="rate limit")
@click.argument("text", required=False, default="", metavar="TEXT")
@click.argument("path", default=".")
@click.option(
    "--format", "-f", "format_", type=click.Choice(FORMATS), default="table", help="Form of the answer."
)
@click.option("--rev", metavar="REV", help="Ask about a git revision, without a checkout.")
@click.option(
    "--jobs", type=click.IntRange(0, 256), default=0, metavar="N", help="Processes that analyse files."
)
@click.option(
    "--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file, at once."
)
@click.option("--guesses", is_flag=True, help="Words, too, that are only a guess.")
@click.option("--quiet", "-q", is_flag=True, help="No progress and no warnings on stderr.")
@click.option("--no-color", is_flag=True, help="No colour; NO_COLOR does the same.")
@click.option(
    "--links",
    type=click.Choice(get_args(When)),
    default="auto",
    help="Places can be clicked. [auto: on terminals known to show links]",
)
def terms(
    text: str,
    path: str,
    format_: str,
    rev: str | None,
    jobs: int,
    output: Path | None,
    guesses: bool,
    quiet: bool,
    no_color: bool,
    links: When,
) -> int:
    """Show what the codebase in PATH calls the things that TEXT names, and where that was learned.

    TEXT is a word, a few words, or a whole task: "-" reads it from standard input, "@FILE" from a file.
    """
    asked = task_text(text)
    with Meter(enabled=not quiet) as meter:
        from zeroin.term_lookup import terminology

        found = terminology(asked, path, rev=rev, jobs=jobs, progress=meter)
    linked = links_to(found.repository, found.revision, links, output)
    write(_rendered(found, format_, guesses, color=wants_color(no_color, output), links=linked), output)
    if not quiet and format_ != "table":
        for warning in found.warnings:
            say(f"warning: {warning}")
    shown = found.terms if guesses or format_ == "json" else found.shown
    return OK if shown else NOT_FOUND


def _rendered(found: Terminology, format_: str, guesses: bool, *, color: bool, links: Links | None) -> str:
    from zeroin.context.rendering import terms as formats

    if format_ == "json":
        return formats.render_json(found)
    if format_ == "markdown":
        return formats.render_markdown(found, guesses=guesses)
    if format_ == "xml":
        return formats.render_xml(found, guesses=guesses)
    return formats.render_table(
        found,
        width=terminal_width(),
        color=color,
        ascii_only=not shows_unicode(),
        links=links,
        guesses=guesses,
    )
