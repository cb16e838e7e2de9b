"""What a review prints: a reader sees why each file is tied to the change, whatever the folders are called."""

from pathlib import Path

import pytest

import zeroin
from tests.repositories import commit, repository
from zeroin.context.rendering import render
from zeroin.context.rendering.screen import PLAIN
from zeroin.engine import diff_of
from zeroin.types import Task

DEEP = "projects/core/store-orders/src/commonMain/kotlin/org/store/orders/factory"
FACTORY = f"{DEEP}/StoredOrderFactory.kt"
HOLDER = f"{DEEP.removesuffix('/factory')}/parameters/OrderParametersHolder.kt"
UNTIED = "src/parts/plain.vue"


def printed(folder: Path, width: int = 100) -> str:
    session = zeroin.open_session(Task("review", "review", diff_of(folder)), folder, always_loop=True)
    text = render(session.run(), session.read, "table", screen=PLAIN._replace(width=width))
    assert isinstance(text, str)
    return text


@pytest.fixture
def store(tmp_path: Path) -> Path:
    factory = "package org.store.orders.factory\n\nclass StoredOrderFactory {\n    fun make() = 1\n}\n"
    holder = "package org.store.orders.parameters\n\nclass OrderParametersHolder {\n    fun hold() = 1\n}\n"
    folder = repository(tmp_path / "store", {FACTORY: factory, HOLDER: holder})
    for turn in range(2, 5):
        commit(folder, {FACTORY: factory.replace("1", str(turn)), HOLDER: holder.replace("1", str(turn))}, f"{turn}")
    (folder / FACTORY).write_text(factory.replace("1", "9"), encoding="utf-8")
    return folder


def test_a_long_path_leaves_room_for_what_is_said_of_it(store: Path) -> None:
    answer = printed(store)
    assert HOLDER in answer  # what is to be opened stays whole
    row = next(row for row in answer.splitlines() if "changed together with" in row)
    assert row.endswith("/factory/StoredOrderFactory.kt in 4 commits") and "…/" in row
    assert f"changed together with {FACTORY} in 4 commits" in printed(store, 200)


def test_the_files_of_a_change_go_by_their_names_where_their_paths_do_not_fit(store: Path) -> None:
    (store / HOLDER).write_text("class OrderParametersHolder\n", encoding="utf-8")
    listed = "change    reviewed, so not listed: …/StoredOrderFactory.kt, …/OrderParametersHolder.kt\n"
    assert listed in printed(store)
    assert f"not listed: {FACTORY}, {HOLDER}\n" in printed(store, 300)


def test_words_that_the_change_says_too_are_no_tie_and_a_call_is_no_definition(tmp_path: Path) -> None:
    page = (
        'import { defineComponent } from "vue"\n\nexport default defineComponent({\n  name: "PAGE",\n',
        "".join(f"  row{n}: {n},\n" for n in range(12)),
        "  close() { when() },\n})\n",
    )
    panel, plain = ("".join(("<script>\n", *page, "</script>\n")).replace("PAGE", name) for name in ("panel", "plain"))
    folder = repository(tmp_path / "parts", {"src/parts/panel.vue": panel, UNTIED: plain, "lib/close.rb": "close\n"})
    (folder / "src/parts/panel.vue").write_text(panel.replace("when()", "when(1)"), encoding="utf-8")
    answer = printed(folder)
    assert "uses defineComponent (line 2), as the change does\n" in answer  # not: “at which the change is made”


def test_one_commit_that_changed_both_is_no_reason_beside_an_import(tmp_path: Path) -> None:
    files = {
        "include/common.hpp": "#pragma once\n#include <string>\n",
        "include/color.hpp": '#pragma once\n#include "common.hpp"\n\nstruct color { int value; };\n',
    }
    folder = repository(tmp_path / "bar", files)
    (folder / "include/common.hpp").write_text(
        "#pragma once\n#include <string>\n#include <cstdint>\n", encoding="utf-8"
    )
    answer = printed(folder)
    assert "imports include/common.hpp (line 2)" in answer and "in 1 commit" not in answer


@pytest.mark.parametrize(
    ("path", "line", "said"),
    [
        ("src/store.test.ts", "  const cacheKey = 1\n", False),
        ("src/store.ts", "export const cacheKey = 1\n", True),
        ("src/store.go", "\tvar cacheKey = 1\n", False),
        ("src/store.rs", "    let cacheKey = 1;\n", False),
    ],
)
def test_a_variable_of_a_function_is_no_definition_that_others_use(
    tmp_path: Path, path: str, line: str, said: bool
) -> None:
    body = "{}function load() {{\n{}  return 2\n}}\n".format
    user = f"src/user{path[path.rindex('.') :]}"
    files = {
        path: body(line, "") if said else body("", line),
        user: "function use(row) {\n  return row.get(cacheKey)\n}\n",
    }
    folder = repository(tmp_path / "r", files)
    (folder / path).write_text(body("", ""), encoding="utf-8")
    answer = printed(folder, 200)
    assert ("cacheKey (line 2), which the change removes" in answer) == said, answer
    assert "uses cacheKey, which the change touches" not in answer or said
