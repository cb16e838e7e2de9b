"""What a file is for, by its path alone: across languages and their habits.

The most telling sign wins: a vendored test is vendored, a generated test is generated, a test's data is data, a
test in documentation is a test. Folder names count wherever they stand, but never that of the repository itself.
"""

from __future__ import annotations

import re
from functools import lru_cache

from zeroin.corpus.languages import language_of
from zeroin.types import Role

_VENDORED_FOLDERS = frozenset(
    "node_modules bower_components vendor vendored _vendor vendors third_party third-party thirdparty 3rdparty 3rd-party "
    "_vendored _vendored_packages site-packages jspm_packages godeps carthage .yarn external_libs extern "
    "external-libs".split()
)
_GENERATED_FOLDERS = frozenset(
    "generated _generated __generated__ autogen gen-src generated-src generated_src generated-sources gensrc "
    ".generated .next .nuxt .output htmlcov storybook-static".split()
)
_DISTRIBUTED = frozenset("javascript css html".split())  # what a folder `dist` holds when it is build output
_TEST_FOLDERS = frozenset(
    "test tests testing __tests__ __test__ e2e integration_tests integration-tests unittests unittest "
    "unit_tests unit-tests functional_tests testsuite testsuites test-suite test_suite test-utils test_utils testutil "
    "testutils test-helpers test_helpers testlib testkit androidtest jvmtest commontest nativetest "
    "jstest iostest sharedtest benchmark benchmarks bench benches asv_bench perf-tests "
    "__mocks__ mocks regress regression fuzz smoke".split()
)
_TOP_TEST_FOLDERS = frozenset("spec specs cypress playwright it itest t".split())
_SPEC_LANGUAGES = frozenset("ruby javascript typescript tsx lua crystal".split())  # where spec/ anywhere holds tests
_DATA_FOLDERS = frozenset(
    "testdata test-data test_data test-fixtures test_fixtures fixtures fixture __fixtures__ __snapshots__ "
    "snapshots snapshot "
    "goldens golden cassettes corpora locale locales i18n l10n translations lang langs datasets "
    "test-resources".split()
)
# Of these languages, code in a folder `doc` is a package about documents; of others it builds the documentation.
_PACKAGE_LANGUAGES = frozenset("go rust java kotlin scala csharp cpp c swift zig haskell elixir ruby php".split())
_TOP_DOC_FOLDERS = frozenset("doc docs documentation docsite doc-src website".split())
_DOC_FOLDERS = frozenset(
    "doc docs documentation manual manpages man website docsite doc-src api-docs wiki adr rfcs".split()
)
_EXAMPLE_FOLDERS = frozenset(
    "example examples demo demos sample samples tutorial tutorials quickstarts cookbook cookbooks _examples "
    "example_apps".split()
)
_TOP_EXAMPLE_FOLDERS = frozenset("playground playgrounds sandbox sandboxes showcase quickstart notebooks recipes starters".split())
_CONFIG_FOLDERS = frozenset(
    ".github .gitlab .circleci .azure-pipelines .azure .buildkite .vscode .idea .devcontainer .husky .config "
    ".ci .teamcity .changeset .semaphore".split()
)

