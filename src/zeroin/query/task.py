"""Task → Query: what kind of text is where, and what each part is worth (PATTERN P2)."""

from __future__ import annotations

import re

from zeroin.config import MAX_TASK_CHARS, Options
from zeroin.errors import EmptyTaskError
from zeroin.terms import STOPWORDS, analyse_word, words
from zeroin.types import Keyword, Origin, PathMention, Query, SymbolMention, Task

_PATH = re.compile(r"(?<![\w/])(?:[\w.\-]{1,80}/){0,20}[\w\-]{1,80}\.[a-z]{1,5}(?![\w/])")
_NAME = re.compile(r"\b[A-Za-z_]\w{0,80}(?:(?:\.|::)[A-Za-z_]\w{0,80}){0,8}")


def query_of(task: Task, options: Options) -> Query:
    """The first query of a task. Raises `EmptyTaskError` when it has no word."""
    text = task.text[:MAX_TASK_CHARS]
    title, _, body = text.strip().partition("\n")
    keywords: dict[tuple[str, ...], Keyword] = {}
    for weight, origin, part in ((3.0, Origin.TITLE, title), (1.0, Origin.PROSE, body)):
        for word in words(part):
            key = analyse_word(word)
            if key and word.lower() not in STOPWORDS and key not in keywords:
                keywords[key] = Keyword(word, weight, origin)
    for word in options.keywords:
        keywords[("caller", word)] = Keyword(word, 6.0, Origin.CALLER, "given by the caller")
    if not keywords:
        raise EmptyTaskError("the task has no word to search for")
    symbols = {}
    for match in _NAME.finditer(text):
        name = match.group()
        if "." in name or ":" in name or "_" in name or name[1:].lower() != name[1:]:
            symbols.setdefault(name, SymbolMention(name, 1.0, Origin.SYMBOL))
    paths = {m.group(): PathMention(m.group(), 1.0, Origin.PATH) for m in _PATH.finditer(text)}
    return Query(
        keywords=tuple(sorted(keywords.values(), key=lambda k: -k.weight))[:120],
        symbols=tuple(symbols.values())[:60],
        paths=tuple(paths.values())[:60],
        includes=options.includes,
        excludes=options.excludes,
        focus_areas=options.focus,
        title=title,
        text=text[:4000],
    )
