"""Imports as written: the text of one import statement → `Import`s. Nothing is resolved here.

| language | written | module, names |
|---|---|---|
| Python | `import a.b as c` · `from ..a import b as c` · `from . import x` | `a.b` · `..a`, b · `.`, x |
| JS, TS | `import d, {a as b} from "./m"` · `export * from "m"` · `import("m")` | `./m`, default a · `m`, * · `m` |
| Go | `import m "a/b"` | `a/b` |
| Rust | `use a::{b, c::d as e}` · `mod m;` · `#[path = "x.rs"] mod m;` | `a`, b; `a::c`, d · `m`, mod · `x.rs`, path |
| Java | `import a.B` · `import a.*` · `import static a.B.c` | `a.B` · `a`, * · `a.B`, c |
| Kotlin | `import a.B as C` · `import a.*` | `a.B` · `a`, * |
| Scala | `import a.{B, C => D, _}` · `import a.B` | `a`, B C * · `a.B` |
| C, C++ | `#include "a/b.h"` · `#include <c>` | `a/b.h` · `c`, system |
| C# | `using A.B;` · `using static A.B;` · `using X = A.B;` | `A.B` · `A.B`, static · `A.B`, X |
| Ruby | `require "a"` · `require_relative "b"` · `autoload :C, "d"` | `a`, require · `b`, require_relative · `d`, … |
| PHP | `use A\\B as C;` · `use A\\{B, C}` · `require_once "x.php"` | `A\\B` · `A\\B` and `A\\C` · `x.php`, require |
| Elixir | `alias A.{B, C}` · `use A` | `A.B`, alias and `A.C`, alias · `A`, use |
| Swift | `import struct A.B` | `A.B` |
| Haskell | `import qualified A.B (c, D(..))` | `A.B`, c D |
| Lua, Bash, Zig | `require "a.b"` · `source ./x.sh` · `@import("x.zig")` | `a.b` · `./x.sh` · `x.zig` |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from zeroin.tree import Import

_NAME = re.compile(r"[\w$]+")


def imports_of(language: str, text: str, line: int) -> list[Import]:
    """The imports of one statement that starts on `line`; nothing where it is not understood."""
    reader = _READERS.get(language)
    if reader is None:
        return []
    return [Import(module, names, line) for module, names in reader(text) if 0 < len(module) <= 300]


Read = Iterator[tuple[str, tuple[str, ...]]]


def _names(text: str, rename: str) -> tuple[str, ...]:
    """The names of a comma list, each as it is called where it comes from."""
    out = []
    for part in text.split(","):
        name = re.split(rename, part.strip(), maxsplit=1)[0].strip()
        if name:
            out.append(name)
    return tuple(out)


def _python(text: str) -> Read:
    if "#" in text:
        text = re.sub(r"#[^\n]*", "", text)
    text = text.replace("\\\n", " ")
    if text.startswith("from"):
        head, _, tail = text[4:].partition("import")
        # `import` may be part of the module's own name: the keyword stands alone.
        match = re.match(r"\s*([.\w\s]*?[.\s])import\b(.*)", text[4:], re.DOTALL)
        if match:
            head, tail = match[1], match[2]
        yield "".join(head.split()), _names(tail.strip().strip("()"), r"\s+as\s+")
        return
    for name in _names(text[6:], r"\s+as\s+"):
        yield "".join(name.split()), ()


_JS_SOURCE = re.compile(r"""["']([^"'\n]+)["']\s*(?:(?:with|assert)\b[^;]*)?;?\s*$""")


def _ecmascript(text: str) -> Read:
    if "//" in text or "/*" in text:
        text = re.sub(r"(?<![:\"'\w])//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
    source = _JS_SOURCE.search(text)
    if not source:
        return
    head = text[: source.start()]
    head = re.sub(r"^(import|export)\b\s*(type\s+(?!from\b))?|\bfrom\s*$", "", head.strip())
    braces = re.search(r"\{([^{}]*)\}", head)
    names: list[str] = []
    outside = head[: braces.start()] + head[braces.end() :] if braces else head
    if "*" in outside:
        names.append("*")
    elif _NAME.search(outside):
        names.append("default")
    if braces:
        names += [re.sub(r"^type\s+", "", n) for n in _names(braces[1], r"\s+as\s+")]
    yield source[1], tuple(names)


def _go(text: str) -> Read:
    match = re.search(r"[\"`]([^\"`]+)[\"`]", text)
    if match:
        yield match[1], ()


_RUST_PATH = re.compile(r"#\[path\s*=\s*\"([^\"]+)\"\s*\]")


def _rust(text: str) -> Read:
    if "//" in text or "/*" in text:
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
    path = _RUST_PATH.search(text)
    module = re.search(r"(?:^|\s|\))mod\s+(?:r#)?(\w+)\s*;", text)
    if module:
        yield (path[1], ("path",)) if path else (module[1], ("mod",))
        return
    crate = re.search(r"\bextern\s+crate\s+(\w+)", text)
    if crate:
        yield crate[1], ("crate",)
        return
    match = re.search(r"\buse\s+(.*?);?\s*$", text, re.DOTALL)
    if match:
        yield from _rust_tree("", " ".join(match[1].split()), 0)


def _rust_tree(prefix: str, tree: str, depth: int) -> Read:
    """The leaves of a use tree, grouped by the path before them."""
    leaves: list[str] = []
    for part in _split_braces(tree):
        part = part.strip()
        if not part:
            continue
        open_at = part.find("{")
        if open_at >= 0:
            inner = part[open_at + 1 : part.rfind("}")] if "}" in part else part[open_at + 1 :]
            head = part[:open_at].strip().removesuffix("::")
            if depth < 20:
                yield from _rust_tree(_join(prefix, head), inner, depth + 1)
            continue
        path = re.split(r"\s+as\s+", part, maxsplit=1)[0].strip()
        head, _, leaf = path.rpartition("::")
        if head:
            yield _join(prefix, head), (leaf,)
        else:
            leaves.append(leaf)
    if leaves:
        yield (prefix, tuple(leaves)) if prefix else (leaves[0], ())


def _join(prefix: str, path: str) -> str:
    path = path.removeprefix("::")
    return f"{prefix}::{path}" if prefix and path else prefix or path


def _split_braces(text: str) -> Iterator[str]:
    depth = start = 0
    for match in re.finditer(r"[{},]", text):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
        elif depth == 0:
            yield text[start : match.start()]
            start = match.end()
    yield text[start:]


def _java(text: str) -> Read:
    match = re.match(r"import\s+(static\s+)?([\w.\s]+?)\s*(\.\s*\*)?\s*;?\s*$", text)
    if not match:
        return
    path = "".join(match[2].split())
    if match[3]:
        yield path, ("*",)
    elif match[1]:
        module, _, name = path.rpartition(".")
        yield module or path, (name,)
    else:
        yield path, ()


def _kotlin(text: str) -> Read:
    match = re.match(r"import\s+([\w.`]+?)(\.\*)?(?:\s+as\s+\w+)?\s*;?\s*$", text.strip())
    if match:
        yield match[1].replace("`", ""), ("*",) if match[2] else ()


def _scala(text: str) -> Read:
    for part in _split_braces(re.sub(r"^import\s+", "", text.strip())):
        path, brace, inner = part.strip().partition("{")
        if brace:
            names = _names(inner.strip().rstrip("}"), r"\s*=>\s*|\s+as\s+")
            yield path.strip().rstrip("."), tuple("*" if n in ("_", "given") else n for n in names)
            continue
        path = re.split(r"\s+as\s+|\s*=>", path, maxsplit=1)[0].strip()
        head, _, leaf = path.rpartition(".")
        if leaf in ("_", "*", "given"):
            yield head, ("*",)
        elif path:
            yield path, ()


_INCLUDE = re.compile(r"#\s*(?:include|include_next|import)\s*(?:\"([^\"]+)\"|<([^>]+)>)")


def _c(text: str) -> Read:
    match = _INCLUDE.search(text)
    if match:
        yield (match[1], ()) if match[1] else (match[2], ("system",))


def _csharp(text: str) -> Read:
    match = re.match(
        r"(?:global\s+)?using\s+(static\s+|unsafe\s+)?(?:(\w+)\s*=\s*)?(?:global::)?([\w.]+)", text.strip()
    )
    if match:
        yield match[3], ("static",) if match[1] else (match[2],) if match[2] else ()


_RUBY = re.compile(
    r"\b(require_relative|require|load|autoload|import)\b[\s(]*(?::\w+\s*,\s*|['\"]\w+['\"]\s*,\s*(?=['\"]))?"
    r"(?:File\.\w+\([^'\"]*)?['\"]([^'\"#]+)['\"]"
)


def _ruby(text: str) -> Read:
    match = _RUBY.match(text.strip())
    if match:
        yield match[2], (match[1],)


def _php(text: str) -> Read:
    text = text.strip()
    if not text.startswith("use"):
        match = re.search(r"\b(require|include)(?:_once)?\b[^'\"]*['\"]([^'\"]+)['\"]", text)
        if match:
            yield match[2], (match[1],)
        return
    body = re.sub(r"^use\s+(?:function\s+|const\s+)?|;\s*$", "", text)
    for part in _split_braces(body):
        head, brace, inner = part.strip().partition("{")
        for name in _names(inner.rstrip("} "), r"\s+as\s+") if brace else _names(head, r"\s+as\s+"):
            name = re.sub(r"^(?:function|const)\s+", "", name)
            yield (head.strip() + name if brace else name).lstrip("\\"), ()


def _elixir(text: str) -> Read:
    match = re.match(r"(alias|import|use|require)\b[\s(]*([\w.]+)(?:\{([^}]*)\})?", text.strip())
    if not match:
        return
    if match[3] is not None:
        for name in _names(match[3], r"\s"):
            yield match[2].rstrip(".") + "." + name, (match[1],)
    else:
        yield match[2], (match[1],)


def _swift(text: str) -> Read:
    match = re.search(
        r"\bimport\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?([\w.]+)", text
    )
    if match:
        yield match[1], ()


def _haskell(text: str) -> Read:
    match = re.match(
        r"import\s+(?:\{-#.*?#-\}\s*)?(?:safe\s+)?(?:qualified\s+)?(?:\"[^\"]*\"\s+)?([\w.']+)"
        r"(?:\s+qualified)?(?:\s+as\s+[\w.']+)?\s*(hiding\b)?\s*(?:\((.*)\))?",
        text.strip(),
        re.DOTALL,
    )
    if match:
        inner = re.sub(r"\([^()]*\)", "", match[3] or "") if not match[2] else ""
        names = [re.sub(r"^(?:type|pattern)\s+", "", n) for n in _names(inner, r"\s*\(")]
        yield match[1], tuple(names)


def _quoted(text: str) -> Read:
    match = re.search(r"['\"]([^'\"\n]+)['\"]", text)
    if match:
        yield match[1], ()


def _bash(text: str) -> Read:
    match = re.match(r"(?:source|\.|load|bats_load_library)\s+(\S+)", text.strip())
    if match:
        yield match[1].strip("'\""), ()


_READERS: dict[str, Callable[[str], Read]] = {
    "bash": _bash,
    "c": _c,
    "cpp": _c,
    "csharp": _csharp,
    "elixir": _elixir,
    "go": _go,
    "haskell": _haskell,
    "java": _java,
    "javascript": _ecmascript,
    "kotlin": _kotlin,
    "lua": _quoted,
    "php": _php,
    "python": _python,
    "ruby": _ruby,
    "rust": _rust,
    "scala": _scala,
    "swift": _swift,
    "tsx": _ecmascript,
    "typescript": _ecmascript,
    "zig": _quoted,
}
