"""Files that use a constant which holds quoted text: the text stands in one file, and another one prints it."""

import re
from collections.abc import Callable, Mapping
from itertools import islice

from zeroin.index.quote_match import QuoteMatch, containing, is_code, raises_at
from zeroin.index.snapshot import Snapshot
from zeroin.terms import term_id

_KINDS = frozenset({"constant", "macro", "variable"})
_MOST_USERS = 3  # a constant that more files use says little about each
_MOST_READ = 40  # files with all words of its name, to find those that say it in a string


def with_users(
    matches: Mapping[int, QuoteMatch], snapshot: Snapshot, text_of: Callable[[int], str]
) -> dict[int, QuoteMatch]:
    """Return matches with those of the code that uses a constant, where a long message is in that constant alone."""
    out = dict(matches)
    for doc, match in matches.items():
        name = _constant_at(doc, match.line, snapshot) if match.sure and is_code(doc, snapshot) else ""
        if not name:
            continue
        uses = ((user, _use_of(name, text_of(user))) for user in _users(name, snapshot) if user not in matches)
        found = dict(islice(((user, use) for user, use in uses if use is not None), _MOST_USERS + 1))
        for user, (number, raised) in found.items() if len(found) <= _MOST_USERS else ():
            out[user] = match._replace(line=number, string=False, raised=raised, words=name, through=name)
    return out


def _users(name: str, snapshot: Snapshot) -> list[int]:
    """Return files of the code that may use a constant, by its name or in a string, and define none of that name.

    A catalogue of messages is asked for its keys as strings: `lang("WORKSPACE_SKIP_LARGE_FILE")`. A name that more than
    `_MOST_READ` files say is too common: none are returned.
    """
    docs = set(snapshot.names.holding(term_id(name)).tolist())
    spoken = containing(name, snapshot) if "_" in name else frozenset[int]()
    docs |= spoken if len(spoken) <= _MOST_READ else set()
    users = [doc for doc in sorted(docs - snapshot.symbols.homes_of(name)) if is_code(doc, snapshot)]
    return users if len(users) <= _MOST_READ else []


def _use_of(name: str, text: str) -> tuple[int, bool] | None:
    """Return the line that uses a constant, and whether it raises or logs; None if none does."""
    if name not in text:  # faster than the pattern
        return None
    lines = text.split("\n")
    used = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    numbers = [number for number, line in enumerate(lines, 1) if used.search(line)]
    if not numbers:
        return None
    # An import names it first, and a line that raises or logs is the one to read.
    number = next((n for n in numbers if raises_at(lines, n)), numbers[-1])
    return number, raises_at(lines, number)


def _constant_at(doc: int, line: int, snapshot: Snapshot) -> str:
    """Return the innermost constant that a line is part of, "" if the line is part of a function or of nothing."""
    around = [one for one in snapshot.symbols.of_document(doc) if one.start <= line <= one.end]
    inner = min(around, key=lambda one: (one.end - one.start, one.kind not in _KINDS), default=None)
    return inner.name if inner is not None and inner.kind in _KINDS else ""
