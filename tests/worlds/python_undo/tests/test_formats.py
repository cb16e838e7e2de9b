"""Outlines survive being written and read again."""

from bramble.formats import markdown, opml

TEXT = "- shopping\n  - bread …\n    - rye\n- work\n"


def test_markdown_round_trip() -> None:
    assert markdown.write(markdown.read(TEXT)) == TEXT


def test_opml_keeps_folding() -> None:
    outline = opml.read(opml.write(markdown.read(TEXT)))
    assert markdown.write(outline) == TEXT


def test_text_between_items_belongs_to_the_item_above() -> None:
    outline = markdown.read("- one\nmore\n- two\n")
    assert [node.title for node in outline.lines()] == ["one\nmore", "two"]
