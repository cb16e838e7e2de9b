"""The language of a file: by its name, else by its first bytes, also of an extension that several languages share."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from zeroin.beside import key_by_word, table_beside
from zeroin.patterns import lazy_pattern

_SHEBANG = lazy_pattern(rb"#!\s*(\S+)(?:[ \t]+([^\n]*))?")
_PHP = lazy_pattern(rb"(?:\xef\xbb\xbf)?\s*<\?php\b")
_VERSION = lazy_pattern(r"[\d.]+$")
_WRAPPERS = frozenset("in template tmpl tpl dist sample example orig bak".split())

HEAD_BYTES = 1 << 14  # that may decide the language
_SHEBANG_BYTES = 256
_SHARED = "*."  # before an extension, in place of a language that the first bytes decide
TEXT_LANGUAGES = frozenset("text markdown rst asciidoc latex html xml yaml toml json ini csv diff".split())


def _by_word(heading: str) -> Mapping[str, str]:
    return key_by_word(__file__, "languages.toml", heading)


def language_of(path: str, head: bytes = b"") -> str:
    """Return the language of the file at `path`, "text" if unknown.

    `head`, the first bytes of the file, matters where the name does not tell: its shebang counts, and `<?php`; and
    for extensions that several languages share: `.m` of Objective-C and MATLAB.
    """
    name = path[path.rfind("/") + 1 :]
    language = _by_name(name)
    for other, pattern in _sharing(_extension(name)) if head else ():
        if pattern.search(head):
            return other
    return language or _by_head(head[:_SHEBANG_BYTES])


def named_language(path: str) -> str:
    """Return the language that the name of a file tells, or a mark where its first bytes decide (`by_bytes`)."""
    return _named(path[path.rfind("/") + 1 :])


@lru_cache(maxsize=1 << 16)
def _named(name: str) -> str:
    extension = _extension(name)
    return _SHARED + extension if extension in _shared() else _by_name(name)


def by_bytes(language: str) -> bool:
    """Tell whether `named_language` leaves the language to the first bytes of the file."""
    return not language or language.startswith(_SHARED)


def _extension(name: str) -> str:
    stem, _, extension = name.rpartition(".")
    return extension.lower() if stem else ""


@cache
def _shared() -> Mapping[str, Mapping[str, str]]:
    """Return, for each extension that several languages share, a pattern by language."""
    shared: Mapping[str, Mapping[str, str]] = table_beside(__file__, "languages.toml")["shared"]
    return {extension: patterns for extensions, patterns in shared.items() for extension in extensions.split()}


@cache
def _sharing(extension: str) -> tuple[tuple[str, re.Pattern[bytes]], ...]:
    """Return the languages that share an extension, in the order in which they are tried, with their patterns."""
    found = _shared().get(extension, {})
    return tuple((language, re.compile(pattern.encode())) for language, pattern in found.items())


@lru_cache(maxsize=1 << 16)  # a path is asked for several times while a tree is opened
def _by_name(name: str) -> str:
    """Return the language of a file's name; "" where only its first bytes can tell."""
    known = _by_word("names").get(name.lower())
    if known:
        return known
    stem, dot, extension = name.rpartition(".")
    return _by_extension(stem, extension) if dot and stem else _by_start(name)


def _by_extension(stem: str, extension: str) -> str:
    low = extension.lower()
    if extension == "C":
        return "cpp"
    if low in _WRAPPERS:  # config.yaml.example is YAML
        _, dot, inner = stem.rpartition(".")
        wrapped = _by_word("extensions").get(inner.lower(), "") if dot else ""
        if wrapped := wrapped or _by_start(stem):
            return wrapped
    return _by_word("extensions").get(low) or _by_start(stem)  # Dockerfile.alpine


def _by_start(name: str) -> str:
    low = name.lower()
    return "dockerfile" if low.startswith("dockerfile") else "make" if low.startswith("makefile") else ""


@lru_cache(maxsize=256)
def _by_head(head: bytes) -> str:
    """Return the language that a shebang or `<?php` tells, else "text"."""
    if _PHP.match(head):
        return "php"
    found = _SHEBANG.match(head.split(b"\n", 1)[0])
    if not found:
        return "text"
    program = found[1].decode("latin-1").rpartition("/")[2]
    if program == "env":
        words = (found[2] or b"").decode("latin-1").split()
        program = next((w for w in words if not w.startswith("-") and "=" not in w), "").rpartition("/")[2]
    return _by_word("programs").get(_VERSION.sub("", program.lower()), "text")
