"""The language of a file by its name; by its shebang where there is no extension."""

from __future__ import annotations

from functools import lru_cache

from zeroin.patterns import lazy_pattern

_EXTENSIONS = {
    "python": "py pyi pyw pyx pxd pxi bzl bazel star wsgi",
    "javascript": "js mjs cjs jsx es6 gs jsm",
    "typescript": "ts mts cts",
    "tsx": "tsx",
    "go": "go",
    "rust": "rs",
    "java": "java",
    "kotlin": "kt kts",
    "scala": "scala sc sbt",
    "groovy": "groovy gradle gvy",
    "c": "c h",  # the analyser recognises C++ headers by their contents
    "cpp": "cc cpp cxx c++ hh hpp hxx h++ ipp ixx inl tcc tpp cppm cu cuh ino mm",
    "objc": "m",
    "csharp": "cs csx",
    "fsharp": "fs fsi fsx",
    "visualbasic": "vb vbs bas cls",
    "ruby": "rb rake gemspec ru podspec jbuilder",
    "php": "php phtml php3 php4 php5 php7 phps inc",
    "swift": "swift",
    "elixir": "ex exs",
    "erlang": "erl hrl",
    "haskell": "hs lhs hsc",
    "ocaml": "ml mli",
    "lua": "lua luau rockspec",
    "bash": "sh bash zsh ksh bats ebuild",
    "fish": "fish",
    "powershell": "ps1 psm1 psd1",
    "batch": "bat cmd",
    "perl": "pl pm t pod",
    "r": "r rmd",
    "julia": "jl",
    "dart": "dart",
    "clojure": "clj cljs cljc edn",
    "lisp": "lisp lsp cl el scm ss rkt",
    "zig": "zig zon",
    "nim": "nim nims",
    "d": "d di",
    "v": "v vsh",
    "crystal": "cr",
    "fortran": "f f90 f95 f03 f08 for ftn",
    "pascal": "pas pp dpr lpr",
    "ada": "adb ads",
    "cobol": "cob cbl cpy",
    "assembly": "s asm",
    "verilog": "sv svh",
    "vhdl": "vhd vhdl",
    "solidity": "sol",
    "glsl": "glsl vert frag geom comp hlsl wgsl metal",
    "nix": "nix",
    "vim": "vim",
    "awk": "awk",
    "tcl": "tcl",
    "elm": "elm",
    "purescript": "purs",
    "vue": "vue",
    "svelte": "svelte",
    "astro": "astro",
    "sql": "sql ddl dml psql plsql pgsql",
    "graphql": "graphql gql graphqls",
    "protobuf": "proto",
    "thrift": "thrift",
    "hcl": "hcl tf tfvars nomad",
    "cmake": "cmake",
    "make": "mk mak",
    "yaml": "yaml yml",
    "toml": "toml",
    "json": "json json5 jsonc jsonl ndjson geojson webmanifest ipynb avsc har",
    "ini": "ini cfg conf properties env editorconfig desktop service",
    "xml": "xml xsd xsl xslt xaml csproj fsproj vbproj vcxproj props targets nuspec resx plist storyboard xib svg pom",
    "markdown": "md markdown mdx mdown mkd rmd qmd",
    "rst": "rst rest",
    "asciidoc": "adoc asciidoc",
    "latex": "tex sty bib",
    "html": "html htm xhtml hbs handlebars mustache ejs erb jinja jinja2 j2 njk twig liquid jsp aspx "
    "cshtml razor haml pug",
    "css": "css scss sass less styl pcss",
    "csv": "csv tsv psv",
    "diff": "diff patch",
    "text": "txt text log",
}
_BY_EXTENSION = {ext: name for name, exts in _EXTENSIONS.items() for ext in exts.split()}
_BY_EXTENSION["rmd"] = "markdown"

