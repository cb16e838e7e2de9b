"""Meaning: how near a file's passages are to the task in the encoder's space. All zero until it is asked for."""

from __future__ import annotations

import numpy as np

from zeroin.evaluate.nearness import meaning_of_task
from zeroin.evaluate.signals.pool import Column, Pool
from zeroin.types import Origin

NAMES: dict[str, str] = {
    "meaning_asked": "1 in cycles that ask by meaning",
    "meaning_cosine": "cosine of the task with the file's best passage",
    "meaning_path": "cosine of the task with the file's path",
    "meaning_unusual": "nearness in standard deviations of the repository's files, divided by 8",
    "meaning_title": "the same for the title alone, divided by 8",
    "meaning_behind": "how far behind the nearest file of the repository, in standard deviations divided by 8",
    "meaning_peak": "how unusual the nearest file of the repository is, divided by 8: one sticks out, or none does",
}
_SCALE = 8.0


def columns(pool: Pool) -> dict[str, Column]:
    """The columns of `NAMES`."""
    out = {name: pool.zeros() for name in NAMES}
    query = pool.query
    if not query.by_meaning or not len(pool):
        return out
    own = meaning_of_task(query, pool.view)
    titled = tuple(k for k in query.own if k.origin in (Origin.TITLE, Origin.CALLER))
    title = pool.view.meaning(titled, query)
    unusual = own.unusual
    peak = float(unusual.max())
    out["meaning_asked"] += 1
    out["meaning_cosine"] = own.best[pool.docs]
    out["meaning_path"] = own.path[pool.docs]
    out["meaning_unusual"] = unusual[pool.docs] / _SCALE
    out["meaning_title"] = title.unusual[pool.docs] / _SCALE
    out["meaning_behind"] = (peak - unusual[pool.docs]) / _SCALE
    out["meaning_peak"] += peak / _SCALE
    return {name: np.asarray(column, np.float32) for name, column in out.items()}
