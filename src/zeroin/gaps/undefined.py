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
    named = [(view.paths[home], found) for home, found in by_home.items()]
    importing = [(view.paths[one.doc], one) for one in users[:_IMPORTS]]
    relevance = selection.relevance
    return [
        *(_of_names(path, found, relevance.get(path, 0.0)) for path, found in named),
        *(_of_import(path, one, relevance.get(path, 0.0)) for path, one in importing),
    ]


def _of_import(path: str, broken: BrokenImport, relevance: float) -> Gap:
    does = "renames" if broken.renamed else "removes"
    need = f"{path}:{broken.line} imports {shortened(broken.written)}; the change {does} {broken.gone}"
    evidence = (Evidence(path, broken.line, broken.written), Evidence(text=broken.gone))
    return _gap(need, evidence, broken.written, Search(paths=(path,)), relevance)


def _of_names(home: str, found: list[Undefined], relevance: float) -> Gap:
    lines: dict[str, list[str]] = {}
    for one in found:
        lines.setdefault(one.written, []).append(f"{posixpath.basename(one.user)}:{one.line}")
    spelled = [f"{written} ({', '.join(where[:_NAMED])}, added)" for written, where in lines.items()]
    verb = "is" if len(spelled) == 1 else "are"
    names = tuple(dict.fromkeys(one.name for one in found))
    need = f"{first_of(spelled, _NAMED)} {verb} not defined yet; {posixpath.basename(home)} is the place"
    evidence = tuple(Evidence(one.user, one.line, one.name) for one in found[:_NAMED])
    return _gap(need, evidence, " ".join(names[:_NAMED]), Search(symbols=names, paths=(home,)), relevance)


def _gap(need: str, evidence: tuple[Evidence, ...], follow_up: str, search: Search, relevance: float) -> Gap:
    form = GapForm.UNDEFINED
    return Gap("dependency", need, True, evidence, follow_up, search, PRECISION, round(relevance, 4), form)
