"""The map of the repository: folders as areas, found files lit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zeroin.answer import Context
from zeroin.context.clean import path_text
from zeroin.context.wording import shortened
from zeroin.report.markup import Markup, el, join, path, spoken
from zeroin.report.treemap import Tile, has_header, tiles_of, tree_of
from zeroin.types import LOW, Judgment, band_of, figure_of

_WIDTH, _LETTER = 11.2, 6.4  # pixels: a hundredth of the map, and a letter, both on a wide screen
_LEAST_LETTERS, _ROOMY, _LINE = (
    5,
    20.0,
    5.0,
)  # of a name; per cent of the map: wide enough on a phone, high enough
MAX_FOLDERS = 12


def place(context: Context, files: Sequence[tuple[str, int]], links: Mapping[str, str]) -> Markup | None:
    """The map with its text alternative; None where the files of the repository are not known."""
    if not files:
        return None
    listed = {j.path for j in context.listed}
    last = context.cycles[-1].judgments if context.cycles else ()
    lit = {j.path: j for j in last if j.relevance >= LOW or j.path in listed}
    lit.update({j.path: j for j in context.listed})
    top = tree_of(files, {path: j.relevance for path, j in lit.items()})
    tiles = tiles_of(top)
    folders = [t for t in tiles if t.node.opened]
    leaves = [t for t in tiles if not t.node.opened]
    drawing = el(
        "svg",
        el("g", [_folder(t) for t in folders if t.depth == 1], aria_hidden="true"),
        el("g", [_tile(t) for t in leaves if not t.node.lit], aria_hidden="true"),
        [_lit(t, lit.get(t.node.path), links.get(t.node.path)) for t in leaves if t.node.lit],
        class_="map",
        width="100%",
        role="group",
        aria_label=f"Map of {len(files)} files, {len(lit)} of them found; listed by folder below",
    )
    shade = el(
        "p",
        [el("span", el("i", class_=f"swatch {name}"), text) for name, text in _LEGEND],
        class_="legend",
        aria_hidden="true",
    )
    return el(
        "section",
        el("h2", "Where they are", id="where-title"),
        drawing,
        shade,
        _folders(lit, files),
        id="where",
        aria_labelledby="where-title",
    )


_LEGEND = (("high", "0.7 or more"), ("medium", "0.5"), ("low", "0.2"), ("dark", "not found"))


def _tile(tile: Tile) -> Markup:
    node = tile.node
    name = path_text(node.path)
    told = f"{name}: {node.files} files" if node.children else name
    return _rect(tile, "tile", shortened(told, 120))


def _rect(tile: Tile, kind: str, told: str = "") -> Markup:
    x, y, width, height = tile.box
    rect = el("rect", x=_share(x), y=_share(y), width=_share(width), height=_share(height), class_=kind)
    return el("g", el("title", told), rect) if told else rect


def _share(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") + "%"


def _folder(tile: Tile) -> Markup:
    """A folder at the top: its border, and its name where there is room."""
    x, y, width, height = tile.box
    return join(
        _rect(tile, "folder"),
        el(
            "svg",
            el("text", path_text(tile.node.path) + "/", x=7, y=16),
            x=_share(x),
            y=_share(y),
            width=_share(width),
            height=_share(height),
        )
        if has_header(tile.node, tile.box, tile.depth)
        else None,
    )


def _lit(tile: Tile, judgment: Judgment | None, anchor: str | None) -> Markup:
    x, y, width, height = tile.box
    name = path_text(tile.node.path)
    if judgment is None:  # a folder that stayed closed though something in it was found
        told, kind = f"{name}: {tile.node.lit} of {tile.node.files} files found", band_of(tile.node.best)
    else:
        told, kind = f"{name}: relevance {figure_of(judgment.relevance)}", judgment.band
    room = int((width * _WIDTH - 10) / _LETTER)
    inside = el(
        "svg",
        el("text", shortened(name.rpartition("/")[2], max(room, 2)), x=6, y="50%", dy="0.35em"),
        x=_share(x),
        y=_share(y),
        width=_share(width),
        height=_share(height),
        class_=f"name {kind}" + ("" if width >= _ROOMY else " tight"),
        aria_hidden="true",
    )
    holds = room >= _LEAST_LETTERS and height >= _LINE
    group = el("g", _rect(tile, f"lit {kind}", told), inside if holds else None)
    return el("a", group, href=f"#{anchor}", aria_label=told) if anchor else group


def _folders(lit: Mapping[str, Judgment], files: Sequence[tuple[str, int]]) -> Markup:
    """The same in words: which folders the found files are in."""
    held: dict[str, list[Judgment]] = {}
    for judgment in lit.values():
        held.setdefault(judgment.path.rpartition("/")[0], []).append(judgment)
    order = sorted(held, key=lambda folder: (-max(j.relevance for j in held[folder]), folder))
    total = dict.fromkeys(order, 0)
    for name, _ in files:
        folder = name.rpartition("/")[0]
        if folder in total:
            total[folder] += 1
    rows = [
        el(
            "li",
            path(f"{folder}/") if folder else "the top folder",
            el("span", f"{len(held[folder])} of {total[folder]} files", spoken(" found"), class_="quiet"),
        )
        for folder in order[:MAX_FOLDERS]
    ]
    return el("ul", rows, class_="folders", aria_label="Folders of the found files")
