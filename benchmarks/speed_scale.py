"""Trees of 1,000 to 60,000 files, assembled from real repositories: how time, memory and index grow with size.

A tree holds the text files under 1 MB of one repository after another, in an order by a hash of their names: of those
that make up a tenth of it at most, so that every tree is mixed, and not of those in `training/held_out.txt`. The last
one is cut. The tree is one commit. Growth is the exponent of the source's size: figure ∝ bytes^exponent, fitted by
least squares on logarithms.
"""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import trees
from benchmarks.checkout import is_inside
from benchmarks.ledger import Ledger
from benchmarks.repositories import MAX_BYTES, Blob, find_repositories, is_text, list_blobs, read_blobs, run_git
from benchmarks.speed_commands import Asked, alternate, settle
from benchmarks.tools import Tool, git_grep, zeroin
from training.held_out import held_out

SIZES = (1_000, 4_000, 16_000, 60_000)
PARTS = 10  # a repository is no larger than a tree divided by this
TASK = "The connection is not closed when a timeout happens while the response is read"
WORD = "timeout"
SOURCE = (".py", ".java", ".ts", ".go", ".js", ".rb", ".rs")
LIMIT_S = 2  # what is there after so long, from an empty cache
# A state of a tool that took so long together is not measured again.
MOST_S = 60.0


def measure(repos: Path, size: int, place: Path, tools: Sequence[Tool], runs: int, ledger: Ledger) -> None:
    """Time the tools over one tree of `size` files, or of as many as there are; the tree is removed afterwards."""
    row, tree = f"{size:,} files", place / "work"
    of, count, total = assemble(repos, size, tree)
    trees.commit(tree)
    settle(tree)
    ledger.fact(row, files=count, source_bytes=total, repositories=of)
    early = zeroin("--timeout-s", str(LIMIT_S), name=f"zeroin, {LIMIT_S} s at most", states=("cold",))
    files = [path for path in tree.rglob("*.*") if path.is_file() and ".git" not in path.parts]
    edited = min(files, key=lambda path: (path.suffix not in SOURCE, path))
    asked = Asked(TASK, tree, edited, place)
    alternate(ledger, row, (*tools, early, git_grep(WORD)), asked, runs, MOST_S)
    shutil.rmtree(place)


def assemble(repos: Path, size: int, tree: Path) -> tuple[dict[str, str], int, int]:
    """Write a tree of `size` files; returns the commit of each repository, files and bytes written."""
    of: dict[str, str] = {}
    count = total = 0
    for name, git_dir in allowed(repos):
        blobs = [b for b in list_blobs(git_dir, "HEAD") if b.size < MAX_BYTES and is_inside(b.path)]
        if len(blobs) > size / PARTS:
            continue
        if count == size:
            break
        of[name] = run_git(git_dir, "rev-parse", "HEAD").decode().strip()
        for path, data in texts(git_dir, blobs):
            target = tree / name.replace("/", "+") / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            count, total = count + 1, total + len(data)
            if count == size:
                break
    return of, count, total


def allowed(repos: Path) -> list[tuple[str, Path]]:
    """Name and place of the repositories that may be looked at, by a hash of their names."""
    kept = held_out()
    found = [
        (name, git_dir)
        for name, git_dir in find_repositories(repos).items()
        if not {name, name.rpartition("/")[2]} & kept
    ]
    return sorted(found, key=lambda item: sha256(item[0].encode()).digest())


def texts(git_dir: Path, blobs: Sequence[Blob]) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of those that are text, in the order given; without ignore files that end semble's run."""
    contents = read_blobs(git_dir, (blob.blob for blob in blobs))
    for blob, (_, data) in zip(blobs, contents, strict=True):
        if is_text(data) and not (blob.path.endswith(".gitignore") and b"!" in data.split()):
            yield blob.path, data


def exponent(sizes: Sequence[float], figures: Sequence[float]) -> float | None:
    """The slope of a line through the logarithms; none for fewer than two sizes."""
    if len(set(sizes)) < 2 or min(figures) <= 0:
        return None
    return float(np.polyfit(np.log(sizes), np.log(figures), 1)[0])


def exponents(rows: Mapping[str, Any]) -> dict[str, dict[str, float | None]]:
    """Growth of wall, processor time and memory in every state, and of the index, by tool."""
    made: dict[str, dict[str, float | None]] = {}
    for tool in ("zeroin", "semble"):
        points: dict[str, list[tuple[float, float]]] = {}
        for row in rows.values():
            size = row["source_bytes"]
            for state, found in row["tools"].get(tool, {}).items():
                for figure in ("wall_s", "cpu_s", "memory_mb"):
                    if figure in found:
                        points.setdefault(f"{state} {figure}", []).append((size, found[figure]))
            if f"{tool}: index_bytes" in row:
                points.setdefault("index", []).append((size, row[f"{tool}: index_bytes"]))
        made[tool] = {what: exponent(*zip(*pairs, strict=True)) for what, pairs in points.items()}
    return made
