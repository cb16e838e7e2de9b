"""Trim JSON answers to a budget: the least needed is left out first."""

from collections.abc import Callable, Mapping
from typing import Any

from zeroin.context.rendering.wording import shortened
from zeroin.context.rendering.written import Json
from zeroin.context.tokens import estimate

REASON, SHORT_REASON = 300, 120  # characters of a file's reason: as in text, and where little else is left

# What is left out, and how much stays at each place in the answer (keys with dots between them, of all entries of a
# list): so many entries or characters; None for null.
Steps = tuple[tuple[str, Mapping[str, int | None]], ...]


def trim(value: Json, wanted: int, most: int, written: Callable[[Json], str]) -> list[str]:
    """Leave parts of an answer out until it takes `wanted` tokens as `written`; return the names of what was left out.

    Detail goes first. Then the answer itself (files, gaps, terms, patterns) is shortened down to `most` or 1.2 ×
    `wanted`, whichever is less, and emptied only as far as `most` makes it necessary.
    """
    names: list[str] = []
    text = written(value)
    for steps, limit in ((_DETAIL, wanted), (_ANSWER, min(most, int(1.2 * wanted))), (_LAST, most)):
        for name, places in steps:
            if estimate(text) <= limit:
                break
            for place, kept in places.items():
                _cut(value, place.split("."), kept)
            before, text = text, written(value)
            if text != before and name not in names:
                names.append(name)
    return names


def _cut(value: Any, place: list[str], kept: int | None) -> None:
    key, *below = place
    if isinstance(value, list):
        for each in value:
            _cut(each, place, kept)
    elif below:
        _cut(value[key], below, kept)
    elif kept is None:
        value[key] = None
    elif isinstance(value[key], dict):
        value[key] = {}
    elif isinstance(value[key], str) and "evidence" in value:  # a reason, which is cut after a word
        value[key] = shortened(value[key], kept)
    else:
        value[key] = value[key][:kept]


def _lists(**most: int) -> Steps:
    """Return the steps that shorten lists of the answer, in this order, to so many entries each."""
    return tuple((name, {name: count}) for name, count in most.items())


def _reasons(section: str, most: int = REASON) -> tuple[str, Mapping[str, int | None]]:
    """Return the step that keeps only the first reason of each file, without evidence."""
    reasons = f"{section}.reasons"
    return "reasons", {reasons: 1, f"{reasons}.text": most, f"{reasons}.evidence": 0, f"{section}.missing_context": 0}


_DETAIL: Steps = (
    ("cycles", {"cycles.best_candidates": 0}),
    *_lists(ranking=0),
    *(("cycles", {f"cycles.{key}": 0}) for key in ("judgments", "asked", "gaps")),
    *_lists(cycles=0),
    ("gaps", {"gaps.evidence": 1, "gaps.search": 0}),
    ("sources", {"terminology.sources": 1, "patterns.evidence": 0}),
    ("stats", {"skipped.reasons": 0, "stats": 0}),
    ("task", {"task.text": 2000}),
    *map(_reasons, ("documents", "tests", "supporting")),
    ("learned", {"learned": None}),
)
_ANSWER: Steps = (
    ("task", {"task.text": 200}),
    *_lists(gaps=3, patterns=2, terminology=4, documents=1, tests=2, supporting=3, warnings=1),
    _reasons("files"),
)
_LAST: Steps = (
    *_lists(documents=0, patterns=0, tests=0, supporting=0, gaps=0, terminology=0, warnings=0, files=5),
    *_lists(files=3),
    ("task", {"task.text": 60}),
    ("advice", {"advice": None}),
    _reasons("files", SHORT_REASON),
    *_lists(files=1),
    *_lists(files=0),
)

NAMES = tuple(dict.fromkeys(name for name, _ in (*_DETAIL, *_ANSWER, *_LAST)))  # of all that may be left out
