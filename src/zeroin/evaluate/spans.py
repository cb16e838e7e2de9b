"""Which lines of a file matter: its pieces, ranked by what they say of the task beside the rest of the file.

What made the file relevant (the name of its class, say) stands everywhere in it and tells its pieces apart no more; so
a term counts by how few pieces of the file say it, beside what it is worth in the task.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zeroin.evaluate.information import Information
from zeroin.evaluate.passages import Line, Passages, Words
from zeroin.evaluate.pieces import Piece, is_comment, pieces_of
from zeroin.index.locate import locate
from zeroin.index.view import View
from zeroin.terms import analyse_word
from zeroin.types import Definition, Query, Span

MAX_SPANS = 8
_WHOLE_LINES = 30  # a definition of at most so many lines is shown whole
_OVERLAP = 0.6  # of a piece that must lie in it for that
_NEAR = 3  # lines between neighbours, at most
_LINK_SHARE = 0.3  # what an import says is elsewhere
_K1, _B = 1.2, 0.5  # BM25 (Robertson & Zaragoza 2009) over pieces; they are of a size, so length matters less
_MAX_WORDS = 5

# What a piece is ranked by: a sum, fitted to the lines that changes edit (docs/QUALITY.md, "Lines").
WEIGHTS = {
    "said": 0.10,
    "title": 0.10,
    "share": 0.5,
    "name": 0.3,
    "parent": 0.3,
    "before": 0.8,
    "after": 0.2,
    "comment": -0.8,
    "named": 0.5,
    "frame": 3.0,
    "size": -0.3,
}


@dataclass(frozen=True, slots=True)
class _Task:
    """What spans look for, apart from terms: symbols by weight, and lines of this file that a trace names."""

    named: Mapping[str, float]
    frames: frozenset[int]


def spans_of(
    query: Query, doc: int, passages: Passages, information: Information, words: Words | None, view: View
) -> tuple[Span, ...]:
    """Spans of a document, best first, at most `MAX_SPANS`, none overlapping; scores in 0–1 beside the best."""
    definitions = tuple(view.snapshot.symbols.of_document(doc))
    named: dict[str, float] = {}
    for mention in query.symbols:
        name = mention.name.rpartition(".")[2].rpartition("::")[2].strip("()")
        named[name] = max(mention.weight, named.get(name, 0.0))
    frames = frozenset(
        m.line for m in query.paths if m.line is not None and any(d == doc for d, _ in locate(view, m))
    )
    known = [d for d in definitions if d.name in named]
    if not (passages.lines or known or frames):
        return ()
    text = words or Words.of(view.text(doc))
    last = min(len(text.lines), int(view.snapshot.lines[doc]) or 1)
    matched = {line.number: line for line in passages.lines if line.number <= last}
    wanted = {*matched, *(d.start for d in known if d.start <= last), *(n for n in frames if n <= last)}
    pieces, count = pieces_of(text.lines[:last], definitions, wanted)
    ranked = _ranked(pieces, count, matched, text, information, _Task(named, frames))
    return _shown(ranked, matched, information, _Task(named, frames), last)


def measure(
    pieces: Sequence[Piece],
    count: int,
    matched: Mapping[int, Line],
    text: Words,
    information: Information,
    task: _Task,
) -> list[dict[str, float]]:
    """Features of every piece, named as in `WEIGHTS`; `count` pieces has the whole file."""
    most = max(information.worth.values(), default=1.0)
    bags = [_bag(piece, matched) for piece in pieces]
    held = Counter(term for bag in bags for term in bag)
    rare = {term: math.log1p((count - df + 0.5) / (df + 0.5)) for term, df in held.items()}
    tell = {term: rare[term] * math.sqrt(information.worth[term] / most) for term in held}
    mean = (sum(piece.size for piece in pieces) / len(pieces)) if pieces else 1.0
    names = _Names(information)
    out: list[dict[str, float]] = []
    for piece, bag in zip(pieces, bags, strict=True):
        said = title = plain = 0.0
        norm = _K1 * (1 - _B + _B * piece.size / mean)
        for term, often in bag.items():
            saturated = often * (_K1 + 1) / (often + norm)
            plain += rare[term] * saturated
            said += tell[term] * saturated
            if term in information.title:
                title += tell[term] * saturated
        own = (*piece.inside, *piece.around[-1:])
        comments = [line for line in text.lines[piece.start - 1 : piece.end] if is_comment(line)]
        out.append(
            {
                "said": said,
                "title": title,
                "share": plain,
                "name": max([names.share(d.name) for d in own], default=0.0),
                "parent": max([names.share(d.name) for d in piece.around[:-1]], default=0.0),
                "comment": len(comments) / piece.size,
                "named": max([task.named.get(d.name, 0.0) for d in own], default=0.0),
                "frame": float(any(piece.start <= n <= piece.end for n in task.frames)),
                "size": math.log(piece.size),
            }
        )
    return _beside(out, pieces)


def _beside(rows: list[dict[str, float]], pieces: Sequence[Piece]) -> list[dict[str, float]]:
    """Adds what only the other pieces tell: the share of the best, and what stands before and after."""
    best = max((row["said"] for row in rows), default=0.0) or 1.0
    most = max((row["share"] for row in rows), default=0.0) or 1.0
    for row in rows:
        row["share"] /= most
        row["before"] = row["after"] = 0.0
    for i in range(1, len(rows)):
        if pieces[i].start - pieces[i - 1].end <= _NEAR:
            rows[i]["before"] = rows[i - 1]["said"] / best
            rows[i - 1]["after"] = rows[i]["said"] / best
    return rows


class _Names:
    """How far names consist of the task's terms."""

    def __init__(self, information: Information) -> None:
        self._worth = information.worth
        self._known: dict[str, float] = {}

    def share(self, name: str) -> float:
        found = self._known.get(name)
        if found is None:
            terms = set(analyse_word(name))
            found = self._known[name] = len(terms & self._worth.keys()) / len(terms) if terms else 0.0
        return found


