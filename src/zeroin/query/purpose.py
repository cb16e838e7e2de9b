"""The purpose of a task, and the kinds of file and languages that it is about, by its wording.

An overview asks for the whole of a codebase, rather than for a part of it or for a change.
"""

import re
from collections.abc import Iterable

from zeroin.beside import key_by_word
from zeroin.patterns import lazy_pattern
from zeroin.query.kind import WORDING
from zeroin.query.names import NAMES
from zeroin.query.segment import Segments
from zeroin.query.tables import SYNTAX, Table
from zeroin.query.translation import in_english
from zeroin.types import Purpose, Query, Role, Task, TaskKind

_HEAD_CHARS, _TITLE_CHARS = 4_000, 200
_MOST_CHARS = 300  # of a text that asks for an overview
_AROUND = " ,.?!¿¡\"'"

_OVERVIEW = Table("overview", re.IGNORECASE)

_ADDS_TEST = lazy_pattern(r"\W*(?:add|write|create)\b.{0,20}\btests?\b", re.IGNORECASE)
_LANGUAGE = lazy_pattern(r"(?<![\w.+#/-])([A-Za-z][A-Za-z+#]{1,11}\d?)(?![\w+#/-])|(?<!\w)(C\+\+|C#)(?!\w)")


def purpose_of(task: Task, query: Query) -> Purpose:
    """Return the purpose that the wording of a task implies; `query` is its first query. A diff is a review."""
    title = query.title or task.text[:_TITLE_CHARS]
    if task.diff is not None or WORDING.begins("review", title):
        return "review"
    head = task.text[:_HEAD_CHARS]
    english = in_english(head)
    if asks_overview(head) or asks_overview(english):
        return "architecture"
    if query.kind in (TaskKind.QUESTION, TaskKind.SYMBOL):
        titles = [title] if english == head else [title, head[:_TITLE_CHARS]]
        # Orders mention the whole, too, and ask for a change.
        whole = any(_OVERVIEW.has("mentions", title[:_MOST_CHARS]) for title in titles)
        return "architecture" if whole else "explore"
    if query.kind in (TaskKind.TRACE, TaskKind.BUG):
        return "fix"
    return "fix" if query.kind is not TaskKind.FEATURE and WORDING.has("fix", title) else "feature"


def wanted_roles(title: str) -> frozenset[Role]:
    """Kinds of file besides implementation that a title names."""
    roles = {
        Role.TEST: SYNTAX.pattern("changes_test").match(title)
        or (WORDING.has("about_tests", title) and not _ADDS_TEST.match(title)),
        Role.DOC: WORDING.has("about_doc_files", title)
        or (WORDING.has("about_docs", title) and not WORDING.has("names_code", title)),
        Role.EXAMPLE: WORDING.has("about_examples", title),
        Role.CONFIG: WORDING.has("about_config", title),
    }
    return frozenset(role for role, wanted in roles.items() if wanted)


def languages(segments: Segments, extensions: Iterable[str], *, short: bool) -> frozenset[str]:
    """Languages that the task names: in its title, by files that it mentions, or as the only language of its fences."""
    title = segments.title
    named = {(m[1] or m[2]).lower() for m in _LANGUAGE.finditer(title)}
    named -= NAMES.words("ambiguous_languages")
    named |= {m[1].lower() for m in SYNTAX.pattern("language_context").finditer(title)}
    if not short:
        named |= set(extensions)
    known = key_by_word(__file__, "names.toml", "languages")
    found = {known[name] for name in named if name in known}
    if not found and not short:
        fences = {known[part.language] for part in segments.parts if part.language in known}
        found = fences if len(fences) == 1 else found
    return frozenset(found)


def asks_overview(text: str) -> bool:
    """Tell whether a text does nothing but ask for the whole, whatever kinds of sentence it has."""
    line = " ".join(text.split())
    if len(line) > _MOST_CHARS:
        return False
    clauses = _clauses(line)
    others = [clause for clause in clauses if not _is("asker", clause)]
    if not others:
        return any(_is("asks", clause) for clause in clauses)
    return _OVERVIEW.begins("orders", others[0]) or all(_is("asks", clause) for clause in others)


def text_beside_overview(text: str) -> str:
    """Return the words that do not ask for the whole: they may name a part."""
    line = " ".join(text[: 2 * _MOST_CHARS].split())
    return " ".join(filter(None, map(_beside, _clauses(line) if asks_overview(line) else [line])))


def _beside(clause: str) -> str:
    if _is("asker", clause):
        return ""
    if _is("asks", clause):  # "an overview of the parser" names a part
        found = _OVERVIEW.pattern("names_more").search(clause)
        clause = clause[found.end() :] if found is not None else ""
    for words in ("mentions", "THECODE"):
        clause = _OVERVIEW.pattern(words).sub(" ", clause)
    return _OVERVIEW.pattern("part").sub("", clause)


def _clauses(line: str) -> list[str]:
    return [clause for part in _OVERVIEW.pattern("between").split(line) if (clause := part.strip(_AROUND))]


def _is(name: str, clause: str) -> bool:
    """Tell whether a whole clause has one of the forms of a table."""
    for mark in ("THECODE", "THEPARTS"):
        clause = _OVERVIEW.pattern(mark).sub(mark, clause)
    return _OVERVIEW.pattern(name).fullmatch(clause) is not None
