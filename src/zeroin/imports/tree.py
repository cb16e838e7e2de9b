"""The repository as resolvers see it: paths, folders, definitions and configuration files."""

import posixpath
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from zeroin.tree import Definition, Import

Read = Callable[[str], bytes | None]
Found = Sequence[int]  # documents, best first; empty where the import is not of this repository

FAN_OUT = 8  # files that one import may mean at most: a package is not its whole folder
MAX_CONFIG_BYTES = 512_000  # a larger configuration file is generated or hostile
MAX_CONFIGS = 5_000  # configuration files of one kind that are read
_MAX_PARTS = 300  # of a path, from its end, that are indexed: no import has more


class Resolver(Protocol):
    """One language family's way from an import to files."""

    def resolve(self, doc: int, imported: Import) -> Found:
        """Return the documents that the import in `doc` resolves to, best first."""

    def offered(self) -> Iterable[str]:
        """Return coarse names by which another tree may import documents of this one."""

    def wanted(self, doc: int, imported: Import) -> str:
        """Return the coarse name that another tree must offer to resolve the import; "" if none can."""


class Outward(NamedTuple):
    """The names that a tree offers to others and those that it wants, coarse ones (`Resolver`).

    `wants` maps a name to the imports that the tree does not resolve itself: (document, position among its imports).
    `configs` are the configuration files that its resolvers read.
    """

    offers: frozenset[str]
    wants: Mapping[str, tuple[tuple[int, int], ...]]
    configs: Mapping[str, bytes | None]


class Tree:
    """Documents 0 … D-1 by path, folder and name; built once and shared by all resolvers.

    `read` gives the bytes of configuration files by path. `names` gives the ids of identifiers that a document uses
    (`Facts.names`): with them, an import of a whole package resolves only to the files that the document uses.
    """

    def __init__(
        self,
        paths: Sequence[str],
        languages: Sequence[str],
        definitions: Callable[[int], Sequence[Definition]],
        read: Read,
        names: Callable[[int], NDArray[np.uint64]] | None = None,
    ) -> None:
        self.paths, self.languages, self.definitions = paths, languages, definitions
        self._read, self._names = read, names
        self.docs = {path: doc for doc, path in enumerate(self.paths)}
        self.folder: list[str] = []  # of each document, "" at the top
        self.name: list[str] = []
        self.by_name: dict[str, list[int]] = {}
        self.folders: set[str] = set()
        self._last: tuple[int, frozenset[int]] = (-1, frozenset())
        self._endings: dict[str, dict[str, list[int]]] = {}  # file name → ends of paths → documents
        self._below: dict[tuple[str, frozenset[str]], dict[str, list[int]]] = {}  # by suffix, then by folder
        for doc, path in enumerate(self.paths):
            folder, _, name = path.rpartition("/")
            self.folder.append(folder)
            self.name.append(name)
            self.by_name.setdefault(name, []).append(doc)
            while folder not in self.folders:
                self.folders.add(folder)
                folder = folder.rpartition("/")[0]

    def config(self, path: str) -> bytes | None:
        """Return the bytes of a configuration file; None where it is absent, unreadable or too large."""
        data = self._read(path)
        return data if data is not None and len(data) <= MAX_CONFIG_BYTES else None

    def named(self, name: str) -> list[int]:
        """Return the first documents of that file name, shallow ones first."""
        found = self.by_name.get(name, [])
        return sorted(found, key=self._depth_and_path)[:MAX_CONFIGS]

    def of(self, languages: Iterable[str]) -> list[int]:
        """Return all documents of these languages."""
        wanted = frozenset(languages)
        return [doc for doc, language in enumerate(self.languages) if language in wanted]

    def nearest(self, doc: int, found: Found, limit: int = 1) -> Found:
        """Return the documents of `found` that share the longest path with `doc`; `doc` itself only if it is alone."""
        if len(found) == 1:
            return found
        here = self.paths[doc].split("/")

        def distance(other: int) -> tuple[int, int, str]:
            path = self.paths[other]
            there = path.split("/")
            return -len(posixpath.commonprefix([here, there])), len(there), path

        return [other for other in sorted(found, key=distance) if other != doc][:limit]

    def at(self, *places: str | None) -> Found:
        """Return the document at the first of these paths that exists."""
        return next(((self.docs[place],) for place in places if place in self.docs), ())

    def by_suffix(self, doc: int, suffix: str, below: frozenset[str] = frozenset()) -> Found:
        """Return the document nearest to `doc` whose path ends with `suffix` (whole segments); `doc` if no other does.

        With `below`, what precedes the suffix must be nothing or end with one of these folders.
        """
        key = (suffix, below)
        if key not in self._below:
            self._below[key] = self._first_below(self._ending(suffix, below))
        itself: Found = ()
        for folder in ancestors(self.folder[doc]):
            for at in self._below[key].get(folder, ()):
                if at != doc:
                    return (at,)
                itself = (doc,)
        return itself

    def _ending(self, suffix: str, below: frozenset[str]) -> Iterable[int]:
        """Yield the documents that `by_suffix` chooses from, those with short paths first."""
        name = suffix.rpartition("/")[2]
        if name not in self._endings:
            endings = self._endings[name] = dict[str, list[int]]()
            for at in sorted(self.by_name.get(name, ()), key=self._depth_and_path):
                parts = self.paths[at].split("/")
                for start in range(max(0, len(parts) - _MAX_PARTS), len(parts)):
                    endings.setdefault("/".join(parts[start:]), []).append(at)
        for at in self._endings[name].get(suffix, ()):
            before = self.paths[at][: -len(suffix)].strip("/")
            if not below or not before or before.rpartition("/")[2] in below:
                yield at

    def _first_below(self, found: Iterable[int]) -> dict[str, list[int]]:
        """Return the first two documents below each folder: two, as one may be the document that asks."""
        first: dict[str, list[int]] = {}
        for at in found:
            for folder in ancestors(self.folder[at]):
                held = first.setdefault(folder, [])
                if len(held) == 2:
                    break  # so have all folders above it
                held.append(at)
        return first

    def _depth_and_path(self, doc: int) -> tuple[int, str]:
        return self.paths[doc].count("/"), self.paths[doc]

    def referenced(self, doc: int) -> frozenset[int] | None:
        """Return ids (`terms.term_id`) of the identifiers that a document uses; None where they are unknown."""
        if self._names is None:
            return None
        if self._last[0] != doc:  # imports are resolved document by document: remembering one is enough
            self._last = (doc, frozenset(self._names(doc).tolist()))
        return self._last[1]


def join(folder: str, path: str) -> str | None:
    """Return `path`, relative to `folder`, as a normalised path of the repository; None where it leaves it."""
    joined = posixpath.normpath(f"{folder}/{path}" if folder else path)
    if joined in (".", "/"):
        return ""
    if joined == ".." or joined.startswith("../"):
        return None
    return joined.lstrip("/")


def ancestors(folder: str, separator: str = "/") -> Iterable[str]:
    """Yield a folder, or a package, and all above it, ending with ""."""
    while folder:
        yield folder
        folder = folder.rpartition(separator)[0]
    yield ""


def module_name(path: str) -> str:
    """Return a file's name up to the first full stop inside it; of a package's own file the folder's name."""
    folder, _, name = path.rpartition("/")
    stem = name.lstrip(".").partition(".")[0]
    return folder.rpartition("/")[2] if stem in ("__init__", "index", "mod", "lib") and folder else stem
