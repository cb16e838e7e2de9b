"""Echoes: lines and names of files that repeat the task itself, so they are no evidence of where it is done.

A line is an echo where a request of the task stands nearly word for word. It is one, too, where the request's words
meet with only common words in between, and one of them is an intent word ("fix", "bug"). A statement of the task may be
a message or a comment pasted from the code, and so is a request that it quotes: these have an echo only where the same
lines address a reader or a judge ("grade 3"). A short sentence has none, as any author may write it. A name of a
definition or of a file is an echo if it spells nearly all words of a request; so is an identifier of "bug" and words of
the request, since code is not named after its defects.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import islice, pairwise

import numpy as np

from zeroin.index.lexicon import Lexicon, NumberedText
from zeroin.index.postings import among
from zeroin.index.snapshot import Snapshot
from zeroin.index.spoken import spoken
from zeroin.index.view import View, without_lines
from zeroin.models.encoder import encoder
from zeroin.parsing.passages import stretch_vectors
from zeroin.patterns import lazy_pattern
from zeroin.terms import INTENT_WORDS, STOPWORDS, analyse, stem, term_id, words

_LEAST_WORDS = 6  # of a request
_REPEATED = 0.85  # share of its words that stand in its order …
_ROOM = 1.5  # … within this many times its length
_LEAST_MET = 5  # words that meet, without common ones
# Least words of a request, and of a statement, that are neither common nor intent words.
_LEAST_TELLING, _LEAST_STATED = 3, 2
_MAX_SENTENCES, _MAX_WORDS, _MAX_TRIES = 12, 60, 2_000  # of a task, of a sentence, of one in a file
_MAX_FILES, _MAX_BYTES = 2_000, 16_000_000
_MAX_STATEMENTS, _MAX_SPOKEN_FILES, _MAX_SPOKEN_BYTES = 2, 100, 500_000  # for the statements of a task
_NAME = 0  # the column of a file's name in postings of paths
# The first word of a request.
_REQUESTS = frozenset(
    stem(word)
    for word in """
    add allow change create enhance ensure explain find fix handle how implement improve introduce investigate make move
    please provide refactor remove rename replace rewrite show stop support update use what when where which why
    """.split()
)
_ASKING = frozenset(map(stem, INTENT_WORDS))
_BUG = stem("bug")
_COMMON = frozenset(map(stem, STOPWORDS))
Request = tuple[list[str], frozenset[int]]  # its stems, and the documents that hold nearly all of them
# Phrases that address a judge, besides those that `spoken` finds.
_GRADED = lazy_pattern(
    r"\b(?:grade|score|rank|rate|relevance)[\W_]{1,3}(?:\d|first|highest|this)\b"
    r"|\bthis is the (?:only|right|best|most relevant) (?:file|module|document)\b",
    re.IGNORECASE,
)
_END = lazy_pattern(r"[.!?:]\s|\n")


def without_echoes(task: str, view: View, pasted: Iterable[str] = ()) -> View:
    """Return a view in which lines and names that repeat the task are blank; what is `pasted` in it is no request."""
    typed = task
    for text in pasted:
        typed = typed.replace(text, "")
    asked = list(_sentences(typed, asking=True))
    requests = _held(asked, view)
    lines, spelt = _echoes(requests, view)
    quoted = (one for one in _sentences(task, asking=True) if one not in asked)
    stated = (*quoted, *_sentences(task, asking=False))
    lines |= _spoken_echoes(stated, view, lines)
    unnamed = _named_by_it(requests, view.snapshot)
    if not lines and not unnamed:
        return view
    snapshot = _without_names(unnamed, view.snapshot)
    content = snapshot.content
    counts, vectors = content.counts.copy(), snapshot.vectors.copy()
    for doc, blank in lines.items():
        text = view.text(doc)
        rows = text.split("\n")
        for term, times in Counter(analyse("\n".join(rows[line - 1] for line in blank))).items():
            found = content.rows(term_id(term))
            at = found.start + int(np.searchsorted(content.docs[found], doc))
            if at < found.stop and content.docs[at] == doc:
                held = counts[at, ::-1].astype(np.int64)  # strings and comments first, names last
                counts[at] -= np.clip(times - np.cumsum(held) + held, 0, held)[::-1].astype(counts.dtype)
        own = slice(*snapshot.passage_pointers[doc : doc + 2].tolist())
        said = without_lines(text, blank).split("\n")
        vectors[own] = encoder().pack(stretch_vectors(said, snapshot.passages[own].tolist()))
    symbols = snapshot.symbols.without_names(spelt) if spelt else snapshot.symbols
    blanked = replace(snapshot, content=replace(content, counts=counts), vectors=vectors, symbols=symbols)
    return view.blanked(blanked, lines, unnamed)


def _held(sentences: Iterable[list[str]], view: View) -> list[Request]:
    return [(one, _holding(one, view)) for one in islice(sentences, _MAX_SENTENCES)]


def _spoken_echoes(
    stated: Iterable[list[str]], view: View, known: Mapping[int, frozenset[int]]
) -> dict[int, frozenset[int]]:
    """Return lines that repeat what the task states and address a reader or a judge, with a file's `known` ones."""
    statements = _held(islice(stated, _MAX_STATEMENTS), view)
    small = _small(view, statements, _MAX_SPOKEN_FILES, _MAX_SPOKEN_BYTES)
    view.prefetch(small)
    lexicon = view.lexicon
    texts = lexicon.load([doc for doc in small if _speaks(view.text(doc))], view.prefetch, view.text)
    out: dict[int, frozenset[int]] = {}
    for statement, there in statements if texts else ():
        numbers = _numbered(statement, lexicon)
        for doc in there & texts.keys():
            lines = _repeated(texts[doc], statement, numbers)
            rows = view.text(doc).split("\n")
            if _speaks("\n".join(rows[line - 1] for line in sorted(lines))):
                out[doc] = out.get(doc, known.get(doc, frozenset())) | lines
    return out


