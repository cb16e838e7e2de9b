"""An answer as text, one module a format."""

from __future__ import annotations

from importlib import import_module
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
    """Return the context in one of `FORMATS`, bytes for paths; each renderer is imported when it is asked for.

    `code` puts the code into a table and into JSON too, which hold none otherwise; `null` is for paths, `top` for paths
    and tables, `screen` for tables. Raises `OptionError` for another format.
    """
    if format_ not in FORMATS:
        raise OptionError(f"format {format_!r} is none of {', '.join(FORMATS)}")
    given: dict[str, dict[str, object]] = {
        "json": {"code": code},
        "paths": {"null": null, "top": top},
        "table": {"screen": screen, "top": top, "code": code},
    }
    text: str | bytes = import_module(f"{__name__}.{format_}").render(context, read, **given.get(format_, {}))
    return text
