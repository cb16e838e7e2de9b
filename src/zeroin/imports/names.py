"""Languages that import by full name: Java, Kotlin, Scala, Groovy, C#, PHP, Elixir, Haskell.

Files declare names inside packages or namespaces. An import resolves to the files that declare the name; one of a
whole package to those of its files that the importing file uses.
"""

from collections.abc import Iterable
from itertools import islice

from zeroin.imports.group import Group
from zeroin.imports.paths import PathResolver
from zeroin.imports.tree import Found, Tree, ancestors
from zeroin.patterns import lazy_pattern
from zeroin.tree import Import

_MODULE_LANGUAGES = ("elixir", "haskell", "elm", "purescript")  # a module is imported, not the names in it
LANGUAGES = ("java", "kotlin", "scala", "groovy", "csharp", "php", *_MODULE_LANGUAGES)
_JVM = frozenset(LANGUAGES[:4])
_SPACES = frozenset(("package", "namespace"))
_MODULES = frozenset(("module", "protocol", "interface"))
_NOT_NAMES = frozenset(("*", "_", "given", "static", "type"))  # words of an import that are not names
_INCLUDES = frozenset(("require", "include"))
_WORD_START = lazy_pattern(r"(?<=[a-z0-9])(?=[A-Z])")
_MAX_DEPTH = 30  # parts of a name, and packages around a file, that are tried
_SAME_NAME = 3  # files that declare the same name (overloads, platforms, partial types) and are all meant


class NameResolver:
    """Finds the files that declare a name, a package or a module."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._paths = PathResolver(tree)
        self._files: dict[str, list[int]] = {}  # by full name that they declare
        self._scope: dict[int, str] = {}  # a file's package, or its first module
        members: dict[str, list[int]] = {}
        for doc in tree.of(LANGUAGES):
            names, spaces = self._declared(doc)
            for known, wanted in ((self._files, names), (members, spaces)):
                for name in dict.fromkeys(wanted):
                    known.setdefault(name, []).append(doc)
            if spaces:
                self._scope[doc] = spaces[-1 if tree.languages[doc] == "scala" else 0]
        self._groups = {name: Group(tree, docs) for name, docs in members.items()}

    def resolve(self, doc: int, imported: Import) -> Found:
        """Return files that declare what is imported, those nearest to `doc` first."""
        language = self._tree.languages[doc]
        if language == "php" and not _INCLUDES.isdisjoint(imported.names):
            return self._paths.resolve(doc, imported)
        module = _plain(language, imported.module)
        if language in _MODULE_LANGUAGES:
            module = module.removeprefix("Elixir.").replace("__MODULE__", self._scope.get(doc, ""))
            known = self._files.get(module)
            return self._tree.nearest(doc, known) if known else self._by_convention(doc, module)
        names = [n for n in imported.names if n not in _NOT_NAMES] if language in _JVM else []
        found = {file: None for name in names for file in self._lookup(doc, f"{module}.{name}")}
        return tuple(found) or self._lookup(doc, module)

    def offered(self) -> Iterable[str]:
        return map(_coarse, (*self._files, *self._groups))

    def wanted(self, doc: int, imported: Import) -> str:
        return _coarse(_plain(self._tree.languages[doc], imported.module))

    def _by_convention(self, doc: int, module: str) -> Found:
        """Find an Elixir module by its path, `A.TwoWords` in a/two_words.ex: its file may not have been parsed."""
        if self._tree.languages[doc] != "elixir" or "." not in module:
            return ()
        path = _WORD_START.sub("_", module).replace(".", "/").lower()
        return self._tree.by_suffix(doc, f"lib/{path}.ex")

    def _lookup(self, doc: int, name: str) -> Found:
        language, parts = self._tree.languages[doc], name.split(".")[:_MAX_DEPTH]
        # In Scala a name may also be relative to the file's package and to those around it.
        scope = self._scope.get(doc, "") if language == "scala" else ""
        for package in dict.fromkeys(("", *islice(ancestors(scope, "."), _MAX_DEPTH))):
            # A nested type or a member is declared where its outer type is.
            for size in range(len(parts), 0, -1):
                full = ".".join([package, *parts[:size]] if package else parts[:size])
                named = full in self._files
                if size == len(parts) and full in self._groups and not (named and language == "php"):
                    return self._groups[full].choose(doc)
                if named:
                    return self._tree.nearest(doc, self._files[full], _SAME_NAME)
        return ()

    def _declared(self, doc: int) -> tuple[list[str], list[str]]:
        """Return the full names that a file declares, and its packages or namespaces."""
        tree = self._tree
        language = tree.languages[doc]
        modules = language in _MODULE_LANGUAGES
        names: list[str] = []
        spaces: dict[str, str] = {}  # as definitions name their parent → full
        space = ""
        for definition in tree.definitions(doc):
            name = _plain(language, definition.name)
            if definition.kind in (_MODULES if modules else _SPACES):
                outer = space if language == "scala" else spaces.get(definition.parent, "")
                if outer and not name.startswith(outer + "."):
                    name = f"{outer}.{name}"
                spaces[definition.name] = space = name
            elif not definition.parent or definition.parent in spaces:
                inside = spaces.get(definition.parent, space)
                names.append(f"{inside}.{name}" if inside else name)
        if language in _JVM:
            names.append(f"{space}.{tree.name[doc].partition('.')[0]}")
            names = [name for name in names if "." in name]
        full = list(spaces.values())
        return (full, full) if modules else (names, full)


def _coarse(name: str) -> str:
    return ".".join(name.split(".")[:2])


def _plain(language: str, name: str) -> str:
    """Return a name with dots between its parts; PHP ignores case."""
    if language == "php":
        return name.strip("\\").replace("\\", ".").lower()
    return name.strip(";` ").replace(" ", "")
