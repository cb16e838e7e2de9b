"""DISPATCH: run every retriever, fuse their lists, expand from the best files, and hand over the pool."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import NamedTuple

import numpy as np

from zeroin.dispatch.change import callers, same_folder, same_stem
from zeroin.dispatch.fusion import ranks, reciprocal_rank_fusion
from zeroin.dispatch.gap_search import ASKED, search_gaps, search_scores
from zeroin.dispatch.history import cochange, history
from zeroin.dispatch.lexical import (
    Scorer,
    definitions,
    dense,
    documents,
    learned,
    own,
    path_terms,
    reformulated,
    reformulated_title,
    title,
)
from zeroin.dispatch.mentions import paths, quote_holders, symbols
from zeroin.dispatch.structure import imports
from zeroin.errors import InputError, OptionError
from zeroin.index.locate import changed_docs, main_changed_docs
from zeroin.index.postings import Array
from zeroin.index.scope import in_scope
from zeroin.index.view import View
from zeroin.protocols import Retriever
from zeroin.types import Candidate, Gap, Hit, Purpose, Query, Search

POOL = 300
SURVEYS: tuple[Purpose, ...] = ("explore", "architecture")  # purposes that start from the landmarks


class RankedList(NamedTuple):
    """A built-in retriever: scores of all documents, shape (D,), 0 where it finds nothing.

    `part` is what `--without` switches off; `weight` counts in the fusion.
    """

    name: str
    part: str
    weight: float
    scores: Scorer


LISTS = (
    RankedList("lexical", "lexical", 1.0, documents(own)),
    RankedList("definitions", "lexical", 0.6, definitions(own)),
    RankedList("path_terms", "lexical", 0.6, path_terms(own)),
    RankedList("title", "lexical", 0.8, documents(title)),
    RankedList("learned", "lexical", 0.3, documents(learned)),
    # The same in the codebase's words.
    RankedList("re_lexical", "lexical", 0.8, documents(reformulated)),
    RankedList("re_definitions", "lexical", 0.5, definitions(reformulated)),
    RankedList("re_path_terms", "lexical", 0.5, path_terms(reformulated)),
    RankedList("re_title", "lexical", 0.6, documents(reformulated_title)),
    RankedList("symbols", "symbols", 1.2, symbols),
    RankedList("callers", "symbols", 0.8, callers),
    RankedList("paths", "paths", 1.5, paths),
    RankedList("same_stem", "paths", 0.8, same_stem),
    RankedList("folder", "paths", 0.3, same_folder),
    RankedList("history", "history", 1.0, history),
    RankedList("dense", "dense", 1.0, dense),
)
_MOST_SCORE = 1e30  # of a caller's retriever: scores are kept in 32 bits
EXPANDERS = {"graph": imports, "cochange": cochange}
_WEIGHTS = {one.name: one.weight for one in LISTS} | {
    "asked_reference": 0.8,
    "asked_dependency": 0.5,
    "asked_counterpart": 0.5,
    "asked_terminology": 0.4,
    "asked_aspect": 0.5,
    "pattern": 0.1,
    "focus": 0.6,
    "graph": 0.4,
    "cochange": 0.4,
    "landmarks": 1.0,
}
# Where files are known to be relevant, the expanders start from them; the scores of all other seeds are scaled by this.
_FOUND_SHARE = 0.25
_CHANGE_WEIGHTS = _WEIGHTS | {"graph": 1.0, "cochange": 1.5}


@dataclass(frozen=True, slots=True)
class Dispatcher:
    """Runs the retrievers that are switched on, the searches of gaps, and the caller's own retrievers."""

    view: View
    without: frozenset[str] = frozenset()
    extra: Sequence[Retriever] = ()
    purpose: Purpose = "fix"

    def dispatch(self, query: Query, pool: int = POOL) -> tuple[Candidate, ...]:
        """Return at most `pool` candidates, best first.

        After them come files that the caller judged, that must be read, that gaps found, or that hold a quotation.
        """
        view = self.view
        allowed = in_scope(query, view)
        lists = self._built_in(query, allowed)
        asked, asked_by = search_gaps(query, view, allowed, dense="dense" not in self.without)
        lists |= asked
        injected, why = self._injected(query, allowed, pool)
        lists |= injected
        first = reciprocal_rank_fusion(lists, _WEIGHTS)
        if query.patterns:  # files beside relevant ones keep the order of the first fusion
            lists["pattern"] = np.zeros(len(view.snapshot), np.float32)
            place = view.matching(query.patterns)
            lists["pattern"][place] = first[place]
        changed = changed_docs(query, view)
        seeds, known = first, [*main_changed_docs(query, view), *view.docs_of(query.relevant)]
        if known:  # files known to be relevant start above all others
            seeds = first * np.float32(_FOUND_SHARE)
            seeds[known] = float(first.max()) or 1.0
        for name, expand in EXPANDERS.items():
            if name not in self.without:
                lists[name] = expand(view, seeds) * allowed
                lists[name][changed] = 0  # wanted are files that go with the change, not its own
        fused = reciprocal_rank_fusion(lists, _CHANGE_WEIGHTS if changed else _WEIGHTS)
        named = view.docs_of((*query.relevant, *query.irrelevant, *query.must_read))
        always = {doc for doc in (*named, *asked_by, *quote_holders(query, view)) if allowed[doc]}
        found = np.flatnonzero(fused > 0)
        order = found[np.lexsort((found, -fused[found]))][:pool].tolist()
        order += sorted(always.difference(order))
        return _candidates(order, lists, fused, view, asked_by, why)

    def _built_in(self, query: Query, allowed: Array) -> dict[str, Array]:
        """Return the lists of the built-in retrievers, and of the focus areas."""
        view = self.view
        on = (one for one in LISTS if one.part not in self.without)
        lists = {one.name: one.scores(query, view) * allowed for one in on}
        if self.purpose in SURVEYS and "graph" not in self.without:
            lists["landmarks"] = view.overview.scores * allowed
        for area in query.focus_areas:
            near = search_scores(Search(words=(area,)), view, dense="dense" not in self.without) * allowed
            lists["focus"] = np.maximum(lists.get("focus", near), near)
        return lists

    def _injected(self, query: Query, allowed: Array, pool: int) -> tuple[dict[str, Array], dict[int, dict[str, str]]]:
        """Return the lists of the caller's own retrievers, and why each one found a document.

        Raises `InputError` for a hit that cannot be used, and for a name that another list has.
        """
        lists: dict[str, Array] = {}
        why: dict[int, dict[str, str]] = {}
        for retriever in self.extra:
            if retriever.name in _WEIGHTS or retriever.name in lists:
                raise InputError(f"retriever {retriever.name}: another one has that name")
            scores = np.zeros(len(allowed), np.float32)
            for hit in _hits(retriever, retriever.retrieve(query, self.view, pool)):
                if not 0 <= hit.doc < len(scores):
                    raise InputError(f"retriever {retriever.name} names document {hit.doc}: there is none")
                if not abs(hit.score) <= _MOST_SCORE:
                    raise InputError(f"retriever {retriever.name} gives a score of {hit.score}")
                if hit.score > 0:
                    scores[hit.doc] = max(scores[hit.doc], hit.score)
                    why.setdefault(hit.doc, {})[retriever.name] = hit.why
            lists[retriever.name] = scores * allowed
        return lists, why


