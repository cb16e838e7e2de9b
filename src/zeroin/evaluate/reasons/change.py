"""Reasons that tie a file to the change under review."""

from __future__ import annotations

from collections.abc import Mapping

from zeroin.evaluate.reasons.wording import line_of, listed
from zeroin.index.locate import stem_key, telling_docs
from zeroin.index.view import View
from zeroin.terms import term_id
from zeroin.types import Edit, Evidence, Origin, Query, Reason, SymbolMention

_MAX_USED = 3  # names of one reason
_DONE: Mapping[Edit, str] = {  # what a change does to a name that other files may depend on
    "signature": "whose definition the change alters",
    "removed": "which the change removes",
    "body": "at which the change is made",
}

CHANGE_GROUPS = ("namesake", "folder", "callers")  # features that are reasons of their own


def change_reason(group: str, query: Query, doc: int, view: View) -> Reason | None:
    """Why a file that is not of the change has to do with it: it is named alike, lies beside, or uses what changes."""
    changed = telling_docs(query, view)
    path = view.paths[doc]
    if group == "namesake":
        core = stem_key(path)
        kin = next((view.paths[c] for c in changed if c != doc and stem_key(view.paths[c]) == core), None)
        return (
            Reason("name", f"is named like {kin}, which the change touches", (Evidence(kin),))
            if kin
            else None
        )
    if group == "folder":
        folder = path.rpartition("/")[0]
        near = next((view.paths[c] for c in changed if view.paths[c].rpartition("/")[0] == folder), None)
        return (
            Reason("path", f"lies beside {near}, which the change touches", (Evidence(near),))
            if near
            else None
        )
    return _uses(query, doc, view)


def _uses(query: Query, doc: int, view: View) -> Reason | None:
    """The rare names of the change that a file says, each with its line; what the change does to them comes first."""
    names, text, path = view.snapshot.names, view.text(doc), view.paths[doc]
    used: list[tuple[bool, float, str, SymbolMention]] = []
    for mention in query.symbols:
        if mention.origin is Origin.DIFF and doc in names.docs[names.rows(term_id(mention.name))]:
            worth = mention.weight * names.idf(term_id(mention.name))
            used.append((mention.edit not in _DONE, -worth, mention.name, mention))
    own = {definition.name for definition in view.snapshot.symbols.of_document(doc)}
    told: dict[tuple[str, Edit], list[Evidence]] = {}
    for *_, mention in sorted(used, key=lambda u: u[:3])[:_MAX_USED]:
        line = line_of(mention.name, text)
        if line is not None:
            edit = mention.edit if mention.edit in _DONE else ""
            verb = "has its own" if mention.name in own else "uses"
            told.setdefault((verb, edit), []).append(Evidence(path, line, mention.name))
    if not told:
        return None
    parts = [
        f"{verb} {listed(found)}, {_DONE.get(edit, 'as the change does')}"
        for (verb, edit), found in told.items()
    ]
    return Reason("symbol", "; ".join(parts), tuple(e for found in told.values() for e in found))
