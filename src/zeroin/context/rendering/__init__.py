"""An answer as text, one module a format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zeroin.context.rendering.screen import PLAIN, Screen

if TYPE_CHECKING:
    from zeroin.answer import Context
    from zeroin.context.packing.texts import Read

FORMATS = ("table", "json", "jsonl", "markdown", "xml", "paths")


def render(
    context: Context,
    read: Read,
    format_: str = "markdown",
    *,
    code: bool = False,
    null: bool = False,
    top: int = 0,
    screen: Screen = PLAIN,
) -> str | bytes:
    """The context in one of `FORMATS`, bytes for paths; each renderer is imported when it is asked for.

    `code` puts the code into a table and into JSON too, which hold none otherwise; `null` is for paths, `top` for paths
    and tables, `screen` for tables. Raises `OptionError` for another format.
    """
    if format_ == "json":
        from zeroin.context.rendering.json import render as render_json

        return render_json(context, read, code=code)
    if format_ == "jsonl":
        from zeroin.context.rendering.jsonl import render as render_jsonl

        return render_jsonl(context, read)
    if format_ == "markdown":
        from zeroin.context.rendering.markdown import render as render_markdown

        return render_markdown(context, read)
    if format_ == "xml":
        from zeroin.context.rendering.xml import render as render_xml

        return render_xml(context, read)
    if format_ == "paths":
        from zeroin.context.rendering.paths import render as render_paths

        return render_paths(context, null=null, top=top)
    if format_ == "table":
        from zeroin.context.rendering.table import render as render_table

        return render_table(context, read, screen, top=top, code=code)
    from zeroin.errors import OptionError

    raise OptionError(f"format {format_!r} is none of {', '.join(FORMATS)}")
