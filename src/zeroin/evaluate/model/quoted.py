"""What it says of files that they hold text which the task quotes: log odds, added to the score before the map."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.reasons.wording import shortened
from zeroin.index.literal import QuoteMatch, is_code
from zeroin.index.view import View
from zeroin.types import Candidate, Evidence, Query, Quotation, Reason, Role

# Fitted by `benchmarks.literal --fit` beside the score of the trees.
WEIGHTS: Mapping[str, float] = {
    "held": -1.68,
    "share": 2.24,
    "files": -0.18,
    "best": 0.82,
    "said": -0.19,
    "part": 1.83,
    "raised": 1.25,
    "string": 0.28,
    "test": -4.28,
    "doc": -1.73,
    "other": -1.99,
    "rival": -1.5,
    "name": 0.51,
    "name_files": -0.36,
    "name_string": 0.76,
    "name_other": -0.22,
}
# On 147 issues with files that hold quoted text, a message of less than a quarter of the task's words says nothing
# beside what the trees know, one of more what was fitted (docs/QUALITY.md, "Pasted text").
_BESIDE = 0.15


def log_odds(query: Query, view: View, docs: Sequence[int]) -> NDArray[np.float64]:
    """What quoted text adds to the score of each document, shape (docs,); 0 for a task that quotes nothing."""
    out = np.zeros(len(docs))
    held = view.quote_matches(query.quotations).by_doc
    if not held:
        return out
    rival = strongest(held, view)
    for place, doc in enumerate(docs):
        row = features(doc, held, query, view, rival)
        total = sum(WEIGHTS[name] * value for name, value in row.items())
        out[place] = max(0.0, total) * _counts(held[doc]) if doc in held else total
    return out


def _counts(held: QuoteMatch) -> float:
    """How much of its weight a quotation has, 0–1: all where the task is about it, none where it stands beside."""
    if held.quotation.name:
        return 1.0
    return min(1.0, max(0.0, (held.quotation.part - _BESIDE) / (Quotation.SUBJECT - _BESIDE)))


def quoted_reason(candidate: Candidate, query: Query, view: View) -> Reason | None:
    """That a file holds text which the task quotes, with the line; None if it holds none."""
    held = view.quote_matches(query.quotations).by_doc.get(candidate.doc)
    if held is None:
        return None
    text = f"contains the quoted text “{shortened(held.words)}” (line {held.line})"
    return Reason("literal", text, (Evidence(candidate.path, held.line, text=held.words),))


def strongest(held: Mapping[int, QuoteMatch], view: View) -> float:
    """How much of a quotation the best file of the code holds at a place that raises or logs, 0–1."""
    return max(
        (
            one.share * _about(one)
            for doc, one in held.items()
            if one.raised and not one.quotation.name and is_code(doc, view.snapshot)
        ),
        default=0.0,
    )


def _about(held: QuoteMatch) -> float:
    """How far the task is about the quotation, 0–1: what is a quarter of its words or more is its subject."""
    return min(1.0, held.quotation.part / Quotation.SUBJECT)


def features(
    doc: int, matches: Mapping[int, QuoteMatch], query: Query, view: View, rival: float
) -> dict[str, float]:
    """What is known of a document's quoted text, named as in `WEIGHTS`; for one without any, what others hold."""
    held = matches.get(doc)
    if held is None:
        return {"rival": rival}
    role = view.snapshot.role(doc)
    wanted = is_code(doc, view.snapshot) or role in query.wanted_roles
    if held.quotation.name:
        return {
            "name": 1.0,
            "name_files": math.log(held.files),
            "name_string": float(held.string),
            "name_other": float(not wanted),
            "rival": rival,
        }
    return {
        "held": 1.0,
        "share": held.share,
        "files": math.log(held.files),
        "best": float(held.best),
        "said": float(held.quotation.said),
        "part": _about(held),
        "raised": float(held.raised),
        "string": float(held.string),
        "test": float(not wanted and role is Role.TEST),
        "doc": float(not wanted and role is Role.DOC),
        "other": float(not wanted and role not in (Role.TEST, Role.DOC)),
    }