_GENERATED_NAME = re.compile(
    r"(?:_pb2(?:_grpc)?\.pyi?|\.pb(?:\.gw|\.validate)?\.go|_grpc\.pb\.go|\.pb\.(?:cc|h|swift|dart)|"
    r"_pb\.(?:d\.ts|js|ts|rb)"
    r"|_grpc_(?:web_)?pb\.(?:d\.ts|js)|\.g\.(?:dart|cs|i\.cs|kt)|\.freezed\.dart|\.designer\.(?:cs|vb)|"
    r"\.generated\.\w+"
    r"|[._-]gen\.\w+|_generated\.\w+|^zz_generated.*|_string\.go|\.gen\.\w+|\.snap\.new|grpc\.pb\.(?:cc|h)"
    r"|\.min\.map|\.(?:js|css|mjs)\.map|\.tsbuildinfo|_mock\.go|^mock_[^/]*\.go|^bindata\.go|^r\.java|"
    r"^buildconfig\.java)$"
)
_MINIFIED_NAME = re.compile(r"[.-]min\.(?:js|mjs|css|html)$|\.bundle\.js$|-bundle\.js$|\.packed\.js$")
_LOCK_NAMES = frozenset(
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock "
    "poetry.lock pdm.lock uv.lock "
    "pipfile.lock pixi.lock conda-lock.yml cargo.lock gemfile.lock composer.lock go.sum go.work.sum "
    "mix.lock podfile.lock "
    "package.resolved flake.lock pubspec.lock gradle.lockfile packages.lock.json paket.lock "
    ".terraform.lock.hcl "
    "cartfile.resolved rebar.lock stack.yaml.lock cabal.project.freeze chart.lock .pnp.cjs "
    ".pnp.loader.mjs".split()
)

# Whole names, in lower case, with their extension.
_TEST_NAME = re.compile(
    r"^tests?[_.-].+|^tests?\.\w+$|.+[_.-](?:test|tests|e2e|cy|unittest|unittests|test-d)\.\w+$|.+[.-](?:spec|specs|bench)\.\w+$"
    r"|.+_spec\.(?:rb|lua|cr|exs|nim|dart|js|ts)$"
    r"|^conftest\.py$|^spec_helper\.\w+$|^rails_helper\.rb$|^test_helper\.\w+$|.+\.bats$|"
    r".+\.feature$"
    r"|.+[_.-](?:test|spec)\.(?:d|jsx?|tsx?)\.\w+$|^(?:jest|vitest|karma|playwright|cypress)\.setup\.\w+$"
    r"|^setuptests\.\w+$|.+\.t$|.+\.(?:integration|unit)\.\w+$"
)
# CamelCase names tell by their capitals: FooTest.java, TestFoo.java, FooTests.cs, FooSpec.scala, FooIT.java, FooTest.php.
_CAMEL_TEST = re.compile(
    r"^(?:Test[A-Z0-9]\w*|\w*[a-z0-9](?:Tests?|TestCase|TestBase|TestSuite|Specs?|IT|ITCase|Suite|"
    r"Benchmark|TestHelper|Props))"
    r"\.(?:java|kt|kts|scala|groovy|cs|fs|vb|php|swift|hs|m|mm|cc|cpp|cxx|h|hpp|js|ts|tsx|jsx|dart)$"
)
# Folders in CamelCase or with dots, as in C# and Swift: Foo.Tests/, FooTests/, Foo.Benchmarks/, jsonTest/.
_CAMEL_TEST_FOLDER = re.compile(
    r"(?:^|[a-z0-9.\-_])(?:Unit|Integration)?(?:Tests?|Specs?|Benchmarks?|TestUtils?)$|[.\-_](?:tests?|"
    r"benchmarks?)$|^tests?[-_.]"
)
_CAMEL_EXAMPLE_FOLDER = re.compile(
    r"(?:^|[a-z0-9.\-_])(?:Examples?|Samples?|Demos?)$|[.\-_](?:examples?|samples?|demos?)$"
)

