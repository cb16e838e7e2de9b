"""For exploring: the file to read first of each component, and the documents that describe the whole."""

from __future__ import annotations

import re

import numpy as np

from zeroin.index.postings import Array
from zeroin.index.view import View
from zeroin.types import Query, Role

_ENTRY = re.compile(
    r"^(?:main|app|application|server|cli|__main__|__init__|index|lib|mod|core|api|init|program|engine|router)$",
    re.IGNORECASE,
)
_OVERVIEW = re.compile(
    r"^(?:readme|architecture|design|overview|hacking|contributing|structure|internals)\b", re.IGNORECASE
)
_ENTRY_BONUS = 0.5
_TOGETHER, _SIZE = 0.7, 0.2  # beside the logarithm of importers
_NEXT = 0.35  # what a component's second file is worth beside its first, its third beside its second …
_PER_COMPONENT = 3
_LEAST_LINES = 8  # a file of fewer is a mark (`__init__`, `py.typed`), no landmark
_SIZE_POWER = 0.25  # of a component's lines: a large part is more of the answer, but not in proportion


class Landmarks:
    """Hubs: per component the files that most others import and that import most; README and design documents."""

    name = "landmarks"

    def scores(self, query: Query, view: View) -> Array:
        snapshot = view.snapshot
        size = len(snapshot)
        scores = np.zeros(size, np.float32)
        if not size:
            return scores
        roles = [snapshot.role(doc) for doc in range(size)]
        importers = np.bincount(snapshot.import_targets, minlength=size).astype(np.float64)
        imports = np.bincount(snapshot.import_sources, minlength=size).astype(np.float64)
        lines = np.asarray(snapshot.lines, np.float64)
        # What others import and what puts others together: a leaf that everybody imports explains little.
        value = np.log1p(importers) + _TOGETHER * np.log1p(imports) + _SIZE * np.log1p(lines)
        defines = np.diff(snapshot.symbols.pointers) > 0  # what defines nothing is data, whatever its name
        members: dict[str, list[int]] = {}
        for doc, component in enumerate(view.components.values()):
            if (
                component
                and roles[doc] is Role.IMPLEMENTATION
                and defines[doc]
                and lines[doc] >= _LEAST_LINES
            ):
                stem = view.paths[doc].rpartition("/")[2].partition(".")[0]
                value[doc] += _ENTRY_BONUS * bool(_ENTRY.match(stem))
                members.setdefault(component, []).append(doc)
        weight = {c: float(max(1.0, lines[docs].sum())) ** _SIZE_POWER for c, docs in members.items()}
        most = max(weight.values(), default=1.0)
        for component, docs in members.items():
            docs.sort(key=lambda doc: (-value[doc], view.paths[doc]))
            for place, doc in enumerate(docs[:_PER_COMPONENT]):
                scores[doc] = (0.5 + 0.5 * weight[component] / most) * _NEXT**place
        for doc, path in enumerate(view.paths):
            folder, _, name = path.rpartition("/")
            if roles[doc] is Role.DOC and _OVERVIEW.match(name) and folder.count("/") == 0:
                top = not folder or folder in ("docs", "doc")
                scores[doc] = 0.9 if top and not name.lower().startswith("contributing") else 0.3
        return scores
