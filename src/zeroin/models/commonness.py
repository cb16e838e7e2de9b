"""How common words are in the way people speak of changes: in how many of many repositories' messages a term occurs."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zeroin.errors import ModelError

FORMAT = 1
SHIPPED = Path(__file__).with_name("commonness.npz")
UNLISTED = 5  # messages that a term which is not listed is taken to occur in


@dataclass(frozen=True, slots=True)
class Commonness:
    """`ids` (T,) uint64, sorted term ids; `holders` (T,) int64, messages that say the term, of `messages`."""

    ids: NDArray[np.uint64]
    holders: NDArray[np.int64]
    messages: int
    card: Mapping[str, object] = field(default_factory=dict)  # what it was counted on, for whoever asks

    def holders_of(self, ids: NDArray[np.uint64]) -> NDArray[np.int64]:
        """In how many messages terms occur; `UNLISTED` for one that is not listed."""
        at = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        return np.where(self.ids[at] == ids, self.holders[at], UNLISTED)

    def save(self, path: Path) -> None:
        """Write the file."""
        header = {"format": FORMAT, "messages": self.messages, "card": dict(self.card)}
        with path.open("wb") as file:
            np.savez_compressed(
                file,
                header=np.frombuffer(json.dumps(header).encode(), np.uint8),
                ids=self.ids,
                holders=self.holders.astype(np.uint32),
            )


@lru_cache(maxsize=1)
def commonness() -> Commonness:
    """The shipped table. Raises `ModelError` for a file that is none."""
    return read_commonness(SHIPPED)


def read_commonness(path: Path) -> Commonness:
    """A table from its file. Raises `ModelError` for a file that is none."""
    try:
        with np.load(path, allow_pickle=False) as parts:
            header = json.loads(bytes(parts["header"]))
            if header["format"] != FORMAT:
                raise ModelError(f"{path}: a table of format {header['format']}, not {FORMAT}")
            ids, holders = parts["ids"].astype(np.uint64), parts["holders"].astype(np.int64)
            table = Commonness(ids, holders, int(header["messages"]), header["card"])
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise ModelError(f"{path}: not a table of terms: {error}") from error
    if not len(ids) or len(ids) != len(holders) or bool((ids[1:] <= ids[:-1]).any()):
        raise ModelError(f"{path}: not a table of terms")
    return table
