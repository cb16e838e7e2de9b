"""Training rows are the rows that the product judges: the same repository, the same task, the same numbers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.data import Task
from tests.worlds.history import commit_all
from training.dataset import NEEDED_TARGET, fold_of, project, rows_of, trimmed
from training.features import KEPT, Measured, measure_task, read, write
from zeroin.config import Options
from zeroin.engine import Repository
from zeroin.evaluate import judge as judging
from zeroin.evaluate.features.table import FEATURES
from zeroin.evaluate.model.ranker import JUDGED, Ranked, rank

ASKED = "Reading a config file without a section fails in parse_config"


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    folder = tmp_path_factory.mktemp("features") / "repo"
    files = {f"pkg/mod_{n}.py": f"def helper_{n}(section):\n    return section\n" for n in range(8)}
    files |= {
        "pkg/config.py": "from pkg.mod_1 import helper_1\n\n\ndef parse_config(path):\n    return helper_1(path)\n",
        "tests/test_config.py": "from pkg.config import parse_config\n\n\ndef test_parse():\n    parse_config(1)\n",
        "README.md": "# A reader of config files\n",
    }
    history: Sequence[tuple[str, Sequence[str]]] = [
        ("Add helpers", [f for f in files if "mod_" in f]),
        ("Parse config files by section", ["pkg/config.py", "pkg/mod_1.py"]),
        ("Test the config reader", ["tests/test_config.py"]),
        ("Say what it is", ["README.md"]),
    ]
    commit_all(folder, files, history)
    return Repository.open(folder)


def task() -> Task:
    return Task(
        id="t", repo="a/b", git_dir=Path(), rev="", task=ASKED, gold=("pkg/config.py",), tests=(), language="python",
        kind="issue",
    )  # fmt: skip


def test_training_and_asking_compute_the_same_features(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[np.ndarray] = []

    def watched(rows: np.ndarray, *given: Any, **named: Any) -> Ranked:
        seen.append(rows)
        return rank(rows, *given, **named)

    monkeypatch.setattr(judging, "rank", watched)
    session = repository.ask(ASKED, Options(always_loop=True))
    paths = {c.path for c in next(iter(session)).candidates}
    for cycles in (1, 3):  # with and without the loop around it
        found = measure_task(repository, task(), {"pkg/config.py": 1.0}, cycles)
        measured = next(one for one in found if one.cycle == 1 and not one.once)
        assert set(measured.paths) == paths
        assert np.array_equal(measured.rows, seen[0])


def test_what_is_written_is_read_in_the_columns_of_today(repository: Repository, tmp_path: Path) -> None:
    measured = measure_task(repository, task(), {"pkg/config.py": 1.0}, 1)
    write(tmp_path / "a+b.npz", measured)
    found = read(tmp_path)
    assert [(one.cycle, one.once) for one in found] == [(1, False), (1, True)]  # cycle by cycle, and at once
    for one, written in zip(found, measured, strict=True):
        assert one.paths == written.paths
        assert np.array_equal(one.rows, written.rows)
        assert one.target.sum() == 1.0


def test_training_rows_hold_every_useful_candidate(repository: Repository) -> None:
    measured = measure_task(repository, task(), {"pkg/config.py": 1.0, "pkg/mod_7.py": 0.6}, 1)
    rows = rows_of(measured[:1])
    assert rows.features.shape[1] == len(FEATURES)
    assert sorted(rows.useful[rows.useful > 0].tolist()) == pytest.approx([NEEDED_TARGET, 1.0])


def test_the_ranker_is_trained_on_as_many_candidates_as_it_judges() -> None:
    assert KEPT == JUDGED
    rows = np.zeros((JUDGED + 30, len(FEATURES)), np.float32)
    rows[:, list(FEATURES).index("prior")] = np.arange(len(rows))
    many = Measured("t", "a/b", "mined", "python", "bug", (), {}, 1, tuple(map(str, range(len(rows)))), rows)
    assert trimmed(many).paths == tuple(map(str, range(30, JUDGED + 30)))


def test_a_fork_is_in_the_fold_of_its_project() -> None:
    assert project("encode/starlette") == project("Kludex/starlette")
    assert fold_of("encode/starlette") == fold_of("Kludex/starlette")
