"""What is missing beyond words and symbols depends on the purpose: tests, callers of a change, whole components."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from zeroin.index.locate import changed_docs
from zeroin.index.view import View
from zeroin.terms import term_id
from zeroin.types import Evidence, Gap, Judgment, Origin, Query, Role, Search, Task

_MAX_GAPS = 3  # of a kind: more is a list, not a need
_RARE_USERS = 6  # a name used in more files is common property: its users are not all at stake
_MIN_NAME = 4
_NAMED = 4  # components that one gap names
_LEAST_LINES = 8  # a smaller component is a mark, no part
_DEFINED = 1.0  # the weight of a symbol that the change itself defines


def gaps_of_purpose(task: Task, query: Query, in_hand: Sequence[Judgment], view: View) -> list[Gap]:
    """Gaps that only this purpose has, none of them critical; `in_hand` best first."""
    if task.purpose == "architecture":
        return components_missing(in_hand, view)
    if task.purpose == "review":
        return [*callers_missing(query, in_hand, view), *tests_missing(query, in_hand, view)]
    if task.purpose in ("fix", "feature"):
        return tests_missing(query, in_hand[:1], view, held=in_hand)
    return []


def tests_missing(
    query: Query, anchors: Sequence[Judgment], view: View, held: Sequence[Judgment] | None = None
) -> list[Gap]:
    """Tests that import an anchor while none of its tests is in hand: of a change its files, else the best file."""
    in_hand = {j.path for j in (anchors if held is None else held)}
    changed = {view.paths[doc] for doc in changed_docs(query, view)}
    gaps = []
    for anchor in anchors:
        doc = view.doc_of(anchor.path)
        if doc is None or anchor.role is not Role.IMPLEMENTATION or (changed and anchor.path not in changed):
            continue
        tests = [
            view.paths[other]
            for other in view.snapshot.importers_of(doc).tolist()
            if view.snapshot.role(other) is Role.TEST
        ]
        if tests and not in_hand & set(tests):
            stem = anchor.path.rpartition("/")[2].partition(".")[0].lower()
            path = min(tests, key=lambda p: (stem not in p.lower(), p))
            need = f"{path} tests {anchor.path} and is not in hand"
            search = Search(paths=(path,), words=(stem, "test"))
            gaps.append(Gap("counterpart", need, False, (Evidence(path),), f"{stem} test", search))
    return gaps[:_MAX_GAPS]


def callers_missing(query: Query, in_hand: Sequence[Judgment], view: View) -> list[Gap]:
    """Files that use a rare name which the change defines or alters, and that are not in hand."""
    held = {doc for j in in_hand if (doc := view.doc_of(j.path)) is not None}
    changed = set(changed_docs(query, view))
    names = view.snapshot.names
    gaps: dict[int, Gap] = {}
    for mention in query.symbols:
        if mention.origin is not Origin.DIFF or mention.weight < _DEFINED or len(mention.name) < _MIN_NAME:
            continue
        rows = names.rows(term_id(mention.name))
        users = {int(doc) for doc in names.docs[rows]} - changed
        if not 0 < len(users) <= _RARE_USERS:
            continue
        for doc in sorted(users - held - set(gaps)):
            if view.snapshot.role(doc) in (Role.IMPLEMENTATION, Role.TEST):
                path = view.paths[doc]
                need = f"{path} uses {mention.name}, which the change touches, and is not in hand"
                search = Search(symbols=(mention.name,), paths=(path,))
                evidence = (Evidence(path, symbol=mention.name),)
                gaps[doc] = Gap("dependency", need, False, evidence, mention.name, search)
    return list(gaps.values())[:_MAX_GAPS]


def components_missing(in_hand: Sequence[Judgment], view: View) -> list[Gap]:
    """One gap that names the components, largest first, of which no file is in hand."""
    sizes: Counter[str] = Counter()
    for doc, component in enumerate(view.components.values()):
        if component and view.snapshot.role(doc) is Role.IMPLEMENTATION:
            sizes[component] += int(view.snapshot.lines[doc])
    sizes = Counter({c: lines for c, lines in sizes.items() if lines >= _LEAST_LINES})
    missing = sizes.keys() - {view.components.get(j.path, "") for j in in_hand}
    if not missing:
        return []
    largest = sorted(missing, key=lambda c: (-sizes[c], c))
    more = f" and {len(largest) - _NAMED} more" if len(largest) > _NAMED else ""
    need = f"of {len(sizes)} components, {', '.join(largest[:_NAMED])}{more} are not in hand"
    evidence = tuple(Evidence(component) for component in largest[:_NAMED])
    search = Search(paths=tuple(largest[:_NAMED]))
    return [Gap("aspect", need, False, evidence, largest[0].rstrip("/").rpartition("/")[2], search)]
