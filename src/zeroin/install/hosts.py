"""The hosts as hosts.toml describes them, and where their files are for this user."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from zeroin.beside import table_beside
from zeroin.config import home_folder
from zeroin.corpus.git_process import find_program
from zeroin.install.entries import Json
from zeroin.install.texts import AGENT_NAME


@dataclass(frozen=True, slots=True)
class Server:
    """A configuration file that names MCP servers; hosts.toml explains the fields."""

    files: list[str]
    entry: dict[str, Any]
    tables: Sequence[Sequence[str]] = (("mcpServers",),)
    where: str = ""
    add: Sequence[str] = ()
    remove: Sequence[str] = ()

    def filled(self, program: tuple[str, ...]) -> dict[str, Json]:
        """Return the entry that starts the MCP server of `program`."""
        arguments: list[Json] = [*program[1:], "mcp"]
        values: dict[str, Json] = {"{program}": program[0], "{arguments}": arguments}
        values["{all}"] = [program[0], *arguments]
        return {k: values.get(v, v) if isinstance(v, str) else v for k, v in self.entry.items()}


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a host looks, for the user or in a project."""

    servers: list[Server]
    agent: str
    instructions: str
    skills: str = "{shared}"


@dataclass(frozen=True, slots=True)
class Host:
    """One host; hosts.toml explains the fields."""

    name: str
    title: str
    own: str
    programs: list[str]
    user: Scope
    project: Scope
    variable: str = ""
    marks: Sequence[str] = ()


@cache
def all_hosts() -> tuple[Host, ...]:
    """Read the table of hosts."""
    rows = table_beside(__file__, "hosts.toml")
    return tuple(msgspec.convert({**row, "name": name}, Host) for name, row in rows.items())


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
        """Return the path that a pattern of hosts.toml stands for."""
        pattern = pattern.replace("{agent}", AGENT_NAME)
        if self.project is not None:
            return self.project / pattern.replace("{shared}", ".agents/skills")
        return self._expand(host, pattern.replace("{shared}", "~/.agents/skills"))

    def which(self, program: str) -> str | None:
        """Return the path of a program on the PATH of this user."""
        return find_program(program, self.environment.get("PATH", ""))

    def found(self, host: Host) -> bool:
        """Tell whether a folder, a file or a program of the host is on this machine."""
        paths = [self._expand(host, pattern) for pattern in ("{own}", *host.marks)]
        if self.project is not None:
            paths += [self.project / name for server in host.project.servers for name in server.files]
        return any(map(exists, paths)) or any(map(self.which, host.programs))

    def short(self, path: Path) -> str:
        """Return `path` as people write it: below the project or from "~"."""
        for base, name in ((self.project, ""), (self.home, "~/")):
            if base is not None and path.is_relative_to(base):
                return name + path.relative_to(base).as_posix()
        return str(path)

    def _expand(self, host: Host, pattern: str) -> Path:
        moved = self.environment.get(host.variable, "") if host.variable else ""
        own = moved if moved and not host.own.startswith("{base}") else host.own
        config = programs = self._folder("XDG_CONFIG_HOME", ".config")
        zed = config / "zed"
        if sys.platform == "win32":
            programs = self._folder("APPDATA", "AppData/Roaming")
            zed = programs / "Zed"
        elif sys.platform == "darwin":
            programs, zed = self.home / "Library" / "Application Support", self.home / ".config" / "zed"
        values = {"own": own, "base": moved or "~", "config": config, "programs": programs, "zed": zed}
        for name, value in values.items():
            pattern = pattern.replace(f"{{{name}}}", str(value))
        return self.home / pattern[2:] if pattern == "~" or pattern.startswith("~/") else Path(pattern)

    def _folder(self, variable: str, default: str) -> Path:
        given = self.environment.get(variable, "")
        return Path(given) if given and Path(given).is_absolute() else self.home / default


def exists(path: Path) -> bool:
    """Tell whether a path exists; False where access is denied or links lead in a circle."""
    return os.path.exists(path)  # noqa: PTH110 - Path.exists() may raise


def project_of(path: Path) -> Path:
    """Return the repository that a folder lies in, else the folder."""
    whole = path.absolute()
    return next((each for each in (whole, *whole.parents) if exists(each / ".git")), path)


def of_user(project: Path | None = None) -> Places:
    """Return the places of the user who runs this process, and the command that it was started with."""
    # What is committed with a project must not name a folder of this machine.
    program = ("zeroin",) if project is not None else running(sys.argv[0] if sys.argv else "", os.environ)
    return Places(home_folder(), os.environ, project, program)


def running(started: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the command that starts this zeroin: `zeroin` where other programs find it by its name, else its path."""
    script = Path(started).absolute()
    if script.stem != "zeroin":  # python -m zeroin
        script = Path(sys.executable).with_name("zeroin.exe" if sys.platform == "win32" else "zeroin")
    if "/uv/archive-v" in script.as_posix() or "/uv/environments-v" in script.as_posix():
        return ("uvx", "--from", "zeroin[mcp]", "zeroin")  # the folder is gone once uv tidies up
    named = find_program("zeroin", environment.get("PATH", ""))
    active = environment.get("VIRTUAL_ENV", "")
    if named and active and Path(named).is_relative_to(active):
        named = None  # it is on the PATH of this terminal only
    if named and (not script.exists() or Path(named).resolve() == script.resolve()):
        return ("zeroin",)
    return (str(script),) if script.is_file() else (sys.executable, "-m", "zeroin")
