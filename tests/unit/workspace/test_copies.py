"""Near copies of a repository: what they have in common, and that one of them is searched."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.repositories import repository
from zeroin import retrieve
from zeroin.answer import Context
from zeroin.context.rendering import render
from zeroin.corpus.source import open_source
from zeroin.index.opening import open_index
from zeroin.workspace import selection
from zeroin.workspace.copies import ALIKE, Copies, sketch_of
from zeroin.workspace.selection import MOST_FILES, selected


def hashes(*values: int) -> bytes:
    return np.array(sorted(values), "<u4").tobytes()


def test_what_two_have_in_common_is_the_share_of_the_contents_of_either() -> None:
    copies = Copies([hashes(1, 2, 3), hashes(2, 3, 4), hashes(1, 2, 3, 4), hashes(9), hashes()])
    copies.add(0)
    assert copies.original_of(1) == 0  # 2 and 3 of 1, 2, 3, 4: a half
    copies.add(1)
    assert copies.original_of(2) == 0  # three of four with either: the first one
    assert copies.original_of(3) is None and copies.original_of(4) is None
    assert ALIKE == 0.3


def test_the_smallest_hashes_tell_of_all() -> None:
    # Of 200 contents each they share 50, the last of one and the first of the other: a seventh of all.
    first, other = list(range(200)), list(range(150, 350))
    far = Copies([hashes(*first[:64]), hashes(*other[:64])])
    far.add(0)
    assert far.original_of(1) is None
    near = Copies([hashes(*first[:64]), hashes(*first[1::2][:64])])  # a half of them
    near.add(0)
    assert near.original_of(1) == 0


def test_a_sketch_is_of_the_contents_of_code(tmp_path: Path) -> None:
    files = {f"{name}.py": f"{name} = 1\n" for name in ("one", "two", "three")} | {"LICENSE": "MIT\n"}
    moved = {f"src/{path}": text for path, text in files.items()} | {"copy.py": files["one.py"]}
    first, second = (
        open_index(open_source(repository(tmp_path / name, has))).view.snapshot
        for name, has in (("a", files), ("b", moved))
    )
    assert sketch_of(first) == sketch_of(second) and len(sketch_of(first)) == 3 * 4


def test_a_copy_is_left_out_where_not_all_fit() -> None:
    shares = np.array([0.3, 0.25, 0.2, 0.15, 0.1])
    sketches = [hashes(1, 2), hashes(1, 2), hashes(3), hashes(4), hashes(5)]
    half = MOST_FILES // 2
    assert selected(shares, [half] * 5, sketches=sketches) == ([0, 2, 3], frozenset(), {1: 0})
    assert selected(shares, [half] * 5, sketches=sketches, always=[1]) == ([1, 2, 3], frozenset(), {0: 1})
    assert selected(shares, [half] * 5, sketches=sketches, always=[0, 1]) == ([0, 1, 2], frozenset(), {})
    assert selected(shares, [1] * 5, sketches=sketches) == ([0, 1, 2, 3, 4], frozenset(), {})


def test_the_probability_of_a_copy_is_that_of_the_one_searched() -> None:
    shares = np.array([0.5, 0.495, 0.003, 0.001, 0.001])
    sketches = [hashes(1, 2), hashes(1, 2), hashes(3), hashes(4), hashes(5)]
    assert selected(shares, [MOST_FILES // 3] * 5, sketches=sketches) == ([0, 2, 3], frozenset({2, 3}), {1: 0})


@pytest.fixture
def forks(tmp_path: Path) -> list[Path]:
    """A program, two forks that differ from it in a file, and two others."""
    shared = {f"part{at}.py": f"def part_{at}(one):\n    return one.parts[{at}]\n" for at in range(5)}
    shared["tokens.py"] = "def expired(token):\n    return token.valid_until < now()\n"
    places = [repository(tmp_path / "origin", shared)]
    places += [repository(tmp_path / f"fork{at}", shared | {"part4.py": f"SEATS = {at}\n"}) for at in range(2)]
    for name in ("mail", "shop"):
        text = f"def deliver_{name}(letter):\n    return letter.stamp\n"
        places.append(repository(tmp_path / name, {f"{name}.py": text, f"{name}_use.py": text * 2}))
    return places


def test_one_of_the_forks_is_searched(forks: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(task: str) -> Context:
        return retrieve(task, forks, jobs=1)

    task = "access tokens are accepted although they have expired"
    assert {"origin:tokens.py", "fork0:tokens.py"} <= {one.path for one in asked(task).ranking}
    monkeypatch.setattr(selection, "MOST_FILES", 12)
    answer = asked(task)
    assert [one.path for one in answer.ranking if one.path.endswith("tokens.py")] == ["origin:tokens.py"]
    assert {one.name: one.copy_of for one in answer.members if one.copy_of} == {"fork0": "origin", "fork1": "origin"}
    shown = json.loads(render(answer, lambda _: "", "json"))["repositories"]
    assert {one["name"] for one in shown if one.get("copy_of") == "origin"} == {"fork0", "fork1"}
    assert "1 of 5 repositories searched (2 near copies left out), likely about: origin 0.33" in render(
        answer, lambda _: "", "markdown"
    )
    # What only a fork has is found there.
    assert asked("how many SEATS are there, as part4 says?").members[0].name in ("fork0", "fork1")
