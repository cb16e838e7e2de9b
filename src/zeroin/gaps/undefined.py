"""Gaps of names that a change uses and that no file defines: the file where they belong is to be changed, too."""

import posixpath

from zeroin.evaluate.undefined import PRECISION, Undefined, undefined_names
from zeroin.gaps.selection import GapForm, Selection
from zeroin.index.scope import in_scope
from zeroin.tree import Diff
from zeroin.types import Evidence, Gap, Search
from zeroin.wording import first_of

_NAMED = 3  # names of one file that a gap spells out


def gaps_of_change(selection: Selection, diff: Diff) -> list[Gap]:
    """Return one critical gap for each file that has to define a name which the change uses."""
    view = selection.view
    scope, irrelevant = in_scope(selection.query, view), set(selection.query.irrelevant)
    by_home: dict[int, list[Undefined]] = {}
    for one in undefined_names(diff, view):
        if scope[one.home] and view.paths[one.home] not in irrelevant:
            by_home.setdefault(one.home, []).append(one)
    return [
        _gap(view.paths[home], found, selection.relevance.get(view.paths[home], 0.0)) for home, found in by_home.items()
    ]


def _gap(home: str, found: list[Undefined], relevance: float) -> Gap:
    lines: dict[str, list[str]] = {}
    for one in found:
        lines.setdefault(one.written, []).append(f"{posixpath.basename(one.user)}:{one.line}")
    spelled = [f"{written} ({', '.join(where[:_NAMED])}, added)" for written, where in lines.items()]
    verb = "is" if len(spelled) == 1 else "are"
    names = tuple(dict.fromkeys(one.name for one in found))
    return Gap(
        "dependency",
        f"{first_of(spelled, _NAMED)} {verb} not defined yet; {posixpath.basename(home)} is the place",
        True,
        tuple(Evidence(one.user, one.line, one.name) for one in found[:_NAMED]),
        " ".join(names[:_NAMED]),
        Search(symbols=names, paths=(home,)),
        PRECISION,
        round(relevance, 4),
        GapForm.UNDEFINED,
    )
