"""One question under way: its cycles as they come, its answer at any time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from zeroin.answer import Advice, Context, Cycle, LearnedState, StopReason
from zeroin.config import Options, may_learn
from zeroin.context.breadth import DECAY, spread
from zeroin.context.listed import listed_files
from zeroin.context.patterns import patterns_of
from zeroin.context.told import told_gaps, told_terms
from zeroin.index.opening import Opened
from zeroin.learning.store import LessonStore
from zeroin.loop import Loop
from zeroin.teaching import note
from zeroin.types import HIGH, LOW, MEDIUM, Task


@dataclass(slots=True)
class Retrieval:
    """One question under way: iterate for cycles, take the `context` at any time.

    `loop.query` may be replaced between cycles to steer.
    """

    task: Task
    options: Options
    opened: Opened
    loop: Loop
    advice: Advice | None
    began: float
    warnings: list[str] = field(default_factory=list)
    learned: LearnedState | None = None
    store: LessonStore | None = None
    prefix: str = ""

    def __iter__(self) -> Iterator[Cycle]:
        return iter(self.loop)

    def run(self) -> Context:
        """Run to the end and return the answer."""
        for _ in self.loop:
            pass
        return self.context()

    def remember(self, context: Context) -> None:
        """Keep the task until its commit comes, where `zeroin learn --remember on` was said; asking never does it.

        Raises `LearningError`.
        """
        if self.store is not None and self.options.learned and may_learn() and not self.options.rev:
            note(self.store, context, self.prefix)

    def read(self, path: str) -> str:
        """The text of a file of the repository; "" if there is no such file."""
        doc = self.opened.view.doc_of(path)
        return self.opened.view.text(doc) if doc is not None else ""

    def context(self) -> Context:
        """The answer as it stands."""
        view, cycles = self.opened.view, tuple(self.loop.cycles)
        ranking = self.loop.best
        decay = DECAY[self.task.purpose]
        wide = spread(ranking, view.components, decay) if decay < 1.0 else ranking
        last = cycles[-1] if cycles else None
        files, supporting = listed_files(wide, self.task, cycles, self._language)
        listed = {j.path for j in (*files, *supporting)}
        gaps = told_gaps(last.gaps if last else (), listed, self._language)
        stop = self._stop_reason()
        high = [j for j in files if j.relevance >= HIGH]
        roles = [view.snapshot.role(doc) for doc in range(len(view.snapshot))]
        relevant = [j for j in ranking if j.relevance >= MEDIUM] or list(files)
        return Context(
            task=self.task,
            repository=str(self.opened.root),
            revision=self.opened.tree,
            files=files,
            supporting=supporting,
            terminology=told_terms(last.terminology if last else ()),
            patterns=patterns_of(relevant, view.paths, roles, ranking),
            gaps=gaps,
            cycles=cycles,
            stop_reason=stop,
            sufficient=bool(high) and not any(g.critical for g in gaps) and stop.code != "deadline",
            advice=self.advice,
            ranking=ranking[: max(self.options.top, 30)],
            skipped=self.opened.skipped,
            warnings=tuple(dict.fromkeys([*self.opened.warnings, *self.warnings])),
            stats={
                "documents": float(len(view.snapshot)),
                "analysed": float(self.opened.analysed),
                "missing": float(self.opened.missing),
                "commits": float(len(view.history.times)) if view.history is not None else 0.0,
                "seconds_index": self.opened.seconds,
                "seconds": time.monotonic() - self.began,
            },
            budget=self.options.budget,
            learned=self.learned,
        )

    def _language(self, path: str) -> str:
        doc = self.opened.view.doc_of(path)
        return self.opened.view.snapshot.language(doc) if doc is not None else ""

    def _stop_reason(self) -> StopReason:
        if self.opened.late:
            known = len(self.opened.view.snapshot) - self.opened.missing
            return StopReason(
                "deadline",
                f"out of time with {known:,} of {len(self.opened.view.snapshot):,} files analysed: the best so far",
            )
        if self.advice is not None and (self.loop.stop_reason or StopReason("", "")).code == "cycles":
            return StopReason("direct", self.advice.text)
        best = max((j.relevance for j in self.loop.best), default=0.0)
        stop = self.loop.stop_reason or StopReason("interrupted", "stopped by the caller")
        if best < LOW and stop.code in ("cycles", "no_gain"):
            return StopReason("nothing", f"no file reaches relevance {LOW} ({stop.text})")
        return stop
