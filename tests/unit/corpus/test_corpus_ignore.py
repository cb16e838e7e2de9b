"""Patterns of ignore files."""

import re
import subprocess
import sys
from random import Random

import pytest
from listing import paths

from zeroin.corpus.folder import PlainFolder
from zeroin.corpus.ignore import FOLDER_KINDS, MAX_IGNORE_BYTES, Ignores, folders_above


def verdict(found: Ignores, path: str) -> bool | None:
    decided = found.decide(path)
    return None if decided is None else bool(decided)


# patterns → whether they leave out some paths, None where no line matches
CASES = {
    "*.log": {"a/b/x.log": True, "x.py": None, "x.log\n": None},
    "/x.py": {"a/x.py": None},
    "build/": {"build/": True, "a/build/x/y.o": True, "build": None},
    "a/**/z": {"a/b/c/z": True},
    "*\n!keep.py": {"keep.py": False},
    "!keep.py\n*": {"keep.py": True},
    "# note\n\n  \n": {"note": None},
    "\\#a": {"#a": True},
    "[ab].py": {"a.py": True},
    "[": {"[": None},
    "ünï*": {"x/ünïcode.py": True},
    "/*\n!/src/": {"src/a/b.py": False, "lib/a.py": True},
    "\ufeff*.log": {"x.log": True},
    "*/": {"a/b": True, "a": None},
    "**/": {"a/b": True},
    "a/**": {"a/": None, "a/b/c": True},
    "a/**/": {"a/b": None, "a/b/": True},
    "**/a/**/b/**/c": {"x/a/b/y/b/z/c/d": True, "x/a/c/b": None},
    "a*b*c": {"abbc": True, "a/bc": None},
    "[!a]x": {"/x": None},
    "a[+-9]b": {"a/b": None},
    "[[:digit:]]*": {"7up": True},
    "[[:none:]]*": {"7up": None},
    "[]-]": {"-": True},
    "[\\]a]": {"]": True},
    "[z-a]": {"z": True},
    "a\\": {"a": None},
    "a\\ ": {"a ": True},
    "a ": {"a": True},
    "a\r": {"a": True},
    "a//b": {"a//b": None},
    "/": {"a": None},
    "!": {"a": None},
    "*" * 1_001: {"a": None},
}


@pytest.mark.parametrize("patterns", CASES)
def test_patterns(patterns):
    found = Ignores(FOLDER_KINDS)
    found.add(".gitignore", patterns.encode())
    assert {path: verdict(found, path) for path in CASES[patterns]} == CASES[patterns]


def test_a_line_that_is_cut_says_nothing():
    found = Ignores(FOLDER_KINDS)
    found.add(".gitignore", b"a" * (MAX_IGNORE_BYTES - 2) + b"\n*.log\n")
    assert not found


PARTS = (
    "a b f * ** ? / / [ab] [!a] [^b] [a-b] [b-a] []a] [[:alpha:]] [[:punct:]-] [--a] [\\]a] [!]a-] [a [ ] "
    "\\* \\a \\\\ \\ # - . **/ /** a/ *** ! "
).split(" ")


@pytest.mark.skipif(sys.platform == "win32", reason="names that Windows does not take")
def test_git_agrees(tmp_path, git, write):
    """Random patterns, but for three oddities of git: a slash in a bracket, or behind a backslash, and `a**/`."""
    names = ("a", "ab", "a.b", "[a]", "-b", "#a", "a\\b", "b ")
    root = write(tmp_path / "p", {f"{x}/{y}{z}": "" for x in names for y in names for z in ("", "/f", "/a")[1:]})
    write(root, {f"f{x}": "" for x in names})
    git(root, "init", "-q")
    random, tried = Random(7), 0
    while tried < 100:
        line = "".join(random.choice(PARTS) or " " for _ in range(random.randint(1, 6)))
        if re.search(r"\[[^\]]*/|[^/]\*\*|\\/|^!", line):
            continue
        tried += 1
        write(root, {".gitignore": f"{line}\n"})
        listed = git(root, "ls-files", "-o", "-z", "--exclude-standard").decode().split("\0")[:-1]
        assert sorted(listed) == paths(PlainFolder(root)), line


def test_patterns_made_to_be_slow_end():
    script = """
from zeroin.corpus.globs import rules_of
for line in ("*a" * 499 + "b", ("*" + "a" * 60) * 15 + "b", "**/" + "?/" * 400 + "b", "**/*a/" * 150 + "b",
             "[[:a" * 200, "?" * 900 + "b",
             "**/a*a*a*a*a*a*a/**/*a*a*a*a*a/**/*a*a*ab", " " * 900, "\\\\" * 400):
    rules = rules_of([line, "!" + line])
    for path in ("a" * 250, "/".join(["a"] * 2000), "/".join(["a" * 250] * 16)):
        assert rules is None or rules.decide(path) is None
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


def test_the_deepest_file_and_the_strongest_kind_decide():
    found = Ignores(FOLDER_KINDS)
    found.add(".gitignore", b"*.py\n")
    found.add("lib/.gitignore", b"!*.py\n")
    assert verdict(found, "a.py") is True and verdict(found, "lib/a.py") is False
    found.add(".ignore", b"lib/a.py\n")
    assert found.decide("lib/a.py") == "ignored by .ignore"
    found.add(".zeroinignore", b"!lib/\n")
    assert found.decide("lib/a.py") == ""


def test_folders_above():
    assert folders_above("a/b/") == ("", "a/") and folders_above("a/") == ("",) and folders_above("") == ()
