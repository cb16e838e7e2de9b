"""After an edit: the snapshot that is made of the last one is, byte by byte, the one assembled from nothing."""

import random
import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import zeroin
from tests.repositories import git, repository
from zeroin.corpus.source import open_source
from zeroin.index import arrays, assembling, intake, join
from zeroin.index.opening import Opened, open_index
from zeroin.index.snapshot import Snapshot

PROGRAM: Mapping[str, str] = {
    "pyproject.toml": "[project]\nname = 'shop'\n",
    "shop/__init__.py": "from shop.cart import Cart\n",
    "shop/cart.py": "from .prices import price\n\nclass Cart:\n    def total(self):\n        return price(1)\n",
    "shop/prices.py": "from shop.taxes.rates import *\n\ndef price(n):\n    return rate(n)\n",
    "shop/taxes/rates.py": "def rate(n):\n    return n * 2\n",
    "tests/test_cart.py": "from shop.cart import Cart\n\ndef test_total():\n    assert Cart().total()\n",
    "go.mod": "module example.org/till\n",
    "main.go": 'package main\n\nimport "example.org/till/money"\n\nfunc main() { money.Round(1) }\n',
    "money/round.go": "package money\n\nfunc Round(n int) int { return n }\n",
    "money/format.go": 'package money\n\nfunc Format(n int) string { return "" }\n',
    "web/package.json": '{"name": "web", "main": "src/app.ts"}\n',
    "web/src/app.ts": "import { format } from './format';\nimport { x } from '@/deep';\nconst app = format(1);\n",
    "web/src/format.ts": "export function format(n: number): string { return String(n); }\n",
    "java/org/a/One.java": "package org.a;\nimport org.b.Two;\npublic class One { Two two; }\n",
    "java/org/b/Two.java": "package org.b;\npublic class Two { int three() { return 3; } }\n",
    "cs/All.cs": "using A.B;\nnamespace A { class User { Thing t; } }\n",
    "cs/Thing.cs": "namespace A.B { class Thing { } class Other { } }\n",
    "rust/Cargo.toml": '[package]\nname = "r"\n',
    "rust/src/lib.rs": "mod inner;\nuse crate::inner::deep;\npub fn f() { deep() }\n",
    "rust/src/inner.rs": "pub fn deep() {}\n",
    "tool": "#!/usr/bin/env python3\nimport shop\n\ndef tool(): pass\n",
    "README.md": "# Shop\n\nPrices, taxes and a cart.\n",
    "data.json": '{"a": 1}\n',
}
LINES = (
    "def added_{n}(cart):\n    return cart.total()\n",
    "import shop.taxes.rates\n",
    "func Added{n}() {{ money.Format(2) }}\n",
    "class Added{n} {{ Thing t; }}\n",
    "public class Two {{ }}\n",
    "export {{ format }} from './format';\n",
    "package money\n\nfunc Other{n}() int {{ return 1 }}\n",
    "package org.c;\nimport org.a.*;\nclass C{n} {{ One one; }}\n",
    "pub fn deep_{n}() {{}}\n",
    "# A word or {n}\n",
    "namespace A.B {{ class Late{n} {{ }} }}\n",
    "#!/bin/sh\necho {n}\n",
)
NEW = ("shop/new.py", "shop/json.py", "money/late.go", "web/src/deep.ts", "java/org/c/C.java", "cs/z/Z.cs", "a.md", "t")


def columns(snapshot: Snapshot) -> dict[str, tuple[str, tuple[int, ...], bytes]]:
    """Everything that a snapshot consists of, its vocabulary with it, which a large one that was edited makes anew."""
    whole = replace(snapshot, kept_vocabulary=snapshot.vocabulary())
    out = {name: (array.dtype.str, array.shape, array.tobytes()) for name, array in arrays.to_columns(whole).items()}
    meta = (snapshot.tree, snapshot.language_names, snapshot.symbols.kinds)
    return out | {"meta": (repr(meta), (), b"")}


def opened(root: Path, cache: Path) -> Opened:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZEROIN_CACHE_DIR", str(cache))
        return open_index(open_source(root))


def differing(root: Path, grown: Path, fresh: Path) -> set[str]:
    """What of the snapshot differs between a cache that grew with the tree and an empty one."""
    one, other = (columns(opened(root, cache).view.snapshot) for cache in (grown, fresh))
    return {name for name in other if one[name] != other[name]}


CONTENTS = ("append", "append", "replace")
ANYTHING = (*CONTENTS, "delete", "rename", "add", "copy", "config")


