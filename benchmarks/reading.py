"""A simulated agent that reads code under a token budget, and the orders in which it may read.

The agent reads line by line in a given order until the next line no longer fits. Everything it is shown costs tokens,
by the product's own estimate for all alike. A stretch of lines costs one line more: the file and where it starts.

``zeroin``: the answer exactly as rendered for the budget, all its text charged (table, gaps, line numbers); what is
left of the budget goes to spans that the page had no room for, then to those of the rest of the ranking, and at last to
all that is left of these files.
``zeroin-spans``: the same spans alone, file after file, without the page around them: charged as the baselines are.
``zeroin-whole``: the same files, whole, in the same order.
``everything``: every text file, in path order.
``names``: whole files whose paths hold words of the task, most distinct words first.
``grep``: files by distinct words of the task that they contain, then by matches; of each, ten lines around every match.
``grep-title``: the same with the words of the task's first line alone: what a careful agent would search for.
``semble``: the chunks of the peer semble, best first, the whole task as its query.

The baselines are helped: source files come before all others, and tests after the rest of the source (no gold file is a
test); words of paths are split and stemmed as the product does it; the list of matches that a real grep prints is free.
"""

import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path, PurePosixPath

from benchmarks.baselines import is_code, keywords
from benchmarks.checkout import Checkout
from benchmarks.repositories import MAX_BYTES, Blob, is_text, list_blobs, read_blobs
from benchmarks.tools import Semble
from zeroin.answer import Context
from zeroin.context.clean import path_text
from zeroin.context.packing.select import HEAD_LINES
from zeroin.context.packing.texts import lines_of
from zeroin.context.rendering.markdown import cell, render
from zeroin.context.tokens import estimate
from zeroin.corpus.roles import role_of
from zeroin.session import Session
from zeroin.terms import analyse
from zeroin.types import Judgment, Role, Span

CHUNKS = 100  # of semble: enough for every budget
AROUND = 10  # lines that are read before and after a match
CODE, TEST, OTHER = range(3)  # the order in which the baselines prefer kinds of files

_SHOWN = re.compile(r" \((?:whole file|skeleton|does not fit whole: spans)\)$")  # said of a file in its heading
_NUMBERED = re.compile(r" *([0-9]+)(?:  .*)?")  # a line of code on a rendered page


