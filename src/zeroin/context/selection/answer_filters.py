"""Which gaps and terms an answer shows: weak pairs and repeated gaps help the search, not the reader."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from zeroin.evaluate.languages import strangers
from zeroin.gaps.absence import CONTRACTIONS
from zeroin.gaps.selection import GapForm
from zeroin.terms import STOPWORDS
from zeroin.types import CERTAINTIES, LOW, MEDIUM, Expansion, Gap, Outcome, Purpose, Search

MAX_TERMS = 10
MAX_GAPS = 3  # of 12 behind the third none helped (benchmarks/NOTES.md)
# Forms whose detector has itself proved that the words are absent from the tree …
_PROVED = frozenset({GapForm.UNMENTIONED, GapForm.UNKNOWN_SYMBOL})
_FOUND = frozenset({GapForm.QUOTED, GapForm.PART})  # … and forms shown even beside a relevant file
# Least relevance of a missing file that is shown, where a listed file of at least `LOW` needs it: form, precision and
# task predict no more (benchmarks/NOTES.md, "What makes a gap useful"). In reviews it is `LOW`: few gaps are useful.
_MAY_MATTER = 0.08
_MIN_WORD = 3
# Folders that every repository has: they are no word of this one.
_FOLDERS = frozenset({"src", "lib", "docs", "github"})
_NAMED = 3  # names of one file that a joined gap spells out
_OUTCOMES: tuple[Outcome, ...] = ("", "closed", "open", "absent")  # joined gaps have the first that one of them has


def shown_terms(terms: Sequence[Expansion]) -> tuple[Expansion, ...]:
    """Return the expansions that an answer shows, the surest first, then the strongest; at most `MAX_TERMS`.

    The task's own word in other capitals is none.
    """
    good = [t for t in terms if _is_word(t.task_word) and t.code_word.lower() not in _FOLDERS | STOPWORDS]
    good = [t for t in good if t.code_word.lower() != t.task_word.lower()]
    return tuple(sorted(good, key=lambda t: (CERTAINTIES.index(t.certainty), -t.weight))[:MAX_TERMS])


def _is_word(text: str) -> bool:
    """Whether a text has a word of 3 characters that is no number, stop word or part of a contraction."""
    words = [w.lower() for w in text.split()]
    return any(len(w) >= _MIN_WORD and not w.isdigit() and w not in CONTRACTIONS and w not in STOPWORDS for w in words)


def with_outcomes(gaps: Sequence[Gap], asked: Sequence[Gap]) -> tuple[Gap, ...]:
    """Return the gaps that no file closed, each with the outcome of its search if it was `asked`."""
    known = {gap.key: gap for gap in asked}
    out = []
    for gap in gaps:
        found = known.get(gap.key)
        # A file that is listed since it has to define a name does not define it.
        if found is not None and found.outcome == "closed" and gap.search.paths and gap.form != GapForm.UNDEFINED:
            continue
        if found is not None:  # a file that words found does not close a gap that was found again
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
    """Return the gaps that hold and that no `listed` file closes: critical ones first, then by their files' relevance.

    A gap with files is shown where an unlisted one may matter by its `relevance` and a listed file ≥ 0.2 needs it. One
    of words is shown where no listed file reaches 0.5 and a search of the tree proved that the words are absent.
    `language` gives the language of a path: a symbol that only files of an unrelated language define is a name clash.
    References that the same files would close are joined into one gap.
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
        if gap.form in (GapForm.CALLER, GapForm.UNDEFINED):
            is_open = gap.form == GapForm.UNDEFINED or bool(missing)
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
    """Return the files whose definitions the user of a symbol can refer to: none of an unrelated language."""
    user = language(gap.evidence[0].path)
    return tuple(dict.fromkeys(e.path for e in gap.evidence[1:] if not strangers(user, language(e.path))))


def _join(same: Sequence[Gap], homes: Sequence[str]) -> Gap:
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
        evidence=tuple(dict.fromkeys(e for g in same for e in g.evidence if e == g.evidence[0] or e.path in homes)),
        follow_up=" ".join(names[:_NAMED]),
        search=Search(symbols=tuple(names), paths=tuple(homes)),
        precision=max(g.precision for g in same),
        user_relevance=max(g.user_relevance for g in same),
        outcome=next(outcome for outcome in _OUTCOMES if any(g.outcome == outcome for g in same)),
    )


def _users(same: Sequence[Gap]) -> str:
    """List the names that gaps ask for, by the file that uses them, with the lines: `Store, Key (a.py:3, 9)`."""
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
