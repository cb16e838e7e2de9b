"""The role of a file by its path alone, across languages and their conventions.

The most specific rule wins: a vendored test is vendored, a generated test is generated, a test's data is data, a
test in documentation is a test. Folder names count wherever they stand, but never that of the repository itself.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from zeroin.beside import table_beside
from zeroin.corpus.languages import language_of
from zeroin.patterns import lazy_pattern
from zeroin.types import Role

_MINIFIED_NAME = lazy_pattern(r"[.-]min\.(?:js|mjs|css|html)$|\.bundle\.js$|-bundle\.js$|\.packed\.js$")
# Whole names, in lower case, with their extension.
_TEST_NAME = lazy_pattern(
    r"^tests?[_.-].+|^tests?\.\w+$|.+[_.-](?:test|tests|e2e|cy|unittest|unittests|test-d)\.\w+$"
    r"|.+[.-](?:spec|specs|bench)\.\w+$|.+_spec\.(?:rb|lua|cr|exs|nim|dart|js|ts)$"
    r"|^conftest\.py$|^spec_helper\.\w+$|^rails_helper\.rb$|^test_helper\.\w+$|.+\.bats$"
    r"|.+[_.-](?:test|spec)\.(?:d|jsx?|tsx?)\.\w+$|^(?:jest|vitest|karma|playwright|cypress)\.setup\.\w+$"
    r"|.+\.t$|.+\.(?:integration|unit)\.\w+$"
)
# CamelCase names are recognised by their capitals: FooTest.java, TestFoo.java, FooTests.cs, FooIT.java. FooSpec is a
# test only where tests are called so: elsewhere it is a specification of something, as AnnotationSpec.java.
_CAMEL_TEST = lazy_pattern(
    r"^(?:Test[A-Z0-9]\w*|\w*[a-z0-9](?:Tests?|TestCase|TestBase|TestSuite|IT|ITCase|Suite|Benchmark|TestHelper))\."
    r"(?:java|kt|kts|scala|groovy|cs|fs|vb|php|swift|hs|m|mm|cc|cpp|cxx|h|hpp|js|ts|tsx|jsx|dart)$"
    r"|^\w*[a-z0-9]Specs?\.(?:scala|groovy|hs|php|swift|m|mm|js|jsx)$"
)
_BENCHMARK = lazy_pattern(r"^\w*[a-z0-9]Benchmark\.\w+$")
# What the build of a JVM or R package calls the program: tests lie beside it, in src/test/ or tests/testthat/.
_SHIPPED = lazy_pattern(r"(?:^|/)src/(?:main|\w*Main)(?:/|$)|(?:^|/)R$")
# A package of a program that measures others, where benchmarks lie beside src/.
_MEASURING = lazy_pattern(r"^(?!tests?/|bench)(?:crates/)?(?:[^/]+/)?src/(?:\w+/)?bench(?:mark)?(?:/|$)")
# Folders in CamelCase or with dots, as in C# and Swift: Foo.Tests/, FooTests/, Foo.Benchmarks/, jsonTest/.
_CAMEL_TEST_FOLDER = lazy_pattern(
    r"(?:^|[a-z0-9.\-_ ])(?:Unit|Integration)?(?:Tests?|Specs|Benchmarks?|TestUtils?)$"
    r"|[.\-_]tests?$|(?:^|[.\-_])Spec$|\.Tests\.|[.\-]benchmarks?$|^tests?[-_.]"
)
_CAMEL_EXAMPLE_FOLDER = lazy_pattern(
    r"(?:^|[a-z0-9.\-_])(?:Examples?|Samples?|Demos?)$|[.\-_](?:examples?|samples?|demos?)$"
    r"|^(?:[Ee]xamples?|[Dd]emos?|[Ss]amples?)[-_.]"
)
# Folders that are called after a release, SDL2-2.0.10/, and those that hold our code for a version of something else.
_RELEASE = lazy_pattern(r"[-_]v?\d+(?:\.\d+)+[a-z]?$")
_VARIANT = lazy_pattern(r"^(?:src|version|release|api|protocol|scala|python|ruby|php|java|node)[-_]")

_DOC_NAMES = lazy_pattern(
    r"^(?:readme|changelog|changes|history|news|contributing|contributors|authors|copying|licen[cs]e|"
    r"notice|security|code[_-]of[_-]conduct|support|governance|maintainers|roadmap|upgrading|upgrade|"
    r"migrating|migration|releasing|release[_-]?notes|releases|todo|thanks|credits|install|hacking|faq|"
    r"acknowledg\w+|patents|unlicense)(?:[._-][\w.-]*)?$"
)
# Manual pages (tool.1, tool.3pm, tool.8.in) and other formats of manuals; no versions (v1.2), no old logs (x.log.1).
_MANUAL_NAME = lazy_pattern(
    r"^[a-z]{2}[\w+-]*(?<!-\d)\.[1-8](?:pm|ssl|x)?(?:\.in)?$|\.(?:man|roff|mdoc|texi|texinfo|pod)(?:\.in)?$"
)
_CHANGELOG = lazy_pattern(
    r"^(?:change[_-]?logs?|changes|history|news|release[_-]?(?:notes|history)|releases|what'?s[_-]?new)\b"
)

_LICENCE = lazy_pattern(r"^(?:copying|licen[cs]e|unlicen[cs]e|notice|patents)(?:[._-][\w.-]*)?$")


_WORKFLOWS = (".github/", ".circleci/", ".gitlab/")  # an action of theirs may be called `unit-test`


@cache
def _sets(kind: str) -> Mapping[str, frozenset[str]]:
    """Return the sets of words below a heading of `roles.toml`."""
    return {name: frozenset(words.split()) for name, words in table_beside(__file__, "roles.toml")[kind].items()}


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(table_beside(__file__, 'roles.toml')['patterns'][name])})$")


def role_of(path: str, *, generated: bool = False, language: str = "") -> Role:
    """Return the role of the file at `path`; `generated` says whether its contents declare it.

    `language` is that of its contents: `de.ts` that holds XML has the role of `de.ts.xml`.
    """
    if language == "xml" and language_of(path) != "xml":
        path = f"{path}.xml"
    return Role.GENERATED if generated and _by_path(path) is not Role.VENDORED else _by_path(path)


def is_bookkeeping(path: str) -> bool:
    """Tell whether a file changes along with others: a lock file, a generated or vendored file, a changelog."""
    role = _by_path(path)
    if role in (Role.GENERATED, Role.VENDORED):
        return True
    folder, _, name = path.rpartition("/")
    return role is Role.DOC and ("changes" in _where(folder) or _CHANGELOG.match(name.lower()) is not None)


def is_licence(path: str) -> bool:
    """Tell whether a file holds the text of a licence, which says nothing of the code."""
    return _LICENCE.match(path.rpartition("/")[2].lower()) is not None and _by_path(path) is Role.DOC


@lru_cache(maxsize=1 << 15)
def _is_called(folder: str, pattern: re.Pattern[str]) -> bool:
    return pattern.search(folder) is not None


@lru_cache(maxsize=1 << 14)
def _where(folder: str) -> frozenset[str]:
    """Return the kinds of a file's folders: by names in `roles.toml`, and by case, depth or pattern of a name."""
    folders = folder.split("/") if folder else []
    low = [name.lower() for name in folders]
    kinds = {kind for at, name in enumerate(low) for kind in _kinds_of_folder(name, top=at == 0)}
    source = low.index("src") if "src" in low else len(low)
    more = {
        "vendored": "Pods" in folders or _holds_library(low),
        # Copied in for want of a package manager: only where the language has none.
        "copied": "top-dependencies" in kinds or _holds_library(low, known=True),
        "shipped": _SHIPPED.search(folder) is not None,
        "measuring": _MEASURING.search(folder) is not None,
        "tests": "top-tests" in kinds or any(_is_called(name, _CAMEL_TEST_FOLDER) for name in folders),
        "examples": _holds_examples(folders),
        "examples outside source": _holds_examples(folders[:source]),  # not a Java package `sample`
        "sphinx": not folders or "documentation" in kinds or low[-1] in ("source", "sphinx"),
        # JSON and XML near the top, or below a folder named after settings, are settings; elsewhere they are data.
        "settings": len(low) <= 1 or any("conf" in name or "settings" in name for name in low),
    }
    return frozenset((*kinds, *(kind for kind, holds in more.items() if holds)))


