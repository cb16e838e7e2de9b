"""Where the files of a repository lie: a squarified treemap (Bruls, Huizing, van Wijk 2000) of folders and files."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

Box = tuple[float, float, float, float]  # x, y, width, height in per cent of the map

MAX_TILES = 420
MAX_DEPTH = 40  # folders within folders that are told apart
HEADER = 6.5  # per cent of the map's height kept free at the top of a folder at the top, for its name
ROOM_WIDTH, ROOM_HEIGHT = 7.0, 16.0  # … where it is at least so wide and high
_ASPECT = 2.4  # width of the map by its height, as it is drawn on a wide screen


@dataclass(slots=True)
class Node:
    """A folder or a file; `weight` is its share of the area, `files` how many it holds.

    `lit` is how many of them were found, `best` the relevance of the best one.
    """

    path: str
    weight: float = 0.0
    files: int = 0
    lit: int = 0
    best: float = 0.0
    children: dict[str, Node] = field(default_factory=dict)
    opened: bool = False


@dataclass(frozen=True, slots=True)
class Tile:
    """One rectangle of the map; `depth` counts folders from the top."""

    node: Node
    box: Box
    depth: int


def tree_of(files: Sequence[tuple[str, int]], lit: Mapping[str, float]) -> Node:
    """The folders of `files` (path and lines), where the found ones are `lit` by their relevance.

    A file's weight is the root of its lines, so that small ones show.
    """
    top = Node("")
    for path, lines in files:
        weight = max(1, lines) ** 0.5 + 3.0
        parts = path.split("/", MAX_DEPTH)
        here = top
        for i in range(len(parts) + 1):
            here.weight += weight
            here.files += 1
            here.lit += path in lit
            here.best = max(here.best, lit.get(path, 0.0))
            if i < len(parts):
                name = "/".join(parts[: i + 1])
                here = here.children.setdefault(name, Node(name))
    return _shortened(top)


def _shortened(node: Node) -> Node:
    """The tree without folders that hold nothing but one folder: `src/main/java` is one step."""
    for name, child in list(node.children.items()):
        while len(child.children) == 1 and (only := next(iter(child.children.values()))).children:
            child = only
        node.children[name] = _shortened(child)
    return node


def tiles_of(top: Node, limit: int = MAX_TILES) -> tuple[Tile, ...]:
    """At most about `limit` tiles that cover the map, folders before what is in them.

    Folders with lit files are opened first, then the largest; a folder that stays closed is one tile.
    """
    count, heap, turn = 0, [(-1, -top.weight, 0, top)], 0
    while heap:
        _, _, _, node = heapq.heappop(heap)
        if not node.children or (count + len(node.children) > limit and not node.lit):
            continue
        if count + len(node.children) > 2 * limit:  # even where something is lit: a folder of thousands
            continue
        node.opened = True
        count += len(node.children)
        for child in node.children.values():
            turn += 1
            heapq.heappush(heap, (-min(child.lit, 1), -child.weight, turn, child))
    return tuple(_laid(top, (0.0, 0.0, 100.0, 100.0), 0))


def _laid(node: Node, box: Box, depth: int) -> Iterator[Tile]:
    if depth:
        yield Tile(node, box, depth)
    if not node.opened:
        return
    if has_header(node, box, depth):
        x, y, width, height = box
        box = (x, y + HEADER, width, height - HEADER)
    children = sorted(node.children.values(), key=lambda child: (-child.weight, child.path))
    for child, inner in zip(children, squarified([c.weight for c in children], box), strict=True):
        yield from _laid(child, inner, depth + 1)


def has_header(node: Node, box: Box, depth: int) -> bool:
    """Whether a tile is a folder at the top with room for its name."""
    return depth == 1 and node.opened and box[2] >= ROOM_WIDTH and box[3] >= ROOM_HEIGHT


def squarified(weights: Sequence[float], box: Box) -> list[Box]:
    """Boxes for `weights`, largest first, that fill `box` in rows as nearly square as they can be."""
    x, y, width, height = box
    left = sum(weights)
    boxes: list[Box] = []
    i = 0
    while i < len(weights):
        if left <= 0 or width <= 0 or height <= 0:
            boxes += [(x, y, 0.0, 0.0)] * (len(weights) - i)
            break
        upright = width * _ASPECT >= height  # the row stands at the left end, else it lies at the top
        side = height if upright else width * _ASPECT
        area = width * _ASPECT * height / left
        size, row = 1, weights[i]
        worst = _worst(weights[i], weights[i], row, side, area)
        while i + size < len(weights):
            grown = row + weights[i + size]
            next_worst = _worst(weights[i], weights[i + size], grown, side, area)
            if next_worst > worst:
                break
            size, row, worst = size + 1, grown, next_worst
        share = row / left
        at = 0.0
        for weight in weights[i : i + size]:
            part = weight / row
            if upright:
                boxes.append((x, y + at * height, width * share, height * part))
            else:
                boxes.append((x + at * width, y, width * part, height * share))
            at += part
        if upright:
            x, width = x + width * share, width * (1 - share)
        else:
            y, height = y + height * share, height * (1 - share)
        left -= row
        i += size
    return boxes


def _worst(largest: float, smallest: float, row: float, side: float, area: float) -> float:
    """The worst aspect ratio in a row of total weight `row` laid along `side`."""
    thick = row * area / side
    return max(thick * thick / (smallest * area), largest * area / (thick * thick))
