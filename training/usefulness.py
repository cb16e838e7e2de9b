"""How useful a file is for a mined task: 1 if the change edits it, 0.6 if it is needed to make the change, else 0.

A file is needed if it defines a symbol that the changed lines use (*defines*), if its code says the name of a symbol
that the change edits (*calls*), or if it is the changed test. Names stand for symbols, so a name counts only while it
is telling: of three characters or more, defined in at most three files; of a changed symbol at most ten callers are
looked at, more say nothing of any one of them. Both files must be near: two imports away or in one folder; a plain
word in lower case (`path`, `close`) may mean anything and asks for one import, or a package. Both rules read the
index of the parent commit and the patch alone.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

from training.changes import FilePatch, read_patches
from training.mined import Mined
from zeroin.index.view import View
from zeroin.terms import term_id
from zeroin.tree import Definition
from zeroin.types import Role

Need = Literal["defines", "calls"]
Patch = Mapping[str, FilePatch]

EDITED, NEEDED = 1.0, 0.6
MIN_NAME = 3
MAX_DEFINING, MAX_SAYING, MAX_CALLERS = 3, 60, 10
_HOPS = 2
# Types are seen without an import all over a package or a module.
_UNSAID = frozenset("java kotlin scala groovy csharp swift ruby elixir".split())
_PACKAGED = _UNSAID | {"go"}

# What one file may refer to in another without a foreign-function interface.
_FAMILIES = (
    frozenset("javascript typescript tsx vue svelte astro".split()),
    frozenset("java kotlin scala groovy".split()),
    frozenset("c cpp objc swift assembly".split()),
    frozenset("csharp fsharp visualbasic".split()),
    frozenset("elixir erlang".split()),
)
NO_CODE = frozenset("text markdown rst asciidoc latex html css csv json yaml toml ini xml diff dockerfile hcl".split())
# Constructors are called by the name of their type.
_CONSTRUCTORS = frozenset("__init__ __new__ constructor initialize __construct init new ctor".split())
_CONTAINERS = frozenset("module namespace package".split())  # whose name is said for everything in them
_HASH = frozenset("python ruby elixir bash perl r julia nim crystal make cmake powershell php fish tcl awk nix".split())
_DASH = frozenset("lua haskell sql elm ada purescript".split())
_COMMENT = {
    "hash": re.compile(r"(?:^|\s)#(?!\{).*$"),
    "dash": re.compile(r"(?:^|\s)--.*$"),
    "slash": re.compile(r"(?<!:)//.*$|/\*.*?(?:\*/|$)|^\s*\*(?:\s|/|$).*$"),
}
_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.){2,}'")
_PLAIN = re.compile(r"[a-z]+[?!]?")
_NAME = re.compile(r"[^\W\d]\w*[?!]?")


def patch_of(git_dir: Path, mined: Mined) -> Patch:
    """The patch of a task by the parent's paths; empty if there is none to read. Raises RepositoryError."""
    if not mined.change:
        return {}
    files = read_patches(git_dir, [mined.change]).get(mined.change, ())
    return {patch.file.path: patch for patch in files if patch.file.path}


def usefulness(view: View, mined: Mined, patch: Patch) -> dict[str, float]:
    """The usefulness of every file that has any, by path; of a task with a root those below it."""
    useful = dict.fromkeys(needed(view, mined, patch), NEEDED)
    useful.update(dict.fromkeys(mined.tests, NEEDED))
    useful.update(dict.fromkeys(mined.gold, EDITED))
    below = f"{mined.root}/" if mined.root else ""
    return {path: value for path, value in useful.items() if path.startswith(below)}


def needed(view: View, mined: Mined, patch: Patch) -> dict[str, Need]:
    """Files other than the edited ones that are needed to make the change, and why.

    A file that does both counts as defining.
    """
    gold = {doc for path in mined.gold if (doc := view.doc_of(path)) is not None}
    near = _linked(view, gold)
    out: dict[int, Need] = {}
    for doc in sorted(gold):
        file = patch.get(view.paths[doc])
        if file is None or view.snapshot.language(doc) in NO_CODE:
            continue
        for caller in _callers(view, doc, file, gold, near):
            out.setdefault(caller, "calls")
        for definer in _definers(view, doc, file, gold, near):
            out[definer] = "defines"
    tests = set(mined.tests)
    return {view.paths[doc]: why for doc, why in sorted(out.items()) if view.paths[doc] not in tests}


def _family(language: str) -> frozenset[str]:
    return next((family for family in _FAMILIES if language in family), frozenset((language,)))


