"""What the worlds promise about themselves: which words occur where, how large they are, what their history holds."""

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


def test_all_six_are_here() -> None:
    names = {path.stem for path in WORLDS}
    assert names == {"go_retry", "identity", "java_cart", "python_undo", "rate-limiting", "token-expiry"}


def test_named_files_exist(world: dict[str, Any]) -> None:
    named = {*world["expect_files"], *world["expect_first_in_cycle"], *world["bridge"], world["dropped"]}
    assert named | set(world["hidden"]["files"]) <= set(files_of(world))


def test_cannot_be_read_whole_within_the_default_budget(world: dict[str, Any]) -> None:
    files = files_of(world)
    size = sum(len(read(world, path)) for path in files)
    assert 15 <= len(files) <= 40
    # Four characters a token is generous for code, so this is more than 8,000 tokens by any count.
    assert size >= 38_000


def test_hidden_files_do_not_contain_the_words_of_the_task(world: dict[str, Any]) -> None:
    for path in world["hidden"]["files"]:
        assert not occurring(world["hidden"]["stems"], path + "\n" + read(world, path)), path


def test_the_hidden_stems_cover_the_task(world: dict[str, Any]) -> None:
    telling = subwords(world["task"]) - {"the", "to", "of", "a", "make"}
    assert all(occurring(world["hidden"]["stems"], word) for word in telling)


def test_the_last_file_does_not_contain_the_learned_words_either(world: dict[str, Any]) -> None:
    later = world.get("hidden_from_learned", {"files": [], "stems": []})
    for path in later["files"]:
        assert not occurring(later["stems"], path + "\n" + read(world, path)), path


def test_bridges_say_both_words(world: dict[str, Any]) -> None:
    for learned in [world["learned"], *world["learned_also"]]:
        said = [
            path
            for path in world["bridge"]
            if all(
                {stem(part) for part in split_identifier_all(learned[side])}
                <= {stem(part) for part in subwords(read(world, path))}
                for side in ("task_word", "code_word")
            )
        ]
        assert said, learned


def split_identifier_all(text: str) -> list[str]:
    return [part for word in words(text) for part in split_identifier(word)]


def test_learned_words_occur_in_what_they_lead_to(world: dict[str, Any]) -> None:
    learned = [world["learned"]["code_word"], *(one["code_word"] for one in world["learned_also"])]
    for path, cycle in world["expect_first_in_cycle"].items():
        if cycle == 2:
            assert occurring(learned, path + "\n" + read(world, path)), path


def test_the_word_of_the_task_never_occurs_in_the_code(world: dict[str, Any]) -> None:
    for path in files_of(world):
        pattern = COMMENTS.get(Path(path).suffix)
        if pattern is not None and "absent_from_code" in world:
            code = pattern.sub(" ", read(world, path))
            assert not occurring(world["absent_from_code"], path + "\n" + code), path


def test_only_bridges_know_the_word_of_the_task(world: dict[str, Any]) -> None:
    if "absent_from_code" in world:
        knowing = {
            path for path in files_of(world) if occurring(world["absent_from_code"], read(world, path))
        }
        assert knowing == set(world["bridge"])


def test_nothing_speaks_of_this_project(world: dict[str, Any]) -> None:
    for path in files_of(world):
        assert not re.search(r"zeroin|retriev", read(world, path), re.IGNORECASE), path


def test_history_builds_every_file(world: dict[str, Any]) -> None:
    files = set(files_of(world))
    history = world["history"]
    touched = {path for commit in history for path in commit["files"]}
    assert touched == files
    assert 12 <= len(history) <= 25
    messages = [commit["message"] for commit in history]
    assert len(set(messages)) == len(messages)


def test_relative_imports_of_typescript_lead_to_files(world: dict[str, Any]) -> None:
    files = set(files_of(world))
    for path in files:
        if not path.endswith(".ts"):
            continue
        for target in re.findall(r'from "(\.[^"]*)"', read(world, path)):
            base = (Path("/") / path).parent.joinpath(target)
            plain = "/".join(part for part in _resolved(base.as_posix()))
            assert {f"{plain}.ts", f"{plain}/index.ts"} & files, (path, target)


def _resolved(path: str) -> list[str]:
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return parts
