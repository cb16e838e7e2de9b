"""Which gaps and terms an answer shows: weak pairs and repeated gaps help the search, not the reader."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from zeroin.gaps.absence import CONTRACTIONS
from zeroin.gaps.languages import strangers
from zeroin.gaps.selection import GapForm
from zeroin.terms import STOPWORDS
from zeroin.types import CERTAINTIES, LOW, MEDIUM, Expansion, Gap, Outcome, Purpose, Search

MAX_TERMS = 10
MAX_GAPS = 3  # of 12 behind the third none helped (benchmarks/NOTES.md)
# Words of the task that no file is known for: shown only where a search of the whole tree proved that they are absent.
_PROVED = frozenset({GapForm.UNMENTIONED, GapForm.UNKNOWN_SYMBOL})
_FOUND = frozenset({GapForm.QUOTED, GapForm.PART})  # … and these whatever else was found
# A file is shown as missing from this relevance on, where one listed from `LOW` on needs it (benchmarks/NOTES.md, "What
# makes a gap useful"): the form of the gap, its precision and the task tell no more. Of a review hardly any is useful.
_MAY_MATTER = 0.08
_MIN_WORD = 3
# Folders that every repository has: nobody's word.
_FOLDERS = frozenset({"src", "lib", "docs", "github"})
_NAMED = 3  # names of one file that a joined gap spells out


def shown_terms(terms: Sequence[Expansion]) -> tuple[Expansion, ...]:
    """Pairs of words that an answer keeps, the surest first, then the strongest; at most `MAX_TERMS`."""
    good = [t for t in terms if _is_word(t.task_word) and t.code_word.lower() not in _FOLDERS | STOPWORDS]
    return tuple(sorted(good, key=lambda t: (CERTAINTIES.index(t.certainty), -t.weight))[:MAX_TERMS])


def _is_word(text: str) -> bool:
    """Whether something is left of a word or a run besides digits, single letters and bits of contractions."""
    words = [w.lower() for w in text.split()]
    return any(
        len(w) >= _MIN_WORD and not w.isdigit() and w not in CONTRACTIONS and w not in STOPWORDS
        for w in words
    )


def with_outcomes(gaps: Sequence[Gap], asked: Sequence[Gap]) -> tuple[Gap, ...]:
    """Return those of the gaps that no file closed; what was `asked` says what came of it."""
    known = {gap.key: gap for gap in asked}
    out = []
    for gap in gaps:
        found = known.get(gap.key)
        if found is not None and found.outcome == "closed" and gap.search.paths:
            continue
        if found is not None:  # what words alone found does not close what is still missing
            gap = replace(gap, outcome="open" if found.outcome == "closed" else found.outcome)
        out.append(gap)
    return tuple(out)


def shown_gaps(
    gaps: Sequence[Gap],
    listed: Collection[str],
    language: Callable[[str], str],
    relevance: Mapping[str, float],
    purpose: Purpose = "fix",
) -> tuple[Gap, ...]:
    """Gaps that are open in the answer and true: not closed by a `listed` path, one a file; the likeliest first.

    A gap of files is shown where one that is not listed may matter by its `relevance`, and a listed one that is no
    guess needs it. One of words is shown where no listed file reaches 0.5, and a search of the tree proved that what it
    asks for is absent. `language` gives the language of a path: a symbol that only files of an unrelated language
    define is a name clash. References that the same files would close are one gap.
    """
    least = LOW if purpose == "review" else _MAY_MATTER
    known = {path: relevance.get(path, 0.0) for path in listed}
    good, sure = {path for path in known if known[path] >= LOW}, max(known.values(), default=0.0) >= MEDIUM
    groups: dict[tuple[str, ...] | int, list[Gap]] = {}
    named: set[str] = set()
    for gap in gaps:
        homes = gap.evidence[1:] if gap.kind == "reference" else ()
        files = gap.search.paths or tuple(e.path for e in homes)
        missing = [path for path in files if path not in listed]
        if gap.form == GapForm.CALLER:
            is_open = bool(missing)
        elif files:
            needed = not good.isdisjoint(e.path for e in gap.evidence if e.path not in files)
            is_open = needed and _best_of(missing, relevance) >= least
        else:
            is_open = gap.form in _FOUND or (not sure and (gap.outcome == "absent" or gap.form in _PROVED))
        if not (gap.holds and is_open):
            continue
        joins = gap.kind == "reference" and len(gap.evidence) >= 2 and bool(gap.evidence[0].path)
        files = homes_of(gap, language) if joins else files
        if joins and all(home in listed for home in files):
            continue
        key = files if joins else id(gap)
        if key not in groups and files and named.issuperset(files):
            continue
        named.update(files)
        groups.setdefault(key, []).append(gap)
    shown = [_join(same, key) if isinstance(key, tuple) else same[0] for key, same in groups.items()]

    def order(gap: Gap) -> tuple[bool, float, float]:
        return not gap.critical, -_best_of(gap.search.paths, relevance), -gap.precision

    return tuple(sorted(shown, key=order)[:MAX_GAPS])


def _best_of(paths: Sequence[str], relevance: Mapping[str, float]) -> float:
    return max((relevance.get(path, 0.0) for path in paths), default=0.0)


def homes_of(gap: Gap, language: Callable[[str], str]) -> tuple[str, ...]:
    """Files whose definitions the user of a symbol can mean: none of an unrelated language, no document."""
    user = language(gap.evidence[0].path)
    return tuple(dict.fromkeys(e.path for e in gap.evidence[1:] if not strangers(user, language(e.path))))


def _join(same: Sequence[Gap], homes: Sequence[str]) -> Gap:
    """Return gaps that the same files would close, as one."""
    first = same[0]
    if len(same) == 1 and {e.path for e in first.evidence[1:]} == set(homes):
        return first
    names = [g.follow_up for g in same]
    verb = "is" if len(names) == 1 else "are"
    how = "defined or implemented" if any(g.form == GapForm.IMPLEMENTED for g in same) else "defined"
    return replace(
        first,
        need=f"{_users(same)} {verb} {how} in {' and '.join(homes)}",
        critical=any(g.critical for g in same),
        evidence=tuple(
            dict.fromkeys(e for g in same for e in g.evidence if e == g.evidence[0] or e.path in homes)
        ),
        follow_up=" ".join(names[:_NAMED]),
        search=Search(symbols=tuple(names), paths=tuple(homes)),
        precision=max(g.precision for g in same),
        user_relevance=max(g.user_relevance for g in same),
        outcome=_outcome(same),
        closed_by=next((g.closed_by for g in same if g.closed_by), ""),
    )


def _users(same: Sequence[Gap]) -> str:
    """The names that gaps ask for, by the file that says them, with the lines that do."""
    by_file: dict[str, dict[str, int | None]] = {}
    for gap in same[:_NAMED]:
        user = gap.evidence[0]
        by_file.setdefault(user.path, {})[gap.follow_up] = user.line
    more = f" and {len(same) - _NAMED} more" if len(same) > _NAMED else ""
    places = [
        (", ".join(names), f"({path}:{', '.join(map(str, dict.fromkeys(names.values())))})")
        for path, names in by_file.items()
    ]
    if len(places) == 1:
        ((names, place),) = places
        return f"{names}{more} {place}"
    return ", ".join(f"{names} {place}" for names, place in places) + more


def _outcome(same: Sequence[Gap]) -> Outcome:
    """Of gaps shown as one: "" while one is not asked, else the best of theirs."""
    found = {g.outcome for g in same}
    order: tuple[Outcome, ...] = ("", "closed", "open", "absent")
    return next(outcome for outcome in order if outcome in found)
