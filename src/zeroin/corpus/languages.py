"""The language of a file by its name; by its shebang where there is no extension."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from zeroin.patterns import lazy_pattern

_SHEBANG = lazy_pattern(rb"#!\s*(\S+)(?:[ \t]+([^\n]*))?")
_VERSION = lazy_pattern(r"[\d.]+$")
_WRAPPERS = frozenset("in template tmpl tpl dist sample example orig bak".split())

TEXT_LANGUAGES = frozenset("text markdown rst asciidoc latex html xml yaml toml json ini csv diff".split())


@cache
def table(name: str, package: str = "zeroin.corpus") -> Mapping[str, Any]:
    """Return the words and patterns that a TOML file of a package lists."""
    return tomllib.loads(resources.files(package).joinpath(f"{name}.toml").read_text("utf-8"))


@cache
def by_word(heading: str, name: str = "languages", package: str = "zeroin.corpus") -> Mapping[str, str]:
    """Return the key that lists each word below a heading of a table: the language of an extension, say."""
    rows = table(name, package)[heading].items()
    return {word: key for key, words in rows for word in words.split()}


def language_of(path: str, head: bytes = b"") -> str:
    """Return the language of the file at `path`, "text" if unknown.

    `head`, the first bytes of the file, matters only where the name has no extension: its shebang counts.
    """
    name = path[path.rfind("/") + 1 :]
    known = by_word("names").get(name.lower())
    if known:
        return known
    stem, dot, extension = name.rpartition(".")
    if dot and stem:
        return _by_extension(stem, extension)
    for prefix, language in (("dockerfile", "dockerfile"), ("makefile", "make")):
        if name.lower().startswith(prefix):
            return language
    return _by_shebang(head) if head.startswith(b"#!") else "text"


def _by_extension(stem: str, extension: str) -> str:
    low = extension.lower()
    found = by_word("extensions").get(low)
    if extension == "C":
        return "cpp"
    if found:
        return found
    if low in _WRAPPERS and "." in stem:  # config.yaml.example is YAML
        return by_word("extensions").get(stem.rpartition(".")[2].lower(), "text")
    if stem.lower().startswith(("dockerfile", "makefile")):  # Dockerfile.alpine
        return "dockerfile" if stem.lower().startswith("d") else "make"
    return "text"


@lru_cache(maxsize=256)
def _by_shebang(head: bytes) -> str:
    found = _SHEBANG.match(head.split(b"\n", 1)[0])
    if not found:
        return "text"
    program = found[1].decode("latin-1").rpartition("/")[2]
    if program == "env":
        words = (found[2] or b"").decode("latin-1").split()
        program = next((w for w in words if not w.startswith("-") and "=" not in w), "").rpartition("/")[2]
    return by_word("programs").get(_VERSION.sub("", program.lower()), "text")
