"""Imports in a workspace: inside a repository as it resolves them alone, others in the repositories that offer it."""

from pathlib import Path

from tests.repositories import write
from zeroin.corpus.source import open_source
from zeroin.index.opening import open_index
from zeroin.workspace.names import Names
from zeroin.workspace.tree import Below, joined

WEB = {
    "pyproject.toml": "[project]\nname = 'web'\n",
    "web/app.py": "import os\nimport util\nfrom billing.money import total\nfrom . import views\n",
    "web/views.py": "x = 1\n",
    "util.py": "x = 1\n",
    "native/main.c": '#include "config.h"\n#include <ledger/book.h>\n',
    "config.h": "int x;\n",
    "ui/a.ts": 'import { b } from "@team/kit";\nimport { c } from "./c";\n',
    "ui/c.ts": "export const c = 1;\n",
    "cmd/main.go": 'package main\n\nimport "example.org/team/queue/jobs"\n\nfunc main() { jobs.Run() }\n',
    "go.mod": "module example.org/team/web\n",
    "src/main.rs": "use ledger::book;\n\nfn main() {}\n",
    "Cargo.toml": "[package]\nname = 'web'\n",
    "java/Shop.java": "package org.web;\n\nimport org.ledger.Book;\n\nclass Shop { Book book; }\n",
}
OTHER = {
    "pyproject.toml": "[project]\nname = 'billing'\n",
    "billing/__init__.py": "",
    "billing/money.py": "def total():\n    return 1\n",
    "util.py": "x = 2\n",
    "web/views.py": "x = 2\n",
    "include/ledger/book.h": "int y;\n",
    "config.h": "int y;\n",
    "kit/package.json": '{"name": "@team/kit", "main": "index.ts"}\n',
    "kit/index.ts": "export const b = 1;\n",
    "queue/go.mod": "module example.org/team/queue\n",
    "queue/jobs/run.go": "package jobs\n\nfunc Run() {}\n",
    "Cargo.toml": "[package]\nname = 'ledger'\n",
    "src/lib.rs": "pub mod book;\n",
    "src/book.rs": "pub fn x() {}\n",
    "java/Book.java": "package org.ledger;\n\npublic class Book {}\n",
}


def test_imports_lead_to_another_repository_only_where_the_own_has_nothing(tmp_path: Path) -> None:
    trees = [
        Below(f"{name}/", open_index(open_source(write(tmp_path / name, files))))
        for name, files in (("web", WEB), ("other", OTHER), ("copy", OTHER | {"util.py": "x = 3\n"}))
    ]
    assert inside(trees[:2]) == {
        ("web/web/app.py", "other/billing/money.py"),
        ("web/web/app.py", "web/util.py"),
        ("web/web/app.py", "web/web/views.py"),
        ("web/native/main.c", "web/config.h"),
        ("web/native/main.c", "other/include/ledger/book.h"),
        ("web/ui/a.ts", "other/kit/index.ts"),
        ("web/ui/a.ts", "web/ui/c.ts"),
        ("web/cmd/main.go", "other/queue/jobs/run.go"),
        ("web/src/main.rs", "other/src/book.rs"),
        ("web/java/Shop.java", "other/java/Book.java"),
        ("other/src/lib.rs", "other/src/book.rs"),
    }
    assert not {(a, b) for a, b in inside(trees[1:]) if a.split("/")[0] != b.split("/")[0]}


def inside(trees: list[Below]) -> set[tuple[str, str]]:
    """The import edges of trees as one."""
    opened = joined(trees, names=Names([tree.prefix[:-1] for tree in trees], lambda _: False), keep=False)
    snapshot, paths = opened.view.snapshot, opened.view.paths
    return {
        (paths[a], paths[b])
        for a, b in zip(snapshot.import_sources.tolist(), snapshot.import_targets.tolist(), strict=True)
    }
