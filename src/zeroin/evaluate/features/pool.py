"""What features are computed from: the candidates of one cycle, the task and the tree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.features.table import names_of
from zeroin.evaluate.passages import TextMatch
from zeroin.evaluate.task_terms import TaskTerms
from zeroin.index.history import History
from zeroin.index.view import View
from zeroin.types import Candidate, Query, Role

Column = NDArray[np.float32]


@dataclass(frozen=True)
class Pool:
    """The candidates of one cycle; a column has one value for each, in their order."""

    query: Query
    candidates: Sequence[Candidate]
    terms: TaskTerms
    view: View
    matches: Mapping[int, TextMatch] = field(default_factory=dict)  # by document, of those that were read
    history: History | None = None
    previous_scores: Mapping[str, float] = field(default_factory=dict)  # path → log odds of the cycle before
    previously_read: frozenset[str] = frozenset()  # paths
    compare_documents: bool = False  # document similarity is costly: later cycles only
    dense: bool = True

    def __len__(self) -> int:
        return len(self.candidates)

    @cached_property
    def docs(self) -> NDArray[np.int64]:
        """Document numbers, shape (candidates,)."""
        return np.array([c.doc for c in self.candidates], np.int64)

    @cached_property
    def _positions(self) -> NDArray[np.int32]:
        out = np.full(len(self.view.snapshot), -1, np.int32)
        out[self.docs] = np.arange(len(self), dtype=np.int32)
        return out

    def positions(self, docs: NDArray[np.integer]) -> NDArray[np.int32]:
        """Return positions in the pool of documents, in their order; -1 for one that is no candidate."""
        return np.asarray(self._positions[docs])

    def inside(self, docs: NDArray[np.integer]) -> NDArray[np.int32]:
        """Return positions of those documents that are candidates."""
        found = self._positions[docs]
        return np.asarray(found[found >= 0])

    @cached_property
    def roles(self) -> tuple[Role, ...]:
        return tuple(self.view.snapshot.role(c.doc) for c in self.candidates)

    def zeros(self) -> Column:
        return np.zeros(len(self), np.float32)

    def columns(self, section: str) -> dict[str, Column]:
        """Make the columns of a section of the table, all 0."""
        return {name: self.zeros() for name in names_of(section)}

    @cached_property
    def matched(self) -> list[TextMatch]:
        """The text match of each candidate, empty for one whose text was not read."""
        return [self.matches.get(c.doc, TextMatch()) for c in self.candidates]
