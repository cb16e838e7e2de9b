"""Find the tests of a file: named after it, importing or naming it, and in the folder of its siblings' tests."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from zeroin.answer import Pattern
from zeroin.context.conventions.names import Name, name_of, stem_of, words_of
from zeroin.context.conventions.shared import Shared
from zeroin.corpus.languages import language_of
from zeroin.patterns import literal
from zeroin.wording import first_of

MAX_EVIDENCE = 4  # paths shown for one pattern
_TESTED = 6  # relevant files whose tests are looked for
_FEW, _MANY = 3, 80  # least and most files of a folder whose tests are checked for a common form
_MOST_USERS = 20  # a file that more tests import is not what they test
_PAIRS = 2  # of a file and its test that the sentence names
_SPEECHLESS = frozenset({"__init__", "index", "main", "mod", "lib", "init"})  # their folder names them
_TEST_WORDS = frozenset({"test", "tests", "spec", "specs", "it", "e2e", "unit", "integration", "should"})


class _Twin(NamedTuple):
    """A file and its test, the proof that it is one, the form of its name, and how many `siblings` have such a test."""

    name: Name
    test: Name
    proof: str
    template: str
    have: int
    siblings: tuple[Name, ...]


def tests_of(code: Sequence[Name], everyone: Sequence[Name], paths: Sequence[str], shared: Shared) -> Pattern | None:
    """Return the tests of the relevant files: those named after them, else those that import one; None without any.

    `paths` are the paths of all tests.
    """
    tests = _Tests(paths)
    code = [name for name in code if name.path not in tests.paths]
    everyone = [name for name in everyone if name.path not in tests.paths]
    twins = [twin for name in code[:_TESTED] if (twin := _twin(name, tests, everyone, shared)) is not None]
    if not twins:
        return _importing(code, tests, shared)
    alike = _same_mask([twin.test for twin in twins])
    twins = [twin for twin in twins if twin.test in alike]
    pairs = [f"{t.test.path} tests {t.name.path} ({t.proof})" for t in twins[:_PAIRS]]
    text = "; ".join(filter(None, (_scheme(twins[0], tests, shared), *pairs)))
    return Pattern("tests", text, _test_glob(alike), _evidence(alike))


class _Tests:
    """The tests whose names or folders mark them as tests, by the name of what they test.

    A large tree has thousands: only those asked for are parsed.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = frozenset(paths)
        self._by_tested: dict[str, list[str]] = {}
        for path in paths:
            key = "".join(word for word in words_of(stem_of(path)) if word not in _TEST_WORDS)
            self._by_tested.setdefault(key, []).append(path)

    def __contains__(self, path: str) -> bool:
        return path in self.paths and _is_marked(name_of(path))

    def of(self, name: Name) -> list[Name]:
        """Return the tests that are named after a file."""
        return [test for test in map(name_of, self._by_tested.get(_key(name), ())) if _is_marked(test)]


def _twin(name: Name, tests: _Tests, everyone: Sequence[Name], shared: Shared) -> _Twin | None:
    """Return the test of a file, if one imports or names it and lies where those of its siblings do."""
    siblings = [n for n in everyone if n.folders == name.folders and n.extension == name.extension]
    named = tests.of(name)
    beside = Counter(t.folders for n in siblings if n != name for t in tests.of(n)) if named else Counter()
    found: list[_Twin] = []
    for test in named:
        template = _template(name, test)
        proof = _proof(name, test, shared) if template else ""
        if proof:
            have = sum(_path_of(template, test, n) in tests for n in siblings)
            if 2 * beside[test.folders] < beside.total():
                continue  # most tests of its siblings lie elsewhere
            found.append(_Twin(name, test, proof, template, have, tuple(siblings)))
    return max(found, key=lambda t: (t.have, _nearness(t.name, t.test), -len(t.test.path)), default=None)


def _scheme(twin: _Twin, tests: _Tests, shared: Shared) -> str:
    """Say how many siblings have a test of the same form that imports or names them; "" unless most do."""
    files = twin.siblings
    if not _FEW <= len(files) <= _MANY or 2 * twin.have <= len(files) or "{name}" not in twin.template:
        return ""
    have = 0
    for name in files:
        path = _path_of(twin.template, twin.test, name)
        have += path in tests and bool(_proof(name, name_of(path), shared))
    if 2 * have <= len(files):
        return ""
    holder, where = twin.name.folder or "the root", twin.test.folder or "the root"
    kind = f"{twin.name.extension} files".strip() + " besides tests" * (holder == where)
    return f"{have} of {len(files)} {kind} in {holder} have {twin.template} in {where}, which imports or names them"


