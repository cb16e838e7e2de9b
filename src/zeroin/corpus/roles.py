"""The role of a file by its path alone, across languages and their conventions.

The most specific rule wins: a vendored test is vendored, a generated test is generated, a test's data is data, a
test in documentation is a test. Folder names count wherever they stand, but never that of the repository itself.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from zeroin.corpus.languages import language_of
from zeroin.patterns import lazy_pattern
from zeroin.types import Role

_VENDORED_FOLDERS = frozenset(
    "node_modules bower_components vendor vendored _vendor vendors third_party third-party thirdparty "
    "3rdparty 3rd-party _vendored _vendored_packages site-packages jspm_packages godeps carthage .yarn "
    "external_libs extern external-libs".split()
)
_GENERATED_FOLDERS = frozenset(
    "generated _generated __generated__ autogen gen-src generated-src generated_src generated-sources "
    "gensrc .generated .next .nuxt .output htmlcov storybook-static".split()
)
_DISTRIBUTED = frozenset("javascript css html".split())  # what a folder `dist` holds when it is build output
_TEST_FOLDERS = frozenset(
    "test tests testing __tests__ __test__ e2e integration_tests integration-tests unittests unittest "
    "unit_tests unit-tests functional_tests testsuite testsuites test-suite test_suite test-utils "
    "test_utils testutil testutils test-helpers test_helpers testlib testkit androidtest jvmtest "
    "commontest nativetest jstest iostest sharedtest benchmark benchmarks bench benches asv_bench "
    "perf-tests __mocks__ mocks regress regression fuzz smoke".split()
)
_TOP_TEST_FOLDERS = frozenset("spec specs cypress playwright it itest t".split())
# Where spec/ anywhere holds tests.
_SPEC_LANGUAGES = frozenset("ruby javascript typescript tsx lua crystal".split())
_DATA_FOLDERS = frozenset(
    "testdata test-data test_data test-fixtures test_fixtures fixtures fixture __fixtures__ __snapshots__ "
    "snapshots snapshot goldens golden cassettes corpora locale locales i18n l10n translations lang langs "
    "language languages "
    "datasets test-resources".split()
)
_TEST_DATA_FOLDERS = frozenset("testdata test-data test_data".split())
# Where source folders mirror package names, only what is above `src` says that a file is an example.
_PACKAGED_SOURCES = frozenset("java kotlin scala groovy".split())
# Of these languages, code in a folder `doc` is a package about documents; of others it builds the documentation.
_PACKAGE_LANGUAGES = frozenset(
    "go rust java kotlin scala csharp cpp c swift zig haskell elixir ruby php".split()
)
_TOP_DOC_FOLDERS = frozenset("doc docs documentation docsite doc-src".split())
_DOC_FOLDERS = frozenset(
    "doc docs documentation manual manpages man docsite doc-src api-docs wiki adr rfcs".split()
)
_EXAMPLE_FOLDERS = frozenset(
    "example examples demo demos sample samples tutorial tutorials quickstarts cookbook cookbooks "
    "_examples example_apps".split()
)
_TOP_EXAMPLE_FOLDERS = frozenset(
    "playground playgrounds sandbox sandboxes showcase quickstart notebooks recipes starters".split()
)
_CONFIG_FOLDERS = frozenset(
    ".github .gitlab .circleci .azure-pipelines .azure .buildkite .vscode .idea .devcontainer .husky "
    ".config .ci .teamcity .changeset .semaphore".split()
)

_GENERATED_NAME = lazy_pattern(
    r"(?:_pb2(?:_grpc)?\.pyi?|\.pb(?:\.gw|\.validate)?\.go|_grpc\.pb\.go|\.pb\.(?:cc|h|swift|dart)|"
    r"_pb\.(?:d\.ts|js|ts|rb)|_grpc_(?:web_)?pb\.(?:d\.ts|js)|\.g\.(?:dart|cs|i\.cs|kt)|\.freezed\.dart|"
    r"\.designer\.(?:cs|vb)|\.generated\.\w+|_generated\.\w+|_gen\.go|^zz_generated.*|"
    r"\.gen\.\w+|\.snap\.new|grpc\.pb\.(?:cc|h)|\.min\.map|\.(?:js|css|mjs)\.map|\.tsbuildinfo|"
    r"^bindata\.go|^r\.java|^buildconfig\.java|\.tab\.(?:c|cc|cpp|h|hh|hpp)|^lex\.\w+\.c|\.yy\.(?:c|cc|cpp))$"
)
_MINIFIED_NAME = lazy_pattern(r"[.-]min\.(?:js|mjs|css|html)$|\.bundle\.js$|-bundle\.js$|\.packed\.js$")
_LOCK_NAMES = frozenset(
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock "
    "poetry.lock pdm.lock uv.lock pipfile.lock pixi.lock conda-lock.yml cargo.lock gemfile.lock "
    "composer.lock go.sum go.work.sum mix.lock podfile.lock package.resolved flake.lock pubspec.lock "
    "gradle.lockfile packages.lock.json paket.lock .terraform.lock.hcl cartfile.resolved rebar.lock "
    "stack.yaml.lock cabal.project.freeze chart.lock .pnp.cjs .pnp.loader.mjs".split()
)

# Whole names, in lower case, with their extension.
_TEST_NAME = lazy_pattern(
    r"^tests?[_.-].+|^tests?\.\w+$|.+[_.-](?:test|tests|e2e|cy|unittest|unittests|test-d)\.\w+$"
    r"|.+[.-](?:spec|specs|bench)\.\w+$|.+_spec\.(?:rb|lua|cr|exs|nim|dart|js|ts)$"
    r"|^conftest\.py$|^spec_helper\.\w+$|^rails_helper\.rb$|^test_helper\.\w+$|.+\.bats$"
    r"|.+[_.-](?:test|spec)\.(?:d|jsx?|tsx?)\.\w+$|^(?:jest|vitest|karma|playwright|cypress)\.setup\.\w+$"
    r"|.+\.t$|.+\.(?:integration|unit)\.\w+$"
)
# CamelCase names are recognised by their capitals: FooTest.java, TestFoo.java, FooTests.cs, FooSpec.scala, FooIT.java.
_CAMEL_TEST = lazy_pattern(
    r"^(?:Test[A-Z0-9]\w*|\w*[a-z0-9](?:Tests?|TestCase|TestBase|TestSuite|Specs?|IT|ITCase|Suite|"
    r"Benchmark|TestHelper|Props))\.(?:java|kt|kts|scala|groovy|cs|fs|vb|php|swift|hs|m|mm|cc|cpp|cxx|h|"
    r"hpp|js|ts|tsx|jsx|dart)$"
)
# Folders in CamelCase or with dots, as in C# and Swift: Foo.Tests/, FooTests/, Foo.Benchmarks/, jsonTest/.
_CAMEL_TEST_FOLDER = lazy_pattern(
    r"(?:^|[a-z0-9.\-_])(?:Unit|Integration)?(?:Tests?|Specs?|Benchmarks?|TestUtils?)$"
    r"|[.\-_]tests?$|[.\-]benchmarks?$|^tests?[-_.]"
)
_CAMEL_EXAMPLE_FOLDER = lazy_pattern(
    r"(?:^|[a-z0-9.\-_])(?:Examples?|Samples?|Demos?)$|[.\-_](?:examples?|samples?|demos?)$"
    r"|^(?:[Ee]xamples?|[Dd]emos?|[Ss]amples?)[-_.]"
)

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
_DOC_LANGUAGES = frozenset(("markdown", "rst", "asciidoc", "latex"))
_DOC_BARE_NAMES = frozenset(
    "readme changelog changes history news contributing contributors authors copying license licence "
    "notice security maintainers todo thanks credits install hacking faq".split()
)
_CHANGE_FRAGMENT_FOLDERS = frozenset("changes changelog.d newsfragments changelogs news.d .changes".split())
_CONFIG_LANGUAGES = frozenset("yaml toml ini hcl dockerfile make cmake".split())
_BUILD_NAMES = lazy_pattern(
    r"^(?:setup\.(?:py|cfg)|pyproject\.toml|tox\.ini|noxfile\.py|manifest\.in|requirements[\w.-]*\.(?:txt|"
    r"in)|pipfile|package\.json|[jt]sconfig[\w.-]*\.json|composer\.json|cargo\.toml|build\.rs|go\.(?:mod|"
    r"work)|pom\.xml|(?:build|settings|init)\.gradle(?:\.kts)?|build\.sbt|gradlew?(?:\.bat)?|"
    r"mvnw(?:\.cmd)?|gradle\.properties|rakefile|gemfile|[\w.-]+\.gemspec|mix\.exs|rebar\.config|"
    r"package\.swift|podfile|[\w.-]+\.podspec|build\.zig(?:\.zon)?|cmakelists\.txt|[\w.-]+\.(?:cmake|"
    r"cabal|csproj|fsproj|vbproj|vcxproj|sln|props|targets|nuspec|bazel|bzl|nix)|(?:build|workspace|"
    r"module)\.bazel|build|workspace|meson\.build|meson_options\.txt|wscript|sconstruct|configure(?:\.ac|"
    r"\.in)?|justfile|procfile|vagrantfile|jenkinsfile|dockerfile[\w.-]*|containerfile|"
    r"[\w.-]*\.dockerfile|docker-compose[\w.-]*|makefile[\w.-]*|gnumakefile|"
    r"[\w.-]+\.(?:config|conf|setup)\.(?:[cm]?[jt]s|json)|(?:gulpfile|gruntfile|dangerfile)\.[\w.]+|"
    r"(?:turbo|nx|lerna|rush|angular|renovate|biome|knip|typedoc|jsdoc|nodemon|wrangler|vercel|netlify|firebase|"
    r"deno|bunfig|jest|babel|release)\.(?:jsonc?|toml)|"
    r"\.[\w.-]+|"
    r"codeowners|mkdocs\.ya?ml|conf\.py|stack\.yaml|cabal\.project|phpunit\.xml[\w.]*|phpstan[\w.]*|"
    r"psalm\.xml[\w.]*|checkstyle[\w.-]*\.xml|logback[\w.-]*\.xml|log4j2?[\w.-]*|web\.config|app\.config|"
    r"nuget\.config|appsettings[\w.]*\.json|global\.json|hie\.ya?ml|rustfmt\.toml|clippy\.toml|"
    r"snapcraft\.ya?ml|pytest\.ini|mypy\.ini|ruff\.toml|environment[\w.-]*\.ya?ml|codecov\.yml|"
    r"[\w.-]*\.gitignore)$"
)
_DATA_EXTENSIONS = frozenset(
    "csv tsv psv jsonl ndjson geojson parquet avro xls xlsx po pot mo arb resx strings xliff xlf ftl snap "
    "ambr golden svg png jpg jpeg gif webp ico bmp tif tiff pdf woff woff2 ttf otf eot mp3 mp4 wav ogg "
    "webm zip gz bz2 xz tgz tar jar whl so dll dylib exe bin dat pickle pkl npy npz h5 hdf5 db sqlite "
    "sqlite3 pem crt cer key der p12 pfx jks keystore ipynb_output log out expected dump sqlite-journal "
    "har wasm class pyc map lcov cur psd ai sketch fig patch diff rej orig asc sig".split()
)
_DATA_LANGUAGES = frozenset("json xml csv".split())
_NO_PROGRAM = frozenset("json xml yaml toml ini csv markdown rst asciidoc html css diff latex".split())


def role_of(path: str, *, generated: bool = False) -> Role:
    """The role of the file at `path`; `generated` means that its contents call themselves generated."""
    return Role.GENERATED if generated and _by_path(path) is not Role.VENDORED else _by_path(path)


_CHANGELOG = lazy_pattern(
    r"^(?:change[_-]?logs?|changes|history|news|release[_-]?(?:notes|history)|releases|what'?s[_-]?new)\b"
)


def is_bookkeeping(path: str) -> bool:
    """True for files that follow every change and explain none: lock files, generated and vendored ones, changelogs."""
    role = _by_path(path)
    if role in (Role.GENERATED, Role.VENDORED):
        return True
    folder, _, name = path.rpartition("/")
    return role is Role.DOC and (_where(folder).changes or _CHANGELOG.match(name.lower()) is not None)


class _Where(NamedTuple):
    """Properties of the folders of a file."""

    vendored: bool
    generated: bool
    distributed: bool
    tests: bool
    spec: bool
    data: bool
    test_data: bool
    example: bool
    example_outside_source: bool  # a package `sample` of a Java program is no example
    documentation: bool
    top_documentation: str
    changes: bool
    config: bool
    settings: bool  # near the top, or called so: JSON and XML here are settings, elsewhere data


@lru_cache(maxsize=1 << 14)
def _called_tests(folder: str) -> bool:
    return _CAMEL_TEST_FOLDER.search(folder) is not None


@lru_cache(maxsize=1 << 14)
def _called_examples(folder: str) -> bool:
    return _CAMEL_EXAMPLE_FOLDER.search(folder) is not None


@lru_cache(maxsize=1 << 14)
def _where(folder: str) -> _Where:
    folders = folder.split("/") if folder else []
    low = [name.lower() for name in folders]
    among, top = frozenset(low), frozenset(low[:1])
    source = low.index("src") if "src" in low else len(low)
    return _Where(
        vendored=bool(among & _VENDORED_FOLDERS) or "Pods" in folders,
        generated=bool(among & _GENERATED_FOLDERS),
        distributed="dist" in among,
        tests=bool(among & _TEST_FOLDERS or top & _TOP_TEST_FOLDERS) or any(map(_called_tests, folders)),
        spec=bool(among & {"spec", "specs"}),
        data=bool(among & _DATA_FOLDERS),
        test_data=bool(among & _TEST_DATA_FOLDERS),
        example=_holds_examples(folders),
        example_outside_source=_holds_examples(folders[:source]),
        documentation=bool(among & _DOC_FOLDERS),
        top_documentation=low[0] if top & _TOP_DOC_FOLDERS else "",
        changes=bool(among & _CHANGE_FRAGMENT_FOLDERS),
        config=bool(among & _CONFIG_FOLDERS),
        settings=len(low) <= 1 or any("conf" in name or "settings" in name for name in low),
    )


def _holds_examples(folders: list[str]) -> bool:
    low = [name.lower() for name in folders]
    return (
        not _EXAMPLE_FOLDERS.isdisjoint(low)
        or not _TOP_EXAMPLE_FOLDERS.isdisjoint(low[:1])
        or any(map(_called_examples, folders))
    )


@lru_cache(maxsize=1 << 17)
def _by_path(path: str) -> Role:
    folder, _, name = path.rpartition("/")
    where = _where(folder)
    low = name.lower()
    _, dot, extension = low.rpartition(".")
    language = language_of(path)
    program = language not in _NO_PROGRAM and not (language == "text" and dot)
    if where.vendored or _MINIFIED_NAME.search(low):
        return Role.VENDORED
    if where.generated or (where.distributed and language in _DISTRIBUTED):
        return Role.GENERATED
    if low in _LOCK_NAMES or _GENERATED_NAME.search(low):
        return Role.GENERATED
    in_tests = where.tests or (where.spec and language in _SPEC_LANGUAGES)
    if (dot and extension in _DATA_EXTENSIONS) or (
        where.data and _is_data(where, language, program, in_tests)
    ):
        return Role.DATA
    if program and (in_tests or _TEST_NAME.match(low) or _CAMEL_TEST.match(name)):
        return Role.TEST
    if in_tests:
        if _BUILD_NAMES.match(low):
            return Role.CONFIG
        return Role.DOC if language in _DOC_LANGUAGES else Role.DATA
    if where.example_outside_source if language in _PACKAGED_SOURCES else where.example:
        return Role.EXAMPLE
    if _is_documentation(where, low, language, program):
        return Role.DOC
    return _of_the_rest(where, low, language)


def _is_data(where: _Where, language: str, program: bool, in_tests: bool) -> bool:
    """A folder `fixtures` or `locale` of an application holds code, too; below tests it is all data."""
    if program:
        return in_tests or where.test_data
    return in_tests or language not in _DOC_LANGUAGES


def _is_documentation(where: _Where, low: str, language: str, program: bool) -> bool:
    """Prose anywhere; what lies in a documentation folder, unless that is a package of the program."""
    if language in _DOC_LANGUAGES or low in _DOC_BARE_NAMES or _MANUAL_NAME.search(low):
        return True
    if program:
        package = where.top_documentation == "doc" and language in _PACKAGE_LANGUAGES
        return bool(where.top_documentation) and not package
    if language == "text" and _DOC_NAMES.match(low):
        return True
    return where.documentation or where.changes


def _of_the_rest(where: _Where, low: str, language: str) -> Role:
    if where.config or language in _CONFIG_LANGUAGES:
        return Role.CONFIG
    if _BUILD_NAMES.match(low):
        return Role.CONFIG
    if language in _DATA_LANGUAGES:
        return Role.CONFIG if where.settings or "config" in low or "settings" in low else Role.DATA
    if low.endswith((".txt", ".text")):
        return Role.DOC
    return Role.IMPLEMENTATION
