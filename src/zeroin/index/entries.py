"""Entry points of programs, as manifests name them: scripts of Python and JavaScript packages, binaries of crates …

Manifests are untrusted data: few are read, of bounded size, and one that does not parse names nothing.
"""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

from zeroin.imports.readconfig import read_json, read_toml, table
from zeroin.patterns import lazy_pattern

_MAX_MANIFESTS = 60  # the nearest to the root
_MAX_CHARS = 200_000
_FEW_MAINS = 3
_MAX_NAMES, _MAX_NAME_CHARS = 20, 80  # entry points of a manifest, and characters of a name that are shown
_MANIFEST = lazy_pattern(
    r"^(?:pyproject\.toml|setup\.cfg|setup\.py|package\.json|Cargo\.toml|composer\.json|[\w.-]+\.gemspec)$"
)
_CONSOLE_SCRIPT = lazy_pattern(r"^[\s\"']{0,40}([\w.-]{1,80}) {0,4}= {0,4}([\w.]{1,200}):[\w.]{1,100}", re.MULTILINE)
_MAIN = lazy_pattern(
    r"(?:^|/)(?:cmd/(?:[\w.-]+/)?main\.go|main\.(?:go|rs|py|c|cc|cpp|cxx|swift|kt|dart|zig|lua|hs|ml)|__main__\.py|Main\.(?:hs|java|kt|scala)|Program\.cs|"
    r"(?:Application|App)\.(?:java|kt|scala))$"
)
_PROGRAMS = frozenset(("", "bin", "exe", "libexec"))  # folders that hold programs without an extension
_MAX_HEAD = 2_000  # characters of a README, in which its heading stands
_MARKUP = lazy_pattern(r"<[^>]{0,500}>|\([^)]{0,500}\)")  # tags and addresses
_SOURCES = ("src", "lib", "")  # folders that may hold the source of built files
_BUILT = lazy_pattern(r"^(?:\./)?(?:dist|build|lib|cjs|esm|es|out|umd)/(?:cjs/|esm/|es/|src/|node/|browser/)*")
_NAME = lazy_pattern(r"[a-z][a-z\d]+", re.IGNORECASE)
_SUFFIXES = (".ts", ".tsx", ".mts", ".js", ".mjs", ".cjs", ".jsx")


class EntryPoint(NamedTuple):
    """Why a file is an entry point: `what` it is, by which `manifest` ("" if by the file's name alone)."""

    what: str
    manifest: str

    @property
    def text(self) -> str:
        """The reason as part of a sentence."""
        return f"{self.what} by {self.manifest or 'its name'}"


def manifests_of(paths: Sequence[str]) -> list[str]:
    """Return the manifests that are read, those nearest to the root first."""
    found = (path for path in paths if _MANIFEST.match(posixpath.basename(path)))
    return sorted(found, key=lambda path: (path.count("/"), path))[:_MAX_MANIFESTS]


def entry_points(paths: Sequence[str], read: Callable[[str], str]) -> dict[str, EntryPoint]:
    """Return the files in which programs and packages begin; `read` gives a file's text, "" where it has none."""
    known = frozenset(paths)
    found: dict[str, EntryPoint] = {}
    for manifest in manifests_of(paths):
        folder = posixpath.dirname(manifest)
        for name, target in _named_by(posixpath.basename(manifest), read(manifest)[:_MAX_CHARS]):
            path = _file(folder, target, known)
            if path is not None:
                what = f"entry point `{name[:_MAX_NAME_CHARS]}`" if name else "main module"
                found.setdefault(path, EntryPoint(what, manifest))
    for path in paths:
        if path not in found and _MAIN.search(path):
            found[path] = EntryPoint("entry point", "")
    for path in _called_like_it(paths, read):
        found.setdefault(path, EntryPoint("program", ""))
    return found


def _called_like_it(paths: Sequence[str], read: Callable[[str], str]) -> list[str]:
    """Return the scripts without an extension that are called like the repository: other scripts build or test it."""
    folders = ((posixpath.split(path), path) for path in paths)
    scripts = {path: name.lower() for (folder, name), path in folders if folder in _PROGRAMS and "." not in name}
    readmes = (path for path in paths if scripts and path.lower().partition(".")[0] == "readme")
    named = {word for path in readmes for word in _NAME.findall(_heading(read(path)[:_MAX_HEAD]).lower())}
    return [path for path, name in scripts.items() if name in named and read(path).startswith("#!")]


