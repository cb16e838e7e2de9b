"""Model files: a JSON header and arrays in one npz."""

import json
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from zeroin.errors import ModelError
from zeroin.models.shipped import check

FORMAT = 1
Header = Mapping[str, Any]
Arrays = Mapping[str, NDArray[Any]]
T = TypeVar("T")

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
            return build(header, arrays)
    except _NO_MODEL as error:
        raise ModelError(f"{path}: not {kind}: {error}") from error
