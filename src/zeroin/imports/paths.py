"""Languages that import files by path: C and C++, Ruby, Lua, Bash, Zig, Haxe, style sheets, Protocol Buffers and
others.

A path is looked up beside the importing file, at the top, and as the end of a path, the nearest first.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from zeroin.imports.tree import Found, Tree, join
from zeroin.patterns import lazy_pattern
from zeroin.tree import Import


class _Rule(NamedTuple):
    """How a path is looked up.

    `endings` may be left out of it; `beside` says whether it may start at the importing file or at the top; `below`
    are the folders that may precede it elsewhere, any if empty.
    """

    endings: tuple[str, ...] = ("",)
    beside: bool = True
    below: frozenset[str] = frozenset()


_PLAIN = _Rule()
_HEADER = _Rule(("", ".in"))  # x.h.in: the build fills it in
_SYSTEM_PATH = _Rule(("", ".in"), beside=False)
_SYSTEM = _Rule(("",), False, frozenset(("include", "inc", "includes", "src", "source", "lib", "Headers")))
# Headers of the C and C++ standards and of POSIX that repositories sometimes carry a copy of.
_STANDARD = frozenset(
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg "
    "stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype "
    "unistd fcntl pthread dirent dlfcn poll sched semaphore strings syslog termios utime windows".split()
)
_RUBY = _Rule((".rb", ""), False, frozenset(("lib", "spec", "test", "tests", "app", "ext", "features")))
_RUBY_FILE = _RUBY._replace(beside=True)
_LUA = _Rule((".lua", "/init.lua", ".luau", ""))
_LUA_BELOW = _Rule(_LUA.endings, False, frozenset(("lua", "src", "lib")))
_SHELL = _Rule(("", ".sh", ".bash", ".bats"))
_ANYWHERE = _Rule(beside=False)
_ZIG_GIVEN = frozenset(("std", "builtin", "root"))
# The part of a shell path that is known: what follows the last variable or substitution.
_SHELL_VARIABLE = lazy_pattern(r"(?:\$\{[^}]*\}|\$\([^)]*\)|\$\w+|`[^`]*`)+[\"']?")
_LEAN = _Rule(below=frozenset(("src", "lib")))  # the name of a module begins at the folder of the sources
_SHEET = _Rule(("", ".css", ".scss", ".sass", ".less", "/_index.scss", "/_index.sass"))

Lookups = Sequence[tuple[str, _Rule]]  # paths in the order in which they are tried


def _c(module: str, names: Sequence[str]) -> Lookups:
    path = module.replace("\\", "/")
    if "system" not in names:
        return [(path, _HEADER)]
    if "/" in path:
        return [(path, _SYSTEM_PATH)]
    return [] if path.partition(".")[0] in _STANDARD or "." not in path else [(path, _SYSTEM)]


def _ruby(module: str, names: Sequence[str]) -> Lookups:
    relative = "require_relative" in names or module.startswith(".")
    return [(module.removesuffix(".rb"), _RUBY_FILE if relative else _RUBY)]


def _lua(module: str, names: Sequence[str]) -> Lookups:
    path = module if "/" in module or module.endswith(".lua") else module.replace(".", "/")
    return [(path, _LUA_BELOW), (path, _LUA)]


def _bash(module: str, names: Sequence[str]) -> Lookups:
    if module.startswith(("/", "~", "<")):
        return []
    known = max((found.end() for found in _SHELL_VARIABLE.finditer(module)), default=0)
    path = module[known:].strip("\"'/")
    return [(path, _SHELL)] if path else []


def _zig(module: str, names: Sequence[str]) -> Lookups:
    if "." in module:  # a file, which may be one of data
        return [(module, _PLAIN)]
    return [] if module in _ZIG_GIVEN else [(f"{module}.zig", _ANYWHERE)]  # a module of build.zig


def _sheet(module: str, names: Sequence[str]) -> Lookups:
    path = module.removeprefix("~").partition("?")[0]
    folder, _, name = path.rpartition("/")
    return [(path, _SHEET), (f"{folder}/_{name}".lstrip("/"), _SHEET)]


def _dotted(ending: str) -> Callable[[str, Sequence[str]], Lookups]:
    """Return lookups of modules that are paths with dots: `flixel.math.FlxMath`, or what such a module holds."""

    def lookups(module: str, names: Sequence[str]) -> Lookups:
        path = module.replace(".", "/")
        return [(one + ending, _ANYWHERE) for one in (path, path.rpartition("/")[0]) if one]

    return lookups


def _by(*endings: str) -> Callable[[str, Sequence[str]], Lookups]:
    rule = _Rule(endings)
    return lambda module, names: [(module.lstrip("/"), rule)]


_LOOKUPS: Mapping[str, Callable[[str, Sequence[str]], Lookups]] = {
    **dict.fromkeys(("c", "cpp", "objc", "glsl", "yacc", "lex"), _c),
    **dict.fromkeys(("protobuf", "thrift", "html", "make", "php", "solidity", "dart"), _by("")),
    "ruby": _ruby,
    "lua": _lua,
    "bash": _bash,
    "zig": _zig,
    "gleam": lambda module, names: [(f"{module}.gleam", _ANYWHERE)],
    "haxe": _dotted(".hx"),
    "lean": lambda module, names: [(module.replace(".", "/") + ".lean", _LEAN)],
    "css": _sheet,
    "nix": _by("", "/default.nix"),
    "cmake": _by("", ".cmake", "/CMakeLists.txt"),
    "hcl": _by("", "/main.tf"),
}
LANGUAGES = tuple(_LOOKUPS)


class PathResolver:
    """Finds files beside the importing one, at the top, or by the end of their path."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def resolve(self, doc: int, imported: Import) -> Found:
        """Return the file that is meant, at most one."""
        module = imported.module.strip().strip("'\"<>")
        if not module or "://" in module[:12] or not module.isprintable():
            return ()
        lookups = _LOOKUPS[self._tree.languages[doc]](module, imported.names)
        return next((found for path, rule in lookups if (found := self._find(doc, path, rule))), ())

    def offered(self) -> Iterable[str]:
        """Return the names of files, without endings, and of folders, which may be imported for their index file."""
        folders = (folder.rpartition("/")[2] for folder in self._tree.folders)
        return (name.partition(".")[0] for name in (*self._tree.by_name, *folders))

    def wanted(self, doc: int, imported: Import) -> str:
        module = imported.module.strip().strip("'\"<>/").replace("\\", "/")
        if self._tree.languages[doc] == "lua" and "/" not in module:
            return module.removesuffix(".lua").rpartition(".")[2]
        return module.rpartition("/")[2].partition(".")[0]

    def _find(self, doc: int, path: str, rule: _Rule) -> Found:
        tree = self._tree
        for folder in (tree.folder[doc], "") if rule.beside else ():
            joined = join(folder, path)
            found = tree.at(*(joined + ending for ending in rule.endings)) if joined else ()
            if found and found[0] != doc:
                return found
        bare = join("", path) or path
        while bare.startswith("../"):
            bare = bare[3:]
        for ending in rule.endings if bare else ():
            found = tree.by_suffix(doc, bare + ending, rule.below)
            if found and found[0] != doc:
                return found
        return ()
