# ruff: noqa: E501 (sources as they stand)
"""What the imports of each language resolve to, in small repositories."""

import json
import time
from functools import reduce

import pytest

from zeroin.corpus.languages import language_of
from zeroin.imports.graph import resolve_imports
from zeroin.imports.tree import Tree
from zeroin.parsing.analyse import analyse

# what is shown → files by path, and imported paths by importing path
CASES: dict[str, tuple[dict[str, str], dict[str, set[str]]]] = {
    "submodules are meant before the package itself": ({
        "app/__init__.py": "",
        "app/core/__init__.py": "from .tokens import Token\n",
        "app/core/tokens.py": "class Token: ...\n",
        "app/core/store.py": "",
        "app/main.py": "from app.core import store, Token\nimport app.core.tokens as t\n",
        "app/web/__init__.py": "",
        "app/web/views.py": "from ..core.tokens import Token\nfrom . import forms\nfrom .gone import x\n",
        "app/web/forms.py": "import os\nimport requests\n",
    }, {
        "app/core/__init__.py": {"app/core/tokens.py"},
        "app/main.py": {"app/core/__init__.py", "app/core/store.py", "app/core/tokens.py"},
        "app/web/views.py": {"app/core/tokens.py", "app/web/forms.py"},
    }),
    "several roots and src layouts": ({
        "pyproject.toml": "",
        "src/alpha/__init__.py": "",
        "src/alpha/one.py": "import beta.two\n",
        "plugins/beta/pyproject.toml": "",
        "plugins/beta/src/beta/__init__.py": "",
        "plugins/beta/src/beta/two.py": "from alpha.one import f\nfrom alpha.absent import g\n",
        "tests/test_one.py": "from alpha import one\nimport helpers\n",
        "tests/helpers.py": "",
    }, {
        "plugins/beta/src/beta/two.py": {"src/alpha/one.py"},
        "src/alpha/one.py": {"plugins/beta/src/beta/two.py"},
        "tests/test_one.py": {"src/alpha/one.py", "tests/helpers.py"},
    }),
    "namespace packages without an init": ({
        "setup.py": "",
        "src/acme/auth/tokens.py": "",
        "src/acme/api/server.py": "from acme.auth import tokens\nfrom acme.auth.tokens import T\n",
    }, {
        "src/acme/api/server.py": {"src/acme/auth/tokens.py"},
    }),
    "fixtures and standard names are not taken for ours": ({
        "app/__init__.py": "",
        "app/main.py": "import logging\nimport yaml\nimport types\n",
        "tests/fixtures/yaml/__init__.py": "",
        "typeshed/stdlib/logging/__init__.pyi": "",
        "scripts/types.py": "",
    }, {
    }),
    "too many dots are missing and nothing breaks": ({
        "a.py": "from ....b import c\nfrom . import b\n",
        "b.py": "",
    }, {
        "a.py": {"b.py"},
    }),
    "relative files extensions and indexes": ({
        "src/a.ts": "import {B} from './b'\nimport c from './c.js'\nexport * from './dir'\nimport data from './data.json'\nconst e = require('../legacy')\nimport './gone'\nimport React from 'react'\nimport fs from 'node:fs'\n",
        "src/b.tsx": "import V from './View.vue'\n",
        "src/c.ts": "",
        "src/dir/index.ts": "import '..'\n",
        "src/index.ts": "",
        "src/data.json": "{}",
        "src/View.vue": "<script setup lang='ts'>\nimport { c } from './c'\n</script>\n",
        "legacy/package.json": '{"main": "lib/main.js"}',
        "legacy/lib/main.js": "",
    }, {
        "src/View.vue": {"src/c.ts"},
        "src/a.ts": {"legacy/lib/main.js", "src/b.tsx", "src/c.ts", "src/data.json", "src/dir/index.ts"},
        "src/b.tsx": {"src/View.vue"},
        "src/dir/index.ts": {"src/index.ts"},
    }),
    "tsconfig paths with comments and extends": ({
        "tsconfig.base.json": '{ // shared\n"compilerOptions": {"baseUrl": ".", "paths": {"@app/*": ["packages/app/src/*",], "@exact": ["packages/app/src/exact.ts"]}, }, }',
        "packages/web/tsconfig.json": '{"extends": "../../tsconfig.base", /* x */ "include": ["**/*"]}',
        "packages/web/src/page.ts": "import {t} from '@app/tokens'\nimport '@exact'\nimport {n} from '@app/none'\nimport x from 'packages/app/src/tokens'\n",
        "packages/app/src/tokens.ts": "",
        "packages/app/src/exact.ts": "",
    }, {
        "packages/web/src/page.ts": {"packages/app/src/exact.ts", "packages/app/src/tokens.ts"},
    }),
    "workspace packages exports and private imports": ({
        "packages/core/package.json": '{"name": "@acme/core", "exports": {".": {"types": "./dist/index.d.ts", "import": "./dist/index.mjs"}, "./util/*": "./dist/util/*.js", "./server": {"node": {"import": "./dist/server/index.js"}}}, "imports": {"#inner/*": "./src/inner/*.ts"}}',
        "packages/core/src/index.ts": "import {s} from '#inner/secret'\n",
        "packages/core/src/inner/secret.ts": "",
        "packages/core/src/util/time.ts": "",
        "packages/core/src/server/index.ts": "",
        "packages/plain/package.json": '{"name": "plain"}',
        "packages/plain/index.js": "",
        "packages/plain/deep/file.js": "",
        "apps/web/main.ts": "import '@acme/core'\nimport '@acme/core/util/time'\nimport '@acme/core/server'\nimport 'plain'\nimport 'plain/deep/file'\nimport '@acme/core/never'\nimport '@other/core'\n",
    }, {
        "apps/web/main.ts": {"packages/core/src/index.ts", "packages/core/src/server/index.ts", "packages/core/src/util/time.ts", "packages/plain/deep/file.js", "packages/plain/index.js"},
        "packages/core/src/index.ts": {"packages/core/src/inner/secret.ts"},
    }),
    "usual aliases without configuration": ({
        "ui/package.json": "{}",
        "ui/src/views/Home.vue": "<script>\nimport api from '@/services/api'\n</script>\n",
        "ui/src/services/api.js": "",
        "kit/package.json": "{}",
        "kit/src/routes/page.svelte": "<script>\nimport { x } from '$lib/x'\n</script>\n",
        "kit/src/lib/x.ts": "",
    }, {
        "kit/src/routes/page.svelte": {"kit/src/lib/x.ts"},
        "ui/src/views/Home.vue": {"ui/src/services/api.js"},
    }),
    "go modules packages and replacements": ({
        "go.mod": "module example.com/app\n",
        "main.go": 'package main\n\nimport (\n\t"fmt"\n\t"example.com/app/auth"\n\t"example.com/dep/x"\n\t"example.com/app/none"\n)\n\nfunc main() { fmt.Println(auth.NewToken(), x.Run()) }\n',
        "auth/token.go": "package auth\n\nfunc NewToken() int { return 1 }\n",
        "auth/other.go": "package auth\n\nfunc Other() {}\n",
        "auth/token_test.go": "package auth\n",
        "third/dep/go.mod": "module example.com/dep\n",
        "third/dep/x/x.go": "package x\n\nfunc Run() int { return 2 }\n",
        "tools/go.mod": "module example.com/tools\n",
        "tools/gen/gen.go": 'package gen\n\nimport "example.com/app/auth"\n\nvar _ = auth.Other\n',
    }, {
        "main.go": {"auth/token.go", "third/dep/x/x.go"},
        "tools/gen/gen.go": {"auth/other.go"},
    }),
    "a go module that another one stands for": ({
        "go.mod": "module example.com/app\n\nreplace example.com/lib v1.2.3 => ./third/lib\nreplace (\n\texample.com/out => ../out\n\texample.com/x => ./x\n)\n",
        "main.go": 'package main\n\nimport (\n\t"example.com/lib/y"\n\t"example.com/out/z"\n\t"example.com/x"\n)\n',
        "third/lib/go.mod": "module example.com/fork/lib\n",
        "third/lib/y/y.go": "package y\n\nfunc Y() {}\n",
        "x/x.go": "package x\n\nfunc X() {}\n",
    }, {"main.go": {"third/lib/y/y.go", "x/x.go"}}),
    "shell paths behind what a command says": ({
        "a/run.sh": 'source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/lib/u.sh"\n. `dirname $0`/lib/v.sh\nsource "$(dirname "$0")"/../w.sh\n. "$FILE"\n',
        "a.sh": "", "a/lib/u.sh": "", "a/lib/v.sh": "", "w.sh": "",
    }, {"a/run.sh": {"a/lib/u.sh", "a/lib/v.sh", "w.sh"}}),
    "partial style sheets": ({
        "s/main.scss": '@use "abstracts";\n@use "base/reset" as r;\n@use "sass:math";\n@forward "deep/thing";\n',
        "s/abstracts/_index.scss": "", "s/base/_reset.scss": "", "s/deep/thing.scss": "", "s/math.scss": "",
        "s/a.less": '@import "b";\n', "s/b.less": "",
    }, {"s/main.scss": {"s/abstracts/_index.scss", "s/base/_reset.scss", "s/deep/thing.scss"}, "s/a.less": {"s/b.less"}}),
    "what a zig file embeds": ({
        "src/main.zig": 'const t = @embedFile("data.txt");\n', "src/data.txt": "",
    }, {"src/main.zig": {"src/data.txt"}}),
    "rust crates modules and inline modules": ({
        "Cargo.toml": '[workspace]\nmembers = ["core", "cli"]\n',
        "core/Cargo.toml": '[package]\nname = "acme-core"\n',
        "core/src/lib.rs": "pub mod auth;\nmod store;\nmod gone;\n#[path = \"os/unix.rs\"]\nmod os;\npub use auth::token::Token;\n",
        "core/src/auth/mod.rs": "pub mod token;\nuse super::store::Store;\n",
        "core/src/auth/token.rs": "use crate::store::{Store, self};\nuse std::fmt;\npub struct Token;\n#[cfg(test)]\nmod tests {\n    use super::*;\n    use super::super::token::Token;\n}\n",
        "core/src/store.rs": "use crate::auth::token::Token;\npub struct Store;\n",
        "core/src/os/unix.rs": "",
        "cli/Cargo.toml": '[package]\nname = "cli"\n',
        "cli/src/main.rs": "use acme_core::auth::token::Token;\nuse acme_core::store;\nuse serde::Serialize;\nmod args;\n",
        "cli/src/args.rs": "",
        "cli/tests/smoke.rs": "mod common;\nuse common::setup;\n",
        "cli/tests/common/mod.rs": "",
    }, {
        "cli/src/main.rs": {"cli/src/args.rs", "core/src/auth/token.rs", "core/src/store.rs"},
        "cli/tests/smoke.rs": {"cli/tests/common/mod.rs"},
        "core/src/auth/mod.rs": {"core/src/auth/token.rs", "core/src/store.rs"},
        "core/src/auth/token.rs": {"core/src/store.rs"},
        "core/src/lib.rs": {"core/src/auth/mod.rs", "core/src/auth/token.rs", "core/src/os/unix.rs", "core/src/store.rs"},
        "core/src/store.rs": {"core/src/auth/token.rs"},
    }),
    "java kotlin and scala packages": ({
        "a/src/main/java/com/acme/auth/Token.java": "package com.acme.auth;\npublic class Token { public static int life() { return 1; } }\n",
        "a/src/main/java/com/acme/auth/Store.java": "package com.acme.auth;\nclass Store {}\n",
        "a/src/main/java/com/acme/web/Page.java": "package com.acme.web;\nimport com.acme.auth.Token;\nimport static com.acme.auth.Token.life;\nimport java.util.List;\nimport com.acme.auth.Gone;\nclass Page {}\n",
        "a/src/main/java/com/acme/web/All.java": "package com.acme.web;\nimport com.acme.auth.*;\nclass All { Store s; }\n",
        "k/src/Ext.kt": "package com.acme.ext\n\nfun shorten(x: String) = x\n",
        "k/src/Use.kt": "package com.acme.app\n\nimport com.acme.ext.shorten\nimport com.acme.auth.Token\n\nfun f() = 1\n",
        "s/src/main/scala/Api.scala": "package com.acme.api\n\nimport com.acme.auth.{Token, Store => S}\nimport model.Row\n\nobject Api\n",
        "s/src/main/scala/model/Row.scala": "package com.acme.api.model\n\ncase class Row(i: Int)\n",
    }, {
        "a/src/main/java/com/acme/web/All.java": {"a/src/main/java/com/acme/auth/Store.java"},
        "a/src/main/java/com/acme/web/Page.java": {"a/src/main/java/com/acme/auth/Token.java"},
        "k/src/Use.kt": {"a/src/main/java/com/acme/auth/Token.java", "k/src/Ext.kt"},
        "s/src/main/scala/Api.scala": {"a/src/main/java/com/acme/auth/Store.java", "a/src/main/java/com/acme/auth/Token.java", "s/src/main/scala/model/Row.scala"},
    }),
    "includes beside below roots and by suffix": ({
        "src/main.c": '#include "util.h"\n#include "net/sock.h"\n#include <acme/api.h>\n#include <stdio.h>\n#include "../gone.h"\n#include <api_single.h>\n#include "made.h"\n',
        "src/util.h": "",
        "lib/net/sock.h": "",
        "other/util.h": "",
        "include/acme/api.h": "",
        "include/api_single.h": "",
        "compat/include/stdio.h": "",
        "src/made.h.in": "",
    }, {
        "src/main.c": {"include/acme/api.h", "include/api_single.h", "lib/net/sock.h", "src/made.h.in", "src/util.h"},
    }),
    "csharp namespaces choose the files that are used": ({
        "Auth/Token.cs": "namespace Acme.Auth;\npublic class Token { }\n",
        "Auth/Store.cs": "namespace Acme.Auth { public class Store { } }\n",
        "Web/Page.cs": "using System;\nusing Acme.Auth;\nnamespace Acme.Web { class Page { Token t; } }\n",
        "Web/Static.cs": "using static Acme.Auth.Store;\nnamespace Acme.Web { class S { } }\n",
    }, {
        "Web/Page.cs": {"Auth/Token.cs"},
        "Web/Static.cs": {"Auth/Store.cs"},
    }),
    "zig files and modules by their name": ({
        "src/acme.zig": 'const std = @import("std");\nconst x = @import("inner/x.zig");\nconst g = @import("g.zig");\n',
        "src/inner/x.zig": 'const acme = @import("acme");\n',
    }, {
        "src/acme.zig": {"src/inner/x.zig"},
        "src/inner/x.zig": {"src/acme.zig"},
    }),
    "ruby require forms": ({
        "lib/acme.rb": "require 'acme/token'\nrequire 'json'\nautoload :Store, 'acme/store'\nrequire 'acme/gone'\n",
        "lib/acme/token.rb": "require_relative 'store'\n",
        "lib/acme/store.rb": "",
        "spec/token_spec.rb": "require 'spec_helper'\nrequire_relative '../lib/acme/token'\n",
        "spec/spec_helper.rb": "",
    }, {
        "lib/acme.rb": {"lib/acme/store.rb", "lib/acme/token.rb"},
        "lib/acme/token.rb": {"lib/acme/store.rb"},
        "spec/token_spec.rb": {"lib/acme/token.rb", "spec/spec_helper.rb"},
    }),
    "php namespaces and require": ({
        "src/Auth/Token.php": "<?php\nnamespace Acme\\Auth;\n\nclass Token {}\n",
        "src/Web/Page.php": "<?php\nnamespace Acme\\Web;\n\nuse Acme\\Auth\\Token;\nuse Acme\\Auth\\Gone;\nuse Psr\\Log\\X;\nrequire_once __DIR__ . '/boot.php';\n\nclass Page {}\n",
        "src/Web/boot.php": "<?php\n",
        "tests/PageTest.php": "<?php\nnamespace T;\nuse Acme\\Web\\{Page};\n\nclass PageTest {}\n",
    }, {
        "src/Web/Page.php": {"src/Auth/Token.php", "src/Web/boot.php"},
        "tests/PageTest.php": {"src/Web/Page.php"},
    }),
    "elixir modules and groups": ({
        "lib/acme/token.ex": "defmodule Acme.Token do\n  defmodule Claims do\n  end\nend\n",
        "lib/acme/store.ex": "defmodule Acme.Store do\n  use GenServer\n  alias Acme.Token.Claims\nend\n",
        "lib/acme_web/page.ex": "defmodule AcmeWeb.Page do\n  alias Acme.{Token, Store}\n  import Acme.Token.Gone\nend\n",
    }, {
        "lib/acme/store.ex": {"lib/acme/token.ex"},
        "lib/acme_web/page.ex": {"lib/acme/store.ex", "lib/acme/token.ex"},
    }),
    "haskell module paths": ({
        "src/Acme/Token.hs": "module Acme.Token (Token) where\nimport qualified Data.Map as M\n",
        "app/Main.hs": "module Main where\nimport Acme.Token (Token)\nimport Acme.Gone\n",
    }, {
        "app/Main.hs": {"src/Acme/Token.hs"},
    }),
    "lua and bash paths": ({
        "lua/acme/init.lua": "local t = require('acme.token')\nlocal u = require 'acme.util'\n",
        "lua/acme/token.lua": "require('plenary.job')\nrequire('acme.gone')\n",
        "lua/acme/util/init.lua": "local a = require('acme')\n",
        "bin/run.sh": '#!/bin/bash\nsource "$DIR/../lib/log.sh"\n. ./env.sh\nsource /etc/profile\n',
        "bin/env.sh": "",
        "lib/log.sh": "",
    }, {
        "bin/run.sh": {"bin/env.sh", "lib/log.sh"},
        "lua/acme/init.lua": {"lua/acme/token.lua", "lua/acme/util/init.lua"},
        "lua/acme/util/init.lua": {"lua/acme/init.lua"},
    }),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_imports_resolve(case: str) -> None:
    files, expected = CASES[case]
    assert resolved(files) == expected


def resolved(files: dict[str, str]) -> dict[str, set[str]]:
    paths = sorted(files)
    facts = [analyse(files[path].encode(), language_of(path)) for path in paths]
    tree = Tree(
        paths,
        [fact.language for fact in facts],
        lambda doc: facts[doc].definitions,
        lambda path: files[path].encode() if path in files else None,
        lambda doc: facts[doc].names,
    )
    edges: dict[str, set[str]] = {}
    for source, target in zip(*resolve_imports(tree, lambda doc: facts[doc].imports), strict=True):
        edges.setdefault(paths[source], set()).add(paths[target])
    return edges


LONG = ".".join("a" * 140)
TARGETS = reduce(lambda inner, _: [inner] * 16, range(4), "x")
DEEP = "d/" * 1_000
# what there is much of → files, and imported paths
MUCH: dict[str, tuple[dict[str, str], dict[str, set[str]]]] = {
    "packages of one name, each used beside it": (
        {f"s{i}/a.py": "from common import x\n" for i in range(2_000)} | {f"s{i}/common/__init__.py": "" for i in range(2_000)},
        {f"s{i}/a.py": {f"s{i}/common/__init__.py"} for i in range(2_000)},
    ),
    "packages of one name, none of which has the module": (
        {f"s{i}/a.py": "import common.missing\n" for i in range(2_000)} | {f"t{i}/common/__init__.py": "" for i in range(2_000)}
        | {"one/common/missing.py": ""},
        {},
    ),
    "inline modules": (
        {"src/lib.rs": "".join(f"mod a{i} {{\n  use super::b;\n}}\n" for i in range(6_000)) + "mod b;\n", "src/b.rs": ""},
        {"src/lib.rs": {"src/b.rs"}},
    ),
    "inline modules in one another": (
        {"src/lib.rs": "mod m {\n" * 400 + "".join(f"use self::a{i};\n" for i in range(5_000)) + "}\n" * 400}, {},
    ),
    "headers of one name, none beside the files that include them": (
        {f"m{i}/src/a.c": f'#include "util.h"\n#include "m{i}/inc/util.h"\n#include "x{i}/util.h"\n' for i in range(2_000)}
        | {f"m{i}/inc/util.h": "" for i in range(2_000)},
        {f"m{i}/src/a.c": {f"m{i}/inc/util.h"} for i in range(2_000)},
    ),
    "folders around a header": (
        {f"{DEEP}f{i}/a.h": "" for i in range(600)} | {"m.c": '#include "b/a.h"\n#include "a.h"\n'}, {"m.c": {f"{DEEP}f0/a.h"}},
    ),
    "targets of a package": (
        {"p/package.json": json.dumps({"name": "p", "exports": TARGETS})} | {f"s{i}/a.js": "import 'p'\n" for i in range(9)}, {},
    ),
    "configurations of a folder": (
        {f"t/tsconfig.{i}.json": '{"compilerOptions": {"baseUrl": "."}}' for i in range(500)}
        | {"t/a.ts": "".join(f"import 'm{i}'\n" for i in range(500))},
        {},
    ),
    "parts of a name": ({"A.scala": f"package {LONG}\n" + "".join(f"import b{i}.{LONG}\n" for i in range(300))}, {}),
    "parts of a key": ({"Cargo.toml": '"=".' + "a." * 30_000 + "a = 1\n", "src/lib.rs": "use b::c;\n"}, {}),
}  # fmt: skip


@pytest.mark.parametrize("case", MUCH)
def test_much_of_a_kind_takes_linear_time(case: str) -> None:
    files, imported = MUCH[case]
    started = time.process_time()
    assert resolved(files) == imported
    assert time.process_time() - started < 6
