"""The model files of this version and their digests."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

# SHA-256 of each; a test compares them with the files. A model that is trained anew changes its line here.
SHIPPED: Mapping[str, str] = {
    "commonness.npz": "ab114a2f0310031253905d29fd082b6d1889920bcf4537223357b357baf5087b",
    "encoder.npz": "0825e2abd6da40962249bbde495dfae98c859fe42e35a31da33b378c5c4178d7",
    "ranker.npz": "9c5a845720c42d918f5dd4c47445c31aacf6df8ba2897ca16632eca1c8fc287b",
    "words.npz": "987ab4b9890e215616b982010e235719d3df8a49c933d4f0e5b95a918344a53e",
}


def damaged(folder: Path | None = None) -> dict[str, str]:
    """Find model files that are missing or not what was shipped, each with what is wrong."""
    where = folder or Path(__file__).parent
    out = {}
    for name, digest in SHIPPED.items():
        try:
            if hashlib.sha256((where / name).read_bytes()).hexdigest() != digest:
                out[name] = "not the file that was shipped"
        except OSError as error:
            out[name] = error.strerror or str(error)
    return out
