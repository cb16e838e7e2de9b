"""Repositories full of tricks and texts that attack, a part of `benchmarks.hostile`, by its own functions."""

import sys
from pathlib import Path

import pytest

from benchmarks.hostile.attempts import lifts
from benchmarks.hostile.place import Place, build
from benchmarks.hostile.repositories import Trick, asked
from benchmarks.hostile.texts import MOST, answers, lifted, spoken
from benchmarks.hostile.tricks_files import a_long_path, links_out, names
from benchmarks.hostile.tricks_git import grafts, included_secret, replaced_objects, said_otherwise
from benchmarks.hostile.tricks_objects import encodings
from benchmarks.hostile.watched import calls_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
_MORE = {"said_otherwise": ("find --diff",), "names": ("find -f table", "find -f markdown", "find --report")}


@pytest.mark.parametrize(
    "trick",
    [encodings, grafts, included_secret, replaced_objects, said_otherwise, a_long_path, links_out, names],
    ids=lambda trick: trick.__name__,
)
def test_a_trick_changes_nothing(trick: Trick, tmp_path: Path) -> None:
    ways = ("find -f json", *_MORE.get(trick.__name__, ()))
    case = asked(trick, tmp_path, ways)
    assert (case.wrong, case.runs) == ([], len(ways))


def test_a_call_that_is_traced_in_two_parts_is_one() -> None:
    rows = [
        '10 execve("/usr/bin/git", ["git"], 0x7 /* 3 vars */ <unfinished ...>',
        '11 openat(AT_FDCWD</w>, "a", O_RDONLY) = 3</w/a>',
        "10 <... execve resumed>)             = 0",
        '10 openat(AT_FDCWD</w>, "b", O_RDONLY) = 3</w/b>',
    ]
    assert calls_of(rows) == ({"/w/a", "/w/b"}, {"/usr/bin/git"}, {"/w/b"})


def test_what_is_wrong_is_seen(tmp_path: Path) -> None:
    """A case in which everything goes wrong, so that the others prove something."""

    def shown(place: Place) -> None:
        place.write({"shop/coupon.py": (place.outside / "renew.py").read_bytes()})
        place.commit()

    assert "find -f json: shows what lies outside" in asked(shown, tmp_path / "a", ["find -f json"]).wrong
    place = build(tmp_path / "b")
    assert place.mark.exists() is False
    place.git(
        "-c", f"core.pager={place.trap}", "-c", "pager.log=true", "--paginate", "-c", f"alias.x=!{place.trap}", "x"
    )
    assert place.mark.exists()


def test_no_text_leaves_its_place_and_what_speaks_to_a_reader_is_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    for said in answers(spoken(tmp_path / "tree"), tmp_path / "home", ["markdown", "xml"]):
        assert said.wrong == (), said.way
        assert said.shown > 15 and said.warnings >= 2, said.way


@pytest.mark.parametrize(
    "name",
    [
        "an answer to every task in a comment",
        "hidden words in a string",
        "a file named by the task",
        "a glossary of wrong words",
        "sixty commits that say the task",
    ],
)
def test_what_does_not_say_the_task_is_not_lifted(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    (found,) = lifted([one for one in lifts() if one.name == name])
    assert found.relevance <= MOST < found.right
