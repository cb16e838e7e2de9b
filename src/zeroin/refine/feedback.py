"""Relevance feedback: words of the files that the caller has judged relevant.

Terms are selected by Robertson's offer weight (1990): how much rarer a term is elsewhere (idf) × the share of the
relevant files that contain it. Only the best spans are read, never whole files.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from zeroin.index.view import View
from zeroin.terms import STOPWORDS, WORD, analyse, split_identifier, stem, term_id
from zeroin.types import Evidence, Judgment, Query

_FILES, _SPANS, _TERMS = 8, 3, 8
_MIN_WORD = 3
_MAX_SHARE, _MAX_COMMON = 0.3, 3  # of all files: a term in more (and in more than three) is common
_FULL_USES = 4  # uses from which a term counts in full


def feedback_terms(query: Query, judgments: Sequence[Judgment], view: View) -> list[tuple[str, float, Evidence]]:
    """Up to eight new words from the spans of the files that the query says are relevant, with their weight, 0–1."""
    relevant = [j for j in judgments if j.path in query.relevant][:_FILES]
    known = {t for k in query.keywords for t in analyse(k.text)}
    files: Counter[str] = Counter()
    uses: Counter[str] = Counter()
    first: dict[str, tuple[str, Evidence]] = {}
    for judgment in relevant:
        found = [(stem(part), part, evidence) for part, evidence in _parts(judgment, view)]
        found = [one for one in found if one[0] not in known]
        files.update({term for term, _, _ in found})
        uses.update(term for term, _, _ in found)
        for term, part, evidence in found:
            first.setdefault(term, (part, evidence))
    content = view.snapshot.content
    most = max(_MAX_COMMON, _MAX_SHARE * content.documents)
    values = {
        term: content.idf(term_id(term)) * count / len(relevant) * min(1.0, uses[term] / _FULL_USES)
        for term, count in files.items()
        # A term by which nothing is named is a word of prose.
        if view.name_df(term) and content.document_frequency(term_id(term)) <= most
    }
    best = sorted(values, key=lambda t: (-values[t], t))[:_TERMS]
    shares = {t: round(values[t] / values[best[0]], 3) for t in best if values[t] > 0}
    return [(first[t][0], share, first[t][1]) for t, share in shares.items()]


def _parts(judgment: Judgment, view: View) -> Iterator[tuple[str, Evidence]]:
    """Yield the parts of the words on the best spans of a file, with their lines."""
    doc = view.doc_of(judgment.path)
    lines = [] if doc is None else view.text(doc).split("\n")
    for span in judgment.spans[:_SPANS]:
        for number, line in enumerate(lines[span.start - 1 : span.end], span.start):
            for word in WORD.findall(line):
                for part in split_identifier(word):
                    if len(part) >= _MIN_WORD and part not in STOPWORDS and not part.isdigit():
                        yield part, Evidence(judgment.path, number, text=word)
