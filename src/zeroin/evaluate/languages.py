"""Which languages can refer to each other's definitions by name, and which parts of a file are code."""

import re
from functools import lru_cache

from zeroin.patterns import lazy_pattern

# Languages whose files can refer to each other's definitions by name.
_FAMILIES = (
    ("c", "cpp", "objc", "swift", "assembly"),
    ("javascript", "typescript", "tsx", "vue", "svelte", "astro"),
    ("java", "kotlin", "scala", "groovy", "clojure"),
    ("csharp", "fsharp", "visualbasic"),
    ("elixir", "erlang"),
    ("bash", "fish"),
)
_EXTENDED, _EXTENDING = ("python", "ruby"), ("c", "rust")  # extension modules are called by name
# Languages that hold code of any language, and languages from which code of any language is generated.
_QUOTING = frozenset({"html", "text", "markdown", "rst", "asciidoc", "xml", "protobuf", "thrift", "graphql"})
_GENERATING = frozenset({"protobuf", "thrift", "graphql", "xml"})
_FAMILY = {language: family[0] for family in _FAMILIES for language in family}

_IMPORTED_TOGETHER = {"go": "package", "csharp": "namespace"}  # what an import names, where it never names a file

_HASHED = frozenset("python elixir julia coffee raku".split())  # where "#" begins a comment
_SLASHED = frozenset(
    "c cpp objc swift javascript typescript tsx java kotlin scala groovy csharp go rust php dart zig"
    " vala haxe gleam odin qml rescript bicep".split()
)
# An unclosed match ends with the text, an unclosed short string with its line: every character is read once.
_TRIPLE = r'"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+(?:""")?' + r"|'''[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+(?:''')?"
_SHORT = r'"(?:[^"\\\n]|\\.)*+"?' + r"|'(?:[^'\\\n]|\\.){0,200}'"  # lifetimes of Rust are not closed
_HASHED_TEXT = lazy_pattern(rf"{_TRIPLE}|{_SHORT}|#[^\n]*+", re.DOTALL)
_SLASHED_TEXT = lazy_pattern(rf"{_TRIPLE}|`[^`]*+`?|{_SHORT}|//[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?", re.DOTALL)
# A string on one line. Not `<'a>(x: &'a`: lifetimes of Rust are no quotes.
STRING = lazy_pattern(r"""\"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|'(?:[^'\\<>&]|\\.)*'""")
_ALWAYS = ('"""', "'''", "/*")
_BLANKED = lazy_pattern(r"(\$\{[^{}]*\})|[^\n$]++|\$")  # a template's placeholder (code, kept), or what is blanked


def strangers(user: str, home: str) -> bool:
    """Tell whether code of the one language cannot mean a definition of the other by a bare name."""
    user, home = _FAMILY.get(user, user), _FAMILY.get(home, home)
    quotes = not user or not home or user in _QUOTING or home in _GENERATING
    return user != home and not quotes and not (user in _EXTENDED and home in _EXTENDING)


def imported_together(language: str) -> str:
    """Return what an import of this language names in place of a file: "package", "namespace" or ""."""
    return _IMPORTED_TOGETHER.get(language, "")


@lru_cache(maxsize=64)  # asked for several names of a file
def code_of(text: str, language: str, *, strings: bool = False) -> str:
    """Return a text with its strings and comments of several lines blanked; lines keep their numbers.

    Triple-quoted strings and `/* */` are blanked on one line, too. With `strings` only `/* */` comments are blanked.
    """
    pattern = _HASHED_TEXT if language in _HASHED else _SLASHED_TEXT if language in _SLASHED else None
    return text if pattern is None else pattern.sub(_blank_comment if strings else _blank, text)


def _blank(found: re.Match[str]) -> str:
    whole = found[0]
    if whole.startswith(_ALWAYS) or "\n" in whole:
        return _BLANKED.sub(lambda part: part[1] or " " * len(part[0]), whole)
    return whole


def _blank_comment(found: re.Match[str]) -> str:
    return _blank(found) if found[0].startswith("/*") else found[0]
