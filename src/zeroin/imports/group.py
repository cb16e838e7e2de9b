"""Documents that are imported together: a Go package, a C# namespace, a wildcard import.

An import resolves to the files that define names which the importing file uses; where those are unknown, or none
matches, to the files that define most.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property

from zeroin.imports.tree import FAN_OUT, Tree
from zeroin.terms import term_id

# Files that are taken where the importing file's names are known and none is defined in the group.
_UNMATCHED = 2


class Group:
    """Documents that one import brings in together; `visible` says whether a name can be imported."""

    def __init__(self, tree: Tree, docs: Sequence[int], visible: Callable[[str], bool] = bool) -> None:
        self._tree, self._docs, self._visible = tree, docs, visible

    def choose(self, doc: int) -> Sequence[int]:
        """Return at most `FAN_OUT` documents that `doc` needs of this group, best first, never `doc` itself."""
        limit, used = FAN_OUT, self._tree.referenced(doc)
        if used is not None and len(self._docs) > 1:
            names = self._definers.keys() & used
            counts = Counter(definer for name in names for definer in self._definers[name] if definer != doc)
            if counts:
                return sorted(counts, key=lambda d: (-counts[d], self._tree.paths[d]))[:FAN_OUT]
            limit = _UNMATCHED
        return [other for other in self._largest if other != doc][:limit]

    @cached_property
    def _largest(self) -> Sequence[int]:
        """The files that define most, one more than are taken: one may be the document that asks."""
        tree = self._tree
        return sorted(self._docs, key=lambda d: (-len(tree.definitions(d)), tree.paths[d]))[: FAN_OUT + 1]

    @cached_property
    def _definers(self) -> dict[int, list[int]]:
        """The files that define a name, by its id; a name with many definers does not narrow the choice."""
        definers: dict[int, list[int]] = {}
        for doc in self._docs:
            spaces = {""}  # members of a package or namespace count as top-level
            names: set[str] = set()
            for definition in self._tree.definitions(doc):
                if definition.kind in ("package", "namespace"):
                    spaces.add(definition.name)
                elif definition.parent in spaces and self._visible(definition.name):
                    names.add(definition.name)
            for name in names:
                definers.setdefault(term_id(name), []).append(doc)
        return {name: docs for name, docs in definers.items() if len(docs) <= FAN_OUT}
