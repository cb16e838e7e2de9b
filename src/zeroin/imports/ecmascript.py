"""JavaScript and TypeScript imports, also from Vue, Svelte and Astro components.

Node's and TypeScript's rules, as far as files of the repository decide: relative paths with extensions and folder
indexes, `paths` and `baseUrl` of tsconfig/jsconfig, packages of the workspace by name with their `exports`,
`#imports`. An import of a built file that is not in the repository leads to its source.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

from zeroin.imports.readconfig import read_json, table, text
from zeroin.imports.tree import MAX_CONFIGS, Found, Tree, ancestors, join
from zeroin.patterns import lazy_pattern
from zeroin.tree import Import

LANGUAGES = ("javascript", "typescript", "tsx", "vue", "svelte", "astro")
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
_BUILT = lazy_pattern(r"^(?:\./)?(?:(?:dist|build|lib|out|output|es|esm|cjs|umd|types|typings|_esm|_cjs)/)+")
_COMPILED = lazy_pattern(r"(\.d)?\.[mc]?[tj]s$")
_CONDITIONS = "source development types svelte import module node browser require default".split()
_ENTRY_FIELDS = ("source", "types", "typings", "module", "svelte", "browser", "main")
_ENTRIES = ("src/index", "index", "src/main", "lib/index", "src")  # where package.json names none
# Aliases that are set up in a bundler's code, in no configuration file, and the folders of the package they stand for.
_ALIASES = {"@/": ("src/", "", "app/"), "~/": ("src/", "", "app/"), "$lib/": ("src/lib/",)}
_MAX_PATHS = 2_000  # of one tsconfig
_MAX_TARGETS = 200  # tried for one specifier, of those that configuration gives


class EcmaScriptResolver:
    """Finds modules as Node, TypeScript and the usual bundlers do."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._packages: dict[str, dict[str, Any]] = {}  # folder → package.json
        self._by_name: dict[str, str] = {}  # package name → folder
        for doc in tree.named("package.json"):
            folder = tree.folder[doc]
            package = read_json(tree.config(tree.paths[doc]))
            self._packages[folder] = package
            name = text(package, "name")
            if name and "node_modules" not in folder.split("/"):
                self._by_name.setdefault(name, folder)
        self._configs = _configs(tree)
        self._seen: dict[tuple[str, str], Found] = {}

    def resolve(self, doc: int, imported: Import) -> Found:
        """Return the document that the specifier resolves to, if any."""
        key = (self._tree.folder[doc], imported.module)
        if key not in self._seen:
            self._seen[key] = self._find(*key)
        return self._seen[key]

    def offered(self) -> Iterable[str]:
        return self._by_name

    def wanted(self, doc: int, imported: Import) -> str:
        return "" if imported.module.startswith((".", "#")) else _split(imported.module)[0]

    def _find(self, folder: str, module: str) -> Found:
        specifier = module.rpartition("!")[2].partition("?")[0]  # webpack loaders, Vite queries
        if not specifier or ":" in specifier[:12]:
            return ()  # node:fs, https://…, npm:…
        if specifier.startswith("."):
            return self._file(join(folder, specifier))
        above = list(ancestors(folder))
        owner = next((up for up in above if up in self._packages), "")  # folder of the importing package
        if specifier.startswith("#"):
            return self._first(owner, _mapped(self._packages.get(owner, {}).get("imports"), specifier))
        configs = (config for up in above for config in self._configs.get(up, ()))
        targets = chain.from_iterable(config.targets(specifier) for config in configs)
        found = next(filter(None, map(self._file, islice(targets, _MAX_TARGETS))), ())
        if found:
            return found
        name, rest = _split(specifier)
        if name in self._by_name:
            package = self._packages[self._by_name[name]]
            usual = [rest, f"src/{rest}", f"lib/{rest}"] if rest else [*_entries(package), *_ENTRIES]
            exported = _mapped(package.get("exports"), f"./{rest}" if rest else ".")
            return self._first(self._by_name[name], [*exported, *usual])
        for alias, places in _ALIASES.items():
            if specifier.startswith(alias):
                inside = [place + specifier[len(alias) :] for place in places]
                return self._first(owner, inside) or self._first("", inside)
        return ()

    def _file(self, path: str | None) -> Found:
        """Return the document at `path` by Node's and TypeScript's rules."""
        if path is None:
            return ()
        at = self._tree.at
        found = at(path, *(path + extension for extension in _EXTENSIONS))
        if found:
            return found
        for written, sources in _WRITTEN_FOR.items():
            if path.endswith(written):
                stem = path[: -len(written)]
                found = at(*(stem + source for source in sources))
                if found:
                    return found
        if path not in self._tree.folders:
            return ()
        entries = [join(path, target) for target in _entries(self._packages.get(path, {}))]
        prefix = path + "/index" if path else "index"
        return at(*entries, *(prefix + extension for extension in _EXTENSIONS))

    def _first(self, folder: str, targets: Iterable[str]) -> Found:
        """Return the document of the first target that exists, itself or as the source that it is built from."""
        for target in targets:
            bare = _COMPILED.sub("", target)
            for place in (target, bare, _BUILT.sub("src/", bare), _BUILT.sub("", bare)):
                found = self._file(join(folder, place))
                if found:
                    return found
        return ()


