"""Features: which searches of gaps found a candidate, by kind of gap. All 0 in the first cycle."""

import math

import numpy as np

from zeroin.evaluate.features.pool import Column, Pool
from zeroin.types import GAP_KINDS

_FORMS = ("test", "together")


def columns(pool: Pool) -> dict[str, Column]:
    """Compute the columns of the section."""
    out = pool.columns("gaps")
    for i, candidate in enumerate(pool.candidates):
        gaps = candidate.asked_by
        if not gaps:
            continue
        for kind in GAP_KINDS:
            out[f"asked_{kind}"][i] = candidate.scores.get(f"asked_{kind}", 0.0)
        out["asked_precision"][i] = max(gap.precision for gap in gaps)
        out["asked_user"][i] = max(gap.user_relevance for gap in gaps)
        out["asked_times"][i] = np.log2(1 + len(gaps)) / 4
        out["asked_kinds"][i] = len({gap.kind for gap in gaps}) / len(GAP_KINDS)
        for form in _FORMS:
            out[f"asked_{form}"][i] = 1.0 - math.prod(1.0 - gap.user_relevance for gap in gaps if gap.form == form)
    return out
