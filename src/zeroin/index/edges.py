"""Import edges of a snapshot: of all documents, of those whose edges an edit may change, between several trees."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from zeroin.imports.graph import (
    ImportResolver,
    is_import_config,
    outward_of,
    reading_definitions,
    reading_more,
    resolve_imports,
)
from zeroin.imports.tree import Outward, Read, Tree, module_name
from zeroin.index.join import Edit
from zeroin.index.postings import among
from zeroin.index.snapshot import Snapshot
from zeroin.tree import Definition, Import

_KEPT = 4_096  # documents whose definitions are cached


def with_imports(
    snapshot: Snapshot, read: Read, base: Snapshot | None = None, docs: NDArray[np.int32] | None = None
) -> Snapshot:
    """Return the snapshot with its import edges; with `docs` (`stale_documents`), others keep theirs from `base`.

    `read` as in `imports.tree.Tree`.
    """
    if base is not None and docs is not None and not len(docs):
        # Copies, since an array of the base keeps its whole file mapped.
        return replace(snapshot, import_sources=base.import_sources.copy(), import_targets=base.import_targets.copy())
    tree = _tree(snapshot, read, asked=docs)
    sources, targets = resolve_imports(tree, snapshot.imports_as_written, None if docs is None else docs.tolist())
    if base is not None and docs is not None:  # paths are the same, and so are the numbers of documents
        kept = ~among(base.import_sources, docs)
        sources = np.concatenate([base.import_sources[kept], sources])
        targets = np.concatenate([base.import_targets[kept], targets])
        order = np.lexsort((targets, sources))
        sources, targets = sources[order], targets[order]
    return replace(snapshot, import_sources=sources, import_targets=targets)


def outward(snapshot: Snapshot, read: Read) -> Outward:
    """Return the names that a tree offers to other trees and wants from them."""
    configs: dict[str, bytes | None] = {}

    def kept(path: str) -> bytes | None:
        return configs.setdefault(path, read(path))

    return outward_of(_tree(snapshot, kept), snapshot.imports_as_written, configs)


def with_imports_of(snapshot: Snapshot, parts: Sequence[tuple[str, Snapshot, Outward]]) -> Snapshot:
    """Return the snapshot of several trees below prefixes, of which none begins another, with their import edges.

    Edges within a tree are kept. Imports that a tree does not resolve are looked up in the trees that offer their name.
    """
    paths = snapshot.paths.tolist()
    firsts = [bisect_left(paths, prefix) for prefix, _, _ in parts]  # the documents of a tree stand together
    places = [np.arange(at, at + len(own), dtype=np.int32) for at, (_, own, _) in zip(firsts, parts, strict=True)]
    sources = [place[own.import_sources] for place, (_, own, _) in zip(places, parts, strict=True)]
    targets = [place[own.import_targets] for place, (_, own, _) in zip(places, parts, strict=True)]
    wanted = {name for _, _, out in parts for name in out.wants}
    offering: dict[str, list[int]] = {}
    for at, (_, _, out) in enumerate(parts):
        for name in out.offers & wanted:
            offering.setdefault(name, []).append(at)
    asked: dict[int, list[Import]] = {}
    involved = set[int]()
    for at, (place, (_, own, out)) in enumerate(zip(places, parts, strict=True)):
        for name in out.wants.keys() & offering.keys():
            if offering[name] != [at]:
                involved.update((at, *offering[name]))
                for doc, row in out.wants[name]:
                    asked.setdefault(int(place[doc]), []).append(own.imports_as_written(doc)[row])
    if asked:
        docs = np.sort(np.concatenate([places[at] for at in sorted(involved)]))
        configs = {parts[at][0] + path: data for at in involved for path, data in parts[at][2].configs.items()}
        chosen = {doc: asked[whole] for doc, whole in enumerate(docs.tolist()) if whole in asked}
        tree = _tree(snapshot, configs.get, docs, np.array(sorted(asked), np.int32))
        more = resolve_imports(tree, chosen.__getitem__, chosen)
        sources.append(docs[more[0]])
        targets.append(docs[more[1]])
    edges = np.unique(np.stack([np.concatenate(sources), np.concatenate(targets)]), axis=1)
    return replace(snapshot, import_sources=edges[0].copy(), import_targets=edges[1].copy())


def imports_of_missing(
    snapshot: Snapshot, read: Read, missing: Mapping[str, str], docs: Iterable[int]
) -> Iterator[tuple[int, Import, str]]:
    """Yield the imports of some documents that mean a path which the tree does not have: document, import, path.

    `missing` gives the language of each path. None where another file stands for the same module, and none of languages
    whose imports mean definitions: what a missing file defined is not known.
    """
    there = _tree(snapshot, read)
    size = len(there.paths)
    before = Tree(
        [*there.paths, *missing],
        [*there.languages, *missing.values()],
        lambda at: there.definitions(at) if at < size else (),
        read,
    )
    now, then = ImportResolver(there), ImportResolver(before)
    for doc in docs:
        imports = () if reading_definitions(snapshot.language(doc)) else snapshot.imports_as_written(doc)
        for imported in imports:
            gone = next((before.paths[found] for found in then.resolve(doc, imported) if found >= size), "")
            left = (there.paths[found] for found in now.resolve(doc, imported)) if gone else ()
            if gone and module_name(gone) not in map(module_name, left):
                yield doc, imported, gone


def _tree(
    snapshot: Snapshot, read: Read, within: NDArray[np.int32] | None = None, asked: NDArray[np.int32] | None = None
) -> Tree:
    """Return all documents, or those `within`, as resolvers see them; `asked` are those whose imports they resolve."""
    whole = snapshot.paths.tolist()
    languages = [snapshot.language_names[number] for number in snapshot.languages.tolist()]
    docs = range(len(whole)) if within is None else within.tolist()
    names = _names(snapshot, languages, asked)
    return Tree(
        [whole[doc] for doc in docs],
        [languages[doc] for doc in docs],
        lru_cache(_KEPT)(lambda at: tuple(snapshot.symbols.of_document(docs[at]))),
        read,
        lambda at: names(docs[at]),
    )


def _names(
    snapshot: Snapshot, languages: Sequence[str], docs: NDArray[np.int32] | None
) -> Callable[[int], NDArray[np.uint64]]:
    """Return a look-up of a document's identifiers (ids), for languages whose resolvers read them, within `docs`."""
    wanted = np.array([bool(reading_definitions(language)) for language in languages], np.bool_)
    if docs is not None:
        wanted &= among(np.arange(len(wanted)), docs)
    names = snapshot.names
    rows = np.flatnonzero(wanted[names.docs])
    rows = rows[np.argsort(names.docs[rows], kind="stable")]
    pointers = np.searchsorted(names.docs[rows], np.arange(len(wanted) + 1))
    ids = names.term_ids[np.searchsorted(names.pointers, rows, side="right") - 1]
    return lambda doc: ids[pointers[doc] : pointers[doc + 1]]


