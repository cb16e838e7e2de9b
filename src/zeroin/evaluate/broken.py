"""Imports that a change breaks: of files that it removes or renames, in files that it leaves as they are."""

from typing import NamedTuple

from zeroin.imports.tree import module_name
from zeroin.index.view import View
from zeroin.tree import Diff, Import

_MOST = 40  # paths of one change that are looked at


class BrokenImport(NamedTuple):
    """An import of a path that the change takes away, as it is `written` on a line of a document."""

    doc: int
    written: str
    line: int
    gone: str
    renamed: bool


def broken_imports(diff: Diff, view: View) -> tuple[BrokenImport, ...]:
    """Return the imports of files which the tree no longer has since the change, in files outside of the change."""
    gone = {f.old_path: f.old_path != f.path for f in diff.files if f.old_path and view.doc_of(f.old_path) is None}
    changed = set(view.docs_of(file.path for file in diff.files))
    if not gone:
        return ()
    found = view.imports_of_missing(tuple(gone)[:_MOST])
    return tuple(
        BrokenImport(doc, _written(imported, path), imported.line, path, gone[path])
        for doc, imported, path in found
        if doc not in changed
    )


def _written(imported: Import, path: str) -> str:
    name = module_name(path)
    return f"{name} of {imported.module}" if name in imported.names else imported.module
