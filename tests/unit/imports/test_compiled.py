"""Go, Rust, JVM languages, C and C++, C#, Zig."""


def test_go_modules_packages_and_replacements(resolved):
    edges = resolved(
        {
            "go.mod": "module example.com/app\n",
            "main.go": (
                'package main\n\nimport (\n\t"fmt"\n\t"example.com/app/auth"\n\t"example.com/dep/x"\n'
                '\t"example.com/app/none"\n)\n\nfunc main() { fmt.Println(auth.NewToken(), x.Run()) }\n'
            ),
            "auth/token.go": "package auth\n\nfunc NewToken() int { return 1 }\n",
            "auth/other.go": "package auth\n\nfunc Other() {}\n",
            "auth/token_test.go": "package auth\n",
            "third/dep/go.mod": "module example.com/dep\n",
            "third/dep/x/x.go": "package x\n\nfunc Run() int { return 2 }\n",
            "tools/go.mod": "module example.com/tools\n",
            "tools/gen/gen.go": 'package gen\n\nimport "example.com/app/auth"\n\nvar _ = auth.Other\n',
        }
    )
    assert edges["main.go"] == {"auth/token.go", "third/dep/x/x.go"}
    assert edges["tools/gen/gen.go"] == {"auth/other.go"}


def test_rust_crates_modules_and_inline_modules(resolved):
    edges = resolved(
        {
            "Cargo.toml": '[workspace]\nmembers = ["core", "cli"]\n',
            "core/Cargo.toml": '[package]\nname = "acme-core"\n',
            "core/src/lib.rs": "pub mod auth;\nmod store;\nmod gone;\npub use auth::token::Token;\n",
            "core/src/auth/mod.rs": "pub mod token;\nuse super::store::Store;\n",
            "core/src/auth/token.rs": (
                "use crate::store::{Store, self};\nuse std::fmt;\npub struct Token;\n"
                "#[cfg(test)]\nmod tests {\n    use super::*;\n    use super::super::token::Token;\n}\n"
            ),
            "core/src/store.rs": "use crate::auth::token::Token;\npub struct Store;\n",
            "cli/Cargo.toml": '[package]\nname = "cli"\n',
            "cli/src/main.rs": (
                "use acme_core::auth::token::Token;\nuse acme_core::store;\nuse serde::Serialize;\nmod args;\n"
            ),
            "cli/src/args.rs": "",
            "cli/tests/smoke.rs": "mod common;\nuse common::setup;\n",
            "cli/tests/common/mod.rs": "",
        }
    )
    assert edges["core/src/lib.rs"] == {"core/src/auth/mod.rs", "core/src/store.rs", "core/src/auth/token.rs"}
    assert edges["core/src/auth/mod.rs"] == {"core/src/auth/token.rs", "core/src/store.rs"}
    assert edges["core/src/auth/token.rs"] == {"core/src/store.rs"}
    assert edges["core/src/store.rs"] == {"core/src/auth/token.rs"}
    assert edges["cli/src/main.rs"] == {"core/src/auth/token.rs", "core/src/store.rs", "cli/src/args.rs"}
    assert edges["cli/tests/smoke.rs"] == {"cli/tests/common/mod.rs"}


def test_java_kotlin_and_scala_packages(resolved):
    edges = resolved(
        {
            "a/src/main/java/com/acme/auth/Token.java": (
                "package com.acme.auth;\npublic class Token { public static int life() { return 1; } }\n"
            ),
            "a/src/main/java/com/acme/auth/Store.java": "package com.acme.auth;\nclass Store {}\n",
            "a/src/main/java/com/acme/web/Page.java": (
                "package com.acme.web;\nimport com.acme.auth.Token;\nimport static com.acme.auth.Token.life;\n"
                "import java.util.List;\nimport com.acme.auth.Gone;\nclass Page {}\n"
            ),
            "a/src/main/java/com/acme/web/All.java": (
                "package com.acme.web;\nimport com.acme.auth.*;\nclass All { Store s; }\n"
            ),
            "k/src/Ext.kt": "package com.acme.ext\n\nfun shorten(x: String) = x\n",
            "k/src/Use.kt": (
                "package com.acme.app\n\nimport com.acme.ext.shorten\nimport com.acme.auth.Token\n\nfun f() = 1\n"
            ),
            "s/src/main/scala/Api.scala": (
                "package com.acme.api\n\nimport com.acme.auth.{Token, Store => S}\nimport model.Row\n\nobject Api\n"
            ),
            "s/src/main/scala/model/Row.scala": "package com.acme.api.model\n\ncase class Row(i: Int)\n",
        }
    )
    token, store = "a/src/main/java/com/acme/auth/Token.java", "a/src/main/java/com/acme/auth/Store.java"
    assert edges["a/src/main/java/com/acme/web/Page.java"] == {token}
    assert edges["a/src/main/java/com/acme/web/All.java"] == {store}
    assert edges["k/src/Use.kt"] == {"k/src/Ext.kt", token}
    assert edges["s/src/main/scala/Api.scala"] == {token, store, "s/src/main/scala/model/Row.scala"}


def test_includes_beside_below_roots_and_by_suffix(resolved):
    edges = resolved(
        {
            "src/main.c": '#include "util.h"\n#include "net/sock.h"\n#include <acme/api.h>\n#include <stdio.h>\n'
            '#include "../gone.h"\n#include <api_single.h>\n#include "made.h"\n',
            "src/util.h": "",
            "lib/net/sock.h": "",
            "other/util.h": "",
            "include/acme/api.h": "",
            "include/api_single.h": "",
            "compat/include/stdio.h": "",
            "src/made.h.in": "",
        }
    )
    assert edges["src/main.c"] == {
        "src/util.h", "lib/net/sock.h", "include/acme/api.h", "include/api_single.h", "src/made.h.in"
    }  # fmt: skip


def test_csharp_namespaces_choose_the_files_that_are_used(resolved):
    edges = resolved(
        {
            "Auth/Token.cs": "namespace Acme.Auth;\npublic class Token { }\n",
            "Auth/Store.cs": "namespace Acme.Auth { public class Store { } }\n",
            "Web/Page.cs": "using System;\nusing Acme.Auth;\nnamespace Acme.Web { class Page { Token t; } }\n",
            "Web/Static.cs": "using static Acme.Auth.Store;\nnamespace Acme.Web { class S { } }\n",
        }
    )
    assert edges["Web/Page.cs"] == {"Auth/Token.cs"}
    assert edges["Web/Static.cs"] == {"Auth/Store.cs"}


def test_zig_files_and_modules_by_their_name(resolved):
    edges = resolved(
        {
            "src/acme.zig": (
                'const std = @import("std");\nconst x = @import("inner/x.zig");\nconst g = @import("g.zig");\n'
            ),
            "src/inner/x.zig": 'const acme = @import("acme");\n',
        }
    )
    assert edges == {"src/acme.zig": {"src/inner/x.zig"}, "src/inner/x.zig": {"src/acme.zig"}}
