"""The stage itself: run every retriever, fuse, and hand over the pool."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np

from zeroin.dispatch.change import Callers, Namesakes, Neighbours
from zeroin.dispatch.cochange import CoChange
from zeroin.dispatch.dense import DenseRetriever
from zeroin.dispatch.fusion import ranks, reciprocal_rank_fusion
from zeroin.dispatch.gap_search import ASKED, Asked, ask, found
from zeroin.dispatch.graph import Imports
from zeroin.dispatch.history import HistoryFiles
from zeroin.dispatch.landmarks import Landmarks
from zeroin.dispatch.lexical import LISTS
from zeroin.dispatch.lexical import own as in_own_words
from zeroin.dispatch.literal import holders
from zeroin.dispatch.paths import Paths
from zeroin.dispatch.symbols import Symbols
from zeroin.errors import InputError
from zeroin.index.locate import changed_docs, main_changed_docs
from zeroin.index.postings import Array
from zeroin.index.scope import in_scope
from zeroin.index.view import View
from zeroin.protocols import Retriever
from zeroin.types import Candidate, Purpose, Query, Search


class Scorer(Protocol):
    """A built-in retriever: scores of all documents, shape (D,), 0 where it finds nothing."""

    @property
    def name(self) -> str: ...

    def scores(self, query: Query, view: View) -> Array: ...


class Expander(Protocol):
    """A built-in retriever that starts from what the others found."""

    @property
    def name(self) -> str: ...

    def scores(self, query: Query, view: View, seeds: Array) -> Array: ...


# Each part that `--without` can switch off, and the lists it contributes.
SCORERS: dict[str, tuple[Scorer, ...]] = {
    "lexical": LISTS,
    "symbols": (Symbols(), Callers()),
    "paths": (Paths(), Namesakes(), Neighbours()),
    "history": (HistoryFiles(),),
    "meaning": (DenseRetriever("meaning", in_own_words),),
}
LANDMARKS = Landmarks()
SURVEYS: tuple[Purpose, ...] = ("explore", "architecture")  # purposes that start from the landmarks
EXPANDERS: dict[str, Expander] = {"graph": Imports(), "cochange": CoChange()}

FUSION_WEIGHTS = {
    "lexical": 1.0,
    "definitions": 0.6,
    "path_terms": 0.6,
    "title": 0.8,
    "learned": 0.3,
    "re_lexical": 0.8,
    "re_definitions": 0.5,
    "re_path_terms": 0.5,
    "re_title": 0.6,
    "symbols": 1.2,
    "paths": 1.5,
    "history": 1.0,
    "meaning": 1.0,
    "asked_reference": 0.8,
    "asked_dependency": 0.5,
    "asked_counterpart": 0.5,
    "asked_terminology": 0.4,
    "asked_aspect": 0.5,
    "pattern": 0.1,
    "focus": 0.6,
    "graph": 0.4,
    "cochange": 0.4,
    "namesake": 0.8,
    "folder": 0.3,
    "callers": 0.8,
    "landmarks": 1.0,
}

# Where the task is a change, its files are known: the expanders start from them, and what else was found
# counts this much beside them.
_FOUND_SHARE = 0.25
_CHANGE_WEIGHTS = {**FUSION_WEIGHTS, "graph": 1.0, "cochange": 1.5}

POOL = 300


# What each list depends on: it is not made again while a later cycle asks the same of it.
_DEPENDS: dict[str, Callable[[Query], object]] = {
    "lexical": lambda query: query.own,
    "definitions": lambda query: query.own,
    "path_terms": lambda query: query.own,
    "title": lambda query: (query.own, query.title),
    "symbols": lambda query: query.symbols,
    "paths": lambda query: query.paths,
    "history": lambda query: (query.own, query.text),
    "meaning": lambda query: (query.own, query.relevant, query.irrelevant),
}


class Dispatcher:
    """Runs the retrievers that are switched on, the searches of gaps, and the caller's own retrievers."""

    def __init__(
        self,
        view: View,
        *,
        without: frozenset[str] = frozenset(),
        extra: Sequence[Retriever] = (),
        purpose: Purpose = "fix",
    ) -> None:
        self._view = view
        self._without = without
        self._extra = extra
        self._surveys = purpose in SURVEYS
        self._made: dict[str, tuple[object, Array]] = {}

    def dispatch(self, query: Query, pool: int = POOL) -> tuple[Candidate, ...]:
        """Candidates, best first: at most `pool`, each with what found it."""
        view = self._view
        allowed = in_scope(query, view)
        lists: dict[str, Array] = {}
        for part, scorers in SCORERS.items():
            if part not in self._without:
                for scorer in scorers:
                    lists[scorer.name] = self._scores(scorer, query) * allowed
        if self._surveys and "graph" not in self._without:
            lists[LANDMARKS.name] = LANDMARKS.scores(query, view) * allowed
        dense = "meaning" not in self._without
        for area in query.focus_areas:
            near = found(Search(words=(area,)), view, dense=dense) * allowed
            lists["focus"] = np.maximum(lists.get("focus", near), near)
        asked = ask(query, view, allowed, dense=dense)
        lists |= asked.lists
        why: dict[int, dict[str, str]] = {}
        for retriever in self._extra:
            scores = np.zeros(len(view.snapshot), np.float32)
            for hit in retriever.retrieve(query, view, pool):
                if not 0 <= hit.doc < len(scores):
                    raise InputError(f"retriever {retriever.name} names document {hit.doc}: there is none")
                if hit.score <= 0:
                    continue
                scores[hit.doc] = max(scores[hit.doc], hit.score)
                why.setdefault(hit.doc, {})[retriever.name] = hit.why
            lists[retriever.name] = scores * allowed
        changed = changed_docs(query, view)
        weights = _CHANGE_WEIGHTS if changed else FUSION_WEIGHTS
        known = [*main_changed_docs(query, view), *_docs(query.relevant, view)]
        first = reciprocal_rank_fusion(lists, FUSION_WEIGHTS)
        if query.patterns:  # files of a place that relevant ones lie in, in the order of all other lists
            lists["pattern"] = np.zeros(len(view.snapshot), np.float32)
            place = view.matching(query.patterns)
            lists["pattern"][place] = first[place]
        seeds = _seeds(first, known)
        for part, expander in EXPANDERS.items():
            if part not in self._without:
                lists[expander.name] = expander.scores(query, view, seeds) * allowed
                lists[expander.name][changed] = 0  # of the others: who goes with the change
        fused = reciprocal_rank_fusion(lists, weights)
        named = _docs((*query.relevant, *query.irrelevant, *query.must_read), view)
        always = [doc for doc in (*named, *asked.by, *holders(query, view)) if allowed[doc]]
        return _candidates(lists, fused, view, pool, always, asked, why)

    def _scores(self, scorer: Scorer, query: Query) -> Array:
        """What a scorer says, made anew only where what it depends on has changed."""
        depends = _DEPENDS.get(scorer.name)
        if depends is None:
            return scorer.scores(query, self._view)
        key = depends(query)
        made = self._made.get(scorer.name)
        if made is None or made[0] != key:
            made = self._made[scorer.name] = (key, scorer.scores(query, self._view))
        return made[1]


