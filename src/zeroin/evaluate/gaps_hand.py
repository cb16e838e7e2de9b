"""What is in hand after a cycle, and how far other files are tied to the task: the ground on which gaps are found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.information import Information
from zeroin.evaluate.passages import Passages
from zeroin.index.facts import DEFINITIONS
from zeroin.index.locate import core_of
from zeroin.index.view import View
from zeroin.terms import analyse_word, term_id
from zeroin.types import MEDIUM, Judgment, Query, Role, Task

ANCHORS = 10  # files whose surroundings are searched for what is missing
_ENOUGH_ANCHORS = 2  # fewer good files than this are filled up with the best there are
_ANCHOR_SHARE = 0.02  # of the best file's relevance that a file must have for its surroundings to matter
_BEST = 3  # in hand where no file is good
# A name or a file that more of the repository uses is a tool of everybody's, not a missing piece.
_RARE_FILES, _RARE_SHARE = 8, 0.03


@dataclass(frozen=True)
class Hand:
    """Files in hand, best first, with what surrounds the question."""

    task: Task
    query: Query
    information: Information
    view: View
    judgments: Sequence[Judgment]
    passages: Mapping[int, Passages]

    @cached_property
    def files(self) -> tuple[Judgment, ...]:
        """Files ≥ 0.5, else the best three; of a foreign evaluator those that there are."""
        there = [j for j in self.judgments if self.view.doc_of(j.path) is not None]
        return tuple(j for j in there if j.relevance >= MEDIUM) or tuple(there[:_BEST])

    @cached_property
    def docs(self) -> tuple[int, ...]:
        """Document numbers of the files in hand, one each."""
        return tuple(self.view.numbers[j.path] for j in self.files)

    @cached_property
    def held(self) -> frozenset[int]:
        """Documents that close what points at them: in hand, or given with the task."""
        given = () if self.task.diff is None else tuple(f.path for f in self.task.diff.files)
        return frozenset(self.docs) | {doc for path in given if (doc := self.view.doc_of(path)) is not None}

    @cached_property
    def closed(self) -> frozenset[int]:
        """Documents that nothing needs to point at: in hand, given, or judged irrelevant by the caller."""
        return self.held | {self.view.numbers[p] for p in self.query.irrelevant if p in self.view.numbers}

    @cached_property
    def followed(self) -> frozenset[str]:
        """Paths that an earlier cycle's gaps named already: asking for them again finds nothing new."""
        return frozenset(self.query.must_read)

    @cached_property
    def anchors(self) -> tuple[tuple[int, Judgment], ...]:
        """Code files whose surroundings are searched, best first: the good ones, else the best there are."""
        good = [j for j in self.judgments if j.relevance >= MEDIUM]
        chosen = (good if len(good) >= _ENOUGH_ANCHORS else self.judgments)[:ANCHORS]
        least = _ANCHOR_SHARE * chosen[0].relevance if chosen else 0.0
        return tuple(
            (doc, j)
            for j in chosen
            if (doc := self.view.doc_of(j.path)) is not None
            and j.relevance >= least
            and j.role is not Role.DOC
        )

    @cached_property
    def relevance(self) -> Mapping[str, float]:
        """Relevance by path, of all that was judged."""
        return {j.path: j.relevance for j in self.judgments}

    @cached_property
    def rare(self) -> float:
        """In how many files a name may occur and still mean something."""
        return max(_RARE_FILES, _RARE_SHARE * len(self.view.snapshot))

    @cached_property
    def naming(self) -> Mapping[str, NDArray[np.int32]]:
        """For every term of the task the documents whose path or definitions say it, ascending."""
        snapshot = self.view.snapshot
        out = {}
        for term in self.information.worth:
            identity = term_id(term)
            rows = snapshot.content.rows(identity)
            defining = snapshot.content.docs[rows][snapshot.content.counts[rows, DEFINITIONS] > 0]
            out[term] = np.union1d(defining, snapshot.path_terms.docs[snapshot.path_terms.rows(identity)])
        return out

    @cached_property
    def ties(self) -> NDArray[np.float32]:
        """For every document the share of the task's information that its path and definitions say, shape (D,)."""
        return self.shares(self.information.worth)

    def shares(self, worth: Mapping[str, float]) -> NDArray[np.float32]:
        """The same of some terms of the task alone."""
        shares = np.zeros(len(self.view.snapshot), np.float32)
        for term, value in worth.items():
            shares[self.naming[term]] += value
        return shares / np.float32(self.information.total or 1.0)

    @cached_property
    def cores(self) -> Mapping[str, Sequence[int]]:
        """Documents by the core of their file names (`index.locate.core_of`)."""
        cores: dict[str, list[int]] = {}
        for doc, path in enumerate(self.view.paths):
            cores.setdefault(core_of(path), []).append(doc)
        return cores

    def signs(self, docs: Iterable[int], user: float) -> dict[str, float]:
        """What the chance of a gap is told from: the best of the files that would close it, and who needs them."""
        docs = tuple(docs)
        return {
            "tie": max((float(self.ties[d]) for d in docs), default=0.0),
            "judged": max((self.relevance.get(self.view.paths[d], 0.0) for d in docs), default=0.0),
            "user": user,
        }

    def says_task(self, name: str) -> bool:
        """Whether a name contains a word of the task, or one that stands in for it."""
        return any(self.information.matches(term) for term in analyse_word(name))
