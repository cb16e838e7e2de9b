"""Conventions of the codebase around the relevant files, each with paths that prove it (PATTERN P1, P7).

Everything is computed from paths and roles: where such code lives (a glob), how its files are named, which
file to imitate, where its tests are.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from zeroin.answer import Pattern
from zeroin.context.names import Name, name_of, words_of
from zeroin.corpus.languages import language_of
from zeroin.types import LOW, MEDIUM, Judgment, Role

MAX_SEEDS = 12  # relevant files looked at, best first
MAX_EVIDENCE = 4  # paths shown for one pattern
MIN_LIFT = 1.5  # a glob must be this much richer in relevant files than the repository
NAMING_SHARE = 0.75  # a naming scheme is one if this share of the files around follows it

_OTHERS, _VOTERS = 0.3, 15  # weight and number of files besides the relevant ones that vote for a folder
_NAMED = 2.0  # closeness from which a test's name says what it is about
_CROWD = 0.4  # most that the number of tests in a folder adds to their closeness
# A test that is merely near is passed over for where most tests are, if it is one of few in its place.
_STRAY, _USUAL = 0.1, 0.5
_TESTED = 6  # relevant files whose tests are looked for
_SPEECHLESS = frozenset({"__init__", "index", "main", "mod", "lib", "init"})  # the folder says what these are
_PLAIN = frozenset("text markdown rst json yaml toml html css xml csv".split())
_TEST_WORDS = frozenset({"test", "tests", "spec", "specs", "it", "e2e", "unit", "integration", "should"})


def patterns_of(
    relevant: Sequence[Judgment],
    paths: Sequence[str],
    roles: Sequence[Role],
    ranking: Sequence[Judgment] = (),
) -> tuple[Pattern, ...]:
    """Location, naming, sibling and tests around `relevant` (best first); `roles` is parallel to `paths`.

    `ranking` is everything judged, best first: files that are not relevant enough still show where more like them are.
    """
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
        return ()  # nothing relevant is code: no convention of code is asked for
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
        _sibling(code, ranking or code, implementation),
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


def _sibling(
    code: Sequence[Judgment], ranking: Sequence[Judgment], everyone: Sequence[Name]
) -> Pattern | None:
    """The file to imitate: in the folder that most of what was found votes for, the one most like the best there.

    A folder of many files counts more than one of few: that is where one more is put.
    """
    votes: dict[str, float] = {}
    anchors: dict[str, Name] = {}
    seeds = {j.path for j in code}
    others = [j for j in ranking if j.path not in seeds]
    weighted = [(j, 1.0 / (1 + place)) for place, j in enumerate(code)]
    weighted += [(j, _OTHERS / (1 + place)) for place, j in enumerate(others[:_VOTERS])]
    programs: dict[str, list[Name]] = {}
    for name in everyone:
        if _is_program(name):
            programs.setdefault(name.folder, []).append(name)
    known = {name.path: name for inside in programs.values() for name in inside}
    for judgment, weight in weighted:
        if (anchor := known.get(judgment.path)) is not None:
            votes[anchor.folder] = votes.get(anchor.folder, 0.0) + weight
            anchors.setdefault(anchor.folder, anchor)
    worth = {folder: value * (1 + math.log(len(programs[folder]))) for folder, value in votes.items()}
    for folder in sorted(worth, key=lambda f: (-worth[f], f)):
        anchor = anchors[folder]
        inside = [n for n in programs[folder] if n.extension == anchor.extension and n != anchor]
        fresh = [n for n in inside if n.path not in seeds] or inside
        if fresh:
            best = max(fresh, key=lambda n: (_likeness(n, anchor), [-ord(c) for c in n.path]))
            what = (
                f"same ending {best.ending}" if best.ending and best.ending == anchor.ending else "same place"
            )
            text = f"{best.path} is a sibling of {anchor.path} to imitate ({what})"
            return Pattern("sibling", text, "", (best.path,))
    return None


def _likeness(name: Name, other: Name) -> float:
    """How alike two names of one folder are: the ending above all."""
    shared = len(set(name.words) & set(other.words))
    return 2.0 * bool(other.ending and name.ending == other.ending) + 0.5 * shared


def _is_program(name: Name) -> bool:
    return name.stem != "__init__" and language_of(name.path) not in _PLAIN


# --- where its tests are ------------------------------------------------------------------------


def _tests(code: Sequence[Name], tests: Sequence[Name]) -> Pattern | None:
    """The tests of the relevant files as a glob: named after file or folder, else in the folder that mirrors it."""
    if not tests:
        return None
    marked = [t for t in tests if _is_marked(t)] or tests
    crowd = Counter(test.folders for test in marked)
    found = [(name, *_nearest(name, marked, crowd)) for name in code[:_TESTED]]
    best = max(value for _, _, value in found)
    named = [(name, test) for name, test, value in found if value >= _NAMED]
    if named:
        alike = _same_mask([test for _, test in named])
        glob = _test_glob(alike)
        listed = ", ".join(f"{test.path} for {name.path}" for name, test in named[:2] if test in alike)
        return Pattern("tests", f"tests are named after the file: {listed}", glob, _evidence(alike))
    name, near, _ = next(row for row in found if row[2] == best)
    usual, held = Counter(test.folders for test in tests).most_common(1)[0]
    if crowd[near.folders] <= _STRAY * len(tests) and held >= _USUAL * len(tests):
        near = _nearest(name, [test for test in tests if test.folders == usual], Counter({usual: held}))[0]
    around = [t for t in tests if t.folders == near.folders and _mask(t) == _mask(near)]
    glob = _test_glob([near])
    where = (
        f"the nearest tests are the {len(around)} of {glob}"
        if len(around) > 1
        else f"the nearest is {near.path}"
    )
    return Pattern("tests", f"no test is named after {name.path}; {where}", glob, _evidence(around))


def _nearest(name: Name, tests: Sequence[Name], crowd: Mapping[tuple[str, ...], int]) -> tuple[Name, float]:
    """The test that its name and place say is about a file, and how surely: `_NAMED` or more by its name.

    `crowd` is how many tests a folder holds: of two that are as near, the one where tests usually are.
    """
    values = [_closeness(name, t) + _CROWD * min(1.0, math.log10(crowd[t.folders]) / 2) for t in tests]
    most = max(values)
    alike = [test for test, value in zip(tests, values, strict=True) if value == most]
    return max(alike, key=lambda test: [-ord(c) for c in test.path]), most


def _closeness(name: Name, test: Name) -> float:
    """Named alike, else named after the folder or in a folder named after the file; then the place."""
    key, folder = _key(name), _bare(name.folders[-1]) if name.folders else ""
    if not _is_marked(test):
        key = folder = ""
    tested, home = _tested(test), _bare(test.folders[-1]) if test.folders else ""
    value = 0.0
    if tested and tested == key:
        value = _NAMED + 1.0
    elif home and home == key:
        value = _NAMED + 0.5
    elif tested and tested == folder:
        value = _NAMED
    ours = [f for f in name.folders if _bare(f)]
    theirs = [f for f in test.folders if _bare(f) not in _TEST_WORDS]
    tail = head = 0
    while tail < min(len(ours), len(theirs)) and ours[-1 - tail] == theirs[-1 - tail]:
        tail += 1
    while head < min(len(name.folders), len(test.folders)) and name.folders[head] == test.folders[head]:
        head += 1
    shared = len(set(name.folders) & set(test.folders))
    place = 0.3 * tail + 0.1 * head + 0.1 * shared - 0.01 * len(test.folders)
    return value + min(place, 1.5) + 0.2 * (test.extension == name.extension)


def _key(name: Name) -> str:
    """What a test of a file would be called: its words, or those of its folder where the name says nothing."""
    if name.stem.lower() in _SPEECHLESS and name.folders:
        return _bare(name.folders[-1])
    return "".join(name.words)


@lru_cache(maxsize=1 << 12)  # a few folders hold all the tests
def _bare(folder: str) -> str:
    return "".join(words_of(folder))


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


def _same_mask(tests: Sequence[Name]) -> list[Name]:
    """The tests whose names are marked like most of them are: one glob must hold them all."""
    masks = Counter(_mask(test) for test in tests)
    most = max(masks, key=lambda m: (masks[m], -[_mask(t) for t in tests].index(m)))
    return [test for test in tests if _mask(test) == most]


def _mask(test: Name) -> str:
    """What in a name makes it a test, as a glob."""
    if test.infix:
        return f"*{test.infix}{test.extension}"
    if test.stem.lower().startswith("test_"):
        return f"{test.stem[:5]}*{test.extension}"
    ending = re.search(r"(?:[-_](?:test|spec)|Tests?|Spec|IT)$", test.stem)
    return f"*{ending[0]}{test.extension}" if ending is not None else f"*{test.extension}"


def _test_glob(tests: Sequence[Name]) -> str:
    """A glob of the tests like `tests`: their common folder and what in the name makes them tests."""
    folders: tuple[str, ...] = tests[0].folders
    for test in tests[1:]:
        shared = 0
        while shared < min(len(folders), len(test.folders)) and folders[shared] == test.folders[shared]:
            shared += 1
        folders = folders[:shared]
    deep = any(t.folders != folders for t in tests)
    middle = "/".join((*folders, "**") if deep else folders)
    return f"{middle}/{_mask(tests[0])}" if middle else _mask(tests[0])
