"""How definitions, comments and imports look in languages that are read line by line; all in linear time."""

from __future__ import annotations

import re

from zeroin.patterns import lazy_pattern

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
    "paren": r"(?P<c>\(\*(?:[^*]|\*(?!\)))*(?:\*\))?|//[^\n]*)|(?P<s>\"(?:[^\"\\]|\\.)*\"?)",
    "markup": r"(?P<c><!--(?:[^-]|-(?!->))*(?:-->)?)",
    "style": rf"(?P<c>{_BLOCK}|(?<!:)//[^\n]*)|(?P<s>{_STRING})",
    "quote": r"(?P<c>(?:'|\bREM\b)[^\n]*)|(?P<s>\"[^\"\n]*\"?)",
    "vim": r"(?P<c>^[ \t]*\"[^\n]*)|(?P<s>'[^'\n]*'?)",
    "batch": r"(?P<c>^[ \t]*(?:::|@?rem\b)[^\n]*)|(?P<s>\"[^\"\n]*\"?)",
    "fortran": rf"(?P<c>![^\n]*)|(?P<s>{_STRING})",
}
COMMENTS_OF_STYLE = {
    name: lazy_pattern(pattern, re.MULTILINE | re.IGNORECASE) for name, pattern in _COMMENTS.items()
}

STYLE_OF = {
    language: style
    for style, languages in {
        "hash": "python ruby bash fish powershell elixir perl r julia nim crystal tcl make cmake"
        " dockerfile awk graphql nix",
        "slash": "javascript typescript tsx go rust java kotlin scala c cpp csharp swift zig dart groovy"
        " objc d solidity protobuf thrift glsl verilog v",
        "both": "php hcl",
        "dash": "sql haskell lua elm ada vhdl purescript",
        "semicolon": "lisp clojure assembly",
        "percent": "erlang",
        "paren": "ocaml fsharp pascal",
        "markup": "vue svelte",
        "style": "css",
        "quote": "visualbasic",
        "vim": "vim",
        "batch": "batch",
        "fortran": "fortran",
    }.items()
    for language in languages.split()
}

