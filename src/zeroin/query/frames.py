"""One line of a stack trace, compiler or linter → a frame: path, line, function, family."""

import re
from functools import cache
from typing import NamedTuple

from zeroin.patterns import lazy_pattern
from zeroin.query.tables import Table


class Frame(NamedTuple):
    """A place that a trace names. `origin` is `own`, `package` (installed) or `runtime` (the language's library)."""

    path: str
    line: int | None
    symbol: str
    family: str
    origin: str = "own"


_TABLE = Table("frames", re.IGNORECASE)

_ESLINT = lazy_pattern(r"^\s{1,8}(?P<line>\d{1,6}):\d{1,6}\s{1,12}(?:error|warning)\s{1,4}\S")

_MESSAGE = lazy_pattern(r"[^\W\d_]{2,}")
_UNNAMED = ("<module>", "<anonymous>", "{main}", "<lambda>", "<top (required)>", "anonymous")
# Parts of a symbol that are not names.
_BESIDE = lazy_pattern(r"<locals>\.|\(\*?|\)|<[^<>]{0,200}>|\{\{?closure\}?\}?|\+0x[0-9a-f]+|#\d+$|`\d+")
_PART = lazy_pattern(r"[\w!?]{1,100}")
_WRAPPERS = ("lambda", "inner", "wrapper", "wrapped", "h")
_HOST = lazy_pattern(r"^(?:localhost|[\w.-]{1,100}\.[a-z]{2,10}|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?/")
_CSHARP_RUNTIME = lazy_pattern(r"^(?:System|Microsoft)\.")
_RUST_RUNTIME = lazy_pattern(r"^<?(?:std|core|alloc|rust_|__rust|backtrace|test)(?:::|_|\b)")


def frame_of(line: str) -> Frame | None:
    """Return the frame that one line of a trace names, or None."""
    family, match = _matched(line)
    if match is None:
        return None
    found = match.groupdict()
    number = int(found["line"]) if found.get("line") else None
    return frame_at(family, found["path"] or "", number, found.get("symbol") or "")


def only_place(line: str) -> bool:
    """Whether a line is a frame and holds no message beside it."""
    family, match = _matched(line)
    # PHP and older Rust put the message before the place.
    if match is None or (family == "php" and " in " in match[0]) or "panicked at '" in line:
        return False
    return _MESSAGE.search(line, match.end()) is None


def _matched(line: str) -> tuple[str, re.Match[str] | None]:
    for family, needle, pattern in _patterns():
        if needle in line and (match := pattern.match(line)):
            return family, match
    return "", None


@cache
def _patterns() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """Family, a substring that the line must hold, and the pattern; the first match wins."""
    return tuple((family, needle, re.compile(text)) for family, needle, text in _TABLE.data["frames"])


def rust_symbol(line: str, *, located: bool) -> str:
    """The function of a numbered line of a Rust backtrace, or ""; `located`: the next line names its file."""
    match = _TABLE.pattern("rust_symbol").match(line)
    return match["symbol"] if match and (located or "::" in line) else ""


def go_call(line: str) -> str:
    """Return the function of a line of a Go goroutine dump, or ""."""
    match = _TABLE.pattern("go_call").match(line)
    return match["symbol"].rpartition("/")[2] if match else ""


def lint_line(line: str) -> int | None:
    """Return the line number of an ESLint-like report line, which stands below its file's path."""
    return int(match["line"]) if (match := _ESLINT.match(line)) else None


def path_alone(line: str) -> str:
    """Return the path when a line holds nothing else, or ""."""
    return match["path"] if (match := _TABLE.pattern("path_alone").match(line)) else ""


def frame_at(family: str, path: str, line: int | None, symbol: str) -> Frame:
    """Return a frame from its parts, with the path made repository-like."""
    path = path.replace("\\", "/").strip()
    symbol = _clean_symbol(symbol)
    if family == "clojure" and symbol:  # namespace/function, which the JVM calls namespace$function
        found = frame_at("java", path, line, symbol.replace("/", "$", 1))
        return found._replace(symbol=symbol.partition("/")[2], family=family)
    if family == "java" and path not in ("Native Method", "Unknown Source", "<generated>"):
        package = symbol.split("$")[0].rsplit(".", 2 if "$" not in symbol else 1)[0] if "." in symbol else ""
        origin = "runtime" if _TABLE.pattern("java_runtime").match(symbol) else "own"
        folder = package.replace(".", "/").replace("-", "_") if package and package[0].islower() else ""
        return Frame(f"{folder}/{path}" if folder else path, line, _tail(symbol), family, origin)
    tail, origin = normalise_path(path)
    runtime = {"csharp": _CSHARP_RUNTIME, "rust": _RUST_RUNTIME}.get(family)
    if runtime is not None and runtime.match(symbol):
        origin = "runtime"
    return Frame(tail, line, _tail(symbol), family, origin)


def normalise_path(path: str) -> tuple[str, str]:
    """Return a path without the folders of its machine, and its origin: `own`, `package` or `runtime`."""
    path = path.replace("\\", "/")
    if _TABLE.has("runtime", path):
        return path.rpartition("/")[2], "runtime"
    bare = _TABLE.pattern("scheme").sub("", path, count=1)
    if bare != path:
        path = _HOST.sub("", bare, count=1).partition("?")[0]
    package = _TABLE.pattern("packages").match(path)
    if package:
        return path[package.end() :], "package"
    if len(path) > 2 and path[1] == ":":
        path = path[2:]
    path = _TABLE.pattern("home").sub("", path.removeprefix("~"), count=1)
    while path.startswith(("./", "../", "/")):
        path = path.split("/", 1)[1]
    return path, "own"


def _clean_symbol(symbol: str) -> str:
    symbol = symbol.strip().removesuffix("()").rstrip(",")
    for prefix in ("async ", "new ", "static ", "block in ", "rescue in ", "Object."):
        symbol = symbol.removeprefix(prefix)
    return "" if symbol in _UNNAMED else symbol


def _tail(symbol: str) -> str:
    """Return the last two names of a qualified name, to compare with the repository's definitions."""
    symbol = _BESIDE.sub("", symbol)
    parts = filter(_PART.fullmatch, re.split(r"::|->|[.#/$+\\]", symbol))
    return ".".join([part for part in parts if not part.isdigit() and part not in _WRAPPERS][-2:])
