"""Conventions of the codebase around the relevant files, each with paths that prove it (PATTERN P1, P7).

Where such code lives (a glob) and how its files are named are counted on paths; which file to imitate (`siblings`) and
where the tests are (`covering_tests`) need evidence in the files themselves.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from typing import NamedTuple

from zeroin.answer import Pattern
from zeroin.context.conventions.covering_tests import MAX_EVIDENCE, tests_of
from zeroin.context.conventions.names import Name, name_of
from zeroin.context.conventions.shared import Shared
from zeroin.context.conventions.siblings import sibling_of
from zeroin.index.view import View
from zeroin.patterns import literal
from zeroin.types import MEDIUM, Judgment, Role

# Least relevance of a file that a pattern is about, where none is `MEDIUM`: of 5 tests shown for files below it none
# helped, of 4 for files above it 3 did.
LEAST = 0.3
MAX_SEEDS = 12  # relevant files looked at, best first
MIN_LIFT = 1.5  # a glob must be this much richer in relevant files than the repository
_FEW = 20  # files of a glob that holds one relevant file, at most
NAMING_SHARE = 0.75  # share of the files around that must follow a naming scheme


def patterns_of(
    relevant: Sequence[Judgment],
    paths: Sequence[str],
    roles: Sequence[Role],
    ranking: Sequence[Judgment] = (),
    view: View | None = None,
    *,
    listed: Set[str] = frozenset(),
    adds: bool = True,
) -> tuple[Pattern, ...]:
    """Return tests, sibling, location and naming around `relevant` (best first); `roles` is parallel to `paths`.

    `ranking` is everything judged, best first: less relevant files, too, vote for the folder of the sibling. Siblings
    and tests need a `view` of the contents. Every pattern is about files that are relevant or `listed`. A task that
    `adds` no file needs only the tests.
    """
    role_of = dict(zip(paths, roles, strict=True))
    level = MEDIUM if any(j.relevance >= MEDIUM for j in relevant) else LEAST
    seeds = [(j, role_of.get(j.path, j.role)) for j in relevant if j.relevance >= level]
    code = [j for j, role in seeds if role is Role.IMPLEMENTATION]
    code = (code or [j for j, role in seeds if role in (Role.TEST, Role.EXAMPLE)])[:MAX_SEEDS]
    if not code:
        return ()  # nothing relevant is code: no convention of code is asked for
    ranking = ranking or code
    role = role_of.get(code[0].path, Role.IMPLEMENTATION)
    seed_names = [name_of(j.path) for j in code]
    around = [name_of(path) for path in _around(seed_names, ranking, paths)]
    alike = [name for name in around if role_of[name.path] is role]
    everyone = roles.count(role)
    found: list[Pattern | None] = []
    if view is not None:
        shared = Shared(view)
        tests = [path for path, role in zip(paths, roles, strict=True) if role is Role.TEST]
        found.append(tests_of(seed_names, around, tests, shared))
        found.append(sibling_of(code, ranking, alike, shared, listed) if adds else None)
    if adds:
        location = _location(code, alike, around, everyone)
        found += [location, _naming(_area(seed_names, alike, location), location)]
    return tuple(pattern for pattern in found if pattern is not None)


def _around(seeds: Sequence[Name], ranking: Sequence[Judgment], paths: Sequence[str]) -> list[str]:
    """Return the paths that a glob around a seed can match, and those in folders where siblings are looked for.

    Parsing every path of a large tree would cost more than all else.
    """
    tops = tuple({f"{seed.folders[0]}/" for seed in seeds if seed.folders})
    tails = tuple({seed.infix + seed.extension for seed in seeds})
    folders = {seed.folder for seed in seeds} | {j.path.rpartition("/")[0] for j in ranking}
    return [p for p in paths if (p.startswith(tops) and p.endswith(tails)) or p.rpartition("/")[0] in folders]


# --- where such code lives ----------------------------------------------------------------------


def _location(code: Sequence[Judgment], alike: Sequence[Name], around: Sequence[Name], everyone: int) -> Pattern | None:
    """Return the glob that holds most of the relevance while holding little else.

    `alike` are the files `around` that have the seeds' role, `everyone` is how many of the tree have it. A glob with
    only one relevant file counts only if that file is the best, and among a few: one of 300 says no place.
    """
    weight = {j.path: j.relevance for j in code}
    seeds = [name_of(path) for path in weight]
    total = sum(weight.values())
    below = _Below(alike)
    best: tuple[float, str, list[str], _Glob] | None = None
    for text, glob in _globs(seeds).items():
        inside = sum(glob.matches(n) for n in below[glob.top])
        inside_seeds = [n.path for n in seeds if glob.matches(n)]
        telling = 2 < inside <= _FEW and inside_seeds == [code[0].path]
        if inside < 2 or (len(inside_seeds) < 2 and not telling):
            continue
        share = sum(weight[p] for p in inside_seeds) / total
        lift = share / (inside / everyone)
        if lift < MIN_LIFT:
            continue
        value = share * math.log(1 + lift) * (1.0 if len(inside_seeds) > 1 else 0.5)
        if best is None or value > best[0] + 1e-9:
            best = (value, text, inside_seeds, glob)
    if best is None:
        return None
    _, place, inside_seeds, glob = best
    count = sum(glob.matches(n) for n in around)
    text = f"{len(inside_seeds)} of the {len(code)} most relevant files are among the {count} files of {place}"
    if len(inside_seeds) == 1:
        text = f"{inside_seeds[0]} is one of the {count} files of {place}"
    return Pattern("location", text, place, tuple(inside_seeds[:MAX_EVIDENCE]))


class _Below(dict[tuple[str, ...], list[Name]]):
    """The names below each folder (a tuple of parts), found among the names below its parent, and cached."""

    def __init__(self, everyone: Sequence[Name]) -> None:
        super().__init__({(): list(everyone)})

    def __missing__(self, folders: tuple[str, ...]) -> list[Name]:
        last = len(folders) - 1
        found = [n for n in self[folders[:-1]] if len(n.folders) > last and n.folders[last] == folders[last]]
        self[folders] = found
        return found


class _Glob(NamedTuple):
    """A glob in parts, tested on parts: cheaper than matching its text against every path."""

    top: tuple[str, ...]
    deep: bool  # any folders between `top` and the file (or `last`)
    last: str  # the file's own folder, if set
    ending: str  # of the stem
    infix: str
    extension: str

    def __str__(self) -> str:
        top = literal("/".join(self.top))
        middle = [top, *(["**"] if self.deep else []), *([literal(self.last)] if self.last else [])]
        return "/".join([*middle, f"*{literal(self.ending + self.infix + self.extension)}"])

    def matches(self, name: Name) -> bool:
        below = name.folders[: len(self.top)] == self.top if self.deep else name.folders == self.top
        return (
            below
            and name.extension == self.extension
            and (not self.last or name.folders[len(self.top) :][-1:] == (self.last,))
            and (name.stem + name.infix).endswith(self.ending + self.infix)
        )


def _globs(seeds: Iterable[Name]) -> dict[str, _Glob]:
    """Return candidate globs around `seeds`: by folder, by a folder above, by the folder's name, by suffix."""
    found: set[_Glob] = set()
    for seed in seeds:
        folders, tail = seed.folders, (seed.infix, seed.extension)
        if folders:
            found.add(_Glob(folders, False, "", "", *tail))
            found.add(_Glob(folders[:1], True, "", seed.suffix, *tail))
        for depth in range(1, len(folders) + 1):
            found.add(_Glob(folders[:depth], True, "", "", *tail))
            if depth < len(folders):
                found.add(_Glob(folders[:depth], True, folders[-1], "", *tail))
    return {str(glob): glob for glob in sorted(found, key=lambda g: (g.deep, str(g)))}  # the plainest first


