"""Features: which share of the task's terms a file contains, by field, from the postings alone."""

from collections.abc import Callable, Set
from functools import cache

import numpy as np

from zeroin.evaluate.features.pool import Column, Pool
from zeroin.parsing.facts import CONTENT_FIELDS
from zeroin.terms import analyse, split_identifier, stem, term_id

_RARE = 3  # files
_MOST = 4.0  # bound of `named_names`
_UNKNOWN_IDF = 0.1  # of a part of a file name that is no indexed path term
_FIELDS = ("cover_definitions", "cover_identifiers", "cover_comments", "cover_text")


def columns(pool: Pool) -> dict[str, Column]:
    """Compute the columns of the section."""
    out = pool.columns("coverage")
    fields, path = _shares(pool)
    terms, content = pool.terms, pool.view.snapshot.content
    weights = np.array(list(terms.weights.values()), np.float32)
    in_title = np.array([t in terms.title for t in terms.weights], bool)
    total, title_total = float(weights.sum()) or 1.0, float(weights[in_title].sum()) or 1.0
    for number, name in enumerate(_FIELDS):
        out[name] = fields[:, :, number] @ weights / total
    out["cover_path"] = path @ weights / total
    titled = weights * in_title
    out["cover_title_definitions"] = fields[:, :, 0] @ titled / title_total
    out["cover_title_identifiers"] = fields[:, :, 1] @ titled / title_total
    out["cover_title_path"] = path @ titled / title_total
    rare = np.array([0 < content.document_frequency(term_id(t)) <= _RARE for t in terms.weights], bool)
    out["rare_words"] = np.log2(1.0 + (fields.any(axis=2) & rare).sum(axis=1)).astype(np.float32)
    _names(pool, out)
    _stems(pool, out)
    return out


def _shares(pool: Pool) -> tuple[np.ndarray, np.ndarray]:
    """Return how well each term matches, 0–1: shapes (candidates, terms, fields), and (candidates, terms) by path."""
    content, paths = pool.view.snapshot.content, pool.view.snapshot.path_terms
    numbers = {term: number for number, term in enumerate(pool.terms.weights)}
    fields = np.zeros((len(pool), len(numbers), len(CONTENT_FIELDS)), np.float32)
    path = np.zeros((len(pool), len(numbers)), np.float32)
    for index_term, matches in pool.terms.matching.items():
        identity = term_id(index_term)
        rows = content.rows(identity)
        found = pool.positions(content.docs[rows])
        counted = content.counts[rows][found >= 0] > 0
        found = found[found >= 0]
        named = pool.inside(paths.docs[paths.rows(identity)])
        for term, share in matches:
            number = numbers[term]
            fields[found, number] = np.maximum(fields[found, number], np.float32(share) * counted)
            path[named, number] = np.maximum(path[named, number], np.float32(share))
    return fields, path


def _names(pool: Pool, out: dict[str, Column]) -> None:
    names = pool.view.snapshot.names
    rare = pool.zeros()
    for mention in pool.query.symbols:
        docs = names.docs[names.rows(term_id((mention.parts or [""])[-1]))]
        if not len(docs):
            continue
        found = pool.inside(docs)
        out["named_names"][found] += mention.weight / len(docs) ** 0.5
        if len(docs) <= _RARE:
            rare[found] += 1.0
    np.minimum(out["named_names"], _MOST, out=out["named_names"])
    out["rare_names"] = np.log2(1.0 + rare).astype(np.float32)


def _stems(pool: Pool, out: dict[str, Column]) -> None:
    in_task = pool.terms.matching.keys()
    in_title = set(analyse(pool.query.title)) if pool.query.title else in_task
    paths = pool.view.snapshot.path_terms
    rarity = cache(lambda term: paths.idf(term_id(term)) or _UNKNOWN_IDF)  # many names share words
    for i, candidate in enumerate(pool.candidates):
        folders, _, name = candidate.path.rpartition("/")
        if candidate.doc not in pool.view.unnamed:
            own = name.partition(".")[0] or name
            out["stem_in_task"][i] = _share(own, in_task, rarity)
            out["stem_in_title"][i] = _share(own, in_title, rarity)
        out["folder_in_task"][i] = _share(folders.rpartition("/")[2], in_task, rarity)


def _share(name: str, wanted: Set[str], rarity: Callable[[str], float]) -> float:
    """Return the share of a name's words that are `wanted`, weighted by their `rarity`."""
    terms = [stem(part) for part in split_identifier(name)]
    if wanted.isdisjoint(terms):
        return 0.0
    weights = [rarity(term) for term in terms]
    return sum(w for term, w in zip(terms, weights, strict=True) if term in wanted) / sum(weights)
