"""HTML that cannot be broken by what it shows: text goes in as text, cleaned, its secrets left out, escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import TypeAlias

from zeroin.context.clean import clean, line, path_text
from zeroin.context.redact import redact_line

_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*\Z")
# Said outright, since a table that becomes a list on a narrow screen would lose its meaning to a screen reader.
_ROLES = {"table": "table", "thead": "rowgroup", "tbody": "rowgroup", "tr": "row", "td": "cell"}


MAX_TEXT, MAX_PATH = 1000, 400  # characters of one piece of text, and of a path


class Markup(str):
    """Text that is HTML already, made by this module and from this package's own files only."""

    __slots__ = ()


Child: TypeAlias = str | Markup | Iterable["Child"] | None
Value: TypeAlias = str | int | float | bool | None


def el(tag: str, /, *children: Child, **attributes: Value) -> Markup:
    """An element. Plain strings among `children` are cleaned and escaped; `class_` is `class`, `data_x` is `data-x`.

    An attribute that is None or False is left out, one that is True has no value. Raises `ValueError` for a name
    that is no HTML name: names come from code, never from content.
    """
    if not _NAME.match(tag):
        raise ValueError(f"not an element: {tag!r}")
    if tag == "th":
        attributes.setdefault("role", "columnheader" if attributes.get("scope") == "col" else "rowheader")
    elif tag in _ROLES:
        attributes.setdefault("role", _ROLES[tag])
    head = f"<{tag}{''.join(_attribute(name, value) for name, value in attributes.items())}>"
    return Markup(f"{head}{''.join(_pieces(children))}</{tag}>")


def join(*children: Child) -> Markup:
    """Several pieces as one."""
    return Markup("".join(_pieces(children)))


def spoken(text: str) -> Markup:
    """Words for a screen reader only."""
    return el("span", text, class_="sr")


def path(value: str) -> Markup:
    """A path: its folder quieter than its name, breakable between its parts, never reordered."""
    text = path_text(value)
    text = text if len(text) <= MAX_PATH else "…" + text[-MAX_PATH:]
    folder, slash, name = text.rpartition("/")
    return el(
        "span",
        el("span", _breakable(folder + slash), class_="dir") if slash else None,
        el("span", _breakable(name), class_="base"),
        class_="path",
    )


def _breakable(text: str) -> Markup:
    return Markup(re.sub(r"([/_.-]+)", r"\1<wbr>", escape(text)))


def _pieces(children: Iterable[Child]) -> Iterable[str]:
    for child in children:
        if child is None:
            continue
        if isinstance(child, Markup):
            yield child
        elif isinstance(child, str):
            yield escape(shown(child))
        else:
            yield from _pieces(child)


def _attribute(name: str, value: Value) -> str:
    name = name.rstrip("_").replace("_", "-")
    if not _NAME.match(name):
        raise ValueError(f"not an attribute: {name!r}")
    if value is None or value is False:
        return ""
    if value is True:
        return f" {name}"
    if isinstance(value, float):
        value = f"{value:.2f}".rstrip("0").rstrip(".")
    return f' {name}="{escape(line(shown(value)) if isinstance(value, str) else str(value))}"'


def shown(text: str, limit: int = MAX_TEXT) -> str:
    """Text as it may be shown: without control characters and secrets, at most `limit` characters."""
    told = "\n".join(redact_line("", row)[0] for row in clean(text).split("\n"))
    return told if len(told) <= limit else told[: limit - 1] + "…"
