"""Full disks, forbidden folders, little memory, few open files: the answer comes, or one line says what to do."""

import os
import resource
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.faults.place import ASK, World, faults_of, left_behind
from benchmarks.faults.running import Done

_NOBODY = 65_534
_STRANGER = 54_321  # a user id without a name and a home
_MOST_LINES = 2  # on stderr beside an answer
_COMMANDS: dict[str, Sequence[str]] = {
    "ask": ASK,
    "ask with workers": (*ASK[:-1], "2"),
    "index": ("index", "REPO"),
    "index --export": ("index", "REPO", "--export", "HOME/exported.index"),
    "index --import": ("index", "REPO", "--import", "EXPORT"),
    "learn": ("learn", "Print the refund ledger twice", "REPO", "--relevant", "README.md"),
    "learn --show": ("learn", "--show", "REPO"),
    "ask -o": (*ASK, "-o", "HOME/answer.json"),
    "install": ("install", "claude", "--yes"),
    "cache --clear": ("cache", "--clear"),
    "cache --prune": ("cache", "--prune"),
}
_ANSWERS = ("ask", "ask with workers", "index", "learn --show")  # come whatever is wanting


@dataclass(frozen=True)
class Want:
    """What is wanting: `before` is run in the process, `prepare` on its home, `env` overrides variables."""

    name: str
    before: Callable[[], None] | None = None
    prepare: Callable[[Path], None] | None = None
    env: Mapping[str, str | None] = field(default_factory=dict)
    homes: Sequence[str] = ("empty", "warm")
    commands: Sequence[str] = tuple(_COMMANDS)
    no_answer: Sequence[str] = ()  # commands of which one line and exit code 2 are as good


def _limit(what: int, most: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(what, (most, most))


def _all(home: Path, mode: int) -> None:
    for path in (home, *home.rglob("*")):
        if path.is_dir():
            path.chmod(mode)


def _as_user(number: int) -> Callable[[], None]:
    def become() -> None:
        os.setgroups([])
        os.setgid(number)
        os.setuid(number)

    return become


def _no_folder(name: str) -> Callable[[Path], None]:
    def prepare(home: Path) -> None:
        shutil.rmtree(home / name, ignore_errors=True)
        (home / name).write_text("a file where a folder should be\n")

    return prepare


def _read_only(home: Path) -> None:
    _all(home, 0o555)


def wants() -> list[Want]:
    """All that can be wanting here: some of it takes root to be made."""
    root = os.geteuid() == 0
    forbid = _as_user(_NOBODY) if root else None
    out = [
        *(
            Want(f"files of at most {n:,} bytes", _limit(resource.RLIMIT_FSIZE, n))
            for n in (0, 512, 4_096, 40_000, 90_000)
        ),
        Want("64 open files", _limit(resource.RLIMIT_NOFILE, 64)),
        Want("512 MB of address space", _limit(resource.RLIMIT_AS, 512 << 20), no_answer=tuple(_COMMANDS)),
        Want("a cache that is a file", prepare=_no_folder("cache")),
        Want("a data folder that is a file", prepare=_no_folder("data")),
        Want("no folder for temporary files", env={"TMPDIR": "/nonexistent", "TEMP": "/nonexistent"}),
        Want(
            "a home that is not there",
            env={"HOME": "/nonexistent/home", "ZEROIN_CACHE_DIR": None, "ZEROIN_DATA_DIR": None},
            homes=("empty",),
        ),
        Want("read-only folders", forbid, _read_only),
    ]
    if root:
        nameless = {"HOME": None, "ZEROIN_CACHE_DIR": None, "ZEROIN_DATA_DIR": None}
        out += [
            Want(
                "folders of another user",
                forbid,
                lambda home: _all(home, 0o700),
                no_answer=("learn --show",),  # what it shows cannot be read
            ),
            Want("readable folders of another user", forbid, lambda home: _all(home, 0o755)),
            Want(
                "a user without a home", _as_user(_STRANGER), env=nameless, homes=("empty",), no_answer=tuple(_COMMANDS)
            ),
        ]
    return out


def scarce(world: World, tell: Callable[[str], None]) -> dict[str, Any]:
    """Run every command with everything wanting in turn, then ask with nothing wanting."""
    world.place.chmod(0o755)
    wrong: list[str] = []
    rows: dict[str, Any] = {}
    for want in wants():
        tried = answered = 0
        for name in want.commands:
            for home in want.homes:
                done, found = trial(world, want, name, home)
                tried += 1
                answered += done.code == 0
                wrong += [f"{want.name}, {name}, {home}: {fault}" for fault in found]
                for fault in found:
                    tell(f"{want.name}, {name}, {home}: {fault}")
        rows[want.name] = {"commands": tried, "done": answered}
    rows |= full_disks(world, wrong, tell)
    return {"commands": sum(row["commands"] for row in rows.values()), "wants": rows, "faults": wrong}


def trial(world: World, want: Want, name: str, of: str) -> tuple[Done, list[str]]:
    """Run one command with something wanting; returns how it ended, and what is wrong with that and afterwards."""
    home = world.home(of=of)
    if want.prepare:
        want.prepare(home)
    arguments = [word.replace("HOME", str(home)) for word in _COMMANDS[name]]
    fork = world.fork and "address space" not in want.name  # what this process has would count
    done = world.run(arguments, home, env=want.env, before=want.before, fork=fork)
    wrong = _judged(world, want, name, done)
    if want.prepare:
        _all(home, 0o755)
    elif not want.env:  # nothing wanting any more
        wrong += [f"afterwards: {fault}" for fault in faults_of(world.ask(home), world.clean)]
        if left := [n for n in left_behind(home) if not n.startswith(("exported.index/zeroin-", "answer.json"))]:
            wrong.append(f"left {left}")
    return done, wrong


def _judged(world: World, want: Want, name: str, done: Done) -> list[str]:
    if done.code == 2 and (name in want.no_answer or name not in _ANSWERS):
        return ["a traceback"] * ("Traceback" in done.err) + [f"said {done.said}"] * (len(done.said) != 1)
    clean = world.clean if _COMMANDS[name][0] == "find" and "-o" not in _COMMANDS[name] else None
    wrong = faults_of(done, clean, may_warn=True, codes=(0, 1) if name == "install" else (0,))
    if len(done.said) > _MOST_LINES and name != "install":
        wrong.append(f"said {done.said}")
    return wrong


_PAGES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40, 48, 56, 64)


def full_disks(
    world: World, wrong: list[str], tell: Callable[[str], None], pages: Sequence[int] = _PAGES
) -> dict[str, Any]:
    """Ask with a cache and data on a file system of so many bytes, which only this process sees."""
    tried = answered = 0
    for size in pages:
        for name in ("ask", "index", "learn"):
            home = world.home(of="empty")
            for folder in ("cache", "data"):
                (home / folder).mkdir()
            mount = f"mount -t tmpfs -o size={size * 4}k none"
            script = f'{mount} "$1/cache" && {mount} "$1/data" && shift && exec "$@"'
            prefix = ["unshare", "-rm", "/bin/sh", "-c", script, "sh", str(home)]
            if not tried and subprocess.run([*prefix, "true"], capture_output=True).returncode:
                return {}  # no name spaces for this user
            done = world.run(_COMMANDS[name], home, prefix=prefix)
            found = _judged(world, _FULL, name, done)
            tried += 1
            answered += done.code == 0
            for fault in found:
                wrong.append(f"a disk of {size * 4} kB, {name}: {fault}")
                tell(wrong[-1])
    return {"a full disk": {"commands": tried, "done": answered}}


_FULL = Want("a full disk")
