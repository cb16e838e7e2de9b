"""The composition root: the only place that chooses implementations and puts them together."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from zeroin.answer import Context, LearnedState, LearnedTask
from zeroin.config import Options, may_learn
from zeroin.corpus.changes import change_of
from zeroin.corpus.source import open_source
from zeroin.dispatch.stage import Dispatcher
from zeroin.errors import EmptyTaskError, InputError, OptionError, RunError
from zeroin.evaluate.annotate import Annotator
from zeroin.evaluate.judge import Judge
from zeroin.evaluate.overrides import CallerOverrides, Injected
from zeroin.evaluate.passages import Matcher
from zeroin.evaluate.purpose import purpose_in_tree
from zeroin.evaluate.spans.spans import Spans
from zeroin.gaps.finder import GapFinder
from zeroin.index import cache
from zeroin.index.cache import Usage
from zeroin.index.database import file_name
from zeroin.index.opening import Opened, open_index
from zeroin.index.scope import in_scope
from zeroin.learning.lessons import identity_of, words_of
from zeroin.learning.recall import Recall, RecallingDispatcher, RecallingEvaluator, log_odds, recall
from zeroin.learning.store import LessonStore
from zeroin.loop import Dispatch, Loop
from zeroin.protocols import Evaluator, Progress, Retriever
from zeroin.query.diff import names_of, parse_diff
from zeroin.query.overview import text_beside_overview
from zeroin.query.purpose import purpose_of
from zeroin.query.task import notes_of, query_of
from zeroin.refine.rewrite import Refiner
from zeroin.retrieval import Retrieval
from zeroin.runs import store as runs
from zeroin.runs.record import ASKED, Run
from zeroin.shortcuts import find_shortcut
from zeroin.stopping import CHEAP_FILES, CyclesUsed, Deadline, Enough, NoGain
from zeroin.terms import analyse
from zeroin.tree import Diff, TreeState
from zeroin.types import Feedback, Query, Task

_INDEX_SHARE = 0.75  # of a time limit that analysis may use; the loop needs the rest


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What building an index did; counts of files, wall time in seconds."""

    files: int
    analysed: int
    reused: int
    skipped: int
    seconds: float
    warnings: tuple[str, ...]
    tree: TreeState


