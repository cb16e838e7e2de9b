"""The course of the loop: one card a cycle from left to right, and what became of each gap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from zeroin.answer import Context, Cycle
from zeroin.context.clean import line
from zeroin.context.wording import gap_of, shortened
from zeroin.report.answer import ending
from zeroin.report.markup import Child, Markup, el, join, spoken
from zeroin.report.story import GapLife
from zeroin.types import HIGH, MEDIUM

MAX_LIVES = 24

_STATES = {
    "critical": ("●", "critical"),
    "open": ("○", "open"),
    "closed": ("✓", "closed"),
    "aside": ("–", "not told"),
    "": ("", "not seen yet"),
}


def strip(context: Context, lives: Sequence[GapLife]) -> Markup:
    """What each cycle asked, found and left open; the end last."""
    cards = [_card(i, context.cycles, lives) for i in range(len(context.cycles))]
    stop = ending(context)
    end = el(
        "li",
        el("h3", "The answer"),
        el("p", f"{stop[:1].upper()}{stop[1:]}.", class_="lead"),
        _facts(
            [
                ("Files", str(len(context.files))),
                ("Supporting", str(len(context.supporting))),
                *([("Tests", str(len(context.tests)))] if context.tests else []),
                *([("Documents", str(len(context.documents)))] if context.documents else []),
                ("Gaps", str(len(context.gaps))),
            ]
        ),
        class_="end",
    )
    return el("ol", cards, end, class_="cycles")


def _card(i: int, cycles: Sequence[Cycle], lives: Sequence[GapLife]) -> Markup:
    cycle = cycles[i]
    if i == 0:
        own = sorted(cycle.query.keywords, key=lambda k: (-k.weight, k.text))
        said = ", ".join(line(k.text) for k in own[:6])
        lead = f"Asked for {said}" if said else "Asked for names and paths"
        lead += f" and {len(own) - 6} more." if len(own) > 6 else "."
    else:
        lead = _change_of(cycle)
    known = sum(1 for g in lives if g.states[i] in ("open", "critical"))
    closed = sum(
        1 for g in lives if i and g.states[i] == "closed" and g.states[i - 1] in ("open", "critical")
    )
    best = cycle.judgments
    return el(
        "li",
        el("h3", f"Cycle {cycle.number}"),
        el("p", shortened(lead, 260), class_="lead"),
        _facts(
            [
                ("Seen", str(len(cycle.candidates))),
                (f"≥ {MEDIUM}", str(sum(j.relevance >= MEDIUM for j in best))),
                (f"≥ {HIGH}", str(sum(j.relevance >= HIGH for j in best))),
                ("Gaps", f"{known}" + (f" (−{closed})" if closed else "")),
            ]
        ),
        data_cycle=cycle.number,
    )


def _facts(facts: Sequence[tuple[str, str]]) -> Markup:
    return el("dl", [el("div", el("dt", name), el("dd", value)) for name, value in facts])


def _change_of(cycle: Cycle) -> str:
    """What a later cycle asked more, or less, in words."""
    count = Counter(c.action for c in cycle.changes)
    said = []
    for action, one, many in (
        ("relevant", "file said to be relevant", "files said to be relevant"),
        ("irrelevant", "file said to be irrelevant", "files said to be irrelevant"),
        ("learn_term", "word learned", "words learned"),
        ("add_keyword", "word added", "words added"),
        ("ask", "gap asked for", "gaps asked for"),
        ("focus", "aspect to look for", "aspects to look for"),
        ("must_read", "file to read", "files to read"),
        ("add_pattern", "place preferred", "places preferred"),
        ("exclude", "file excluded", "files excluded"),
        ("revoke_exclude", "exclusion taken back", "exclusions taken back"),
    ):
        if count[action]:
            said.append(f"{count[action]} {one if count[action] == 1 else many}")
    text = ", ".join(said)
    return text[:1].upper() + text[1:] + "." if said else "The same question once more."


def gaps(context: Context, lives: Sequence[GapLife]) -> Markup:
    """One row a gap, one column a cycle."""
    if not lives:
        return el("p", "No cycle found anything missing.", class_="quiet")
    numbers = [c.number for c in context.cycles]
    head = el(
        "tr",
        el("th", "What was missing", scope="col"),
        [el("th", f"Cycle {n}", scope="col", data_cycle=n, class_="mark") for n in numbers],
        el("th", "Answer", scope="col", class_="mark"),
    )
    left = len(lives) - MAX_LIVES
    return join(
        el(
            "table",
            el("caption", spoken("Gaps by cycle: opened, still open, closed")),
            el("thead", head),
            el("tbody", [_life(life, numbers) for life in lives[:MAX_LIVES]]),
            class_="lives",
        ),
        el("p", f"and {left} more", class_="quiet") if left > 0 else None,
        el("p", "● critical   ○ open   ✓ closed", class_="note", aria_hidden="true"),
    )


def _life(life: GapLife, numbers: Sequence[int]) -> Markup:
    cells: list[Child] = []
    for number, state in zip(numbers, life.states, strict=True):
        cells.append(_state(state, f"Cycle {number}", number))
    cells.append(_state(life.end, "Answer", None))
    return el(
        "tr",
        el(
            "th",
            gap_of(life.gap),
            el(
                "span",
                f"{life.gap.kind} gap",
                f"; {line(life.why)}" if life.why else "",
                class_="facts",
            ),
            scope="row",
        ),
        cells,
    )


def _state(state: str, label: str, cycle: int | None) -> Markup:
    sign, word = _STATES[state]
    return el(
        "td",
        el("span", sign, aria_hidden="true", class_="sign"),
        el("span", word, class_="word"),
        class_=f"mark {state or 'before'}",
        data_cycle=cycle,
        data_label=label,
    )
