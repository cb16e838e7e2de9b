"""What a model may do beside grading: name words for REFINE, plan the first query, and verify the answer.

The words come with the grades. A plan and a check are calls of their own, under the same contract: a schema, one retry,
and no effect without a valid reply. A plan only adds words to the query. A check can only make an answer insufficient,
never sufficient.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from zeroin.answer import Action, Change, Context
from zeroin.index.view import View
from zeroin.llm_judge.choice import fitting
from zeroin.llm_judge.evaluator import CHECK_TOKENS, ModelEvaluator
from zeroin.llm_judge.prompt import part_of
from zeroin.loop import Refine
from zeroin.terms import analyse, term_id
from zeroin.types import Gap, Judgment, Keyword, Origin, Query, Task

_WEIGHT = 0.7  # of a word that the model names, as a share of the task's heaviest
_PLAN_REPLY, _CHECK_REPLY = 150, 80  # tokens
_SHOWN = 8  # best files that a check is shown


@dataclass(frozen=True, slots=True)
class WordsRefiner:
    """Refines like `inner`, and adds the model's words to the query."""

    inner: Refine
    evaluator: ModelEvaluator
    view: View

    def refine(
        self, query: Query, judgments: Sequence[Judgment], gaps: Sequence[Gap]
    ) -> tuple[Query, tuple[Change, ...]]:
        query, changes = self.inner.refine(query, judgments, gaps)
        query, more = _with_words(query, self.evaluator.words, self.evaluator.model.name, self.view)
        return query, (*changes, *more)

    def expanded(self, query: Query) -> Query:
        return self.inner.expanded(query)


def _with_words(query: Query, words: Sequence[str], model: str, view: View) -> tuple[Query, tuple[Change, ...]]:
    """Return a query with those of the model's words that it lacks and the repository has, and the changes."""
    known = {keyword.text.lower() for keyword in query.keywords}
    named = [word for word in words if word.lower() not in known and _is_written(word, view)]
    why = f"{model} names it"
    keywords = tuple(Keyword(word, _WEIGHT, Origin.LEARNED, why) for word in named)
    changes = tuple(Change(Action.ADD_KEYWORD, word, why) for word in named)
    return replace(query, keywords=(*query.keywords, *keywords)), changes


def _is_written(word: str, view: View) -> bool:
    """Tell whether files of the repository have all terms of a word."""
    terms = analyse(word)
    content = view.snapshot.content
    return bool(terms) and all(content.document_frequency(term_id(term)) for term in terms)


def planned(judge: ModelEvaluator, task: Task, query: Query, view: View) -> tuple[Query, tuple[Change, ...]]:
    """Return the first query with a plan's words and questions, as far as the repository has their words."""
    if "plan" not in judge.options.judge_roles:
        return query, ()
    request = judge.request(task, (), "plan")
    if judge.calls_left() < 1 or request.tokens + _PLAN_REPLY > judge.tokens_left():
        return query, ()
    name, changes = judge.model.name, list[Change]()
    for verdict in judge.verdicts([request]):
        query, more = _with_words(query, verdict.words, name, view)
        areas = tuple(q for q in verdict.questions if any(_is_written(word, view) for word in q.split()))
        query = replace(query, focus_areas=tuple(dict.fromkeys((*query.focus_areas, *areas))))
        changes += [*more, *(Change(Action.FOCUS, area, f"{name} asks for it") for area in areas)]
    return query, tuple(changes)


def doubted(judge: ModelEvaluator, context: Context) -> Context:
    """Return the answer; insufficient, with a warning of what is missing, where the model says so."""
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