def _heading(text: str) -> str:
    """Return the first heading of a README, before which badges may stand, or its first line with a name."""
    lines = [line for line in _MARKUP.sub("", text).split("\n") if _NAME.search(line)]
    return next((line for line in lines if line.startswith(("# ", "= "))), lines[0] if lines else "")


def program_starts(entries: Mapping[str, EntryPoint]) -> frozenset[str]:
    """Return the files where the repository's own programs begin: those of manifests, else its main files if few."""
    named = frozenset(path for path, entry in entries.items() if entry.manifest)
    return named or (frozenset(entries) if len(entries) <= _FEW_MAINS else frozenset())


def _named_by(manifest: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield (name, path or module) of each entry point in a manifest; a library's main module has the name ""."""
    data = text.encode("utf-8", "replace")
    if manifest == "pyproject.toml":
        found = _of_pyproject(read_toml(data))
    elif manifest == "Cargo.toml":
        found = _of_cargo(read_toml(data))
    elif manifest.endswith(".json"):
        found = chain(_of_json(named := read_json(data)), _of_psr_4(named))
    elif manifest.endswith(".gemspec"):
        found = iter([("", f"lib/{manifest.removesuffix('.gemspec')}.rb")])
    else:
        found = _of_setup(text)
    yield from islice(found, _MAX_NAMES)


def _of_setup(text: str) -> Iterator[tuple[str, str]]:
    at = text.find("console_scripts")
    if at >= 0:
        for match in _CONSOLE_SCRIPT.finditer(re.sub(r"[\[\],]", "\n", text[at : at + 4_000])):
            yield match[1], match[2]


def _of_pyproject(named: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for keys in (("project", "scripts"), ("tool", "poetry", "scripts")):
        for name, target in _items(table(named, *keys)):
            yield name, target.partition(":")[0]


def _of_cargo(named: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    package = table(named, "package")
    if not package:
        return
    for binary in named.get("bin", ()) if isinstance(named.get("bin"), list) else ():
        if isinstance(binary, dict) and isinstance(binary.get("path"), str):
            yield str(binary.get("name", "")), binary["path"]
    yield str(package.get("name", "")), "src/main.rs"
    library = table(named, "lib").get("path", "src/lib.rs")
    if isinstance(library, str):
        yield "", library


def _of_json(named: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    binaries = named.get("bin")
    if isinstance(binaries, str):
        yield str(named.get("name", "")), binaries
    elif isinstance(binaries, list):
        yield from ((posixpath.basename(b), b) for b in binaries if isinstance(b, str))
    else:
        yield from _items(binaries)
    for key in ("source", "main", "module"):
        if isinstance(named.get(key), str):
            yield "", named[key]
    if "name" in named and "exports" in named:
        exported = named["exports"]
        while isinstance(exported, dict) and exported:
            exported = exported.get(".") or exported.get("import") or exported.get("default") or None
        if isinstance(exported, str):
            yield "", exported


def _of_psr_4(named: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the class of a PHP package that is called like its namespace: the one that its users begin with."""
    for namespace, folder in _items(table(named, "autoload", "psr-4")):
        yield "", posixpath.join(folder, namespace.replace("\\", "/").strip("/").rpartition("/")[2] + ".php")


def _items(value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        yield from ((str(name), target) for name, target in value.items() if isinstance(target, str))


def _file(folder: str, target: str, known: frozenset[str]) -> str | None:
    """Return the file that an entry point names: the target itself, its module, or the source of a built file."""
    target = target.strip().removeprefix("./")
    if not target or len(target) > 300 or "\0" in target:
        return None
    for name in _spellings(target):
        path = posixpath.normpath(posixpath.join(folder, name))
        if path in known:
            return path
    return None


def _spellings(target: str) -> Iterator[str]:
    yield target
    if "/" not in target and not target.endswith(_SUFFIXES):  # a module of Python
        module = target.replace(".", "/")
        for place in ("src/", "", "lib/"):
            yield from (f"{place}{module}.py", f"{place}{module}/__init__.py")
    stem = posixpath.splitext(target)[0]
    yield from (stem + suffix for suffix in _SUFFIXES)
    yield from (f"{target}/index{suffix}" for suffix in _SUFFIXES)
    source = _BUILT.sub("", stem)
    names = (source, posixpath.basename(source).partition(".")[0], "index")
    for name in dict.fromkeys(names):
        yield from (posixpath.join(place, name + suffix) for place in _SOURCES for suffix in _SUFFIXES)
