"""Conventions of the codebase around the relevant files, each with paths that prove it (PATTERN P1, P7).

Everything is computed from paths and roles: where such code lives (a glob), how its files are named, which
file to imitate, where its tests are.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from zeroin.context.names import Name, name_of, words_of
from zeroin.types import LOW, MEDIUM, Judgment, Pattern, Role

MAX_SEEDS = 12  # relevant files looked at, best first
MAX_EVIDENCE = 4  # paths shown for one pattern
MIN_LIFT = 1.5  # a glob must be this much richer in relevant files than the repository
NAMING_SHARE = 0.75  # a naming scheme is one if this share of the files around follows it

_TEST_WORDS = frozenset({"test", "tests", "spec", "specs", "it", "e2e", "unit", "integration", "should"})


def patterns_of(
    relevant: Sequence[Judgment], paths: Sequence[str], roles: Sequence[Role]
) -> tuple[Pattern, ...]:
    """Location, naming, sibling and tests around `relevant` (best first); `roles` is parallel to `paths`."""
    role_of = dict(zip(paths, roles, strict=True))
    level = MEDIUM if any(j.relevance >= MEDIUM for j in relevant) else LOW
    seeds = [
        j
        for j in relevant
        if j.relevance >= level
        and role_of.get(j.path, j.role) in (Role.IMPLEMENTATION, Role.TEST, Role.EXAMPLE)
    ]
    code = [j for j in seeds if role_of.get(j.path, j.role) is Role.IMPLEMENTATION] or seeds
    code = code[:MAX_SEEDS]
    if not code:
        return ()
    names = {path: name_of(path) for path in paths}
    for j in code:
        names.setdefault(j.path, name_of(j.path))
    implementation = [names[p] for p in paths if role_of[p] is role_of.get(code[0].path, Role.IMPLEMENTATION)]
    tests = [names[p] for p in paths if role_of[p] is Role.TEST]
    location = _location(code, implementation, names)
    area = _area(code, implementation, names, location)
    found: Iterable[Pattern | None] = (
        location,
        _naming(area),
        _sibling(code, area, names),
        _tests([names[j.path] for j in code], tests),
    )
    return tuple(pattern for pattern in found if pattern is not None)


# --- where such code lives ----------------------------------------------------------------------


def _location(code: Sequence[Judgment], everyone: Sequence[Name], names: dict[str, Name]) -> Pattern | None:
    """The glob that holds most of the relevance while holding little else."""
    weight = {j.path: j.relevance for j in code}
    total = sum(weight.values())
    best: tuple[float, str, list[str], int] | None = None
    for text, glob in _globs([names[j.path] for j in code]).items():
        inside = [n.path for n in everyone if glob.matches(n)]
        held = [p for p in weight if glob.matches(names[p])]
        if len(inside) < 2 or (len(held) < 2 and len(inside) < 3):
            continue
        share = sum(weight[p] for p in held) / total
        lift = share / (len(inside) / len(everyone))
        if lift < MIN_LIFT:
            continue
        value = share * math.log(1 + lift) * (1.0 if len(held) > 1 else 0.5)
        if best is None or value > best[0] + 1e-9:
            best = (value, text, held, len(inside))
    if best is None:
        return None
    _, place, held, count = best
    if len(code) == 1:
        text = f"{held[0]} is one of the {count} files of {place}"
    else:
        verb = "is" if len(held) == 1 else "are"
        text = f"{len(held)} of the {len(code)} most relevant files {verb} among the {count} files of {place}"
    return Pattern("location", text, place, tuple(held[:MAX_EVIDENCE]))


@dataclass(frozen=True, slots=True)
class _Glob:
    """A glob in parts, tested on parts: cheaper than matching its text against every path."""

    top: tuple[str, ...]
    deep: bool  # any folders between `top` and the file (or `last`)
    last: str  # the file's own folder, if set
    ending: str  # of the stem
    infix: str
    extension: str

    def __str__(self) -> str:
        middle = [*self.top, *(["**"] if self.deep else []), *([self.last] if self.last else [])]
        return "/".join([*middle, f"*{self.ending}{self.infix}{self.extension}"])

    def matches(self, name: Name) -> bool:
        below = name.folders[: len(self.top)] == self.top if self.deep else name.folders == self.top
        return (
            below
            and name.extension == self.extension
            and (not self.last or name.folders[-1] == self.last)
            and (not self.infix or name.infix == self.infix)
            and name.stem.endswith(self.ending)
        )


def _globs(seeds: Iterable[Name]) -> dict[str, _Glob]:
    """Candidate globs around `seeds`: their folder, those above, its name, their ending."""
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


def _area(
    code: Sequence[Judgment], everyone: Sequence[Name], names: dict[str, Name], location: Pattern | None
) -> list[Name]:
    """The files that share a location with the relevant ones; else those of the best file's folder."""
    if location is not None:
        glob = _globs([names[j.path] for j in code])[location.glob]
        return [n for n in everyone if glob.matches(n)]
    first = names[code[0].path]
    return [n for n in everyone if n.folders == first.folders and n.extension == first.extension]


# --- how it is named ----------------------------------------------------------------------------


