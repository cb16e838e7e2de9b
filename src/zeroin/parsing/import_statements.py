"""Parse the text of one import statement into `Import`s; nothing is resolved here.

`tests/unit/parsing/test_imports_written.py` lists the forms of each language, with module and names.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from zeroin.patterns import lazy_pattern
from zeroin.tree import Import

_MAX_MODULE_CHARS = 300
_BLANKS = lazy_pattern(r"\s{2,}")
Written = Iterator[tuple[str, tuple[str, ...]]]  # (module, names)
Reader = Callable[[str], Written]


def imports_of(language: str, text: str, line: int) -> list[Import]:
    """Return the imports of one statement that starts on `line`; none for one that cannot be parsed."""
    # Adjacent parts of a pattern match blanks: a single blank leaves the matcher one way to divide it.
    text = _BLANKS.sub(lambda run: "\n" if "\n" in run[0] else " ", text)
    return [Import(module, names, line) for module, names in _written(language, text)]


@lru_cache(maxsize=4_096)  # files of a tree share many statements
def _written(language: str, text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    reader = _READERS.get(language)
    found = reader(text) if reader else ()
    return tuple((module, names) for module, names in found if 0 < len(module) <= _MAX_MODULE_CHARS)


def _names(text: str, rename: str) -> tuple[str, ...]:
    """Return the names of a comma list, each as the imported module calls it (before `rename`)."""
    names = (re.split(rename, part.strip(), maxsplit=1)[0].strip() for part in text.split(","))
    return tuple(name for name in names if name)


def _single(pattern: str, read: Callable[[re.Match[str]], tuple[str, str]] = lambda m: (m[1], "")) -> Reader:
    """Return a reader of statements that import one module; `read` returns module and name ("" for none)."""
    statement = lazy_pattern(pattern)

    def written(text: str) -> Written:
        found = statement.search(text.strip())
        if found:
            module, name = read(found)
            yield module, (name,) if name else ()

    return written


_AS = r"\s+as\s+"
# A module's name may contain `import`: the keyword follows a blank or a dot.
_PYTHON_FROM = lazy_pattern(r"from\s*([.\w\s]*?[.\s])import\b(.*)", re.DOTALL)


def _python(text: str) -> Written:
    text = re.sub(r"#[^\n]*", "", text).replace("\\\n", " ")
    found = _PYTHON_FROM.match(text)
    if found:
        yield "".join(found[1].split()), _names(found[2].strip().strip("()"), _AS)
    elif not text.startswith("from"):
        for name in _names(text[6:], _AS):
            yield "".join(name.split()), ()


_JS_COMMENT = lazy_pattern(r"(?<![:\"'\w])//[^\n]*|/\*.*?\*/", re.DOTALL)
_JS_SOURCE = lazy_pattern(r"""["']([^"'\n]+)["']\s*(?:(?:with|assert)\b[^;]*)?;?\s*$""")
_JS_KEYWORDS = lazy_pattern(r"^(import|export)\b\s*(type\s+(?!from\b))?|\bfrom\s*$")
_JS_NAME = lazy_pattern(r"[\w$]+")


def _ecmascript(text: str) -> Written:
    text = _JS_COMMENT.sub("", text)
    source = _JS_SOURCE.search(text)
    if not source:
        return
    before, _, inside = _JS_KEYWORDS.sub("", text[: source.start()].strip()).partition("{")
    inside, _, after = inside.partition("}")
    outside = before + after
    names = ["*"] if "*" in outside else ["default"] if _JS_NAME.search(outside) else []
    names += [name.removeprefix("type ").lstrip() for name in _names(inside, _AS)]
    yield source[1], tuple(names)


_RUST_PATH = lazy_pattern(r"(#\[|,) ?path ?= ?\"([^\"]+)\"")  # as an attribute, or inside `cfg_attr`
_RUST_MODULE = lazy_pattern(r"(?:^|\s|\))mod\s+(?:r#)?(\w+)\s*;")
_RUST_CRATE = lazy_pattern(r"\bextern\s+crate\s+(\w+)")
_RUST_USE = lazy_pattern(r"\buse\s+(.*?);?\s*$", re.DOTALL)


def _rust(text: str) -> Written:
    text = " ".join(re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL).split())
    text = text.replace(" ::", "::").replace(":: ", "::")
    paths, module = _RUST_PATH.findall(text), _RUST_MODULE.search(text)
    crate, use = _RUST_CRATE.search(text), _RUST_USE.search(text)
    if module:
        yield from ((path, ("path",)) for _, path in paths)
        if all(before == "," for before, _ in paths):
            yield module[1], ("mod",)
    elif crate:
        yield crate[1], ("crate",)
    elif use:
        yield from _rust_tree("", use[1], 0)


def _rust_tree(prefix: str, tree: str, depth: int) -> Written:
    """Yield the leaves of a use tree, grouped by the path before them."""
    leaves: list[str] = []
    for part in map(str.strip, _split_braces(tree)):
        head, brace, inner = part.partition("{")
        if brace:
            if depth < 20:
                inner = inner[: inner.rfind("}")] if "}" in inner else inner
                yield from _rust_tree(_join(prefix, head.strip().removesuffix("::")), inner, depth + 1)
            continue
        head, _, leaf = re.split(_AS, part, maxsplit=1)[0].strip().rpartition("::")
        if head:
            yield _join(prefix, head), (leaf,)
        elif leaf:
            leaves.append(leaf)
    if leaves:
        yield (prefix, tuple(leaves)) if prefix else (leaves[0], ())


def _join(prefix: str, path: str) -> str:
    path = path.removeprefix("::")
    return f"{prefix}::{path}" if prefix and path else prefix or path


def _split_braces(text: str) -> Iterator[str]:
    """Yield the parts of a comma list, in which braces hold other lists."""
    depth = start = 0
    for match in re.finditer(r"[{},]", text):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0 and match[0] == ",":
            yield text[start : match.start()]
            start = match.end()
    yield text[start:]


def _scala(text: str) -> Written:
    for part in _split_braces(re.sub(r"^import\s+", "", text.strip())):
        path, brace, inner = part.strip().partition("{")
        if brace:
            names = _names(inner.strip().rstrip("}"), r"\s*=>\s*|\s+as\s+")
            yield path.strip().rstrip("."), tuple("*" if n in ("_", "given") else n for n in names)
            continue
        path = re.split(r"\s+as\s+|\s*=>", path, maxsplit=1)[0].strip()
        head, _, leaf = path.rpartition(".")
        yield (head, ("*",)) if leaf in ("_", "*", "given") else (path, ())


_PHP_INCLUDE = lazy_pattern(r"\b(require|include)(?:_once)?\b[^'\"]*['\"]([^'\"]+)['\"]")


def _php(text: str) -> Written:
    text = text.strip()
    included = None if text.startswith("use") else _PHP_INCLUDE.search(text)
    if included:
        yield included[2], (included[1],)
    if not text.startswith("use"):
        return
    for part in _split_braces(re.sub(r"^use\s+(?:function\s+|const\s+)?|;\s*$", "", text)):
        head, brace, inner = part.strip().partition("{")
        for name in _names(inner.rstrip("} ") if brace else head, _AS):
            name = re.sub(r"^(?:function|const)\s+", "", name)
            yield (head.strip() + name if brace else name).lstrip("\\"), ()


_ELIXIR = lazy_pattern(r"(alias|import|use|require)\b[\s(]*([\w.]+)(?:\{([^}]*)\})?")


def _elixir(text: str) -> Written:
    found = _ELIXIR.match(text.strip())
    if found and found[3] is None:
        yield found[2], (found[1],)
    elif found:
        for name in _names(found[3], r"\s"):
            yield f"{found[2].rstrip('.')}.{name}", (found[1],)


_HASKELL = lazy_pattern(
    r"import\s+(?:\{-#.*?#-\}\s*)?(?:safe\s+)?(?:qualified\s+)?(?:\"[^\"]*\"\s+)?([\w.']+)"
    r"(?:\s+qualified)?(?:\s+as\s+[\w.']+)?\s*(hiding\b)?\s*(?:\((.*)\))?",
    re.DOTALL,
)


def _haskell(text: str) -> Written:
    found = _HASKELL.match(text.strip())
    if found:
        inner = "" if found[2] else re.sub(r"\([^()]*\)", "", found[3] or "")
        yield found[1], tuple(re.sub(r"^(?:type|pattern)\s+", "", n) for n in _names(inner, r"\s*\("))


_SUBSTITUTED = lazy_pattern(r"\$\([^()]*\)|`[^`]*`")  # the innermost
_SOURCED = _single(r"^(?:source|\.|load|bats_load_library)\s+['\"]*(\S*[^\s'\"])")
_MAX_SUBSTITUTIONS = 5  # nested


def _bash(text: str) -> Written:
    # The output of a command is unknown: `$(dirname "$0")/x.sh` becomes `$_/x.sh`.
    for _ in range(_MAX_SUBSTITUTIONS):
        text = _SUBSTITUTED.sub("$_", text)
    return _SOURCED(text)


def _java_names(found: re.Match[str]) -> tuple[str, str]:
    path = "".join(found[2].split())
    module, _, name = path.rpartition(".")
    return (path, "*") if found[3] else (module or path, name) if found[1] else (path, "")


_C = _single(
    r"#\s*(?:include|include_next|import)\s*(?:\"([^\"]+)\"|<([^>]+)>)",
    lambda m: (m[1], "") if m[1] else (m[2], "system"),
)
_QUOTED = _single(r"['\"]([^'\"\n]+)['\"]")
_READERS: dict[str, Reader] = {
    "bash": _bash,
    **dict.fromkeys(("c", "cpp", "objc", "glsl", "yacc", "lex"), _C),
    "csharp": _single(
        r"^(?:global\s+)?using\s+(static\s+|unsafe\s+)?(?:(\w+)\s*=\s*)?(?:global::)?([\w.]+)",
        lambda m: (m[3], "static" if m[1] else m[2] or ""),
    ),
    "elixir": _elixir,
    "go": _single(r"[\"`]([^\"`]+)[\"`]"),
    "haskell": _haskell,
    "java": _single(r"^import\s+(static\s+)?([\w.\s]+?)\s*(\.\s*\*)?\s*;?\s*$", _java_names),
    **dict.fromkeys(("javascript", "typescript", "tsx"), _ecmascript),
    "kotlin": _single(
        r"^import\s+([\w.`]+?)(\.\*)?(?:\s+as\s+\w+)?\s*;?\s*$", lambda m: (m[1].replace("`", ""), "*" if m[2] else "")
    ),
    **dict.fromkeys(("lua", "zig"), _QUOTED),
    "php": _php,
    "python": _python,
    "ruby": _single(
        r"^(require_relative|require|load|autoload|import)\b[\s(]*(?::\w+\s*,\s*|['\"]\w+['\"]\s*,\s*(?=['\"]))?"
        r"(?:File\.\w+\([^'\"]*)?['\"]([^'\"#]+)['\"]",
        lambda m: (m[2], m[1]),
    ),
    "rust": _rust,
    "scala": _scala,
    "swift": _single(r"\bimport\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?([\w.]+)"),
}
