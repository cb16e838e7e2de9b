"""Languages that import files by path: Bash, Lua, Zig, style sheets, Protocol Buffers and their like."""

from __future__ import annotations

import re
from itertools import pairwise

from zeroin.imports.tree import MISSING, Found, Tree, join
from zeroin.tree import Import

# What a language may leave out at the end of a path.
_ENDINGS: dict[str, tuple[str, ...]] = {
    "bash": ("", ".sh", ".bash", ".bats"),
    "lua": (".lua", "/init.lua", ".luau", ".tl", ""),
    "zig": ("", ".zig"),
    "css": ("", ".css"),
    "scss": ("", ".scss", ".sass", ".css", "/_index.scss", "/index.scss"),
    "sass": ("", ".sass", ".scss", ".css"),
    "less": ("", ".less", ".css"),
    "protobuf": ("",),
    "html": ("",),
    "thrift": ("",),
    "nix": ("", "/default.nix"),
    "make": ("",),
    "cmake": ("", ".cmake", "/CMakeLists.txt"),
    "hcl": ("", "/main.tf"),
}
LANGUAGES = tuple(_ENDINGS)
_SHEETS = frozenset(("css", "scss", "sass", "less"))
_ZIG_GIVEN = frozenset(("std", "builtin", "root"))
_LUA_ROOTS = ("lua", "src", "lib", "")
# The part of a shell path that is known: what follows the last variable or substitution.
_SHELL_VARIABLE = re.compile(r"(?:\$\{[^}]*\}|\$\([^)]*\)|\$\w+|`[^`]*`)+[\"']?")
# Zig: a module's name and its root file, in any order of the usual build calls.
_ZIG_MODULE = re.compile(
    r'(?:addModule|createModule|addAnonymousModule)\(\s*"([\w.-]{1,80})"[^;]{0,300}?"([\w./-]{1,200}\.zig)"'
)


class PathResolver:
    """Finds files beside the importing one, at the top, or by the end of their path."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._zig: dict[str, int] = {}
        for doc in tree.named("build.zig"):
            source = (tree.config(tree.paths[doc]) or b"").decode("utf-8", "replace")
            for name, path in _ZIG_MODULE.findall(source):
                at = tree.docs.get(join(tree.folder[doc], path) or "")
                if at is not None:
                    self._zig.setdefault(name, at)
        self._lua_tops = self._tops()

    def resolve(self, doc: int, imported: Import) -> Found:
        """The file that is meant, at most one."""
        language = self._tree.languages[doc]
        module = imported.module.strip().strip("'\"")
        if not module or "://" in module[:12]:
            return None
        if language == "lua":
            return self._lua(doc, module)
        if language == "zig":
            return self._zig_import(doc, module)
        if language == "bash":
            return self._shell(doc, module)
        if language in _SHEETS:
            return self._sheet(doc, module)
        found = self._plain(doc, module.lstrip("/"))
        if found is None and language == "protobuf" and module.startswith("google/protobuf/"):
            return None
        return MISSING if found is None else (found,)

    def _plain(self, doc: int, path: str) -> int | None:
        tree = self._tree
        endings = _ENDINGS[tree.languages[doc]]
        for base in dict.fromkeys((tree.folder[doc], "")):
            joined = join(base, path)
            if joined:
                for ending in endings:
                    found = tree.docs.get(joined + ending)
                    if found is not None and found != doc:
                        return found
        bare = join("", path) or path
        while bare.startswith("../"):
            bare = bare[3:]
        for ending in endings:
            found = tree.by_suffix(doc, bare + ending) if bare else None
            if found is not None and found != doc:
                return found
        return None

    def _shell(self, doc: int, module: str) -> Found:
        variables = list(_SHELL_VARIABLE.finditer(module))
        known = module[variables[-1].end() :] if variables else module
        path = known.strip("\"'").lstrip("/")
        if not path or module.startswith("<") or (module.startswith(("/", "~")) and not variables):
            return None
        found = self._plain(doc, path)
        if found is not None:
            return (found,)
        return None if variables else MISSING

    def _lua(self, doc: int, module: str) -> Found:
        path = module if "/" in module or module.endswith(".lua") else module.replace(".", "/")
        tree = self._tree
        for root in _LUA_ROOTS:
            for ending in _ENDINGS["lua"]:
                found = tree.docs.get(f"{root}/{path}{ending}" if root else path + ending)
                if found is not None:
                    return (found,)
        first = path.partition("/")[0]
        if first in self._lua_tops or path.startswith("."):
            found = self._plain(doc, path)
            return MISSING if found is None else (found,)
        return None

    def _tops(self) -> set[str]:
        """First segments that a Lua module of this repository can have."""
        tops = set()
        for doc in self._tree.of(("lua",)):
            parts = self._tree.paths[doc].removesuffix(".lua").split("/")
            tops.add(parts[0])
            tops.add(parts[-1])
            tops.update(below for above, below in pairwise(parts) if above in _LUA_ROOTS)
        return tops - {"init"}

    def _zig_import(self, doc: int, module: str) -> Found:
        if module in self._zig:
            return (self._zig[module],)
        if module in _ZIG_GIVEN or not module.endswith(".zig"):
            return None
        path = join(self._tree.folder[doc], module)
        found = self._tree.docs.get(path) if path else None
        return MISSING if found is None else (found,)

    def _sheet(self, doc: int, module: str) -> Found:
        path = module.removeprefix("~").partition("?")[0]
        if path.startswith("sass:"):
            return None
        folder, _, name = path.rpartition("/")
        partial = f"{folder}/_{name}" if folder else f"_{name}"
        for candidate in (path, partial):
            found = self._plain(doc, candidate)
            if found is not None:
                return (found,)
        return MISSING if module.startswith(".") else None
