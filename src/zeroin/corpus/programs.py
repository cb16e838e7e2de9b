"""Where programs are: only what an absolute folder of the search path holds is run, never what lies where we work."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def find_program(name: str, search: str | None = None) -> str | None:
    """Return the path of a program on a search path, PATH by default; None where it is not.

    A folder of the path that is not absolute (`.`, or nothing) is left out, and so is the current folder, where
    Windows would look first: what lies there is data.
    """
    found = os.environ.get("PATH", os.defpath) if search is None else search
    folders = [folder for folder in found.split(os.pathsep) if Path(folder).is_absolute()]
    os.environ.setdefault("NoDefaultCurrentDirectoryInExePath", "1")
    return shutil.which(name, path=os.pathsep.join(folders))