_DOC_NAMES = re.compile(
    r"^(?:readme|changelog|changes|history|news|contributing|contributors|authors|copying|licen[cs]e|"
    r"notice|security|"
    r"code[_-]of[_-]conduct|support|governance|maintainers|roadmap|upgrading|upgrade|migrating|migration|"
    r"releasing|"
    r"release[_-]?notes|releases|todo|thanks|credits|install|hacking|faq|acknowledg\w+|patents|unlicense)"
    r"(?:[._-][\w.-]*)?$"
)
_DOC_LANGUAGES = frozenset(("markdown", "rst", "asciidoc", "latex"))
_CHANGE_FRAGMENT_FOLDERS = frozenset("changes changelog.d newsfragments changelogs news.d .changes".split())
# A page of documentation written in a page's language; code in a docs folder is documentation's code: doc, too.
_CONFIG_LANGUAGES = frozenset("yaml toml ini hcl dockerfile make cmake".split())
_BUILD_NAMES = re.compile(
    r"^(?:setup\.(?:py|cfg)|pyproject\.toml|tox\.ini|noxfile\.py|manifest\.in|requirements[\w.-]*\.(?:txt|"
    r"in)|pipfile|"
    r"package\.json|[jt]sconfig[\w.-]*\.json|composer\.json|cargo\.toml|build\.rs|go\.(?:mod|work)|pom\.xml|"
    r"(?:build|settings|init)\.gradle(?:\.kts)?|build\.sbt|gradlew?(?:\.bat)?|mvnw(?:\.cmd)?|"
    r"gradle\.properties|rakefile|"
    r"gemfile|[\w.-]+\.gemspec|mix\.exs|rebar\.config|package\.swift|podfile|[\w.-]+\.podspec|"
    r"build\.zig(?:\.zon)?|"
    r"cmakelists\.txt|[\w.-]+\.(?:cmake|cabal|csproj|fsproj|vbproj|vcxproj|sln|props|targets|nuspec|bazel|"
    r"bzl|nix)|"
    r"(?:build|workspace|module)\.bazel|build|workspace|meson\.build|meson_options\.txt|wscript|"
    r"sconstruct|configure(?:\.ac|\.in)?|"
    r"justfile|procfile|vagrantfile|jenkinsfile|dockerfile[\w.-]*|containerfile|[\w.-]*\.dockerfile|"
    r"docker-compose[\w.-]*|"
    r"makefile[\w.-]*|gnumakefile|gruntfile\.\w+|gulpfile[\w.]*|"
    r"(?:webpack|rollup|vite|vitest|jest|babel|postcss|tailwind|eslint|prettier|karma|playwright|cypress|"
    r"next|nuxt|svelte|astro|"
    r"metro|commitlint|lint-staged|stylelint|tsup|esbuild|turbo|nx|lerna|rush|angular|vue|craco|release|"
    r"renovate|biome|knip|"
    r"typedoc|jsdoc|nodemon|drizzle|codegen|api-extractor|dangerfile|wrangler|vercel|netlify|firebase|"
    r"deno|bunfig)"
    r"(?:\.[\w-]+)*(?:\.config)?(?:\.[\w-]+)?\.(?:js|cjs|mjs|ts|mts|cts|json|jsonc|toml)|"
    r"\.[\w.-]+|codeowners|mkdocs\.ya?ml|conf\.py|stack\.yaml|cabal\.project|phpunit\.xml[\w.]*|"
    r"phpstan[\w.]*|psalm\.xml[\w.]*|"
    r"checkstyle[\w.-]*\.xml|logback[\w.-]*\.xml|log4j2?[\w.-]*|web\.config|app\.config|nuget\.config|"
    r"appsettings[\w.]*\.json|global\.json|hie\.ya?ml|rustfmt\.toml|clippy\.toml|"
    r"snapcraft\.ya?ml|"
    r"pytest\.ini|mypy\.ini|ruff\.toml|environment[\w.-]*\.ya?ml|codecov\.yml|[\w.-]*\.gitignore)$"
)
_DATA_EXTENSIONS = frozenset(
    "csv tsv psv jsonl ndjson geojson parquet avro xls xlsx po pot mo arb resx strings xliff xlf ftl snap "
    "ambr golden "
    "svg png jpg jpeg gif webp ico bmp tif tiff pdf woff woff2 ttf otf eot mp3 mp4 wav ogg webm zip gz "
    "bz2 xz tgz tar jar "
    "whl so dll dylib exe bin dat pickle pkl npy npz h5 hdf5 db sqlite sqlite3 pem crt cer key der p12 "
    "pfx jks keystore "
    "ipynb_output log out expected dump sqlite-journal har wasm class pyc map lcov cur psd ai sketch fig "
    "patch diff rej orig".split()
)
_DATA_LANGUAGES = frozenset("json xml csv".split())
_PROSE_LANGUAGES = frozenset("markdown rst asciidoc text html latex".split())
_PROGRAM_SUFFIX = frozenset(
    "json xml yaml toml ini csv text markdown rst asciidoc html css diff latex".split()
)