def edit(root: Path, chance: random.Random, number: int, kinds: Sequence[str] = ANYTHING) -> str:
    """One change of a work tree; returns what was done."""
    files = sorted(p for p in root.rglob("*") if p.is_file() and ".git" not in p.relative_to(root).parts)
    file = chance.choice(files)
    what = chance.choice(kinds)
    text = chance.choice(LINES).format(n=number)
    if what == "append":
        file.write_text(file.read_text() + text)
    elif what == "replace":
        file.write_text(text)
    elif what == "delete" and len(files) > 2:
        file.unlink()
    elif what == "rename":
        target = file.with_name(f"{chance.choice('amz')}{number}{file.suffix}")
        file.rename(target)
    elif what == "copy":
        shutil.copy(file, file.with_name(f"{chance.choice('amz')}{number}{file.suffix}"))
    elif what == "config" and (root / "go.mod").exists():
        (root / "go.mod").write_text(f"module example.org/{chance.choice(('till', 'other'))}\n")
    else:
        target = root / chance.choice(NEW)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return f"{what} {file.relative_to(root)}"


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10_000))
def test_an_edited_snapshot_is_the_one_assembled_from_nothing(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("edits")
    root = repository(place / "r", dict(PROGRAM))
    chance = random.Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        if chance.random() < 0.5:  # as in a large tree: the first snapshot stays the base of all
            patch.setattr(assembling, "_SMALL", 0)
        patch.setattr(intake, "_CHUNK", chance.choice((1, 4, 512)))
        opened(root, place / "grown")
        done = []
        kinds = chance.choice((CONTENTS, ANYTHING))
        for number in range(3):
            done += [edit(root, chance, 10 * number + at, kinds) for at in range(chance.randrange(1, 4))]
            if chance.random() < 0.3:
                git(root, "add", "-A")
                git(root, "commit", "-q", "--allow-empty", "-m", "edit")
            assert differing(root, place / "grown", place / f"fresh{number}") == set(), done
    shutil.rmtree(place)


def test_an_edit_asks_for_the_facts_of_the_edited_file_alone(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", dict(PROGRAM))
    opened(root, tmp_path / "c")
    (store,) = (tmp_path / "c" / "index").glob("*.sqlite3")
    with sqlite3.connect(store) as connection:
        connection.execute("DELETE FROM facts")
    connection.close()
    (root / "shop/prices.py").write_text("from shop.taxes.rates import rate\n\ndef price(n):\n    return rate(n) + 1\n")
    assert opened(root, tmp_path / "c").analysed == 1
    assert differing(root, tmp_path / "c", tmp_path / "fresh") == set()


def test_what_cannot_be_put_together_exactly_is_assembled_from_facts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path / "r", dict(PROGRAM))
    opened(root, tmp_path / "c")
    monkeypatch.setattr(join, "MOST_KINDS", 1)
    (root / "shop/cart.py").unlink()
    assert opened(root, tmp_path / "c").analysed == 0
    assert differing(root, tmp_path / "c", tmp_path / "fresh") == set()


def test_a_damaged_snapshot_is_no_base_of_the_next(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", dict(PROGRAM))
    opened(root, tmp_path / "c")
    (kept,) = (tmp_path / "c" / "index").glob("*.arrays/snapshot-*")
    data = bytearray(kept.read_bytes())
    data[-200] ^= 255
    kept.write_bytes(data)
    (root / "a.md").write_text("# More\n")
    assert differing(root, tmp_path / "c", tmp_path / "fresh") == set()


def test_of_a_large_tree_only_what_costs_more_than_writing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assembling, "_SMALL", 0)
    root = repository(tmp_path / "r", dict(PROGRAM))

    def kept() -> int:
        opened(root, tmp_path / "c")
        return len(list((tmp_path / "c" / "index").glob("*.arrays/snapshot-*")))

    assert kept() == 1
    (root / "shop/prices.py").write_text(PROGRAM["shop/prices.py"] + "\ndef other():\n    return 2\n")
    assert kept() == 1
    (root / "shop/prices.py").write_text(PROGRAM["shop/prices.py"] + "\ndef others():\n    return 3\n")
    assert kept() == 1
    assert kept() == 2  # asked about again
    assert kept() == 2
    (root / "shop/new.py").write_text("import shop.cart\n")  # any import may mean it
    assert kept() == 3
    assert differing(root, tmp_path / "c", tmp_path / "fresh") == set()


def test_an_object_that_is_absent_is_looked_for_again_and_costs_no_assembling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Partial clones lack objects: each question used to assemble the whole tree anew."""
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "c"))
    root = repository(tmp_path / "r", PROGRAM)
    blob = git(root, "rev-parse", "HEAD:money/round.go")
    loose = root / ".git/objects" / blob[:2] / blob[2:]
    loose.rename(tmp_path / "aside")

    def ask() -> tuple[Opened, int]:
        made: list[int] = []
        whole = intake.Intake.__init__

        def counting(self: intake.Intake, docs: Mapping[object, list[int]], count: int, *more: object) -> None:
            made.append(count)
            whole(self, docs, count, *more)  # type: ignore[arg-type]

        with monkeypatch.context() as patch:
            patch.setattr(intake.Intake, "__init__", counting)
            return open_index(open_source(root, "HEAD")), sum(made)

    first, taken = ask()
    assert (first.missing, first.late, taken) == (1, False, len(PROGRAM))
    second, taken = ask()
    assert (second.missing, second.late, taken) == (1, False, 1)
    said = zeroin.retrieve("How is money rounded?", root, rev="HEAD").warnings
    assert said == second.warnings == ("money/round.go could not be read: known by path and history alone",)
    (tmp_path / "aside").rename(loose)
    third, taken = ask()
    assert (third.missing, taken) == (0, 1)
    assert ask()[1] == 0
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "other"))
    assert columns(ask()[0].view.snapshot) == columns(third.view.snapshot)
