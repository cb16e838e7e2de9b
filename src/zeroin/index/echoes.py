"""Lines that repeat the task itself: they say what is asked and not where it is done, so they are no evidence.

A line is such an echo where a request of the task stands nearly word for word, and where the words of its title meet
with nothing but common words between them: with one that only a request has ("fix", "bug"), or again and again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from zeroin.index.lexicon import Lexicon, NumberedText
from zeroin.index.view import View, without_lines
from zeroin.parsing.passages import packed_vectors
from zeroin.patterns import lazy_pattern
from zeroin.terms import INTENT_WORDS, STOPWORDS, analyse, stem, term_id, words

LEAST_WORDS = 6  # of a sentence: fewer are said by whoever writes the code, too
_REPEATED = 0.85  # share of its words that stand in its order …
_ROOM = 1.5  # … within this many times its length
_LEAST_ONCE = 5  # words of the title together that are an echo at once, a word of the request among them …
_LEAST_SAID, _OFTEN = 4, 5  # … and those that are one where a file says them so often
_LEAST_TELLING = 3  # words of a sentence that are neither common nor those of any request
_MAX_SENTENCES = 12
_MAX_FILES, _MAX_BYTES = 2_000, 16_000_000
# What a request begins with. What states something may be a message or a comment of the code that was pasted.
_REQUESTS = frozenset(
    stem(word)
    for word in """
    add allow change create enhance ensure explain find fix handle how implement improve introduce investigate make move
    please provide refactor remove rename replace rewrite show stop support update use what when where which why
    """.split()
)
_ASKING = frozenset(map(stem, INTENT_WORDS))
_COMMON = frozenset(map(stem, STOPWORDS))
_END = lazy_pattern(r"[.!?:]\s|\n")


def without_echoes(task: str, view: View) -> View:
    """Return a view to which lines that repeat the task are blank: as if they were not there."""
    lines = echoes_of(task, view)
    if not lines:
        return view
    snapshot, content = view.snapshot, view.snapshot.content
    counts, vectors = content.counts.copy(), snapshot.vectors.copy()
    for doc, blank in lines.items():
        before = view.text(doc)
        after = without_lines(before, blank)
        for term, times in (Counter(analyse(before)) - Counter(analyse(after))).items():
            rows = content.rows(term_id(term))
            at = rows.start + int(np.searchsorted(content.docs[rows], doc))
            if at < rows.stop and content.docs[at] == doc:
                held = counts[at, ::-1].astype(np.int64)  # strings and comments first, names last
                counts[at] -= np.clip(times - np.cumsum(held) + held, 0, held)[::-1].astype(np.uint16)
        own = slice(*snapshot.passage_pointers[doc : doc + 2].tolist())
        said = after.split("\n")
        passages = ["\n".join(said[first - 1 : last]) for first, last in snapshot.passages[own].tolist()]
        vectors[own] = packed_vectors(passages)
    blanked = replace(snapshot, content=replace(content, counts=counts), vectors=vectors)
    return view.blanked(blanked, lines)


def echoes_of(text: str, view: View) -> dict[int, frozenset[int]]:
    """Return lines (1-based) that repeat a task, by document."""
    sentences = list(islice(_sentences(text), _MAX_SENTENCES))
    said = frozenset(_stems(text.partition("\n")[0])) - _COMMON
    once = len(said) >= _LEAST_ONCE and not said.isdisjoint(_ASKING)
    often = _holding(said, 1 if once else _OFTEN, view) if len(said) >= _LEAST_SAID else frozenset()
    holding = [_holding(one, 1, view) for one in sentences]
    sizes = view.snapshot.sizes
    docs, read = [], 0
    for doc in sorted(often.union(*holding), key=lambda doc: (int(sizes[doc]), doc))[:_MAX_FILES]:
        read += int(sizes[doc])
        if read > _MAX_BYTES:
            break
        docs.append(doc)
    lexicon = view.lexicon
    texts = lexicon.load(docs, view.prefetch, view.text)
    out: dict[int, frozenset[int]] = {}
    numbered = [_numbered(one, lexicon) for one in sentences]
    titled = _numbered((*said, *_COMMON), lexicon)
    for doc, found in texts.items():
        lines: set[int] = set()
        for sentence, there, numbers in zip(sentences, holding, numbered, strict=True):
            if doc in there:
                lines |= _repeated(found, sentence, numbers)
        if doc in often:
            lines |= _together(found, said, titled)
        if lines:
            out[doc] = frozenset(lines)
    return out


def _stems(text: str) -> list[str]:
    return [stem(word.lower()) for word in words(text)]


def _sentences(text: str) -> Iterator[list[str]]:
    """Yield the requests and questions that are long enough to be known again, as stems."""
    for part in _END.split(text):
        found = _stems(part)
        telling = {word for word in found if word not in _COMMON | _ASKING}
        if len(found) >= LEAST_WORDS and len(telling) >= _LEAST_TELLING and found[0] in _REQUESTS:
            yield found


def _holding(stems: Iterable[str], times: int, view: View) -> frozenset[int]:
    """Return documents that hold nearly all of some words so many times."""
    content, distinct = view.snapshot.content, set(stems)
    held = np.zeros(len(view.snapshot), np.int32)
    for word in distinct:
        rows = content.rows(term_id(word))
        docs = content.docs[rows]
        held[docs if times == 1 else docs[content.counts[rows].sum(axis=1) >= times]] += 1
    return frozenset(np.flatnonzero(held >= _REPEATED * len(distinct)).tolist())


def _numbered(stems: Iterable[str], lexicon: Lexicon) -> dict[int, str]:
    """Return the words of a lexicon that are these, by number; no part of an identifier is one."""
    numbers = ((number, word) for word in set(stems) for number in lexicon.by_term.get(word, ()))
    return {number: word for number, word in numbers if len(lexicon.terms[number]) == 1}


def _repeated(text: NumberedText, sentence: Sequence[str], numbers: Mapping[int, str]) -> set[int]:
    """Return lines where a sentence stands nearly word for word."""
    size, out = len(sentence), set[int]()
    least, room = math.ceil(_REPEATED * size), int(_ROOM * size)
    slack = size - least
    at = np.flatnonzero(np.isin(text.words, list(numbers)))
    near = np.flatnonzero(
        at[least - 1 :] - at[: len(at) - least + 1] < room
    )  # enough of its words stand here
    begun = -1
    for first in near.tolist():
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


def _together(text: NumberedText, said: frozenset[str], numbers: Mapping[int, str]) -> set[int]:
    """Return lines where nearly all words of the title meet, with one of the request or often.

    Nothing but common words may stand between them.
    """
    at = np.flatnonzero(np.isin(text.words, list(numbers)))
    asking, other = list[range](), list[range]()
    run: set[str] = set()
    begun, before = 0, -2
    for place in at.tolist():
        if place != before + 1:
            run = set()
        word, line = numbers[int(text.words[place])], int(text.lines[place])
        if word in said:
            begun = begun if run else line
            run.add(word)
        if len(run) >= _REPEATED * len(said):
            asks = len(said) >= _LEAST_ONCE and not run.isdisjoint(_ASKING)
            (asking if asks else other).append(range(begun, line + 1))
            run = set()
        before = place
    found = asking + other if len(asking) + len(other) >= _OFTEN else asking
    return {line for one in found for line in one}
