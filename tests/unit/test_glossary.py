"""The code base speaks the words of docs/GLOSSARY.md, and no retired one comes back."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import zeroin

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "zeroin"
PAGE = (ROOT / "docs" / "GLOSSARY.md").read_text(encoding="utf-8")
WORDS = [word.strip() for row in re.findall(r"^\| ([^|]+) \|", PAGE, re.MULTILINE)[1:] for word in row.split(",")]
RETIRED = re.findall(r"\w+", PAGE.partition("\nRetired:")[2])
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def names() -> Iterator[tuple[str, str]]:
    """Every name that the source gives to something: modules, classes, functions, parameters, fields, constants."""
    for path in sorted(SOURCE.rglob("*.py")):
        where = path.relative_to(SOURCE).as_posix()
        yield where, path.stem
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield where, node.name
            elif isinstance(node, ast.arg):
                yield where, node.arg
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                yield where, node.target.id
            elif isinstance(node, ast.Assign):
                yield from ((where, target.id) for target in node.targets if isinstance(target, ast.Name))


def parts(name: str) -> list[str]:
    """`PathMention` and `path_mention` → path, mention."""
    return [part.lower() for part in _PART.findall(name)]


def test_the_glossary_is_short() -> None:
    assert 40 <= len(re.findall(r"^\| \w", PAGE, re.MULTILINE)) - 1 <= 60


def test_public_values_are_in_the_glossary() -> None:
    """Each class that callers meet is named by a word of the glossary."""
    known = {part for word in WORDS for part in parts(word)}
    classes = [name for name in zeroin.__all__ if isinstance(getattr(zeroin, name), type)]
    own = {"repository", "options", "settings", "progress", "advice", "error"}  # plain English, used as such
    missing = [name for name in classes if not {*parts(name)} & (known | own)]
    assert missing == []


def test_no_retired_word_comes_back() -> None:
    single = {word for word in RETIRED if "_" not in word}
    joined = [word for word in RETIRED if "_" in word]
    found = [
        f"{where}: {name}"
        for where, name in names()
        if single & {*parts(name)} or any(word in "_".join(parts(name)) for word in joined)
    ]
    assert found == []
