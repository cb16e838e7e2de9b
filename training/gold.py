"""Which files of a change answer its task: edited sources, apart from tests and from what is only kept in step."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from training.changes import Touched
from training.mined import Ranges
from zeroin.corpus.languages import language_of
from zeroin.corpus.roles import role_of
from zeroin.types import Role

Class = Literal["source", "test", "bookkeeping", "data", "none"]

# Files that record a change rather than make it.
_BOOKKEEPING = re.compile(
    r"^(?:changelog|changes|change_?log|history|news|release[-_]?notes?|releases|whatsnew|authors|contributors|credits|thanks|acknowledg\w+"
    r"|backers|sponsors|version|licen[cs]e|copying|notice)(?:[._-][\w.-]*)?$|^(?:_?_?version_?_?|_version)\.\w+$|^\.all-contributorsrc$",
    re.IGNORECASE,
)
_FRAGMENTS = re.compile(
    r"(?:^|/)(?:changelog\.d|changelogs?|newsfragments?|news\.d|\.changes?|\.changesets?|release[-_]?notes?|releasenotes|change[-_]?notes?|whatsnew"
    r"|towncrier|changes|upcoming_changes)/[^/]*(?:/[^/]*)?\.(?:md|rst|txt|ya?ml|json|adoc|html)$"
    r"|(?:^|/)(?:changelog|changes|whatsnew|release[-_]?notes?)[\w.-]*\.(?:md|rst|txt|adoc)$",
    re.IGNORECASE,
)
_CODE = frozenset((Role.IMPLEMENTATION, Role.EXAMPLE))
_C_FAMILY = frozenset(("cpp", "objc", "c"))


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a change by what they are to its task; `lines` of the gold files, `weights` their changed lines."""

    gold: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    lines: Mapping[str, Ranges] = field(default_factory=dict)


def class_of(file: Touched) -> Class:
    """What a file of a change is to its task, by its path alone."""
    path = file.path or file.new
    if not file.regular:
        return "none"
    role = role_of(path)
    if role in (Role.GENERATED, Role.VENDORED) or _FRAGMENTS.search(path):
        return "bookkeeping"
    if role is Role.TEST:
        return "test"
    if role is Role.DATA:
        return "data"
    name = path.rpartition("/")[2]
    if _BOOKKEEPING.match(name) and (role in (Role.DOC, Role.CONFIG) or _is_version(name)):
        return "bookkeeping"
    return "source"


def _is_version(name: str) -> bool:
    """`version.py` holds a number, and so does VERSION; `version.go` of a program may hold a command, but rarely."""
    return name.lower().lstrip("_").startswith("version")


def files_of(touched: Iterable[Touched], ranges: Mapping[str, Ranges] | None = None) -> Files:
    """The files of a change, in path order; what only moves, or changes its mode, is not edited."""
    by_class: dict[str, set[str]] = {"source": set(), "test": set()}
    added = set()
    for file in touched:
        kind = class_of(file)
        if file.status == "A":
            if kind in ("source", "test"):
                added.add(file.new)
        elif kind in by_class and file.status in "MRD" and file.old_blob != file.new_blob:
            by_class[kind].add(file.path)
    gold = tuple(sorted(by_class["source"]))
    lines = {path: ranges[path] for path in gold if path in ranges} if ranges else {}
    return Files(gold, tuple(sorted(by_class["test"])), tuple(sorted(added)), lines)


def is_about(gold: Iterable[str]) -> bool:
    """Whether a task is about documentation or configuration alone."""
    return all(role_of(path) in (Role.DOC, Role.CONFIG) for path in gold)


def language_of_files(files: Files) -> str:
    """The language in which most lines of the gold change, code first; a header goes with its sources."""
    code = [path for path in files.gold if role_of(path) in _CODE] or list(files.gold)
    weights: Counter[str] = Counter()
    for path in code:
        size = sum(last - first + 1 for first, last in files.lines.get(path, ()))
        weights[language_of(path)] += max(size, 1)
    family = {language_of(path) for path in (*files.gold, *files.tests, *files.added)} & _C_FAMILY
    best = max(sorted(weights), key=lambda language: weights[language])
    return next((name for name in ("cpp", "objc") if name in family), best) if best == "c" else best
