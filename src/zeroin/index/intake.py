"""What a snapshot keeps of facts, taken from them as they come: whole, they would fill memory with text and objects."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zeroin.parsing.facts import Facts


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One file of a snapshot.

    `definitions` (n, 5) holds name, parent (-1: none), kind, start and end; names and kinds as numbers of the intake.
    `imports` are those of `Facts` as JSON. The other fields are as in `Facts`.
    """

    language: str
    size: int
    lines: int
    generated: bool
    term_ids: NDArray[np.uint64]
    counts: NDArray[np.uint16]
    names: NDArray[np.uint64]
    definitions: NDArray[np.int32]
    passages: NDArray[np.uint32]
    vectors: NDArray[np.int8]
    imports: str


class Intake:
    """Makes rows of facts; `names` and `kinds` number the names and kinds of definitions as they come."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}
        self.kinds: dict[str, int] = {}

    def take(self, facts: Facts) -> Row:
        """Return the row of a file. Arrays are copied, since those of decoded facts hold on to all of them."""
        names, kinds = self.names, self.kinds
        definitions = [
            (
                names.setdefault(d.name, len(names)),
                names.setdefault(d.parent, len(names)) if d.parent else -1,
                kinds.setdefault(d.kind, len(kinds)),
                d.start,
                d.end,
            )
            for d in facts.definitions
        ]
        imports = [(i.module, i.names, i.line) for i in facts.imports]
        return Row(
            facts.language,
            facts.size,
            facts.lines,
            facts.generated,
            facts.term_ids.copy(),
            facts.counts.copy(),
            facts.names.copy(),
            np.array(definitions, np.int32).reshape(-1, 5),
            facts.passages.copy(),
            facts.vectors.copy(),
            json.dumps(imports, separators=(",", ":")) if imports else "",
        )
