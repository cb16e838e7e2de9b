"""JavaScript and TypeScript imports, also from Vue, Svelte and Astro components.

Node's and TypeScript's rules, as far as files of the repository can tell: relative paths with extensions and
folder indexes, `paths` and `baseUrl` of tsconfig/jsconfig, packages of the workspace by name with their
`exports`, `#imports`. Built files that are not in the repository stand for their sources.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from zeroin.imports.readconfig import read_json, text
from zeroin.imports.tree import MISSING, Found, Tree, ancestors, join
from zeroin.imports.tsconfig import TypeScriptConfigs
from zeroin.tree import Import

LANGUAGES = ("javascript", "typescript", "tsx", "jsx", "vue", "svelte", "astro")
_EXTENSIONS = (
    ".ts .tsx .d.ts .js .jsx .mjs .cjs .mts .cts .vue .svelte .astro .json .node .css .scss .less .coffee"
).split()
# An import names the file that the compiler writes; the source lies beside it.
_WRITTEN_FOR = {
    ".js": (".ts", ".tsx", ".d.ts", ".jsx"),
    ".jsx": (".tsx", ".ts"),
    ".mjs": (".mts", ".ts", ".d.mts"),
    ".cjs": (".cts", ".ts", ".d.cts"),
    ".d.ts": (".ts", ".tsx", ".js"),
}
_BUILT = re.compile(r"(^|/)(dist|build|lib|out|output|es|esm|cjs|umd|types|typings|_esm|_cjs)(?=/)")
_ENTRY_FIELDS = ("source", "types", "typings", "module", "svelte", "browser", "main")
_CONDITIONS = (
    "source", "development", "types", "svelte", "import", "module", "node", "browser", "require", "default"
)  # fmt: skip
# Aliases that bundlers set up in code, where no configuration file says so.
_USUAL_ALIASES = (("@/", ("src/", "", "app/")), ("~/", ("src/", "", "app/")), ("$lib/", ("src/lib/",)))
_MAX_TARGETS = 32  # targets of one `exports` entry that are tried


class EcmaScriptResolver:
    """Finds modules as Node, TypeScript and the usual bundlers do."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._docs = tree.docs
        self._packages: dict[str, dict[str, Any]] = {}  # folder → package.json
        self._by_name: dict[str, str] = {}  # package name → folder
        for doc in tree.named("package.json"):
            folder = tree.folder[doc]
            package = read_json(tree.config(tree.paths[doc]))
            self._packages[folder] = package
            name = text(package, "name")
            if name and "node_modules" not in folder.split("/"):
                self._by_name.setdefault(name, folder)
        self._configs = TypeScriptConfigs(tree, self._by_name)
        self._owner: dict[str, str | None] = {}
        self._seen: dict[tuple[str, str], Found] = {}

    def resolve(self, doc: int, imported: Import) -> Found:
        """The document that the specifier means, with none or one element."""
        key = (self._tree.folder[doc], imported.module)
        if key not in self._seen:
            self._seen[key] = self._find(*key)
        return self._seen[key]

    def _find(self, folder: str, module: str) -> Found:
        specifier = module.rpartition("!")[2].partition("?")[0]  # webpack loaders, Vite queries
        if not specifier or ":" in specifier[:12]:
            return None  # node:fs, https://…, npm:…
        if specifier.startswith("."):
            path = join(folder, specifier)
            found = self._file(path) if path is not None else None
            return MISSING if found is None else (found,)
        if specifier.startswith("#"):
            found = self._hash_import(folder, specifier)
            if found is not None:
                return (found,)
        found, matched = self._configs.find(folder, specifier, self._file)
        if found is not None:
            return (found,)
        name, rest = _split(specifier)
        if name in self._by_name:
            found = self._from_package(self._by_name[name], rest)
            return MISSING if found is None else (found,)
        usual = self._by_usual_alias(folder, specifier)
        if usual is not None:
            return usual
        return MISSING if matched or specifier.startswith("#") else None

    def _file(self, path: str) -> int | None:
        """The document at `path` by Node's and TypeScript's rules."""
        docs = self._docs
        found = docs.get(path)
        if found is not None:
            return found
        for extension in _EXTENSIONS:
            found = docs.get(path + extension)
            if found is not None:
                return found
        for written, sources in _WRITTEN_FOR.items():
            if path.endswith(written):
                stem = path[: -len(written)]
                for source in sources:
                    found = docs.get(stem + source)
                    if found is not None:
                        return found
        if path in self._tree.folders:
            if path in self._packages:
                for target in _entries(self._packages[path]):
                    inside = join(path, target)
                    if inside and inside != path and inside in docs:
                        return docs[inside]
            prefix = path + "/index" if path else "index"
            for extension in _EXTENSIONS:
                found = docs.get(prefix + extension)
                if found is not None:
                    return found
        return None

    def _package_of(self, folder: str) -> str | None:
        """The nearest folder with a package.json."""
        if folder not in self._owner:
            self._owner[folder] = next((up for up in ancestors(folder) if up in self._packages), None)
        return self._owner[folder]

    def _hash_import(self, folder: str, specifier: str) -> int | None:
        owner = self._package_of(folder)
        if owner is None:
            return None
        return self._first(owner, _mapped(self._packages[owner].get("imports"), specifier))

    def _from_package(self, folder: str, rest: str) -> int | None:
        """The document for `rest` ("" is the entry) of the package in `folder`."""
        package = self._packages[folder]
        exports = package.get("exports")
        targets = list(_mapped(exports, "./" + rest if rest else "."))
        if not rest:
            targets += _entries(package)
            targets += ["./src/index", "./index", "./src/main", "./lib/index", "./src"]
        else:
            targets += ["./" + rest, "./src/" + rest, "./lib/" + rest]
        return self._first(folder, targets)

    def _first(self, folder: str, targets: Iterable[str]) -> int | None:
        for target in targets:
            for candidate in _sources(target):
                path = join(folder, candidate)
                found = self._file(path) if path is not None else None
                if found is not None:
                    return found
        return None

    def _by_usual_alias(self, folder: str, specifier: str) -> Found:
        for alias, places in _USUAL_ALIASES:
            if specifier.startswith(alias):
                owners = [self._package_of(folder) or "", ""]
                for owner in dict.fromkeys(owners):
                    for place in places:
                        path = join(owner, place + specifier[len(alias) :])
                        found = self._file(path) if path is not None else None
                        if found is not None:
                            return (found,)
                return MISSING
        if "/" in specifier and not specifier.startswith("@"):  # `src/x` from the package's own folder
            owner = self._package_of(folder) or ""
            first = specifier.partition("/")[0]
            if f"{owner}/{first}".lstrip("/") in self._tree.folders:
                path = join(owner, specifier)
                found = self._file(path) if path is not None else None
                return None if found is None else (found,)
        return None