@lru_cache(maxsize=1 << 14)
def _kinds_of_folder(name: str, *, top: bool) -> tuple[str, ...]:
    """Return the kinds of a folder by its name in lower case; `top`: it is one of the repository's own folders."""
    found = (kind for kind, names in _sets("folders").items() if name in names)
    return tuple(kind for kind in found if top or not kind.startswith("top-"))


def _holds_library(low: list[str], *, known: bool = False) -> bool:
    """Tell whether one of the folders is a release among libraries, or is called like a `known` library.

    Below tests it is what they test.
    """
    for at, name in enumerate(low):
        if name in _sets("folders")["tests"]:
            return False
        release = _RELEASE.search(name) is not None and not _VARIANT.match(name)
        beside = at > 0 and low[at - 1] in _sets("folders")["libraries"]
        if (release or beside if known else release and beside) and (not known or _is_library(name)):
            return True
    return False


def _is_library(name: str) -> bool:
    return any(_pattern("library").match(spelling) for spelling in (name, _RELEASE.sub("", name)))


def _holds_examples(folders: list[str]) -> bool:
    low = [name.lower() for name in folders]
    return any(
        _is_called(name, _CAMEL_EXAMPLE_FOLDER)
        or not {"examples", "top-examples"}.isdisjoint(_kinds_of_folder(low[at], top=at == 0))
        for at, name in enumerate(folders)
    )


