"""A repository that cannot be opened any more, between two steps of a question to a fleet."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("ray")

from tests.repositories import repository
from zeroin.config import Options
from zeroin.fleet.asking import Fleet
from zeroin.fleet.shard import Setting, Shard
from zeroin.workspace.members import Member

TASK = "Where is the total of an invoice computed?"


class OneShard:
    """A shard in this process, asked without a cluster; `before` a step something happens to its repositories."""

    def __init__(self, shard: Shard, names: tuple[str, ...], before: str, happens: Any) -> None:
        self.shard, self.before, self.happens = shard, before, happens
        self.layout = SimpleNamespace(names=(frozenset(names),))

    def ask(self, method: str, calls: Mapping[int, tuple[Any, ...]], limit_s: float) -> dict[int, Any]:
        if method == self.before:
            self.happens()
        return {at: getattr(self.shard, method)(*given) for at, given in calls.items()}


@pytest.mark.parametrize("before", ["parcels", "read"])
def test_the_question_goes_on_without_it(tmp_path: Path, before: str) -> None:
    places = {
        name: repository(tmp_path / name, {f"{name}/total.py": f"def total(invoice):\n    return invoice.{name}\n"})
        for name in ("shop", "mail")
    }
    shard = Shard([Member(name, place) for name, place in places.items()], Setting.here())
    shard.refresh()

    def goes() -> None:
        shutil.rmtree(places["mail"], ignore_errors=True)
        shard.refresh()

    shards: Any = OneShard(shard, tuple(places), before, goes)
    members = tuple(Member(name, place) for name, place in places.items())
    context = Fleet(members, shards).ask(TASK, Options(always_loop=True)).context()
    shard.close()
    assert "shop:shop/total.py" in {judgment.path for judgment in context.listed}
    if before == "parcels":
        assert [w for w in context.warnings if w.startswith("mail was not searched: ")]
        assert not [judgment for judgment in context.ranking if judgment.path.startswith("mail:")]