class Repository:
    """One repository at one tree state, ready for questions; `store` holds what was learned of it, if anything."""

    def __init__(
        self, opened: Opened, store: LessonStore | None = None, prefix: str = "", identity: str = ""
    ) -> None:
        self._opened = opened
        self._store = store
        self._prefix = prefix
        self._identity = identity

    @classmethod
    def open(
        cls,
        path: str | Path = ".",
        *,
        rev: str | None = None,
        jobs: int = 0,
        deadline: float | None = None,
        wanted: frozenset[str] = frozenset(),
        progress: Progress | None = None,
    ) -> Repository:
        """Index what is not indexed yet, until `deadline` (monotonic), files whose path says `wanted` terms first."""
        source = open_source(path, rev)
        opened = open_index(source, jobs=jobs, deadline=deadline, wanted=wanted, progress=progress)
        return cls(opened, LessonStore(source.identity), source.prefix, source.identity)

    @property
    def opened(self) -> Opened:
        return self._opened

    def ask(
        self,
        task: str | Task,
        options: Options | None = None,
        *,
        retrievers: Sequence[Retriever] = (),
        evaluator: Evaluator | None = None,
        deadline: float | None = None,
        began: float | None = None,
    ) -> Retrieval:
        """A question, not yet run. Raises `EmptyTaskError`."""
        options = options or Options()
        began_cpu = time.process_time()
        told = options.purpose is not None or isinstance(task, Task)  # what the caller says stands
        task, query = _formulate(task, options)
        view = self._opened.view
        if task.diff is None and not told:
            beside = text_beside_overview(task.text)
            purpose = purpose_in_tree(task.purpose, beside, query, view)
            if task.purpose == "architecture" and purpose == "explore":
                query = query_of(replace(task, text=beside, purpose=purpose), options)
            task = replace(task, purpose=purpose)
        warnings = list(notes_of(task))
        advice = None if options.always_loop else find_shortcut(task, query, view, options.budget)
        most = (
            1
            if advice is not None or options.at_once or task.purpose == "architecture"
            else options.max_cycles
        )
        learned, recalled = self._recalled(task, query, options, warnings)
        matcher = Matcher(view)
        refiner = Refiner(view, without=options.without)
        query = refiner.spelled(query)
        if options.at_once:
            query = refiner.expanded(query)
        judging: Evaluator = (
            Injected(evaluator)
            if evaluator is not None
            else Judge(
                view,
                matcher,
                task.purpose,
                options.without,
                at_once=options.at_once,
                prior=partial(log_odds, recalled) if recalled else None,
            )
        )
        dispatcher: Dispatch = Dispatcher(
            view, without=options.without, extra=retrievers, purpose=task.purpose
        )
        if learned is not None and evaluator is not None:  # what was learned counts in our evaluator alone
            learned = replace(learned, used=())
        if recalled and evaluator is None:
            dispatcher = RecallingDispatcher(dispatcher, recalled, view, in_scope)
            judging = RecallingEvaluator(judging, recalled)
        run: Run | None = None
        if (
            self._identity and not retrievers and evaluator is None and not options.at_once
        ):  # what a caller's code says cannot be kept
            digest = learned.digest if learned is not None else ""
            run = Run(
                str(self._opened.root), self._identity, task, options, self._opened.tree, learned=digest
            )
        loop = Loop(
            task=task,
            query=query,
            view=view,
            dispatcher=dispatcher,
            evaluator=CallerOverrides(judging),
            annotator=Annotator(view, matcher, Spans(view), task.purpose),
            gap_finder=GapFinder(view, matcher, options.without),
            refiner=refiner,
            rules=(Deadline(deadline), Enough(), CyclesUsed(most), NoGain(len(view.snapshot) <= CHEAP_FILES)),
            began=began_cpu,
        )
        if self._opened.missing:
            count = f"{self._opened.missing:,} of {len(view.snapshot):,} files"
            why = "were not analysed in time" if self._opened.late else "could not be analysed"
            warnings.append(f"{count} {why}: known by path and history alone")
        return Retrieval(
            options,
            self._opened,
            loop,
            advice,
            began or time.monotonic(),
            warnings,
            learned,
            self._store,
            self._prefix,
            run,
        )

    def _recalled(
        self, task: Task, query: Query, options: Options, warnings: list[str]
    ) -> tuple[LearnedState | None, Recall]:
        """What was learned of this repository, as it counts for one question: for a task in words, not for a change."""
        if self._store is None or not options.learned or not may_learn():
            return None, Recall()
        lessons = self._store.lessons()
        warnings += self._store.warnings
        if not lessons.items:
            return None, Recall()
        found = Recall()
        if task.diff is None and task.purpose != "architecture":
            below = lessons.below(self._prefix)
            found = recall(below, words_of(query), identity_of(task.text), self._opened.view)
        used = tuple(LearnedTask(x.lesson.id, x.lesson.title, x.resemblance) for x in found.tasks)
        return LearnedState(lessons.digest, len(lessons), used), found