def _naming(area: Sequence[Name]) -> Pattern | None:
    """The naming scheme of an area: its case, and a suffix or infix that several of its files share."""
    cases = Counter(case for n in area if (case := n.case))
    told = sum(cases.values())
    case, count = cases.most_common(1)[0] if cases else ("", 0)
    if count < 2 or count < NAMING_SHARE * told:
        case = ""
    endings = Counter(ending for n in area if (ending := n.ending))
    common = [e for e, c in endings.most_common(3) if c >= 2]
    if not case and not common:
        return None
    parts = []
    if case:
        parts.append(f"{case} file names ({count} of {told} with several words)")
    if common:
        parts.append("endings " + ", ".join(f"{e} ({endings[e]})" for e in common))
    example = [n for n in area if (not case or n.case == case)]
    shown = [n for n in example if n.ending in common[:1]] or example
    first = shown[0] if shown else area[0]
    glob = f"**/*{common[0]}{first.extension}" if common and first.ending in common else ""
    return Pattern("naming", "; ".join(parts), glob, tuple(n.path for n in shown[:MAX_EVIDENCE]))


# --- what to imitate ----------------------------------------------------------------------------


def _sibling(code: Sequence[Judgment], area: Sequence[Name], names: dict[str, Name]) -> Pattern | None:
    """The file most like the best one that is not the answer itself: same folder, ending, words."""
    seeds = {j.path for j in code}
    first = names[code[0].path]
    ending = first.ending

    def likeness(other: Name) -> tuple[float, str]:
        same_end = 2.0 * bool(ending and ending == other.ending)
        shared = len(set(first.words) & set(other.words))
        near = (
            1.0
            if other.folders == first.folders
            else 0.4
            if other.folders[:-1] == first.folders[:-1]
            else 0.0
        )
        return same_end + near + 0.5 * shared, other.path

    near_by = [
        n for n in area if n.path not in seeds and n.extension == first.extension and n.stem != "__init__"
    ]
    if not near_by:
        return None
    best = max(near_by, key=lambda n: (likeness(n)[0], [-ord(c) for c in n.path]))
    if likeness(best)[0] < 1.0:
        return None
    what = f"same ending {ending}" if likeness(best)[0] >= 2 and ending else "same place"
    return Pattern(
        "sibling", f"{best.path} is a sibling of {first.path} to imitate ({what})", "", (best.path,)
    )


# --- where its tests are ------------------------------------------------------------------------


def _tests(code: Sequence[Name], tests: Sequence[Name]) -> Pattern | None:
    """Tests whose name says that they are about a relevant file, as a glob; else where tests are."""
    if not tests:
        return None
    by_key: dict[str, list[Name]] = {}
    for test in tests:
        if _is_marked(test):
            by_key.setdefault(_tested(test), []).append(test)
    pairs: list[tuple[Name, Name]] = []
    for name in code:
        twins = by_key.get("".join(name.words), [])
        twins = [t for t in twins if t.extension == name.extension] or twins
        if twins:
            pairs.append((name, max(twins, key=lambda t: (_overlap(name, t), [-ord(c) for c in t.path]))))
    if pairs:
        glob = _test_glob([t for _, t in pairs])
        listed = ", ".join(f"{test.path} for {name.path}" for name, test in pairs[:2])
        return Pattern(
            "tests", f"tests are named after the file: {listed}", glob, _evidence(t for _, t in pairs)
        )
    same = [t for t in tests if t.extension == code[0].extension] or tests
    near = max(same, key=lambda t: (_overlap(code[0], t), [-ord(c) for c in t.path]))
    around = [t for t in tests if t.folders == near.folders]
    glob = _test_glob([near])
    where = (
        f"the nearest tests are the {len(around)} of {glob}"
        if len(around) > 1
        else f"the nearest is {near.path}"
    )
    text = f"no test is named after {code[0].path}; {where}"
    return Pattern("tests", text, glob, _evidence(around))


def _evidence(names: Iterable[Name]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(n.path for n in names))[:MAX_EVIDENCE]


def _is_marked(test: Name) -> bool:
    """Whether a test's name or infix says that it is one, or a folder named for tests holds it; no `__init__`."""
    if test.stem == "__init__":
        return False
    said = {*test.words, *words_of(test.infix)}
    folders = {w.strip("_").lower() for w in test.folders}
    return bool(said & _TEST_WORDS) or bool(folders & _TEST_WORDS)


def _tested(test: Name) -> str:
    """What a test's name says it is about: its words without `test`, `spec` and the like."""
    return "".join(word for word in test.words if word not in _TEST_WORDS)


def _overlap(name: Name, test: Name) -> float:
    """How many folders two files share, in any position."""
    shared = len(set(name.folders) & set(test.folders))
    return shared - 0.01 * len(test.folders)


def _test_glob(tests: Sequence[Name]) -> str:
    """A glob of the tests like `tests`: their common folder and what in the name makes them tests."""
    first = tests[0]
    folders: tuple[str, ...] = first.folders
    for test in tests[1:]:
        shared = 0
        while shared < min(len(folders), len(test.folders)) and folders[shared] == test.folders[shared]:
            shared += 1
        folders = folders[:shared]
    deep = any(t.folders != folders for t in tests)
    middle = "/".join((*folders, "**") if deep else folders)
    stem = first.stem
    if first.infix:
        mask = f"*{first.infix}{first.extension}"
    elif stem.lower().startswith("test_"):
        mask = f"test_*{first.extension}"
    elif (ending := re.search(r"(?:[-_](?:test|spec)|Tests?|Spec|IT)$", stem)) is not None:
        mask = f"*{ending[0]}{first.extension}"
    else:
        mask = f"*{first.extension}"
    return f"{middle}/{mask}" if middle else mask
