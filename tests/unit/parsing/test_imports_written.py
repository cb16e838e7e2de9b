# ruff: noqa: E501 (sources as they stand)
"""Imports as they are written, before anything is resolved."""

import time

import pytest

from zeroin.parsing.analyse import analyse

CASES: list[tuple[str, str, list[tuple[str, tuple[str, ...]]]]] = [
    ("python", "import a.b as c, d\n", [("a.b", ()), ("d", ())]),
    ("python", "from ..a import (b as c,  # why\n  d)\n", [("..a", ("b", "d"))]),
    ("python", "from . import x\nfrom .importer import *\n", [(".", ("x",)), (".importer", ("*",))]),
    ("javascript", 'import d, {a as b, c} from "./m";\n', [("./m", ("default", "a", "c"))]),
    ("javascript", 'export * from "m";\nexport {a} from "n"\n', [("m", ("*",)), ("n", ("a",))]),
    ("javascript", 'const x = require("./y"); await import("z"); import "s.css";\n', [("./y", ()), ("z", ()), ("s.css", ())]),
    ("typescript", 'import type {T} from "@/t";\nimport fs = require("fs");\n', [("@/t", ("T",)), ("fs", ())]),
    ("tsx", 'import * as React from "react";\n', [("react", ("*",))]),
    ("go", 'package p\nimport (\n\tm "a/b"\n\t"c"\n)\n', [("a/b", ()), ("c", ())]),
    ("rust", "use a::{b, c::{d as e, self}};\nmod m;\nuse crate::x;\n",
     [("a::c", ("d", "self")), ("a", ("b",)), ("m", ("mod",)), ("crate", ("x",))]),
    ("rust", '#[cfg(x)]\n#[path = "a/b.rs"]\n// why\npub mod m;\n', [("a/b.rs", ("path",))]),
    ("rust", '#[cfg_attr(unix, path = "u.rs")]\n#[cfg_attr(windows, path = "w.rs")]\nmod m;\nmod n;\n',
     [("u.rs", ("path",)), ("w.rs", ("path",)), ("m", ("mod",)), ("n", ("mod",))]),
    ("java", "import a.B;\nimport a.*;\nimport static a.B.c;\n", [("a.B", ()), ("a", ("*",)), ("a.B", ("c",))]),
    ("kotlin", "package p\n\nimport a.B as C\nimport a.*\n", [("a.B", ()), ("a", ("*",))]),
    ("scala", "import a.{B, C => D, _}\nimport x.Y\n", [("a", ("B", "C", "*")), ("x.Y", ())]),
    ("c", '#include "a/b.h"\n#include <c.h>\n', [("a/b.h", ()), ("c.h", ("system",))]),
    ("csharp", "using A.B;\nusing static A.C;\nusing X = A.D;\n", [("A.B", ()), ("A.C", ("static",)), ("A.D", ("X",))]),
    ("ruby", "require 'a'\nrequire_relative \"b\"\nautoload :C, 'c'\n",
     [("a", ("require",)), ("b", ("require_relative",)), ("c", ("autoload",))]),
    ("php", "<?php\nuse A\\B as C;\nuse A\\{D, E};\nrequire_once 'x.php';\n",
     [("A\\B", ()), ("A\\D", ()), ("A\\E", ()), ("x.php", ("require",))]),
    ("elixir", "alias A.{B, C}\nuse D, x: 1\n", [("A.B", ("alias",)), ("A.C", ("alias",)), ("D", ("use",))]),
    ("swift", "import A\nimport struct B.C\n", [("A", ()), ("B.C", ())]),
    ("haskell", "module M where\nimport qualified A.B as C (d, E(..))\nimport F hiding (g)\n", [("A.B", ("d", "E")), ("F", ())]),
    ("lua", "local a = require('a.b')\nlocal c = require 'c'\n", [("a.b", ()), ("c", ())]),
    ("bash", "source ./a.sh\n. b.sh\n", [("./a.sh", ()), ("b.sh", ())]),
    ("zig", 'const a = @import("a.zig");\n', [("a.zig", ())]),
    ("vue", '<script>\nimport A from "./A.vue"\n</script>\n', [("./A.vue", ("default",))]),
    ("protobuf", 'import "a/b.proto";\n', [("a/b.proto", ())]),
    ("css", '@import "a.css";\n', [("a.css", ())]),
]  # fmt: skip


@pytest.mark.parametrize(("language", "source", "expected"), CASES)
def test_imports(language: str, source: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    assert [(i.module, i.names) for i in analyse(source.encode(), language).imports] == expected


def test_an_import_has_the_line_it_starts_on() -> None:
    facts = analyse(b"x = 1\n\nfrom a import (\n  b,\n)\n", "python")
    assert [i.line for i in facts.imports] == [3]


@pytest.mark.parametrize(
    ("language", "source", "module"),
    [
        ("java", f"import a{' ' * 3_000}.b;\nclass C {{}}\n", "a.b"),
        ("rust", f"use a{chr(10) * 30_000}::b;\n", "a"),
        ("rust", f"use a{'// x' + chr(10)}{'//' + chr(10) * 30_000}::b;\n", "a"),
    ],
)
def test_blanks_in_an_import_take_no_time(language: str, source: str, module: str) -> None:
    started = time.process_time()
    assert [i.module for i in analyse(source.encode(), language).imports] == [module]
    assert time.process_time() - started < 3
