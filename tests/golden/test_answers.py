"""The golden set: quality does not fall, answers repeat, and what reasons cite is there.

After a change that is meant to move answers: python -m tests.golden.run --update, and review the difference.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.reasons import check_context
from tests.golden.metrics import TOLERANCE, Figures, Report, compare, figures, report
from tests.golden.run import Asked, ask_all, cache_in, committed
from tests.golden.world import KINDS, World, worlds


@pytest.fixture(scope="module")
def all_worlds() -> tuple[World, ...]:
    return worlds()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("golden")


@pytest.fixture(scope="module")
def asked(folder: Path, all_worlds: tuple[World, ...]) -> Iterator[list[Asked]]:
    with cache_in(folder / "cache"):
        yield ask_all(folder, all_worlds, lambda golden: True)


def test_no_figure_is_worse_than_committed(asked: list[Asked]) -> None:
    rows, worse = compare(committed(), report([one.answer for one in asked]))
    said = ["python -m tests.golden.run --update, once this is what you want", *rows]
    assert not worse, "\n".join(said)


def test_another_index_and_another_run_give_the_same_answers(asked: list[Asked], folder: Path) -> None:
    with cache_in(folder / "another"):
        again = {one.answer.golden.id: one for one in ask_all(folder, worlds(), lambda golden: True)}
    first = {one.answer.golden.id: one for one in asked}
    assert {i: one.answer.ranking for i, one in first.items()} == {i: one.answer.ranking for i, one in again.items()}
    for name, one in first.items():
        ours, theirs = (_without_times(c.context) for c in (one, again[name]))
        assert ours == theirs


def _without_times(context: object) -> object:
    return replace(
        context,  # type: ignore[type-var]
        stats={},
        cycles=tuple(replace(cycle, seconds=0.0, cpu_seconds=0.0) for cycle in context.cycles),  # type: ignore[attr-defined]
    )


def test_what_reasons_cite_is_there(asked: list[Asked]) -> None:
    wrong = [
        f"{one.answer.golden.id}: {what}" for one in asked for what in check_context(one.context, one.view, one.git_dir)
    ]
    assert not wrong, "\n".join(wrong)


# --- the set itself --------------------------------------------------------------------------------


def test_the_set_is_as_large_as_promised(all_worlds: tuple[World, ...]) -> None:
    tasks = [golden for world in all_worlds for golden in world.tasks]
    assert len(all_worlds) >= 10
    assert len({world.language for world in all_worlds}) >= 8
    assert len(tasks) >= 60
    assert len({golden.id for golden in tasks}) == len(tasks)
    kinds = Counter(golden.kind for golden in tasks)
    assert set(kinds) == set(KINDS)
    assert min(kinds.values()) >= 5


@pytest.mark.parametrize("world", worlds(), ids=lambda world: world.name)
def test_a_world_is_whole(world: World) -> None:
    paths = set(world.files)
    assert 8 <= len(paths) <= 40
    assert 15 <= len(world.history) <= 60
    assert {path for _, touched in world.history for path in touched} == paths
    assert all(len(touched) == len(set(touched)) for _, touched in world.history)
    for golden in world.tasks:
        assert golden.gold
        assert golden.gold | golden.unwanted | golden.changed <= paths
        assert golden.gold.isdisjoint(golden.unwanted | golden.changed)
        assert "{{" not in str(golden.task)


# --- the comparison --------------------------------------------------------------------------------


def _lowered(figures_: Figures, name: str, by: float) -> Report:
    return {"all": {"all": {**figures_, name: figures_[name] - TOLERANCE[name].sign * by}}}


@pytest.mark.parametrize("name", sorted(TOLERANCE))
def test_what_is_tolerated_is_tolerated_and_more_is_not(asked: list[Asked], name: str) -> None:
    now = figures([one.answer for one in asked])
    most = TOLERANCE[name].most(now["tasks"])
    before: Report = {"all": {"all": now}}
    assert compare(before, _lowered(now, name, most))[1] == []
    rows, worse = compare(before, _lowered(now, name, most + 0.01))
    assert len(worse) == len(rows) == 1
    assert name in worse[0]
    assert compare(before, _lowered(now, name, -1))[1] == []


def test_the_committed_figures_are_of_this_set(all_worlds: tuple[World, ...]) -> None:
    told = committed()
    assert told["all"]["all"]["tasks"] == sum(len(world.tasks) for world in all_worlds)
    assert set(told["repository"]) == {world.name for world in all_worlds}
