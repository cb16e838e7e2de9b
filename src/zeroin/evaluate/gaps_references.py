"""Gaps of the kind *reference*: symbols that files in hand use and whose definitions are not in hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from zeroin.evaluate.gaps_chance import Lead
from zeroin.evaluate.gaps_hand import Hand
from zeroin.terms import WORD, term_id
from zeroin.types import Evidence, Role, Search

_MAX_DEFINERS = 2  # a symbol defined in more files is a convention, not a missing piece
_MAX_REFERENCES = 10
_MIN_NAME = 4
_SPANS = 3  # of each file: its heart
_SAME_HOME = 0.3  # what a reference is worth that leads where another already leads
_ABSTRACT = frozenset({"interface", "trait", "protocol", "type", "class"})  # what other files implement


def references(hand: Hand) -> list[Lead]:
    """Symbols used at the heart of files in hand whose only definitions are not in hand, most telling first."""
    view, snapshot = hand.view, hand.view.snapshot
    uses: Counter[str] = Counter()
    first: dict[str, Evidence] = {}
    users: dict[str, dict[str, float]] = {}
    for doc, judgment in hand.anchors:
        if judgment.role is Role.CONFIG:
            continue
        lines = view.text(doc).split("\n")
        for span in judgment.spans[:_SPANS]:
            for number in range(span.start, min(span.end, len(lines)) + 1):
                for word in WORD.findall(lines[number - 1]):
                    uses[word] += 1
                    users.setdefault(word, {})[judgment.path] = judgment.relevance
                    first.setdefault(word, Evidence(judgment.path, number, word))
    missing: dict[str, set[int]] = {}
    for name in uses:
        if len(name) < _MIN_NAME or view.used_in(name) > hand.rare:
            continue
        definers = {int(d) for d in snapshot.symbols.docs[snapshot.symbols.rows_of(name)]}
        if not definers or len(definers) > _MAX_DEFINERS or definers & hand.held:
            continue
        definers -= hand.closed
        if not definers or {view.paths[d] for d in definers} >= set(users[name]):
            continue  # what only its own file uses needs nobody
        if any(snapshot.role(d) is Role.IMPLEMENTATION for d in definers):
            missing[name] = definers
    from_home = Counter(d for definers in missing.values() for d in definers)
    leads: list[tuple[float, Lead]] = []
    for name, definers in missing.items():
        tied = hand.says_task(name)
        together = max(from_home[d] for d in definers)
        doing = [d for d in implementers(hand, name) if d not in hand.closed | definers]
        homes = [view.paths[d] for d in sorted(definers)]
        doers = [view.paths[d] for d in doing]
        evidence = first[name]
        need = f"{name} ({evidence.path}:{evidence.line}) is defined in {' and '.join(homes)}"
        need += f" and implemented in {' and '.join(doers)}" if doers else ""
        need += ", not in hand"
        value = snapshot.names.idf(term_id(name)) * (1 + 0.5 * min(uses[name], 4)) * (2.0 if tied else 1.0)
        value *= len(users[name]) * together
        everywhere = (evidence, *(Evidence(home, symbol=name) for home in homes + doers))
        signs = hand.signs((*definers, *doing), max(users[name].values()))
        search = Search(symbols=(name,), paths=(*homes, *doers))
        form = "implemented" if doers else "symbol"
        leads.append((value, Lead(form, "reference", need, everywhere, name, search, signs)))
    old = [pair for pair in leads if set(pair[1].search.paths) <= hand.followed]
    new = [pair for pair in leads if not set(pair[1].search.paths) <= hand.followed]
    return _spread(new) + _spread(old)


def unknown_symbols(hand: Hand) -> list[Lead]:
    """Symbols that the task names and that are neither defined nor used anywhere."""
    leads = []
    for mention in hand.query.symbols[:10]:
        name = mention.name.replace("::", ".").rpartition(".")[2].strip("()")
        if mention.weight < 1.0 or len(name) < _MIN_NAME or "." in mention.name:
            continue
        if len(hand.view.snapshot.symbols.rows_of(name)) or hand.view.used_in(name):
            continue
        need = f"the task names {name}; no file defines or uses it"
        search = Search(symbols=(name,))
        leads.append(Lead("unknown symbol", "reference", need, (Evidence(symbol=name),), name, search))
    return leads[:3]


def implementers(hand: Hand, name: str) -> list[int]:
    """Files with a definition whose first line says the name: `class JwtCodecs implements JwtCodec`."""
    snapshot = hand.view.snapshot
    rows = snapshot.symbols.rows_of(name)
    if not any(snapshot.symbols.row(int(row)).kind in _ABSTRACT for row in rows):
        return []
    found = []
    for doc in hand.view.users_of(name):
        lines = hand.view.text(doc).split("\n")
        starts = {
            d.start for d in snapshot.symbols.of_document(doc) if d.name != name and d.start <= len(lines)
        }
        if any(name in WORD.findall(lines[start - 1]) for start in starts):
            found.append(doc)
    return found[:_MAX_DEFINERS]


def _spread(leads: Sequence[tuple[float, Lead]]) -> list[Lead]:
    """The most valuable references, those that lead to a file not yet led to before more of the same."""
    waiting = sorted(leads, key=lambda g: (-g[0], g[1].need))
    led: set[str] = set()
    out: list[Lead] = []
    while waiting and len(out) < _MAX_REFERENCES:
        best = max(waiting, key=lambda g: g[0] * (1.0 if set(g[1].search.paths) - led else _SAME_HOME))
        waiting.remove(best)
        led |= set(best[1].search.paths)
        out.append(best[1])
    return out