@lru_cache(maxsize=1 << 17)
def _by_path(path: str) -> Role:
    folder, _, name = path.rpartition("/")
    where = _where(folder)
    low = name.lower()
    _, dot, extension = low.rpartition(".")
    language = language_of(path)
    languages, endings = _sets("languages"), _sets("endings")
    program = language not in languages["no-program"] and not (language == "text" and dot)
    if "vendored" in where or ("copied" in where and language in languages["copied"]) or _MINIFIED_NAME.search(low):
        return Role.VENDORED
    if "generated" in where or ("distributed" in where and language in languages["distributed"]):
        return Role.GENERATED
    if low in _sets("names")["locks"] or _pattern("generated").search(low):
        return Role.GENERATED
    in_tests = _in_tests(where, language)
    called_test = program and _is_called_test(name, "shipped" in where and language in languages["shipped"])
    holds_data = "data" in where and ("samples" in where or not called_test)
    if (dot and extension in endings["data"]) or (holds_data and _is_data(where, language, program, in_tests)):
        return Role.DATA
    if (program and (in_tests or called_test)) or (dot and extension in endings["tests"]):
        return Role.TEST
    if in_tests:
        if _pattern("build").match(low) or folder.startswith(_WORKFLOWS):
            return Role.CONFIG
        return Role.DOC if language in languages["documents"] else Role.DATA
    if ("examples outside source" if language in languages["packaged"] else "examples") in where:
        return Role.EXAMPLE
    if _is_documentation(where, low, language, program):
        return Role.DOC
    return _of_the_rest(where, low, language)


def _in_tests(where: frozenset[str], language: str) -> bool:
    """Tell whether one of the folders holds tests in this language."""
    languages = _sets("languages")
    if "measuring" in where and language in languages["measuring"]:
        return False
    return "tests" in where or any(kind in where and language in languages[kind] for kind in ("spec", "regression"))


def _is_called_test(name: str, shipped: bool) -> bool:
    """Tell whether a file has the name of a test; where the build ships all that lies there, only a benchmark has."""
    if shipped:
        return _BENCHMARK.match(name) is not None
    return (_TEST_NAME.match(name.lower()) or _CAMEL_TEST.match(name)) is not None


def _is_data(where: frozenset[str], language: str, program: bool, in_tests: bool) -> bool:
    """Tell whether a file in a data folder is data: `fixtures` or `locale` hold code, too, except below tests."""
    if program:
        return in_tests or "test-data" in where
    return in_tests or language not in _sets("languages")["documents"]


def _is_documentation(where: frozenset[str], low: str, language: str, program: bool) -> bool:
    """Tell whether a file is prose, or lies in a documentation folder that is no package of the program."""
    languages = _sets("languages")
    if language in languages["documents"] or low in _sets("names")["documents"] or _MANUAL_NAME.search(low):
        return True
    if program:
        package = "top-doc" in where and language in languages["package-doc"]
        return "top-documentation" in where and not package
    if language == "text" and _DOC_NAMES.match(low):
        return True
    return "documentation" in where or "changes" in where


def _of_the_rest(where: frozenset[str], low: str, language: str) -> Role:
    if "packaging" in where and language == "text":
        return Role.CONFIG
    if "config" in where or language in _sets("languages")["config"] or _pattern("build").match(low):
        return Role.CONFIG
    _, dot, extension = low.rpartition(".")
    if (dot and extension in _sets("endings")["settings"]) or (low == "conf.py" and "sphinx" in where):
        return Role.CONFIG
    if language in _sets("languages")["data"]:
        return Role.CONFIG if "settings" in where or "config" in low or "settings" in low else Role.DATA
    if low.endswith((".txt", ".text")):
        return Role.DOC
    return Role.IMPLEMENTATION
