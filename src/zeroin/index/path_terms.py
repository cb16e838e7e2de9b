"""Terms of paths. Folders and words recur in a tree, so each is analysed once."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from zeroin.index.postings import Postings, build_rows
from zeroin.models.encoder import encoder
from zeroin.parsing.passages import text_vectors
from zeroin.terms import analyse_word, term_id, words

_AT_ONCE = 4_096  # paths whose vectors are in memory unpacked


def path_postings(paths: Sequence[str]) -> Postings:
    """Return postings of two fields: how often each term occurs in a file's name and in its folders."""
    ids: list[int] = []
    in_name: list[int] = []
    in_folders: list[int] = []
    sizes: list[int] = []
    for path in paths:
        folder_terms, name_terms = _of_path(path)
        found = sorted(folder_terms.keys() | name_terms.keys())
        sizes.append(len(found))
        ids += found
        in_name += [name_terms.get(term, 0) for term in found]
        in_folders += [folder_terms.get(term, 0) for term in found]
    counts = np.array([in_name, in_folders], np.uint16).T
    return build_rows(np.array(sizes, np.int64), np.array(ids, np.uint64), np.ascontiguousarray(counts))


def shared_terms(path: str, wanted: frozenset[int]) -> int:
    """Return how many of the wanted term ids occur in a path."""
    folder_terms, name_terms = _of_path(path)
    return sum(term in folder_terms or term in name_terms for term in wanted)


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


def _of_path(path: str) -> tuple[Mapping[int, int], Mapping[int, int]]:
    folder, _, name = path.rpartition("/")
    return _of_folder(folder), _of_name(name)


@lru_cache(maxsize=1 << 16)  # a path is analysed more than once while a tree is opened
def _of_name(name: str) -> Mapping[int, int]:
    stem, _, suffix = name.partition(".") if not name.startswith(".") else (name, "", "")
    return _of_text(f"{stem} {suffix}")


def _of_text(text: str) -> Mapping[int, int]:
    return Counter(term for word in words(text) for term in _ids(word))


_of_folder = lru_cache(maxsize=1 << 14)(_of_text)


@lru_cache(maxsize=1 << 15)
def _ids(word: str) -> tuple[int, ...]:
    return tuple(term_id(term) for term in analyse_word(word))
