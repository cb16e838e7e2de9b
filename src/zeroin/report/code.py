"""The code itself: the spans that matter of each file, their lines numbered and marked, a little around them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from zeroin.answer import Context
from zeroin.context.clean import line, path_text
from zeroin.context.redact import Redaction
from zeroin.context.select import joined
from zeroin.context.texts import Read, lines_of
from zeroin.context.wording import proofs, shortened, span_of
from zeroin.report.answer import band_word, gauge
from zeroin.report.markup import Markup, el, path
from zeroin.report.syntax import coloured
from zeroin.terms import WORD, analyse_word, weighted_terms
from zeroin.types import Judgment, Keyword, Origin, Span

MAX_FILES, OPEN_FILES = 40, 3
MAX_LINES, MAX_CHARS = 240, 400  # of a file, and of a line
AROUND, HEAD = 2, 30  # lines before and after a span; lines of a file without one
MAX_REASONS, AROUND_CODE = 6, 5_000  # reasons of a file; bytes of its article without code, at most about


@dataclass(frozen=True, slots=True)
class Words:
    """Terms to mark in code: the task's own, and those learned on the way."""

    own: Collection[str]
    learned: Collection[str]

    @classmethod
    def of(cls, context: Context) -> Words:
        """The terms of the last query, and the codebase's words that were learned."""
        query = context.cycles[-1].query if context.cycles else None
        own = weighted_terms(query.own) if query else {}
        pairs = [Keyword(t.code_word, 1.0, Origin.LEARNED) for t in context.told_terms]
        late = [k for k in query.keywords if k.origin is Origin.LEARNED] if query else []
        learned = weighted_terms([*pairs, *late])
        return cls(frozenset(own), frozenset(learned) - frozenset(own))

    def kind(self, word: str) -> str:
        """How a word of the code is marked: `own`, `learned` or not at all."""
        terms = analyse_word(word)
        if any(term in self.own for term in terms):
            return "own"
        return "learned" if any(term in self.learned for term in terms) else ""


def code(context: Context, read: Read, links: Mapping[str, str], room: int) -> Markup:
    """One article a file of the answer, in at most about `room` bytes: then files come without code."""
    words = Words.of(context)
    left, hidden, articles = room - len(links) * AROUND_CODE, 0, []
    for i, judgment in enumerate(context.listed):
        if judgment.path not in links:
            hidden += 1
            continue
        article, size = _article(judgment, read, words, links[judgment.path], left, opened=i < OPEN_FILES)
        left -= size + max(0, len(article.encode()) - size - AROUND_CODE)
        articles.append(article)
    return el(
        "section",
        el("h2", "The code", id="code-title"),
        el(
            "p",
            "Marked lines are the passages that count. ",
            el("mark", "Task words", class_="own"),
            " and ",
            el("mark", "learned words", class_="learned"),
            " are marked in them.",
            class_="note",
        ),
        articles,
        el("p", f"{hidden} more files are not shown here.", class_="quiet") if hidden else None,
        id="code",
        aria_labelledby="code-title",
    )


def _article(
    judgment: Judgment, read: Read, words: Words, anchor: str, left: int, *, opened: bool
) -> tuple[Markup, int]:
    """The article and the bytes that its code takes."""
    rows = lines_of(read(judgment.path)) if left > 0 else []
    blocks = blocks_of(judgment, len(rows))
    redaction = Redaction(judgment.path, rows)
    secrets = 0

    def shown(number: int) -> str:
        nonlocal secrets
        text, count = redaction.line(number)
        secrets += count
        return text[:MAX_CHARS] + "…" if len(text) > MAX_CHARS else text

    listings, size = _listings(judgment, blocks, rows, shown, words, left)
    cut = left <= 0 or len(listings) < len(blocks)
    facts = [
        str(judgment.role),
        line(judgment.language),
        f"held since cycle {judgment.cycle}",
        band_word(judgment),
    ]
    article = el(
        "article",
        el("header", gauge(judgment.relevance), el("h3", path(judgment.path), id=f"{anchor}-name")),
        el("p", [el("span", fact) for fact in facts if fact], class_="facts"),
        el("ul", [_reason(judgment, i) for i in range(len(judgment.reasons[:MAX_REASONS]))], class_="reasons")
        if judgment.reasons
        else el("p", "No single reason stands out.", class_="quiet"),
        el(
            "p",
            "Points to what is not in hand: ",
            shortened(", ".join(map(line, judgment.missing_context[:8])), 400),
            class_="quiet",
        )
        if judgment.missing_context
        else None,
        el("details", el("summary", _summary(blocks, len(rows))), listings, open=opened)
        if listings
        else None,
        el("p", "The file could not be read, or is empty.", class_="quiet")
        if left > 0 and not rows
        else None,
        el("p", "More of it does not fit this page.", class_="quiet") if cut else None,
        el("p", f"{secrets} secret{'s' * (secrets != 1)} left out.", class_="quiet") if secrets else None,
        id=anchor,
        aria_labelledby=f"{anchor}-name",
    )
    return article, size