def role_of(path: str, *, generated: bool = False) -> Role:
    """The role of the file at `path`; `generated` says that its contents call themselves generated."""
    return Role.GENERATED if generated and _by_path(path) is not Role.VENDORED else _by_path(path)


@lru_cache(maxsize=1 << 17)
def _by_path(path: str) -> Role:
    *folders, name = path.split("/")
    low = name.lower()
    low_folders = [folder.lower() for folder in folders]
    among = frozenset(low_folders)
    language = language_of(path)
    extension = low.rpartition(".")[2]
    if _is_vendored(low, low_folders):
        return Role.VENDORED
    if low in _LOCK_NAMES or _GENERATED_NAME.search(low) or not among.isdisjoint(_GENERATED_FOLDERS):
        return Role.GENERATED
    program = language not in _PROGRAM_SUFFIX
    in_tests = not among.isdisjoint(_TEST_FOLDERS) or any(_CAMEL_TEST_FOLDER.search(f) for f in folders)
    in_data = not among.isdisjoint(_DATA_FOLDERS)
    if extension in _DATA_EXTENSIONS:
        return Role.DATA
    if in_data and (not program or in_tests or not among.isdisjoint({"testdata", "test-data", "test_data"})):
        # locale/ and fixtures/ of an application hold code, too; below tests everything in them is data
        return Role.DATA if language not in ("markdown", "rst") or in_tests else Role.DOC
    if _is_test(name, low, program, in_tests, language):
        return Role.TEST
    if in_tests:
        return Role.CONFIG if _BUILD_NAMES.match(low) else Role.DATA if language != "markdown" else Role.DOC
    return _outside_tests(low, folders, among, language, program)


def _is_vendored(low: str, folders: list[str]) -> bool:
    if _MINIFIED_NAME.search(low):
        return True
    return any(folder in _VENDORED_FOLDERS for folder in folders)


def _is_test(name: str, low: str, program: bool, in_tests: bool, language: str) -> bool:
    if not program:
        return False
    return in_tests or bool(_TEST_NAME.match(low)) or bool(_CAMEL_TEST.match(name))


def _outside_tests(low: str, folders: list[str], among: frozenset[str], language: str, program: bool) -> Role:
    if not among.isdisjoint(_EXAMPLE_FOLDERS) or any(_CAMEL_EXAMPLE_FOLDER.search(f) for f in folders):
        return Role.EXAMPLE
    if (
        language in _DOC_LANGUAGES
        or (not program and _DOC_NAMES.match(low))
        or (not program and not among.isdisjoint(_CHANGE_FRAGMENT_FOLDERS))
    ):
        return Role.DOC
    if not among.isdisjoint(_CONFIG_FOLDERS):
        return Role.CONFIG
    if _is_documentation(folders, language, program):
        return Role.DOC
    if _DOC_NAMES.match(low) and "." not in low:
        return Role.DOC
    if language in _CONFIG_LANGUAGES or _BUILD_NAMES.match(low):
        return Role.CONFIG
    if language in _DATA_LANGUAGES:
        return Role.CONFIG if _looks_config(low, folders) else Role.DATA
    if language == "text" and "." in low:
        return Role.DOC if low.endswith((".txt", ".text")) else Role.DATA
    return Role.IMPLEMENTATION


def _is_documentation(folders: list[str], language: str, program: bool) -> bool:
    """In a documentation folder at the top, or anywhere for what is prose: a package `docs` deep down is "
    "code."""
    for depth, folder in enumerate(folders):
        if folder.lower() in _DOC_FOLDERS and (depth == 0 or not program or language in _PROSE_LANGUAGES):
            return True
    return False


def _looks_config(low: str, folders: list[str]) -> bool:
    """JSON and XML: settings near the top or in a config folder; data elsewhere."""
    return (
        len(folders) <= 1 or "config" in low or "settings" in low or any("conf" in f.lower() for f in folders)
    )
