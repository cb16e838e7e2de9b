"""What a model may do beside grading: plan the first query, and verify the answer. Each is a call of its own.

The same contract as for grades: a schema, one repair, no answer changes nothing. Both can only add: a plan adds words
to the query, a check adds doubt. No model makes an answer sufficient.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zeroin.answer import Action, Change, Context
from zeroin.index.view import View
from zeroin.llm_judge.choice import fitting
from zeroin.llm_judge.evaluator import CHECK_TOKENS, ModelEvaluator
from zeroin.llm_judge.prompt import part_of
from zeroin.llm_judge.words import is_written, with_words
from zeroin.types import Judgment, Query, Task

_PLAN_REPLY, _CHECK_REPLY = 150, 80  # tokens
_SHOWN = 8  # best files that a check is shown


def planned(judge: ModelEvaluator, task: Task, query: Query, view: View) -> tuple[Query, tuple[Change, ...]]:
    """Return the first query with the words and questions of a plan, where the repository has their words."""
    if "plan" not in judge.options.judge_roles:
        return query, ()
    request = judge.request(task, (), "plan")
    if judge.calls_left() < 1 or request.tokens + _PLAN_REPLY > judge.tokens_left():
        return query, ()
    name, changes = judge.model.name, list[Change]()
    for verdict in judge.verdicts([request]):
        query, more = with_words(query, verdict.words, name, view)
        areas = tuple(q for q in verdict.questions if any(is_written(word, view) for word in q.split()))
        query = replace(query, focus_areas=tuple(dict.fromkeys((*query.focus_areas, *areas))))
        changes += [*more, *(Change(Action.FOCUS, area, f"{name} asks for it") for area in areas)]
    return query, tuple(changes)


def doubted(judge: ModelEvaluator, context: Context) -> Context:
    """Return the answer, not sufficient where the model says so, with what it says is missing."""
    best: Sequence[Judgment] = (*context.files, *context.supporting)[:_SHOWN]
    if "verify" not in judge.options.judge_roles or not best:
        return context
    frame = judge.request(context.task, (), "verify").tokens + _CHECK_REPLY
    room = min(CHECK_TOKENS, judge.tokens_left()) - frame
    parts = fitting([part_of(j, judge.read, redact=judge.options.redact) for j in best], room)
    if not parts or judge.calls_left() < 1:
        return context
    for verdict in judge.verdicts([judge.request(context.task, parts, "verify")]):
        if not verdict.sufficient:
            missing = f": it misses {', '.join(verdict.missing)}" if verdict.missing else ""
            doubt = f"{judge.model.name} says that these files are not all{missing}"
            context = replace(context, sufficient=False, warnings=(*context.warnings, doubt))
    return context
