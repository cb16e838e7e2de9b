"""`zeroin terms TEXT [PATH]`: what the codebase calls the things that a text names."""

from typing import Any

import click

from zeroin.cli.arguments import TextCommand
from zeroin.cli.options import format_option, jobs_option, output_options, rev_option
from zeroin.cli.output import NOT_FOUND, OK, warn, write
from zeroin.cli.progress import LiveView
from zeroin.cli.request import task_text
from zeroin.cli.terminal import screen_of

FORMATS = ("table", "json", "markdown", "xml")


@click.command(cls=TextCommand, text="text", example="rate limit")
@click.argument("text", required=False)
@click.argument("path", required=False)
@format_option(FORMATS)
@rev_option
@jobs_option
@click.option("--guesses", is_flag=True, help="Words, too, that are only a guess.")
@output_options
def terms(text: str | None, path: str | None, rev: str | None, jobs: int | None, guesses: bool, **given: Any) -> int:
    """Show what the codebase in PATH calls the things that TEXT names, and where that was learned.

    TEXT is a word, a few words, or a whole task: "-" reads it from standard input, "@FILE" from a file.
    """
    asked, format_, output = task_text(text or ""), given["format_"], given["output"]
    with LiveView(enabled=not given["quiet"]) as view:
        from zeroin.term_lookup import terminology

        found = terminology(asked, path or ".", rev=rev, jobs=jobs or 0, progress=view)
    from zeroin.context.rendering.terms import render

    screen = screen_of(found.repository, found.revision, given["no_color"], given["links"], output)
    write(render(found, format_, screen, guesses=guesses), output)
    warn(found.warnings, quiet=given["quiet"] or format_ == "table")
    shown = found.terms if guesses or format_ == "json" else found.shown
    return OK if shown else NOT_FOUND
