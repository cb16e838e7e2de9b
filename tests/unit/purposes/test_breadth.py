"""Exploring prefers the parts and their landmarks; fixing does not."""

from pathlib import Path

import pytest

import zeroin
from zeroin.answer import Context
from zeroin.config import Options
from zeroin.context.selection.listed import LEAST_FILES, spread
from zeroin.engine import Repository
from zeroin.evaluate.purpose import effective_purpose
from zeroin.gaps.related_files import missing_components
from zeroin.index.components import components_of
from zeroin.types import PURPOSES, Judgment, Role

TASK = "How is this project structured?"
PARTS = {"shop/checkout/", "shop/mail/", "shop/pricing/", "shop/search/", "shop/storage/"}


def parts(context: Context) -> set[str]:
    files = [*context.files, *context.supporting]
    return {part for part in PARTS if any(j.path.startswith(part) for j in files)}


def test_an_overview_shows_more_parts_than_a_fix(shop: Path) -> None:
    fix = zeroin.retrieve(TASK, shop, purpose="fix", always_loop=True)
    overview = zeroin.retrieve(TASK, shop, purpose="architecture", always_loop=True)
    assert parts(overview) == PARTS
    assert len(parts(fix)) < len(PARTS)
    assert "README.md" in [j.path for j in overview.files]


def test_components_without_a_file_are_a_gap(shop: Path) -> None:
    view = Repository.open(shop).opened.view
    (gap,) = missing_components([Judgment("shop/mail/sender.py", 0.9)], view)
    assert gap.kind == "aspect"
    assert not gap.critical
    assert "shop/pricing/" in gap.need
    assert "shop/mail/" not in gap.need
    everything = [Judgment(path, 0.9) for path in view.paths]
    assert not missing_components(everything, view)


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["pkg/a/x.py", "pkg/b/y.py", "pkg/z.py"], ["pkg/a/", "pkg/b/", "pkg/z.py"]),
        (["src/main/java/a/A.java", "src/main/java/b/B.java"], ["src/main/java/a/", "src/main/java/b/"]),
        (["crates/one/src/lib.rs", "crates/two/src/lib.rs"], ["crates/one/", "crates/two/"]),
        (["main.go"], ["main.go"]),
        ([], []),
    ],
)  # fmt: skip
def test_components_are_the_folders_below_the_shared_one(paths: list[str], expected: list[str]) -> None:
    found = components_of(paths, [Role.IMPLEMENTATION] * len(paths), ["python"] * len(paths))
    assert list(found.values()) == expected


def test_what_is_no_implementation_is_of_no_component() -> None:
    found = components_of(
        ["a/x.py", "b/y.py", "README.md"],
        [Role.IMPLEMENTATION, Role.IMPLEMENTATION, Role.DOC],
        ["python", "python", "markdown"],
    )
    assert list(found.values()) == ["a/", "b/", ""]


def test_data_beside_a_program_hides_no_part_of_it() -> None:
    paths = ["lib/a/x.swift", "lib/b/y.swift", "app.project/one", "app.project/two", "app.project/three"]
    found = components_of(paths, [Role.IMPLEMENTATION] * 5, ["swift", "swift", "text", "text", "text"])
    assert list(found.values()) == ["lib/a/", "lib/b/", *["app.project/"] * 3]


def test_spread_lets_components_take_turns() -> None:
    ranking = [Judgment(p, r) for p, r in (("a/1", 0.9), ("a/2", 0.8), ("b/1", 0.5), ("c/1", 0.4))]
    component = {"a/1": "a", "a/2": "a", "b/1": "b", "c/1": "c"}
    assert [j.path for j in spread(ranking, component)] == ["a/1", "b/1", "a/2", "c/1"]  # 0.8 × 0.6 = 0.48
    assert [j.path for j in spread(ranking, {})] == ["a/1", "a/2", "b/1", "c/1"]


def test_every_purpose_has_its_settings() -> None:
    assert set(LEAST_FILES) == set(PURPOSES)


def test_an_exploration_of_the_whole_is_judged_as_an_overview(shop: Path) -> None:
    repository = Repository.open(shop)

    def profile(task: str) -> str:
        session = repository.ask(task, Options(purpose="explore"))
        return effective_purpose("explore", session.loop.query, session.opened.view)

    assert profile("How does data flow through the system?") == "architecture"
    assert profile("Overview of the code of shop") == "architecture"
    assert profile("How is a basket total rounded?") == "explore"
    assert parts(repository.ask(TASK, Options(purpose="explore", always_loop=True)).run()) == PARTS
