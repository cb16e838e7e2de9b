"""Which lines of a file matter: its pieces, ranked by what they say of the task beside the rest of the file.

What made the file relevant (the name of its class, say) stands everywhere in it and tells its pieces apart no more; so
a term counts by how few pieces of the file say it, beside what it is weights in the task.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from zeroin.evaluate.dense_passage import nearest_lines
from zeroin.evaluate.passages import Line, TextMatch, lines_of
from zeroin.evaluate.spans.candidates import SpanCandidate, is_comment, span_candidates, top_of
from zeroin.evaluate.spans.named import Named, named_in, peaks_of
from zeroin.evaluate.task_terms import TaskTerms
from zeroin.index.locate import locate
from zeroin.index.view import View
from zeroin.terms import analyse_word
from zeroin.tree import Definition
from zeroin.types import Query, Role, Span

MAX_SPANS = 8
_ENOUGH = 2  # fewer spans leave room for what is near in meaning
_WHOLE_LINES = 30  # a definition of at most so many lines is shown whole …
_OVERLAP = 0.6  # … if this share of the piece lies in it
_NEAR = 3  # lines between neighbours, at most
_LINK_SHARE = 0.3  # what an import says is elsewhere
_K1, _B = 1.2, 0.5  # BM25 (Robertson & Zaragoza 2009) over pieces: they are of a size, so length matters less
_MAX_WORDS = 5
_SECOND = 0.9  # score of the best piece beside a definition that the task names

# What ranks a piece: a sum, fitted to the lines that changes edit (docs/QUALITY.md, "Lines").
WEIGHTS = {
    "said": 0.17,  # BM25 of the task's terms over the file's pieces, by what a term is weights
    "title": 0.16,  # the same of the title's terms
    "share": 0.65,  # the same with all terms alike, as a share of the best piece
    "name": 1.0,  # share of the name of a definition of the piece that the task's terms make up
    "before": 0.8,  # what the piece before says, as a share of what the best says
    "after": 0.15,
    "comment": -0.85,  # share of lines that are comments
    "named": 0.7,  # weight of a definition of the piece as a symbol of the task
    # By hand, since messages of changes hold neither:
    "frame": 4.0,  # a line of a trace is in it
    "quoted": 4.0,  # text that the task quotes is in it
    "size": -0.4,  # ln(lines): what is short says it at less cost
}


@dataclass(frozen=True, slots=True)
class _File:
    """One file as spans see it: its lines, those that match, and what the task names of it."""

    lines: Sequence[str]
    matched: Mapping[int, Line]  # in line order
    named: Mapping[str, float]  # symbols of the task, by weight
    frames: frozenset[int]  # lines that a trace names
    quoted: int  # the line that holds what the task quotes; 0 for none
    terms: TaskTerms
    prose: bool = False  # where what looks like a comment is a heading or an item


class Spans:
    """Spans of the documents of one repository, kept while neither the task's words nor what it names have changed."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._definitions: dict[int, tuple[Definition, ...]] = {}
        self._kept: dict[int, tuple[_Asked, tuple[Span, ...]]] = {}

    def of(self, query: Query, doc: int, passages: TextMatch, terms: TaskTerms) -> tuple[Span, ...]:
        """Spans of a document, best first, at most `MAX_SPANS`, none overlapping; the best has score 1, others less.

        Empty if nothing in the file matches and the task names nothing of it.
        """
        view = self._view
        definitions = self._definitions.get(doc)
        if definitions is None:
            definitions = self._definitions[doc] = tuple(view.snapshot.symbols.of_document(doc))
        frames = {m.line for m in query.paths if m.line and any(d == doc for d, _ in locate(view, m))}
        held = view.quote_matches(query.quotations).by_doc.get(doc)
        quoted = held.line if held is not None else 0
        asked = _Asked(passages, terms, named_in(query, definitions), frozenset(frames), quoted)
        kept = self._kept.get(doc)
        if kept is None or not kept[0].same_as(asked):
            kept = self._kept[doc] = (asked, _spans(asked, definitions, doc, view))
        return kept[1] if len(kept[1]) >= _ENOUGH else _with_nearest(kept[1], query, doc, view)


def _with_nearest(spans: tuple[Span, ...], query: Query, doc: int, view: View) -> tuple[Span, ...]:
    """Where next to nothing matches word by word: the passage that is nearest in meaning as well."""
    lines = nearest_lines(query, view, doc)
    if lines is None or any(span.start <= lines[1] and lines[0] <= span.end for span in spans):
        return spans
    return (*spans, Span(*lines, "", "near in meaning", 0.5 if spans else 1.0))


