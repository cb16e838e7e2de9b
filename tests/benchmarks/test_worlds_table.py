"""Worlds: a real one in a tiny repository and a hand-written one, asked and told in one table; none is trained on."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.vocabulary import TASKS, read_tasks
from benchmarks.worlds import (
    REAL,
    Place,
    Row,
    World,
    against,
    main,
    place_of,
    real_world,
    row_of,
    table,
    totals,
    written_world,
)
from tests.worlds.history import commit_all
from training.held_out import refuse
from zeroin.engine import retrieve

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "README.md": "A desk that lends books.\n",
    "desk/throttle.py": '"""Throttle: the rate limit of the desk."""\n\n\nclass Throttle:\n    def allow(self, key):\n'
    "        return self.spent(key) < self.most\n",
    "desk/ceiling.py": "def spent(key, window):\n    return sum(window[key])\n",
    "desk/shelf.py": "def in_stock(book):\n    return book in SHELF\n",
    "desk/members.py": "class Member:\n    name: str\n",
    "desk/fees.py": "def fee(days):\n    return 0.2 * days\n",
}
HISTORY = [
    ("A desk", ["README.md", "desk/shelf.py", "desk/members.py", "desk/fees.py"]),
    ("Throttle: a rate limit", ["desk/throttle.py", "desk/ceiling.py"]),
]
ROW: dict[str, Any] = {
    "id": "desk-limit",
    "repo": "o/desk",
    "commit": "main",
    "language": "python",
    "task": "Somebody calls us far too often: refuse whoever goes beyond the rate limit.",
    "expect_files": {"desk/throttle.py": "Throttle.allow decides."},
    "decoys": ["desk/fees.py"],
    "words": {"limit": ["throttle"]},
}
WRITTEN = {
    "root": str(ROOT / "tests" / "worlds" / "python_undo"),
    "task": "Support multi-step undo",
    "language": "python",
    "expect_files": ["bramble/journal/revert_journal.py"],
    "dropped": "bramble/sync/merge.py",
    "learned": {"task_word": "undo", "code_word": "revert"},
    "history": [{"message": "All", "files": ["bramble/settings.py", "bramble/journal/revert_journal.py"]}],
}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
        yield


@pytest.fixture
def places(tmp_path: Path) -> Path:
    """A folder with repositories, real worlds and hand-written ones."""
    commit_all(tmp_path / "repos" / "o+desk" / "work", FILES, HISTORY)
    rows = [ROW, {**ROW, "id": "away", "repo": "o/away"}]
    (tmp_path / "worlds.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "written").mkdir()
    (tmp_path / "written" / "undo.json").write_text(json.dumps(WRITTEN))
    return tmp_path


def arguments(places: Path) -> list[str]:
    given = {"repos": "repos", "worlds": "worlds.jsonl", "written": "written", "out": "out.json"}
    return [part for name, value in given.items() for part in (f"--{name}", str(places / value))]


def test_both_kinds_of_worlds_are_in_one_table(places: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments(places)) == 0
    printed = capsys.readouterr().out
    result = json.loads((places / "out.json").read_text())
    assert [(row["world"], row["history"]) for row in result["rows"]] == [
        ("desk-limit", False),
        ("desk-limit", True),
        ("undo", False),
        ("undo", True),
    ]
    assert result["skipped"] == ["away"]
    assert result["totals"]["all"]["expected"] == 4
    assert str(places) not in result["provenance"]["command"]
    for row in result["rows"][:2]:
        [found] = row["expected"]
        assert found["place"] in ("files", "supporting") and found["since"] == 1
    assert "| desk-limit | with | desk/throttle.py" in printed
    assert "Not on this machine: away" in printed


def test_a_task_that_says_its_files_names_is_no_world(
    places: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {**ROW, "task": "Throttle everybody who comes back far too often within a minute."}
    (places / "worlds.jsonl").write_text(json.dumps(row) + "\n")
    assert main(arguments(places)) == 1
    assert "desk-limit: desk/throttle.py is named so: ['throttle']" in capsys.readouterr().err
    assert not (places / "out.json").exists()
    assert against(ROW, next((places / "repos").rglob(".git"))) == []


def test_a_file_is_listed_since_it_stays(places: Path) -> None:
    context = retrieve(ROW["task"], places / "repos" / "o+desk" / "work")
    path = next(j.path for j in context.files)
    assert place_of(path, context, [{path}, set(), {path}, {path}]).since == 3
    assert place_of("desk/nowhere.py", context, [set()]) == Place("desk/nowhere.py", 0.0)


def test_what_is_unlisted_or_unlearned_is_told(places: Path) -> None:
    context = retrieve(ROW["task"], places / "repos" / "o+desk" / "work")
    world = World("w", "real", "python", "t", ("desk/none.py",), (), {"banana": ("throttle",)})
    row = row_of(world, [context], context, history=True)
    assert (row.complete, row.terms) == (False, {"banana": False})
    assert "desk/none.py 0.00 not listed" in table([row])


def test_totals_add_up() -> None:
    found = Place("a.py", 0.8, "files", 1), Place("b.py", 0.5, "supporting", 2), Place("c.py", 0.1)
    decoys = (Place("d.py", 0.6, "supporting", 1), Place("e.py", 0.3))
    rows = [
        Row("x", "real", "go", True, found, decoys, {"m": True}, 2, "enough", True, {"files": 3}),
        Row("y", "real", "go", True, found[:2], (), {"n": False}, 3, "no_gain", True, {"files": 4}),
    ]
    assert totals(rows) == {
        "worlds": 2,
        "complete": 1,
        "expected": 5,
        "places": {"files": 2, "supporting": 2, "tests": 0, "documents": 0},
        "listed": 4,
        "listed_since_first_cycle": 2,
        "decoys": 2,
        "decoys_listed": 1,
        "terms": 2,
        "terms_learned": 1,
        "sufficient": 2,
        "sufficient_but_incomplete": 1,
        "cycles": 2.5,
        "files_listed": 3.5,
    }
    assert "d.py 0.60 supporting@1" in table(rows)  # a listed decoy before one that is not


def test_a_world_is_read_from_either_kind_of_row() -> None:
    assert real_world(ROW).words == {"limit": ("throttle",)}
    assert written_world("undo", WRITTEN).decoys == ("bramble/sync/merge.py",)


def test_no_world_was_trained_on() -> None:
    rows: list[dict[str, Any]] = read_tasks(REAL)
    repos = {row["repo"].lower() for row in rows}
    assert len(repos) == len(rows) == 6
    refuse(sorted(repos))  # nor is any kept for the final measurement
    for name in ("repositories.json", "encoder_repositories.json"):
        listed = json.loads((ROOT / "training" / name).read_text())["repositories"]
        assert not repos & {repo.lower() for repo in listed}, name
    assert not repos & {row["repo"].lower() for row in read_tasks(TASKS)}
    for row in rows:
        assert 1 <= len(row["expect_files"]) <= 4 and len(row["decoys"]) <= 3
        assert not set(row["expect_files"]) & set(row["decoys"])
