"""Which lines of a file an answer shows: its span candidates, ranked by what they match beside the rest of the file.

What made the file relevant (the name of its class, say) stands everywhere in it and does not tell its parts apart. So a
term counts by how few candidates of the file hold it, beside its weight in the task. The lines that matter may say no
word of the task, so the passages nearest to it by the encoder are candidates, too.
"""

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from zeroin.evaluate.deferred import Deferred
from zeroin.evaluate.dense_passage import nearest_lines, nearness
from zeroin.evaluate.passages import LINK_SHARE, Line, TextMatch, lines_of
from zeroin.evaluate.spans.candidates import COMMENT_LINE, SpanCandidate, filled, label_of, span_candidates, top_of
from zeroin.evaluate.spans.named import CALLABLE, named_in
from zeroin.evaluate.task_terms import TaskTerms
from zeroin.index.locate import locate
from zeroin.index.view import View
from zeroin.patterns import lazy_pattern
from zeroin.terms import analyse_word
from zeroin.tree import Definition, runs_of
from zeroin.types import Query, Reason, Role, Span

MAX_SPANS = 7
_NEAREST = 6  # passages nearest to the task, whose lines are candidates even without a match
_WHOLE_LINES = 30  # a definition of at most so many lines is shown whole …
_OVERLAP = 0.6  # … if this share of the candidate lies in it
_BEGUN_LINES = 40  # a function of at most so many lines is shown to its end if its first line is
_NEAR = 3  # lines between neighbours, at most
_K1, _B = 1.2, 0.5  # BM25 (Robertson & Zaragoza 2009); candidates are of a size, so length matters less
_MAX_WORDS = 5
_MAX_PEAKS = 40
_SECOND = 0.9  # score of the best candidate beside a definition that the task names, and of cited lines
_CITED = lazy_pattern(r"lines? (\d{1,9})(?:-(\d{1,9}))?")  # the beginning of a reason that is about lines

# Score = Σ weight · feature of a candidate, fitted to the lines that changes edit and to definitions that tasks were
# written for (benchmarks/NOTES.md, 2026-11-25).
WEIGHTS = {
    "bm25": 0.4,  # of the task's terms over the file's candidates, times √(term weight / heaviest)
    "before": 0.35,  # bm25 of the candidate just before, share of the best
    "comment": -1.3,  # share of lines that are comments
    "named": 1.5,  # weight of a definition as a symbol of the task
    "near": 1.0,  # cosine of its lines with the task, by the encoder
    "around": 4.5,  # the same of the function around it
    "function": 0.4,  # holds a function or lies in one
    "begins": 0.7,  # holds the first line of a function
    # By hand, since those tasks hold neither:
    "frame": 4.0,  # holds a line of a trace
    "quoted": 4.0,  # holds text that the task quotes
    "size": -0.4,  # ln(lines): a shorter span costs less of the budget
}


class File(NamedTuple):
    """One file: its lines, those that match, and what the task names of it."""

    lines: Sequence[str]
    matched: Mapping[int, Line]  # in line order
    named: Mapping[str, float]  # symbols of the task, by weight
    frames: Set[int]  # lines that a trace names
    quoted: Set[int]  # the line that holds what the task quotes, or uses the constant that does
    terms: TaskTerms
    prose: bool  # what looks like a comment is a heading or an item
    near: Callable[[Sequence[tuple[int, int]]], Iterable[float]]  # how near some stretches are to the task
    uses: bool = False  # a constant that holds the quoted text


