"""The only loader of tree-sitter grammars: each is imported when a file first needs it, and may be missing.

A grammar that is not installed, was built for another ABI, or does not know a node of our query is no error:
its files are read by the generic analyser, and `zeroin doctor` names it.
"""

import importlib
import threading
from functools import cache

from tree_sitter import Language, Parser, Query

from zeroin.beside import text_beside

# language → (module, function that gives the grammar, query files in order)
_GRAMMARS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    **{
        name: (f"tree_sitter_{name}", "language", (name,))
        for name in "bash c elixir go haskell java kotlin lua python ruby rust scala swift zig".split()
    },
    "cpp": ("tree_sitter_cpp", "language", ("c", "cpp")),
    "csharp": ("tree_sitter_c_sharp", "language", ("csharp",)),
    "javascript": ("tree_sitter_javascript", "language", ("ecmascript", "javascript")),
    "php": ("tree_sitter_php", "language_php", ("php",)),
    "tsx": ("tree_sitter_typescript", "language_tsx", ("ecmascript", "typescript")),
    "typescript": ("tree_sitter_typescript", "language_typescript", ("ecmascript", "typescript")),
}
GRAMMAR_LANGUAGES = tuple(sorted(_GRAMMARS))
GRAMMAR_MODULES = tuple(sorted({module for module, _, _ in _GRAMMARS.values()}))
_ERRORS = "(ERROR) @error\n"  # every query also finds what its grammar did not understand

_parsers = threading.local()  # a tree-sitter parser has state: one a thread


@cache
def grammar_for(language: str) -> Language | None:
    """Return the grammar of a language, or None where there is none or it cannot be loaded."""
    if language not in _GRAMMARS:
        return None
    module, function, _ = _GRAMMARS[language]
    try:
        return Language(getattr(importlib.import_module(module), function)())
    except (ImportError, AttributeError, OSError, TypeError, ValueError):
        return None


@cache
def query_for(language: str) -> Query | None:
    """Return the compiled query of a language (`queries/*.scm`), or None without a grammar that fits it."""
    grammar = grammar_for(language)
    if grammar is None:
        return None
    source = _ERRORS + "\n".join(text_beside(__file__, f"queries/{name}.scm") for name in _GRAMMARS[language][2])
    try:
        return Query(grammar, source)
    except ValueError:  # QueryError: the grammar names its nodes differently
        return None


def parser_for(language: str) -> Parser | None:
    """Return a parser of a language for this thread, or None where there is no grammar."""
    cached: dict[str, Parser] = _parsers.__dict__.setdefault("by_language", {})
    grammar = None if language in cached else grammar_for(language)
    if grammar is not None:
        cached[language] = Parser(grammar)
    return cached.get(language)
