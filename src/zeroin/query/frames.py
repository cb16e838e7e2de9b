"""One line of a stack trace, compiler or linter → a frame: path, line, function, family."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Frame:
    """A place that a trace names. `origin` is `own`, `package` (installed) or `runtime` (the language's library)."""

    path: str
    line: int | None
    symbol: str
    family: str
    origin: str = "own"


_P = r"[^\s:()\"'<>|]{1,300}"  # a path without spaces
_ADDRESS = r"0x[0-9a-fA-F]{1,20}"

# (family, cheap test: a substring that the line must hold, pattern). First match wins.
_PATTERNS: tuple[tuple[str, str, re.Pattern[str]], ...] = tuple(
    (family, needle, re.compile(pattern))
    for family, needle, pattern in (
        (
            "python",
            "File ",
            r'^[\s>│|]{0,40}File "(?P<path>[^"\n]{1,400})", line (?P<line>\d{1,9})(?:, in (?P<symbol>[^\n]{1,200}))?',
        ),
        (
            "python",
            "File ",
            r"^\s{0,8}File (?P<path>[^\s:]{1,400}):(?P<line>\d{1,9})(?:, in (?P<symbol>[\w.<>]{1,200}))?",
        ),
        ("python", "Cell ", r"^\s{0,8}(?P<path>Cell) In ?\[\d{1,6}\], line (?P<line>\d{1,9})"),
        (
            "python",
            " in ",
            r"^(?P<path>(?:[~/.]|[A-Z]:\\|<ipython)[^\s]{0,300}) in (?P<symbol>[\w.<>]{1,120}) ?\(",
        ),
        (
            "python",
            " in ",
            r"^[\s│|]{0,12}(?P<path>[^\s:│]{1,300}\.pyx?):(?P<line>\d{1,9}):? in (?P<symbol>[\w.<>]{1,120})",
        ),
        (
            "pytest",
            ".py:",
            r"^(?P<path>[^\s:]{1,300}\.py):(?P<line>\d{1,9}): (?P<symbol>)(?:[A-Z]\w{0,80}$|$)",
        ),
        (
            "ruby",
            ":in ",
            r"^\s{0,20}(?:from |\d{1,4}: from )?(?P<path>[^\s:]{1,300}):(?P<line>\d{1,9}):in [`'‘]"
            r"(?P<symbol>[^'’\n]{1,160})",
        ),
        (
            "csharp",
            " in ",
            r"^\s{0,20}at (?P<symbol>[^\s(]{1,300}) ?\([^\n]{0,400}\) in (?P<path>[^\n]{1,300}):line (?P<line>\d{1,9})",
        ),
        (
            "java",
            "at ",
            r"^\s{0,40}at (?:[\w.@-]{1,80}/{1,2})?(?P<symbol>[\w.$<>-]{1,300})\((?P<path>[\w$.-]{1,120}\.(?:java|kt|"
            r"kts|scala|groovy|clj))(?::(?P<line>\d{1,9}))?\)",
        ),
        (
            "java",
            "at ",
            r"^\s{0,40}at (?P<symbol>[\w.$/<>-]{1,300})\((?P<path>Native Method|Unknown Source|<generated>)\)",
        ),
        (
            "v8",
            "at ",
            r"^\s{0,40}at (?:async |new )*(?P<symbol>[^\n(]{1,160}?) ?(?:\[as [^\]\n]{1,80}\] )?\((?P<path>[^"
            r"()\n]{1,300}?):(?P<line>\d{1,9})(?::\d{1,9})?\)",
        ),
        ("rust", "at ", rf"^\s{{1,40}}at (?P<path>{_P}\.rs):(?P<line>\d{{1,9}})(?::\d{{1,9}})?"),
        (
            "v8",
            "at ",
            r"^\s{0,40}at (?:async )?(?P<path>(?:[a-z-]{2,20}:/{2,3}|node:)?(?:[A-Z]:)?[^\s:()]{1,300}):"
            r"(?P<line>\d{1,9}):\d{1,9}",
        ),
        (
            "csharp",
            "at ",
            r"^\s{1,20}at (?P<symbol>[\w.`<>\[\]]{1,300}\.[\w.`<>|]{1,120}) ?\((?P<path>)[^)\n:]{0,300}\)",
        ),
        (
            "firefox",
            "@",
            r"^\s{0,20}(?P<symbol>[\w.$<>/*\[\]-]{0,120})@(?P<path>[a-z-]{2,20}:/{1,3}[^\s]{1,300}?):"
            r"(?P<line>\d{1,9}):\d{1,9}\s*$",
        ),
        (
            "firefox",
            " @ ",
            r"^\s{0,20}(?P<symbol>[\w.$<>()]{1,120}) @ (?P<path>[^\s:]{1,200}):(?P<line>\d{1,9})\s*$",
        ),
        (
            "go",
            ".go:",
            r"^\s{0,12}(?P<path>[^\s:]{1,300}\.go):(?P<line>\d{1,9})(?: \+0x[0-9a-f]{1,16})?\s*(?P<symbol>)$",
        ),
        (
            "php",
            "#",
            r"^\s{0,8}#\d{1,4} (?P<path>[^\n(]{1,300}\.(?:php|inc|"
            r"phtml))\((?P<line>\d{1,9})\): (?P<symbol>[^\n(]{0,200})",
        ),
        (
            "php",
            " in ",
            r"^.{0,400}? in (?P<path>[^\s:]{1,300}\.php)(?: on line |:)(?P<line>\d{1,9})(?P<symbol>)",
        ),
        (
            "native",
            "#",
            rf"^\s{{0,8}}#\d{{1,4}} {{1,3}}(?:{_ADDRESS} )?(?:in )?(?P<symbol>[^\s(]{{1,160}}) ?(?:\(.{{0,600}}?\) )?"
            rf"(?:at )?(?P<path>{_P}\.\w{{1,5}}):(?P<line>\d{{1,9}})",
        ),
        (
            "native",
            "#",
            rf"^\s{{0,8}}#\d{{1,4}} {{1,3}}{_ADDRESS} (?:in )?(?P<symbol>[^\s(]{{1,160}})(?P<path>)",
        ),
        ("report", "-->", r"^\s{0,12}--> (?P<path>[^\s:]{1,300}):(?P<line>\d{1,9}):\d{1,9}"),
        (
            "elixir",
            ") ",
            r"^\s{1,12}\([\w ._-]{1,60}\) (?P<path>[\w/.-]{1,200}\.(?:exs?|"
            r"erl)):(?P<line>\d{1,9}): (?P<symbol>[\w.!?&/-]{1,160})",
        ),
        (
            "lua",
            ": in ",
            r"^\s{0,8}(?P<path>[^\s:]{1,300}\.lua):(?P<line>\d{1,9}): in (?:function |method |upvalue |field |"
            r"local )?[<'‘]?(?P<symbol>[\w.:]{0,120})",
        ),
        (
            "compiler",
            "(",
            r"^\s{0,8}(?P<path>[^\s()]{1,300}\.\w{1,5})\((?P<line>\d{1,9})(?:,\d{1,9})?\) ?: (?P<symbol>)(?:fatal )?"
            r"(?:error|warning|note)\b",
        ),
        (
            "compiler",
            ":",
            r"^\s{0,8}(?P<path>(?:[A-Za-z]:)?[^\s:()]{1,300}\.\w{1,5}):(?P<line>\d{1,9})(?::\d{1,9})?(?::|"
            r" -) (?P<symbol>)(?:fatal error|error|warning|note|info|runtime error|undefined reference|cannot|"
            r"[a-z]{2,30}:? )",
        ),
        (
            "rust",
            "panicked at",
            r"^.{0,200}panicked at (?:'[^\n]{0,2000}', ?)?(?P<path>[^\s:',]{1,300}\.rs):(?P<line>\d{1,9})(?P<symbol>)",
        ),
        ("rust", ".rs:", r"^', (?P<path>[^\s:]{1,300}\.rs):(?P<line>\d{1,9}):\d{1,9}(?P<symbol>)$"),
    )
)

_RUST_SYMBOL = re.compile(
    r"^\s{0,6}\d{1,4}:\s{1,6}(?:0x[0-9a-f]{1,16} - )?(?P<symbol>[A-Za-z_<][^\n]{1,300})$"
)
_GO_CALL = re.compile(
    r"^(?:created by )?(?P<symbol>[\w./\-%]{1,200}\.(?:\(\*?[\w\[\].]{1,80}\)\.)?[\w.\[\]]{1,120})"
    r"(?:\([^\n]{0,400}\))?(?: in goroutine \d{1,9})?$"
)
_ESLINT = re.compile(
    r"^\s{1,8}(?P<line>\d{1,6}):\d{1,6}\s{1,12}(?:error|warning)\s{1,4}(?P<text>\S[^\n]{0,300})"
)
_PATH_ALONE = re.compile(
    r"^\s{0,2}(?P<path>(?:/|\./|[A-Z]:\\)?[\w@.\-]{1,80}(?:[/\\][\w@.\-\[\]]{1,80}){1,20}\.\w{1,5}):?\s*$"
)

_PACKAGES = re.compile(
    r"^.{0,400}(?:site-packages|dist-packages|node_modules|bower_components|/gems/[^/]{1,80}|"
    r"/pkg/mod/[^@\n]{1,200}@[^/]{1,80}|"
    r"\.cargo/registry/src/[^/]{1,80}/[^/]{1,80}|\.cargo/git/checkouts/[^/]{1,80}/[0-9a-f]{5,40}|"
    r"/vendor/bundle/[^/]{1,80}/[^/]{1,20}|Cellar/[^/]{1,60}/[^/]{1,40}/libexec)/"
)
_RUNTIME = re.compile(
    r"(?:^|/)lib(?:64)?/python\d(?:\.\d{1,2})?/(?!.{0,300}(?:site|dist)-packages)|^node:|^internal/|^/rustc/|"
    r"^library/(?:std|core|alloc)/|"
    r"/rust(?:up)?/.{0,100}/library/|/usr/(?:local/)?go/src/|/libexec/src/|\.rubies/|/ruby/\d[\w.]{0,12}/(?!gems)|"
    r"<frozen|"
    r"^Native Method$|^Unknown Source$|^<anonymous>$|^native$|^<stdin>$|^<string>$|^<unknown>|^<ipython|^Cell$|"
    r"^<generated>$|^<console>$|"
    r"sysdeps/|^\[|/ipykernel|/Python\d{2,3}/lib/(?!site)|chrome-extension:|/s?bin/[\w.-]{1,60}$",
    re.IGNORECASE,
)
_SCHEME = re.compile(
    r"^(?:webpack(?:-internal)?|file|https?|ng|app|rsc|chrome|resource|moz-extension):/{0,4}(?:\(?[\w-]{1,40}\)?/)?",
    re.IGNORECASE,
)
_HOST = re.compile(r"^(?:localhost|[\w.-]{1,100}\.[a-z]{2,10}|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?/")
_HOME = re.compile(
    r"^/(?:(?:(?:home|Users)/[^/]{1,60}|var/folders|private/tmp|tmp|root|opt|usr/src|usr/local|mnt/\w|"
    r"workspaces?|builds?|app|code|src/app)/)",
    re.IGNORECASE,
)
_JAVA_RUNTIME = re.compile(
    r"^(?:java|javax|jdk|sun|com\.sun|kotlin|kotlinx|scala|groovy\.lang|android\.os|dalvik)\."
)
_CSHARP_RUNTIME = re.compile(r"^(?:System|Microsoft)\.")
_RUST_RUNTIME = re.compile(r"^<?(?:std|core|alloc|rust_|__rust|backtrace|test)(?:::|_|\b)")


def frame_of(line: str) -> Frame | None:
    """The frame that one line of a trace names, or None."""
    for family, needle, pattern in _PATTERNS:
        if needle not in line:
            continue
        match = pattern.match(line)
        if match is None:
            continue
        found = match.groupdict()
        number = found.get("line")
        return _frame(
            family, found.get("path") or "", int(number) if number else None, found.get("symbol") or ""
        )
    return None


def rust_symbol(line: str, *, located: bool) -> str:
    """The function of a numbered line of a Rust backtrace, or ""; `located`: the next line says where it is."""
    match = _RUST_SYMBOL.match(line)
    return match["symbol"] if match and (located or "::" in line) else ""


def go_call(line: str) -> str:
    """The function of a line of a Go goroutine dump, or ""."""
    match = _GO_CALL.match(line)
    return match["symbol"].rpartition("/")[2] if match else ""


def lint_line(line: str) -> tuple[int, str] | None:
    """Line number and message of an ESLint-like report line, which stands below its file's path."""
    match = _ESLINT.match(line)
    return (int(match["line"]), match["text"]) if match else None


def path_alone(line: str) -> str:
    """The path when a line holds nothing else, or ""."""
    match = _PATH_ALONE.match(line)
    return match["path"] if match else ""


def frame_at(family: str, path: str, line: int | None, symbol: str) -> Frame:
    """A frame from its parts, with the path made repository-like."""
    return _frame(family, path, line, symbol)


def _frame(family: str, path: str, line: int | None, symbol: str) -> Frame:
    path = path.replace("\\", "/").strip()
    symbol = _clean_symbol(symbol)
    if family == "java" and path not in ("Native Method", "Unknown Source", "<generated>"):
        package = symbol.split("$")[0].rsplit(".", 2 if "$" not in symbol else 1)[0] if "." in symbol else ""
        origin = "runtime" if _JAVA_RUNTIME.match(symbol) else "own"
        folder = package.replace(".", "/") if package and package[0].islower() else ""
        return Frame(f"{folder}/{path}" if folder else path, line, _tail(symbol), family, origin)
    tail, origin = normalise_path(path)
    if family == "csharp" and _CSHARP_RUNTIME.match(symbol):
        origin = "runtime"
    if family == "rust" and _RUST_RUNTIME.match(symbol):
        origin = "runtime"
    if not path:
        return Frame("", line, _tail(symbol), family, origin)
    return Frame(tail, line, _tail(symbol), family, origin)


def normalise_path(path: str) -> tuple[str, str]:
    """A path of somebody's machine → the part that a repository may hold, and `own`, `package` or `runtime`."""
    path = path.replace("\\", "/")
    if _RUNTIME.search(path):
        return path.rpartition("/")[2], "runtime"
    bare = _SCHEME.sub("", path, count=1)
    if bare != path:
        path = _HOST.sub("", bare, count=1).partition("?")[0]
    package = _PACKAGES.match(path)
    if package:
        return path[package.end() :], "package"
    if len(path) > 2 and path[1] == ":":
        path = path[2:]
    if path.startswith("~"):
        path = path[1:]
    home = _HOME.match(path)
    if home:
        path = path[home.end() :]
    while path.startswith(("./", "../", "/")):
        path = path.split("/", 1)[1]
    return path, "own"


def _clean_symbol(symbol: str) -> str:
    symbol = symbol.strip().removesuffix("()").rstrip(",")
    for prefix in ("async ", "new ", "static ", "block in ", "rescue in ", "Object."):
        symbol = symbol.removeprefix(prefix)
    return (
        ""
        if symbol in ("<module>", "<anonymous>", "{main}", "<lambda>", "<top (required)>", "anonymous")
        else symbol
    )


def _tail(symbol: str) -> str:
    """The last parts of a qualified name: what the repository's definitions can be compared with."""
    symbol = re.sub(
        r"<locals>\.|\(\*?|\)|<[^<>]{0,200}>|\{\{?closure\}?\}?|\+0x[0-9a-f]+|#\d+$|`\d+", "", symbol
    )
    parts = [
        p
        for p in re.split(r"::|->|[.#/$+\\]", symbol)
        if p and re.fullmatch(r"[\w!?]{1,100}", p) and not p.isdigit()
    ]
    parts = [p for p in parts if p not in ("lambda", "inner", "wrapper", "wrapped", "h")]
    return ".".join(parts[-2:])
