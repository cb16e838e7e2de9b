"""Files that define the symbols which the task names. A rare definition is an anchor; a common name is noise."""

from __future__ import annotations

import re

import numpy as np

from zeroin.index.postings import Array
from zeroin.index.view import View
from zeroin.types import Query

_MAX_DEFINITIONS = 40  # a name defined in more files names nothing
_PARTS = re.compile(r"::|->|[.#\\/]")


class Symbols:
    """Definitions of named symbols: 1 / √(files that define it), more where the qualifier agrees."""

    name = "symbols"

    def scores(self, query: Query, view: View) -> Array:
        symbols = view.snapshot.symbols
        scores = np.zeros(len(view.snapshot), np.float32)
        for mention in query.symbols:
            parts = [part.strip("()") for part in _PARTS.split(mention.name) if part.strip("()")]
            for position, part in enumerate(parts):
                rows = symbols.rows_of(part)
                docs = np.unique(symbols.docs[rows])
                if not len(docs) or len(docs) > _MAX_DEFINITIONS:
                    continue
                last = position == len(parts) - 1
                best = np.zeros(len(view.snapshot), np.float32)
                best[docs] = mention.weight / np.sqrt(len(docs)) * (1.0 if last else 0.7)
                if position:  # `Foo.bar`: a `bar` inside `Foo` is the one that is meant
                    for row in rows:
                        parent = int(symbols.parent[row])
                        if parent >= 0 and symbols.names[parent] == parts[position - 1]:
                            best[int(symbols.docs[row])] = mention.weight * 1.5
                scores += best
        return scores
