"""Paths, modules, trace frames and diffs of a query → documents; the stem that a test shares with its file."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, takewhile
from weakref import WeakKeyDictionary

from zeroin.corpus.languages import TEXT_LANGUAGES, language_of
from zeroin.corpus.roles import is_bookkeeping
from zeroin.index.view import View
from zeroin.patterns import lazy_pattern
from zeroin.types import Origin, PathMention, Query

_SEPARATORS = lazy_pattern(r"[\\/]+")
_MAX_MATCHES = 12
# Languages whose files people name by each other's extensions, as they are compiled to each other or belong together.
_RELATED = (frozenset({"c", "cpp", "objc"}), frozenset({"javascript", "typescript", "tsx", "vue", "svelte"}))
_MODULES = (Origin.SYMBOL, Origin.CODE)  # mentions that may be dotted names of modules: `torch.nn`, `./user.service`
_MARKS = lazy_pattern(r"(?:^(?:test|tests|spec|it)[_.-]|[_.-](?:test|tests|spec|specs|it|impl|inl|stories|mock)$)")
_CAMEL_MARKS = lazy_pattern(r"(?:^Test(?=[A-Z])|(?<=[a-z0-9])(?:Tests?|Specs?|IT|Suite|Impl)$)")


def locate(view: View, mention: PathMention) -> tuple[tuple[int, float], ...]:
    """Return documents that a mention can mean with a confidence in 0–1, best first.

    A path matches by its longest common tail of components; a dotted name (`pkg.mod.Class`) by the file or
    package that its longest prefix names. Confidence falls with the number of documents that match equally well.
    The name of a file means no file of another language: `main.rs` is not `main.go`.
    """
    raw = mention.path.strip().strip("./\\")
    if not raw:
        return ()
    parts = [p for p in _SEPARATORS.split(raw) if p not in ("", ".", "..")]
    found = _by_tail(view, parts) if len(parts) > 1 or "." in parts[-1] else []
    if not found and len(parts) == 1 and ("." in raw or "::" in raw):
        found = _by_module(view, [p for p in re.split(r"::|\.|#|\\", raw) if p])
        language = language_of(raw)
        if mention.origin is Origin.PATH or (mention.origin not in _MODULES and language != "text"):
            found = [(doc, share) for doc, share in found if _are_related(language, view.snapshot.language(doc))]
    if not found or len(found) > _MAX_MATCHES:
        return ()
    return tuple((doc, confidence / len(found) ** 0.5) for doc, confidence in found)


def not_found(query: Query, view: View) -> list[str]:
    """Return a warning if the task names paths of code, folder and all, whose last name no file has.

    A path that begins with no folder of the tree (`~/.local/share/…`) is one of the machine, or of a new folder.
    """
    out: dict[str, None] = {}
    for mention in query.paths:
        folder, _, name = mention.path.rpartition("/")
        known = name.lower() in view.by_name or (language_of(name) or "text") in TEXT_LANGUAGES
        if folder and not known and mention.origin is Origin.PATH:
            out[mention.path] = None
    folders = {part.lower() for path in (view.paths if out else ()) for part in path.split("/")[:-1]}
    out = {path: None for path in out if path.strip("./").partition("/")[0].lower() in folders}
    if not out:
        return []
    first, *others = out
    also = f" (nor are {len(others)} more)" if len(others) > 1 else f" (nor is {others[0]})" if others else ""
    return [f"{first}, which the task names, is not among the files searched here{also}"]


def changed_docs(query: Query, view: View) -> list[int]:
    """Return documents that the task's change touches, ascending; empty where the task is no diff."""
    return sorted(set(view.docs_of(mention.path for mention in query.paths if mention.origin is Origin.DIFF)))


def main_changed_docs(query: Query, view: View) -> list[int]:
    """Return changed documents without lock files, changelogs and the like, unless nothing else changed."""
    changed = changed_docs(query, view)
    return [doc for doc in changed if not is_bookkeeping(view.paths[doc])] or changed


def _by_tail(view: View, parts: Sequence[str]) -> list[tuple[int, float]]:
    wanted = [part.lower() for part in reversed(parts)]
    common: dict[int, int] = {}  # document → how many last components agree
    for doc in sorted(view.by_name.get(wanted[0], ())):
        pairs = zip(reversed(view.paths[doc].lower().split("/")), wanted, strict=False)
        common[doc] = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    longest = max(common.values(), default=0)
    if longest == 1 and len(parts) > 2 and len(common) > 1:
        return []  # only the file's name agrees, and the folders contradict it
    share = 1.0 if longest == len(parts) else 0.4 + 0.6 * longest / len(parts)
    return [(doc, share) for doc, size in common.items() if size == longest]


def _by_module(view: View, parts: Sequence[str]) -> list[tuple[int, float]]:
    modules = view.by_module
    for size in range(len(parts), 0, -1):
        for start in range(max(1, len(parts) - size + 1)):
            docs = modules.get("/".join(parts[start : start + size]).lower(), ())
            if docs and (size > 1 or len(docs) == 1):
                return [(doc, 0.5 + 0.5 * size / len(parts)) for doc in docs]
    return []


def _are_related(written: str, own: str) -> bool:
    """Tell whether a file name with the extension of one language can mean a file of the other."""
    return written == own or any({written, own} <= family for family in _RELATED)


@lru_cache(maxsize=1 << 16)  # asked of every path of a tree, in each cycle
def stem_key(path: str) -> str:
    """Return a file's name without suffix and marks of tests: equal for a test and the file that it tests."""
    stem = path.rpartition("/")[2].partition(".")
    name = stem[0] or path.rpartition("/")[2]
    middle = stem[2].rpartition(".")[0]  # `foo.test.ts`, `foo.spec.js`
    if middle and middle not in ("test", "spec", "tests", "stories", "mock", "d"):
        name = f"{name}.{middle}"
    bare = _CAMEL_MARKS.sub("", name) or name
    bare = _MARKS.sub("", bare) or bare
    return bare.lower().replace("_", "").replace("-", "")


class FilesByStem:
    """Finds documents by `stem_key` without computing the key of every path."""

    def __init__(self, paths: Sequence[str]) -> None:
        # All names in the spelling of `stem_key`, joined by NUL, which is in none.
        names = "\0".join(path[path.rfind("/") + 1 :] for path in paths)
        self._bare = names.lower().replace("_", "").replace("-", "")
        self._starts = list(accumulate((len(name) + 1 for name in self._bare.split("\0")), initial=0))
        self._paths = paths
        # The lower case of a non-ASCII letter may depend on its neighbours, so these paths are always checked.
        self._others = [] if self._bare.isascii() else [d for d, p in enumerate(paths) if not p.isascii()]

    def docs(self, key: str) -> list[int]:
        """Return the documents with a `stem_key`, ascending."""
        near, at = set(self._others), self._bare.find(key)
        while at >= 0:
            doc = bisect_right(self._starts, at) - 1
            near.add(doc)
            at = self._bare.find(key, self._starts[doc + 1])
        return [doc for doc in sorted(near) if stem_key(self._paths[doc]) == key]


_by_stem: WeakKeyDictionary[View, FilesByStem] = WeakKeyDictionary()


def docs_of_stem(view: View, key: str) -> list[int]:
    """Return documents whose path has a `stem_key`, ascending."""
    if view not in _by_stem:
        _by_stem[view] = FilesByStem(view.paths)
    return _by_stem[view].docs(key)
