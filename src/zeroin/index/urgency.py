"""Which files to analyse first when there is no time for all.

Analysing a file takes milliseconds, looking a dozen words up in its bytes takes a tenth of one. So where a tree is
new and time is short, files are ranked by BM25 of the task's terms, counted as substrings of their bytes.
"""

import time
from collections.abc import Mapping, Sequence
from heapq import nlargest

import numpy as np

from zeroin.corpus.languages import TEXT_LANGUAGES, language_of
from zeroin.corpus.roles import role_of
from zeroin.index.path_terms import shared_terms
from zeroin.protocols import Source
from zeroin.terms import term_id
from zeroin.tree import Entry
from zeroin.types import Role

_TERMS = 16  # heaviest terms of the task that are looked up
_HEAD_BYTES = 1 << 16  # of a file that are searched
_K1, _B = 1.2, 0.75  # usual values of BM25
_OTHER = 0.5  # weight of tests, documents and data beside code: 0.1 to 0.5 are alike, 0.7 is worse
_CHUNK = 64  # files between two looks at the clock


def by_path(entries: Sequence[Entry], wanted: Mapping[str, float]) -> Sequence[Entry]:
    """Order files: code first, then by how many of the wanted terms their path has, then small ones first."""
    if not wanted:
        return entries
    ids = frozenset(map(term_id, wanted))
    return sorted(entries, key=lambda e: (not _is_code(e.path), -shared_terms(e.path, ids), e.size or 0, e.path))


def by_content(source: Source, entries: Sequence[Entry], wanted: Mapping[str, float], until: float) -> Sequence[Entry]:
    """Order files by BM25 of the wanted terms, found as substrings; files not read by `until` follow in their order.

    `wanted` are terms with weights, `until` is a reading of the monotonic clock.
    """
    terms = nlargest(_TERMS, wanted, key=lambda term: (wanted[term], term))
    # What a term and the words of its stem have in common: a stem ends in "i" where its words end in "y".
    needles = [(term[:-1] if len(term) > 4 and term.endswith("i") else term).encode() for term in terms]
    read: list[Entry] = []
    rows: list[list[int]] = []
    sizes: list[int] = []
    for at in range(0, len(entries), _CHUNK):
        if not needles or time.monotonic() >= until:
            break
        for entry, data in source.read(entries[at : at + _CHUNK]):
            text = (data or b"")[:_HEAD_BYTES].lower()
            read.append(entry)
            rows.append([text.count(needle) for needle in needles])
            sizes.append(len(text))
    if not read:
        return entries
    counts, lengths = np.array(rows, np.float64), np.array(sizes, np.float64)
    holding = (counts > 0).sum(axis=0)
    idf = np.log1p((len(read) - holding + 0.5) / (holding + 0.5))
    norm = _K1 * (1 - _B + _B * lengths / max(1.0, lengths.mean()))
    weights = idf * np.array([wanted[term] for term in terms])
    share = np.array([1.0 if _is_code(entry.path) else _OTHER for entry in read])
    scores = (counts * (_K1 + 1) / (counts + norm[:, None])) @ weights * share
    order = np.argsort(-scores, kind="stable").tolist()
    return [*(read[i] for i in order), *entries[len(read) :]]


def _is_code(path: str) -> bool:
    return role_of(path) is Role.IMPLEMENTATION and language_of(path) not in TEXT_LANGUAGES
