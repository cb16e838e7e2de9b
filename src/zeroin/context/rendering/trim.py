"""JSON answers that must stay within a budget: what is left out, the least needed first."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from zeroin.context.rendering.wording import shortened
from zeroin.context.tokens import estimate

REASON, SHORT_REASON = 300, 120  # characters of a file's reason: as in text, and where little else is left

Json = dict[str, Any]


def trim(value: Json, wanted: int, most: int) -> list[str]:
    """Leaves parts of an answer out until it takes `wanted` tokens; the names of what was left out.

    The answer itself (files, gaps, terms, patterns) is shortened only as far as `most` tokens make it necessary, the
    reasons of its files after all else of it.
    """

    def tokens() -> int:
        return estimate(json.dumps(value, ensure_ascii=False, separators=(",", ":")))

    names: list[str] = []
    for steps, limit in ((_DETAIL, wanted), (_ANSWER, min(most, int(1.2 * wanted))), (_LAST, most)):
        for name, step in steps:
            if tokens() <= limit:
                break
            if step(value) and name not in names:
                names.append(name)
    return names


Step = Callable[[Json], bool]  # leaves one thing out; whether there was something to leave out


def _clear(holder: Json, key: str) -> bool:
    """Empties a list or text."""
    found = bool(holder.get(key))
    if found:
        holder[key] = type(holder[key])()
    return found


def _in_cycles(key: str) -> Step:
    return lambda value: sum(_clear(cycle, key) for cycle in value["cycles"]) > 0


def _shorten(key: str, most: int) -> Step:
    def step(value: Json) -> bool:
        found = len(value[key]) > most
        value[key] = value[key][:most]
        return found

    return step


def _task(most: int) -> Step:
    return lambda value: _shorten("text", most)(value["task"])


def _none(key: str) -> Step:
    def step(value: Json) -> bool:
        found = value[key] is not None
        value[key] = None
        return found

    return step


def _reasons(key: str, most: int = REASON) -> Step:
    """Of each file the first reason alone, in at most `most` characters, without what proves it."""

    return lambda value: sum(_fewer_reasons(entry, most) for entry in value[key]) > 0


def _fewer_reasons(entry: Json, most: int) -> bool:
    before = entry["reasons"]
    entry["reasons"] = [
        {**reason, "text": shortened(reason["text"], most), "evidence": []} for reason in before[:1]
    ]
    dropped = _clear(entry, "missing_context")
    return entry["reasons"] != before or dropped


def _gap_details(value: Json) -> bool:
    found = any(len(gap["evidence"]) > 1 or gap["search"] for gap in value["gaps"])
    for gap in value["gaps"]:
        gap["evidence"], gap["search"] = gap["evidence"][:1], {}
    return found


def _sources(value: Json) -> bool:
    fewer = [_shorten("sources", 1)(term) for term in value["terminology"]]
    return any([*fewer, *(_clear(pattern, "evidence") for pattern in value["patterns"])])


def _stats(value: Json) -> bool:
    return any([_clear(value["skipped"], "reasons"), _clear(value, "stats")])


Steps = tuple[tuple[str, Step], ...]


def _lists(**most: int) -> Steps:
    """Lists of the answer, in the order in which they are shortened, with how many entries stay."""
    return tuple((name, _shorten(name, count)) for name, count in most.items())


_DETAIL: Steps = (
    ("cycles", _in_cycles("best_candidates")),
    *_lists(ranking=0),
    *(("cycles", _in_cycles(key)) for key in ("judgments", "asked", "gaps")),
    *_lists(cycles=0),
    ("gaps", _gap_details),
    ("sources", _sources),
    ("stats", _stats),
    ("task", _task(2000)),
    *(("reasons", _reasons(section)) for section in ("documents", "tests", "supporting")),
    ("learned", _none("learned")),
)
_ANSWER: Steps = (
    ("task", _task(200)),
    *_lists(gaps=3, patterns=2, terminology=4, documents=1, tests=2, supporting=3, warnings=1),
    ("reasons", _reasons("files")),
)
_LAST: Steps = (
    *_lists(documents=0, patterns=0, tests=0, supporting=0, gaps=0, terminology=0, warnings=0, files=5),
    *_lists(files=3),
    ("task", _task(60)),
    ("advice", _none("advice")),
    ("reasons", _reasons("files", SHORT_REASON)),
    *_lists(files=1),
    *_lists(files=0),
)

NAMES = tuple(dict.fromkeys(name for name, _ in (*_DETAIL, *_ANSWER, *_LAST)))  # of all that may be left out
