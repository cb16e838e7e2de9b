"""Words and names with a fixed meaning in tasks: of reports, of languages, of their standard libraries."""

from __future__ import annotations

# Words that reports contain because they are reports. Rare in code, so that inverse document frequency would
# take them for telling. Chosen from words found in ≥ 12 % of the tuning repositories' issues.
REPORT_WORDS = frozenset(
    """
    actual actually additional affected anyone anything attempt attached attachment author behavior behaviour
    bug bugs case cause causes causing clear concise confirm context correct correctly currently describe
    described description desired details different documentation easy encounter encountered environment
    error errors example examples exist expect expectation expected expecting expects explanation extra fail
    failed failing fails failure feature fine fix fixed fixes following follows found guess happen happened
    happening happens hello hope idea implement impact info information instead intended issue issues latest
    like line lines main minimal mention mentioned motivation new nice note noticed observe observed occur
    occurred occurs ok okay option os output outputs passing people perform performed platform points possible
    present previously problem problems proper properly proposal propose proposed provide provided provides
    question questions reason reasons related release repo report reported reporting repro reproduce
    reproducible reproducing reproduction request resolved result results return returned returns right run
    running runs sample scenario screenshot screenshots seem seems similar simple simply situation snippet
    solution solve solved specific stack start started step steps suggest suggested suggestion summary support
    supported supposed system test tested testing tests thing throw throws thrown title today traceback tried
    understand unexpected unexpectedly update upgrade upgraded useful user users version versions work
    workaround worked working works wrong impl current details everything regression ticket patch please
    title component additional_context
    """.split()
)

# What contractions leave behind ("doesn't").
CONTRACTED = frozenset(
    "ain aren couldn didn doesn don hadn hasn haven isn mustn needn shouldn wasn weren won wouldn ll ve re".split()
)

# Words that ask for work and name nothing: dropped to the same factor in a title.
ASK_WORDS = frozenset(
    """add adds added adding allow allows change changes create ensure find fix handle implement improve make move
    refactor remove rename replace support update use using where handles handled does code function file class
    method implementation""".split()
)

# Names of every program: naming them says nothing about the repository. Case matters.
COMMON_NAMES = frozenset(
    """
    str int float bool bytes list dict set tuple object type None True False print len range open super self cls
    int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex isinstance getattr setattr hasattr
    enumerate zip map filter sorted sum min max abs any all repr format input iter next id hash vars dir exec eval
    __init__ __main__ __name__ __file__ __version__ __dict__ __class__ args kwargs argv main foo bar baz qux test
    null undefined NaN true false nil void var let const function class return import from export default require
    console log error warn info debug window document module exports process string number boolean any unknown
    never Array Object String Number Boolean Function Promise Map Set Date RegExp Symbol JSON Math Error this
    char short long double unsigned signed size_t ssize_t std vector string_view cout cin endl printf malloc free
    Integer Long Double Float Character Byte Void List ArrayList HashMap HashSet Optional System Override
    Caused Suppressed com org
    Exception RuntimeException Throwable Thread Runnable StringBuilder Collections Arrays Objects
    i32 i64 u8 u16 u32 u64 usize isize f32 f64 Vec Option Result Some Ok Err Box Rc Arc Self impl dyn pub fn mut
    unwrap println panic vec assert_eq assert func interface struct enum err ctx nullptr new delete throw try
    catch finally async await yield lambda def end do then elif else if while for in is not and or pass raise
    TypeError ValueError KeyError AttributeError IndexError ImportError ModuleNotFoundError NameError
    RuntimeError NotImplementedError AssertionError OSError IOError FileNotFoundError StopIteration
    ZeroDivisionError UnicodeDecodeError SyntaxError IndentationError PermissionError TimeoutError
    KeyboardInterrupt SystemExit RecursionError MemoryError OverflowError DeprecationWarning UserWarning
    FutureWarning RuntimeWarning ReferenceError RangeError NullPointerException IllegalArgumentException
    IllegalStateException ClassCastException IndexOutOfBoundsException NoSuchMethodError StackOverflowError
    ArgumentError NoMethodError StandardError ArgumentException InvalidOperationException Traceback
    GitHub JavaScript TypeScript PyPI MacOS macOS iOS LinkedIn YouTube StackOverflow OpenAI PowerShell VSCode
    MySQL PostgreSQL SQLite MongoDB NodeJS README TODO FIXME NOTE WARNING ERROR INFO DEBUG LICENSE
    x86_64 arm64 amd64 stdin stdout stderr PATH HOME HTTP HTTPS URL API CPU GPU RAM USA UTC GMT OS
    """.split()
)