def _bag(piece: Piece, matched: Mapping[int, Line]) -> dict[str, float]:
    """How often a piece says each term of the task."""
    out: dict[str, float] = defaultdict(float)
    for number in range(piece.start, piece.end + 1):
        line = matched.get(number)
        if line is not None:
            for term, share in line.hits.items():
                out[term] += share * (_LINK_SHARE if line.links else 1.0)
    return out


def _ranked(
    pieces: Sequence[Piece],
    count: int,
    matched: Mapping[int, Line],
    text: Words,
    information: Information,
    task: _Task,
) -> list[tuple[float, Piece]]:
    rows = measure(pieces, count, matched, text, information, task)
    scores = [sum(weight * row[name] for name, weight in WEIGHTS.items()) for row in rows]
    return sorted(zip(scores, pieces, strict=True), key=lambda pair: (-pair[0], pair[1].start))


def _shown(
    ranked: Sequence[tuple[float, Piece]],
    matched: Mapping[int, Line],
    information: Information,
    task: _Task,
    last: int,
) -> tuple[Span, ...]:
    """The best pieces, each grown to its small definition and cut down to what no better one shows."""
    out: list[Span] = []
    shown: set[int] = set()
    for score, piece in ranked:
        holder = _holder(piece)
        start, end = piece.start, piece.end
        if holder is not None:
            start, end = min(start, holder.start), min(max(end, holder.end), last)
        while start <= end and start in shown:
            start += 1
        while start <= end and end in shown:
            end -= 1
        new = [n for n in range(start, end + 1) if n not in shown]
        if not new or new[-1] - new[0] + 1 != len(new):
            continue
        label = holder or _heart(piece)
        why = _why(start, end, piece, matched, information, task)
        if not why:
            continue
        shown.update(new)
        out.append(Span(start, end, _label(label) if label else "", why, math.exp(score - ranked[0][0])))
        if len(out) == MAX_SPANS:
            break
    return tuple(out)


def _holder(piece: Piece) -> Definition | None:
    """The largest definition of a readable size that most of the piece lies in."""
    whole = [
        d
        for d in piece.around
        if d.end - d.start < _WHOLE_LINES
        and min(d.end, piece.end) - max(d.start, piece.start) + 1 >= _OVERLAP * piece.size
    ]
    return max(whole, key=lambda d: d.end - d.start, default=None)


def _heart(piece: Piece) -> Definition | None:
    """What a piece is named after: what makes up half of it, else what is around it."""
    largest = max(piece.inside, key=lambda d: (d.end - d.start, -d.start), default=None)
    if largest is not None and (2 * (largest.end - largest.start + 1) >= piece.size or not piece.around):
        return largest
    return piece.around[-1] if piece.around else None


def _label(definition: Definition) -> str:
    return f"{definition.parent}.{definition.name}" if definition.parent else definition.name


def _why(
    start: int, end: int, piece: Piece, matched: Mapping[int, Line], information: Information, task: _Task
) -> str:
    """What a span is shown for, if it is anything: a frame, a name, words on its lines."""
    if any(start <= n <= end for n in task.frames):
        return "in the trace"
    if any(d.name in task.named and start <= d.start <= end for d in (*piece.inside, *piece.around)):
        return "named by the task"
    said: Counter[str] = Counter()
    for number in range(start, end + 1):
        if number in matched:
            said.update(matched[number].words)
    worth = {word: sum(information.worth.get(t, 0.0) for t in set(analyse_word(word))) for word in said}
    words = sorted(said, key=lambda word: (-worth[word], -said[word], word))
    return "matches " + ", ".join(words[:_MAX_WORDS]) if words else ""
