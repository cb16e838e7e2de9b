"""Searching with words, phrases and exclusions."""

from bramble.formats import markdown
from bramble.search.query import find, fold

OUTLINE = markdown.read("- Café au lait\n- black coffee\n- coffee with milk\n")


def test_accents_do_not_matter() -> None:
    assert fold("Café") == "cafe"
    assert [node.title for node in find(OUTLINE, "cafe")] == ["Café au lait"]


def test_minus_excludes() -> None:
    assert [node.title for node in find(OUTLINE, "coffee -milk")] == ["black coffee"]


def test_an_empty_search_finds_nothing() -> None:
    assert list(find(OUTLINE, " ")) == []
