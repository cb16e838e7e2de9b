"""Sentences of the page: the title, how far the answer can be trusted, what each cycle changed."""

from __future__ import annotations

from collections import Counter

from zeroin.answer import Context, Cycle
from zeroin.context.clean import line
from zeroin.context.rendering.wording import shortened, weak
from zeroin.query.diff import names_of
from zeroin.types import HIGH, figure_of

MAX_TITLE = 140
_WORDS = 6  # of the first query, in its card

# Change.action → how a list of such changes is headed.
ACTIONS = {
    "learn_term": "Words learned",
    "add_keyword": "Words added",
    "ask": "Gaps searched for",
    "focus": "Aspects to look for",
    "must_read": "Files to read",
    "add_pattern": "Places preferred",
    "exclude": "Excluded",
    "revoke_exclude": "No longer excluded",
    "relevant": "Judged relevant by the caller",
    "irrelevant": "Judged irrelevant by the caller",
    "note": "Noted by the caller",
}
PATH_ACTIONS = frozenset({"must_read", "exclude", "revoke_exclude", "relevant", "irrelevant", "add_pattern"})


def title_of(context: Context) -> str:
    """Return the task in one line: its first line, or the title of the first query where that is long."""
    first = next((text for row in context.task.text.splitlines() if (text := line(row).lstrip("# "))), "")
    diff = context.task.diff
    if diff is not None and first.startswith(names_of(diff)):  # a change without a message
        return f"A change of {_files(len(diff.files))}"
    if len(first) > MAX_TITLE and context.cycles:
        first = line(context.cycles[0].query.title) or first
    return shortened(first, MAX_TITLE) or "A change"


def verdict_of(context: Context) -> tuple[str, str, str]:
    """Return how far the answer can be trusted: `enough`, `perhaps` or `nothing`, the same in words, and why.

    Tests and the files of the change itself do not count.
    """
    changed = {f.path for f in context.task.diff.files} if context.task.diff is not None else set()
    found = [j for j in (*context.files, *context.supporting) if j.path not in changed]
    high = sum(j.relevance >= HIGH for j in found)
    besides = " besides the change" if changed else ""
    if high:
        why = f"{_files(high)} at {HIGH} or more{besides}"
    elif found:
        best = figure_of(max(j.relevance for j in found))
        why = f"no file{besides} reaches {HIGH}, the best has {best}"
    else:
        why = f"no file{besides} was found"
    why = why[:1].upper() + why[1:]
    if weak(context):
        return "nothing", "Nothing sure", why
    if context.sufficient:
        return "enough", "Enough to begin", why
    return "perhaps", "Perhaps not enough", why


def ending_of(context: Context) -> str:
    """Return why the loop ended, as a sentence without its period."""
    stop = context.stop_reason
    text = "no more cycles were asked for" if stop.code == "cycles" else line(stop.text).rstrip(".")
    return text[:1].upper() + text[1:]


def summary_of(cycle: Cycle) -> str:
    """Return what a cycle asked: the first one its words, a later one what it changed."""
    if cycle.number > 1:
        count: Counter[str] = Counter(c.action for c in cycle.changes)
        parts = [f"{label.lower()}: {count[action]}" for action, label in ACTIONS.items() if count[action]]
        text = ", ".join(parts) or "the same question once more"
        return f"{text[:1].upper()}{text[1:]}."
    words = sorted(cycle.query.keywords, key=lambda k: (-k.weight, k.text))
    more = f" and {len(words) - _WORDS} more" if len(words) > _WORDS else ""
    return f"Asked for {', '.join(line(k.text) for k in words[:_WORDS]) or 'names and paths'}{more}."


def _files(count: int) -> str:
    return "one file" if count == 1 else f"{count} files"
