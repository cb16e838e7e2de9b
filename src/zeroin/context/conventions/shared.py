"""What can be checked of two files: whether one imports or names the other, and what the two have in common."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, cached_property
from typing import NamedTuple

from zeroin.index.view import View
from zeroin.patterns import lazy_pattern, lines_with
from zeroin.tree import Definition
from zeroin.types import Role
from zeroin.wording import first_of

_MAX_CHARS = 200_000  # of a text that is looked through
_MIN_NAME, _MAX_NAMES = 4, 40  # letters of a name that identifies a file; names checked of one file
_COMMON_METHODS, _ALIKE = 3, 0.3  # least methods that two files share, and their share of the shorter list
_COMMON_MARKS = 2
_MOST_NAMED = 3
_REGISTERED = 3  # files of one folder that a list of them imports, at least
_CROWDED = 40  # files that import both: so many are checked for `_register`
_METHODS = frozenset({"method", "function"})
_SPACES = frozenset({"package", "namespace", "module"})  # names of places: many files lie in one
_DECORATED = frozenset({"python", "java", "kotlin", "scala", "typescript", "tsx", "javascript", "swift", "dart"})
_TYPE_WORDS = ("class", "struct", "interface", "object", "impl", "trait", "protocol", "module")
# The type that another extends or implements, in the usual languages.
_BASES = lazy_pattern(
    rf"[ \t]*(?:[\w@]+[ \t]+){{0,5}}(?:{'|'.join(_TYPE_WORDS)})\b[ \t]+"
    r"(?P<name>[\w.:]{1,200})[^\n({:]{0,80}?"
    r"(?:\((?P<python>[\w., \t]{1,200})\)[ \t]*:|<[ \t]*(?P<ruby>[A-Z][\w:]*)[ \t]*$"
    r"|\b(?:extends|implements|with|for)[ \t]+(?P<words>[\w., \t<>:]{1,200})"
    r"|:[ \t]*(?P<colon>[A-Z][\w., \t<>()]{0,200}))"
)
_DECORATOR = lazy_pattern(r"[ \t]*@([A-Za-z_][\w.]*)")
_EVERYWHERE = frozenset(
    (
        "object runnable serializable comparable cloneable iterable closeable autocloseable idisposable exception "
        "error enum abc protocol generic namedtuple any override test staticmethod classmethod property param "
        "return returns throws deprecated see since author suppress suppresswarnings nullable nonnull notnull "
        "jvmstatic abstractmethod dataclass overload inline type typedef private public link code todo final "
        "cached_property wraps doc moduledoc spec impl extends implements with for string int record struct class "
        "testonly visiblefortesting __init__ constructor init new main tostring equals hashcode setup teardown "
        "__repr__ __str__ __eq__ __hash__ initialize setter getter deleter close get set len size default clone "
        "fmt"
    ).split()
)


class _Traits(NamedTuple):
    """What one file can have in common with another."""

    names: frozenset[str]  # that it defines
    bases: Sequence[str]
    methods: Sequence[str]
    decorators: Sequence[str]


class Shared:
    """Compare the files of one tree, reading each only once; one that is not in the tree defines nothing."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._text = cache(lambda path: view.text(view.numbers[path])[:_MAX_CHARS])
        self._traits_of = cache(self._traits)

    @cached_property
    def _sizes(self) -> Counter[str]:
        """The number of files in each folder."""
        return Counter(path.rpartition("/")[0] for path in self.view.paths)

    def _defined_in(self, path: str) -> list[Definition]:
        symbols = self.view.snapshot.symbols
        return [one for doc in self.view.docs_of([path]) for one in symbols.of_document(doc)]

    def _traits(self, path: str) -> _Traits:
        defined, text = self._defined_in(path), self._text(path)
        decorated = self.view.snapshot.language(self.view.numbers[path]) in _DECORATED
        decorators = _decorators(text) if decorated else []
        return _Traits(frozenset(d.name for d in defined), _bases(text), _methods(defined), decorators)

    def imports(self, one: str, other: str) -> bool:
        """Tell whether the file `one` imports the other."""
        return self.view.doc_of(other) in self.view.snapshot.imports_of(self.view.numbers[one]).tolist()

    def importers(self, path: str) -> list[str]:
        """Return the files that import a file, in the order of their paths."""
        importers = map(self.view.snapshot.importers_of, self.view.docs_of([path]))
        return sorted(self.view.paths[i] for found in importers for i in found.tolist())

    def named(self, test: str, path: str) -> str:
        """Return a name in `test` that only the file `path` defines; "" if there is none."""
        text = self._text(test)
        for definition in self._defined_in(path)[:_MAX_NAMES]:
            name = definition.name
            if len(name) < _MIN_NAME or name.lower() in _EVERYWHERE:
                continue
            if definition.kind in _SPACES and not (definition.kind == "module" and _is_named_after(name, path)):
                continue
            if (name.islower() and name.isalpha()) or self._is_defined_elsewhere(name, path):
                continue  # a plain word, or defined elsewhere too
            if name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
                return name
        return ""

    def _is_defined_elsewhere(self, name: str, path: str) -> bool:
        """Tell whether a file of another stem (so no header of `path`) defines a name too; tests do not count."""
        snapshot = self.view.snapshot
        homes = snapshot.symbols.homes_of(name)
        stem = _stem(path)
        return any(_stem(self.view.paths[i]) != stem and snapshot.role(i) is not Role.TEST for i in homes)

    def common(self, one: str, other: str) -> tuple[list[str], list[str]]:
        """Return sentences on what makes two files similar (types, methods, decorators), and on who imports both."""
        mine, theirs = self._traits_of(one), self._traits_of(other)
        own = mine.names | theirs.names
        out = []
        if base := [b for b in mine.bases if b in theirs.bases and b not in own and not self._is_any_error(b)]:
            out.append(f"both build on {first_of(base, _MOST_NAMED)}")
        methods = [m for m in mine.methods if m in theirs.methods]
        fewer = min(len(theirs.methods), len(mine.methods))
        if len(methods) >= max(_COMMON_METHODS, _ALIKE * fewer):
            out.append(f"both define {first_of(methods, _MOST_NAMED)}")
        decorators = [d for d in mine.decorators if d in theirs.decorators]
        if len(decorators) >= _COMMON_MARKS:
            out.append(f"both use @{first_of(decorators, _MOST_NAMED, ', @')}")
        index = self._register(one, other)
        return out, [f"both are imported by {index}"] if index else []

    def _is_any_error(self, base: str) -> bool:
        """Tell whether a base is an error of the language or a library: files that raise their own are not alike."""
        return base.endswith(("Error", "Exception")) and not len(self.view.snapshot.symbols.rows_of(base))

    def together(self, one: str, other: str) -> int:
        """Return how many commits changed both."""
        here, there = (self.view.commits_of(self.view.numbers[path]) for path in (one, other))
        return len(here & there)

    def _register(self, one: str, other: str) -> str:
        """Return a file that imports both, and at least half the files of the folder of `one`; "" if there is none."""
        folder = one.rpartition("/")[0]
        snapshot, others = self.view.snapshot, set(self.importers(other))
        both = [path for path in self.importers(one) if path in others]
        beside = self._sizes[folder] if both else 0
        for path in both[:_CROWDED]:
            doc = self.view.numbers[path]
            near = [self.view.paths[i].rpartition("/")[0] for i in snapshot.imports_of(doc).tolist()]
            if snapshot.role(doc) is Role.IMPLEMENTATION and near.count(folder) >= max(_REGISTERED, beside / 2):
                return path
        return ""


