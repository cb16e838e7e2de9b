"""Documents that are imported together: a Go package, a C# namespace, a wildcard import.

An import resolves to the files that define names which the importing file uses; where those are unknown, or none
matches, to the files that define most.
"""

from collections.abc import Callable, Sequence

from zeroin.imports.tree import FAN_OUT, Tree
from zeroin.terms import term_id

# Files that are taken where the importing file's names are known and none is defined in the group.
_UNMATCHED = 2


class Group:
    """Documents that one import brings in together; `visible` says whether a name can be imported."""

    def __init__(self, docs: Sequence[int], visible: Callable[[str], bool] | None = None) -> None:
        self.docs = docs
        self._visible = visible
        self._definers: dict[int, list[int]] | None = None
        self._names: frozenset[int] = frozenset()
        self._default: Sequence[int] | None = None
        self._docs = frozenset(docs)

    def choose(self, tree: Tree, doc: int) -> Sequence[int]:
        """Return at most `FAN_OUT` documents that `doc` needs of this group, best first, never `doc` itself."""
        limit = FAN_OUT
        used = tree.referenced(doc)
        if used is not None and len(self.docs) > 1:
            if self._definers is None:
                self._definers = self._index(tree)
                self._names = frozenset(self._definers)
            counts: dict[int, int] = {}
            for name in self._names & used:
                definers = self._definers[name]
                if len(definers) <= FAN_OUT:  # a name with many definers does not narrow the choice
                    for definer in definers:
                        counts[definer] = counts.get(definer, 0) + 1
            counts.pop(doc, None)
            if counts:
                return sorted(counts, key=lambda d: (-counts[d], tree.paths[d]))[:FAN_OUT]
            limit = _UNMATCHED
        if self._default is None:
            order = sorted(self.docs, key=lambda d: (-len(tree.definitions(d)), tree.paths[d]))
            self._default = order[: FAN_OUT + 1]
        if doc in self._docs:
            return [other for other in self._default if other != doc][:limit]
        return self._default[:limit]

    def _index(self, tree: Tree) -> dict[int, list[int]]:
        definers: dict[int, list[int]] = {}
        visible = self._visible
        for doc in self.docs:
            spaces = {""}  # members of a package or namespace count as top-level
            names: set[str] = set()
            for definition in tree.definitions(doc):
                if definition.kind in ("package", "namespace"):
                    spaces.add(definition.name)
                elif definition.parent in spaces and (visible is None or visible(definition.name)):
                    names.add(definition.name)
            for name in names:
                definers.setdefault(term_id(name), []).append(doc)
        return definers
