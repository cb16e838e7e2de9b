"""Judgments → answer: a function of the tree, the question and the cycles, whoever asks and however often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zeroin.answer import Advice, Context, Cycle, StopReason
from zeroin.config import Options
from zeroin.context.conventions.patterns import patterns_of
from zeroin.context.selection.answer_filters import shown_gaps, shown_terms, with_outcomes
from zeroin.context.selection.breadth import DECAY, spread
from zeroin.context.selection.listed import Listed, listed_files, paths_of_change, without_change
from zeroin.context.selection.sections import is_secondary, ranked, wanted_in
from zeroin.context.selection.sufficiency import (
    SUFFICIENT,
    UNCLAIMED,
    message_is_raised,
    probability_complete,
)
from zeroin.evaluate.overrides import apply_overrides
from zeroin.gaps.references import is_answered, missing_context
from zeroin.index.opening import Opened
from zeroin.index.view import View
from zeroin.refine.certainty import confirmed
from zeroin.types import LOW, MEDIUM, Judgment, Query, Task


def assemble(
    opened: Opened,
    task: Task,
    query: Query,
    cycles: Sequence[Cycle],
    stop: StopReason | None,
    options: Options,
    advice: Advice | None = None,
) -> Context:
    """The answer to a task after some cycles.

    `query` is the last one, with the caller's verdicts and the learned terms. `stop` is None while the
    loop could go on.
    """
    view = opened.view
    stop = _stop_reason(opened, task, cycles, stop, advice)
    best = cycles[-1].judgments if cycles else ()
    known = {j.path for j in best}
    unseen = tuple(Judgment(path, 1.0) for path in query.relevant if path not in known)
    ranking = tuple(j for j in apply_overrides(query, (*best, *unseen)) if j.path not in query.irrelevant)
    decay = DECAY[task.purpose]
    wide = spread(ranking, view.components, decay) if decay < 1.0 else ranking

    def language(path: str) -> str:
        doc = view.doc_of(path)
        return view.snapshot.language(doc) if doc is not None else ""

    wanted = wanted_in(task, query)
    listed = _with_missing(listed_files(wide, task, wanted), task, view)
    missing = list(with_outcomes(cycles[-1].gaps, cycles[-1].asked)) if cycles else []
    in_answer = listed.paths | paths_of_change(task)
    held = [doc for path in in_answer if (doc := view.doc_of(path)) is not None]
    missing = [gap for gap in missing if not is_answered(gap, held, view)]
    gaps = shown_gaps(missing, in_answer, language, {j.path: j.relevance for j in ranking})
    # What the caller gave or judged says nothing of whether we have found enough.
    given = paths_of_change(task) | set(query.relevant)
    counted = [j for j in ranking if not is_secondary(j, wanted) and j.path not in given]
    roles = [view.snapshot.role(doc) for doc in range(len(view.snapshot))]
    relevant = [j for j in without_change(ranking, task) if j.relevance >= MEDIUM] or list(listed.files)
    overview = task.purpose == "architecture"  # of the parts: no convention and no word of one of them
    first = [j.path for j in listed.files]
    return Context(
        task=task,
        repository=str(opened.root),
        revision=opened.tree,
        files=listed.files,
        supporting=listed.supporting,
        tests=listed.tests,
        documents=listed.documents,
        terminology=() if overview else shown_terms(confirmed(query.terminology, view, first)),
        patterns=() if overview else patterns_of(relevant, view.paths, roles, ranking, view),
        gaps=gaps,
        cycles=tuple(cycles),
        stop_reason=stop,
        advice=advice,
        sufficient=task.purpose not in UNCLAIMED
        and probability_complete(counted, listed.paths) >= SUFFICIENT
        and not any(g.critical for g in gaps)
        and message_is_raised(query, held, view)
        and stop.code != "deadline",
        ranking=ranked(without_change(ranking, task), task, query)[: max(options.top, 30)],
        skipped=opened.skipped,
        warnings=tuple(opened.warnings),
        stats={
            "documents": float(len(view.snapshot)),
            "analysed": float(opened.analysed),
            "missing": float(opened.missing),
            "commits": float(len(view.history.times)) if view.history is not None else 0.0,
            "seconds_index": opened.seconds,
        },
        budget=options.budget,
        pack=options.pack,
        redact=options.redact,
    )


def _with_missing(listed: Listed, task: Task, view: View) -> Listed:
    """The listed files, each with what it points to that is neither listed nor given with the task."""
    known = listed.paths | paths_of_change(task)
    selected = frozenset(doc for path in known if (doc := view.doc_of(path)) is not None)

    if task.purpose == "architecture":  # a map leaves out most of what its files refer to
        return listed

    def filled(judgments: Sequence[Judgment]) -> tuple[Judgment, ...]:
        return tuple(replace(j, missing_context=missing_context(j, selected, view)) for j in judgments)

    return replace(
        listed,
        files=filled(listed.files),
        supporting=filled(listed.supporting),
        tests=filled(listed.tests),
        documents=filled(listed.documents),
    )


def _stop_reason(
    opened: Opened, task: Task, cycles: Sequence[Cycle], stop: StopReason | None, advice: Advice | None
) -> StopReason:
    """Why the answer ends here: the loop's own reason, unless something about the whole answer says more."""
    if opened.late:
        files = len(opened.view.snapshot)
        known = files - opened.missing
        return StopReason(
            "deadline", f"out of time with {known:,} of {files:,} files analysed: the best so far"
        )
    if stop is None:
        return StopReason("interrupted", "stopped by the caller")
    if advice is not None and stop.code == "cycles":
        return StopReason("direct", advice.text)
    judged = without_change(cycles[-1].judgments, task) if cycles else ()
    if stop.code in ("cycles", "no_gain") and max((j.relevance for j in judged), default=0.0) < LOW:
        return StopReason("nothing", f"no file reaches relevance {LOW} ({stop.text})")
    return stop