def _docs(paths: Sequence[str], view: View) -> list[int]:
    return [doc for path in paths if (doc := view.doc_of(path)) is not None]


def _seeds(found: Array, known: Sequence[int]) -> Array:
    """What the expanders start from: files known to belong here ahead of all that was found, or what was found."""
    if not known:
        return found
    best = float(found.max()) or 1.0
    seeds = found * np.float32(_FOUND_SHARE)
    seeds[known] = best
    return seeds


def _candidates(
    lists: dict[str, Array],
    fused: Array,
    view: View,
    pool: int,
    always: Sequence[int],
    asked: Asked,
    why: Mapping[int, Mapping[str, str]],
) -> tuple[Candidate, ...]:
    """The best of the pool, and whatever the caller has judged, must be read or was asked for by a gap."""
    found = np.flatnonzero(fused > 0)
    order = found[np.lexsort((found, -fused[found]))][:pool].tolist()
    order += sorted(set(always).difference(order))
    by_rank = {name: ranks(scores) for name, scores in lists.items()}
    best = {  # what gaps ask for is a probability already
        name: 1.0 if name.startswith(ASKED) else float(scores.max()) if len(scores) else 0.0
        for name, scores in lists.items()
    }
    return tuple(
        Candidate(
            doc=int(doc),
            path=view.paths[doc],
            score=float(fused[doc]),
            scores={name: float(s[doc]) / best[name] for name, s in lists.items() if s[doc] > 0},
            ranks={name: int(r[doc]) for name, r in by_rank.items() if r[doc] > 0},
            why=why.get(int(doc), {}),
            asked_by=asked.by.get(int(doc), ()),
        )
        for doc in order
    )
