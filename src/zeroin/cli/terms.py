"""`zeroin terms TEXT [PATH]`: what the codebase calls the things that a text names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from zeroin.cli.arguments import TextCommand
from zeroin.cli.options import format_option, jobs_option, output_options, rev_option
from zeroin.cli.output import NOT_FOUND, OK, warn, write
from zeroin.cli.progress import LiveView
from zeroin.cli.request import task_text
from zeroin.cli.terminal import links_to, shows_unicode, terminal_width, wants_color

if TYPE_CHECKING:
    from zeroin.answer import Terminology
    from zeroin.context.rendering.links import Links

FORMATS = ("table", "json", "markdown", "xml")


@click.command(cls=TextCommand, text="text", example="rate limit")
@click.argument("text", required=False)
@click.argument("path", required=False)
@format_option(FORMATS)
@rev_option
@jobs_option
@click.option("--guesses", is_flag=True, help="Words, too, that are only a guess.")
@output_options
def terms(
    text: str | None, path: str | None, rev: str | None, jobs: int | None, guesses: bool, **given: Any
) -> int:
    """Show what the codebase in PATH calls the things that TEXT names, and where that was learned.

    TEXT is a word, a few words, or a whole task: "-" reads it from standard input, "@FILE" from a file.
    """
    asked, format_, output = task_text(text or ""), given["format_"], given["output"]
    with LiveView(enabled=not given["quiet"]) as view:
        from zeroin.term_lookup import terminology

        found = terminology(asked, path or ".", rev=rev, jobs=jobs or 0, progress=view)
    links = links_to(found.repository, found.revision, given["links"], output)
    color = wants_color(given["no_color"], output)
    write(_rendered(found, format_, guesses, color=color, links=links), output)
    warn(found.warnings, quiet=given["quiet"] or format_ == "table")
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