def _speaks(text: str) -> bool:
    """Tell whether a text addresses a reader or a judge."""
    return _GRADED.search(text) is not None or next(spoken(text), None) is not None


def _echoes(requests: Sequence[Request], view: View) -> tuple[dict[int, frozenset[int]], set[str]]:
    """Return lines (1-based) that repeat a request, by document, and the identifiers that spell one."""
    lexicon = view.lexicon
    texts = lexicon.load(_small(view, requests, _MAX_FILES, _MAX_BYTES), view.prefetch, view.text)
    common = list(_numbered(_COMMON, lexicon))
    out: dict[int, frozenset[int]] = {}
    names: set[str] = set()
    for request, there in requests:
        numbers, spelt = _numbered(request, lexicon), _identifiers(request, lexicon)
        names.update(lexicon.words[number] for number in spelt)
        for doc in there & texts.keys():
            text = texts[doc]
            lines = _repeated(text, request, numbers) | _met(text, request, numbers, common)
            lines.update(text.lines[among(text.words, spelt)].tolist())
            if lines:
                out[doc] = out.get(doc, frozenset()) | lines
    return out, names


def _small(view: View, requests: Iterable[Request], files: int, size: int) -> list[int]:
    """Return the documents that hold a request, the smallest first, at most `files` of them and `size` bytes."""
    sizes = view.snapshot.sizes
    docs, read = [], 0
    holding = frozenset[int]().union(*(docs for _, docs in requests))
    for doc in sorted(holding, key=lambda doc: (int(sizes[doc]), doc))[:files]:
        read += int(sizes[doc])
        if read > size:
            break
        docs.append(doc)
    return docs


def _sentences(text: str, *, asking: bool) -> Iterator[list[str]]:
    """Yield the requests and questions, or the other sentences, that are long enough to be recognised, as stems."""
    least = _LEAST_TELLING if asking else _LEAST_STATED
    for part in _END.split(text):
        found = [stem(word.lower()) for word in words(part)][:_MAX_WORDS]
        is_long = len(found) >= _LEAST_WORDS and len(set(found) - _COMMON - _ASKING) >= least
        if is_long and (found[0] in _REQUESTS) is asking:
            yield found


def _wanted(stems: Iterable[str]) -> tuple[set[str], int]:
    """Return the words that are not common, and how many of them count as nearly all."""
    said = set(stems) - _COMMON
    return said, math.ceil(_REPEATED * len(said))


def _holding(stems: Iterable[str], view: View) -> frozenset[int]:
    """Return documents that hold nearly all of some words."""
    content = view.snapshot.content
    said, least = _wanted(stems)
    held = np.zeros(len(view.snapshot), np.int32)
    for word in said:
        held[content.holding(term_id(word))] += 1
    return frozenset(np.flatnonzero(held >= least).tolist())


