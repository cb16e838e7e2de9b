"""Files whose path, module or trace frame the task mentions."""

from __future__ import annotations

import numpy as np

from zeroin.index.locate import locate
from zeroin.index.postings import Array
from zeroin.index.view import View
from zeroin.types import Query

_FRAME_DECAY = 0.9  # the innermost frame of a trace says most


class Paths:
    """Mentioned paths and trace frames, by how surely the mention means the file."""

    name = "paths"

    def scores(self, query: Query, view: View) -> Array:
        scores = np.zeros(len(view.snapshot), np.float32)
        for mention in query.paths:
            decay = _FRAME_DECAY ** min(mention.frame or 0, 20)
            for doc, confidence in locate(view, mention):
                scores[doc] = max(scores[doc], mention.weight * decay * confidence)
        return scores
