"""The code of the listed files as markup: spans with line numbers, coloured comments and strings, marked words."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby

from markupsafe import Markup, escape

from zeroin.answer import Context
from zeroin.context.packing.select import joined
from zeroin.context.packing.texts import Read, lines_of
from zeroin.context.redaction.redact import Redaction
from zeroin.corpus.languages import TEXT_LANGUAGES
from zeroin.parsing.analyse import outline_of
from zeroin.terms import WORD, analyse_word, weighted_terms
from zeroin.types import Judgment, Keyword, Origin, Span

MAX_LINES, MAX_CHARS = 240, 400  # of a file, and of a line
HEAD = 30  # lines of a file without spans
_MAX_WORD = 80  # characters; a longer word is data
_STRING, _COMMENT = 1, 2
_KINDS = ("", "string", "comment")
Piece = tuple[str, str]  # one of `_KINDS`, and text
Marker = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Block:
    """One span of a file, with its lines as markup."""

    span: Span
    code: Markup


@dataclass(frozen=True, slots=True)
class Listing:
    """The shown blocks of a file of `total` lines, and the number of secrets redacted in them."""

    blocks: tuple[Block, ...]
    total: int
    secrets: int


def marker_of(context: Context) -> Marker:
    """Return a function that marks a word of code: `own` if the task has it, `learned` if an expansion, else ""."""
    query = context.cycles[-1].query if context.cycles else None
    own = frozenset(weighted_terms(query.own) if query else ())
    pairs = [Keyword(t.code_word, 1.0, Origin.LEARNED) for t in context.shown_terms]
    late = [k for k in query.keywords if k.origin is Origin.LEARNED] if query else []
    learned = frozenset(weighted_terms([*pairs, *late])) - own

    @cache
    def mark(word: str) -> str:
        terms = set(analyse_word(word)) if len(word) <= _MAX_WORD else set()
        return "own" if terms & own else "learned" if terms & learned else ""

    return mark


def listing_of(judgment: Judgment, read: Read, marker: Marker, max_lines: int = MAX_LINES) -> Listing:
    """Return the best spans of a judged file in at most `max_lines` lines; secrets are redacted before colouring."""
    rows = lines_of(read(judgment.path)) if max_lines else []
    spans = spans_of(judgment.spans, len(rows), max_lines)
    redaction = Redaction(judgment.path, rows)
    redacted = {n: redaction.line(n) for span in spans for n in range(span.start, span.end + 1)}
    last = max(redacted, default=0)
    texts = [redacted[n][0] if n in redacted else rows[n - 1] for n in range(1, last + 1)]
    cut = [text if len(text) <= MAX_CHARS else text[:MAX_CHARS] + "…" for text in texts]
    pieces = styled(cut, judgment.language)
    cited = {e.line for r in judgment.reasons for e in r.evidence if e.path == judgment.path}
    row = Markup('<span class="row{}"><span class="n">{}</span>{}\n</span>')
    blocks = []
    for span in spans:
        width = len(str(span.end))
        lines = (
            row.format(" cited" * (n in cited), f"{n:>{width}}", _marked(pieces[n - 1], marker))
            for n in range(span.start, span.end + 1)
        )
        blocks.append(Block(span, Markup("").join(lines)))
    return Listing(tuple(blocks), len(rows), sum(count for _, count in redacted.values()))


def spans_of(spans: Sequence[Span], total: int, max_lines: int = MAX_LINES) -> list[Span]:
    """Return the spans to show of a file of `total` lines, in line order; its first lines if it has none."""
    left, chosen = max_lines, []
    for span in joined([s for s in spans if s.start <= total], total):
        if left > 0:
            chosen.append(replace(span, end=min(span.end, span.start + left - 1)))
            left -= span.end - span.start + 1
    if not chosen and total and max_lines:
        return [Span(1, min(HEAD, total, max_lines), "", "", 0.0)]
    return sorted(chosen, key=lambda s: s.start)


def _marked(pieces: Sequence[Piece], marker: Marker) -> Markup:
    parts = []
    for kind, text in pieces:
        body = Markup("").join(_words(text, marker))
        parts.append(Markup('<span class="{}">{}</span>').format(kind, body) if kind else body)
    return Markup("").join(parts)


def _words(text: str, marker: Marker) -> Iterator[Markup]:
    at = 0
    for match in WORD.finditer(text):
        if kind := marker(match[0]):
            yield escape(text[at : match.start()])
            yield Markup('<mark class="{}">{}</mark>').format(kind, match[0])
            at = match.end()
    yield escape(text[at:])


def styled(texts: Sequence[str], language: str) -> list[list[Piece]]:
    """Return the first lines of a file as pieces, each a comment, a string or plain.

    The index's parser finds them, since its time is bounded and that of a highlighter's regular expressions is not.
    """
    if language in TEXT_LANGUAGES:
        return [[("", text)] for text in texts]
    outline, source, _ = outline_of("\n".join(texts), language)
    kinds = bytearray(len(source))
    for start, end, is_comment in outline.spans:
        kinds[start:end] = bytes([_COMMENT if is_comment else _STRING]) * (end - start)
    lines: list[list[Piece]] = []
    at = 0
    for row in source.split(b"\n"):
        runs = groupby(range(at, at + len(row)), key=kinds.__getitem__)
        pieces = ((_KINDS[kind], bytes(source[i] for i in run)) for kind, run in runs)
        lines.append([(kind, piece.decode("utf-8", "replace")) for kind, piece in pieces])
        at += len(row) + 1
    return lines
