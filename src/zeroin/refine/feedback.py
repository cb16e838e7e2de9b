"""Words of the files that the caller has read and judged relevant: feedback from one who knows, not from a top k.

Term selection follows Robertson's offer weight (1990): how much more often a term is found in relevant files
than elsewhere, times how many of them hold it. Only the lines that matter are read, never whole files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from zeroin.index.view import View
from zeroin.terms import STOPWORDS, WORD, analyse, split_identifier, stem, term_id
from zeroin.types import Evidence, Judgment, Query

_FILES = 8
_SPANS = 3
_TERMS = 8
_MIN_WORD = 3


@dataclass(frozen=True, slots=True)
class FeedbackTerm:
    """A word that relevant files say often and others do not; weight in 0–1."""

    word: str
    weight: float
    evidence: tuple[Evidence, ...]


def feedback_terms(query: Query, judgments: Sequence[Judgment], view: View) -> tuple[FeedbackTerm, ...]:
    """Up to eight new words from the spans of the files that the query says are relevant."""
    relevant = [j for j in judgments if j.path in query.relevant][:_FILES]
    known = {t for k in query.keywords for t in analyse(k.text)}
    holders: Counter[str] = Counter()
    uses: Counter[str] = Counter()
    evidence: dict[str, Evidence] = {}
    surface: dict[str, str] = {}
    for judgment in relevant:
        doc = view.doc_of(judgment.path)
        if doc is None:
            continue
        lines = view.text(doc).split("\n")
        seen: set[str] = set()
        for span in judgment.spans[:_SPANS]:
            for number in range(span.start, min(span.end, len(lines)) + 1):
                for word in WORD.findall(lines[number - 1]):
                    for part in split_identifier(word):
                        term = stem(part)
                        if len(part) < _MIN_WORD or part in STOPWORDS or part.isdigit() or term in known:
                            continue
                        uses[term] += 1
                        seen.add(term)
                        surface.setdefault(term, part)
                        evidence.setdefault(term, Evidence(judgment.path, number, text=word))
        holders.update(seen)
    content = view.snapshot.content
    most = content.documents
    values: dict[str, float] = {}
    for term, held in holders.items():
        if not view.name_df(term):
            continue  # nothing is named so: a word of prose
        df = content.document_frequency(term_id(term))
        if df > max(3, 0.3 * most):
            continue
        values[term] = content.idf(term_id(term)) * held / len(relevant) * min(1.0, 0.25 * uses[term])
    best = sorted(values, key=lambda t: (-values[t], t))[:_TERMS]
    top = values[best[0]] if best else 1.0
    return tuple(
        FeedbackTerm(surface[t], round(values[t] / top, 3), (evidence[t],)) for t in best if values[t] > 0
    )
