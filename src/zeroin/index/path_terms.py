"""Terms of paths. Folders and words recur in a tree, so each is analysed once."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from zeroin.index.postings import MAX_COUNT, Postings
from zeroin.models.encoder import encoder
from zeroin.parsing.passages import text_vectors
from zeroin.parsing.term_counts import firsts
from zeroin.terms import analyse_word, term_id, words

_AT_ONCE = 4_096  # paths whose vectors are in memory unpacked


def path_postings(paths: Sequence[str]) -> Postings:
    """Return postings of two fields: how often each term occurs in a file's name and in its folders."""
    listed: list[int] = []
    in_name, in_folders = np.empty(len(paths), np.int64), np.empty(len(paths), np.int64)
    for doc, path in enumerate(paths):
        folder_terms, name_terms = _of_path(path)
        listed += name_terms
        listed += folder_terms
        in_name[doc], in_folders[doc] = len(name_terms), len(folder_terms)
    ids = np.array(listed, np.uint64)
    docs = np.repeat(np.arange(len(paths), dtype=np.int32), in_name + in_folders)
    fields = np.repeat(np.tile([0, 1], len(paths)), np.stack([in_name, in_folders], axis=1).ravel())
    order = np.argsort(ids, kind="stable")  # documents stay ascending within a term
    ids, docs, fields = ids[order], docs[order], fields[order]
    new_term = firsts(ids)
    starts = np.flatnonzero(new_term | firsts(docs))
    counts = np.stack([np.add.reduceat(fields == field, starts, dtype=np.int64) for field in (0, 1)], axis=1)
    return Postings(
        term_ids=ids[new_term],
        pointers=np.searchsorted(starts, np.append(np.flatnonzero(new_term), len(ids))),
        docs=docs[starts],
        counts=np.minimum(counts, MAX_COUNT).astype(np.uint8),
        lengths=np.stack([in_name, in_folders], axis=1).astype(np.float32),
    )


def shared_terms(path: str, wanted: frozenset[int]) -> int:
    """Return how many of the wanted term ids occur in a path."""
    folder_terms, name_terms = _of_path(path)
    return len(wanted.intersection(folder_terms + name_terms))


def path_vectors(path_terms: Postings) -> NDArray[np.int8]:
    """Return packed vectors of the paths by their terms, shape (D, dimensions)."""
    model = encoder()
    term_of = np.repeat(model.rows(path_terms.term_ids), np.diff(path_terms.pointers))
    known = term_of >= 0
    counts = path_terms.counts[known].sum(axis=1, dtype=np.int64)
    docs = np.repeat(path_terms.docs[known].astype(np.int64), counts)
    term_of = np.repeat(term_of[known], counts)
    out = np.empty((path_terms.documents, model.dimensions), np.int8)
    for first in range(0, len(out), _AT_ONCE):
        size = min(_AT_ONCE, len(out) - first)
        inside = np.flatnonzero((docs >= first) & (docs < first + size))
        vectors = text_vectors(model, docs[inside] - first, term_of[inside], size)
        out[first : first + size] = model.pack(vectors)
    return out


def _of_path(path: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    folder, _, name = path.rpartition("/")
    return _of_text(folder), _of_text(name)


@lru_cache(maxsize=1 << 16)  # a path is analysed more than once while a tree is opened
def _of_text(text: str) -> tuple[int, ...]:
    return tuple(term for word in words(text) for term in _ids(word))


@lru_cache(maxsize=1 << 15)
def _ids(word: str) -> tuple[int, ...]:
    return tuple(term_id(term) for term in analyse_word(word))
