"""Whether a name on a line of a file refers to anything outside of that file.

The symbols of the index are definitions. A parameter, a local variable, a field or a word of a comment is none, and can
be spelled like the definition of another file: whoever reads on for it would read in vain.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from zeroin.index.view import View
from zeroin.types import Gap, Role

# A line that is all comment; `#` with a blank after it, since `#define` and `#[derive]` are code.
_COMMENT = re.compile(r"\s*(?:#\s|//|/\*|\*\s|\*$|--\s|;;|:\w[^:]{0,200}:\s|>\s)")
_AFTER_CODE = re.compile(r"(?:\s//|\s#)\s.*")
_DECLARING = r"(?:let|const|var|val|def|fn|func|fun|function|sub|for|static|mut|my|local|auto|lambda)"
_STATEMENT = (
    r"(?:return|in|and|or|not|await|new|throw|raise|yield|else|case|is|delete|typeof|dyn|impl|go|defer|do)"
)
_MAX_TEXT = 400_000  # characters of a file that are looked through for a name


def refers_outside(name: str, line: int, text: str) -> bool:
    """Whether code on a line of `text` says the name, and nothing in the text declares a thing of that name."""
    rows = text[:_MAX_TEXT].split("\n")
    row = rows[line - 1] if 0 < line <= len(rows) else ""
    if _COMMENT.match(row) or name not in _AFTER_CODE.sub("", row):
        return False
    return not _declares(name, text[:_MAX_TEXT])


def _declares(name: str, text: str) -> bool:
    """Whether something of this name is declared: with a keyword, by assignment, or, of a variable, after its type."""
    spelled = re.escape(name)
    forms = [
        rf"\b{_DECLARING}[ \t]+(?:mut[ \t]+|ref[ \t]+|[*&]+)?{spelled}\b",
        rf"(?<![\w.>]){spelled}[ \t]*(?::=|=(?![=>~]))",
    ]
    if name[:1].islower():
        forms.append(rf"(?<![\w.>]){spelled}[ \t]*\??:[ \t]*[A-Za-z&*\[(]")
        forms.append(rf"\b(?!{_STATEMENT}\b)[A-Za-z_]\w*(?:<\w*>|\[\])?[ \t*&]+\b{spelled}[ \t]*[;=,)]")
    return any(re.search(form, text) for form in forms)


def is_answered(gap: Gap, listed: Collection[int], view: View) -> bool:
    """Whether a gap asks for a name that its own file declares, or that one of the `listed` documents defines."""
    user = next((e for e in gap.evidence if e.path and e.line), None)
    if gap.kind != "reference" or user is None or not gap.search.symbols:
        return False
    doc, symbols = view.doc_of(user.path), view.snapshot.symbols
    if doc is None or view.snapshot.role(doc) is Role.DOC:
        return doc is not None
    homes = [{int(d) for d in symbols.docs[symbols.rows_of(name)]} for name in gap.search.symbols]
    if gap.form != "implemented" and all(found & set(listed) for found in homes):
        return True
    text = view.text(doc)
    return not any(refers_outside(name, user.line or 0, text) for name in gap.search.symbols)
