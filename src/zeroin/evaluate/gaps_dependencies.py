"""Gaps of the kind *dependency*: files that those in hand import, or that import them, tied to the task."""

from __future__ import annotations

from collections import defaultdict

from zeroin.evaluate.gaps_chance import Lead
from zeroin.evaluate.gaps_hand import Hand
from zeroin.types import Evidence, Role, Search

_MAX_FAN = 60  # a file that imports more, or is imported by more, is tied to everything
_LEAST_TIE = 0.02


def dependencies(hand: Hand) -> list[Lead]:
    """Rare modules that files in hand import (`imported`), and rare files that import those (`importer`)."""
    view, snapshot = hand.view, hand.view.snapshot
    found: dict[tuple[str, int], list[tuple[int, float]]] = defaultdict(list)
    for doc, judgment in hand.anchors:
        imported, importers = snapshot.imports_of(doc).tolist(), snapshot.importers_of(doc).tolist()
        for form, docs in (("imported", imported), ("importer", importers)):
            if len(docs) <= _MAX_FAN:
                for other in docs:
                    found[form, other].append((doc, judgment.relevance))
    leads = []
    for (form, other), sources in found.items():
        if (
            other in hand.closed
            or hand.ties[other] < _LEAST_TIE
            or snapshot.role(other) is not Role.IMPLEMENTATION
        ):
            continue
        users = len(snapshot.importers_of(other))
        if form == "imported" and users > hand.rare:
            continue
        path, best = view.paths[other], view.paths[sources[0][0]]
        user, used = (sources[0][0], path) if form == "imported" else (other, best)
        need = f"{best} imports {path}" if form == "imported" else f"{path} imports {best}"
        need += (
            ", which words of the task name," if form == "imported" else " and is named by words of the task,"
        )
        need += " and is not in hand"
        evidence = (Evidence(view.paths[user]), Evidence(used))
        signs = hand.signs([other], max(relevance for _, relevance in sources))
        search = Search(paths=(path,))
        leads.append(Lead(form, "dependency", need, evidence, path, search, signs, (user, stem_of(used))))
    return sorted(leads, key=lambda lead: (-lead.signs["tie"], lead.need))


def stem_of(path: str) -> str:
    """A file's name up to the first full stop inside it; of a package's own file the folder's name."""
    folder, _, name = path.rpartition("/")
    stem = name.lstrip(".").partition(".")[0]
    return folder.rpartition("/")[2] if stem in ("__init__", "index", "mod", "lib") and folder else stem
