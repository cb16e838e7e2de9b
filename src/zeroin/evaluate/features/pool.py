"""What signals are computed from: the candidates of one cycle, and what is known of task and tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.passages import TextMatch
from zeroin.evaluate.task_terms import TaskTerms
from zeroin.index.history import History
from zeroin.index.view import View
from zeroin.types import Candidate, Query, Role

Column = NDArray[np.float32]


@dataclass(frozen=True)
class Pool:
    """The candidates of one cycle; every column has one value a candidate, in their order."""

    query: Query
    candidates: Sequence[Candidate]
    passages: Mapping[int, TextMatch]  # by document; missing ones count as nothing matched
    in_pattern: frozenset[int]
    terms: TaskTerms
    view: View
    history: History | None
    held: Mapping[str, float] = field(default_factory=dict)  # path → log odds of the cycle before
    read_before: frozenset[str] = frozenset()  # paths whose text was read in the cycle before
    deep: bool = False  # whether costly evidence is computed: document similarity
    dense: bool = True  # whether passages are compared with the task

    def __len__(self) -> int:
        return len(self.candidates)

    @cached_property
    def docs(self) -> NDArray[np.int64]:
        """Document numbers, shape (candidates,)."""
        return np.array([c.doc for c in self.candidates], np.int64)

    @cached_property
    def index(self) -> NDArray[np.int32]:
        """Position in the pool by document, -1 outside; shape (D,)."""
        out = np.full(len(self.view.snapshot), -1, np.int32)
        out[self.docs] = np.arange(len(self), dtype=np.int32)
        return out

    @cached_property
    def roles(self) -> tuple[Role, ...]:
        return tuple(self.view.snapshot.role(c.doc) for c in self.candidates)

    def zeros(self) -> Column:
        return np.zeros(len(self), np.float32)

    def shares(self, name: str) -> Column:
        """Scores of a retriever, each a share of the best file's; 0 where it found nothing."""
        return np.array([c.scores.get(name, 0.0) for c in self.candidates], np.float32)

    def inverse_ranks(self, name: str) -> Column:
        """1 / rank by a retriever; 0 where it found nothing."""
        ranks = (c.ranks.get(name, 0) for c in self.candidates)
        return np.array([1.0 / rank if rank else 0.0 for rank in ranks], np.float32)
