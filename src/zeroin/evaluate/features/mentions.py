"""Symbols, paths and trace frames that the task names, by where it names them."""

import re

import numpy as np

from zeroin.evaluate.features.pool import Column, Pool
from zeroin.index.locate import locate
from zeroin.index.postings import distinct
from zeroin.types import Origin

_MAX_FILES = 40  # a name that more files define is too ambiguous
_QUALIFIER_SHARE = 0.7  # weight of a part of a qualified name before its last
_COLUMN = {
    Origin.TITLE: "defines_title",
    Origin.CODE: "defines_code",
    Origin.ERROR: "defines_code",
    Origin.TRACE: "defines_trace",
}


def columns(pool: Pool) -> dict[str, Column]:
    """Compute the columns of the section."""
    out = pool.columns("mentions")
    _definitions(pool, out)
    _paths(pool, out)
    return out


def _definitions(pool: Pool, out: dict[str, Column]) -> None:
    symbols = pool.view.snapshot.symbols
    title = set(re.findall(r"\w+", pool.query.title))
    sole = pool.zeros()
    for mention in pool.query.symbols:
        parts = mention.parts
        for position, part in enumerate(parts):
            docs = distinct(symbols.docs[symbols.rows_of(part)])
            if not len(docs) or len(docs) > _MAX_FILES:
                continue
            last = position == len(parts) - 1
            value = mention.weight / len(docs) ** 0.5 * (1.0 if last else _QUALIFIER_SHARE)
            found = pool.inside(docs)
            column = "defines_title" if part in title else _COLUMN.get(mention.origin, "defines_prose")
            out[column][found] = np.maximum(out[column][found], value)
            if len(docs) == 1:
                sole[found] += 1.0
    out["defines_sole"] = np.log2(1.0 + sole).astype(np.float32)


def _paths(pool: Pool, out: dict[str, Column]) -> None:
    innermost: dict[int, int] = {}
    for mention in pool.query.paths:
        for doc, confidence in locate(pool.view, mention):
            for i in pool.inside(np.array([doc])).tolist():
                out["path_mentioned"][i] = max(out["path_mentioned"][i], mention.weight * confidence)
                if mention.frame is not None:
                    innermost[i] = min(mention.frame, innermost.get(i, mention.frame))
    # Frames of libraries lie between the repository's own: only the order among its own counts.
    order = {frame: number for number, frame in enumerate(sorted(set(innermost.values())))}
    for i, frame in innermost.items():
        out["frame"][i] = 1.0 / (1 + order[frame])
        out["frame_innermost"][i] = float(order[frame] == 0)