def _counts(view: View, doc: int, family: frozenset[str]) -> bool:
    """Whether a file can be needed: code of the family that is no test and was not copied or generated."""
    return view.snapshot.language(doc) in family and view.snapshot.role(doc) in (Role.IMPLEMENTATION, Role.EXAMPLE)


def _linked(view: View, gold: set[int]) -> set[int]:
    """What can see the edited files or be seen by them: two imports away, or in their folder.

    Empty where no edited file has an import that is known (C#, Swift: a module's files see one another unsaid).
    """
    snapshot = view.snapshot
    seen, frontier = set(gold), set(gold)
    for _ in range(_HOPS):
        frontier = {
            int(other)
            for doc in frontier
            for others in (snapshot.imports_of(doc), snapshot.importers_of(doc))
            for other in others
        } - seen
        seen |= frontier
    if seen == gold:
        return set()
    folders = {view.paths[doc].rpartition("/")[0] for doc in gold}
    return seen | {doc for doc, path in enumerate(view.paths) if path.rpartition("/")[0] in folders}


def _beside(view: View, one: int, other: int) -> bool:
    """Whether files see one another without an import: in one folder, where the language makes it a package."""
    if view.snapshot.language(one) not in _PACKAGED:
        return False
    return view.paths[one].rpartition("/")[0] == view.paths[other].rpartition("/")[0]


def _definers(view: View, doc: int, file: FilePatch, gold: set[int], near: set[int]) -> Iterator[int]:
    language = view.snapshot.language(doc)
    family = _family(language)
    imported = set(view.snapshot.imports_of(doc).tolist())
    symbols = view.snapshot.symbols
    for name in sorted(names_of(file, language)):
        rows = symbols.rows_of(name)
        if not len(rows) or view.identifier_df(name) > MAX_SAYING:
            continue
        docs = {int(d) for d in symbols.docs[rows] if _counts(view, int(d), family) or int(d) in gold}
        if len(docs) > MAX_DEFINING or docs & gold:  # what the change itself defines needs no other file
            continue
        unsaid = not near or (language in _UNSAID and name[0].isupper())
        docs = docs & imported or (docs if unsaid else docs & near)
        yield from ({d for d in docs if d in imported or _beside(view, doc, d)} if _PLAIN.fullmatch(name) else docs)


def names_of(file: FilePatch, language: str) -> set[str]:
    """Identifiers on the changed lines of a file, removed or added, outside comments and strings."""
    comment = _COMMENT["hash" if language in _HASH else "dash" if language in _DASH else "slash"]
    out: set[str] = set()
    for line in file.text.decode("utf-8", "replace").split("\n"):
        if not line.startswith(("+", "-")):
            continue
        code = comment.sub(" ", _STRING.sub(' "" ', line[1:]))
        out.update(name for name in _NAME.findall(code) if len(name) >= MIN_NAME)
    return out


def _callers(view: View, doc: int, file: FilePatch, gold: set[int], near: set[int]) -> Iterator[int]:
    language = view.snapshot.language(doc)
    family = _family(language)
    symbols, names = view.snapshot.symbols, view.snapshot.names
    for name in sorted(changed_symbols(list(symbols.of_document(doc)), file.ranges)):
        defining = {int(d) for d in symbols.docs[symbols.rows_of(name)]}
        if len({d for d in defining if _counts(view, d, family)}) > MAX_DEFINING:
            continue
        users = {int(d) for d in names.docs[names.rows(term_id(name))]} - defining
        callers = {d for d in users if _counts(view, d, family)}
        if _PLAIN.fullmatch(name):
            importers = set(view.snapshot.importers_of(doc).tolist())
            callers = {d for d in callers if d in importers or _beside(view, doc, d)}
        if len(callers) <= MAX_CALLERS:
            unsaid = not near or (language in _UNSAID and name[0].isupper())
            yield from (callers if unsaid else callers & near) - gold


def changed_symbols(definitions: Iterable[Definition], ranges: Iterable[tuple[int, int]]) -> set[str]:
    """Names of the innermost definitions that hold a changed line; a constructor goes by its type's name."""
    found: set[str] = set()
    definitions = list(definitions)
    for first, last in ranges:
        for line in {first, last}:
            around = [d for d in definitions if d.start <= line <= d.end]
            if not around:
                continue
            inner = min(around, key=lambda d: (d.end - d.start, -d.start))
            name = inner.parent.rpartition(".")[2] if inner.name in _CONSTRUCTORS else inner.name
            if len(name) >= MIN_NAME and inner.kind not in _CONTAINERS:
                found.add(name)
    return found