@dataclass(frozen=True, slots=True)
class Piece:
    """Consecutive lines of a file, the first of them line ``start``."""

    path: str
    start: int
    rows: Sequence[str]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read for ``tokens`` tokens: line numbers by path."""

    tokens: int = 0
    lines: dict[str, set[int]] = field(default_factory=dict)


def read(pieces: Iterable[Piece], budgets: Sequence[int], before: Reading | None = None) -> tuple[Reading, ...]:
    """What each budget is enough for, in the order of ``pieces``; a line that was read is not read again.

    ``before`` is what was read already: it counts, and so do its tokens. Pieces are taken only as far as the largest
    budget reaches.
    """
    before = before or Reading()
    spent = [before.tokens] * len(budgets)
    lines = [{path: set(numbers) for path, numbers in before.lines.items()} for _ in budgets]
    seen = {path: set(numbers) for path, numbers in before.lines.items()}
    used = before.tokens
    for piece in pieces:
        known = seen.setdefault(piece.path, set())
        fresh = [(n, row) for n, row in enumerate(piece.rows, piece.start) if n not in known]
        if fresh:
            used += estimate(f"{piece.path}:{fresh[0][0]}\n")
        for number, row in fresh:
            used += estimate(f"{row}\n")
            if used > max(budgets):
                break
            known.add(number)
            for i, budget in enumerate(budgets):
                if used <= budget:
                    spent[i] = used
                    lines[i].setdefault(piece.path, set()).add(number)
        if used > max(budgets):
            break
    return tuple(Reading(*found) for found in zip(spent, lines, strict=True))


# --- zeroin ---------------------------------------------------------------------------------------


def read_answer(session: Session, context: Context, budgets: Sequence[int]) -> tuple[Reading, ...]:
    """The page rendered for each budget, then, if it left tokens over, the spans that were not on it."""
    readings: list[Reading] = []
    for budget in budgets:
        page = render(replace(context, budget=budget), session.read)
        shown = Reading(estimate(page), lines_shown(page, [j.path for j in in_order(context)]))
        readings += read(rest_in_order(session, context), (budget,), shown)
    return tuple(readings)


def in_order(context: Context) -> tuple[Judgment, ...]:
    """Every file of an answer in the order in which it is to be read."""
    held = {judgment.path for judgment in context.listed}
    return (*context.listed, *(judgment for judgment in context.ranking if judgment.path not in held))


def lines_shown(page: str, paths: Iterable[str]) -> dict[str, set[int]]:
    """The lines of code on a rendered page, by path."""
    headings = {f"### {cell(path_text(path))}": path for path in paths}
    shown: dict[str, set[int]] = {}
    path = ""
    for row in page.partition("\n## Code\n")[2].partition("\n## ")[0].split("\n"):
        heading = _SHOWN.sub("", row)
        if row.startswith("### ") and heading in headings:
            path = headings[heading]
        elif path and (numbered := _NUMBERED.fullmatch(row)):
            shown.setdefault(path, set()).add(int(numbered[1]))
    return shown


def rest_in_order(session: Session, context: Context) -> Iterator[Piece]:
    """The spans of each file, best first (the head of a file that has none); then the files as a whole."""
    for judgment in in_order(context):
        rows = lines_of(session.read(judgment.path))
        for span in judgment.spans or (Span(1, HEAD_LINES),):
            yield Piece(judgment.path, span.start, rows[span.start - 1 : span.end])
    yield from whole_in_order(session, context)


def whole_in_order(session: Session, context: Context) -> Iterator[Piece]:
    """The files of an answer, each from its first line to its last."""
    for judgment in in_order(context):
        yield Piece(judgment.path, 1, lines_of(session.read(judgment.path)))


# --- what agents do without it ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tree:
    """The regular files of a revision under 1 MB, in path order; contents are read when they are asked for."""

    git_dir: Path
    blobs: tuple[Blob, ...]

    @classmethod
    def at(cls, git_dir: Path, rev: str) -> "Tree":
        """The tree of a revision; raises RepositoryError."""
        return cls(git_dir, tuple(blob for blob in list_blobs(git_dir, rev) if blob.size < MAX_BYTES))

    def texts(self, blobs: Sequence[Blob]) -> Iterator[tuple[Blob, bytes]]:
        """Text files and their bytes, in the order given."""
        contents = read_blobs(self.git_dir, (blob.blob for blob in blobs))
        for blob, (_, data) in zip(blobs, contents, strict=True):
            if is_text(data):
                yield blob, data

    def whole(self, blobs: Sequence[Blob]) -> Iterator[Piece]:
        """Whole files, in the order given."""
        for blob, data in self.texts(blobs):
            yield Piece(blob.path, 1, lines_of(data.decode(errors="replace")))


def kind(path: str) -> int:
    """CODE, TEST (code that is a test) or OTHER."""
    if not is_code(path):
        return OTHER
    return TEST if role_of(path) is Role.TEST else CODE


def everything(tree: Tree, task: str) -> Iterator[Piece]:
    """Every file, by kind, then by path; the task plays no part."""
    yield from tree.whole(sorted(tree.blobs, key=lambda blob: (kind(blob.path), blob.path)))


def names(tree: Tree, task: str) -> Iterator[Piece]:
    """Files whose paths share words with the task: by kind, then most words, then the shorter path."""
    asked = frozenset(analyse(" ".join(keywords(task))))
    ranked = []
    for blob in tree.blobs:
        terms = frozenset(analyse(str(PurePosixPath(blob.path).with_suffix(""))))
        if common := len(terms & asked):
            ranked.append((kind(blob.path), -common, len(terms), blob.path, blob))
    yield from tree.whole([row[-1] for row in sorted(ranked, key=lambda row: row[:-1])])


def grep(tree: Tree, task: str) -> Iterator[Piece]:
    """Lines around matches, file by file: by kind, then most distinct words, then most matches."""
    asked = [word.encode() for word in keywords(task)]
    if not asked:
        return
    in_kinds = sorted(tree.blobs, key=lambda blob: (kind(blob.path), blob.path))
    for _, of_kind in groupby(in_kinds, key=lambda blob: kind(blob.path)):  # the next only when the last is read
        ranked = []
        for blob, data in tree.texts(list(of_kind)):
            low = data.lower()
            counts = [count for word in asked if (count := low.count(word))]
            if counts:
                ranked.append((-len(counts), -sum(counts), blob.path, blob))
        for blob, data in tree.texts([row[-1] for row in sorted(ranked, key=lambda row: row[:-1])]):
            yield from around(blob.path, data, asked)


def grep_title(tree: Tree, task: str) -> Iterator[Piece]:
    """``grep`` for the words of the first line that holds any."""
    yield from grep(tree, next((line for line in task.splitlines() if keywords(line)), ""))


def around(path: str, data: bytes, asked: Sequence[bytes]) -> Iterator[Piece]:
    """``AROUND`` lines on either side of every line that holds one of the words; windows that touch are one."""
    rows = data.replace(b"\r\n", b"\n").split(b"\n")
    matches = [n for n, row in enumerate(rows) if any(word in row.lower() for word in asked)]
    windows: list[tuple[int, int]] = []
    for number in matches:
        first, end = max(0, number - AROUND), min(len(rows), number + AROUND + 1)
        if windows and first <= windows[-1][1]:
            first = windows.pop()[0]
        windows.append((first, end))
    for first, end in windows:
        yield Piece(path, first + 1, [row.decode(errors="replace") for row in rows[first:end]])


def semble(peer: Semble, tree: Tree, task: str, rev: str) -> Iterator[Piece]:
    """The chunks that the peer hands over, best first; none where it answers nothing."""
    with tempfile.TemporaryDirectory(prefix="bench-") as place:
        folder = Path(place).resolve() / "work"
        folder.mkdir()
        Checkout(tree.git_dir, folder).move(rev)
        try:
            found = peer.chunks(task, folder, Path(place).resolve() / "cache", CHUNKS)
        except subprocess.CalledProcessError:
            return
        for path, first, last in found:
            rows = lines_of((folder / path).read_bytes().decode(errors="replace"))
            yield Piece(path, first, rows[first - 1 : last])


BASELINES: dict[str, Callable[[Tree, str], Iterator[Piece]]] = {
    "everything": everything,
    "names": names,
    "grep": grep,
    "grep-title": grep_title,
}