def _decorators(text: str) -> list[str]:
    found = (_DECORATOR.match(line) for _, line in lines_with(text, "@"))
    names = dict.fromkeys(match[1] for match in found if match)
    return [n for n in names if n.rpartition(".")[2].lower() not in _EVERYWHERE]


def _bases(text: str) -> list[str]:
    found: list[str] = []
    for match in filter(None, (_BASES.match(line) for _, line in lines_with(text, *_TYPE_WORDS))):
        bases = match["python"] or match["ruby"] or match["words"] or match["colon"] or ""
        for word in re.findall(r"[A-Za-z_][\w.:]*", re.sub(r"<[^<>]*>|\([^()]*\)", " ", bases)):
            name = re.split(r"[.:]+", word)[-1]
            if len(name) > 2 and name[0].isupper() and name.lower() not in _EVERYWHERE:
                found.append(name)
    return list(dict.fromkeys(found))


def _methods(defined: Sequence[Definition]) -> list[str]:
    names = (d.name for d in defined if d.kind in _METHODS and d.end > d.start)
    plain = (n for n in names if n.lower() not in _EVERYWHERE and not n.startswith("__"))
    return [n for n in dict.fromkeys(plain) if len(n) > 2]


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _is_named_after(name: str, path: str) -> bool:
    """Tell whether a file is named after a module: `WemuxSupport` of `wemux_support.rb`."""
    return re.split(r"[.:]+", name)[-1].lower() == _stem(path).replace("_", "").lower()
