"""Reading: how well the best files of a later cycle agree with the task, as read, is added to their scores.

The reader compares files; it does not know how many of them are right. So what it adds is measured from the mean of the
files that it reads, less a share of the largest: by that their relevance stays true under the map of the unread score.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.digest import Digest, digest, words_of
from zeroin.evaluate.passages import TextMatch
from zeroin.evaluate.task_terms import TaskTerms
from zeroin.index.view import View
from zeroin.models.reader import FILE_PIECES, TASK_PIECES, reader
from zeroin.types import Evidence, Query, Reason
from zeroin.wording import counted

BEST = 10  # files that are read, at most: twelve gained no more
WEIGHT = 0.5  # of the reader's log odds beside those of the score
# Of what the file that agrees most would gain, taken from all: at 0 relevance is too high by 0.03, here by no more than
# without the reader (benchmarks/NOTES.md).
_LESS = 0.3
_MOST = 3.0  # log odds by which the reader may hold a file for better or worse than the others
REACH = 2 * WEIGHT * _MOST  # log odds: a file further behind the best one stays behind it, whatever the reader says
_LEAST_WORDS = 3  # of a task, in letters that the reader knows
# Keywords of a task. The reader sees only the beginning of a longer one; in repositories that neither it nor the ranker
# had seen, reading gained up to here, and nothing beyond (docs/READER.md).
_MOST_KEYWORDS = 16
_DIGITS = 2  # of the reader's scores: the others differ from machine to machine
_TASK_CHARS = 100 * TASK_PIECES
Scores = NDArray[np.float64]
Rows = NDArray[np.int64]
Lines = tuple[tuple[int, int], ...]
Known = dict[tuple[tuple[str, ...], int], tuple[float, Lines]]  # words of a task, document → score and what was read


class Rise(NamedTuple):
    """By how many places reading moved a file up among the best, 0 where its score alone rose; the lines read."""

    places: int
    lines: Lines = ()

    def reason(self, path: str) -> Reason:
        """Say by how much reading moved the file up: on that, and on all else, its relevance rests."""
        lines = sorted(self.lines)
        said = ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in lines)
        read = "its path, read beside the task, moves"
        if lines:
            several = len(lines) > 1 or lines[0][0] < lines[0][1]
            read = f"line{'s' if several else ''} {said}, read beside the task, move{'' if several else 's'}"
        evidence = tuple(Evidence(path, line=first) for first, _ in lines) or (Evidence(path),)
        return Reason("read", f"{read} it up by {counted(self.places, 'place')}", evidence)


class Rescored(NamedTuple):
    """Scores of all files after the best were read, shape (files,), and the rows whose score rose or fell."""

    scores: Scores
    risen: Mapping[int, Rise]
    fallen: frozenset[int]


def read_scores(
    known: Known, query: Query, view: View, terms: TaskTerms, matches: Mapping[int, TextMatch], docs: Sequence[int]
) -> tuple[Scores, list[Lines]]:
    """Score how well documents agree with the task: log odds up to a constant, shape (docs,), and what was read.

    A file is read once for a question: what is in `known` is not read again. All scores are 0 where a task has too few
    words for the reader or too many, and where a text or the caller says that the codebase has another word for one of
    them, which the reader cannot know. Raises `ModelError`.
    """
    task = task_words(query)
    renamed = any(pair.certainty == "sure" and pair.stated for pair in query.terminology)
    long = len(query.own) > _MOST_KEYWORDS
    if long or renamed or sum(word.isascii() for word in task) < _LEAST_WORDS:
        return np.zeros(len(docs)), [()] * len(docs)
    new = [doc for doc in docs if (task, doc) not in known]
    vector = view.dense_scores(query.own, query).vector
    found = [digest(view, doc, matches.get(doc, TextMatch()), terms.weights, vector) for doc in new]
    scores = reader().scores(task, [one.words for one in found]).tolist()
    for doc, one, score in zip(new, found, scores, strict=True):
        known[task, doc] = round(score, _DIGITS), _read_of(one)
    read = [known[task, doc] for doc in docs]
    return np.array([score for score, _ in read], np.float64), [lines for _, lines in read]


def task_words(query: Query) -> tuple[str, ...]:
    """Return the words of a task that the reader sees, at most."""
    return tuple(words_of(query.text[:_TASK_CHARS])[:TASK_PIECES])


def _read_of(one: Digest) -> Lines:
    """Return the windows of which the reader sees a word."""
    seen = reader().vocabulary.fitting(one.words, FILE_PIECES)
    return tuple(lines for lines, at in zip(one.lines, one.starts, strict=True) if at < seen)


def rescore(scores: Scores, may: NDArray[np.bool_], read: Callable[[Rows], tuple[Scores, Sequence[Lines]]]) -> Rescored:
    """Add to the scores of the best files that `may` be read, shape (files,), what `read` says of them, by rows."""
    best = np.flatnonzero(may)
    best = best[np.argsort(-scores[best], kind="stable")[:BEST]]
    best = best[scores[best] >= scores[best[:1]] - REACH]
    if len(best) < 2:
        return Rescored(scores, {}, frozenset())
    said, lines = read(best)
    added = WEIGHT * np.clip(said - said.mean(), -_MOST, _MOST)
    added -= _LESS * added.max()
    out = scores.copy()
    out[best] += added
    place = np.argsort(np.argsort(-out[best], kind="stable"), kind="stable")
    rows = range(len(best))
    risen = {int(best[i]): Rise(max(0, i - int(place[i])), lines[i]) for i in rows if added[i] > 0}
    return Rescored(out, risen, frozenset(best[added < 0].tolist()))
