"""What the worlds promise about themselves: which words occur where, and what their history holds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from zeroin.terms import split_identifier, stem, words

HERE = Path(__file__).parent
PROJECT = HERE.parent.parent
WORLDS = sorted(HERE.glob("*.json"))

# Comments by language, without regard to strings: no string of these worlds contains a comment sign.
COMMENTS = {
    ".py": re.compile(r'#[^\n]*|"""(?s:.*?)"""'),
    ".go": re.compile(r"//[^\n]*"),
    ".java": re.compile(r"/\*(?s:.*?)\*/|//[^\n]*"),
}


@pytest.fixture(params=WORLDS, ids=lambda path: path.stem)
def world(request: pytest.FixtureRequest) -> dict[str, Any]:
    described: dict[str, Any] = json.loads(request.param.read_text(encoding="utf-8"))
    described["folder"] = PROJECT / described["root"]
    return described


def files_of(world: dict[str, Any]) -> list[str]:
    folder: Path = world["folder"]
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if is_content(path))


def is_content(path: Path) -> bool:
    return path.is_file() and not {"__pycache__", "node_modules", ".git"} & set(path.parts)


def subwords(text: str) -> set[str]:
    return {part for word in words(text) for part in split_identifier(word)}


def occurring(stems: list[str], text: str) -> set[str]:
    """Words of the text that a stemmer, or somebody who searches for a prefix of four letters, takes for one."""
    found = set()
    for part in subwords(text):
        for one in stems:
            if stem(part) in {one, stem(one)} or (len(one) >= 4 and part.startswith(one)):
                found.add(part)
    return found


def read(world: dict[str, Any], path: str) -> str:
    folder: Path = world["folder"]
    return (folder / path).read_text(encoding="utf-8")


def test_named_files_exist(world: dict[str, Any]) -> None:
    named = {*world["expect_files"], *world["expect_first_in_cycle"], *world["bridge"], world["dropped"]}
    assert named | set(world["hidden"]["files"]) <= set(files_of(world))


def test_hidden_files_do_not_contain_the_words_of_the_task(world: dict[str, Any]) -> None:
    for path in world["hidden"]["files"]:
        assert not occurring(world["hidden"]["stems"], path + "\n" + read(world, path)), path


def test_bridges_say_both_words(world: dict[str, Any]) -> None:
    for learned in [world["learned"], *world["learned_also"]]:
        both = {stem(part) for side in ("task_word", "code_word") for part in subwords(learned[side])}
        said = [{stem(part) for part in subwords(read(world, path))} for path in world["bridge"]]
        assert any(both <= one for one in said), learned


def test_the_word_of_the_task_never_occurs_in_the_code(world: dict[str, Any]) -> None:
    for path in files_of(world):
        pattern = COMMENTS.get(Path(path).suffix)
        if pattern is not None and "absent_from_code" in world:
            code = pattern.sub(" ", read(world, path))
            assert not occurring(world["absent_from_code"], path + "\n" + code), path


def test_only_bridges_know_the_word_of_the_task(world: dict[str, Any]) -> None:
    if "absent_from_code" in world:
        absent = world["absent_from_code"]
        assert {path for path in files_of(world) if occurring(absent, read(world, path))} == {
            *world["bridge"]
        }


def test_history_builds_every_file(world: dict[str, Any]) -> None:
    files = set(files_of(world))
    history = world["history"]
    touched = {path for commit in history for path in commit["files"]}
    assert touched == files
    assert 12 <= len(history) <= 25
    messages = [commit["message"] for commit in history]
    assert len(set(messages)) == len(messages)
