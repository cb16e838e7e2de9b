"""The events of `zeroin.events/1`, each a line of --format jsonl, and the JSON Schemas of all that zeroin writes."""

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from zeroin.answer import Section
from zeroin.context.rendering import structures
from zeroin.context.rendering.written import Json, Located, Share, Structure
from zeroin.types import Band, GapKind, Outcome, Pack, Purpose

EVENTS: Final = "zeroin.events/1"


class Best(Located, kw_only=True):
    """One of the best files so far."""

    relevance: Share


class BriefChange(Structure):
    """A change of the query, in short."""

    action: str
    what: str
    why: str


class StartEvent(Structure, tag_field="event", tag="start"):
    """What was asked; the last three where they fit."""

    schema: Literal["zeroin.events/1"]
    budget: structures.Line
    pack: Pack
    repository: str | UnsetType = UNSET
    purpose: Purpose | UnsetType = UNSET
    task: str | UnsetType = UNSET


class CycleEvent(Structure, tag_field="event", tag="cycle"):
    """What one cycle did; its best files and the changes of its query where they fit."""

    number: structures.Line
    candidates: structures.Count
    gaps: structures.Count
    asked: Annotated[int, Meta(ge=1, description="Gaps of earlier cycles that were searched.")] | UnsetType = UNSET
    closed: Annotated[int, Meta(ge=0, description="Those of them that a file closes.")] | UnsetType = UNSET
    best: list[Best] | UnsetType = UNSET
    changes: list[BriefChange] | UnsetType = UNSET


class FileEvent(Located, kw_only=True, tag_field="event", tag="file"):
    """A listed file; its code where that fits."""

    relevance: Share
    band: Band
    listed: Section
    reason: str
    shown: structures.Shown | UnsetType = UNSET
    spans: list[structures.Span] | UnsetType = UNSET
    code: list[structures.Block] | UnsetType = UNSET
    fell_back: bool | UnsetType = UNSET


class GapEvent(Structure, tag_field="event", tag="gap"):
    """What is missing."""

    kind: GapKind
    need: str
    critical: bool
    follow_up: str
    outcome: Outcome | UnsetType = UNSET


class TermEvent(Structure, tag_field="event", tag="term"):
    """A word of the codebase."""

    task_word: str
    code_word: str
    seen: str


class PatternEvent(Structure, tag_field="event", tag="pattern"):
    """A convention."""

    kind: str
    text: str
    glob: str


class WarningEvent(Structure, tag_field="event", tag="warning"):
    """Something that went wrong and did not stop the answer."""

    text: str


class EndEvent(Structure, tag_field="event", tag="end"):
    """How it ended."""

    run: str
    sufficient: bool
    stop: str
    cycles: structures.Count
    files_left_out: structures.Count
    redacted: structures.Count
    text: str | UnsetType = UNSET
    advice: str | UnsetType = UNSET


# A line of --format jsonl
Event = StartEvent | CycleEvent | FileEvent | GapEvent | TermEvent | PatternEvent | WarningEvent | EndEvent

_DEFINED: dict[str, tuple[str, Any, str]] = {
    "context": (structures.CONTEXT, structures.Answer, "What zeroin answers with --format json."),
    "events": (EVENTS, Event, "One line of what zeroin writes with --format jsonl."),
    "terms": (structures.TERMS, structures.Terminology, "What zeroin terms answers with --format json."),
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