def _numbered(stems: Iterable[str], lexicon: Lexicon) -> dict[int, str]:
    """Return the stems by the numbers of their words in a lexicon, without identifiers of several words."""
    numbers = ((number, word) for word in set(stems) for number in lexicon.by_term.get(word, ()))
    return {number: word for number, word in numbers if len(lexicon.terms[number]) == 1}


def _identifiers(request: Sequence[str], lexicon: Lexicon) -> list[int]:
    """Return the identifiers of a lexicon that spell nearly all words of a request, as numbers."""
    said, least = _wanted(request)
    parts = Counter(number for word in said for number in lexicon.by_term.get(word, ()))
    spelt = [number for number, met in parts.items() if met >= least >= _LEAST_MET]
    named = [number for number in spelt if not _ASKING.isdisjoint(lexicon.terms[number])]
    complaints = lexicon.by_term.get(_BUG, ()) if _BUG in said else ()
    for number in set(complaints).difference(named):
        terms = set(lexicon.terms[number])  # those of a joined name include the whole
        whole = stem(lexicon.words[number].lower())
        if len(terms) > 1 and terms - {whole} <= said and whole not in request:
            named.append(number)
    return named


def _named_by_it(requests: Iterable[Request], snapshot: Snapshot) -> frozenset[int]:
    """Return the documents whose file name spells nearly all words of a request."""
    terms = snapshot.path_terms
    spelt: set[int] = set()
    for request, _ in requests:
        said, least = _wanted(request)
        met = Counter(doc for word in said for doc in terms.holding(term_id(word), _NAME).tolist())
        if not said.isdisjoint(_ASKING):
            spelt.update(doc for doc, words in met.items() if words >= least >= _LEAST_MET)
    return frozenset(spelt)


def _without_names(docs: Set[int], snapshot: Snapshot) -> Snapshot:
    """Return a snapshot without the terms of some files' names and the vectors of their paths."""
    if not docs:
        return snapshot
    terms, own = snapshot.path_terms, sorted(docs)
    counts, vectors = terms.counts.copy(), snapshot.path_vectors.copy()
    theirs = among(terms.docs, own)
    counts[theirs, _NAME] = 0
    vectors[own] = 0
    left = replace(terms, counts=counts).where(~theirs | counts.any(axis=1))
    return replace(snapshot, path_terms=left, path_vectors=vectors)


def _repeated(text: NumberedText, sentence: Sequence[str], numbers: Mapping[int, str]) -> set[int]:
    """Return lines where a sentence stands nearly word for word."""
    size, out = len(sentence), set[int]()
    least, room = math.ceil(_REPEATED * size), int(_ROOM * size)
    slack = size - least
    at = np.flatnonzero(among(text.words, list(numbers)))
    ends = at[least - 1 :]
    near = np.flatnonzero(ends - at[: len(ends)] < room)  # enough of its words stand here
    opening = [number for number, word in numbers.items() if word in sentence[: slack + 1]]
    begun = -1
    for first in near[among(text.words[at[near]], opening)][:_MAX_TRIES].tolist():
        if first <= begun:
            continue
        want, found, last = 0, 0, first
        for row in range(first, min(len(at), first + room)):
            if at[row] - at[first] >= room:
                break
            ahead = sentence[want : want + slack + 1]
            word = numbers[int(text.words[at[row]])]
            if word in ahead:
                want += ahead.index(word) + 1
                found, last = found + 1, row
        if found >= least:
            out.update(range(int(text.lines[at[first]]), int(text.lines[at[last]]) + 1))
            begun = last
    return out


def _met(text: NumberedText, request: Sequence[str], numbers: Mapping[int, str], common: Sequence[int]) -> set[int]:
    """Return lines where nearly all words of a request meet with nothing but common words in between."""
    said, least = _wanted(request)
    here = among(text.words, [number for number, word in numbers.items() if word in said])
    at = np.flatnonzero(here)
    others = np.cumsum(~(here | among(text.words, common)))[at]  # equal for words that meet
    bounds = np.flatnonzero(np.diff(others, prepend=-1, append=-1))
    out: set[int] = set()
    for first, end in pairwise(bounds.tolist()):
        if end - first >= least >= _LEAST_MET:
            met = {numbers[number] for number in text.words[at[first:end]].tolist()}
            if len(met) >= least and not met.isdisjoint(_ASKING):
                out.update(range(int(text.lines[at[first]]), int(text.lines[at[end - 1]]) + 1))
    return out