_MODIFIERS = (
    r"(?:(?:public|private|protected|internal|static|final|abstract|async|export|default|pub|override|virtual|local"
    r"|inline|extern|unsafe|const|open|sealed|data|partial|global|external|shared|pure|recursive|elemental"
    r"|class(?=\s+(?-i:func|var|function|procedure)\s))\s+){0,6}"  # of Swift and Pascal: of the class itself
)
DEFINITION = lazy_pattern(
    rf"^(?P<indent>[ \t]*){_MODIFIERS}"
    r"(?P<kind>def|defp|defmacro|defmodule|function|func|fn|fun|sub|proc|procedure|subroutine|method|macro|class"
    r"|interface|struct|structure|trait|enum|record|union|protocol|module|namespace|package|object|type|typedef"
    r"|mixin|extension|contract|library|event|message|service|impl|actor|template|let|val)"
    r"[ \t]+(?:rec[ \t]+)?(?P<name>(?!(?-i:func|var)\s)[A-Za-z_$][\w$:.'-]*)(?P<after>[^\n]{0,80})",
    re.MULTILINE | re.IGNORECASE,
)
KINDS = {
    **dict.fromkeys("def defp function func fn fun sub proc procedure subroutine".split(), "function"),
    "method": "method",
    "defmacro": "macro",
    "defmodule": "module",
    "structure": "struct",
    "typedef": "type",
}
_LISP = lazy_pattern(
    r"^(?P<indent>[ \t]*)\((?P<kind>def[\w*-]*|ns|define(?:-[\w-]+)?)[ \t]+\(?(?:\^\S+[ \t]+)?"
    r"(?P<name>[^\s()\[\]{}\"';]+)",
    re.MULTILINE,
)
_ERLANG = lazy_pattern(
    r"^(?P<indent>)(?:-(?P<kind>module|record|type|callback)\((?P<name>\w+)|(?P<name2>[a-z]\w*)\()",
    re.MULTILINE,
)
_SQL = lazy_pattern(
    r"^(?P<indent>[ \t]*)create\s+(?:or\s+(?:replace|alter)\s+)?(?:(?:temp|temporary|unlogged|external|unique|global"
    r"|local|materialized|recursive|transient|definer\s*=\s*\S+)\s+){0,4}(?P<kind>table|view|function|procedure|index"
    r"|trigger|type|schema|sequence|domain|extension|database|role|policy|package(?:\s+body)?|aggregate|macro)\s+"
    r"(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?(?P<name>[\w.\"`\[\]$]+)",
    re.MULTILINE | re.IGNORECASE,
)
_PROTOBUF = lazy_pattern(
    r"^(?P<indent>[ \t]*)(?:export[ \t]+|local[ \t]+)?(?P<kind>message|service|rpc|enum|oneof|extend|package|struct"
    r"|exception|union|interface|input|type|scalar|directive|query|mutation|fragment)[ \t]+(?P<name>[@.\w]+)",
    re.MULTILINE,
)
_HCL = lazy_pattern(
    r"^(?P<indent>[ \t]*)(?P<kind>resource|data|module|variable|output|provider|locals|terraform|block|check|job|group"
    r"|task|source|build)(?:[ \t]+\"(?P<first>[^\"\n]*)\")?(?:[ \t]+\"(?P<name>[^\"\n]*)\")?[ \t]*\{",
    re.MULTILINE,
)
_CSS = lazy_pattern(
    r"^(?P<indent>[ \t]*)(?:@(?P<kind>mixin|function|keyframes|layer|define-mixin)[ \t]+(?P<name>[\w-]+)"
    r"|(?P<name2>(?:--|[.#@$%])[A-Za-z_][\w-]*)(?=[^;{}\n]{0,200}[{,:]))",
    re.MULTILINE,
)
_MAKE = lazy_pattern(
    r"^(?P<indent>)(?:(?P<kind>define)[ \t]+)?(?P<name>[A-Za-z][\w./%-]*)[ \t]*(?:::?(?!=)|[:?+]?=)",
    re.MULTILINE,
)
_CMAKE = lazy_pattern(
    r"^(?P<indent>[ \t]*)(?P<kind>function|macro|add_library|add_executable|add_custom_target|option|project)"
    r"[ \t]*\([ \t\n]*(?P<name>[\w${}:.-]+)",
    re.MULTILINE | re.IGNORECASE,
)
_R = lazy_pattern(
    r"^(?P<indent>[ \t]*)(?P<name>[\w.]+)[ \t]*(?:<-|=)[ \t]*(?P<kind>function|R6Class|setClass)\b",
    re.MULTILINE,
)
_OBJC = lazy_pattern(
    r"^(?P<indent>)(?:@(?P<kind>interface|implementation|protocol)[ \t]+(?P<name>\w+)"
    r"|[-+][ \t]*\([^()\n]*\)[ \t]*(?P<name2>\w+))",
    re.MULTILINE,
)
# `Type name(arguments) {` at little indentation: functions of Dart, Groovy, D, Objective-C and other languages like C.
_C_LIKE = lazy_pattern(
    r"^(?P<indent>[ \t]{0,4})(?:[A-Za-z_][\w<>,.?*&\[\]]*[ \t]+){1,5}[*&]?(?P<name>[A-Za-z_]\w*)[ \t]*\([^;{}()\n]*\)"
    r"[^;{}()\n=]{0,60}\{",
    re.MULTILINE,
)
C_TYPES = lazy_pattern(
    r"^(?P<indent>[ \t]*)(?:(?:typedef[ \t]+)?(?P<kind>struct|union|enum(?:[ \t]+(?:class|struct))?|class|namespace)"
    r"[ \t]+"
    r"(?:\[\[\w+\]\][ \t]*)?(?:[A-Z][A-Z0-9_]+[ \t]+)?(?P<name>\w+)(?:[ \t]*\{|[ \t]+final\b|[ \t]*:|[ \t]*$)"
    r"|typedef\b[^;{}\n]{0,200}?\([ \t]*(?:\w+[ \t]*){0,2}\*[ \t]*(?P<name2>\w+)[ \t]*\)"
    r"|typedef\b[^;{}()\n]{1,200}?\b(?P<name3>\w+)[ \t]*;"
    r"|\}[ \t]*(?P<name4>\w+)[ \t]*;)",
    re.MULTILINE,
)
_KOTLIN = lazy_pattern(
    rf"^(?P<indent>[ \t]*)(?:@\w+(?:\([^()\n]*\))?[ \t]+)*{_MODIFIERS}"
    r"(?:(?:suspend|operator|infix|tailrec|actual|expect|inner|value"
    r"|enum|annotation|companion|fun(?=[ \t]+interface))[ \t]+){0,4}"
    r"(?P<kind>fun|class|interface|object|typealias)[ \t]+"
    r"(?:<[^<>\n]*>[ \t]*)?"
    r"(?:[\w.<>?*, ]{1,80}\.)?(?P<name>`[^`\n]+`|\w+)",
    re.MULTILINE,
)
_GO = lazy_pattern(
    r"^(?P<indent>)(?:(?P<kind>func)[ \t]+(?:\([^()\n]*\)[ \t]*)?(?P<name>\w+)"
    r"|type[ \t]+(?P<name2>\w+)[ \t]+(?:struct|interface|func)\b)",
    re.MULTILINE,
)
_LUA = lazy_pattern(
    r"^(?P<indent>[ \t]*)(?:local[ \t]+)?(?P<kind>function)[ \t]+(?:\w+[.:])*(?P<name>\w+)", re.MULTILINE
)
NO_NAMES = frozenset(
    "if for while switch catch return else new throw case do try with is of in the a an and".split()
)
UNNAMED_KINDS = {C_TYPES: "type", _CSS: "selector", _MAKE: "target"}  # of matches without a keyword
PATTERNS: dict[str, tuple[re.Pattern[str], ...]] = {
    **dict.fromkeys(("lisp", "clojure"), (_LISP,)),
    "erlang": (_ERLANG,),
    "sql": (_SQL,),
    **dict.fromkeys(("protobuf", "thrift", "graphql"), (_PROTOBUF,)),
    "hcl": (_HCL,),
    "css": (_CSS,),
    "make": (_MAKE,),
    "cmake": (_CMAKE,),
    "r": (_R, DEFINITION),
    "objc": (_OBJC, _C_LIKE),
    **dict.fromkeys(("dart", "groovy", "d", "java", "csharp"), (DEFINITION, _C_LIKE)),
    **dict.fromkeys(("c", "cpp", "glsl"), (C_TYPES, _C_LIKE)),
    "kotlin": (_KOTLIN,),
    "go": (_GO,),
    "lua": (_LUA,),
}
IMPORT = lazy_pattern(
    r"^[ \t]*(?:(?:import|from|use|using|require|require_relative|include|load|source|open|library|export|part)\b"
    r"|#[ \t]*(?:include|import)\b|@(?:import|use|forward)\b)[^\n]{1,300}",
    re.MULTILINE,
)
IMPORT_PATH = lazy_pattern(r"[\"'<]([^\"'<>\n]+)[\"'>]|\b([A-Za-z_][\w.:/\\-]*)\s*;?\s*$")
WITH_IMPORTS = frozenset(
    "protobuf thrift dart groovy objc d perl r julia nim crystal ocaml fsharp css elm purescript erlang clojure "
    "solidity make cmake v".split()
)
