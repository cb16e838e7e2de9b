"""What was learned, shown: for people, and as JSON."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from zeroin.context.clean import line
from zeroin.context.rendering.json import dumps, path_json

if TYPE_CHECKING:
    from zeroin.lessons import KnownLessons

Json = dict[str, Any]
SCHEMA = "zeroin.learned/2"


def as_json(state: KnownLessons) -> str:
    """All lessons, newest first, with the words that are kept of each."""
    lessons = [
        {
            "id": x.id,
            "title": x.title,
            "relevant": [path_json(path) for path in x.relevant],
            "irrelevant": [path_json(path) for path in x.irrelevant],
            "at": x.at,
            "words": [{"word": word, "weight": weight} for word, weight in x.words],
        }
        for x in state.lessons.items
    ]
    whole = {
        "schema": SCHEMA,
        "file": str(state.file),
        "digest": state.lessons.digest,
        "lessons": lessons,
    }
    return dumps(whole, indent=2) + "\n"


def as_table(state: KnownLessons) -> str:
    """A task a paragraph: id, day, title; + what turned out relevant, - what did not."""
    rows = []
    for x in state.lessons.items:
        rows.append(f"{x.id}  {_day(x.at)}  {line(x.title)}")
        rows += [f"    + {line(path)}" for path in x.relevant]
        rows += [f"    - {line(path)}" for path in x.irrelevant]
    if not rows:
        rows.append("nothing is learned of this repository")
    else:
        count = len(state.lessons)
        rows.append(
            f"\n{count} task{'s' if count != 1 else ''}, state {state.lessons.digest}, in {state.file}"
        )
    return "\n".join(rows) + "\n"


def _day(at: int) -> str:
    try:
        return datetime.fromtimestamp(at, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return "?"
