"""What a reason is written about: one candidate of one cycle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from zeroin.evaluate.passages import TextMatch
from zeroin.evaluate.task_terms import TaskTerms
from zeroin.index.history import bm25_commits
from zeroin.index.view import View
from zeroin.terms import term_id, weighted_terms
from zeroin.tree import Definition
from zeroin.types import Candidate, Evidence, Query, Reason

_COMMITS = 150  # as many as the retriever looks at


@dataclass(frozen=True)
class Question:
    """What all reasons of one cycle share; `best` are the documents judged most relevant, best first."""

    query: Query
    terms: TaskTerms
    view: View
    best: tuple[int, ...]

    @cached_property
    def matching_commits(self) -> list[int]:
        """Commits whose message matches the task (rows of the history), best first."""
        if self.view.history is None:
            return []
        terms = {term_id(t): w for t, w in weighted_terms(self.query.own).items()}
        return bm25_commits(self.view.history, terms, _COMMITS)[0].tolist()  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Subject:
    """A candidate, with what was read of it."""

    question: Question
    candidate: Candidate
    match: TextMatch

    @property
    def doc(self) -> int:
        return self.candidate.doc

    @property
    def path(self) -> str:
        return self.candidate.path

    @property
    def query(self) -> Query:
        return self.question.query

    @property
    def terms(self) -> TaskTerms:
        return self.question.terms

    @property
    def view(self) -> View:
        return self.question.view

    @property
    def text(self) -> str:
        return self.view.text(self.doc)

    @property
    def others(self) -> list[int]:
        """The best documents but this one."""
        return [doc for doc in self.question.best if doc != self.doc]

    def reason(self, kind: str, text: str, *evidence: Evidence) -> Reason:
        """A reason whose evidence is the file itself, unless other is given."""
        return Reason(kind, text, evidence or (Evidence(self.path),))

    def cited(self, definitions: Sequence[Definition]) -> tuple[Evidence, ...]:
        """Definitions at the line that names them: they may begin with decorators or a comment."""
        lines = self.text.split("\n")

        def line(d: Definition) -> int:
            inside = range(d.start, min(d.end, len(lines)) + 1)
            return next((n for n in inside if d.name in lines[n - 1]), d.start)

        return tuple(Evidence(self.path, line(d), d.name) for d in definitions)
