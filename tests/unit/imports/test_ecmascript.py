"""JavaScript and TypeScript: relative files, tsconfig, workspaces, exports, aliases."""


def test_relative_files_extensions_and_indexes(resolved):
    edges = resolved(
        {
            "src/a.ts": (
                "import {B} from './b'\nimport c from './c.js'\nexport * from './dir'\n"
                "import data from './data.json'\nconst e = require('../legacy')\nimport './gone'\n"
                "import React from 'react'\nimport fs from 'node:fs'\n"
            ),
            "src/b.tsx": "import V from './View.vue'\n",
            "src/c.ts": "",
            "src/dir/index.ts": "import '..'\n",
            "src/index.ts": "",
            "src/data.json": "{}",
            "src/View.vue": "<script setup lang='ts'>\nimport { c } from './c'\n</script>\n",
            "legacy/package.json": '{"main": "lib/main.js"}',
            "legacy/lib/main.js": "",
        }
    )
    assert edges["src/a.ts"] == {
        "src/b.tsx", "src/c.ts", "src/dir/index.ts", "src/data.json", "legacy/lib/main.js"
    }  # fmt: skip
    assert edges["src/b.tsx"] == {"src/View.vue"}
    assert edges["src/View.vue"] == {"src/c.ts"}
    assert edges["src/dir/index.ts"] == {"src/index.ts"}


def test_tsconfig_paths_with_comments_and_extends(resolved):
    edges = resolved(
        {
            "tsconfig.base.json": (
                '{ // shared\n"compilerOptions": {"baseUrl": ".", "paths": {"@app/*": ["packages/app/src/*",],'
                ' "@exact": ["packages/app/src/exact.ts"]}, }, }'
            ),
            "packages/web/tsconfig.json": '{"extends": "../../tsconfig.base", /* x */ "include": ["**/*"]}',
            "packages/web/src/page.ts": (
                "import {t} from '@app/tokens'\nimport '@exact'\nimport {n} from '@app/none'\n"
                "import x from 'packages/app/src/tokens'\n"
            ),
            "packages/app/src/tokens.ts": "",
            "packages/app/src/exact.ts": "",
        }
    )
    assert edges["packages/web/src/page.ts"] == {"packages/app/src/tokens.ts", "packages/app/src/exact.ts"}


def test_workspace_packages_exports_and_private_imports(resolved):
    edges = resolved(
        {
            "packages/core/package.json": (
                '{"name": "@acme/core", "exports": {".": {"types": "./dist/index.d.ts", "import": "./dist/index.mjs"},'
                ' "./util/*": "./dist/util/*.js", "./server": {"node": {"import": "./dist/server/index.js"}}},'
                ' "imports": {"#inner/*": "./src/inner/*.ts"}}'
            ),
            "packages/core/src/index.ts": "import {s} from '#inner/secret'\n",
            "packages/core/src/inner/secret.ts": "",
            "packages/core/src/util/time.ts": "",
            "packages/core/src/server/index.ts": "",
            "packages/plain/package.json": '{"name": "plain"}',
            "packages/plain/index.js": "",
            "packages/plain/deep/file.js": "",
            "apps/web/main.ts": (
                "import '@acme/core'\nimport '@acme/core/util/time'\nimport '@acme/core/server'\n"
                "import 'plain'\nimport 'plain/deep/file'\nimport '@acme/core/never'\nimport '@other/core'\n"
            ),
        }
    )
    assert edges["apps/web/main.ts"] == {
        "packages/core/src/index.ts",
        "packages/core/src/util/time.ts",
        "packages/core/src/server/index.ts",
        "packages/plain/index.js",
        "packages/plain/deep/file.js",
    }
    assert edges["packages/core/src/index.ts"] == {"packages/core/src/inner/secret.ts"}


def test_usual_aliases_without_configuration(resolved):
    edges = resolved(
        {
            "ui/package.json": "{}",
            "ui/src/views/Home.vue": "<script>\nimport api from '@/services/api'\n</script>\n",
            "ui/src/services/api.js": "",
            "kit/package.json": "{}",
            "kit/src/routes/page.svelte": "<script>\nimport { x } from '$lib/x'\n</script>\n",
            "kit/src/lib/x.ts": "",
        }
    )
    assert edges["ui/src/views/Home.vue"] == {"ui/src/services/api.js"}
    assert edges["kit/src/routes/page.svelte"] == {"kit/src/lib/x.ts"}
