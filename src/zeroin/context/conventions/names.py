"""A path taken apart: folders, words, ending and case of the name. What names have in common is a convention."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from zeroin.patterns import lazy_pattern

_WORDS = lazy_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_CASES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("kebab-case", lazy_pattern(r"[a-z0-9]+(?:-[a-z0-9]+)+")),
    ("snake_case", lazy_pattern(r"_?[a-z0-9]+(?:_[a-z0-9]+)+_?")),
    ("PascalCase", lazy_pattern(r"(?=[A-Z0-9]*[a-z])[A-Z][a-z0-9]*(?:[A-Z][A-Za-z0-9]*)+")),
    ("camelCase", lazy_pattern(r"[a-z][a-z0-9]*(?:[A-Z][A-Za-z0-9]*)+")),
)
_MIN_ENDING = 3


@dataclass(frozen=True)
class Name:
    """`src/a/user.service.ts`: folders, the stem `user`, the infix `.service`, the extension `.ts`."""

    path: str
    folders: tuple[str, ...]
    stem: str
    infix: str
    extension: str

    @property
    def folder(self) -> str:
        return "/".join(self.folders)

    @cached_property
    def spelled(self) -> tuple[str, ...]:
        """The words of the stem as written."""
        return tuple(_WORDS.findall(self.stem))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the stem in lower case."""
        return tuple(word.lower() for word in self.spelled)

    @cached_property
    def suffix(self) -> str:
        """The last word of a stem of several, as written: `-service`, `_repository`, `Controller`; else ""."""
        if len(self.spelled) < 2:
            return ""
        last = self.spelled[-1]
        if not self.stem.endswith(last) or len(last) < _MIN_ENDING:
            return ""
        before = self.stem[: -len(last)]
        joint = before[-1] if before[-1:] in ("-", "_") else ""
        return f"{joint}{last}"

    @property
    def ending(self) -> str:
        """What files of one kind have in common at the end of their names: the infix, else the suffix."""
        return self.infix or self.suffix

    @property
    def case(self) -> str:
        """How several words are joined; "" for a single one."""
        return next((case for case, shape in _CASES if shape.fullmatch(self.stem)), "")


@lru_cache(maxsize=1 << 16)
def name_of(path: str) -> Name:
    """Return a path taken apart; a dot file's name has no extension unless it has a second dot."""
    *folders, base = path.split("/")
    whole, extension = _without_extension(base)
    stem, _, infix = whole.partition(".")
    return Name(path, tuple(folders), stem, f".{infix}" if infix else "", f".{extension}" if extension else "")


def stem_of(path: str) -> str:
    """Return the stem of a path's `name_of`, in a fifth of the time."""
    return _without_extension(path[path.rfind("/") + 1 :])[0].partition(".")[0]


def _without_extension(base: str) -> tuple[str, str]:
    """Split a file name at its last dot, leading dots aside, into stem and extension."""
    stem, dot, extension = base.lstrip(".").rpartition(".")
    return (stem, extension) if dot else (base, "")


def words_of(text: str) -> list[str]:
    """Return the words of a name in lower case."""
    return [word.lower() for word in _WORDS.findall(text)]
