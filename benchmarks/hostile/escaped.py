"""What an answer may say in each format: every text of a stranger stays where texts of strangers stand."""

import json
import unicodedata
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import jsonschema
from markdown_it import MarkdownIt

from tests.report.pages import Page
from zeroin.context.rendering.events import json_schema

FORMATS = ("table", "json", "jsonl", "markdown", "xml", "paths")
_HEADINGS = frozenset(
    "Advice,Also seen,Code,Documents,Gaps,How it ended,More files,Patterns,Terminology,Tests to run,Warnings".split(",")
)
_ELEMENTS = frozenset(
    """
    context stop advice gaps gap terminology term patterns pattern warnings warning documents document reason spans
    span redacted
    """.split()
)
_JOINING = "\u200c\u200d"  # of scripts and emoji


def faults(form: str, data: bytes) -> list[str]:
    """What is wrong with an answer in a format ("report": the page), in words; nothing where all is well."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return ["no UTF-8"] if form != "paths" else []
    hidden = sorted({f"U+{ord(c):04X}" for c in text if _is_unseen(c)})
    found = [f"holds {', '.join(hidden[:5])}"] if hidden else []
    return found + list(_CHECKS.get(form, lambda _: iter(()))(text)) if text else found


def _is_unseen(char: str) -> bool:
    """Whether a character moves, reorders or hides something; some marks of format are seen."""
    kind = unicodedata.category(char)
    if kind == "Cf":
        return char not in _JOINING and not "\u0600" <= char <= "\u0605" and char not in "\u06dd\u070f\u08e2"
    return kind in ("Cs", "Zl", "Zp") or (kind == "Cc" and char not in "\n\t")


@cache
def _validator(name: str) -> Any:
    return jsonschema.Draft202012Validator(json_schema(name))


def _json(text: str) -> Iterator[str]:
    try:
        for error in _validator("context").iter_errors(json.loads(text)):
            yield f"against the schema: {error.message[:80]}"
    except ValueError as error:
        yield f"no JSON: {error}"


def _jsonl(text: str) -> Iterator[str]:
    for row in text.splitlines():
        try:
            if not isinstance(json.loads(row), dict):
                yield "a line is no object"
        except ValueError as error:
            yield f"no JSON: {error}"


def _xml(text: str) -> Iterator[str]:
    try:
        for element in ElementTree.fromstring(text).iter():
            if element.tag not in _ELEMENTS:
                yield f"an element {element.tag}"
    except ElementTree.ParseError as error:
        yield f"no XML: {error}"


def markdown(text: str) -> Iterator[str]:
    """What is wrong with Markdown: headings that are not ours, markup, code that goes on to the end."""
    blocks = MarkdownIt("commonmark").enable("table").parse(text)
    for at, block in enumerate(blocks):
        inside = {token.type for token in block.children or ()}
        if block.type == "html_block" or {"html_inline", "image", "link_open"} & inside:
            yield f"markup: {block.content[:60]!r}"
        if block.type == "heading_open" and block.tag in ("h1", "h2"):
            name = blocks[at + 1].content
            if name not in _HEADINGS:
                yield f"a heading {name[:60]!r}"
        if block.type == "code_block":
            yield f"code without a fence: {block.content[:60]!r}"
        if block.type == "fence" and block.map and text.splitlines()[block.map[1] - 1].strip() != block.markup:
            yield "a fence that does not end"


def _report(text: str) -> Iterator[str]:
    try:
        page = Page(text)
    except AssertionError as error:
        yield str(error)
        return
    if len([tag for tag, _ in page.elements if tag in ("script", "style")]) > 2:
        yield "more than its own script and style"


_CHECKS: Mapping[str, Callable[[str], Iterator[str]]] = {
    "json": _json,
    "jsonl": _jsonl,
    "xml": _xml,
    "markdown": markdown,
    "report": _report,
}
