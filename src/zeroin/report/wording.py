"""Word the page: its own sentences, and text of the repository made safe, which Jinja2 escapes afterwards."""

import re
from collections import Counter
from typing import Any

from markupsafe import Markup, escape

from zeroin.answer import Context, Cycle
from zeroin.context.clean import clean, line, path_text
from zeroin.context.redaction.redact import redact_quote
from zeroin.context.rendering.wording import shortened, weak
from zeroin.query.diff import names_of
from zeroin.types import HIGH, figure_of
from zeroin.wording import first_of

MAX_TEXT, MAX_PATH = 1_000, 400  # characters of one piece of text, and of a path
MAX_TITLE = 140
_WORDS = 6  # of the first query that its summary names

# Change.action → the heading of a list of such changes.
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
    """Summarise a cycle: the first by its words, a later one by its changes."""
    if cycle.number > 1:
        count: Counter[str] = Counter(c.action for c in cycle.changes)
        parts = [f"{label.lower()}: {count[action]}" for action, label in ACTIONS.items() if count[action]]
        text = ", ".join(parts) or "the same question once more"
        return f"{text[:1].upper()}{text[1:]}."
    words = [line(k.text) for k in sorted(cycle.query.keywords, key=lambda k: (-k.weight, k.text))]
    return f"Asked for {first_of(words, _WORDS) or 'names and paths'}."


def _files(count: int) -> str:
    return "one file" if count == 1 else f"{count} files"


def finalize(value: Any) -> Any:
    """Make safe every value that a template prints; markup of this package stays as it is."""
    if value is None:
        return ""
    return safe_text(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def safe_text(text: str, limit: int = MAX_TEXT) -> str:
    """Remove control characters and secrets, and cut to `limit` characters."""
    redacted = "\n".join(redact_quote(row)[0] for row in clean(text).split("\n"))
    return redacted if len(redacted) <= limit else redacted[: limit - 1] + "…"


def path_markup(value: str) -> Markup:
    """Mark up a path: the folder quieter than the name, with line breaks allowed between its parts."""
    text = path_text(value)
    folder, slash, name = (text if len(text) <= MAX_PATH else "…" + text[-MAX_PATH:]).rpartition("/")
    parts = Markup('<span class="dir">{}</span>').format(_breakable(folder + slash)) if slash else Markup("")
    return Markup('<span class="path">{}<span class="base">{}</span></span>').format(parts, _breakable(name))


def _breakable(text: str) -> Markup:
    return Markup(re.sub(r"([/_.-]+)", r"\1<wbr>", str(escape(text))))