def _split(specifier: str) -> tuple[str, str]:
    """`@scope/name/rest` → (`@scope/name`, `rest`)."""
    parts = specifier.split("/")
    size = 2 if specifier.startswith("@") and len(parts) > 1 else 1
    return "/".join(parts[:size]), "/".join(parts[size:])


def _entries(package: dict[str, Any]) -> list[str]:
    return [value for field in _ENTRY_FIELDS if isinstance(value := package.get(field), str)]


def _mapped(exports: Any, specifier: str) -> Sequence[str]:
    """Targets that an `exports` or `imports` table gives to a specifier, in order of condition."""
    if exports is None:
        return ()
    if not isinstance(exports, dict) or not any(key.startswith((".", "#")) for key in exports):
        return _targets(exports, 0) if specifier == "." else ()
    if specifier in exports:
        return _targets(exports[specifier], 0)
    best, filled = "", ""
    for key in exports:
        head, star, tail = key.partition("*")
        if not star and key.endswith("/"):
            head, star = key, "*"  # folder mapping, deprecated in Node but still written
        if (
            star
            and specifier.startswith(head)
            and specifier.endswith(tail)
            and len(specifier) >= len(head) + len(tail)
            and len(head) > len(best.partition("*")[0])
        ):
            best, filled = key, specifier[len(head) : len(specifier) - len(tail)]
    if not best:
        return ()
    targets = _targets(exports[best], 0)
    return [t.replace("*", filled) if "*" in t else t + (filled if t.endswith("/") else "") for t in targets]


def _targets(value: Any, depth: int) -> list[str]:
    if isinstance(value, str):
        return [value]
    if depth > 6:
        return []
    found: list[str] = []
    if isinstance(value, list):
        for item in value[:8]:
            found += _targets(item, depth + 1)
    elif isinstance(value, dict):
        known = [key for key in _CONDITIONS if key in value]
        for key in (*known, *[key for key in value if key not in _CONDITIONS][:8]):
            found += _targets(value[key], depth + 1)
    return found[:_MAX_TARGETS]


def _sources(target: str) -> Iterable[str]:
    """A target of a package.json and the sources that it is built from."""
    yield target
    bare = target.removeprefix("./")
    for extension in (".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs"):
        if bare.endswith(extension):
            bare = bare[: -len(extension)]
            break
    yield bare
    built = _BUILT.search(bare)
    while built:  # dist/esm/x → src/esm/x, then src/x
        rest = bare[built.end() + 1 :]
        head = bare[: built.start()] + built[1]
        yield f"{head}src/{rest}"
        yield f"{head}{rest}"
        following = _BUILT.match(rest)
        if following is None:
            break
        bare, built = head + rest, _BUILT.search(head + rest)