class _Config(NamedTuple):
    """A tsconfig or jsconfig: `base` is the folder of baseUrl, None where it is not set."""

    folder: str
    base: str | None
    paths: Mapping[str, Any]

    def targets(self, specifier: str) -> Iterator[str | None]:
        """Yield paths that a specifier may mean: of the exact pattern, of the longest patterns, below `base`."""
        matching = []
        for pattern in self.paths:
            before, star, after = pattern.partition("*")
            if pattern == specifier:
                matching.append((len(specifier) + 1, pattern, ""))
            elif star and specifier.startswith(before) and specifier[len(before) :].endswith(after):
                filled = specifier[len(before) : len(specifier) - len(after)]
                matching.append((len(before), pattern, filled))
        for _, pattern, filled in sorted(matching, reverse=True):
            written = self.paths[pattern]
            for target in written[:8] if isinstance(written, list) else ():
                if isinstance(target, str):
                    start = self.folder if self.base is None else self.base
                    yield join(start, target.replace("*", filled))
        if self.base is not None:
            yield join(self.base, specifier)


def _configs(tree: Tree) -> dict[str, list[_Config]]:
    """Return configurations by folder, shortest names first: tsconfig.json before tsconfig.app.json."""
    names = sorted((n for n in tree.by_name if is_config(n)), key=lambda name: (len(name), name))
    out: dict[str, list[_Config]] = {}
    for doc in [doc for name in names for doc in tree.named(name)][:MAX_CONFIGS]:
        folder = tree.folder[doc]
        options = table(read_json(tree.config(tree.paths[doc])), "compilerOptions")
        base = text(options, "baseUrl")
        paths = dict(list(table(options, "paths").items())[:_MAX_PATHS])
        if base or paths:
            out.setdefault(folder, []).append(_Config(folder, join(folder, base) if base else None, paths))
    return out


def is_config(name: str) -> bool:
    """Whether a file of that name may map module paths: a tsconfig or jsconfig."""
    return name.startswith(("tsconfig", "jsconfig")) and name.endswith(".json")


def _split(specifier: str) -> tuple[str, str]:
    """`@scope/name/rest` → (`@scope/name`, `rest`)."""
    parts = specifier.split("/")
    size = 2 if specifier.startswith("@") and len(parts) > 1 else 1
    return "/".join(parts[:size]), "/".join(parts[size:])


def _mapped(table: Any, specifier: str) -> Iterator[str]:
    """Yield the first targets of a specifier in `exports` or `imports` of a package.json."""
    return islice(_targets(table, specifier), _MAX_TARGETS)


def _targets(table: Any, specifier: str) -> Iterator[str]:
    """Yield targets of a specifier, those of the longest pattern first."""
    paths = isinstance(table, dict) and any(key.startswith((".", "#")) for key in table)
    rows = table.items() if paths else ((".", table),)
    for pattern, value in sorted(rows, key=lambda row: -len(row[0].partition("*")[0])):
        before, star, after = pattern.partition("*")
        filled = specifier[len(before) : len(specifier) - len(after)]
        if pattern == specifier or (star and before + filled + after == specifier):
            yield from (target.replace("*", filled) for target in _strings(value, 0))


def _strings(value: Any, depth: int) -> Iterator[str]:
    """Yield the targets in an entry with conditions, those of known conditions first."""
    if isinstance(value, str):
        yield value
    inner: Sequence[Any] = value if isinstance(value, list) else ()
    if isinstance(value, dict):
        known = [key for key in _CONDITIONS if key in value]
        inner = [value[key] for key in dict.fromkeys([*known, *value])]
    for item in inner[:16] if depth < 4 else ():
        yield from _strings(item, depth + 1)


def _entries(package: dict[str, Any]) -> list[str]:
    return [value for field in _ENTRY_FIELDS if isinstance(value := package.get(field), str)]
