"""Which model of the ranker answers for a repository: one that never saw it, where a folder of such models is given.

A folder of leave-repository-out models holds ``folds.json`` (``owner/name`` → file name in the folder) and those files.
For a repository that it does not name the shipped model answers, which must not have been trained on it.
"""

import json
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from zeroin.errors import ModelError as ModelError
from zeroin.models.ranker import VARIABLE as VARIABLE

FOLDS = "folds.json"


def use_model(folder: Path | None, repo: str) -> Path | None:
    """Let this process, and those it starts, rank ``repo`` (``owner/name``, any case) with its own model.

    Returns the file; None, with the shipped model in use, without a folder or when it does not name the repository.
    To be called before the model is first loaded. Raises ModelError for a folder that is not whole.
    """
    os.environ.pop(VARIABLE, None)
    if folder is None:
        return None
    name = folds(folder).get(repo.lower())
    if name is None:
        return None
    path = (folder / name).resolve()
    if not path.is_file():
        raise ModelError(f"{FOLDS} names {name}, which is not in {folder.name}")
    os.environ[VARIABLE] = str(path)
    return path


@cache
def folds(folder: Path) -> Mapping[str, str]:
    """Lower-cased ``owner/name`` → file name of its model; raises ModelError."""
    try:
        found = json.loads((folder / FOLDS).read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError) as error:
        raise ModelError(f"{folder.name}/{FOLDS}: {error}") from error
    if not isinstance(found, dict) or not all(isinstance(name, str) for name in found.values()):
        raise ModelError(f"{folder.name}/{FOLDS} does not map repositories to file names")
    return {repo.lower(): name for repo, name in found.items()}
