"""The word table: which words name code of which people speak in which words, learned from many repositories.

`training/words.py` makes it; `docs/TERMINOLOGY.md` says from what. Terms are the analyser's (`terms.analyse_word`).
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zeroin.errors import ModelError

FORMAT = 1
SHIPPED = Path(__file__).with_name("words.npz")
STEPS = 255  # of a stored weight


@dataclass(frozen=True, slots=True)
class Follower:
    """A term that names code where a word is said; weight in 0–1, learned from that many repositories."""

    term: str
    weight: float
    repositories: int


@dataclass(frozen=True, eq=False)
class WordTable:
    """For each of T terms that tasks say, the terms of names that follow.

    `terms` are all strings of the table, said ones first (T of them, sorted); rows `pointers[t]:pointers[t + 1]` of
    `followers` (N,) uint16, places in `terms`, `weights` (N,) uint8 and `repositories` (N,) uint8, strongest first.
    """

    terms: tuple[str, ...]
    pointers: NDArray[np.int64]
    followers: NDArray[np.uint16]
    weights: NDArray[np.uint8]
    repositories: NDArray[np.uint8]
    card: Mapping[str, object] = field(default_factory=dict)

    @cached_property
    def _place(self) -> dict[str, int]:
        return {term: i for i, term in enumerate(self.terms[: len(self.pointers) - 1])}

    def following(self, term: str) -> list[Follower]:
        """What names code of which a term is said, strongest first; empty for a term that the table lacks."""
        at = self._place.get(term)
        if at is None:
            return []
        rows = slice(int(self.pointers[at]), int(self.pointers[at + 1]))
        return [
            Follower(self.terms[place], weight / STEPS, count)
            for place, weight, count in zip(
                self.followers[rows].tolist(),
                self.weights[rows].tolist(),
                self.repositories[rows].tolist(),
                strict=True,
            )
        ]

    def save(self, path: Path) -> None:
        """Write the file."""
        header = {"format": FORMAT, "card": dict(self.card)}
        with path.open("wb") as file:
            np.savez_compressed(
                file,
                header=np.frombuffer(json.dumps(header).encode(), np.uint8),
                terms=np.frombuffer("\n".join(self.terms).encode(), np.uint8),
                counts=np.diff(self.pointers).astype(np.uint16),
                followers=self.followers.astype(np.uint16),
                weights=self.weights.astype(np.uint8),
                repositories=self.repositories.astype(np.uint8),
            )

    @classmethod
    def pack(
        cls, rows: Mapping[str, Sequence[Follower]], card: Mapping[str, object] | None = None
    ) -> WordTable:
        """The table of these rows. Raises `ValueError` for more than 65,536 terms."""
        said = sorted(rows)
        others = {f.term for found in rows.values() for f in found} - rows.keys()
        terms = (*said, *sorted(others))
        if len(terms) > np.iinfo(np.uint16).max + 1:
            raise ValueError(f"{len(terms)} terms are too many")
        place = {term: i for i, term in enumerate(terms)}
        listed = [f for term in said for f in rows[term]]
        return cls(
            terms=terms,
            pointers=np.r_[0, np.cumsum([len(rows[term]) for term in said])].astype(np.int64),
            followers=np.array([place[f.term] for f in listed], np.uint16),
            weights=np.array([round(min(1.0, max(0.0, f.weight)) * STEPS) for f in listed], np.uint8),
            repositories=np.array([min(255, f.repositories) for f in listed], np.uint8),
            card=card or {},
        )


def read_words(path: Path) -> WordTable:
    """A table from its file. Raises `ModelError` for a file that is none."""
    try:
        with np.load(path, allow_pickle=False) as parts:
            header = json.loads(bytes(parts["header"]))
            if header["format"] != FORMAT:
                raise ModelError(f"{path}: a word table of format {header['format']}, not {FORMAT}")
            table = WordTable(
                terms=tuple(bytes(parts["terms"]).decode().split("\n")),
                pointers=np.r_[0, np.cumsum(parts["counts"], dtype=np.int64)],
                followers=parts["followers"],
                weights=parts["weights"],
                repositories=parts["repositories"],
                card=header["card"],
            )
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise ModelError(f"{path}: not a word table: {error}") from error
    if len(table.followers) and int(table.followers.max()) >= len(table.terms):
        raise ModelError(f"{path}: a word follows that is not listed")
    return table


@lru_cache(maxsize=1)
def word_table() -> WordTable:
    """The shipped table. Raises `ModelError`."""
    return read_words(SHIPPED)
