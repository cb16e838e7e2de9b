"""Render an answer in the two forms that hosts take: text, and structured content that holds the text too.

Some hosts give the model one form, some the other, a few both: so each is complete and within the budget.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

from zeroin.answer import Context, StopCode, Terminology
from zeroin.context.clean import escape_surrogates, line, path_text
from zeroin.context.packing.texts import Read
from zeroin.context.rendering.markdown import cell, render
from zeroin.context.rendering.page import Page
from zeroin.context.rendering.wording import source_of, spoken_of, word_of
from zeroin.context.tokens import estimate
from zeroin.types import LOW, Judgment, figure_of

TERMS_BUDGET = 3_000  # tokens of what explain_terms says
GUESSES = 5  # words that explain_terms shows where none is sure or likely
_TRIES = 5
_TOKENS_A_FILE = 150  # of the budget, for each file of a structured list
_MOST_FILES = 12  # in each structured list; the text has more

_ONE_AT_A_TIME = Lock()  # libraries of the renderers are not thread-safe


@dataclass(frozen=True, slots=True)
class Answer:
    """The same content twice: `text`, and `structured` with the text under "context"."""

    text: str
    structured: dict[str, Any] = field(default_factory=dict)

    @property
    def cost(self) -> int:
        """The estimated tokens of the form that costs more."""
        return max(estimate(self.text), estimate(json.dumps(self.structured, ensure_ascii=False)))


def found(context: Context, read: Read, budget: int) -> Answer:
    """Render a context in at most `budget` estimated tokens, in either form."""
    room = budget
    for _ in range(_TRIES):
        answer = _found(context, read, room)
        if answer.cost <= budget:
            break
        # Structured content is longer: every line break and quote of the code is escaped. The new room is taken off
        # the text's length where the text did not fill its room: else the text would not get shorter.
        room = min(room, estimate(answer.text)) - int((answer.cost - budget) * 1.05) - 1
    for section in ("documents", "tests", "files"):
        while answer.structured[section] and answer.cost > budget:
            answer.structured[section].pop()  # the text lists them all
    return answer


def _found(context: Context, read: Read, room: int) -> Answer:
    head = _head(context)
    with _ONE_AT_A_TIME:
        text = escape_surrogates(render(replace(context, budget=max(100, room)), read, opening=head))
    listed = (*context.files, *context.supporting)
    relevant = [j for j in listed if j.relevance >= LOW] or listed
    run, most = {"run": context.run} if context.run else {}, min(_MOST_FILES, context.budget // _TOKENS_A_FILE)
    return Answer(
        text,
        {
            **run,
            "sufficient": context.sufficient,
            "files": _rated(relevant[:most]),
            "tests": _rated(context.tests[:most]),
            "documents": _rated(context.documents[:most]),
            "context": text,
        },
    )


def _rated(judgments: Sequence[Judgment]) -> list[dict[str, Any]]:
    return [{"path": path_text(j.path), "relevance": float(figure_of(j.relevance))} for j in judgments]


def _head(context: Context) -> str:
    """Say what to do with the answer. It comes first, since hosts cut long results at the end."""
    run = f"Run {line(context.run)}: " if context.run else ""
    critical = sum(gap.critical for gap in context.gaps)
    if context.sufficient:
        return f"{run}sufficient: read the files of relevance >= 0.7 first.\n"
    if not context.listed:
        return f"{run}no file found. Call find_context with other words, or without include and exclude.\n"
    if context.stop_reason.code is StopCode.DEADLINE:
        why = context.stop_reason.text.partition(":")[0]
        return f"{run}partial: {line(why)}. Read the best files, or call again with the same arguments: it goes on.\n"
    missing = f", {critical} critical gap{'' if critical == 1 else 's'}" if critical else ""
    how = " Read the best files, then call refine_context with what is missing: focus, terms or note."
    return f"{run}not known to be sufficient{missing}.{how if context.run else ''}\n"


def explained(found: Terminology) -> Answer:
    """Render the codebase's words for those of a text, in at most `TERMS_BUDGET` tokens."""
    page = Page(TERMS_BUDGET)
    terms = found.shown or found.terms[:GUESSES]
    pairs = [{"text": word_of(t.task_word), "codebase": word_of(t.code_word), "certainty": t.certainty} for t in terms]
    rows = [
        f"| {cell(word_of(t.task_word))} | {cell(word_of(t.code_word))} | {t.certainty} | "
        f"{cell('; '.join(source_of(source) for source in t.sources[:3]))} |\n"
        for t in terms
    ]
    head = "| Text | Codebase | Certainty | Learned from |\n| --- | --- | --- | --- |\n"
    if not page.section(head, rows, limit=TERMS_BUDGET * 2 // 3):
        page.add("This codebase has no other word for it that could be learned.\n")
    for sentence in spoken_of(found):
        page.add(f"\n{cell(sentence)}\n")
    for warning in found.warnings[:5]:
        page.add(f"\nWarning: {cell(line(warning))}\n")
    text = escape_surrogates(page.text())
    return Answer(text, {"terms": pairs, "context": text})
