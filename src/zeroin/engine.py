"""The composition root: the only place that chooses implementations and puts them together."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from zeroin.answer import Context, LessonsUsed, UsedLesson
from zeroin.config import HOST, READER, Options, Settings, may_learn, options_with
from zeroin.context.packing.texts import Texts
from zeroin.context.redaction.quotes import change_without_secrets
from zeroin.corpus.changes import change_of
from zeroin.corpus.source import open_source
from zeroin.dispatch.stage import Dispatcher, own_retrievers
from zeroin.errors import EmptyTaskError, InputError, OptionError
from zeroin.evaluate.annotate import Annotator
from zeroin.evaluate.judge import Judge, Prior
from zeroin.evaluate.overrides import CallerOverrides
from zeroin.evaluate.passages import Matcher
from zeroin.evaluate.purpose import purpose_in_tree
from zeroin.evaluate.spans.select import KeptSpans
from zeroin.gaps.finder import GapFinder
from zeroin.index.echoes import without_echoes
from zeroin.index.gather import Effort, silent
from zeroin.index.locate import not_found
from zeroin.index.opening import Opened
from zeroin.index.scope import unmatched
from zeroin.learning.lessons import identity_of, words_of
from zeroin.learning.recall import Recall, RecallingDispatcher, RecallingEvaluator, log_odds, recall
from zeroin.learning.store import LessonStore
from zeroin.loop import Loop
from zeroin.protocols import Dispatch, Evaluator, Progress, Retriever, Source
from zeroin.query.diff import in_the_tree, names_of, parse_diff
from zeroin.query.feedback import checked
from zeroin.query.purpose import text_beside_overview
from zeroin.query.task import formulate, naming_query, notes_of, pasted_in, query_of
from zeroin.query.translation import language_of
from zeroin.refine.rewrite import Refiner
from zeroin.session import Session
from zeroin.sessions import store as sessions
from zeroin.sessions.record import ASKED, JUDGED, SessionRecord
from zeroin.shortcuts import find_shortcut
from zeroin.stopping import CHEAP_FILES, CyclesUsed, Deadline, Enough, NoGain
from zeroin.terms import weighted_terms
from zeroin.tree import Diff
from zeroin.types import Feedback, Query, Task
from zeroin.workspace.repository import open_tree

if TYPE_CHECKING:  # loaded only where a model is asked
    from zeroin.llm_judge.contract import Model
    from zeroin.llm_judge.evaluator import ModelEvaluator
    from zeroin.workspace.members import Member, Place
    from zeroin.workspace.opening import Workspace

_INDEX_SHARE = 0.75  # of a time limit that analysis may use; the loop needs the rest


class Repository:
    """One repository at one tree state, ready for questions; `lessons` holds what was learned of it, if anything.

    A `workspace` is several repositories as one tree.
    """

    def __init__(self, opened: Opened, lessons: LessonStore | None = None, workspace: Workspace | None = None) -> None:
        self.opened = opened
        self.workspace = workspace
        self._lessons = lessons

    @classmethod
    def open(
        cls,
        path: str | Path = ".",
        *,
        rev: str | None = None,
        jobs: int = 0,
        deadline: float | None = None,
        progress: Progress | None = None,
    ) -> Repository:
        """Index what is not indexed yet, until `deadline` (monotonic clock), checked-out submodules included."""
        effort = Effort(inf if deadline is None else deadline, jobs, progress=progress or silent)
        return cls._of_source(open_source(path, rev), effort)

    @classmethod
    def _of_source(cls, source: Source, effort: Effort) -> Repository:
        return cls(open_tree(source, effort), LessonStore(source.identity))

    def ask(
        self,
        task: str | Task,
        options: Options | None = None,
        *,
        retrievers: Sequence[Retriever] = (),
        evaluator: Evaluator | None = None,
        model: Model | None = None,
        deadline: float | None = None,
        began: float | None = None,
    ) -> Session:
        """Return a session that is not yet run; `deadline` and `began` are readings of the monotonic clock.

        `model` is asked in place of the one that the options name. Raises `EmptyTaskError`, and `JudgeError` for a
        model that cannot be asked.
        """
        options, retrievers = options or Options(), own_retrievers(retrievers)
        began_cpu = time.process_time()
        task, query = self._question(task, options)
        view = self.opened.view
        warnings = [*notes_of(task, lambda: view.vocabulary.words), *self.opened.unsearched()]
        whole = self.workspace is None or self.workspace.whole
        warnings += [*unmatched(query, options, view), *not_found(query, view)] if whole else ()
        direct = whole and not options.always_loop
        advice = find_shortcut(task, query, view, options.budget) if direct else None
        state, lessons = self._recalled(task, query, options, warnings)
        if state is not None and evaluator is not None:  # lessons count in the built-in evaluator alone
            state, lessons = replace(state, used=()), Recall()
        survey = task.purpose == "architecture"
        once = advice is not None or options.at_once or survey
        loop = self._loop(task, query, options, lessons, retrievers, evaluator)
        judged = model is not None or options.judge
        judge = self._with_model(loop, options, model, deadline, warnings) if judged else None
        loop.rules = (
            Deadline(deadline),
            Enough(),
            CyclesUsed(1 if once else options.max_cycles, "an overview takes one cycle" if survey else ""),
            NoGain(len(view.snapshot) <= CHEAP_FILES),
        )
        loop.began = began_cpu
        record, unkept = None, retrievers or evaluator is not None or (model and not options.judge)
        if self.opened.identity and not (unkept or options.at_once):
            digest = state.digest if state is not None else ""
            place, identity, tree = str(self.opened.root), self.opened.identity, self.opened.tree
            members = self.workspace.kept if self.workspace is not None else ()
            record = SessionRecord(place, identity, task, options, tree, learned=digest, members=members)
        return Session(
            options=options,
            opened=self.opened,
            loop=loop,
            advice=advice,
            learned=state,
            judge=judge,
            record=record,
            workspace=self.workspace,
            began=began or time.monotonic(),
            warnings=warnings,
        )

    def _question(self, task: str | Task, options: Options) -> tuple[Task, Query]:
        """Return task and first query; a purpose that the caller did not give is checked against the tree."""
        given = options.purpose is not None or isinstance(task, Task)
        if self.workspace is not None:
            options = self.workspace.inside(options)
        task, query = formulate(task, options, lambda: self.opened.view.vocabulary.words)
        if given or task.diff is not None:
            return task, query
        beside = text_beside_overview(task.text) if task.purpose == "architecture" else ""
        purpose = purpose_in_tree(task.purpose, beside, query, self.opened.view)
        if task.purpose == "architecture" and purpose == "explore":
            query = query_of(replace(task, text=beside, purpose=purpose), options)
        return replace(task, purpose=purpose), query

    def _loop(
        self,
        task: Task,
        query: Query,
        options: Options,
        lessons: Recall,
        retrievers: Sequence[Retriever],
        evaluator: Evaluator | None,
    ) -> Loop:
        """Put the stages together; the caller sets the rules."""
        view, without = self.opened.view, options.without
        if task.diff is None:
            view = without_echoes(query.text, view, pasted_in(task, query))
        matcher, spans = Matcher(view), KeptSpans()
        refiner = Refiner(view, without=without)
        query = refiner.spelled(query, english=language_of(task.text) is None)
        dispatcher: Dispatch = Dispatcher(view, without=without, extra=retrievers, purpose=task.purpose)
        injected = evaluator is not None
        if evaluator is None:
            if os.environ.get(READER):  # refused before anything is asked
                from zeroin.models.reader import reader

                reader()
            prior: Prior | None = partial(log_odds, lessons) if lessons else None
            if self.workspace is not None:  # lessons are of one repository
                prior = self.workspace.prior
            evaluator = Judge(view, matcher, task.purpose, without, options.at_once, prior=prior, spans=spans)
        if lessons:
            dispatcher = RecallingDispatcher(dispatcher, lessons, view)
            evaluator = RecallingEvaluator(evaluator, lessons)
        return Loop(
            task=task,
            query=refiner.expanded(query) if options.at_once else query,
            view=view,
            dispatcher=dispatcher,
            evaluator=CallerOverrides(evaluator, injected=injected),
            annotator=Annotator(view, matcher, task.purpose, spans),
            gap_finder=GapFinder(view, matcher, without),
            refiner=refiner,
            rules=(),
        )

    def _with_model(
        self, loop: Loop, options: Options, model: Model | None, deadline: float | None, warnings: list[str]
    ) -> ModelEvaluator:
        """Put a language model beside the evaluator of a loop."""
        from zeroin.llm_judge.evaluator import ModelEvaluator
        from zeroin.llm_judge.experience import Verdict, experience
        from zeroin.llm_judge.roles import WordsRefiner

        if model is None:
            from zeroin.llm_judge.providers import model_of

            model = model_of(options.judge)
        known: Sequence[Verdict] = ()
        if options.judge and options.learned and may_learn():
            known = experience(warnings, self.opened.identity, loop.task.text).get(options.judge, ())
        text = Texts(self.opened.view)
        judge = ModelEvaluator(loop.evaluator, loop.annotator, model, text, options, deadline, known)
        loop.evaluator = CallerOverrides(judge)
        if "refine" in options.judge_roles:
            loop.refiner = WordsRefiner(loop.refiner, judge, self.opened.view)
        return judge

    def _recalled(
        self, task: Task, query: Query, options: Options, warnings: list[str]
    ) -> tuple[LessonsUsed | None, Recall]:
        """Return the lessons of similar tasks; none for a change or an overview."""
        if self._lessons is None or not options.learned or not may_learn():
            return None, Recall()
        lessons = self._lessons.lessons()
        warnings += self._lessons.warnings
        if not lessons.items:
            return None, Recall()
        found = Recall()
        if task.diff is None and task.purpose != "architecture":
            below = lessons.below(self.opened.prefix)
            found = recall(below, words_of(query), identity_of(task.text), self.opened.view)
        used = tuple(UsedLesson(x.lesson.id, x.lesson.title, x.similarity) for x in found.tasks)
        return LessonsUsed(lessons.digest, len(lessons), used), found


def retrieve(
    task: str | Task,
    repository: Place = ".",
    *,
    options: Options | None = None,
    retrievers: Sequence[Retriever] = (),
    evaluator: Evaluator | None = None,
    progress: Progress | None = None,
    **settings: Unpack[Settings],
) -> Context:
    """Return which few files of `repository`, or of several, matter for `task`, and what is still missing.

    `settings` are fields of `Options`. Raises `InputError` for input that cannot be used, `GitError` when git fails.
    """
    session = open_session(
        task, repository, options=options, retrievers=retrievers, evaluator=evaluator, progress=progress, **settings
    )
    return session.run()


def open_session(
    task: str | Task,
    repository: Place = ".",
    *,
    options: Options | None = None,
    retrievers: Sequence[Retriever] = (),
    evaluator: Evaluator | None = None,
    model: Model | None = None,
    progress: Progress | None = None,
    **settings: Unpack[Settings],
) -> Session:
    """Open a session: `retrieve` cycle by cycle, with feedback in between. Same arguments and errors as `retrieve`."""
    began = time.monotonic()
    chosen = options_with(options, settings)
    if not isinstance(repository, (str, Path)):
        from zeroin.workspace.members import members_of, options_of

        repository = members_of(repository)
        chosen = options_of(repository, chosen)
    repo = _opened(task, repository, chosen, began, chosen, progress)
    return repo.ask(
        task,
        chosen,
        retrievers=retrievers,
        evaluator=evaluator,
        model=model,
        deadline=_deadline(chosen, began),
        began=began,
    )


def resume(
    run: str,
    *,
    feedback: Feedback | None = None,
    more: bool = False,
    roots: Sequence[Path] | None = None,
    host: Model | None = None,  # the model of an MCP host
    judges: Collection[str] | None = None,  # that may be asked; None: any
    progress: Progress | None = None,
    **settings: Unpack[Settings],
) -> Session:
    """Resume a session that was kept (`zeroin.keep`): iterate, or `run` it.

    The question and its turns are asked again on the tree as it is now; the answer is the same as long as the tree is.
    `feedback`, or `more`, then adds one cycle. `settings` are the fields of `Options` that say how an answer is shown.

    Raises `OptionError` for other settings, `InputError` for a path of the feedback that is no file, `SessionError` for
    a session that is unknown or whose repository is gone or outside `roots`.
    """
    began = time.monotonic()
    given = checked(feedback or Feedback())
    kept = sessions.load(run)
    kept.check_places(roots)
    if fixed := sorted(set(settings) & {*ASKED, *JUDGED} - {"budget"}):
        raise OptionError(f"{', '.join(fixed)} cannot be changed in a run: it is part of what was asked")
    shown = options_with(kept.options, settings)
    place: str | Sequence[Member] = kept.place
    if kept.members:
        from zeroin.workspace.members import Member

        place = [Member(name, Path(path), rev) for name, path, rev in kept.members]
    turns = (*kept.turns, given)
    named = [path for turn in turns for path in (*turn.relevant, *turn.irrelevant)]
    repository = _opened(kept.task, place, kept.options, began, shown, progress, named)
    asked = replace(kept.options, purpose=kept.task.purpose, judge=kept.judge_among(judges))
    model = host if asked.judge == HOST else None
    session = repository.ask(kept.task, asked, model=model, deadline=_deadline(shown, began), began=began)
    session.options = shown
    session.replay(kept)
    if feedback is not None or more:
        session.apply(given)
    return session


def _opened(
    task: str | Task,
    place: str | Path | Sequence[Member],
    asked: Options,
    began: float,
    shown: Options,
    progress: Progress | None,
    named: Sequence[str] = (),
) -> Repository:
    """Return the repository, or those of `place` that the task or `named` paths are about, as far as time allows.

    A bad task is refused before any work is done.
    """
    read, query = formulate(task, asked)
    limit = inf if shown.timeout_s is None else began + _INDEX_SHARE * shown.timeout_s
    wanted = weighted_terms(query.keywords)
    effort = Effort(limit, shown.jobs, wanted, progress or silent, asked.submodules)
    if isinstance(place, (str, Path)):
        return Repository._of_source(open_source(place, asked.rev), effort)
    if asked.rev is not None or (isinstance(task, Task) and task.diff is not None):
        raise OptionError("a revision or change is one repository's: ask it alone, or use a workspace file")
    from zeroin.workspace.opening import open_workspace

    workspace = open_workspace(place, *naming_query(read, query, asked), effort, named)
    return Repository(workspace.opened, workspace=workspace)


def _deadline(options: Options, began: float) -> float | None:
    return None if options.timeout_s is None else began + options.timeout_s


def diff_of(repository: str | Path, spec: str = "", *, text: str | None = None) -> Diff:
    """Parse a change to be reviewed: the diff in `text` if given, else what `spec` names (`corpus.changes.change_of`).

    Secrets in it are removed. Raises `InputError` when nothing is changed.
    """
    changed = change_of(Path(repository), spec) if text is None else text
    if text is None and not changed.strip():
        raise EmptyTaskError(f"{spec or 'uncommitted changes'}: nothing is changed")
    found = parse_diff(changed)
    return change_without_secrets(in_the_tree(found) if text is None else found)


def review_of(change: Diff, text: str = "") -> Task:
    """Return the task of reviewing a change: `text`, else its message, else the names of its files.

    Raises `InputError`.
    """
    if not change.files:
        raise InputError("the change touches no file")
    words = text if text.strip() else change.message
    return Task(words or names_of(change), "review", change)
