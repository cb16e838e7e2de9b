"""Patterns of ignore files."""

from __future__ import annotations

import pytest

from zeroin.corpus.ignore import FOLDER_KINDS, Ignores, folders_above


def verdict(found: Ignores, path: str) -> bool | None:
    decided = found.decide(path)
    return None if decided is None else decided.ignored


@pytest.mark.parametrize(
    ("patterns", "path", "expected"),
    [
        ("*.log", "a/b/x.log", True),
        ("*.log", "x.py", None),
        ("/x.py", "a/x.py", None),
        ("build/", "build/", True),
        ("build/", "a/build/x/y.o", True),
        ("build/", "build", None),
        ("a/**/z", "a/b/c/z", True),
        ("*\n!keep.py", "keep.py", False),
        ("!keep.py\n*", "keep.py", True),
        ("# note\n\n  \n", "note", None),
        ("\\#a", "#a", True),
        ("[ab].py", "a.py", True),
        ("[", "[", None),
        ("ünï*", "x/ünïcode.py", True),
        ("/*\n!/src/", "src/a/b.py", False),
        ("/*\n!/src/", "lib/a.py", True),
        ("\ufeff*.log", "x.log", True),
    ],
)
def test_patterns(patterns, path, expected):
    found = Ignores(FOLDER_KINDS)
    found.add(".gitignore", patterns.encode())
    assert verdict(found, path) is expected


def test_the_deepest_file_and_the_strongest_kind_decide():
    found = Ignores(FOLDER_KINDS)
    found.add(".gitignore", b"*.py\n")
    found.add("lib/.gitignore", b"!*.py\n")
    assert verdict(found, "a.py") is True and verdict(found, "lib/a.py") is False
    found.add(".ignore", b"lib/a.py\n")
    assert found.decide("lib/a.py") == (True, ".ignore")
    found.add(".zeroinignore", b"!lib/\n")
    assert found.decide("lib/a.py") == (False, ".zeroinignore")


def test_no_files_no_opinion():
    found = Ignores(FOLDER_KINDS)
    assert not found and found.decide("a.py") is None
    found.add(".gitignore", b"# only a comment\n")
    assert not found


def test_folders_above():
    assert folders_above("a/b/") == ("", "a/") and folders_above("a/") == ("",) and folders_above("") == ()
