"""Python, the libraries below zeroin, and git."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import sys
from importlib import metadata, util
from pathlib import Path

from zeroin import __version__
from zeroin.context.clean import line
from zeroin.corpus.git import OLDEST_GIT
from zeroin.doctor.check import Check

_AREA = "machine"
_OLDEST_PYTHON = (3, 11)


def machine() -> list[Check]:
    """The version of zeroin here and on PATH, of Python, of git, and of the SDK for MCP where that is installed."""
    return [_zeroin(), _python(), _git(), _mcp()]


def _zeroin() -> Check:
    told = __version__
    found = shutil.which("zeroin")
    if found is None:
        advice = "hosts start it by name: put the folder of the program `zeroin` on PATH"
        return Check(_AREA, "zeroin", "warn", f"{told}, not on PATH", advice)
    other = _other_version(found)
    if other:
        advice = "hosts start the one on PATH: upgrade it, or remove it and put this one there"
        return Check(_AREA, "zeroin", "warn", f"{told}, but {other} is on PATH: {found}", advice)
    return Check(_AREA, "zeroin", "ok", f"{told} at {found}")


def _other_version(program: str) -> str:
    """The version that another installation's program tells, if it is not ours; "" for our own."""
    if Path(program).resolve().parent == Path(sys.executable).parent.resolve():
        return ""
    try:
        out = subprocess.run([program, "--version"], capture_output=True, timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return "one that does not run"
    version = out.decode("utf-8", "replace").strip().removeprefix("zeroin ")
    return "" if version == __version__ else line(version)[:40] or "one without a version"


def _python() -> Check:
    told = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    if sys.version_info[:2] < _OLDEST_PYTHON:
        oldest = ".".join(map(str, _OLDEST_PYTHON))
        return Check(_AREA, "python", "bad", told, f"install zeroin with Python {oldest} or later")
    return Check(_AREA, "python", "ok", told)


def _git() -> Check:
    oldest = ".".join(map(str, OLDEST_GIT))
    found = shutil.which("git")
    if found is None:
        advice = (
            f"install git {oldest} or later and put it on PATH; without it, only plain folders are searched"
        )
        return Check(_AREA, "git", "bad", "not found on PATH", advice)
    try:
        out = subprocess.run([found, "version"], capture_output=True, timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError) as error:
        return Check(_AREA, "git", "bad", f"{found} does not run: {error}", f"install git {oldest} or later")
    version = re.search(rb"(\d+)\.(\d+)(?:\.\d+)*", out)
    if version is None:
        return Check(_AREA, "git", "bad", f"{found} tells no version", f"install git {oldest} or later")
    told = f"{version[0].decode()} at {found}"
    if (int(version[1]), int(version[2])) < OLDEST_GIT:
        advice = f"install git {oldest} or later: older ones cannot be kept from running what a repository configures"
        return Check(_AREA, "git", "bad", told, advice)
    return Check(_AREA, "git", "ok", told)


def _mcp() -> Check:
    if util.find_spec("mcp") is None:
        advice = "only if a host is to ask over MCP: pip install 'zeroin[mcp]'"
        return Check(_AREA, "mcp", "ok", "the extra is not installed (optional)", advice)
    try:
        version = metadata.version("mcp")
    except metadata.PackageNotFoundError:
        return Check(_AREA, "mcp", "warn", "a module named mcp is in the way", "pip install 'zeroin[mcp]'")
    if not re.match(r"[2-9]|\d\d", version):
        return Check(_AREA, "mcp", "warn", f"the SDK is {version}", "pip install --upgrade 'zeroin[mcp]'")
    return Check(_AREA, "mcp", "ok", f"SDK {version}: `zeroin mcp` works")
