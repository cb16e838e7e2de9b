"""What a written token is: a path, a dotted name, an identifier, data, or a plain word."""

from functools import lru_cache

from zeroin.patterns import lazy_pattern
from zeroin.query.tables import Table
from zeroin.terms import is_spelled, words

NAMES = Table("names")

_SNAKE = lazy_pattern(r"_*[A-Za-z0-9]+(?:_+[A-Za-z0-9]+)+_*|_+[A-Za-z][A-Za-z0-9]*_*")
_HUMPS = lazy_pattern(r"[a-z][A-Z]|[A-Z]{2}[a-z]{2}|[A-Za-z][0-9]+[A-Z]|[A-Z][a-z]+[0-9]")
_PLURAL = lazy_pattern(r"[A-Z]+s|[A-Z]+[sS]?'?s|Mc[A-Z].*|[a-z]?[A-Z]+[0-9]*")
_NAME = lazy_pattern(r"[A-Za-z_$][\w$]*[!?]?")
_SEPARATOR = lazy_pattern(r"::|->|[.#\\]")
# A file is a path up to its last dot, then an extension, which a line number may follow (of Ruby `:in` after it).
_PATH = lazy_pattern(r"[\w@~.+\-/\\\[\]:$]+")
_STEM = lazy_pattern(r"[^~/\\:]*\Z")
_PLACE = lazy_pattern(
    r"(?P<ext>[A-Za-z]\w{0,7})(?:(?::|#L|\(|, line )(?P<line>\d{1,7}))?(?::\d{1,7}|-L?\d{1,7}|:in)?\)?"
)
_MAX_STEM, _MAX_FOLDERS = 120, 300  # characters
_FOLDER = lazy_pattern(
    r"\.{0,2}/?(?:[\w@.\-]{1,80}/){2,20}[\w@.\-]{0,80}|\./(?:[\w@.\-]++/?){1,20}+|(?:[a-z][\w.\-]{1,60}/){1,20}"
)
_VERSION = lazy_pattern(r"[<>=~^vV]{0,3}\d+(?:\.[\w*+-]+)*")
_HEX = lazy_pattern(r"(?:0x)?[0-9a-fA-F]{7,}")
_NUMERIC_FOLDER = lazy_pattern(r"[\d./-]+")
_ABBREVIATIONS = frozenset("e.g i.e a.k.a w.r.t etc. vs. u.s a.m p.m".split())


def is_identifier(word: str) -> bool:
    """Whether a word is shaped like a name in code: snake_case, camelCase, PascalCase with two humps, CONSTANT_CASE."""
    if word.isalpha() and (word.islower() or word.istitle()):
        return False
    if "_" in word:
        if word[0] == word[-1] == "_" and word[1:-1].isalpha() and word[1:-1].islower() and word[1] != "_":
            return False  # Markdown emphasis: _never_
        return _SNAKE.fullmatch(word) is not None and not word.replace("_", "").isdigit()
    if not word.isalnum():
        return False
    return len(word) > 2 and _HUMPS.search(word) is not None and _PLURAL.fullmatch(word) is None


def samples_in(text: str) -> frozenset[str]:
    """Return the words of a text, in lower case, that stand for any name; `bar` only beside another of them."""
    said = NAMES.words("sample_names").intersection(map(str.lower, words(text)))
    return said if said != {"bar"} else frozenset()


def is_common(name: str) -> bool:
    """Tell whether a name belongs to a language or to every program."""
    return name in NAMES.words("common_names") or len(name) < 2


@lru_cache(maxsize=50_000)
def is_data(word: str) -> bool:
    """Tell whether a word is a hash, an id or encoded bytes and not language."""
    if len(word) < 7 or not word.isascii():
        return False
    digits = sum(c.isdigit() for c in word)
    if digits and _HEX.fullmatch(word) and (digits >= 2 or len(word) > 9):
        return True
    if len(word) > 20 and "_" not in word and not is_spelled((word,)):
        upper = sum(c.isupper() for c in word)
        return digits >= 4 or (upper > 0.3 * len(word) and not word.isupper() and digits > 0)
    return len(word) > 60 and "_" not in word


def dotted_parts(token: str) -> list[str]:
    """Return the parts of a dotted name (`pkg.mod.Class`, `A::B`, `A#b`, `ns\\Class`), [] for another token."""
    if token.lower() in NAMES.words("products") or token.lower() in _ABBREVIATIONS:
        return []
    parts = [p for p in _SEPARATOR.split(token) if p]
    if not 2 <= len(parts) <= 14 or not all(map(_NAME.fullmatch, parts)):
        return []
    if parts[-1].lower() in NAMES.words("data_extensions"):
        return []
    aliases = NAMES.words("aliases")
    while len(parts) > 1 and parts[0] in aliases:
        parts = parts[1:]
    return [] if all(len(p) < 2 for p in parts) else parts


def is_standard(parts: list[str]) -> bool:
    """Tell whether a dotted name belongs to a language's library."""
    standard = not parts or parts[0] in NAMES.words("standard_heads")
    return standard or NAMES.words("common_names").issuperset(parts)


def file_of(token: str, *, folders: bool = True) -> tuple[str, int | None] | None:
    """Return path and line if a token is a file (or, with `folders`, a folder of two or more parts)."""
    before, _, after = token.rpartition(".")
    place = _PLACE.fullmatch(after) if before else None
    stem = _stem_of(before) if place else ""
    if place and stem and _is_file(f"{before}.{place['ext']}", stem, place["ext"], bool(place["line"])):
        return f"{before}.{place['ext']}".replace("\\", "/"), int(place["line"]) if place["line"] else None
    if folders and "/" in token and _FOLDER.fullmatch(token) and not _NUMERIC_FOLDER.fullmatch(token):
        parts = [p for p in token.split("/") if p not in ("", ".", "..")]
        alternatives = len(parts) == 2 and token[-1] != "/"
        if parts and not alternatives and all(any(map(str.isalpha, part)) for part in parts):
            return token, None
    return None


def _stem_of(path: str) -> str:
    """Return the last part of a path without extension; "" for a text that is no path or too long."""
    if len(path) > _MAX_FOLDERS + _MAX_STEM or not _PATH.fullmatch(path):
        return ""
    found = _STEM.search(path)
    stem = found[0][-_MAX_STEM:] if found else ""
    return stem if len(path) - len(stem) <= _MAX_FOLDERS else ""


def _is_file(path: str, stem: str, written: str, has_line: bool) -> bool:
    ext = written.lower()
    if ext not in NAMES.words("extensions") or _VERSION.fullmatch(path) or "://" in path or "::" in path:
        return False
    if path.lower() in NAMES.words("products") or path.lower() in _ABBREVIATIONS:
        return False
    sure = "/" in path or "\\" in path or has_line
    if ext in NAMES.words("weak_extensions") and not sure:
        # `foo.c` and `foo.h` are files; `x.map` and `self.y` are attributes
        return ext in ("c", "h", "m") and "." not in stem and len(stem) > 2
    return sure or written == ext or written.isupper()
