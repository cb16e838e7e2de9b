"""What a change says of a candidate besides its words, and how its own files are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from zeroin.corpus.roles import role_of
from zeroin.evaluate.wording import line_of, listed
from zeroin.index.locate import core_of, telling_docs
from zeroin.index.view import View
from zeroin.terms import term_id
from zeroin.tree import Definition, DiffFile
from zeroin.types import Candidate, Edit, Evidence, Judgment, Origin, Query, Reason, Role, Span, SymbolMention

_MARGIN = 3  # lines around a changed line
_MAX_SPANS = 6

# Features that are 0 unless the task is a diff.
CHANGE_FEATURES: dict[str, str] = {
    "namesake": "called like a changed file, marks of tests aside, share of the best",
    "folder": "lies beside changed files, share of the best",
    "callers": "uses rare names that the change touches, share of the best",
    "cochange_rank": "1 / rank by co-change with the changed files",
    "counterpart": "1 for a test while no test is changed, for implementation while only tests are",
    "untouched_role": "1 for tests, documentation and so on if no changed file is of that role",
}

_MAX_USED = 3  # names of one reason
_DONE: Mapping[Edit, str] = {  # what a change does to a name that other files may depend on
    "signature": "whose definition the change alters",
    "removed": "which the change removes",
    "body": "at which the change is made",
}

CHANGE_GROUPS = ("namesake", "folder", "callers")  # features that are reasons of their own


def change_row(query: Query, candidate: Candidate, role: Role) -> dict[str, float]:
    """The features of one candidate by name; empty where the task is no diff."""
    kinds = {role_of(m.path) for m in query.paths if m.origin is Origin.DIFF}
    if not kinds:
        return {}
    row = {name: candidate.scores.get(name, 0.0) for name in ("namesake", "folder", "callers")}
    rank = candidate.ranks.get("cochange")
    row["cochange_rank"] = 1.0 / rank if rank else 0.0
    code = kinds & {Role.IMPLEMENTATION, Role.TEST}
    row["counterpart"] = float(
        len(code) == 1 and role in (Role.IMPLEMENTATION, Role.TEST) and role not in code
    )
    row["untouched_role"] = float(role is not Role.IMPLEMENTATION and role not in kinds)
    return row


def change_reason(group: str, query: Query, doc: int, view: View) -> Reason | None:
    """Why a file that is not of the change has to do with it: it is named alike, lies beside, or uses what changes."""
    changed = telling_docs(query, view)
    path = view.paths[doc]
    if group == "namesake":
        core = core_of(path)
        kin = next((view.paths[c] for c in changed if c != doc and core_of(view.paths[c]) == core), None)
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


def as_given(
    judgment: Judgment, changed: DiffFile, definitions: Sequence[Definition], last_line: int
) -> Judgment:
    """A changed file as the change gives it: surely relevant, with its changed lines as spans, in line order."""
    spans: list[Span] = []
    for start, end in changed.spans:
        low, high = max(1, start - _MARGIN), min(last_line, end + _MARGIN)
        if high < low:
            continue  # the tree that is asked about is not the one that the diff leads to
        # The line before a removed one belongs to the span and may lie outside: the last line decides.
        holder = min(
            (d for d in definitions if d.start <= end <= d.end), key=lambda d: d.end - d.start, default=None
        )
        name = "" if holder is None else f"{holder.parent}.{holder.name}" if holder.parent else holder.name
        if spans and low <= spans[-1].end + 1:
            before = spans.pop()
            low, name = before.start, ", ".join(dict.fromkeys(n for n in (before.symbol, name) if n))
        spans.append(Span(low, max(high, low), name, "changed", 1.0))
    lines = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in changed.spans[:3])
    text = "the change touches it" + (f", lines {lines}" if lines else "")
    more = "" if len(changed.spans) <= 3 else " …"
    evidence = Evidence(judgment.path, changed.spans[0][0] if changed.spans else None)
    return replace(
        judgment,
        relevance=1.0,
        reasons=(Reason("change", text + more, (evidence,)),),
        spans=tuple(spans[:_MAX_SPANS]),
        irrelevant_because="",
    )
