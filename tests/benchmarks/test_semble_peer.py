"""The peer engine semble, where it is installed: its incremental index is the fresh one, files stand by best chunk."""

import json
from pathlib import Path

import pytest

pytest.importorskip("semble", reason="pip install semble")

import numpy as np
from model2vec import StaticModel
from semble import SembleIndex
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from benchmarks.checkout import Checkout
from benchmarks.data import Task
from benchmarks.semble_peer import RUNS, Semble, write_runs
from tests.benchmarks.test_checkout import commit

WORDS = ["[UNK]", "throttle", "session", "request", "limit", "class", "def", "return"]
BODY = "".join(
    f"def step_{number}(request):\n    return limit(request, {number})\n\n\n" for number in range(40)
)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A static model of a few words."""
    tokenizer = Tokenizer(WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    vectors = np.random.default_rng(0).normal(size=(len(WORDS), 8)).astype(np.float32)
    StaticModel(vectors, tokenizer).save_pretrained(str(tmp_path / "model"))
    return tmp_path / "model"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEMBLE_CACHE_LOCATION", str(tmp_path / "cache"))


@pytest.fixture
def commits(tmp_path: Path) -> list[str]:
    tree = tmp_path / "tree"
    tree.mkdir()
    common = {"lib/session.py": "class Session:\n    pass\n", ".gitignore": "made.py\n", "made.py": BODY}
    return [
        commit(tree, common | {"lib/throttle.py": BODY, "notes.md": "throttle"}),
        commit(tree, common | {"lib/throttle.py": BODY.replace("limit", "throttle"), "lib/new.py": BODY}),
        commit(tree, {"lib/throttle.py": BODY, "a.py": "def throttle():\n    return 1\n"}),
    ]


def task(tmp_path: Path, rev: str, name: str, root: str = "") -> Task:
    return Task(
        name, "o/r", tmp_path / "tree/.git", rev, "throttle a request", (), (), "python", "issue", root
    )


def test_the_incremental_index_is_the_fresh_one(tmp_path: Path, model: Path, commits: list[str]) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    checkout, kept = Checkout(tmp_path / "tree/.git", folder), Semble(model)
    for rev in commits:
        checkout.move(rev)
        old, new = kept.index(folder), SembleIndex.from_path(folder, model_path=str(model))
        assert old.chunks == new.chunks
        assert np.allclose(old._semantic_index.vectors, new._semantic_index.vectors, atol=1e-6)
        words = ["throttle", "limit", "request", "session"]
        assert (old._bm25_index.get_scores(words) == new._bm25_index.get_scores(words)).all()
        assert old.search("throttle a request") == new.search("throttle a request")


def test_runs_hold_files_once_below_root_and_go_on(tmp_path: Path, model: Path, commits: list[str]) -> None:
    tasks = [task(tmp_path, rev, f"t{n}") for n, rev in enumerate(commits)]
    tasks.append(task(tmp_path, commits[0], "in lib", "lib"))
    out = tmp_path / "runs"
    write_runs(out, tasks[:2], model)
    write_runs(out, tasks, model)
    for run in RUNS:
        rows = [json.loads(line) for line in (out / f"{run}.jsonl").read_text().splitlines()]
        assert sorted(row["id"] for row in rows) == ["in lib", "t0", "t1", "t2"]
        found = {row["id"]: [entry["path"] for entry in row["ranking"]] for row in rows}
        assert all(len(set(paths)) == len(paths) for paths in found.values())
        # documents and ignored files are no candidates
        assert set(found["t0"]) <= {"lib/session.py", "lib/throttle.py"}
        assert found["in lib"][0] == "lib/throttle.py"
        assert set(found["t2"]) == {"a.py", "lib/throttle.py"}


def test_a_tree_without_source_code_is_an_error_row(tmp_path: Path, model: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    rev = commit(tree, {"README.md": "nothing"})
    write_runs(tmp_path / "runs", [task(tmp_path, rev, "t")], model)
    row = json.loads((tmp_path / "runs/semble.jsonl").read_text())
    assert row["id"] == "t"
    assert "No supported files" in row["error"]
    assert str(tmp_path) not in row["error"]
