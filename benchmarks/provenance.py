"""Where a result file comes from: commit, machine, versions, command."""

import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LIBRARIES = ("zeroin", "numpy", "tree-sitter", "PyStemmer", "ir-measures", "bm25s")
MEASURED = ("src",)  # only changes here can change an answer of the product


def provenance(module: str, arguments: Sequence[str]) -> dict[str, Any]:
    """Commit and dirty flag, machine, Python and library versions, and the command with local folders shortened."""
    commit, dirty = commit_of(ROOT)
    return {
        "commit": commit,
        "dirty": dirty,
        "command": command(module, arguments),
        "machine": machine(),
        "python": platform.python_version(),
        "libraries": {name: found for name in LIBRARIES if (found := _version(name))},
    }


def commit_of(root: Path) -> tuple[str, bool]:
    """The checkout's commit, and whether the product's sources differ from it; ("unknown", True) outside git."""
    try:
        commit = _git(root, "rev-parse", "HEAD")
        return commit, bool(_git(root, "status", "--porcelain", "--", *MEASURED))
    except (OSError, subprocess.CalledProcessError):
        return "unknown", True


def command(module: str, arguments: Sequence[str]) -> str:
    """The command as typed, folders of the machine left out: ``--data /x/y`` reads ``--data DATA``."""
    shown = ["python", "-m", module]
    for argument in arguments:
        name, equals, value = argument.rpartition("=")
        if not Path(value).is_absolute():
            shown.append(argument)
        elif equals:
            shown.append(f"{name}={Path(value).name}")
        else:
            shown.append(shown[-1].lstrip("-").upper())
    return " ".join(shown)


def file_stamp(path: Path) -> dict[str, str]:
    """What identifies answers that were made earlier: SHA-256 and time of last change (UTC)."""
    changed = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")
    return {"sha256": sha256(path.read_bytes()).hexdigest(), "changed": changed}


def machine() -> dict[str, Any]:
    """CPU model, cores, memory in bytes and operating system."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else None
    return {"cpu": _cpu(), "cores": os.cpu_count(), "memory": memory, "system": platform.platform(terse=True)}


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or sys.platform


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True
    ).stdout.strip()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
