"""An answer as text, one module a format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zeroin.context.rendering.screen import PLAIN, Screen
from zeroin.errors import OptionError

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
        from zeroin.context.rendering import json

        return json.render(context, read, code=code)
    if format_ == "jsonl":
        from zeroin.context.rendering import jsonl

        return jsonl.render(context, read)
    if format_ == "markdown":
        from zeroin.context.rendering import markdown

        return markdown.render(context, read)
    if format_ == "xml":
        from zeroin.context.rendering import xml

        return xml.render(context, read)
    if format_ == "paths":
        from zeroin.context.rendering import paths

        return paths.render(context, null=null, top=top)
    if format_ == "table":
        from zeroin.context.rendering import table

        return table.render(context, read, screen, top=top, code=code)
    raise OptionError(f"format {format_!r} is none of {', '.join(FORMATS)}")
