"""Where things are for this user: the home folder, the folders that the environment names, which hosts are here."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from zeroin.install import disk
from zeroin.install.hosts import HOSTS, Host, Scope


@dataclass(frozen=True, slots=True)
class Places:
    """The paths of one user, and of one project where `project` is given.

    `program` is the command that starts zeroin: its name where that is found on the PATH, else its path.
    """

    home: Path
    environment: Mapping[str, str]
    project: Path | None = None
    program: tuple[str, ...] = ("zeroin",)

    def scope(self, host: Host) -> Scope:
        return host.user if self.project is None else host.project

    def path(self, host: Host, pattern: str) -> Path:
        """The path that `pattern` of a row of `HOSTS` stands for."""
        if self.project is not None:
            return self.project / pattern.replace("{shared}", ".agents/skills")
        return self._expand(host, pattern.replace("{shared}", "~/.agents/skills"))

    def found(self, host: Host) -> str:
        """What tells that the host is here: a folder, a file or a program; "" where nothing does."""
        for pattern in ("{own}", *host.marks):
            path = self._expand(host, pattern)
            if disk.exists(path):
                return self.short(path)
        if self.project is not None:
            for pattern in (each for server in host.project.servers for each in server.files):
                if disk.exists(self.project / pattern):
                    return pattern
        path_variable = self.environment.get("PATH", "")
        return next((each for each in host.programs if shutil.which(each, path=path_variable)), "")

    def detected(self) -> tuple[Host, ...]:
        """The hosts that are here."""
        return tuple(host for host in HOSTS if self.found(host))

    def short(self, path: Path) -> str:
        """`path` as people write it: below the project or from "~"."""
        for base, name in ((self.project, ""), (self.home, "~/")):
            if base is not None and path.is_relative_to(base):
                return name + path.relative_to(base).as_posix()
        return str(path)

    def _expand(self, host: Host, pattern: str) -> Path:
        moved = self.environment.get(host.variable, "") if host.variable else ""
        own = moved if moved and not host.own.startswith("{base}") else host.own
        config = programs = zed = self._folder("XDG_CONFIG_HOME", ".config")
        if sys.platform == "win32":
            programs = self._folder("APPDATA", "AppData/Roaming")
            zed = programs
        elif sys.platform == "darwin":
            programs, zed = self.home / "Library" / "Application Support", self.home / ".config"
        for name, value in (
            ("own", own),
            ("base", moved or "~"),
            ("config", str(config)),
            ("programs", str(programs)),
            ("zed", str(zed / ("Zed" if sys.platform == "win32" else "zed"))),
        ):
            pattern = pattern.replace(f"{{{name}}}", value)
        return Path(str(self.home) + pattern[1:] if pattern == "~" or pattern.startswith("~/") else pattern)

    def _folder(self, variable: str, default: str) -> Path:
        given = self.environment.get(variable, "")
        return Path(given) if given and Path(given).is_absolute() else self.home / default


def of_user(project: Path | None = None) -> Places:
    """The places of the user who runs this process, and the command that it was started with."""
    # What is committed with a project must not name a folder of this machine.
    program = ("zeroin",) if project is not None else running(sys.argv[0] if sys.argv else "", os.environ)
    return Places(Path.home(), os.environ, project, program)


def running(started: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """The command that starts this zeroin again: `zeroin` where other programs find it by its name, else its path."""
    script = Path(started).absolute()
    if script.stem != "zeroin":  # python -m zeroin
        script = Path(sys.executable).with_name("zeroin.exe" if sys.platform == "win32" else "zeroin")
    if "/uv/archive-v" in script.as_posix() or "/uv/environments-v" in script.as_posix():
        return ("uvx", "--from", "zeroin[mcp]", "zeroin")  # the folder is gone once uv tidies up
    named = shutil.which("zeroin", path=environment.get("PATH", ""))
    active = environment.get("VIRTUAL_ENV", "")
    if named and active and Path(named).is_relative_to(active):
        named = None  # other programs do not find it: it is on the PATH of this terminal only
    if named and (not script.exists() or Path(named).resolve() == script.resolve()):
        return ("zeroin",)
    if script.is_file():
        return (str(script),)
    return (sys.executable, "-m", "zeroin")