def spans_of(view: View, query: Query, doc: int, match: TextMatch, terms: TaskTerms) -> tuple[Span, ...]:
    """Choose the spans of a document, best first, at most `MAX_SPANS`, none overlapping; scores in 0–1.

    Empty if nothing in the file matches or is near, and the task names nothing of it.
    """
    definitions = tuple(view.snapshot.symbols.of_document(doc))
    named = named_in(query, definitions)
    known = {d.start for d in definitions if d.name in named.weights}
    frames = {m.line for m in query.paths if m.line and any(d == doc for d, _ in locate(view, m))}
    quote = view.quote_matches(query.quotations).by_doc.get(doc)
    quoted = {quote.line} if quote is not None and quote.line else set()
    wanted = {line.number for line in match.lines} | known | frames | quoted
    nearest = nearest_lines(query, view, doc, _NEAREST)
    if not wanted and not nearest:
        return ()
    lines = lines_of(view.text(doc))[: int(view.snapshot.lines[doc]) or 1]
    wanted = {n for n in wanted if n <= len(lines)}
    matched = {line.number: line for line in match.lines if line.number in wanted}
    prose = view.snapshot.role(doc) is Role.DOC
    near = partial(nearness, query, view, doc)
    uses = quote is not None and bool(quote.through)
    file = File(lines, matched, named.weights, frames, quoted, terms, prose, near, uses)
    near_to_task = (n for start, end in nearest for n in range(start, min(end, len(lines)) + 1))
    filled = {n for n in near_to_task if lines[n - 1].strip()}
    candidates, count = span_candidates(lines, definitions, wanted | filled)
    return _shown(candidates, features_of(candidates, count, file), file, _whole(named.definitions, file))