def own_retrievers(given: object) -> tuple[Retriever, ...]:
    """Return the caller's retrievers. Raises `OptionError` for anything else."""
    found = tuple(given) if isinstance(given, Iterable) else (given,)
    for one in found:
        named = isinstance(getattr(one, "name", None), str)
        if isinstance(one, type) or not named or not callable(getattr(one, "retrieve", None)):
            raise OptionError(f"retrievers must be a list of objects with a name and retrieve(), not {one!r}")
    return found


def _hits(retriever: Retriever, found: object) -> Iterable[Hit]:
    """Yield what a caller's retriever found. Raises `InputError` for anything but hits."""
    for hit in found if isinstance(found, Iterable) else (found,):
        if not (isinstance(hit, Hit) and isinstance(hit.doc, Integral) and isinstance(hit.score, Real)):
            wanted = "zeroin.Hit(doc, score), doc a position in view.paths"
            raise InputError(f"retriever {retriever.name} must return {wanted}, not {hit!r}")
        yield hit


def _candidates(
    order: Sequence[int],
    lists: Mapping[str, Array],
    fused: Array,
    view: View,
    asked_by: Mapping[int, Sequence[Gap]],
    why: Mapping[int, Mapping[str, str]],
) -> tuple[Candidate, ...]:
    """Return candidates with their score (as a share of the list's best) and rank in each list."""
    by_rank = {name: ranks(scores) for name, scores in lists.items()}
    best = {name: float(scores.max(initial=0.0)) for name, scores in lists.items()}
    best |= {name: 1.0 for name in lists if name.startswith(ASKED)}  # a probability already
    return tuple(
        Candidate(
            doc=doc,
            path=view.paths[doc],
            score=float(fused[doc]),
            scores={name: float(s[doc]) / best[name] for name, s in lists.items() if s[doc] > 0},
            ranks={name: int(r[doc]) for name, r in by_rank.items() if r[doc] > 0},
            why=why.get(doc, {}),
            asked_by=tuple(asked_by.get(doc, ())),
        )
        for doc in order
    )
