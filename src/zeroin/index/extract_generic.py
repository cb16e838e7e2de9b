"""Definitions and comments of code without a grammar, by regular expressions that take linear time.

What ends a definition is not known here: its span reaches to the next line that is indented no deeper and
opens another definition, or to the end of the file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from zeroin.index.extract_imports import imports_of
from zeroin.index.found import Found, Outline
from zeroin.types import Import

_MAX_DEFINITIONS = 5_000

_STRING = r"\"(?:[^\"\\\n]|\\.)*\"?|'(?:[^'\\\n]|\\.)*'?"
_BLOCK = r"/\*(?:[^*]|\*(?!/))*(?:\*/)?"
# A comment that runs to the end of its line; unclosed blocks run to the end of the file, so no scan repeats.
_COMMENTS = {
    "hash": rf"(?P<c>(?<![\w$&])#[^\n]*)|(?P<s>{_STRING})",
    "slash": rf"(?P<c>//[^\n]*|{_BLOCK})|(?P<s>{_STRING})",
    "both": rf"(?P<c>//[^\n]*|{_BLOCK}|(?<!\S)#[^\n]*)|(?P<s>{_STRING})",
    "dash": rf"(?P<c>--[^\n]*|{_BLOCK}|\{{-(?:[^-]|-(?!\}}))*(?:-\}})?)|(?P<s>{_STRING})",
    "semicolon": r"(?P<c>;[^\n]*)|(?P<s>\"(?:[^\"\\]|\\.)*\"?)",
    "percent": r"(?P<c>%[^\n]*)|(?P<s>\"(?:[^\"\\\n]|\\.)*\"?)",
    "paren": rf"(?P<c>\(\*(?:[^*]|\*(?!\)))*(?:\*\))?|//[^\n]*)|(?P<s>\"(?:[^\"\\]|\\.)*\"?)",
    "markup": r"(?P<c><!--(?:[^-]|-(?!->))*(?:-->)?)",
    "style": rf"(?P<c>{_BLOCK}|(?<!:)//[^\n]*)|(?P<s>{_STRING})",
    "quote": r"(?P<c>(?:'|\bREM\b)[^\n]*)|(?P<s>\"[^\"\n]*\"?)",
    "vim": r"(?P<c>^[ \t]*\"[^\n]*)|(?P<s>'[^'\n]*'?)",
    "batch": r"(?P<c>^[ \t]*(?:::|@?rem\b)[^\n]*)|(?P<s>\"[^\"\n]*\"?)",
    "fortran": rf"(?P<c>![^\n]*)|(?P<s>{_STRING})",
}
_COMPILED = {name: re.compile(pattern, re.MULTILINE | re.IGNORECASE) for name, pattern in _COMMENTS.items()}

_STYLE_OF = {
    language: style
    for style, languages in {
        "hash": "python ruby bash shell fish powershell elixir perl raku r julia nim crystal coffeescript tcl make"
        " makefile cmake dockerfile awk gdscript starlark bazel meson graphql just nix yaml toml",
        "slash": "javascript typescript tsx go rust java kotlin scala c cpp csharp swift zig dart groovy objc"
        " objective-c objectivec d solidity protobuf proto thrift vala cuda glsl hlsl wgsl verilog systemverilog"
        " v odin jsonnet cue move",
        "both": "php hcl terraform",
        "dash": "sql haskell lua elm ada vhdl purescript idris agda",
        "semicolon": "lisp commonlisp clojure scheme racket emacs-lisp elisp fennel asm assembly ini autohotkey",
        "percent": "erlang matlab octave latex tex prolog",
        "paren": "ocaml fsharp sml pascal coq reason",
        "markup": "vue svelte html xml",
        "style": "css scss sass less stylus",
        "quote": "vb vbnet basic vba visualbasic",
        "vim": "vim",
        "batch": "batch",
        "fortran": "fortran",
    }.items()
    for language in languages.split()
}

_MODIFIERS = (
    r"(?:(?:public|private|protected|internal|static|final|abstract|async|export|default|pub|override|virtual|local"
    r"|inline|extern|unsafe|const|open|sealed|data|partial|global|external|shared|pure|recursive|elemental)\s+){0,6}"
)
_DEFINITION = re.compile(
    rf"^(?P<indent>[ \t]*){_MODIFIERS}"
    r"(?P<kind>def|defp|defmacro|defmodule|function|func|fn|fun|sub|proc|procedure|subroutine|method|macro|class"
    r"|interface|struct|structure|trait|enum|record|union|protocol|module|namespace|package|object|type|typedef"
    r"|mixin|extension|contract|library|event|message|service|impl|actor|template|let|val)"
    r"[ \t]+(?:rec[ \t]+)?(?P<name>[A-Za-z_$][\w$:.'-]*)(?P<after>[^\n]{0,80})",
    re.MULTILINE | re.IGNORECASE,
)
_KINDS = {
    **dict.fromkeys("def defp function func fn fun sub proc procedure subroutine".split(), "function"),
    "method": "method",
    "defmacro": "macro",
    "defmodule": "module",
    "structure": "struct",
    "typedef": "type",
}
_LISP = re.compile(
    r"^(?P<indent>[ \t]*)\((?P<kind>def[\w*-]*|ns|define(?:-[\w-]+)?)[ \t]+\(?(?:\^\S+[ \t]+)?(?P<name>[^\s()\[\]{}\"';]+)",
    re.MULTILINE,
)
_ERLANG = re.compile(
    r"^(?P<indent>)(?:-(?P<kind>module|record|type|callback)\((?P<name>\w+)|(?P<name2>[a-z]\w*)\()", re.MULTILINE
)
_SQL = re.compile(
    r"^(?P<indent>[ \t]*)create\s+(?:or\s+(?:replace|alter)\s+)?(?:(?:temp|temporary|unlogged|external|unique|global"
    r"|local|materialized|recursive|transient|definer\s*=\s*\S+)\s+){0,4}(?P<kind>table|view|function|procedure|index"
    r"|trigger|type|schema|sequence|domain|extension|database|role|policy|package(?:\s+body)?|aggregate|macro)\s+"
    r"(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?(?P<name>[\w.\"`\[\]$]+)",
    re.MULTILINE | re.IGNORECASE,
)
_PROTOBUF = re.compile(
    r"^(?P<indent>[ \t]*)(?:export[ \t]+|local[ \t]+)?(?P<kind>message|service|rpc|enum|oneof|extend|package|struct"
    r"|exception|union|interface|input|type|scalar|directive|query|mutation|fragment)[ \t]+(?P<name>[@.\w]+)",
    re.MULTILINE,
)
_HCL = re.compile(
    r"^(?P<indent>[ \t]*)(?P<kind>resource|data|module|variable|output|provider|locals|terraform|block|check|job|group"
    r"|task|source|build)(?:[ \t]+\"(?P<first>[^\"\n]*)\")?(?:[ \t]+\"(?P<name>[^\"\n]*)\")?[ \t]*\{",
    re.MULTILINE,
)
_CSS = re.compile(
    r"^(?P<indent>[ \t]*)(?:@(?P<kind>mixin|function|keyframes|layer|define-mixin)[ \t]+(?P<name>[\w-]+)"
    r"|(?P<name2>(?:--|[.#@$%])[A-Za-z_][\w-]*)(?=[^;{}\n]{0,200}[{,:]))",
    re.MULTILINE,
)
_MAKE = re.compile(
    r"^(?P<indent>)(?:(?P<kind>define)[ \t]+)?(?P<name>[A-Za-z][\w./%-]*)[ \t]*(?:::?(?!=)|[:?+]?=)", re.MULTILINE
)
_CMAKE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<kind>function|macro|add_library|add_executable|add_custom_target|option|project)"
    r"[ \t]*\([ \t\n]*(?P<name>[\w${}:.-]+)",
    re.MULTILINE | re.IGNORECASE,
)
_R = re.compile(r"^(?P<indent>[ \t]*)(?P<name>[\w.]+)[ \t]*(?:<-|=)[ \t]*(?P<kind>function|R6Class|setClass)\b", re.MULTILINE)
_OBJC = re.compile(
    r"^(?P<indent>)(?:@(?P<kind>interface|implementation|protocol)[ \t]+(?P<name>\w+)|[-+][ \t]*\([^()\n]*\)[ \t]*(?P<name2>\w+))",
    re.MULTILINE,
)
# `Type name(arguments) {` at little indentation: functions of Dart, Groovy, D, Objective-C and other C kin.
_C_LIKE = re.compile(
    r"^(?P<indent>[ \t]{0,4})(?:[A-Za-z_][\w<>,.?*&\[\]]*[ \t]+){1,5}[*&]?(?P<name>[A-Za-z_]\w*)[ \t]*\([^;{}()\n]*\)"
    r"[^;{}()\n=]{0,60}\{",
    re.MULTILINE,
)
_C_TYPES = re.compile(
    r"^(?P<indent>[ \t]*)(?:(?:typedef[ \t]+)?(?P<kind>struct|union|enum(?:[ \t]+(?:class|struct))?|class|namespace)[ \t]+"
    r"(?:\[\[\w+\]\][ \t]*)?(?:[A-Z][A-Z0-9_]+[ \t]+)?(?P<name>\w+)(?:[ \t]*\{|[ \t]+final\b|[ \t]*:|[ \t]*$)"
    r"|typedef\b[^;{}\n]{0,200}?\([ \t]*(?:\w+[ \t]*){0,2}\*[ \t]*(?P<name2>\w+)[ \t]*\)|typedef\b[^;{}()\n]{1,200}?\b(?P<name3>\w+)[ \t]*;"
    r"|\}[ \t]*(?P<name4>\w+)[ \t]*;)",
    re.MULTILINE,
)
_KOTLIN = re.compile(
    rf"^(?P<indent>[ \t]*)(?:@\w+(?:\([^()\n]*\))?[ \t]+)*{_MODIFIERS}(?:(?:suspend|operator|infix|tailrec|actual|expect|inner|value"
    r"|enum|annotation|companion|fun(?=[ \t]+interface))[ \t]+){0,4}(?P<kind>fun|class|interface|object|typealias)[ \t]+(?:<[^<>\n]*>[ \t]*)?"
    r"(?:[\w.<>?*, ]{1,80}\.)?(?P<name>`[^`\n]+`|\w+)",
    re.MULTILINE,
)
_GO = re.compile(
    r"^(?P<indent>)(?:(?P<kind>func)[ \t]+(?:\([^()\n]*\)[ \t]*)?(?P<name>\w+)|type[ \t]+(?P<name2>\w+)[ \t]+(?:struct|interface|func)\b)",
    re.MULTILINE,
)
_LUA = re.compile(r"^(?P<indent>[ \t]*)(?:local[ \t]+)?(?P<kind>function)[ \t]+(?:\w+[.:])*(?P<name>\w+)", re.MULTILINE)
_NO_NAMES = frozenset("if for while switch catch return else new throw case do try with is of in the a an and".split())
_PATTERNS: dict[str, tuple[re.Pattern[str], ...]] = {
    **dict.fromkeys(
        "lisp commonlisp clojure scheme racket emacs-lisp elisp fennel".split(), (_LISP,)
    ),
    "erlang": (_ERLANG,),
    "sql": (_SQL,),
    **dict.fromkeys("protobuf proto thrift graphql".split(), (_PROTOBUF,)),
    **dict.fromkeys("hcl terraform".split(), (_HCL,)),
    **dict.fromkeys("css scss sass less stylus".split(), (_CSS,)),
    **dict.fromkeys("make makefile just".split(), (_MAKE,)),
    "cmake": (_CMAKE,),
    "r": (_R, _DEFINITION),
    **dict.fromkeys("objc objective-c objectivec".split(), (_OBJC, _C_LIKE)),
    **dict.fromkeys("dart groovy d vala java csharp".split(), (_DEFINITION, _C_LIKE)),
    **dict.fromkeys("c cpp cuda glsl hlsl".split(), (_C_TYPES, _C_LIKE)),
    "kotlin": (_KOTLIN,),
    "go": (_GO,),
    "lua": (_LUA,),
}
_IMPORT = re.compile(
    r"^[ \t]*(?:(?:import|from|use|using|require|require_relative|include|load|source|open|library|export|part)\b"
    r"|#[ \t]*(?:include|import)\b|@(?:import|use|forward)\b)[^\n]{1,300}",
    re.MULTILINE,
)
_IMPORT_PATH = re.compile(r"[\"'<]([^\"'<>\n]+)[\"'>]|\b([A-Za-z_][\w.:/\\-]*)\s*;?\s*$")
_WITH_IMPORTS = frozenset(
    "protobuf proto thrift dart groovy objc objective-c objectivec d perl raku r julia nim crystal ocaml fsharp css"
    " scss sass less elm purescript erlang clojure solidity make makefile cmake v fennel starlark bazel".split()
)


def generic_outline(text: str, source: bytes, language: str) -> Outline:
    """What regular expressions find in code: byte offsets are into `source`, the UTF-8 of `text`."""
    out = Outline()
    offset = _byte_offsets(text, source)
    style = _COMPILED[_STYLE_OF.get(language, "both")]
    blank: list[tuple[int, int]] = []
    for match in style.finditer(text):
        is_comment = match.lastgroup == "c"
        start, end = match.span()
        if is_comment:
            blank.append((start, end))
        out.spans.append((offset(start), offset(end), is_comment))
    starts = [0, *(m.end() for m in re.finditer("\n", text))]
    out.found = list(_definitions(text, language, starts, offset, blank))
    out.imports = list(_imports(text, language, starts))
    return out


def repaired(language: str, source: bytes, out: Outline) -> list[Found]:
    """The definitions of an outline and those that regular expressions find where the grammar failed."""
    text = source.decode("latin-1")  # one character a byte: offsets agree
    starts = [0, *(m.end() for m in re.finditer("\n", text))]
    blank = sorted((start, end) for start, end, _ in out.spans)
    known = {(f.name, f.line) for f in out.found} | {(f.name, f.line - 1) for f in out.found}
    rows = [(bisect_right(starts, start) - 1, bisect_right(starts, end) + 1) for start, end in out.errors]
    added = []
    for item in _definitions(text, language, starts, lambda at: at, blank):
        item.name = item.name.encode("latin-1").decode("utf-8", "replace")
        inside = any(first <= item.line <= last for first, last in rows)
        if inside and (item.name, item.line) not in known and (item.name, item.line - 1) not in known:
            added.append(item)
    return sorted([*out.found, *added], key=lambda f: (f.start, -f.end))


def _byte_offsets(text: str, source: bytes):  # type: ignore[no-untyped-def]
    """A function from offsets in text to offsets in its UTF-8; ascending arguments are cheap."""
    if len(text) == len(source):
        return lambda at: at
    state = [0, 0]

    def offset(at: int) -> int:
        if at < state[0]:
            state[0] = state[1] = 0
        state[1] += len(text[state[0] : at].encode("utf-8", "replace"))
        state[0] = at
        return state[1]

    return offset


def _definitions(text, language, starts, offset, blank) -> Iterator[Found]:  # type: ignore[no-untyped-def]
    rows = len(starts)
    seen: dict[int, tuple[int, str, str, int]] = {}
    comment_starts = [b[0] for b in blank]
    for pattern in _PATTERNS.get(language, (_DEFINITION,)):
        for match in pattern.finditer(text):
            groups = match.groupdict()
            name = next(filter(None, map(groups.get, ("name", "name2", "name3", "name4", "first"))), "")
            at = match.start() + len(groups.get("indent") or "")
            inside = bisect_right(comment_starts, at) - 1
            if not name or name.lower() in _NO_NAMES or (inside >= 0 and at < blank[inside][1]):
                continue
            kind = (groups.get("kind") or ("function" if pattern is not _C_TYPES else "type")).lower().split()[0]
            if kind in ("let", "val") and "=" not in groups.get("after", ""):
                continue
            row = bisect_right(starts, at)
            indent = len((groups.get("indent") or "").expandtabs(4))
            seen.setdefault(row, (indent, name.strip("\"'`.:[]"), _KINDS.get(kind, kind), at))
            if len(seen) > _MAX_DEFINITIONS:
                break
    items = sorted(seen.items())
    ends = [rows] * len(items)
    stack: list[int] = []
    parents = [""] * len(items)
    for index, (row, (indent, _, _, _)) in enumerate(items):
        while stack and items[stack[-1]][1][0] >= indent:
            ends[stack.pop()] = row - 1
        if stack:
            parents[index] = items[stack[-1]][1][1]
        stack.append(index)
    for index, (row, (_, name, kind, at)) in enumerate(items):
        if name:
            first = offset(at)
            yield Found(name[:200], kind, first, first, row, max(row, ends[index]), row, first, parents[index])


def _imports(text: str, language: str, starts: list[int]) -> Iterator[Import]:
    count = 0
    for match in _IMPORT.finditer(text):
        line = bisect_right(starts, match.start())
        statement = match.group().strip()
        known = imports_of(language, statement, line)
        if not known and language in _WITH_IMPORTS:
            path = _IMPORT_PATH.search(statement)
            known = [Import(path[1] or path[2], (), line)] if path else []
        yield from known
        count += 1
        if count > 2_000:
            return