_NAMES = {
    "make": "makefile gnumakefile bsdmakefile makefile.am makefile.in kbuild",
    "cmake": "cmakelists.txt",
    "dockerfile": "dockerfile containerfile",
    "python": "sconstruct sconscript wscript buck build workspace tiltfile snakefile",
    "ruby": "rakefile gemfile guardfile vagrantfile capfile podfile fastfile appfile brewfile berksfile dangerfile "
    "thorfile",
    "groovy": "jenkinsfile",
    "bash": ".bashrc .bash_profile .bash_aliases .profile .zshrc .zshenv .zprofile .envrc pkgbuild apkbuild gradlew "
    "configure",
    "vim": ".vimrc",
    "json": ".babelrc .eslintrc .jshintrc .prettierrc .swcrc .arcconfig composer.lock pipfile.lock flake.lock "
    "deno.lock package.resolved",
    "toml": "cargo.lock poetry.lock pdm.lock uv.lock pipfile gopkg.lock",
    "yaml": ".clang-format .clang-tidy .travis.yml .gemrc .yamllint pubspec.lock podfile.lock",
    "ini": ".editorconfig .gitconfig .gitmodules .npmrc .flake8 .pylintrc .coveragerc .env",
    "text": "go.mod go.sum go.work license licence copying notice authors codeowners version requirements.txt "
    "robots.txt .gitignore .dockerignore .npmignore .gitattributes .mailmap .ignore .zeroinignore",
    "markdown": "readme changelog changes contributing",
    "elixir": "mix.lock",
    "hcl": ".terraform.lock.hcl",
}
_BY_NAME = {name: language for language, names in _NAMES.items() for name in names.split()}

_PROGRAMS = {
    "python": "python pypy",
    "javascript": "node nodejs",
    "typescript": "deno bun ts-node tsx",
    "bash": "bash sh dash zsh ksh ash bats",
    "fish": "fish",
    "ruby": "ruby jruby",
    "php": "php",
    "lua": "lua luajit",
    "perl": "perl",
    "elixir": "elixir",
    "erlang": "escript",
    "haskell": "runhaskell stack",
    "groovy": "groovy",
    "kotlin": "kotlin",
    "scala": "scala",
    "swift": "swift",
    "r": "rscript",
    "julia": "julia",
    "awk": "awk gawk",
    "make": "make",
    "tcl": "tclsh",
    "powershell": "pwsh",
}
_INTERPRETERS = {
    program: language for language, programs in _PROGRAMS.items() for program in programs.split()
}
_SHEBANG = lazy_pattern(rb"#!\s*(\S+)(?:[ \t]+([^\n]*))?")
_VERSION = lazy_pattern(r"[\d.]+$")
_WRAPPERS = frozenset("in template tmpl tpl dist sample example orig bak".split())

LANGUAGES = tuple(sorted({*_BY_EXTENSION.values(), *_BY_NAME.values(), *_INTERPRETERS.values()}))
TEXT_LANGUAGES = frozenset("text markdown rst asciidoc latex html xml yaml toml json ini csv diff".split())


def language_of(path: str, head: bytes = b"") -> str:
    """Return the language of the file at `path`, "text" if unknown.

    `head`, the first bytes of the file, matters only where the name has no extension: its shebang counts.
    """
    name = path[path.rfind("/") + 1 :]
    known = _BY_NAME.get(name.lower())
    if known:
        return known
    stem, dot, extension = name.rpartition(".")
    if dot and stem:
        return _by_extension(stem, extension)
    for prefix, language in (("dockerfile", "dockerfile"), ("makefile", "make")):
        if name.lower().startswith(prefix):
            return language
    return _by_shebang(head) if head.startswith(b"#!") else "text"


def _by_extension(stem: str, extension: str) -> str:
    low = extension.lower()
    found = _BY_EXTENSION.get(low)
    if extension == "C":
        return "cpp"
    if found:
        return found
    if low in _WRAPPERS and "." in stem:  # config.yaml.example is YAML
        return _BY_EXTENSION.get(stem.rpartition(".")[2].lower(), "text")
    if stem.lower().startswith(("dockerfile", "makefile")):  # Dockerfile.alpine
        return "dockerfile" if stem.lower().startswith("d") else "make"
    return "text"


@lru_cache(maxsize=256)
def _by_shebang(head: bytes) -> str:
    found = _SHEBANG.match(head.split(b"\n", 1)[0])
    if not found:
        return "text"
    program = found[1].decode("latin-1").rpartition("/")[2]
    if program == "env":
        words = (found[2] or b"").decode("latin-1").split()
        program = next((w for w in words if not w.startswith("-") and "=" not in w), "").rpartition("/")[2]
    return _INTERPRETERS.get(_VERSION.sub("", program.lower()), "text")
