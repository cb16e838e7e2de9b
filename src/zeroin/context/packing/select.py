"""Choose the spans that fit a token budget: best value first, several of a good file before those of mediocre files."""

import heapq
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from zeroin.answer import Context
from zeroin.context.packing.passages import PLAIN, Layout, Passage, Selected, Shown
from zeroin.context.packing.skeleton import skeletons
from zeroin.context.packing.texts import Read, Row, ShownFile
from zeroin.types import HIGH, LOW, Judgment, Pack, Span

WHOLE_TOKENS = 400  # a relevant file up to this size is shown whole …
WHOLE_FACTOR = 1.3  # … and a larger one when its spans are nearly all of it anyway
DECAY = 0.88  # value of each further span: the eighth of a 0.9 file still beats the first of a 0.5 file
SPAN_SHARE = 3  # one span takes at most a third of the budget, so that one long class is not all there is
SEEN_VALUE = 0.1  # value of a line that is already shown, in this file or another
LEAST_NEWS = 0.2  # share of a passage that must be new for it to be shown
HEAD_LINES = 40  # shown of a file without spans
NAMED_FILES = 3  # whose named definitions come before all else
AROUND_PEAK = 1  # lines on either side of one that matches best, in a definition that does not fit
MIN_CUT_LINES = 5  # a span that does not fit is cut, but not to less than this
ROUNDED = 1  # token by which a page may round up the block of a file
LEAST_TOKENS = 24  # nothing fits into fewer


@dataclass(slots=True)
class _Work:
    """One file during the choice: what may be shown of it, best first, and what was chosen."""

    judgment: Judgment
    file: ShownFile
    offers: list[Span]
    numbers: dict[Span, list[int]] = field(default_factory=dict)  # of a skeleton: the lines it consists of
    shown: Shown = "spans"
    fell_back: bool = False
    chosen: list[Passage] = field(default_factory=list)
    rows: set[int] = field(default_factory=set)  # lines that are shown
    tokens: float = 0.0


