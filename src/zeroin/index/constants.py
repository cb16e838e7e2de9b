"""Files that use a constant which holds quoted text: the text stands in one file, and another one prints it."""

import re
from collections.abc import Callable, Mapping

from zeroin.index.quote_match import QuoteMatch, is_code, raises_at
from zeroin.index.snapshot import Snapshot
from zeroin.terms import term_id

_KINDS = frozenset({"constant", "macro", "variable"})
_MOST_USERS = 3  # a constant that more files use says little about each


def with_users(
    matches: Mapping[int, QuoteMatch], snapshot: Snapshot, text_of: Callable[[int], str]
) -> dict[int, QuoteMatch]:
    """Return matches with those of the code that uses a constant, where a long message is in that constant alone."""
    out = dict(matches)
    for doc, match in matches.items():
        name = _constant_at(doc, match.line, snapshot) if match.sure and is_code(doc, snapshot) else ""
        if not name:
            continue
        users = snapshot.names.docs[snapshot.names.rows(term_id(name))].tolist()
        users = [user for user in users if user not in matches and is_code(user, snapshot)]
        for user in users if len(users) <= _MOST_USERS else ():
            lines = text_of(user).split("\n")
            used = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
            numbers = [number for number, line in enumerate(lines, 1) if used.search(line)]
            if numbers:
                # An import names it first, and a line that raises or logs is the one to read.
                number = next((n for n in numbers if raises_at(lines, n)), numbers[-1])
                out[user] = match._replace(
                    line=number, string=False, raised=raises_at(lines, number), words=name, through=name
                )
    return out


def _constant_at(doc: int, line: int, snapshot: Snapshot) -> str:
    """Return the innermost constant that a line is part of, "" if the line is part of a function or of nothing."""
    around = [one for one in snapshot.symbols.of_document(doc) if one.start <= line <= one.end]
    inner = min(around, key=lambda one: (one.end - one.start, one.kind not in _KINDS), default=None)
    return inner.name if inner is not None and inner.kind in _KINDS else ""
