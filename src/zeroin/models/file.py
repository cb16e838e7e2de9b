"""Model files: a JSON header and arrays in one npz. A large array that is not compressed is mapped, not copied."""

import json
import os
import struct
import zipfile
import zlib
from collections import ChainMap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from zeroin.errors import ModelError
from zeroin.models.shipped import check

FORMAT = 1
_LARGE = 1 << 20  # bytes of an array that is mapped: the processes of an indexing share its pages
Header = Mapping[str, Any]
Arrays = Mapping[str, NDArray[Any]]
T = TypeVar("T")
# In front of a member of a zip file: how long its name and its further fields are, and where that stands.
_LENGTHS, _LENGTHS_AT = struct.Struct("<HH"), 26

# Errors of the readers of zip files, arrays and JSON; `MemoryError`, since an array may claim any size.
_OF_PYTHON = (OSError, EOFError, LookupError, TypeError, ValueError, RuntimeError, MemoryError)
_NO_MODEL = (*_OF_PYTHON, AttributeError, zipfile.BadZipFile, zlib.error)


def read(path: Path, kind: str, build: Callable[[Header, Arrays], T]) -> T:
    """Build a model from its file. Raises `ModelError`, also for a `KeyError` or `ValueError` of `build`.

    A file at the path of a shipped model must be the shipped file.
    """
    try:
        with path.open("rb") as file:
            if not zipfile.is_zipfile(file):  # NumPy would advise to unpickle it
                raise ValueError("it is no npz file, as the models of zeroin are")
        with np.load(path, allow_pickle=False) as arrays:
            check(path, arrays.zip)
            header = json.loads(bytes(arrays["header"]))
            if header["format"] != FORMAT:
                raise ValueError(f"its format is {header['format']}, not {FORMAT}")
            large = [part for part in arrays.zip.infolist() if _is_mapped(part)]
            mapped = {part.filename.removesuffix(".npy"): _mapped(path, arrays.zip, part) for part in large}
            return build(header, ChainMap(mapped, arrays))
    except _NO_MODEL as error:
        raise ModelError(f"{path}: not {kind}: {error}") from error


def _is_mapped(part: zipfile.ZipInfo) -> bool:
    """Tell whether an array is mapped: not on Windows, where a mapped file cannot be replaced."""
    return part.compress_type == zipfile.ZIP_STORED and part.file_size >= _LARGE and os.name != "nt"


def _mapped(path: Path, archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> NDArray[Any]:
    """Map an array of an npz file. Raises `BadZipFile` if its checksum is wrong."""
    with archive.open(part) as member:
        if np.lib.format.read_magic(member) != (1, 0):
            raise ValueError("its arrays have another form")
        shape, by_column, kind = np.lib.format.read_array_header_1_0(member)
        start = member.tell()
        while member.read(_LARGE):  # at the end it compares the checksum
            pass
    with path.open("rb") as file:
        file.seek(part.header_offset + _LENGTHS_AT)
        name, more = _LENGTHS.unpack(file.read(_LENGTHS.size))
    at = part.header_offset + _LENGTHS_AT + _LENGTHS.size + name + more + start
    return np.asarray(np.memmap(path, kind, "r", at, shape, "F" if by_column else "C"))