def select(
    judgments: Sequence[Judgment],
    read: Read,
    budget: int,
    layout: Layout = PLAIN,
    *,
    pack: Pack = "spans",
    redacted: bool = True,
    later: Sequence[Sequence[Judgment]] = (),
) -> tuple[Selected, ...]:
    """Return what of `judgments` to show within `budget` tokens, files in the order given.

    A greedy choice, best value first: relevance squared, times `DECAY` for each earlier span of the same file, times
    the share of the passage that is not shown yet (a line seen before counts `SEEN_VALUE`). A passage whose share
    is below `LEAST_NEWS` is left out, unless whole files are asked for. Files under 0.2 are shown only if no file
    reaches 0.2 or the task names a definition in them. Definitions that it names in the best files come first, whole;
    of one that does not fit, the head and the lines that match best. Overlapping and touching spans are joined.
    `pack` is what is shown of a file: its spans, its skeleton (the spans of a file that defines nothing), or all of it
    (its spans where that does not fit). The files of each group in `later` get what those before them left.
    """
    first = [j for j in judgments if j.relevance >= LOW or _is_named(j)] or list(judgments[:3])
    chooser = _Chooser(read, layout, pack, redacted, budget, max(WHOLE_TOKENS, budget // SPAN_SHARE))
    for group in [first, *([j for j in group if j.relevance >= LOW] for group in later)]:
        chooser.choose(group)
    return chooser.selected()


def select_listed(
    context: Context,
    read: Read,
    budget: int,
    layout: Layout = PLAIN,
    *,
    pack: Pack | None = None,
    among: Collection[str] | None = None,
) -> tuple[Selected, ...]:
    """Call `select` with the files of an answer first, then its tests, then its documents.

    Without `pack`, the answer's own is used. With `among`, only files with these paths are.
    """
    main, tests, documents = (
        [j for j in part if among is None or j.path in among]
        for part in ((*context.files, *context.supporting), context.tests, context.documents)
    )
    return select(
        main, read, budget, layout, pack=pack or context.pack, redacted=context.redact, later=(tests, documents)
    )


@dataclass(slots=True)
class _Chooser:
    """The greedy choice, its files and what is left of the budget."""

    read: Read
    layout: Layout
    pack: Pack
    redacted: bool
    left: float  # tokens of the budget
    share: float  # tokens that one span may take
    wanted: list[Judgment] = field(default_factory=list)  # the files of all groups so far
    works: dict[int, _Work] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)

    def choose(self, group: Sequence[Judgment]) -> None:
        numbers = range(len(self.wanted), len(self.wanted) + len(group))
        self.wanted += group
        shown = {} if numbers.start else self._name(numbers)
        ranks = {i: shown.get(i, 0) for i in numbers}
        self._fill([(-_value(self.wanted[i], rank), i, rank) for i, rank in ranks.items()])

    def selected(self) -> tuple[Selected, ...]:
        return tuple(self._selected(self.works[i]) for i in sorted(self.works) if self.works[i].chosen)

    def _name(self, numbers: Iterable[int]) -> dict[int, int]:
        """Take the definitions that the task names in the best files; return how many spans of each were considered."""
        named = [i for i in numbers if self.pack == "spans" and _is_named(self.wanted[i])]
        done: dict[int, int] = {}
        for i in sorted(named, key=lambda i: (-_value(self.wanted[i], 0), i))[:NAMED_FILES]:
            work = self._work(i)
            for rank, span in enumerate(work.offers):
                if not span.whole or self.left <= LEAST_TOKENS:
                    break
                done[i] = rank + 1
                passage = self._fit(work, span, self.left - self._frame(work))
                if passage is not None:
                    self._take(work, passage)
        return done

    def _fill(self, heap: list[tuple[float, int, int]]) -> None:
        """Fill the rest of the budget from `heap`; its entries are (-value, number of a file, rank of a span)."""
        heapq.heapify(heap)
        while heap and self.left > LEAST_TOKENS:
            promised, i, rank = heapq.heappop(heap)
            work = self._work(i)
            if rank >= len(work.offers):
                continue
            passage = self._fit(work, work.offers[rank], self.left - self._frame(work))
            novelty = self._novelty(passage) if passage is not None else 0.0
            if passage is not None and (novelty >= LEAST_NEWS or self.pack == "full"):
                value = -_value(work.judgment, rank) * novelty
                if heap and value > promised and value > heap[0][0]:  # less than it promised: others first
                    heapq.heappush(heap, (value, i, rank))
                    continue
                self._take(work, passage)
            heapq.heappush(heap, (-_value(work.judgment, rank + 1), i, rank + 1))

    def _work(self, i: int) -> _Work:
        if i not in self.works:
            judgment = self.wanted[i]
            file = ShownFile(judgment.path, self.read, redacted=self.redacted)
            work = _Work(judgment, file, [])
            if len(file):
                self._plan(work)
            self.works[i] = work
        return self.works[i]

    def _plan(self, work: _Work) -> None:
        judgment, rows = work.judgment, len(work.file)
        spans = joined([s for s in judgment.spans if s.start <= rows], rows)
        best = spans[0] if spans else Span(1, rows)
        everything = Span(1, rows, best.symbol if len(spans) == 1 else "", "whole file", best.score)
        room = self.left - self.layout.file(judgment) - ROUNDED - LEAST_TOKENS
        whole = self._tokens(work.file, range(1, rows + 1), min(room, max(self.share, WHOLE_TOKENS)))
        if self.pack == "full":
            fits = self._tokens(work.file, range(1, rows + 1), room) <= room
            work.offers = [everything] if fits else list(spans)
            work.fell_back = not fits
        elif self.pack == "skeleton" and (skeleton := self._skeleton(work.file, spans, room)):
            frame = Span(skeleton[0], skeleton[-1], "", "skeleton", best.score)
            work.offers, work.numbers[frame], work.shown = [frame], skeleton, "skeleton"
        elif whole <= min(WHOLE_TOKENS, room) or (
            spans
            and judgment.relevance >= HIGH
            and whole <= min(self.share, room)
            and whole
            <= WHOLE_FACTOR * self._tokens(work.file, (n for s in spans for n in range(s.start, s.end + 1)), whole)
        ):
            work.offers = [everything]
        else:
            work.offers = list(spans)
        if not work.offers:
            work.offers = [Span(1, min(HEAD_LINES, rows), "", "head of file")]

    def _skeleton(self, file: ShownFile, spans: Sequence[Span], room: float) -> list[int]:
        """Return the most detailed skeleton that fits its share; the plainest one where none does."""
        levels = skeletons(file, spans)
        limit = min(room, self.share)
        return next((level for level in levels if self._tokens(file, level, limit) <= limit), (levels or [[]])[-1])

    def _tokens(self, file: ShownFile, numbers: Iterable[int], limit: float) -> float:
        """Return tokens of some lines as they would be shown; counting ends above `limit`."""
        total = 0.0
        for number in numbers:
            total += self.layout.row(number, file.plain[number - 1])
            if total > limit:
                break
        return total

    def _fit(self, work: _Work, span: Span, left: float) -> Passage | None:
        """Return the span as a passage; None if neither its head nor what begins with its peaks fits `left` tokens."""
        file = work.file
        numbers = work.numbers.get(span) or list(range(span.start, span.end + 1))
        entire = span.why == "whole file" or span in work.numbers
        limit = left if self.pack == "full" or span.whole else min(left, self.share)
        heads = [] if entire else [n for n in file.enclosing(span.start, span.end) if n not in work.rows]
        rows: list[Row] = [file.row(n) for n in heads]
        used = self.layout.cost(Passage(span, tuple(rows), cut=True)) + self.layout.gap
        taken = 0
        before = numbers[0]
        for number in numbers:
            row = file.row(number)
            used += self.layout.row(*row) + (self.layout.gap if number > before + 1 else 0)
            if used > limit:
                break
            rows.append(row)
            taken, before = taken + 1, number
        if taken < len(numbers) and span.whole:
            return self._elided(work, span, heads, limit)
        if taken < len(numbers) and span.peaks and span.start < span.peaks[0] and before < span.peaks[-1]:
            rest = self._fit(work, replace(span, start=span.peaks[0], peaks=()), left)
            return rest and _cut(file, rest.span, rest.rows)
        if taken < len(numbers) and taken < MIN_CUT_LINES:
            return None
        if taken == len(numbers):
            return Passage(span, tuple(rows))
        return _cut(file, replace(span, end=rows[-1][0]), rows)

    def _elided(self, work: _Work, span: Span, heads: Sequence[int], limit: float) -> Passage | None:
        """Return the head of a span and, within `limit` tokens, the lines that match best and their neighbours."""
        inside = [d for d in work.file.outline if span.start <= d.start and d.end <= span.end]
        widest = max(inside, key=lambda d: (d.end - d.start, -d.start), default=None)
        if widest is not None and span.start < widest.start:  # without the comment above it, it may fit
            alone = replace(span, start=widest.start, end=widest.end)
            passage = self._fit(work, alone, limit)
            if passage is not None and not passage.cut:
                return passage
        top = list(work.file.signature(widest)) if widest is not None else [span.start]
        first = [*heads, *top]
        cost = self._cost(work, span, first)
        peaks = [range(n - AROUND_PEAK, n + AROUND_PEAK + 1) for n in span.peaks]
        wanted = (n for lines in (*peaks, range(top[-1], span.end + 1)) for n in lines)
        for number in dict.fromkeys(n for n in wanted if top[-1] < n <= span.end):
            # An upper bound: an adjacent line has no gap
            cost += self.layout.row(*work.file.row(number)) + self.layout.gap
            if cost > limit:
                cost = self._cost(work, span, [*first, number])
            if cost > limit:
                break
            first.append(number)
        if self._cost(work, span, first) > limit:
            return None
        rows = tuple(work.file.row(n) for n in sorted(first))
        start = next(n for n, _ in rows if n >= span.start)
        return Passage(replace(span, start=start, end=rows[-1][0]), rows, cut=True)

    def _cost(self, work: _Work, span: Span, numbers: Sequence[int]) -> float:
        rows = tuple(work.file.row(n) for n in sorted(numbers))
        return self.layout.cost(Passage(span, rows, cut=True)) + self.layout.gap

    def _joint(self, file: ShownFile, first: Passage, second: Passage) -> Passage | None:
        """Return two passages with at most one line between them as one, where that costs less."""
        between = range(first.span.end + 1, second.span.start)
        if first.cut or len(between) > 1:
            return None
        symbols = united(first.span.symbol, second.span.symbol)
        why, score = first.span.why or second.span.why, max(first.span.score, second.span.score)
        span = Span(first.span.start, second.span.end, symbols, why, score)
        joint = Passage(span, (*first.rows, *map(file.row, between), *second.rows), second.cut)
        apart = self.layout.cost(first) + self.layout.cost(second)
        return joint if self.layout.cost(joint) <= apart else None

    def _novelty(self, passage: Passage) -> float:
        """Return the share of a passage that is not shown yet, by the length of its lines."""
        lengths = [(len(key), key in self.seen) for key in map(_key, passage.rows) if key]
        total = sum(length for length, _ in lengths)
        seen = sum(length for length, known in lengths if known)
        return 1.0 - (1.0 - SEEN_VALUE) * seen / total if total else 1.0

    def _frame(self, work: _Work) -> float:
        """Return tokens around the passages of a file that has none yet."""
        return 0.0 if work.chosen else self.layout.file(work.judgment) + ROUNDED

    def _take(self, work: _Work, passage: Passage) -> None:
        """Show a passage if it fits with what stands around it."""
        cost = self._frame(work) + self.layout.cost(passage) + (self.layout.gap if passage.heads else 0)
        if cost > self.left:
            return
        work.chosen.append(passage)
        work.rows.update(number for number, _ in passage.rows)
        work.tokens += cost
        self.left -= cost
        self.seen.update(key for key in map(_key, passage.rows) if key)

    def _selected(self, work: _Work) -> Selected:
        """Return the passages of a file in line order, each signature before the first passage that it encloses."""
        passages: list[Passage] = []
        written: set[int] = set()
        for passage in sorted(work.chosen, key=lambda p: p.span.start):
            own = [row for row in passage.rows if row[0] >= passage.span.start]
            heads: list[int] = []
            if work.shown == "spans" and passage.span.why != "whole file":
                around = work.file.enclosing(passage.span.start, passage.span.end)
                heads = [n for n in around if n in work.rows and n not in written]
            rows = (*(work.file.row(n) for n in heads), *own)
            shown = Passage(passage.span, rows, passage.cut)
            joint = self._joint(work.file, passages[-1], shown) if passages and not heads else None
            passages[-1:] = [joint] if joint is not None else [*passages[-1:], shown]
            written.update(number for number, _ in passages[-1].rows)
        whole = len(passages) == 1 and len(passages[0].rows) == len(work.file)
        return Selected(
            work.judgment,
            tuple(passages),
            "whole" if whole else work.shown,
            work.tokens,
            sum(work.file.hidden(number) for number in written),
            work.fell_back and not whole,
        )


def _cut(file: ShownFile, span: Span, rows: Sequence[Row]) -> Passage:
    """Return what is left of a span as a passage that names no definition and no word outside of it."""
    symbol = file.within(span.symbol, span.start, span.end)
    return Passage(replace(span, symbol=symbol, why=_matched(span.why, rows)), tuple(rows), cut=True)


def _matched(why: str, rows: Iterable[Row]) -> str:
    """Return why a span is shown, without words that none of the `rows` left of it says."""
    about, _, words = why.partition("matches ")
    if about or not words:
        return why
    text = "\n".join(row for _, row in rows)
    return f"matches {', '.join(said)}" if (said := [word for word in words.split(", ") if word in text]) else ""


def _is_named(judgment: Judgment) -> bool:
    return any(span.whole for span in judgment.spans)


def _value(judgment: Judgment, rank: int) -> float:
    return max(judgment.relevance, 0.01) ** 2 * float(DECAY**rank)


def _key(row: Row) -> str:
    """Return a key for lines that are equal but for blanks; "" for a short line."""
    key = re.sub(r"\s+", " ", row[1]).strip()
    return key if len(key) > 11 and re.search(r"[^\W\d_]{3}", key) else ""


def united(first: str, second: str) -> str:
    """Return the symbols of two spans, each once; `A` is left out where `A.b` is among them."""
    symbols = [s for s in dict.fromkeys((*first.split(", "), *second.split(", "))) if s]
    return ", ".join(s for s in symbols if not any(other.startswith(f"{s}.") for other in symbols))


def joined(spans: Sequence[Span], last_line: int) -> tuple[Span, ...]:
    """Return spans clipped to the file, overlapping and touching ones joined, best score first (ties: by line).

    Spans to be shown whole come first, and are not joined with spans that only touch: longer, they might not fit.
    """
    merged: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, s.end)):
        start, end = max(1, span.start), min(last_line, max(span.start, span.end))
        span = replace(span, start=start, end=end)
        before = merged[-1] if merged else None
        apart = 0 if before is not None and (before.whole or span.whole) else 1
        if before is None or start > before.end + apart:
            merged.append(span)
            continue
        best, other = (before, span) if before.score >= span.score else (span, before)
        symbols = united(before.symbol, span.symbol)
        merged[-1] = Span(
            before.start,
            max(before.end, end),
            symbols,
            best.why or other.why,
            max(best.score, other.score),
            before.whole or span.whole,
            (*before.peaks, *span.peaks),
        )
    return tuple(sorted(merged, key=lambda s: (not s.whole, -s.score, s.start)))
