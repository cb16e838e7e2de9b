"""Evidence of text that the task quotes: log odds, added to the score of the trees before calibration."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from zeroin.index.quote_match import QuoteMatch, is_code
from zeroin.index.view import View
from zeroin.types import Query, Quotation, Role

# Log odds a unit of the feature (`features`), fitted by `benchmarks.literal --fit` beside the score of the trees.
WEIGHTS: Mapping[str, float] = {
    "found": -1.68,  # the file holds a message
    "share": 2.24,  # share of its words that agree
    "files": -0.18,  # ln of the files that hold as much
    "best": 0.82,  # no file holds more
    "marked": -0.19,  # the task marks it as quoted
    "part": 1.83,  # how far the task is about it
    "raised": 1.25,  # the line raises or logs, or the match is `sure`
    "string": 0.28,  # it stands in a string
    "test": -4.28,  # in a test, where the task is not about tests
    "doc": -1.73,
    "other": -1.99,  # in another file that is no code
    "rival": -1.5,  # how much of a message the best file of the code holds; for files that hold none
    "sole": 0.7,  # the file alone of the code holds a flag or a key; the trees know the rest of a name
}
# Share of the task's words below which a message adds nothing, measured on 147 issues; from `Quotation.SUBJECT` on it
# has its full weight (benchmarks/NOTES.md, "Pasted text").
_BESIDE = 0.15


def log_odds(query: Query, view: View, docs: Sequence[int]) -> NDArray[np.float64]:
    """Score documents by the quoted text that they hold, shape (docs,); 0 for a task that quotes nothing."""
    out = np.zeros(len(docs))
    matches = view.quote_matches(query.quotations).by_doc
    if not matches:
        return out
    rival = strongest(matches, view)
    for i, doc in enumerate(docs):
        row = features(doc, matches, query, view, rival)
        total = sum(WEIGHTS[name] * value for name, value in row.items())
        out[i] = max(0.0, total) * _share(matches[doc]) if doc in matches else total
    return out


def _share(match: QuoteMatch) -> float:
    """Return the share of its weight that a quotation has, 0–1: all of it where the task is about it."""
    if match.quotation.name:
        return 1.0
    return min(1.0, max(0.0, (match.quotation.part - _BESIDE) / (Quotation.SUBJECT - _BESIDE)))


def strongest(matches: Mapping[int, QuoteMatch], view: View) -> float:
    """Return how much of a message the best file of the code holds where it is raised, logged or `sure`, 0–1."""
    return max(
        (
            match.share * _about(match)
            for doc, match in matches.items()
            if (match.raised or match.sure) and not match.quotation.name and is_code(doc, view.snapshot)
        ),
        default=0.0,
    )


def _about(match: QuoteMatch) -> float:
    """Return how far the task is about the quotation, 0–1."""
    return min(1.0, match.quotation.part / Quotation.SUBJECT)


def features(doc: int, matches: Mapping[int, QuoteMatch], query: Query, view: View, rival: float) -> dict[str, float]:
    """Return the features of a document by quoted text, named as in `WEIGHTS`.

    A document without any has one feature, `rival`: how much of a message the best file of the code holds, 0–1.
    """
    match = matches.get(doc)
    if match is None:
        return {"rival": rival}
    role = view.snapshot.role(doc)
    code = is_code(doc, view.snapshot)
    wanted = code or role in query.wanted_roles
    if match.quotation.name:
        return {"sole": float(code and match.files == 1), "rival": rival}
    return {
        "found": 1.0,
        "share": match.share,
        "files": math.log(match.files),
        "best": float(match.best),
        "marked": float(match.quotation.marked),
        "part": _about(match),
        "raised": float(match.raised or (match.sure and code)),
        "string": float(match.string),
        "test": float(not wanted and role is Role.TEST),
        "doc": float(not wanted and role is Role.DOC),
        "other": float(not wanted and role not in (Role.TEST, Role.DOC)),
    }
