"""Import edges of a snapshot: of all its documents, or of those that a change may have given other ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from zeroin.imports.graph import is_import_config, reading_definitions, reading_more, resolve_imports
from zeroin.imports.tree import Read, Tree
from zeroin.index.join import Edit
from zeroin.index.snapshot import Snapshot
from zeroin.tree import Definition

_KEPT = 4_096  # documents whose definitions are at hand at once


def with_imports(
    snapshot: Snapshot, read: Read, base: Snapshot | None = None, docs: NDArray[np.int32] | None = None
) -> Snapshot:
    """Return the snapshot with its import edges; with `docs` (`stale_documents`), those of all others from `base`.

    `read` as in `imports.tree.Tree`.
    """
    if base is not None and docs is not None and not len(docs):
        # Copies, since arrays of the base hold on to all of its file.
        return replace(
            snapshot, import_sources=base.import_sources.copy(), import_targets=base.import_targets.copy()
        )
    size = len(snapshot)
    languages = [snapshot.language_names[number] for number in snapshot.languages.tolist()]
    definitions = lru_cache(_KEPT)(lambda doc: tuple(snapshot.symbols.of_document(doc)))
    tree = Tree(snapshot.paths.tolist(), languages, definitions, read, _names(snapshot, languages, docs))
    sources, targets = resolve_imports(
        tree, snapshot.imports_as_written, None if docs is None else docs.tolist()
    )
    if base is not None and docs is not None:  # paths are the same, and so are the numbers of documents
        stale = np.zeros(size, np.bool_)
        stale[docs] = True
        kept = ~stale[base.import_sources]
        sources = np.concatenate([base.import_sources[kept], sources])
        targets = np.concatenate([base.import_targets[kept], targets])
        order = np.lexsort((targets, sources))
        sources, targets = sources[order], targets[order]
    return replace(snapshot, import_sources=sources, import_targets=targets)


def _names(
    snapshot: Snapshot, languages: Sequence[str], docs: NDArray[np.int32] | None
) -> Callable[[int], NDArray[np.uint64]]:
    """Ids of the identifiers that a document uses, for the documents and languages whose resolvers ask for them."""
    wanted = np.array([bool(reading_definitions(language)) for language in languages], np.bool_)
    if docs is not None:
        asked = np.zeros(len(wanted), np.bool_)
        asked[docs] = True
        wanted &= asked
    names = snapshot.names
    rows = np.flatnonzero(wanted[names.docs])
    rows = rows[np.argsort(names.docs[rows], kind="stable")]
    pointers = np.searchsorted(names.docs[rows], np.arange(len(wanted) + 1))
    ids = names.term_ids[np.searchsorted(names.pointers, rows, side="right") - 1]
    return lambda doc: ids[pointers[doc] : pointers[doc + 1]]


def stale_documents(base: Snapshot, edit: Edit, snapshot: Snapshot) -> NDArray[np.int32] | None:
    """Documents whose imports may resolve otherwise in `snapshot` than in the one it was made of; None: all.

    What an import resolves to depends on how it is written, on the paths and languages of all documents and on
    configuration files; in some languages also on the importing document, or on what those of the language define.
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