class KeptSpans:
    """Spans by document, kept with the inputs that they were computed from; shared by judging and annotating."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[TextMatch, object, Sequence[Span]]] = {}

    def of(self, view: View, query: Query, doc: int, match: TextMatch, terms: TaskTerms) -> Sequence[Span]:
        """Return the spans of a document (`spans_of`), the kept ones if their inputs are the same."""
        named = (query.symbols, query.paths, query.quotations)
        asked = (named, query.own, query.relevant, query.irrelevant, terms.weights, terms.title)
        known = self._kept.get(doc)
        if known is not None and known[0] is match and known[1] == asked:
            return known[2]
        spans: Sequence[Span] = Deferred(partial(spans_of, view, query, doc, match, terms))
        self._kept[doc] = match, asked, spans
        return spans


def _whole(definitions: Iterable[Definition], file: File) -> list[Span]:
    """Make a span of each definition that the task names, with the comment above it."""
    out: list[Span] = []
    for definition in definitions:
        read = definition.start <= len(file.lines)  # of a very long file only the beginning is
        end = min(definition.end, len(file.lines)) if read else definition.end
        start = top_of(definition, file.lines) if read else definition.start
        if any(start <= span.end and span.start <= end for span in out):
            continue
        inside = [n for n in file.matched if definition.start <= n <= definition.end]
        peaks = sorted(inside, key=lambda n: (-file.matched[n].value(file.terms.weights), n))[:_MAX_PEAKS]
        out.append(Span(start, end, label_of(definition), "named by the task", 1.0, True, tuple(peaks)))
    return out


def features_of(candidates: Sequence[SpanCandidate], count: int, file: File) -> list[dict[str, float]]:
    """Compute the features of every candidate, named as in `WEIGHTS`; the whole file has `count` candidates."""
    weights = file.terms.weights
    most = max(weights.values(), default=1.0)
    bags = _bags(candidates, file.matched)
    found = Counter(term for bag in bags for term in bag)
    value = {
        term: math.log1p((count - df + 0.5) / (df + 0.5)) * math.sqrt(weights[term] / most)
        for term, df in found.items()
    }
    mean = sum(one.size for one in candidates) / max(1, len(candidates))
    owned = [{d.name for d in (*one.inside, *one.around[-1:])} for one in candidates]
    functions = [_function(one) for one in candidates]
    cuts = [(one.start, one.end) for one in candidates]
    cuts += [(d.start, min(d.end, len(file.lines))) for d in dict.fromkeys(functions) if d is not None]
    near = dict(zip(cuts, map(float, file.near(cuts)), strict=True))
    out: list[dict[str, float]] = []
    for one, bag, own, function in zip(candidates, bags, owned, functions, strict=True):
        norm = _K1 * (1 - _B + _B * one.size / mean)
        row = dict.fromkeys(WEIGHTS, 0.0)
        row["bm25"] = sum(value[term] * often * (_K1 + 1) / (often + norm) for term, often in bag.items())
        row["named"] = max([file.named.get(name, 0.0) for name in own], default=0.0)
        if not file.prose:
            comments = filter(COMMENT_LINE.match, file.lines[one.start - 1 : one.end])
            row["comment"] = len(list(comments)) / one.size
        row["frame"] = float(any(one.start <= n <= one.end for n in file.frames))
        row["quoted"] = float(any(one.start <= n <= one.end for n in file.quoted))
        row["size"] = math.log(one.size)
        row["near"] = row["around"] = near[one.start, one.end]
        if function is not None:
            row["around"] = near[function.start, min(function.end, len(file.lines))]
        inner = [d for d in (*one.inside, *one.around) if d.kind in CALLABLE]
        row["function"] = float(bool(inner))
        row["begins"] = float(any(d.start >= one.start for d in inner))
        out.append(row)
    best = max((row["bm25"] for row in out), default=0.0) or 1.0
    for (one, row), (following, after) in pairwise(zip(candidates, out, strict=True)):
        if following.start - one.end <= _NEAR:
            after["before"] = row["bm25"] / best
    return out


def _bags(candidates: Sequence[SpanCandidate], matched: Mapping[int, Line]) -> list[dict[str, float]]:
    """Count how often each candidate holds each term of the task."""
    out: list[dict[str, float]] = []
    numbers = list(matched)
    for one in candidates:
        bag: dict[str, float] = {}
        inside = numbers[bisect_left(numbers, one.start) : bisect_right(numbers, one.end)]
        for line in (matched[n] for n in inside):
            for term, share in line.hits.items():
                bag[term] = bag.get(term, 0.0) + share * (LINK_SHARE if line.links else 1.0)
        out.append(bag)
    return out


def _shown(
    candidates: Sequence[SpanCandidate], rows: Sequence[Mapping[str, float]], file: File, first: list[Span]
) -> tuple[Span, ...]:
    """Add the best candidates to `first`, each grown to its small definition, without lines shown already."""
    scores = [sum(weight * row[name] for name, weight in WEIGHTS.items()) for row in rows]
    best, most = max(scores, default=0.0), _SECOND if first else 1.0
    out = list(first)
    shown = {number for span in first for number in range(span.start, span.end + 1)}
    for i in sorted(range(len(candidates)), key=lambda i: (-scores[i], candidates[i].start)):
        one = candidates[i]
        holder = _holder(one)
        lines = range(one.start, one.end + 1)
        if holder is not None:
            lines = range(min(one.start, holder.start), min(max(one.end, holder.end), len(file.lines)) + 1)
        new = [n for n in lines if n not in shown]
        if not new or new[-1] - new[0] >= len(new):
            continue
        why = _why(new, one, file)
        if not why and (rows[i]["before"] or rows[i]["near"] > 0):
            why = "beside lines that match" if rows[i]["before"] else "similar to the task"
        if why:
            shown.update(new)
            label = label_of(holder or _heart(one))
            out.append(Span(new[0], new[-1], label, why, most * math.exp(scores[i] - best)))
            if len(out) == MAX_SPANS:
                break
    return tuple(_trimmed(completed(out, candidates, len(file.lines)), file.lines))


def completed(spans: Sequence[Span], candidates: Iterable[SpanCandidate], last_line: int) -> list[Span]:
    """Grow a span that breaks off within a short function which it begins, up to the end or to the next span."""
    functions = {d for one in candidates for d in (*one.inside, *one.around) if d.kind in CALLABLE}
    starts = sorted(span.start for span in spans)
    out = []
    for span in spans:
        ends = [d.end for d in functions if span.start <= d.start <= span.end < d.end < d.start + _BEGUN_LINES]
        following = bisect_right(starts, span.end)
        room = starts[following] - 1 if following < len(starts) else last_line
        out.append(replace(span, end=max(span.end, min(max(ends, default=span.end), room))))
    return out


def _trimmed(spans: Sequence[Span], lines: Sequence[str]) -> Iterator[Span]:
    """Leave out blank lines at the ends of spans, except between two that touch: they are shown as one."""
    starts, ends = {span.start for span in spans}, {span.end for span in spans}
    for span in spans:
        if span.whole:
            yield span
            continue
        start, end = filled(lines, span.start, span.end)
        start = span.start if span.start - 1 in ends else start
        end = span.end if span.end + 1 in starts else end
        yield replace(span, start=start, end=end) if start <= end else span


def _holder(candidate: SpanCandidate) -> Definition | None:
    """Find the largest definition of a readable size that most of the candidate lies in."""
    whole = [
        d
        for d in candidate.around
        if d.end - d.start < _WHOLE_LINES
        and min(d.end, candidate.end) - max(d.start, candidate.start) + 1 >= _OVERLAP * candidate.size
    ]
    return max(whole, key=lambda d: d.end - d.start, default=None)


def _function(candidate: SpanCandidate) -> Definition | None:
    """Find the innermost function around a candidate, else the definition that it is shown with."""
    around = [d for d in candidate.around if d.kind in CALLABLE]
    return around[-1] if around else _holder(candidate)


def _heart(candidate: SpanCandidate) -> Definition | None:
    """Find the definition that labels a candidate: the largest inside if it is half of it, else the one around."""
    inside, around = candidate.inside, candidate.around
    largest = max(inside, key=lambda d: (d.end - d.start, -d.start), default=None)
    if largest is not None and (2 * (largest.end - largest.start + 1) >= candidate.size or not around):
        return largest
    return around[-1] if around else None


def _why(lines: Sequence[int], candidate: SpanCandidate, file: File) -> str:
    """Give the reason to show a span: a frame, a name, words on its lines; "" if none of them."""
    if not file.frames.isdisjoint(lines):
        return "in the trace"
    if not file.quoted.isdisjoint(lines):
        return "uses the quoted text" if file.uses else "holds the quoted text"
    if any(d.name in file.named and d.start in lines for d in (*candidate.inside, *candidate.around)):
        return "named by the task"
    best = telling_words([file.matched[n] for n in lines if n in file.matched], file.terms)
    return f"matches {', '.join(best)}" if best else ""


def telling_words(lines: Sequence[Line], terms: TaskTerms) -> list[str]:
    """Return the words of some lines that match the task, those of most weight first, at most five.

    Of forms of one word (`Close`, `_closed`) the one that is said most stands for all.
    """
    words = Counter(word for line in lines for word in line.words)
    value = {w: max((terms.weights.get(t, 0.0) for t in analyse_word(w)), default=0.0) for w in words}
    forms: dict[tuple[str, ...], str] = {}
    for word in sorted(words, key=lambda w: (-value[w], -words[w], w)):
        forms.setdefault(analyse_word(word), word)
    return list(forms.values())[:_MAX_WORDS]


def with_cited(spans: Sequence[Span], reasons: Sequence[Reason], path: str, last_line: int) -> tuple[Span, ...]:
    """Return the spans with every line of a file that its main reason cites: a reader looks for them there.

    The span beside a missing line is grown, else one is added; where there are `MAX_SPANS`, instead of the last.
    """
    text, evidence = (reasons[0].text, reasons[0].evidence) if reasons else ("", ())
    about = _CITED.match(text)
    cited = {e.line for e in evidence if e.path == path and e.line and 1 <= e.line <= last_line}
    if about is not None:
        cited.update(range(max(1, int(about[1])), min(int(about[2] or about[1]), last_line) + 1))
    out = list(spans)
    for first, last in runs_of(n for n in cited if not any(s.start <= n <= s.end for s in spans)):
        beside = next((s for s in out if first == s.end + 1 or last == s.start - 1), None)
        span = beside or Span(first, last, "", "cited by the reason")
        start, end, score = min(span.start, first), max(span.end, last), max(span.score, _SECOND)
        out = [*(s for s in out if s != beside), replace(span, start=start, end=end, score=score)]
    inside = {s: [n for n in sorted(cited) if s.start <= n <= s.end] for s in out}
    held = [s if s.whole else replace(s, peaks=tuple(lines)) for s, lines in inside.items() if lines]
    others = [s for s in out if not inside[s]][: max(0, MAX_SPANS - len(held))]
    return tuple(sorted((*held, *others), key=lambda s: (not s.whole, -s.score)))
