"""Coverage: which of the task's words a file holds, field by field, from the postings alone."""

from __future__ import annotations

import numpy as np

from zeroin.evaluate.features.pool import Column, Pool
from zeroin.index.view import View
from zeroin.parsing.facts import CONTENT_FIELDS
from zeroin.terms import analyse, split_identifier, stem, term_id

NAMES: dict[str, str] = {
    "cover_definitions": "share of the task's information among the words of defined names, 0–1",
    "cover_identifiers": "share of the task's information among identifiers, 0–1",
    "cover_comments": "share of the task's information in comments, 0–1",
    "cover_text": "share of the task's information in strings and prose, 0–1",
    "cover_path": "share of the task's information in the path, 0–1",
    "cover_title_definitions": "share of the title's information among the words of defined names, 0–1",
    "cover_title_identifiers": "share of the title's information among identifiers, 0–1",
    "cover_title_path": "share of the title's information in the path, 0–1",
    "rare_words": "log2(1 + words of the task that at most three files hold, this one among them)",
    "rare_names": "log2(1 + identifiers that the task names and at most three files say, this one among them)",
    "named_names": "Σ weight / √files over identifiers that the task names and the file says, at most 4",
    "stem_in_task": "share of the file's own name that the task says, weighted by rarity, 0–1",
    "stem_in_title": "share of the file's own name that the title says, weighted by rarity, 0–1",
    "folder_in_task": "share of the nearest folder's name that the task says, weighted by rarity, 0–1",
}

_RARE = 3
_MOST = 4.0
_FIELDS = ("cover_definitions", "cover_identifiers", "cover_comments", "cover_text")


def columns(pool: Pool) -> dict[str, Column]:
    """The columns of `NAMES`."""
    out = {name: pool.zeros() for name in NAMES}
    if not len(pool):
        return out
    held, path = _held(pool)
    info = pool.terms
    weights = np.array([info.weights[t] for t in info.weights], np.float32)
    in_title = np.array([t in info.title for t in info.weights], bool)
    total, title_total = float(weights.sum()) or 1.0, float(weights[in_title].sum()) or 1.0
    for number, name in enumerate(_FIELDS):
        out[name] = held[:, :, number] @ weights / total
    out["cover_path"] = path @ weights / total
    titled = weights * in_title
    out["cover_title_definitions"] = held[:, :, 0] @ titled / title_total
    out["cover_title_identifiers"] = held[:, :, 1] @ titled / title_total
    out["cover_title_path"] = path @ titled / title_total
    content = pool.view.snapshot.content
    rare = np.array([0 < content.document_frequency(term_id(t)) <= _RARE for t in info.weights], bool)
    out["rare_words"] = np.log2(1.0 + (held.any(axis=2) & rare).sum(axis=1)).astype(np.float32)
    _named(pool, out)
    _stems(pool, out)
    return out


def _held(pool: Pool) -> tuple[np.ndarray, np.ndarray]:
    """How far a candidate says each term of the task, by field: shapes (candidates, terms, fields), (…, terms)."""
    content, paths = pool.view.snapshot.content, pool.view.snapshot.path_terms
    columns = {term: column for column, term in enumerate(pool.terms.weights)}
    held = np.zeros((len(pool), len(columns), len(CONTENT_FIELDS)), np.float32)
    path = np.zeros((len(pool), len(columns)), np.float32)
    for said, meant in pool.terms.matching.items():
        identity = term_id(said)
        rows = content.rows(identity)
        places = pool.index[content.docs[rows]]
        fields = content.counts[rows][places >= 0] > 0
        places = places[places >= 0]
        named = pool.index[paths.docs[paths.rows(identity)]]
        named = named[named >= 0]
        for term, share in meant:
            column = columns[term]
            held[places, column] = np.maximum(held[places, column], np.float32(share) * fields)
            path[named, column] = np.maximum(path[named, column], np.float32(share))
    return held, path


def _named(pool: Pool, out: dict[str, Column]) -> None:
    names = pool.view.snapshot.names
    rare = pool.zeros()
    for mention in pool.query.symbols:
        name = mention.name.replace("::", ".").replace("()", "").rpartition(".")[2]
        docs = names.docs[names.rows(term_id(name))]
        if not len(docs):
            continue
        places = pool.index[docs]
        places = places[places >= 0]
        out["named_names"][places] += mention.weight / len(docs) ** 0.5
        if len(docs) <= _RARE:
            rare[places] += 1.0
    np.minimum(out["named_names"], _MOST, out=out["named_names"])
    out["rare_names"] = np.log2(1.0 + rare).astype(np.float32)


def _stems(pool: Pool, out: dict[str, Column]) -> None:
    said = set(pool.terms.matching)
    title = set(analyse(pool.query.title)) if pool.query.title else said
    for place, candidate in enumerate(pool.candidates):
        folders, _, name = candidate.path.rpartition("/")
        own = _terms(name.partition(".")[0] or name)
        out["stem_in_task"][place] = _share(own, said, pool.view)
        out["stem_in_title"][place] = _share(own, title, pool.view)
        out["folder_in_task"][place] = _share(_terms(folders.rpartition("/")[2]), said, pool.view)


def _terms(name: str) -> tuple[str, ...]:
    return tuple(stem(part) for part in split_identifier(name))


def _share(terms: tuple[str, ...], said: set[str], view: View) -> float:
    """How much of a name was said, its rare words weighing more."""
    if not terms or said.isdisjoint(terms):
        return 0.0
    paths = view.snapshot.path_terms
    weights = [paths.idf(term_id(term)) or 0.1 for term in terms]
    return sum(w for term, w in zip(terms, weights, strict=True) if term in said) / sum(weights)
