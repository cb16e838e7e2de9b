"""Repository text made safe for a page: cleaned, without secrets, bounded. Jinja2 escapes it afterwards."""

from __future__ import annotations

import re
from typing import Any

from markupsafe import Markup, escape

from zeroin.context.clean import clean, path_text
from zeroin.context.redaction.redact import redact_quote

MAX_TEXT, MAX_PATH = 1_000, 400  # characters of one piece of text, and of a path


def finalize(value: Any) -> Any:
    """Make safe every value that a template prints; markup of this package stays as it is."""
    if value is None:
        return ""
    return safe_text(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def safe_text(text: str, limit: int = MAX_TEXT) -> str:
    """Remove control characters and secrets, and cut to `limit` characters."""
    redacted = "\n".join(redact_quote(row)[0] for row in clean(text).split("\n"))
    return redacted if len(redacted) <= limit else redacted[: limit - 1] + "…"


def path_markup(value: str) -> Markup:
    """Mark up a path: the folder quieter than the name, with line breaks allowed between its parts."""
    text = path_text(value)
    folder, slash, name = (text if len(text) <= MAX_PATH else "…" + text[-MAX_PATH:]).rpartition("/")
    parts = Markup('<span class="dir">{}</span>').format(_breakable(folder + slash)) if slash else Markup("")
    return Markup('<span class="path">{}<span class="base">{}</span></span>').format(parts, _breakable(name))


def _breakable(text: str) -> Markup:
    return Markup(re.sub(r"([/_.-]+)", r"\1<wbr>", str(escape(text))))
