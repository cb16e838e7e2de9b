"""Languages: which can mean a definition of another by its name."""

from __future__ import annotations

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
# Hold code of any language; describe what is generated in any.
_QUOTING = frozenset({"html", "text", "markdown", "rst", "asciidoc", "xml", "protobuf", "thrift", "graphql"})
_GENERATING = frozenset({"protobuf", "thrift", "graphql", "xml"})
_FAMILY = {language: family[0] for family in _FAMILIES for language in family}


def strangers(user: str, home: str) -> bool:
    """Tell whether code of the one language cannot mean a definition of the other by a bare name."""
    user, home = _FAMILY.get(user, user), _FAMILY.get(home, home)
    quotes = not user or not home or user in _QUOTING or home in _GENERATING
    return user != home and not quotes and not (user in _EXTENDED and home in _EXTENDING)