@dataclass(frozen=True, slots=True)
class _Asked:
    """All that the spans of a document depend on, beside the document."""

    passages: TextMatch
    terms: TaskTerms
    named: Named  # definitions of the file that the task names
    frames: frozenset[int]
    quoted: int = 0

    def same_as(self, other: _Asked) -> bool:
        mine, theirs = self.terms, other.terms
        return (
            self.passages is other.passages
            and (self.named, self.frames, self.quoted) == (other.named, other.frames, other.quoted)
            and (mine.weights, mine.title) == (theirs.weights, theirs.title)
        )


def _spans(asked: _Asked, definitions: Sequence[Definition], doc: int, view: View) -> tuple[Span, ...]:
    passages, named, frames = asked.passages, asked.named.weights, asked.frames
    known = {d.start for d in definitions if d.name in named}
    quoted = {asked.quoted} if asked.quoted else set()
    if not (passages.lines or known or frames or quoted):
        return ()
    lines = lines_of(view.text(doc))[: int(view.snapshot.lines[doc]) or 1]
    wanted = {
        n for n in (*(line.number for line in passages.lines), *known, *frames, *quoted) if n <= len(lines)
    }
    matched = {line.number: line for line in passages.lines if line.number in wanted}
    prose = view.snapshot.role(doc) is Role.DOC
    file = _File(lines, matched, named, frames, asked.quoted, asked.terms, prose)
    pieces, count = span_candidates(lines, definitions, wanted)
    first = _whole(asked.named.definitions, file)
    return _shown(pieces, measure(pieces, count, file), file, first)


def _whole(definitions: Iterable[Definition], file: _File) -> list[Span]:
    """What the task names, each with the comment above it."""
    out: list[Span] = []
    for definition in definitions:
        read = definition.start <= len(file.lines)  # of a very long file only the beginning is
        end = min(definition.end, len(file.lines)) if read else definition.end
        start = top_of(definition, file.lines) if read else definition.start
        if any(start <= span.end and span.start <= end for span in out):
            continue
        peaks = peaks_of(definition, file.matched, file.terms.weights)
        out.append(Span(start, end, _label(definition), "named by the task", 1.0, True, peaks))
    return out


def measure(pieces: Sequence[SpanCandidate], count: int, file: _File) -> list[dict[str, float]]:
    """Features of every piece, named as in `WEIGHTS`; the whole file has `count` pieces."""
    weights, title = file.terms.weights, file.terms.title
    most = max(weights.values(), default=1.0)
    bags = _bags(pieces, file.matched)
    held = Counter(term for bag in bags for term in bag)
    rare = {term: math.log1p((count - df + 0.5) / (df + 0.5)) for term, df in held.items()}
    tell = {term: rare[term] * math.sqrt(weights[term] / most) for term in held}
    mean = sum(piece.size for piece in pieces) / max(1, len(pieces))
    names: dict[str, float] = {}
    out: list[dict[str, float]] = []
    for piece, bag in zip(pieces, bags, strict=True):
        said = in_title = alike = 0.0
        norm = _K1 * (1 - _B + _B * piece.size / mean)
        for term, often in bag.items():
            saturated = often * (_K1 + 1) / (often + norm)
            alike += rare[term] * saturated
            said += tell[term] * saturated
            if term in title:
                in_title += tell[term] * saturated
        own = {d.name for d in (*piece.inside, *piece.around[-1:])}
        for name in own - names.keys():
            terms = set(analyse_word(name))
            names[name] = len(terms & weights.keys()) / max(1, len(terms))
        comments = 0 if file.prose else sum(map(is_comment, file.lines[piece.start - 1 : piece.end]))
        out.append(
            {
                "said": said,
                "title": in_title,
                "share": alike,
                "name": max([names[name] for name in own], default=0.0),
                "before": 0.0,
                "after": 0.0,
                "comment": comments / piece.size,
                "named": max([file.named.get(name, 0.0) for name in own], default=0.0),
                "frame": float(any(piece.start <= n <= piece.end for n in file.frames)),
                "quoted": float(piece.start <= file.quoted <= piece.end),
                "size": math.log(piece.size),
            }
        )
    _compare(out, pieces)
    return out