def stale_documents(base: Snapshot, edit: Edit, snapshot: Snapshot) -> NDArray[np.int32] | None:
    """Return the documents whose imports may resolve differently in `snapshot` than in its base; None: all.

    What an import resolves to depends on how it is written, on the paths and languages of all documents and on
    configuration files; in some languages also on the importing document, or on the definitions of all in the language.
    """
    changed = edit.added.tolist()
    before = edit.gone.tolist()
    if len(changed) != len(before) or any(
        base.paths[old] != snapshot.paths[new]
        or base.language(old) != snapshot.language(new)
        or is_import_config(base.paths[old])
        for old, new in zip(before, changed, strict=True)
    ):
        return None
    stale = np.zeros(len(snapshot), np.bool_)
    for old, new in zip(before, changed, strict=True):
        language = snapshot.language(new)
        stale[new] |= reading_more(language) or base.written[old] != snapshot.written[new]
        family = reading_definitions(language)
        if family and _outline(base.symbols.of_document(old)) != _outline(snapshot.symbols.of_document(new)):
            numbers = [at for at, name in enumerate(snapshot.language_names) if name in family]
            stale |= np.isin(snapshot.languages, numbers)
    return np.flatnonzero(stale).astype(np.int32)


def _outline(definitions: Iterator[Definition]) -> list[tuple[str, str, str]]:
    return [(d.name, d.kind, d.parent) for d in definitions]
