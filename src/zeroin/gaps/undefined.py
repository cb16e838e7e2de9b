"""Gaps of a change: a name that it uses and no file defines, an import of what it removes. Another file must change."""

import posixpath

from zeroin.evaluate.undefined import PRECISION, BrokenImport, Undefined, broken_imports, undefined_names
from zeroin.gaps.selection import GapForm, Selection
from zeroin.index.scope import in_scope
from zeroin.terms import shortened
from zeroin.tree import Diff
from zeroin.types import Evidence, Gap, Search
from zeroin.wording import first_of

_IMPORTS = 3  # of what the change removes, one a file
_NAMED = 3  # names of one file that a gap spells out


def gaps_of_change(selection: Selection, diff: Diff) -> list[Gap]:
    """Return one critical gap for each file that has to define a name which the change uses."""
    view = selection.view
    scope, irrelevant = in_scope(selection.query, view), set(selection.query.irrelevant)
    by_home: dict[int, list[Undefined]] = {}
    for one in undefined_names(diff, view):
        if scope[one.home] and view.paths[one.home] not in irrelevant:
            by_home.setdefault(one.home, []).append(one)
    broken = {one.doc: one for one in broken_imports(diff, view)[::-1]}  # the first of each file
    users = [one for doc, one in sorted(broken.items()) if scope[doc] and view.paths[doc] not in irrelevant]
    relevance = selection.relevance
    return [
        *(_gap(view.paths[home], found, relevance.get(view.paths[home], 0.0)) for home, found in by_home.items()),
        *(_import_gap(view.paths[one.doc], one, relevance.get(view.paths[one.doc], 0.0)) for one in users[:_IMPORTS]),
    ]


def _import_gap(path: str, broken: BrokenImport, relevance: float) -> Gap:
    does = "renames" if broken.renamed else "removes"
    return Gap(
        "dependency",
        f"{path}:{broken.line} imports {shortened(broken.written)}; the change {does} {broken.gone}",
        True,
        (Evidence(path, broken.line, broken.written), Evidence(text=broken.gone)),
        broken.written,
        Search(paths=(path,)),
        PRECISION,
        round(relevance, 4),
        GapForm.UNDEFINED,
    )


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
