"""One question under way: its cycles as they come, its answer at any time."""

from __future__ import annotations

import posixpath
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from zeroin.answer import Advice, Context, Cycle, LearnedState, StopReason
from zeroin.assemble import assemble
from zeroin.config import Options, may_keep_runs, may_learn
from zeroin.context.listed import without_change
from zeroin.context.texts import Texts
from zeroin.errors import InputError
from zeroin.evaluate.overrides import apply_overrides
from zeroin.index.opening import Opened
from zeroin.learning.store import LessonStore
from zeroin.lessons import note
from zeroin.loop import NOTHING_NEW, Loop
from zeroin.query.feedback import apply_feedback
from zeroin.runs import store
from zeroin.runs.record import Run
from zeroin.types import LOW, Expansion, Feedback, Query, Task

_NONE = StopReason("", "")


@dataclass(slots=True)
class Retrieval:
    """One question under way: iterate for cycles, take the `context` at any time.

    `apply` takes what the caller says and has one more cycle; `loop.query` may be replaced between cycles.
    """

    options: Options
    opened: Opened
    loop: Loop
    advice: Advice | None
    began: float
    warnings: list[str] = field(default_factory=list)
    learned: LearnedState | None = None
    store: LessonStore | None = None
    prefix: str = ""
    asked: Run | None = None  # what was asked, as it can be kept; None where it cannot
    turns: list[Feedback] = field(default_factory=list)  # still to be applied
    stale: bool = False
    kept: str = ""  # the name under which it is kept
    words: tuple[Query, tuple[Expansion, ...]] | None = (
        None  # what was learned for an answer, and for which query
    )

    @property
    def task(self) -> Task:
        return self.loop.task

    def __iter__(self) -> Iterator[Cycle]:
        yield from self.loop
        while self.turns and (self.loop.stop_reason or _NONE).code not in ("deadline", "interrupted"):
            self._apply_turn(self.turns.pop(0))
            yield from self.loop

    def run(self) -> Context:
        """Run to the end, keep the run unless the options say no, and return the answer."""
        for _ in self:
            pass
        self.keep()
        return self.context()

    def apply(self, feedback: Feedback) -> None:
        """Have one more cycle, which applies what the caller says; iterate or `run` for it.

        Raises `InputError` for a path that is no file of the repository, `RunError` after too many turns.
        """
        for path in (*feedback.relevant, *feedback.irrelevant):
            if self._path(path) is None:
                raise InputError(f"{path} is no file that zeroin searches in {self.opened.root}")
        if both := {self._path(p) for p in feedback.relevant} & {self._path(p) for p in feedback.irrelevant}:
            raise InputError(f"{', '.join(map(str, both))} cannot be both relevant and irrelevant")
        self._add(feedback)

    def replay(self, kept: Run) -> None:
        """Make the turns of a run that was kept; says so where the tree, or what was learned, has changed since."""
        for turn in kept.turns:
            self._add(turn)
        if self.asked is None:
            return
        if self.opened.late:  # files that no time was left to hash look like changed ones
            self.asked = replace(self.asked, tree=kept.tree)
        if self.asked.id == kept.id:
            self.asked = replace(self.asked, parent=kept.parent)
            return
        self.asked = replace(self.asked, parent=kept.id)
        self.stale = self.asked.tree.tree != kept.tree.tree
        what = "the tree has changed" if self.stale else "what was learned of the repository has changed"
        self.warnings.append(f"{what} since run {kept.id} was asked: everything was evaluated anew")

    def keep(self) -> str:
        """Keep the run, so that `zeroin show`, `more` and `refine` know it; its name, "" where it is not kept."""
        if self.asked is not None and self.options.keep and may_keep_runs():
            run = replace(self.asked, at=int(time.time()))
            self.kept = run.id if store.keep(run) else ""
        return self.kept

    def _add(self, feedback: Feedback) -> None:
        if self.asked is not None:
            self.asked = self.asked.continued(feedback)
        self.turns.append(feedback)

    def _path(self, given: str) -> str | None:
        """A path as the index has it; None where there is no such file."""
        path = Path(given)
        if path.is_absolute():  # perhaps through a link to the repository
            path = path.parent.resolve() / path.name
            root = self.opened.root.resolve()
            path = path.relative_to(root) if path.is_relative_to(root) else path
        name = posixpath.normpath(path.as_posix())
        return name if self.opened.view.doc_of(name) is not None else None

    def _apply_turn(self, feedback: Feedback) -> None:
        """The next question: the caller's word over ours, then what REFINE makes of it."""
        loop = self.loop
        self.advice = None
        feedback = replace(
            feedback, relevant=self._there(feedback.relevant), irrelevant=self._there(feedback.irrelevant)
        )
        query, changes = apply_feedback(loop.query, feedback)
        best = apply_overrides(query, loop.best)
        gaps = loop.gap_finder.gaps(self.task, query, best)
        refined, more = loop.refiner.refine(query, best, gaps)
        if changes or more:
            loop.again(refined, (*changes, *more))
        else:
            loop.stop_reason = NOTHING_NEW

    def _said(self) -> Query:
        """The last question with all that the caller has said of files, also what no time was left to ask."""
        query = self.loop.query
        for turn in self.turns:
            verdicts = Feedback(self._there(turn.relevant), self._there(turn.irrelevant))
            query, _ = apply_feedback(query, verdicts)
        return query

    def _unasked(self) -> list[str]:
        """A warning where no time was left for all that the caller said."""
        if not self.turns:
            return []
        return [
            "what was said last was not asked for: its judgments of files hold, nothing new was looked for"
        ]

    def _there(self, paths: tuple[str, ...]) -> tuple[str, ...]:
        found = {path: self._path(path) for path in paths}
        gone = [path for path, name in found.items() if name is None]
        self.warnings += [f"{path} was judged by the caller and is gone" for path in gone]
        return tuple(dict.fromkeys(name for name in found.values() if name is not None))

    def remember(self, context: Context) -> None:
        """Keep the task until its commit comes, where `zeroin learn --remember on` was said; asking never does it.

        Raises `LearningError`.
        """
        if self.store is not None and self.options.learned and may_learn() and not self.options.rev:
            note(self.store, context, self.prefix)

    @property
    def read(self) -> Texts:
        """Path → text of a file of the repository, "" if there is no such file; it knows their definitions too."""
        return Texts(self.opened.view)

    def context(self) -> Context:
        """The answer as it stands."""
        said = self._said()
        stop = self._stop_reason()
        only_spelled = all(term.joined for term in said.terminology)
        if self.loop.cycles and only_spelled and stop.code != "deadline":
            # A sure first cycle asks in the task's words alone; the answer tells the codebase's all the same.
            if self.words is None or self.words[0] != said:
                self.words = said, self.loop.refiner.expanded(said).terminology
            said = replace(said, terminology=self.words[1])
        context = assemble(self.opened, self.task, said, self.loop.cycles, stop, self.options)
        return replace(
            context,
            advice=self.advice,
            warnings=tuple(dict.fromkeys([*context.warnings, *self.warnings, *self._unasked()])),
            stats={**context.stats, "seconds": time.monotonic() - self.began},
            learned=self.learned,
            run=self.kept,
            parent=self.asked.parent if self.asked is not None else "",
            stale=self.stale,
        )

    def _stop_reason(self) -> StopReason:
        if self.opened.late:
            known = len(self.opened.view.snapshot) - self.opened.missing
            return StopReason(
                "deadline",
                f"out of time with {known:,} of {len(self.opened.view.snapshot):,} files analysed: the best so far",
            )
        if self.advice is not None and (self.loop.stop_reason or _NONE).code == "cycles":
            return StopReason("direct", self.advice.text)
        best = max((j.relevance for j in without_change(self.loop.best, self.task)), default=0.0)
        stop = self.loop.stop_reason or StopReason("interrupted", "stopped by the caller")
        if best < LOW and stop.code in ("cycles", "no_gain"):
            return StopReason("nothing", f"no file reaches relevance {LOW} ({stop.text})")
        return stop
