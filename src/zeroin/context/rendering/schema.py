"""JSON Schemas of what zeroin writes, generated from the structures that it is written from."""

from __future__ import annotations

from typing import Any

import msgspec

from zeroin.context.rendering.events import EVENTS, Event
from zeroin.context.rendering.structures import CONTEXT, TERMS, Answer, Json, Terminology

_DEFINED: dict[str, tuple[str, Any, str]] = {
    "context": (CONTEXT, Answer, "What zeroin answers with --format json."),
    "events": (EVENTS, Event, "One line of what zeroin writes with --format jsonl."),
    "terms": (TERMS, Terminology, "What zeroin terms answers with --format json."),
}


def json_schema(name: str) -> Json:
    """Return the JSON Schema of `context`, `events` or `terms`."""
    title, kind, description = _DEFINED[name]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:zeroin:{name}:1",
        "title": title,
        "description": f"{description} Additions keep the number; anything else raises it.",
        **msgspec.json.schema(kind),
    }