def _area(seeds: Sequence[Name], alike: Sequence[Name], location: Pattern | None) -> list[Name]:
    """Return the files that share a location with the relevant ones; else those of the best file's folder."""
    if location is not None:
        glob = _globs(seeds)[location.glob]
        return [n for n in alike if glob.matches(n)]
    first = seeds[0]
    return [n for n in alike if n.folders == first.folders and n.extension == first.extension]


# --- how it is named ----------------------------------------------------------------------------


def _naming(area: Sequence[Name], location: Pattern | None) -> Pattern | None:
    """Return the naming scheme of an area: its case, and a suffix or infix that several of its files share.

    An ending by which the `location` was chosen is no news.
    """
    cases = Counter(case for n in area if (case := n.case))
    several = sum(cases.values())
    case, count = cases.most_common(1)[0] if cases else ("", 0)
    if count < 2 or count < NAMING_SHARE * several:
        case = ""
    endings = Counter(ending for n in area if (ending := n.ending))
    place = location.glob if location is not None else ""
    common = [e for e, c in endings.most_common(3) if c >= 2 and not place.endswith(literal(e + area[0].extension))]
    if not case and not common:
        return None
    parts = []
    if case:
        parts.append(f"{case} file names ({count} of {several} with several words)")
    if common:
        parts.append("endings " + ", ".join(f"{e} ({endings[e]})" for e in common))
    example = [n for n in area if (not case or n.case == case)]
    shown = [n for n in example if n.ending in common[:1]] or example
    first = shown[0] if shown else area[0]
    glob = f"**/*{literal(common[0] + first.extension)}" if common and first.ending in common else ""
    return Pattern("naming", "; ".join(parts), glob, tuple(n.path for n in shown[:MAX_EVIDENCE]))
