"""What was learned, shown: for people, and as JSON."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from zeroin.context.clean import line
from zeroin.context.render_json import dumps, path_json

if TYPE_CHECKING:
    from zeroin.lessons import Learned

Json = dict[str, Any]
SCHEMA = "zeroin.learned/1"


def as_json(state: Learned) -> str:
    """All of it: lessons and remembered tasks, newest first, with the words that are kept of each."""
    lessons = [
        {
            "id": x.id,
            "title": x.title,
            "relevant": [path_json(path) for path in x.relevant],
            "irrelevant": [path_json(path) for path in x.irrelevant],
            "taught": x.taught,
            "commit": x.commit,
            "at": x.at,
            "words": _words(x.words),
        }
        for x in state.lessons.items
    ]
    asked = [
        {
            "id": x.id,
            "title": x.title,
            "commit": x.commit,
            "answered": [path_json(path) for path in x.paths],
            "at": x.at,
            "words": _words(x.words),
        }
        for x in state.asked
    ]
    whole = {
        "schema": SCHEMA,
        "file": str(state.file),
        "digest": state.lessons.digest,
        "remember": state.remembers,
        "lessons": lessons,
        "asked": asked,
    }
    return dumps(whole, indent=2) + "\n"


def _words(words: tuple[tuple[str, float], ...]) -> list[Json]:
    return [{"word": word, "weight": weight} for word, weight in words]


def as_table(state: Learned) -> str:
    """A task a paragraph: id, day, title; + what turned out relevant, - what did not."""
    rows = []
    for x in state.lessons.items:
        source = f"  (commit {x.commit[:10]})" if x.commit else ""
        rows.append(f"{x.id}  {_day(x.at)}  {line(x.title)}{source}")
        rows += [f"    + {line(path)}" for path in x.relevant]
        rows += [f"    - {line(path)}" for path in x.irrelevant]
    if not rows:
        rows.append("nothing is learned of this repository")
    else:
        count = len(state.lessons)
        rows.append(
            f"\n{count} task{'s' if count != 1 else ''}, state {state.lessons.digest}, in {state.file}"
        )
    if state.asked:
        rows.append("\nremembered, waiting for their commit (zeroin learn --from-git):")
        rows += [f"{x.id}  {_day(x.at)}  {line(x.title)}" for x in state.asked]
    rows.append(f"asked tasks are {'' if state.remembers else 'not '}remembered")
    return "\n".join(rows) + "\n"


def _day(at: int) -> str:
    try:
        return datetime.fromtimestamp(at, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return "?"
