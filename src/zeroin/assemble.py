"""Judgments → answer: a function of the tree, the query and the cycles."""

from collections.abc import Sequence
from dataclasses import replace

from zeroin.answer import SECTIONS, Advice, Context, Cycle, StopCode, StopReason
from zeroin.config import Options
from zeroin.context.conventions.patterns import patterns_of
from zeroin.context.redaction.addressed import warnings_of
from zeroin.context.selection.answer_filters import shown_gaps, shown_terms, with_outcomes
from zeroin.context.selection.listed import Listed, listed_files, paths_of_change, spread, without_change
from zeroin.context.selection.sections import is_secondary, ranked, wanted_in
from zeroin.context.selection.sufficiency import SUFFICIENT, UNCLAIMED, message_is_raised, probability_complete
from zeroin.evaluate.overrides import apply_overrides
from zeroin.gaps.references import is_answered, missing_context
from zeroin.index.opening import Opened
from zeroin.index.snapshot import ROLES
from zeroin.index.view import View
from zeroin.refine.evidence import confirmed
from zeroin.types import LOW, MEDIUM, Gap, Judgment, Purpose, Query, Task

_LEAST_RANKED = 30  # files of `Context.ranking` at least, as far as that many were judged


def assemble(
    opened: Opened,
    task: Task,
    query: Query,
    cycles: Sequence[Cycle],
    stop: StopReason | None,
    options: Options,
    advice: Advice | None = None,
) -> Context:
    """Return the answer to a task after some cycles.

    `query` is the last one, with the caller's verdicts and the learned terms; `stop` is None while the
    loop could go on.
    """
    view = opened.view
    stop = _stop_reason(opened, task, cycles, stop, advice)
    ranking = _ranking(query, cycles)
    in_order = spread(ranking, view.components) if task.purpose == "explore" else ranking
    listed = listed_files(in_order, task, wanted_in(task, query))
    # An overview shows no references, conventions or words: they belong to single components
    if task.purpose != "architecture":
        listed = _with_missing_context(listed, task, view)
        best = [j for j in without_change(ranking, task) if j.relevance >= MEDIUM] or list(listed.files)
        roles = [ROLES[number] for number in view.snapshot.roles.tolist()]
        adds = task.purpose == "feature"
        patterns = patterns_of(best, view.paths, roles, ranking, view, listed=listed.paths, adds=adds)
        terms = shown_terms(confirmed(query.terminology, view, listed.files, query.quotations))
    else:
        patterns, terms = (), ()
    in_answer = listed.paths | paths_of_change(task)
    docs = view.docs_of(in_answer)
    gaps = _open_gaps(cycles, ranking, in_answer, docs, view, task.purpose)
    return Context(
        task=task,
        repository=str(opened.root),
        revision=opened.tree,
        **{section: getattr(listed, section) for section in SECTIONS},
        terminology=terms,
        patterns=patterns,
        gaps=gaps,
        cycles=tuple(cycles),
        stop_reason=stop,
        advice=advice,
        sufficient=stop.code is not StopCode.DEADLINE
        and not any(gap.critical for gap in gaps)
        and _lists_everything(task, query, ranking, listed)
        and message_is_raised(query, docs, view),
        ranking=ranked(without_change(ranking, task), task, query)[: max(options.top, _LEAST_RANKED)],
        skipped=opened.skipped,
        warnings=(*opened.warnings, *_addressed(listed, view)),
        stats={
            "documents": float(len(view.snapshot)),
            "analysed": float(opened.analysed),
            "missing": float(opened.missing),
            "commits": float(len(view.history)),
            "seconds_index": opened.seconds,
        },
        budget=options.budget,
        pack=options.pack,
        redact=options.redact,
    )


def _ranking(query: Query, cycles: Sequence[Cycle]) -> tuple[Judgment, ...]:
    """Return the last cycle's judgments with the caller's verdicts, on files that no cycle found too, best first."""
    best = cycles[-1].judgments if cycles else ()
    known = {j.path for j in best}
    unseen = (Judgment(path, 1.0) for path in query.relevant if path not in known)
    return tuple(j for j in apply_overrides(query, (*best, *unseen)) if j.path not in query.irrelevant)


def _with_missing_context(listed: Listed, task: Task, view: View) -> Listed:
    """Return the listed files, each with what it refers to that is neither listed nor part of the change."""
    known = listed.paths | paths_of_change(task)
    selected = frozenset(view.docs_of(known))

    def filled(judgments: Sequence[Judgment]) -> tuple[Judgment, ...]:
        return tuple(replace(j, missing_context=missing_context(j, selected, view)) for j in judgments)

    return Listed(**{section: filled(getattr(listed, section)) for section in SECTIONS})


def _addressed(listed: Listed, view: View) -> tuple[str, ...]:
    """Return warnings of listed files, and commits that reasons quote, whose text addresses the reader."""
    docs = view.docs_of(j.path for j in listed.all)
    view.prefetch(docs)
    quoted = (e for j in listed.all for reason in j.reasons for e in reason.evidence if e.commit)
    return warnings_of(
        ((view.paths[doc], view.text(doc)) for doc in docs), ((f"commit {e.commit[:10]}", e.text) for e in quoted)
    )


def _open_gaps(
    cycles: Sequence[Cycle],
    ranking: Sequence[Judgment],
    in_answer: frozenset[str],
    docs: Sequence[int],
    view: View,
    purpose: Purpose,
) -> tuple[Gap, ...]:
    """Return the gaps of the last cycle that the answer itself does not close."""
    if not cycles:
        return ()
    last = cycles[-1]
    still_open = [g for g in with_outcomes(last.gaps, last.asked) if not is_answered(g, docs, view)]

    def language(path: str) -> str:
        doc = view.doc_of(path)
        return view.snapshot.language(doc) if doc is not None else ""

    return shown_gaps(still_open, in_answer, language, {j.path: j.relevance for j in ranking}, purpose)


def _lists_everything(task: Task, query: Query, ranking: Sequence[Judgment], listed: Listed) -> bool:
    """Tell whether the listed files are all that the task needs, with a probability of at least `SUFFICIENT`.

    Files that the caller gave or judged relevant do not count as evidence.
    """
    given, wanted = paths_of_change(task) | set(query.relevant), wanted_in(task, query)
    counted = [j for j in ranking if not is_secondary(j, wanted) and j.path not in given]
    return task.purpose not in UNCLAIMED and probability_complete(counted, listed.paths) >= SUFFICIENT


def _stop_reason(
    opened: Opened, task: Task, cycles: Sequence[Cycle], stop: StopReason | None, advice: Advice | None
) -> StopReason:
    """Return why the answer ends here: the loop's own reason, unless the whole answer has a better one."""
    if opened.late:
        files = len(opened.view.snapshot)
        known = f"{files - opened.missing:,} of {files:,} files analysed"
        return StopReason(StopCode.DEADLINE, f"out of time with {known}: the best so far")
    if stop is None:
        return StopReason(StopCode.INTERRUPTED, "stopped by the caller")
    if advice is not None and stop.code is StopCode.CYCLES:
        return StopReason(StopCode.DIRECT, advice.text)
    judged = without_change(cycles[-1].judgments, task) if cycles else ()
    best = max((j.relevance for j in judged), default=0.0)
    if best < LOW and stop.code in (StopCode.CYCLES, StopCode.NO_GAIN):
        return StopReason(StopCode.NOTHING, f"no file reaches relevance {LOW} ({stop.text})")
    return stop