def _proof(name: Name, test: Name, shared: Shared) -> str:
    if shared.imports(test.path, name.path):
        return "imports it"
    named = shared.named(test.path, name.path)
    return f"says {named}" if named else ""


def _importing(code: Sequence[Name], tests: _Tests, shared: Shared) -> Pattern | None:
    """Return the tests that import the best relevant file that any test imports, for when no test is named after one.

    A test that other tests import is a helper, and left out. A file that many tests import is not what they test. Where
    a test is named after the file but does not import it, imports tell too little: tests of one package need none. How
    many run a shell script is not known: they do so in many forms.
    """
    for name in code[:_TESTED]:
        if language_of(name.path) == "bash" or any(not _proof(name, test, shared) for test in tests.of(name)):
            continue
        using = [path for path in shared.importers(name.path) if path in tests]
        found = [name_of(path) for path in using if tests.paths.isdisjoint(shared.importers(path))]
        if 0 < len(found) <= _MOST_USERS:
            found.sort(key=lambda t: (-_nearness(name, t), t.path))
            alike = _same_mask(found)
            text = f"{name.path} is used in {first_of([t.path for t in found], MAX_EVIDENCE)}"
            return Pattern("tests", text, _test_glob(alike[:MAX_EVIDENCE]), _evidence(alike))
    return None


def _template(name: Name, test: Name) -> str:
    """Return a test's file name with `{name}` in place of the file's stem; "" where the stem is not in it."""
    base = test.path.rpartition("/")[2]
    if _is_by_folder(name):
        return base
    stem = name.stem.strip("_-")
    return base.replace(stem, "{name}", 1) if stem and stem in base else ""


def _is_by_folder(name: Name) -> bool:
    """Tell whether a file's folder, not its stem, says what it is."""
    return name.stem.lower() in _SPEECHLESS


def _path_of(template: str, test: Name, sibling: Name) -> str:
    base = template.replace("{name}", sibling.stem.strip("_-"))
    return f"{test.folder}/{base}" if test.folder else base


def _nearness(name: Name, test: Name) -> int:
    """Return how many of their innermost folders a file and a test share; folders named for tests do not count."""
    ours = [_bare(f) for f in name.folders if _bare(f)]
    theirs = [_bare(f) for f in test.folders if _bare(f) not in _TEST_WORDS]
    pairs = zip(reversed(ours), reversed(theirs), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _key(name: Name) -> str:
    """Return what a file's test is named after: its words, or those of its folder where the stem says nothing."""
    if _is_by_folder(name) and name.folders:
        return _bare(name.folders[-1])
    return "".join(name.words)


@lru_cache(maxsize=1 << 12)  # a few folders hold all the tests
def _bare(folder: str) -> str:
    return "".join(words_of(folder))


def _evidence(names: Iterable[Name]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(n.path for n in names))[:MAX_EVIDENCE]


def _is_marked(test: Name) -> bool:
    """Tell whether a test's name, infix or folders hold a word for tests; False for an `__init__`."""
    if test.stem == "__init__":
        return False
    folders = (folder.strip("_").lower() for folder in test.folders)
    return not _TEST_WORDS.isdisjoint((*test.words, *words_of(test.infix), *folders))


def _same_mask(tests: Sequence[Name]) -> list[Name]:
    """Return the tests that share the most frequent mask: one glob must match them all."""
    masks = Counter(_mask(test) for test in tests)
    most = max(masks, key=masks.__getitem__)  # the first of equals
    return [test for test in tests if _mask(test) == most]


def _mask(test: Name) -> str:
    """Return a glob for the part of a name that marks it as a test."""
    begin = end = ""
    if test.infix:
        end = test.infix
    elif test.stem.lower().startswith("test_"):
        begin = test.stem[:5]
    elif ending := re.search(r"(?:[-_](?:test|spec)|Tests?|Spec|IT)$", test.stem):
        end = ending[0]
    return f"{begin}*{literal(end + test.extension)}"


def _test_glob(tests: Sequence[Name]) -> str:
    """Return a glob of the tests like `tests`: their common folder and what in the name makes them tests."""
    levels = zip(*(test.folders for test in tests), strict=False)
    folders = tuple(level[0] for level in takewhile(lambda level: len(set(level)) == 1, levels))
    deep = any(t.folders != folders for t in tests)
    middle = "/".join((*map(literal, folders), *(["**"] if deep else [])))
    return f"{middle}/{_mask(tests[0])}" if middle else _mask(tests[0])
