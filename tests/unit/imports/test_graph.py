"""The graph itself: order, forms of imports that are tolerated, hostile configuration."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroin.imports.graph import is_import_config, resolve_imports
from zeroin.imports.readconfig import read_json, read_toml
from zeroin.imports.tree import Tree
from zeroin.tree import Definition, Import


def edges(languages, imports, definitions=None, data=None, docs=None):
    """The edges of a tree: languages by path, imports and definitions by document; all configuration holds `data`."""
    tree = Tree(
        list(languages), list(languages.values()), lambda doc: (definitions or {}).get(doc, ()), lambda path: data
    )
    sources, targets = resolve_imports(tree, lambda doc: imports.get(doc, ()), docs)
    assert sources.dtype == targets.dtype == np.int32
    return list(zip(sources.tolist(), targets.tolist(), strict=True))


def test_edges_are_sorted_unique_and_never_to_oneself():
    written = (Import("c", (), 9), Import("a", (), 4), Import("a", ("x",), 2), Import("b", (), 1))
    assert edges(dict.fromkeys(("a.py", "b.py", "c.py"), "python"), {1: written}) == [(1, 0), (1, 2)]


@pytest.mark.parametrize(
    ("language", "paths", "definitions", "imported"),
    [
        ("rust", ["src/lib.rs", "src/a/b.rs"], {}, Import("crate::a::b", ("C",), 1)),
        ("rust", ["src/lib.rs", "src/test.rs"], {}, Import("test", ("mod",), 1)),
        ("rust", ["src/lib.rs", "src/odd/x.rs"], {}, Import("odd/x.rs", ("path",), 1)),
        ("java", ["U.java", "x/C.java"], {1: [("x.y", "package")]}, Import("x.y.C.d", ("static",), 1)),
        ("python", ["u.py", "p/m.py"], {}, Import("p.m.C", (), 1)),
        ("c", ["u.c", "x/y.h"], {}, Import("x\\y.h", (), 1)),
        ("css", ["a.scss", "parts/_b.css"], {}, Import("parts/b", (), 1)),
        ("protobuf", ["a.proto", "proto/x/b.proto"], {}, Import("x/b.proto", (), 1)),
        ("elixir", ["u.ex", "lib/plug/debug_it.ex"], {}, Import("Plug.DebugIt", (), 1)),
        ("elixir", ["u.ex", "b.ex"], {0: [("A", "module")], 1: [("A.B", "module")]}, Import("__MODULE__.B", (), 1)),
        ("go", ["u.go", "vendor/x.org/p/p.go"], {}, Import("x.org/p", (), 1)),
        ("go", ["u.go", "p/p.go"], {}, Import("github.com/o/n/p", (), 1)),
    ],
)
def test_forms_of_imports(language, paths, definitions, imported):
    known = {doc: [Definition(n, k, 1, 9) for n, k in found] for doc, found in definitions.items()}
    assert edges(dict.fromkeys(paths, language), {0: [imported]}, known) == [(0, 1)]


def test_languages_without_imports_of_files_are_left_out():
    assert not edges({"a.swift": "swift"}, {0: [Import("Foundation", (), 1)]})


def test_what_an_import_means_does_not_depend_on_who_asked_first():
    """A file that means another one of its own name does not hide itself from its neighbours."""
    lua = dict.fromkeys(("lib/util.lua", "lib/zebra.lua", "other/lib/util.lua"), "lua")
    imports = dict.fromkeys((0, 1), (Import("util", (), 1),))
    assert edges(lua, imports) == [(0, 2), (1, 0)]
    assert edges(lua, imports, docs=[1]) == [(1, 0)]


def test_package_fan_out_is_bounded():
    go = dict.fromkeys(("u.go", *(f"p/f{i}.go" for i in range(40))), "go")
    found = edges({**go, "go.mod": "text"}, {0: [Import("m/p", (), 1)]}, data=b"module m\n")
    assert len(found) == 8


HOSTILE = [
    b"", b"[1, 2]", b"null", b"{", b"\xff\xfe\x00", b"[" * 200_000, b'{"a":' * 100_000, b'"' * 99_999,
    b'{"compilerOptions": {"paths": {"*": 5, "a": [1, {}]}, "baseUrl": 7}, "extends": {"x": 1}}',
    b'{"name": 5, "exports": [[[[[[[[[[["x"]]]]]]]]]]], "imports": {"#a": {"b": null}}, "main": []}',
    b'{"extends": "./tsconfig.json", "name": "../../..", "main": "../../../../etc/passwd"}',
    b"package = 5\n[lib]\npath = 5\n", b'[package]\nname = "x"\n',
    b"module ../../..\n", b"/*" * 100_000, b"{," + b" " * 100_000,
]  # fmt: skip
CONFIGS = ["package.json", "tsconfig.json", "go.mod", "Cargo.toml"]


@pytest.mark.parametrize("data", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_configuration_is_ignored(data):
    files = {"src/a.ts": "typescript", "src/b.ts": "typescript", "a.go": "go", "src/lib.rs": "rust"}
    written = [Import("./b", (), 1), Import("x/y", (), 2), Import("#a", (), 3), Import("x::y", (), 4)]
    found = edges(files | dict.fromkeys(CONFIGS, "json"), dict.fromkeys(range(4), written), data=data)
    assert (0, 1) in found


def test_json_with_comments_keeps_strings_whole():
    assert read_json(b'\xef\xbb\xbf{"a": "// no /* comment, ]", // yes\n "b": [1, 2,], /* x */ }') == {
        "a": "// no /* comment, ]",
        "b": [1, 2],
    }
    assert read_json(None) == {}
    assert read_toml(None) == {}


@given(
    st.lists(st.text(alphabet="ab./\\:*#@~$-_ {}\n\x00é", max_size=12), max_size=6),
    st.sampled_from(
        "python typescript go rust java kotlin scala c ruby php csharp elixir haskell lua bash zig css".split()
    ),
)
def test_no_import_raises_or_leaves_the_repository(modules, language):
    paths = ["a/b.py", "a/index.ts", "a/__init__.py", "b.rs", "src/lib.rs", "a/b.lua", "a.h", "package.json"]
    every = range(len(paths))
    imports = dict.fromkeys(every, tuple(Import(module, ("a",), 1) for module in modules))
    definitions = dict.fromkeys(every, (Definition("a.b", "package", 1, 2), Definition("a", "class", 1, 2)))
    found = edges(dict.fromkeys(paths, language), imports, definitions, b"{}")
    assert all(target in every for _, target in found)


def test_configuration_files_are_told_by_name():
    assert is_import_config("a/tsconfig.app.json")
    assert is_import_config("go.mod")
    assert not is_import_config("src/package.jsonc")
