"""Written tasks meet what the product would compare them with."""

import json
from pathlib import Path

import numpy as np
from written_repository import Repo

from training import written
from training.encoder_data import Ragged
from zeroin.models.encoder import SHIPPED, encoder
from zeroin.parsing.analyse import analyse

NAME = "someone/counter"
SOURCE = "def forget_old(cache):\n    # what nobody asked for\n    cache.evict(older=60)\n"


def run(repo: Repo, tmp_path: Path, *rows: dict[str, object]) -> int:
    tasks = tmp_path / "tasks.jsonl"
    commit = repo.git("rev-parse", "HEAD")
    tasks.write_text("".join(json.dumps({"repo": NAME, "commit": commit} | row) + "\n" for row in rows))
    given = ["--repos", str(tmp_path / "repos"), "--encoder", str(SHIPPED), "--tasks", str(tasks)]
    return written.main([*given, "--out", str(tmp_path / "out")])


def bag(bags: Ragged, row: int) -> dict[int, float]:
    at = slice(bags.pointers[row], bags.pointers[row + 1])
    return dict(zip(bags.terms[at].tolist(), bags.counts[at].tolist(), strict=True))


def test_passages_are_those_of_the_product(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repos" / "someone+counter")
    repo.change("Count", {"src/cache.py": SOURCE, "src/other.py": "def other():\n    return 1\n", "README.md": "# x\n"})
    row = {"path": "src/cache.py", "plain": "drop things that sat too long", "natural": "cache eviction by age"}
    assert run(repo, tmp_path, row | {"symptom": "an answer of last week is still served"}) == 0
    found = written.read_asked(tmp_path / "out" / "someone+counter.npz")
    assert len(found.paths) == 2, "implementation files alone"
    assert len(found.gold) == 3
    own = int(found.gold[0])
    first = int(np.searchsorted(found.file_of, own))
    bags, model = found.passages, encoder()
    at = slice(bags.pointers[first], bags.pointers[first + 1])
    vector = model.passages(bags.terms[at], bags.counts[at], [0, at.stop - at.start])
    stored = analyse(SOURCE.encode(), "python").vectors
    assert model.similarity(stored, vector[0])[0] > 0.999
    assert bag(found.paths, own), "the path is a bag of its own"


def test_a_task_about_a_file_that_is_not_read_is_left_out(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repos" / "someone+counter")
    repo.change("Count", {"src/cache.py": SOURCE})
    assert run(repo, tmp_path, {"path": "gone.py", "plain": "something", "natural": "anything"}) == 0
    assert len(written.read_asked(tmp_path / "out" / "someone+counter.npz").gold) == 0


def test_a_held_out_repository_is_refused(tmp_path: Path) -> None:
    tasks = tmp_path / "tasks.jsonl"
    tasks.write_text(
        json.dumps({"repo": "django/django", "commit": "0" * 40, "path": "a.py", "plain": "a", "natural": "b"})
    )
    given = ["--repos", str(tmp_path), "--encoder", str(SHIPPED), "--tasks", str(tasks), "--out", str(tmp_path / "out")]
    assert written.main(given) == 2