# Said of every task, even in a query of three words.
EMPTY_WORDS = frozenset("fix fixes fixed bug bugs issue issues problem problems ticket please review".split())

# First parts of dotted names that belong to a language or its library.
STANDARD_HEADS = frozenset(
    """
    std core alloc console System java javax kotlin kotlinx scala Math JSON Object Promise Array process window
    document os sys re logging typing collections functools itertools datetime unittest pathlib subprocess math
    random time json asyncio threading traceback importlib contextlib dataclasses warnings pprint fmt errors
    strings strconv ioutil self this cls module exports System32 Microsoft e i www github gitlab http https
    """.split()
)

# Customary short names of packages: what follows them is the name that counts.
ALIASES = frozenset("np pd plt tf nn torch F st xr jnp sns sk sp nx dd da K $ _".split())

# File extensions (lower case) that make a word a path.
EXTENSIONS = frozenset(
    """
    py pyi pyx pxd ipynb js jsx mjs cjs ts tsx mts cts vue svelte go rs java kt kts scala sbt groovy c h cc cpp cxx hpp
    hxx hh inl ipp cs fs vb rb erb rake gemspec php phtml swift m mm ex exs heex erl hrl hs lhs lua sh bash zsh fish
    ps1 bat cmd zig sql proto graphql gql thrift tf hcl yaml yml toml json json5 jsonc ini cfg conf env properties
    md mdx rst txt adoc html htm xml css scss sass less styl jinja j2 tpl tmpl hbs ejs pug pl pm r jl dart clj cljs
    cljc edn nim ml mli v sv vhd asm s cmake mk gradle lock csproj sln y l jq tcl f90 el vim po pot patch diff
    snap bats csv tsv nix bzl bazel
    """.split()
)

# Extensions that are also ends of ordinary dotted names or of products ("Node.js", "a.s"): alone they make no path.
WEAK_EXTENSIONS = frozenset("s l v m r c h y pm pl ex el map env io net".split())

# Extensions of files that are attached to reports and searched by nobody.
DATA_EXTENSIONS = frozenset(
    "pdf png jpg jpeg gif svg zip gz tar xz 7z exe dll whl mp4 mov webp xls xlsx docx".split()
)

PRODUCTS = frozenset(
    """node.js vue.js next.js nuxt.js react.js three.js d3.js express.js day.js dayjs.js moment.js chart.js ember.js
    asp.net socket.io deno.js discord.js angular.js backbone.js nest.js electron.js p5.js plotly.js readme.md""".split()
)

# Fence names and words of prose → the language as the index calls it.
LANGUAGE_NAMES = {
    "python": "python", "py": "python", "python3": "python", "pycon": "python", "ipython": "python",
    "javascript": "javascript", "js": "javascript", "jsx": "javascript", "node": "javascript",
    "typescript": "typescript", "ts": "typescript", "tsx": "tsx", "go": "go", "golang": "go", "rust": "rust",
    "rs": "rust", "java": "java", "kotlin": "kotlin", "kt": "kotlin", "scala": "scala", "c": "c", "cpp": "cpp",
    "c++": "cpp", "cxx": "cpp", "csharp": "csharp", "c#": "csharp", "cs": "csharp", "ruby": "ruby", "rb": "ruby",
    "php": "php", "swift": "swift", "elixir": "elixir", "haskell": "haskell", "hs": "haskell", "lua": "lua",
    "zig": "zig", "vue": "vue", "svelte": "svelte",
}  # fmt: skip

# Names of languages that are ordinary words or letters in prose: believed in fences only.
AMBIGUOUS_LANGUAGES = frozenset("c go js ts py rs kt cs rb hs node vue swift ruby".split())
