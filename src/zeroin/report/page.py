"""Render the page: one file that loads nothing (its content security policy says so), equal for equal answers."""

import base64
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from hashlib import sha256
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from zeroin import __version__
from zeroin.answer import Action, Context
from zeroin.beside import text_beside
from zeroin.context.clean import clean, line, path_text
from zeroin.context.packing.texts import Read
from zeroin.context.redaction.quotes import everything_of
from zeroin.context.rendering import wording
from zeroin.context.rendering.brief import lines_of, main_reason, to_read
from zeroin.context.rendering.explain import FOLLOWING
from zeroin.errors import InputError
from zeroin.report.code import MAX_LINES, listing_of, marker_of
from zeroin.report.history import MAX_FILES, file_histories, gap_histories
from zeroin.report.wording import (
    ACTIONS,
    PATH_ACTIONS,
    ending_of,
    finalize,
    path_markup,
    safe_text,
    summary_of,
    title_of,
    verdict_of,
)
from zeroin.types import Origin, band_of, figure_of
from zeroin.wording import counted

MAX_BYTES = 1_000_000  # of the whole page
MAX_CYCLES = 8  # shown: the first, and the last ones
MAX_TASK = 12_000  # characters
# Items of a list, lines of code of a file: the first pair whose page fits `MAX_BYTES` is taken.
_LIMITS = ((40, MAX_LINES), (40, 60), (16, 20), (4, 0), (1, 0))
_SHORTENED = "this page was shortened to stay readable: lists end early"
_FILTERS: dict[str, Callable[..., Any]] = {
    "band": band_of,
    "counted": counted,
    "figure": figure_of,
    "gap": wording.gap_of,
    "lead": main_reason,
    "line": line,
    "missing": wording.missing_of,
    "path": path_markup,
    "pattern": wording.pattern_of,
    "short": lambda text, limit: wording.shortened(line(text), limit),
    "source": wording.source_of,
    "span": wording.span_of,
    "summary": summary_of,
    "to_read": lambda judgment: lines_of(to_read(judgment), 70),
}


def render(context: Context, read: Read) -> str:
    """Return the answer as one HTML page of at most `MAX_BYTES`; `read` gives the text of a file.

    The same arguments give the same bytes. Secrets are removed before anything is shortened. Raises `InputError` for
    anything but an answer and a function.
    """
    if not isinstance(context, Context):
        raise InputError(f"the answer must be a zeroin.Context, not {context!r}")
    if not callable(read):
        raise InputError(f"what reads a file must be a function, such as the session's `read`, not {read!r}")
    context = everything_of(context)
    if len(context.cycles) > MAX_CYCLES:
        context = replace(context, cycles=(context.cycles[0], *context.cycles[1 - MAX_CYCLES :]))
    template, page = _environment().get_template("page.html"), ""
    for limits in _LIMITS:
        page = template.render(_variables(context, read, *limits))
        if len(page.encode()) <= MAX_BYTES:
            break
    return page


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("zeroin.report"),
        autoescape=True,
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(_FILTERS)
    return environment


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")


def _variables(context: Context, read: Read, top: int, max_lines: int) -> dict[str, Any]:
    """Return what the templates show of `context`: lists of at most `top` items, `max_lines` lines of a file."""
    # As they are embedded: with LF, as browsers hash them.
    style, script = (Markup(text_beside(__file__, f"templates/{name}")) for name in ("style.css", "script.js"))
    text = clean(context.task.text).strip()
    histories = file_histories(context, min(top, MAX_FILES))
    listed = context.listed[:top]
    marker = marker_of(context)
    diff = context.task.diff
    return {
        "policy": f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'",
        "style": style,
        "script": script,
        "version": __version__,
        "top": top,
        "context": context,
        "repository": path_text(context.repository.rstrip("/").rpartition("/")[2] or context.repository),
        "revision": path_text(context.revision.commit[:10] or context.revision.tree[:10]),
        "title": title_of(context),
        "task": "" if line(text) == title_of(context) else Markup.escape(safe_text(text[:MAX_TASK], MAX_TASK)),
        "changed": [file.path for file in diff.files] if diff is not None else [],
        "verdict": verdict_of(context),
        "ending": ending_of(context),
        "weak": wording.weak(context),
        "gaps": context.gaps,
        "warnings": ([_SHORTENED] if top < _LIMITS[0][0] else []) + list(context.warnings),
        "links": {path: f"file-{i}" for i, path in enumerate(dict.fromkeys(j.path for j in listed), 1)},
        "movement": {history.path: history.movement for history in histories},
        "histories": histories,
        "gap_histories": gap_histories(context),
        "actions": ACTIONS,
        "path_actions": PATH_ACTIONS,
        "queries": _queries(context),
        "code_shown": max_lines > 0,
        "files": [(j, listing_of(j, read, marker, max_lines)) for j in listed],
        "dropped": context.irrelevant,
        "skipped": Counter(line(s.reason) for s in context.skipped).most_common(),
    }


def _queries(context: Context) -> list[dict[str, Any]]:
    """Return each cycle's words, those of the cycle before, the task's words for learned ones, and the changes."""
    queries = []
    previous: set[str] = set()
    for cycle in context.cycles:
        words = sorted(cycle.query.keywords, key=lambda k: (k.origin is Origin.LEARNED, -k.weight, k.text))
        texts = {keyword.text for keyword in words}
        pairs = (*context.shown_terms, *cycle.query.terminology)
        asked = {change.why for change in cycle.changes if change.action == Action.ASK}
        once = [c for c in cycle.changes if not (c.action in FOLLOWING and c.why in asked)]
        changes = {action: [c for c in once if c.action == action] for action in ACTIONS}
        queries.append(
            {
                "cycle": cycle,
                "words": words,
                "previous": previous if cycle.number > 1 else texts,
                "task_words": {pair.code_word: pair.task_word for pair in pairs},
                "changes": {action: made for action, made in changes.items() if made},
            }
        )
        previous = texts
    return queries
