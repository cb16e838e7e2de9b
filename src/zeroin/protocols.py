"""Contracts between the rooms: structural, nothing to inherit."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from zeroin.tree import Entry, Skipped, TreeState
from zeroin.types import Candidate, Hit, Judgment, Query, Task

Progress = Callable[[str, int, int], None]  # what is being done, done so far, of how many (0: unknown)


class Contents(Protocol):
    """What the contents of documents are read from."""

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | None]]:
        """Yield contents in order; None where a file vanished or cannot be read."""


class Source(Contents, Protocol):
    """Where documents come from: a working tree, a plain folder or a git revision."""

    @property
    def identity(self) -> str:
        """What names the repository for the cache: shared by its worktrees and branches."""

    @property
    def root(self) -> Path:
        """The folder that was asked about (of a bare repository: its git directory)."""

    @property
    def git_dir(self) -> Path | None:
        """The git directory that history is read from; None for a plain folder."""

    @property
    def prefix(self) -> str:
        """The subtree below the top of the work tree, "" or ending in "/"; entry paths do not contain it."""

    @property
    def commit(self) -> str:
        """The commit that history is read from (HEAD, or the revision asked for); "" if there is none."""

    def list(self) -> tuple[tuple[Entry, ...], tuple[Skipped, ...]]:
        """Return all documents sorted by path, and the files left out with the reason. Raises `GitError`."""

    def state(self, entries: Sequence[Entry]) -> TreeState:
        """Return which tree this is; `entries` with every blob known."""


class RepositoryView(Protocol):
    """What an injected retriever or evaluator may see of a repository."""

    @property
    def paths(self) -> Sequence[str]:
        """Every document's path; its position is its `doc` number."""

    def doc_of(self, path: str) -> int | None:
        """Return the number of the document at `path`."""

    def text(self, doc: int) -> str:
        """Return the document's decoded text; "" where it cannot be read."""


class Dispatch(Protocol):
    """Query → the candidate pool, best first."""

    def dispatch(self, query: Query) -> tuple[Candidate, ...]: ...


class Retriever(Protocol):
    """Query → hits, best first."""

    @property
    def name(self) -> str: ...

    def retrieve(self, query: Query, view: RepositoryView, limit: int) -> Sequence[Hit]: ...


class Evaluator(Protocol):
    """Candidates → judgments, one a candidate, any order. A function: equal calls give equal results.

    `previous` are the judgments of the cycles before, best first. Only `path` and `relevance` are needed: spans,
    missing context, exclusions, and reasons where a judgment has none, are found by zeroin.
    """

    def evaluate(
        self,
        task: Task,
        query: Query,
        candidates: Sequence[Candidate],
        previous: Sequence[Judgment],
        view: RepositoryView,
    ) -> Sequence[Judgment]: ...
