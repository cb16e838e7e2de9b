"""The model files of this version and their digests."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile


class Digests(NamedTuple):
    """SHA-256 of a whole file, which `doctor` checks, and of the list of its arrays, which loading checks."""

    file: str
    arrays: str


# A test compares them with the files. A model that is trained anew changes its lines here.
SHIPPED: Mapping[str, Digests] = {
    "commonness.npz": Digests(
        "ab114a2f0310031253905d29fd082b6d1889920bcf4537223357b357baf5087b",
        "430e5da279987efa73626f243c777fd2c70560cb15b3b07f8477fc952bfac967",
    ),
    "encoder.npz": Digests(
        "29d212b3b07c28d0fda108e2057b233802bdb741bc5b6454f7612cea3a4a9a2c",
        "86f72375312a799b5979a18bf2cda19c405140f1f68f898845a3bb7eb6c95b4f",
    ),
    "ranker.npz": Digests(
        "ee7100a8d9fde0c974f2d323bf9b41ca7eaaf2ada903984160e2a1fe6cd2e447",
        "42a2fe4ac2a7285e0be5560def7aba63ad46517ea63af99e1f833a1811d2742c",
    ),
    "reader.npz": Digests(
        "fb09c6b51b815b0ef82a5d726584c03971dc1679641c4f08a5d587737f14e630",
        "54e63e3491a1f21fe6b90ed20e9ed7845820d255eb8e29f23af55cda3b06435a",
    ),
    "words.npz": Digests(
        "987ab4b9890e215616b982010e235719d3df8a49c933d4f0e5b95a918344a53e",
        "5bf1ed8cc2e02d5ecaec31fff8c9853dcddf567760114a66807924067daf73bf",
    ),
}
FOLDER = Path(__file__).parent


def damaged(folder: Path = FOLDER) -> dict[str, str]:
    """Find model files that are missing or differ from the shipped ones: file name → what is wrong."""
    out = {}
    for name, digests in SHIPPED.items():
        try:
            if hashlib.sha256((folder / name).read_bytes()).hexdigest() != digests.file:
                out[name] = "not the file that was shipped"
        except OSError as error:
            out[name] = error.strerror or str(error)
    return out


def check(path: Path, archive: ZipFile) -> None:
    """Raise `ValueError` if a file at the path of a shipped model has other arrays than the shipped one.

    Compares only the list of arrays, to read nothing twice: the list holds each array's checksum, which reading checks.
    """
    known = SHIPPED.get(path.name) if path.parent == FOLDER else None
    if known is not None and digest_of(archive) != known.arrays:
        raise ValueError("it is not the file that was shipped")


def digest_of(archive: ZipFile) -> str:
    """Hash the names, sizes and checksums of an archive's members with SHA-256."""
    listed = "".join(f"{part.filename} {part.file_size} {part.CRC}\n" for part in archive.infolist())
    return hashlib.sha256(listed.encode()).hexdigest()
