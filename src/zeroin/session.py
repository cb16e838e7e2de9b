"""A session: runs the loop of one question, applies the caller's feedback between cycles, assembles the answer."""

from __future__ import annotations

import posixpath
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from zeroin.answer import Advice, Context, Cycle, LessonsUsed, StopCode
from zeroin.assemble import assemble
from zeroin.config import Options, may_keep_sessions
from zeroin.context.packing.texts import Texts
from zeroin.corpus.files import path_below
from zeroin.errors import InputError
from zeroin.evaluate.overrides import apply_overrides
from zeroin.index.opening import Opened
from zeroin.loop import NOTHING_NEW, Loop
from zeroin.query.feedback import apply_feedback, checked
from zeroin.sessions import store
from zeroin.sessions.record import SessionRecord
from zeroin.types import Expansion, Feedback, Query, Task

if TYPE_CHECKING:
    from zeroin.llm_judge.evaluator import ModelEvaluator
    from zeroin.workspace.opening import Workspace

T = TypeVar("T")
_FINAL = (StopCode.DEADLINE, StopCode.INTERRUPTED)  # stop reasons after which no feedback is applied
_MOST_MEANT = 3  # files that an error suggests


@dataclass(slots=True)
class Session:
    """The loop of one question. Iterate to run its cycles, on from where you stopped; `context()` is the answer so far.

    `apply` applies the caller's feedback in one more cycle; `loop.query` may be replaced between cycles. Writes
    nothing: `zeroin.keep` keeps a session that is to be resumed.
    """

    options: Options
    opened: Opened
    loop: Loop
    advice: Advice | None = None  # the loop is not needed, and why
    learned: LessonsUsed | None = None
    judge: ModelEvaluator | None = None  # a language model beside the evaluator
    workspace: Workspace | None = None  # several repositories as one tree
    record: SessionRecord | None = None  # what was asked, in the form that can be kept; None where it cannot
    began: float = field(default_factory=time.monotonic)
    warnings: list[str] = field(default_factory=list)
    kept: str = ""  # the name under which it is kept
    stale: bool = False  # the tree has changed since it was first asked
    _turns: list[Feedback] = field(default_factory=list)  # not asked yet
    # A query and the expansions learned for it, shown where the loop learned none.
    _expanded: tuple[Query, tuple[Expansion, ...]] | None = None
    _lock: Lock = field(default_factory=Lock, repr=False)

    @property
    def task(self) -> Task:
        return self.loop.task

    @property
    def read(self) -> Texts:
        """Path → text of a file, "" if there is no such file; knows their definitions too."""
        return Texts(self.opened.view)

    def __iter__(self) -> Iterator[Cycle]:
        while (cycle := self._step()) is not None:
            yield self._shown(cycle)

    def _step(self) -> Cycle | None:
        """Run the next cycle, None at the end. Threads that iterate at once take turns and share the cycles."""
        loop = self.loop
        with self._lock:
            if self.judge is not None and not loop.cycles:
                from zeroin.llm_judge.roles import planned

                loop.query, loop.pending = planned(self.judge, self.task, loop.query, self.opened.view)
            while (cycle := loop.step()) is None and self._turns:
                if loop.stop_reason is not None and loop.stop_reason.code in _FINAL:
                    break
                self._next_query(self._turns.pop(0))
            return cycle

    def run(self) -> Context:
        """Run to the end and return the answer."""
        for _ in self:
            pass
        return self.context()

    def apply(self, feedback: Feedback) -> None:
        """Apply the caller's feedback in one more cycle; iterate or `run` for it.

        Raises `InputError` for a path that is no file of the repository, `SessionError` after too many turns.
        """
        feedback = checked(feedback)
        known = {path: self._path(path) for path in (*feedback.relevant, *feedback.irrelevant)}
        if unknown := [path for path, name in known.items() if name is None]:
            meant = self._meant(unknown[0])
            raise InputError(f"{unknown[0]} is no file that zeroin searches in {self.opened.root}{meant}")
        # Paths as the answer shows them, so that two spellings of a file are one.
        relevant, irrelevant = (
            tuple(self._shown(name) for name in dict.fromkeys(map(known.get, paths)) if name is not None)
            for paths in (feedback.relevant, feedback.irrelevant)
        )
        if both := set(relevant) & set(irrelevant):
            raise InputError(f"{', '.join(sorted(both))} cannot be both relevant and irrelevant")
        feedback = replace(feedback, relevant=relevant, irrelevant=irrelevant)
        self._add(feedback)

    def replay(self, kept: SessionRecord) -> None:
        """Take the turns of a kept session. Warns where the tree, or what was learned, has changed since."""
        for turn in kept.turns:
            self._add(turn)
        if self.record is None:
            return
        if self.opened.late:  # files that were not hashed in time look changed
            self.record = replace(self.record, tree=kept.tree)
        if self.record.id == kept.id:
            self.record = replace(self.record, parent=kept.parent)
            return
        self.record = replace(self.record, parent=kept.id)
        self.stale = self.record.tree.tree != kept.tree.tree
        what = "the tree has changed" if self.stale else "what was learned of the repository has changed"
        self.warnings.append(f"{what} since run {kept.id} was asked: everything was evaluated anew")

    def context(self) -> Context:
        """Return the answer as it stands."""
        query, loop, stop = self._query(), self.loop, self.loop.stop_reason
        late = self.opened.late or (stop is not None and stop.code is StopCode.DEADLINE)
        # Where no cycle learned expansions, the answer shows the codebase's words all the same.
        if loop.cycles and all(term.joined for term in query.terminology) and not late:
            if self._expanded is None or self._expanded[0] != query:
                self._expanded = query, loop.refiner.expanded(query).terminology
            query = replace(query, terminology=self._expanded[1])
        context = assemble(self.opened, self.task, query, loop.cycles, stop, self.options, self.advice)
        if self.judge is not None and stop is not None:
            from zeroin.llm_judge.roles import doubted

            context = doubted(self.judge, context)
        if self.workspace is not None:
            members = sorted(self.workspace.members, key=lambda member: -member.share)
            context = replace(self._shown(context), task=context.task, members=tuple(members))
        warnings = [*context.warnings, *self.warnings]
        if self.judge is not None and self.judge.use.failed:
            said = f"{self.judge.model.name} did not answer all that it was asked"
            warnings.append(f"{said}: {self.judge.use.failed}")
        if any(turn != Feedback() for turn in self._turns):
            said = "what was said last was not asked for"
            warnings.append(f"{said}: its judgments of files hold, nothing new was looked for")
        elif self._turns:
            warnings.append("a cycle more was asked for and is not run yet")
        return replace(
            context,
            warnings=tuple(dict.fromkeys(warnings)),
            stats={**context.stats, "seconds": time.monotonic() - self.began},
            learned=self.learned,
            judge=self.judge.use if self.judge is not None else None,
            run=self.kept,
            parent=self.record.parent if self.record is not None else "",
            stale=self.stale,
        )

    def _shown(self, value: T) -> T:
        """Return a cycle or answer with paths as the caller sees them."""
        return value if self.workspace is None else self.workspace.names.shown(value)

    def _add(self, feedback: Feedback) -> None:
        if self.record is not None:
            self.record = self.record.continued(feedback)
        self._turns.append(feedback)

    def _next_query(self, feedback: Feedback) -> None:
        """Make the next query: the caller's feedback first, then what REFINE adds."""
        loop = self.loop
        self.advice = None
        query, changes = apply_feedback(loop.query, self._in_tree(feedback))
        best = apply_overrides(query, loop.best)
        refined, more = loop.refiner.refine(query, best, loop.gap_finder.gaps(self.task, query, best))
        if changes or more:
            loop.again(refined, (*changes, *more))
        else:
            loop.stop_reason = NOTHING_NEW

    def _query(self) -> Query:
        """Return the last query, with the caller's verdicts of turns that no time was left for."""
        query = self.loop.query
        for turn in self._turns:
            known = self._in_tree(turn)
            query, _ = apply_feedback(query, Feedback(known.relevant, known.irrelevant))
        return query

    def _meant(self, given: str) -> str:
        """Return a question whether other files are meant: those whose paths end with the given one."""
        ending = "/" + posixpath.normpath(given).strip("/")
        found = [str(self._shown(path)) for path in self.opened.view.paths if path.endswith(ending)]
        return f"; do you mean {', '.join(found[:_MOST_MEANT])}?" if found else ""

    def _path(self, given: str) -> str | None:
        """Return a path as the index has it; None where there is no such file."""
        doc = self.opened.view.doc_of(path_below(self._roots(), given))
        return self.opened.view.paths[doc] if doc is not None else None

    def _roots(self) -> list[tuple[str, Path]]:
        """Return the folders that were opened, each with the prefix of its paths."""
        if self.workspace is None:
            return [("", self.opened.root.resolve())]
        roots = [(member.name, Path(member.path).resolve()) for member in self.workspace.members]
        return sorted(roots, key=lambda named: -len(named[1].parts))  # one may lie in another

    def _in_tree(self, feedback: Feedback) -> Feedback:
        """Return the feedback with paths as the index has them; warns of files that are gone."""

        def known(paths: tuple[str, ...]) -> tuple[str, ...]:
            found = {path: self._path(path) for path in paths}
            gone = [path for path, name in found.items() if name is None]
            self.warnings.extend(f"{path} was judged by the caller and is gone" for path in gone)
            return tuple(dict.fromkeys(name for name in found.values() if name is not None))

        return replace(feedback, relevant=known(feedback.relevant), irrelevant=known(feedback.irrelevant))


def keep(session: Session) -> str:
    """Keep a session for `zeroin.resume` and `zeroin show`. Returns its name, "" where it cannot or may not be kept.

    For surfaces to call after an answer: the core itself writes nothing but the index.
    """
    if session.record is not None and may_keep_sessions():
        record = replace(session.record, at=int(time.time()), grades=_graded(session))
        session.kept = record.id if store.keep(record) else ""
    return session.kept


def _graded(session: Session) -> tuple[tuple[str, int, bool | None], ...]:
    """Return each file's grade by the judge, and whether the caller found it useful (or None); none for a workspace."""
    if session.judge is None or session.workspace is not None:
        return ()
    query, top = session.loop.query, session.opened.prefix
    said = dict.fromkeys(query.relevant, True) | dict.fromkeys(query.irrelevant, False)
    return tuple((top + path, grade, said.get(path)) for path, grade in session.judge.grades.items())
