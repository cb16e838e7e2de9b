"""A `Context` as XML document blocks, the form that long-context prompts use."""

from collections.abc import Sequence

from zeroin.answer import Context
from zeroin.context.clean import line, path_text
from zeroin.context.packing.passages import Passage, Selected, numbered_layout
from zeroin.context.packing.select import select_listed
from zeroin.context.packing.texts import Read
from zeroin.context.redaction.quotes import quotes_of
from zeroin.context.rendering import wording
from zeroin.context.rendering.page import Page
from zeroin.context.tokens import estimate, weigh
from zeroin.patterns import lazy_pattern
from zeroin.types import Gap, Judgment, Span, figure_of

PART_SHARE = 0.1  # of the budget: each list before the documents, at most
SMALL = 1500  # tokens; below, lists have half their share
LIST_SHARE = 0.25  # of the budget: documents of which no code is shown
_ILLEGAL = lazy_pattern("[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]")  # XML 1.0, production 2


def render(context: Context, read: Read) -> str:
    """Return the context as one `<context>` element of at most `context.budget` estimated tokens."""
    context, quoted = quotes_of(context)
    budget = context.budget
    opening = f'<context sufficient="{"true" if context.sufficient else "false"}">\n'
    closing, documents, end_documents = "</context>\n", "<documents>\n", "</documents>\n"
    page = Page(budget, opening, documents, end_documents, closing)
    part = int(budget * PART_SHARE / (1 if budget >= SMALL else 2))
    page.add(element("stop", wording.ending_of(context), code=line(context.stop_reason.code)))
    if context.advice is not None:
        page.add(element("advice", line(context.advice.text), kind=line(context.advice.kind)))
    lists = {
        "gaps": map(_gap, context.gaps),
        "terminology": (
            element("term", wording.term_of(t), task_word=line(t.task_word), code_word=line(t.code_word))
            for t in context.shown_terms
        ),
        "patterns": (
            element("pattern", wording.pattern_of(p), kind=line(p.kind), glob=path_text(p.glob))
            for p in context.patterns
        ),
        "warnings": (element("warning", line(w)) for w in context.warnings),
    }
    for name, rows in lists.items():
        page.section(f"<{name}>\n", rows, limit=part, tail=f"</{name}>\n")
    listed = [(j, "") for j in (*context.files, *context.supporting)]
    listed += [(j, "tests") for j in context.tests] + [(j, "documents") for j in context.documents]
    limit = wording.reason_limit(budget)
    frames = _frames(listed, int(budget * LIST_SHARE), limit)
    room = page.left - sum(map(estimate, (_redacted(9999), *frames.values())))
    chosen = {s.judgment.path: s for s in select_listed(context, read, max(0, room), LAYOUT, among=frames)}
    hidden = quoted + sum(s.hidden for s in chosen.values())
    if hidden:
        page.add(_redacted(hidden))
    rest = Page(page.left)
    for index, (judgment, section) in enumerate(listed, 1):
        selected = chosen.get(judgment.path)
        if selected is None or not rest.add(_document(index, judgment, selected, limit, section)):
            rest.add(_document(index, judgment, None, limit, section))
    return "".join([opening, page.text(), documents, rest.text(), end_documents, closing])


def _gap(gap: Gap) -> str:
    return element(
        "gap",
        wording.gap_of(gap),
        kind=gap.kind,
        critical="true" if gap.critical else "false",
        follow_up=line(gap.follow_up),
        evidence=wording.evidence_of(gap.evidence[0]) if gap.evidence else "",
        outcome=wording.outcome_of(gap),
    )


def _redacted(count: int) -> str:
    return f'<redacted count="{count}"/>\n'


def _frames(listed: Sequence[tuple[Judgment, str]], room: int, limit: int) -> dict[str, str]:
    """Return each file's block without code, as many as `room` tokens hold."""
    frames: dict[str, str] = {}
    for index, (judgment, section) in enumerate(listed, 1):
        text = _document(index, judgment, None, limit, section)
        room -= estimate(text)
        if room < 0:
            break
        frames[judgment.path] = text
    return frames


def _document(index: int, judgment: Judgment, selected: Selected | None, limit: int, section: str) -> str:
    """Return the block of a file; `section` is `tests` or `documents`, "" for a main file."""
    shown = selected.shown if selected is not None else ""
    path, relevance = path_text(judgment.path), figure_of(judgment.relevance)
    head = tag("document", index=str(index), path=path, relevance=relevance, listed=section, shown=shown)
    head += element("reason", wording.reason_of(judgment, limit=limit))
    if selected is None:
        return head + "</document>\n"
    full = '<spans instead_of="whole">\n' if selected.fell_back else "<spans>\n"
    return head + full + "".join(map(_span, selected.passages)) + "</spans>\n</document>\n"


def _span(passage: Passage) -> str:
    return _opening(passage.span, passage.cut) + f"{escape(passage.numbered)}\n</span>\n"


def _opening(span: Span, cut: bool) -> str:
    symbol, cuts = line(span.symbol), "true" if cut else ""
    return tag("span", start=str(span.start), end=str(span.end), symbol=symbol, cut=cuts)


def tag(name: str, **attributes: str) -> str:
    """Return the line that opens an element; attributes without a value are left out."""
    given = "".join(f' {key}="{attribute(value)}"' for key, value in attributes.items() if value)
    return f"<{name}{given}>\n"


def element(name: str, text: str, **attributes: str) -> str:
    """Return an element with character data, on one line."""
    return f"{tag(name, **attributes)[:-1]}{escape(text)}</{name}>\n"


def escape(text: str) -> str:
    """Return character data: markup is escaped, characters that XML 1.0 forbids are removed."""
    return _ILLEGAL.sub("", text).replace("&", "&amp;").replace("<", "&lt;").replace("]]>", "]]&gt;")


def attribute(text: str) -> str:
    """Return an attribute value for double quotes."""
    return escape(text).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")


LAYOUT = numbered_layout(
    lambda passage: weigh(_opening(passage.span, passage.cut)) + weigh("\n</span>\n"),
    lambda judgment: weigh('<spans instead_of="whole">\n</spans>\n shown="skeleton"'),
    escape,
)
