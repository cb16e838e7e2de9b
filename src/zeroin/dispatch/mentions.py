"""Retrieval by what the task mentions: symbols, paths, trace frames and quoted text."""

import numpy as np

from zeroin.index.locate import locate
from zeroin.index.postings import Array, distinct
from zeroin.index.view import View
from zeroin.types import Query

_MAX_DEFINITIONS = 40  # a name that more files define is too ambiguous
_OUTER_SHARE = 0.7  # weight of the outer parts of a dotted name
_QUALIFIED = 1.5  # weight of a part that is defined inside the one before it
_FRAME_DECAY, _MAX_FRAMES = 0.9, 20  # per frame of a trace: the innermost one says most
_MAX_HOLDERS = 20  # files of quoted text


def symbols(query: Query, view: View) -> Array:
    """Score files that define a mentioned symbol: weight / √(files that define it), more where the qualifier agrees."""
    table = view.snapshot.symbols
    scores = np.zeros(len(view.snapshot), np.float32)
    for mention in query.symbols:
        parts = mention.parts
        for position, part in enumerate(parts):
            rows = table.rows_of(part)
            docs = distinct(table.docs[rows])
            if not 0 < len(docs) <= _MAX_DEFINITIONS:
                continue
            share = 1.0 if position == len(parts) - 1 else _OUTER_SHARE
            best = np.zeros(len(view.snapshot), np.float32)
            best[docs] = mention.weight / np.sqrt(len(docs)) * share
            for row in rows if position else ():  # `Foo.bar`: a `bar` inside `Foo` is the one that is meant
                parent = int(table.parent[row])
                if parent >= 0 and table.names[parent] == parts[position - 1]:
                    best[int(table.docs[row])] = mention.weight * _QUALIFIED
            scores += best
    return scores


def paths(query: Query, view: View) -> Array:
    """Score files by mentioned paths and trace frames: weight × confidence of the match, less for outer frames."""
    scores = np.zeros(len(view.snapshot), np.float32)
    for mention in query.paths:
        decay = _FRAME_DECAY ** min(mention.frame or 0, _MAX_FRAMES)
        for doc, confidence in locate(view, mention):
            scores[doc] = max(scores[doc], mention.weight * decay * confidence)
    return scores


def quote_holders(query: Query, view: View) -> list[int]:
    """Return documents that contain quoted text, those with most of it first."""
    found = view.quote_matches(query.quotations).by_doc
    return sorted(found, key=lambda doc: (-found[doc].value, doc))[:_MAX_HOLDERS]