def _compare(rows: Sequence[dict[str, float]], pieces: Sequence[SpanCandidate]) -> None:
    """Sets what only the other pieces tell: the share of the best, and what stands before and after."""
    best = max((row["said"] for row in rows), default=0.0) or 1.0
    most = max((row["share"] for row in rows), default=0.0) or 1.0
    for row in rows:
        row["share"] /= most
    for i in range(1, len(rows)):
        if pieces[i].start - pieces[i - 1].end <= _NEAR:
            rows[i]["before"] = rows[i - 1]["said"] / best
            rows[i - 1]["after"] = rows[i]["said"] / best


def _bags(pieces: Sequence[SpanCandidate], matched: Mapping[int, Line]) -> list[dict[str, float]]:
    """How often each piece says each term of the task; matched lines are in order, and so are pieces."""
    out: list[dict[str, float]] = []
    lines = iter(matched.values())
    line = next(lines, None)
    for piece in pieces:
        bag: dict[str, float] = defaultdict(float)
        while line is not None and line.number <= piece.end:
            if line.number >= piece.start:
                for term, share in line.hits.items():
                    bag[term] += share * (_LINK_SHARE if line.links else 1.0)
            line = next(lines, None)
        out.append(bag)
    return out


def _shown(
    pieces: Sequence[SpanCandidate], rows: Sequence[Mapping[str, float]], file: _File, first: Sequence[Span]
) -> tuple[Span, ...]:
    """What is shown `first`, then the best pieces, each grown to its small definition and cut down to what is new."""
    scores = [sum(weight * row[name] for name, weight in WEIGHTS.items()) for row in rows]
    best = max(scores, default=0.0)
    out = list(first)
    shown = {number for span in first for number in range(span.start, span.end + 1)}
    most = _SECOND if first else 1.0
    for i in sorted(range(len(pieces)), key=lambda i: (-scores[i], pieces[i].start)):
        piece = pieces[i]
        holder = _holder(piece)
        start = min(piece.start, holder.start) if holder else piece.start
        end = min(max(piece.end, holder.end), len(file.lines)) if holder else piece.end
        while start <= end and start in shown:
            start += 1
        while start <= end and end in shown:
            end -= 1
        why = _why(start, end, piece, file)
        if not why and (rows[i]["before"] or rows[i]["after"]):
            why = "beside lines that match"
        if not why or start > end or any(n in shown for n in range(start, end + 1)):
            continue
        shown.update(range(start, end + 1))
        out.append(Span(start, end, _label(holder or _heart(piece)), why, most * math.exp(scores[i] - best)))
        if len(out) == MAX_SPANS:
            break
    return tuple(out)


def _holder(piece: SpanCandidate) -> Definition | None:
    """The largest definition of a readable size that most of the piece lies in."""
    whole = [
        d
        for d in piece.around
        if d.end - d.start < _WHOLE_LINES
        and min(d.end, piece.end) - max(d.start, piece.start) + 1 >= _OVERLAP * piece.size
    ]
    return max(whole, key=lambda d: d.end - d.start, default=None)


def _heart(piece: SpanCandidate) -> Definition | None:
    """What a piece is named after: what makes up half of it, else what is around it."""
    largest = max(piece.inside, key=lambda d: (d.end - d.start, -d.start), default=None)
    if largest is not None and (2 * (largest.end - largest.start + 1) >= piece.size or not piece.around):
        return largest
    return piece.around[-1] if piece.around else None


def _label(definition: Definition | None) -> str:
    if definition is None:
        return ""
    return f"{definition.parent}.{definition.name}" if definition.parent else definition.name


def _why(start: int, end: int, piece: SpanCandidate, file: _File) -> str:
    """What a span is shown for: a frame, a name, words on its lines; "" if none of them."""
    if any(start <= n <= end for n in file.frames):
        return "in the trace"
    if start <= file.quoted <= end:
        return "holds the quoted text"
    if any(d.name in file.named and start <= d.start <= end for d in (*piece.inside, *piece.around)):
        return "named by the task"
    said: Counter[str] = Counter()
    for number in range(start, end + 1):
        if number in file.matched:
            said.update(file.matched[number].words)
    weights = file.terms.weights
    value = {word: max((weights.get(t, 0.0) for t in analyse_word(word)), default=0.0) for word in said}
    words = sorted(said, key=lambda word: (-value[word], -said[word], word))
    return "matches " + ", ".join(words[:_MAX_WORDS]) if words else ""