def retrieve(
    task: str | Task,
    repository: str | Path = ".",
    *,
    options: Options | None = None,
    retrievers: Sequence[Retriever] = (),
    evaluator: Evaluator | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Context:
    """Which few files of `repository` matter for `task`, and what is still missing.

    `settings` are fields of `Options`. Raises `InputError` for what cannot be used, `GitError` when git fails.
    """
    return open_loop(
        task,
        repository,
        options=options,
        retrievers=retrievers,
        evaluator=evaluator,
        progress=progress,
        **settings,
    ).run()


def open_loop(
    task: str | Task,
    repository: str | Path = ".",
    *,
    options: Options | None = None,
    retrievers: Sequence[Retriever] = (),
    evaluator: Evaluator | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Retrieval:
    """The same question, to be run cycle by cycle."""
    began = time.monotonic()
    chosen = _options(options, settings)
    deadline = began + chosen.timeout_s if chosen.timeout_s is not None else None
    _, query = _formulate(task, chosen)  # a bad task is refused before any work is done
    opened = Repository.open(
        repository,
        rev=chosen.rev,
        jobs=chosen.jobs,
        deadline=began + _INDEX_SHARE * chosen.timeout_s if chosen.timeout_s is not None else None,
        wanted=frozenset(term for k in query.keywords for term in analyse(k.text)),
        progress=progress,
    )
    return opened.ask(
        task, chosen, retrievers=retrievers, evaluator=evaluator, deadline=deadline, began=began
    )


def resume(
    run: str,
    *,
    feedback: Feedback | None = None,
    more: bool = False,
    roots: Sequence[Path] | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Retrieval:
    """A run that was kept, to be shown again or gone on with: iterate, or `run` it.

    It is asked again on the index as it is now, which gives the same answer as long as the tree is the same; then
    `feedback` is applied in one more cycle; `more` asks for one without it. `settings` are the fields of `Options`
    that say how an answer is shown (`budget`, `timeout_s` …), `OptionError` is raised for others;
    `RunError` for a run that is unknown, whose repository is gone or lies outside `roots`, and `InputError` for
    a path that is no file.
    """
    began = time.monotonic()
    kept = runs.load(run)
    place = Path(kept.place)
    if roots is not None and not any(place.resolve().is_relative_to(root.resolve()) for root in roots):
        raise RunError(f"run {run} is about a repository outside of what may be read here")
    if not place.is_dir():
        raise RunError(f"the repository of run {run} is gone: {place}")
    if fixed := sorted(set(settings) & set(ASKED) - {"budget"}):
        raise OptionError(f"{', '.join(fixed)} cannot be changed in a run: it is part of what was asked")
    shown = _options(kept.options, settings)
    limit = shown.timeout_s
    _, query = _formulate(kept.task, kept.options)
    repository = Repository.open(
        place,
        rev=kept.options.rev,
        jobs=shown.jobs,
        deadline=began + _INDEX_SHARE * limit if limit is not None else None,
        wanted=frozenset(term for k in query.keywords for term in analyse(k.text)),
        progress=progress,
    )
    asked = replace(kept.options, purpose=kept.task.purpose, keep=shown.keep)
    deadline = began + limit if limit is not None else None
    retrieval = repository.ask(kept.task, asked, deadline=deadline, began=began)
    retrieval.options = shown
    retrieval.replay(kept)
    if feedback is not None or more:
        retrieval.apply(feedback or Feedback())
    return retrieval


def kept_run(name: str) -> Run:
    """The run of that name. Raises `RunError`."""
    return runs.load(name)


def build_index(
    repository: str | Path = ".", *, rev: str | None = None, jobs: int = 0, progress: Progress | None = None
) -> IndexReport:
    """Analyse everything ahead, so that the first question is quick."""
    began = time.monotonic()
    opened = Repository.open(repository, rev=rev, jobs=jobs, progress=progress).opened
    files = len(opened.view.snapshot)
    return IndexReport(
        files=files,
        analysed=opened.analysed,
        reused=files - opened.analysed - opened.missing,
        skipped=len(opened.skipped),
        seconds=time.monotonic() - began,
        warnings=tuple(opened.warnings),
        tree=opened.tree,
    )


def _options(options: Options | None, settings: dict[str, Any]) -> Options:
    unknown = set(settings) - {f.name for f in fields(Options)}
    if unknown:
        raise OptionError(f"unknown option {', '.join(sorted(unknown))}")
    base = options or Options()
    return replace(base, **settings) if settings else base


def _formulate(task: str | Task, options: Options) -> tuple[Task, Query]:
    given = Task(task) if isinstance(task, str) else task
    purpose = options.purpose or (purpose_of(given) if isinstance(task, str) or given.diff else given.purpose)
    given = replace(given, purpose=purpose)
    return given, query_of(given, options)


def diff_of(repository: str | Path, spec: str = "", *, text: str | None = None) -> Diff:
    """A change to be reviewed: the diff in `text` if given, else what `spec` names (`corpus.changes.change_of`).

    Raises `InputError` when nothing is changed.
    """
    if text is not None:
        return parse_diff(text)
    changed = change_of(Path(repository), spec)
    if not changed.strip():
        raise EmptyTaskError(f"--diff {spec or '(uncommitted changes)'}: nothing is changed")
    return parse_diff(changed)


def review_of(change: Diff, text: str = "") -> Task:
    """The task of reviewing a change: `text`, else its message, else the names of its files. Raises `InputError`."""
    if not change.files:
        raise InputError("the change touches no file")
    told = text if text.strip() else change.message
    return Task(told or names_of(change), "review", change)


def cache_usage(repository: str | Path | None = None) -> list[Usage]:
    """What each repository takes in the cache, last used first; of one repository, if it is named."""
    found = cache.usage()
    if repository is None:
        return found
    name = file_name(open_source(repository).identity)
    return [item for item in found if item.name == name]


def clear_cache(repository: str | Path | None = None) -> int:
    """Remove the index and the runs of a repository, or all; returns the bytes freed."""
    identity = None if repository is None else open_source(repository).identity
    runs.forget(identity)
    return cache.clear(identity=identity)


def prune_cache(max_bytes: int | None = None, max_age_days: float | None = None) -> int:
    """Remove indexes that were not used for long or are too many; returns the bytes freed."""
    return cache.prune(max_bytes, max_age_days)


def export_index(repository: str | Path, file: Path) -> int:
    """Write what is known of a repository to `file`; returns the number of facts. Raises `CacheError`."""
    return cache.export_index(open_source(repository).identity, file)


def import_index(repository: str | Path, file: Path) -> int:
    """Take over what `export_index` wrote elsewhere; returns the number of facts. Raises `CacheError`."""
    return cache.import_index(file, open_source(repository).identity)
