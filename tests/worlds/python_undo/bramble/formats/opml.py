"""Outlines as OPML, the format of feed readers and other outliners."""

from __future__ import annotations

from xml.etree import ElementTree

from bramble.model.node import Node
from bramble.model.outline import Outline


def read(text: str) -> Outline:
    """Raises ValueError when the text is no OPML."""
    try:
        document = ElementTree.fromstring(text)
    except ElementTree.ParseError as problem:
        raise ValueError(f"not well-formed: {problem}") from problem
    body = document.find("body")
    if document.tag != "opml" or body is None:
        raise ValueError("no OPML document")
    root = Node(title="")
    for element in body.findall("outline"):
        _read_element(element, root)
    return Outline(root)


def _read_element(element: ElementTree.Element, parent: Node) -> None:
    # Feed readers write `title`, outliners write `text`; some write one of them empty.
    title = element.get("text") or element.get("title") or ""
    node = Node(title=title, folded=element.get("_folded") == "yes")
    parent.attach(node, len(parent.children))
    for child in element.findall("outline"):
        _read_element(child, node)


def write(outline: Outline) -> str:
    document = ElementTree.Element("opml", version="2.0")
    ElementTree.SubElement(document, "head")
    body = ElementTree.SubElement(document, "body")
    for node in outline.root.children:
        _write_node(node, body)
    ElementTree.indent(document)
    return ElementTree.tostring(document, encoding="unicode", xml_declaration=True) + "\n"


def _write_node(node: Node, parent: ElementTree.Element) -> None:
    element = ElementTree.SubElement(parent, "outline", text=node.title)
    if node.folded:
        element.set("_folded", "yes")
    for child in node.children:
        _write_node(child, element)