def _reason(judgment: Judgment, i: int) -> Markup:
    reason = judgment.reasons[i]
    text = shortened(line(reason.text), 300)
    own = [e for e in reason.evidence if e.path != judgment.path]
    seen = shortened("; ".join(proofs(own, text, 3)), 240)
    return el("li", text, el("span", f" ({seen})", class_="quiet") if seen else None)


def _summary(blocks: Sequence[Block], total: int) -> str:
    spans = [s for b in blocks for s in b.spans if s.symbol] or [s for b in blocks for s in b.spans]
    named = " · ".join(shortened(span_of(s), 60) for s in spans[:4])
    more = f" and {len(spans) - 4} more" if len(spans) > 4 else ""
    return f"Lines {named}{more} (of {total})" if spans else f"The first of {total} lines"


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that are shown in one piece, and the spans that count in it."""

    start: int
    end: int
    spans: tuple[Span, ...]


def blocks_of(judgment: Judgment, total: int) -> tuple[Block, ...]:
    """What to show of a file of `total` lines, in line order: the best spans until `MAX_LINES` are reached."""
    if not total:
        return ()
    left, chosen = MAX_LINES, []
    for span in joined([s for s in judgment.spans if s.start <= total], total):
        size = span.end - span.start + 1 + 2 * AROUND
        if size > left:
            span = Span(span.start, span.start + left - 2 * AROUND - 1, span.symbol, span.why, span.score)
            if span.end - span.start < AROUND:
                break
        chosen.append(span)
        left -= size
        if left <= 0:
            break
    if not chosen:
        return (Block(1, min(HEAD, total), ()),)
    blocks: list[Block] = []
    for span in sorted(chosen, key=lambda s: s.start):
        start, end = max(1, span.start - AROUND), min(total, span.end + AROUND)
        if blocks and start <= blocks[-1].end + 2:
            last = blocks.pop()
            blocks.append(Block(last.start, max(end, last.end), (*last.spans, span)))
        else:
            blocks.append(Block(start, end, (span,)))
    return tuple(blocks)


def _listings(
    judgment: Judgment,
    blocks: Sequence[Block],
    rows: Sequence[str],
    shown: Callable[[int], str],
    words: Words,
    left: int,
) -> tuple[list[Markup], int]:
    if not blocks:
        return [], 0
    cited = {e.line for r in judgment.reasons for e in r.evidence if e.path == judgment.path and e.line}
    wanted = {n for b in blocks for n in range(b.start, b.end + 1)}
    last = max(wanted)
    # redacted before they are coloured, so that no piece of a secret is left
    texts = [shown(n) if n in wanted else rows[n - 1][:MAX_CHARS] for n in range(1, last + 1)]
    pieces = dict(zip(range(1, last + 1), coloured(texts, judgment.language), strict=True))
    memo: dict[str, str] = {}
    listings: list[Markup] = []
    size = 0
    for block in blocks:
        hits = {n for s in block.spans for n in range(s.start, s.end + 1)}
        width = len(str(block.end))
        body = Markup(
            "".join(
                _line(n, width, pieces[n], n in hits, n in cited, words, memo)
                for n in range(block.start, block.end + 1)
            )
        )
        label = f"{path_text(judgment.path)}, lines {block.start} to {block.end}"
        notes = [s for s in block.spans if s.symbol or s.why]
        listing = el(
            "div",
            [
                el("p", el("b", shortened(span_of(s), 120)), " ", shortened(line(s.why), 160), class_="span")
                for s in notes[:3]
            ],
            el("pre", el("code", body), tabindex=0, role="group", aria_label=label),
            class_="listing",
        )
        weight = len(listing.encode("utf-8", "replace"))
        if size + weight > left:
            break
        size += weight
        listings.append(listing)
    return listings, size


def _line(
    number: int,
    width: int,
    pieces: Sequence[tuple[str, str]],
    hit: bool,
    cited: bool,
    words: Words,
    memo: dict[str, str],
) -> str:
    body = "".join(
        f'<span class="{kind}">{_marked(text, words, memo, hit)}</span>'
        if kind in ("comment", "string", "keyword")
        else _marked(text, words, memo, hit)
        for kind, text in pieces
    )
    kinds = " hit" * hit + " cited" * cited
    return f'<span class="row{kinds}"><span class="n">{number:>{width}}</span>{body}\n</span>'


def _marked(text: str, words: Words, memo: dict[str, str], hit: bool) -> str:
    return "".join(_pieces(text, words, memo)) if hit else escape(text)


def _pieces(text: str, words: Words, memo: dict[str, str]) -> Iterator[str]:
    at = 0
    for match in WORD.finditer(text):
        word = match[0]
        if len(word) > 80:
            continue
        kind = memo.get(word)
        if kind is None:
            kind = memo[word] = words.kind(word)
        if kind:
            yield escape(text[at : match.start()])
            yield f'<mark class="{kind}">{escape(word)}</mark>'
            at = match.end()
    yield escape(text[at:])
