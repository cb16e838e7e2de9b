"""Trim JSON answers to a budget: the least needed is left out first."""

from collections.abc import Callable

from zeroin.context.rendering.structures import Json
from zeroin.context.rendering.wording import shortened
from zeroin.context.tokens import estimate

REASON, SHORT_REASON = 300, 120  # characters of a file's reason: as in text, and where little else is left


def trim(value: Json, wanted: int, most: int, written: Callable[[Json], str]) -> list[str]:
    """Leave parts of an answer out until it takes `wanted` tokens as `written`; return the names of what was left out.

    Detail goes first. Then the answer itself (files, gaps, terms, patterns) is shortened down to `most` or 1.2 ×
    `wanted`, whichever is less, and emptied only as far as `most` makes it necessary.
    """
    names: list[str] = []
    text = written(value)
    for steps, limit in ((_DETAIL, wanted), (_ANSWER, min(most, int(1.2 * wanted))), (_LAST, most)):
        for name, step in steps:
            if estimate(text) <= limit:
                break
            step(value)
            before, text = text, written(value)
            if text != before and name not in names:
                names.append(name)
    return names


Step = Callable[[Json], None]  # leaves one part out, if it is there


def _in_cycles(key: str) -> Step:
    def step(value: Json) -> None:
        for cycle in value["cycles"]:
            cycle[key] = []

    return step


def _shorten(key: str, most: int) -> Step:
    return lambda value: value.update({key: value[key][:most]})


def _task(most: int) -> Step:
    return lambda value: _shorten("text", most)(value["task"])


def _none(key: str) -> Step:
    return lambda value: value.update({key: None})


def _reasons(key: str, most: int = REASON) -> Step:
    """Keep only the first reason of each file, in at most `most` characters, without evidence."""

    def step(value: Json) -> None:
        for entry in value[key]:
            for reason in entry["reasons"][:1]:
                reason |= {"text": shortened(reason["text"], most), "evidence": []}
            entry |= {"reasons": entry["reasons"][:1], "missing_context": []}

    return step


def _gap_details(value: Json) -> None:
    for gap in value["gaps"]:
        gap |= {"evidence": gap["evidence"][:1], "search": {}}


def _sources(value: Json) -> None:
    for term in value["terminology"]:
        term["sources"] = term["sources"][:1]
    for pattern in value["patterns"]:
        pattern["evidence"] = []


def _stats(value: Json) -> None:
    value["skipped"]["reasons"], value["stats"] = {}, {}


Steps = tuple[tuple[str, Step], ...]


def _lists(**most: int) -> Steps:
    """Return the steps that shorten lists of the answer, in this order, to so many entries each."""
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
