"""Read the code of a Jupyter notebook, which is JSON, as a Python file whose line numbers are those of the notebook."""

import json
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from zeroin.patterns import lazy_pattern

_SOURCE = lazy_pattern(r'(?:^|[{,])\s*"(?:source|input)"\s*:\s*(?=\S)')  # nbformat 3 has the code under `input`
_COMMAND = lazy_pattern(r"\s*(?:%%?[A-Za-z]|!(?!=)|\?)")
_PYTHON_CELL = lazy_pattern(r"\s*%%(?:time|timeit|capture|memit|prun|py|python|python3)\b")
_DECODER = json.JSONDecoder()


class _Block(NamedTuple):
    """Lines of a cell's text, and the row that holds the first of them."""

    first: int
    lines: list[str]


def notebook_code(text: str) -> str:
    """Return code and, as comments, prose of a notebook's cells, each line where the file has it; all else is blank.

    What is no notebook, or has no text in its cells, is returned as it is. Cells of a language that is not Python
    are read as Python, too; commands of IPython become comments. Never raises.
    """
    if '"cell_type"' not in text:
        return text
    try:
        kinds = _kinds(json.loads(text))
    except (ValueError, RecursionError, TypeError, AttributeError):
        return text
    rows = [row.rstrip() for row in text.split("\n")]
    out = [""] * len(rows)
    last = -1
    for first, lines in _blocks(rows):
        left = kinds.get("".join(lines), deque())
        while left and left[0][0] <= last:
            left.popleft()
        if left:  # else it is the `source` of something else than a cell
            last, kind = left.popleft()
            shown = _python(lines) if kind == "code" else [f"# {line}" for line in lines]
            for row, line in enumerate(map(_one_row, shown), first):
                out[row] = f"{out[row]} {line}" if out[row] else line
    code = "\n".join(out).encode("utf-8", "replace").decode()
    return code if last >= 0 else text


def _kinds(notebook: Mapping[str, Any]) -> Mapping[str, deque[tuple[int, str]]]:
    """Return by their text the cells that have one: their places, ascending, and kinds."""
    found: defaultdict[str, deque[tuple[int, str]]] = defaultdict(deque)
    sheets = [notebook] if "cells" in notebook else notebook.get("worksheets", ())  # nbformat 4 and 3
    for place, cell in enumerate(cell for sheet in sheets for cell in sheet.get("cells", ())):
        if said := "".join(cell.get("source", cell.get("input", ""))):
            found[said].append((place, cell.get("cell_type", "code")))
    return found


def _blocks(rows: Sequence[str]) -> Iterator[_Block]:
    """Yield the strings below every `"source"`, one in each row, or all that its own row holds."""
    for at, row in enumerate(rows):
        found = _SOURCE.search(row) if '"source"' in row or '"input"' in row else None
        while found is not None:
            if row.endswith("[") and found.end() == len(row) - 1:
                yield _Block(at + 1, list(_strings(rows, at + 1)))
                break
            value, end = _loaded(row, found.end())
            yield _Block(at, [value if isinstance(value, str) else "".join(filter(_is_text, value))])
            found = _SOURCE.search(row, end)


def _strings(rows: Sequence[str], at: int) -> Iterator[str]:
    """Yield the strings of a list, one a row, from row `at` to the bracket that closes it."""
    for number in range(at, len(rows)):  # a slice for each block would take time quadratic in their number
        row = rows[number].strip()
        value, end = _loaded(row, 0)
        if isinstance(value, str):
            yield value
        if row[end:].strip() != "," or not isinstance(value, str):
            return


def _loaded(row: str, at: int) -> tuple[str | list[Any], int]:
    """Return the JSON string or list at a place of a row, and where it ends; an empty list where there is none."""
    try:
        return _DECODER.raw_decode(row, at) if row[at : at + 1] in ('"', "[") else ([], at)
    except (ValueError, RecursionError):
        return [], len(row)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _python(lines: Sequence[str]) -> list[str]:
    """Make comments of the commands of IPython, and of a whole cell in another language."""
    first = next((line for line in lines if line.strip()), "")
    other = first.lstrip().startswith("%%") and not _PYTHON_CELL.match(first)
    out: list[str] = []
    goes_on = False  # a command in the line before, which ends in a backslash
    for line in lines:
        command = other or goes_on or bool(_COMMAND.match(line))
        goes_on = command and line.rstrip().endswith("\\")
        out.append(f"# {line}" if command else line)
    return out


def _one_row(line: str) -> str:
    """Keep a line, without its end; several that the file has in one row become a comment: Python has no such row."""
    line = line.rstrip("\r\n")
    return f"# {' '.join(line.split())}" if "\n" in line else line
