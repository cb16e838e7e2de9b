"""Read the code of a Jupyter notebook, which is JSON, as a Python file whose line numbers are those of the notebook."""

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from zeroin.patterns import lazy_pattern

_SOURCE = lazy_pattern(r'\s*"source"\s*:\s*(\[|".*",?)\s*$')
_MAGIC = lazy_pattern(r"\s*[%!?]")
_PYTHON_MAGIC = lazy_pattern(r"\s*%%(?:time|timeit|capture|memit|prun|py|python|python3)\b")  # the cell is Python still


class _Cell(msgspec.Struct):
    cell_type: str
    source: list[str] | str


class _Notebook(msgspec.Struct):
    cells: list[_Cell]


class _Block(NamedTuple):
    """Lines of a cell, and the row that holds the first of them."""

    cell: _Cell
    first: int
    lines: list[str]


def notebook_code(text: str) -> str:
    """Return code and, as comments, prose of a notebook's cells, each line where the file has it; all else is blank.

    What is no notebook, or has its cells in other lines than Jupyter writes, is returned as it is. Cells of a language
    that is not Python are read as Python, too; commands of IPython become comments.
    """
    if not text.startswith("{") or '"cell_type"' not in text:
        return text
    try:
        cells = msgspec.json.decode(text, type=_Notebook).cells
    except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
        return text
    rows = text.split("\n")
    found = list(_blocks(rows, [cell for cell in cells if cell.source]))
    if not found:
        return text
    out = [""] * len(rows)
    for cell, first, lines in found:
        shown = _python(lines) if cell.cell_type == "code" else [f"# {line}" for line in lines]
        out[first : first + len(lines)] = [_one_row(line) for line in shown]
    return "\n".join(out)


def _blocks(rows: Sequence[str], cells: Sequence[_Cell]) -> Iterator[_Block]:
    """Find the rows of each cell's source, in order; a `source` of something else does not hold the cell's text."""
    left = iter(cells)
    cell = next(left, None)
    for at, row in enumerate(rows):
        found = _SOURCE.match(row) if '"source"' in row else None
        if found is None or cell is None:
            continue
        is_list = found[1] == "["
        written = list(rows[at + 1 : at + 1 + len(cell.source)]) if is_list else [found[1]]
        lines = [cell.source] if isinstance(cell.source, str) else cell.source
        if list(map(_string, written)) == lines:
            yield _Block(cell, at + 1 if is_list else at, [line.rstrip("\r\n") for line in lines])
            cell = next(left, None)


def _one_row(line: str) -> str:
    """Keep a line; several that the file has in one row become a comment, for Python has no such row."""
    return f"# {' '.join(line.split())}" if "\n" in line else line


def _string(row: str) -> str | None:
    """Return the JSON string that a row holds, None if it holds something else."""
    try:
        value = json.loads(row.strip().removesuffix(","))
    except ValueError:
        return None
    return value if isinstance(value, str) else None


def _python(lines: Sequence[str]) -> list[str]:
    """Make comments of the commands of IPython, and of a whole cell in another language."""
    first = next((line for line in lines if line.strip()), "")
    is_other = first.lstrip().startswith("%%") and not _PYTHON_MAGIC.match(first)
    return [f"# {line}" if is_other or _MAGIC.match(line) else line for line in lines]
