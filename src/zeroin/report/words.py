"""How the question grew: its words from cycle to cycle, every change with its reason, and the words learned."""

from __future__ import annotations

from collections.abc import Sequence

from zeroin.answer import Change, Context, Cycle
from zeroin.context.clean import line
from zeroin.context.wording import proofs, shortened, source_of
from zeroin.report.markup import Child, Markup, el, join, path, spoken
from zeroin.types import Expansion, Keyword, Origin

MAX_WORDS, MAX_SHOWN, MAX_CHANGES, MAX_TERMS, MAX_SOURCES = 40, 5, 120, 30, 4
MAX_WORD = 60  # characters of one word; changes are counted over all cycles

_ACTIONS = {
    "learn_term": "Words learned",
    "add_keyword": "Words added",
    "ask": "Asked for",
    "focus": "To look for",
    "must_read": "To be read",
    "add_pattern": "Places preferred",
    "exclude": "Excluded",
    "revoke_exclude": "No longer excluded",
    "relevant": "Said to be relevant",
    "irrelevant": "Said to be irrelevant",
    "note": "Noted by the caller",
}
_PATHS = frozenset({"must_read", "exclude", "revoke_exclude", "relevant", "irrelevant", "add_pattern"})


def growth(context: Context) -> Markup:
    """One block a cycle: the words asked, new ones marked, then what was changed and why."""
    blocks = []
    most = MAX_CHANGES // max(1, len(context.cycles) - 1)
    before: set[str] = set()
    for cycle in context.cycles:
        blocks.append(_asked(cycle, before, context.terminology, most))
        before = {k.text for k in cycle.query.keywords}
    return join(blocks)


def _asked(cycle: Cycle, before: set[str], terms: Sequence[Expansion], most: int) -> Markup:
    query = cycle.query
    words = sorted(query.keywords, key=lambda k: (k.origin is Origin.LEARNED, -k.weight, k.text))
    meant = {t.code_word: t.task_word for t in (*terms, *query.terminology)}
    more = len(words) - MAX_WORDS
    asked = [
        ("Names", [el("code", shortened(line(s.name), MAX_WORD)) for s in query.symbols]),
        ("Paths", [path(p.path) for p in query.paths]),
        ("Only in", [el("code", shortened(line(v), MAX_WORD)) for v in query.includes]),
    ]
    return el(
        "div",
        el("h4", f"Cycle {cycle.number}", spoken(" asked")),
        el(
            "ul",
            [_word(k, before, cycle.number, meant) for k in words[:MAX_WORDS]],
            el("li", f"and {more} more", class_="quiet") if more > 0 else None,
            class_="words",
            aria_label=f"Words of cycle {cycle.number}",
        ),
        [
            el(
                "p",
                f"{label} ",
                [join(v, "  ") for v in values[:12]],
                _more(len(values), 12),
                class_="quiet named",
            )
            for label, values in asked
            if values
        ],
        _changes(cycle.changes, most) if cycle.changes else None,
        class_="asked",
        data_cycle=cycle.number,
    )


def _word(keyword: Keyword, before: set[str], cycle: int, meant: dict[str, str]) -> Markup:
    learned = keyword.origin is Origin.LEARNED
    new = cycle > 1 and keyword.text not in before
    source = shortened(line(meant.get(keyword.text, "")), MAX_WORD) if learned else ""
    told = f", for “{source}”" if source else ""
    return el(
        "li",
        spoken("new: ") if new else None,
        el("span", f"{source} → ", class_="of", aria_hidden="true") if source and new else None,
        shortened(line(keyword.text), MAX_WORD),
        class_=("learned" if learned else "own") + (" new" if new else ""),
        title=f"{keyword.origin}{told}, weight {keyword.weight:.2f}",
    )


def _changes(changes: Sequence[Change], most: int) -> Markup:
    shown = changes[:most]
    order = [a for a in _ACTIONS if any(c.action == a for c in shown)]
    order += [a for a in dict.fromkeys(c.action for c in shown) if a not in _ACTIONS]
    left = len(changes) - len(shown)
    return join(
        el("div", [_group(a, [c for c in shown if c.action == a]) for a in order], class_="changes"),
        el("p", f"and {left} more changes", class_="quiet") if left else None,
    )


def _group(action: str, changes: Sequence[Change]) -> Markup:
    label = _ACTIONS.get(action, line(action).replace("_", " ").capitalize())
    common = _common(changes)
    rows = [_change(c, common) for c in changes]
    return el(
        "div",
        el("h5", label, " ", el("span", str(len(changes)), class_="count")),
        el("p", common, class_="common") if common else None,
        el("ul", rows[:MAX_SHOWN]),
        el("details", el("summary", f"{len(rows) - MAX_SHOWN} more"), el("ul", rows[MAX_SHOWN:]))
        if len(rows) > MAX_SHOWN
        else None,
        class_=f"group {'out' if action in ('exclude', 'irrelevant') else 'in'}",
    )


def _common(changes: Sequence[Change]) -> str:
    """What several changes have in common of their reasons, up to the place that each names."""
    heads = {line(c.why).partition(" (")[0] for c in changes}
    return next(iter(heads)) if len(changes) > 1 and len(heads) == 1 else ""


def _change(change: Change, common: str) -> Markup:
    why = shortened(line(change.why), 300)
    if common:
        why = why[len(common) :].strip(" ()")
    seen = [] if common else [shortened(text, 160) for text in proofs(change.evidence, why, 1)]
    name: Child = path(change.what) if change.action in _PATHS else el("b", shortened(line(change.what), 160))
    return el(
        "li",
        name,
        el("span", why, f" ({seen[0]})" if seen and why else "", class_="because") if why else None,
    )


def terms(context: Context) -> Markup:
    """The table of words learned, each with where it was seen."""
    known = context.told_terms
    if not known:
        return el("p", "No word of the code was learned that the task does not say itself.", class_="quiet")
    return join(
        el(
            "table",
            el("caption", spoken("Words of the task and the codebase's words for them")),
            el(
                "thead",
                el(
                    "tr",
                    el("th", "The task says", scope="col"),
                    el("th", "This code says", scope="col"),
                    el("th", "Weight", scope="col", class_="num"),
                    el("th", "Seen in", scope="col"),
                ),
            ),
            el("tbody", [_term(t) for t in known[:MAX_TERMS]]),
            class_="terms",
        ),
        el("p", f"and {len(known) - MAX_TERMS} more", class_="quiet") if len(known) > MAX_TERMS else None,
    )


def _term(term: Expansion) -> Markup:
    return el(
        "tr",
        el("td", shortened(line(term.task_word), MAX_WORD), data_label="The task says"),
        el("th", shortened(line(term.code_word), MAX_WORD), scope="row", data_label="This code says"),
        el("td", f"{term.weight:.2f}", class_="num", data_label="Weight"),
        el(
            "td",
            el("ul", [el("li", source_of(s)) for s in term.sources[:MAX_SOURCES]]),
            _more(len(term.sources), MAX_SOURCES),
            data_label="Seen in",
            class_="because",
        ),
    )


def _more(count: int, limit: int) -> str:
    return f" and {count - limit} more" if count > limit else ""
