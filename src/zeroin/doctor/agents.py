"""The coding agents of this user, and whether what `zeroin install` puts into them is there and current."""

from __future__ import annotations

from collections import Counter
from importlib.util import find_spec
from pathlib import Path

from zeroin.context.clean import line
from zeroin.doctor.check import Check
from zeroin.doctor.check import State as Word
from zeroin.install.editing import State
from zeroin.install.hosts import Host
from zeroin.install.places import Places, of_user
from zeroin.install.plan import ALL, Change, Part, installing, items
from zeroin.install.receipts import Receipts

_AREA = "agents"


def agents(path: str | Path = ".") -> list[Check]:
    """One check a host that is here, of the user's own files and of those of the repository at `path`."""
    try:
        user = of_user()
    except RuntimeError:  # no home folder
        return [
            Check(_AREA, "hosts", "ok", "this user has no home folder, so no coding agent is set up in it")
        ]
    found = user.detected()
    if not found:
        told = "no coding agent is found here"
        return [
            Check(_AREA, "hosts", "ok", told, "one that is named is set up all the same: zeroin install NAME")
        ]
    project = of_user(_top(Path(path)))
    return [_host(host, user, project) for host in found]


def _top(path: Path) -> Path:
    here = Path(path).absolute()
    return next((each for each in (here, *here.parents) if (each / ".git").exists()), here)


def _host(host: Host, user: Places, project: Places) -> Check:
    changes = _changes(host, user)
    told, state, advice = _told(host, changes, "")
    if all(change.state is State.MISSING for change in changes):
        local = _changes(host, project)
        if not all(change.state is State.MISSING for change in local):
            told, state, advice = _told(host, local, " --project")
            told += " (in this repository)"
    return Check(_AREA, host.name, state, f"{host.title}: {told}", advice)


def _changes(host: Host, places: Places) -> list[Change]:
    receipts = Receipts.load(places.environment, places.home)
    return [installing(item, receipts) for item in items(places, [host], ALL)]


def _told(host: Host, changes: list[Change], where: str) -> tuple[str, Word, str]:
    """What is installed, how that is to be taken, and the command that mends it."""
    command = f"zeroin install {host.name}{where}"
    broken = next((change for change in changes if change.problem), None)
    if broken is not None:
        return line(f"{broken.item.path}: {broken.problem}"), "warn", f"correct the file, then: {command}"
    parts = {
        part: Counter(str(change.state) for change in changes if change.item.part is part)
        for part in dict.fromkeys(change.item.part for change in changes)
    }
    if all(set(states) == {State.MISSING} for states in parts.values()):
        return "zeroin is not installed in it", "ok", command
    if Part.MCP in parts and State.MISSING not in parts[Part.MCP] and find_spec("mcp") is None:
        told = "the MCP entry is there, but what it starts needs an extra"
        return told, "warn", "pip install 'zeroin[mcp]'"
    worst = {part: max(states, key=_ORDER.index) for part, states in parts.items()}
    told = ", ".join(f"{part} {state}" for part, state in worst.items())
    if State.STALE in worst.values():
        return told, "warn", f"{command} brings it up to date"
    return told, "ok", f"{command} adds what is missing" if State.MISSING in worst.values() else ""


_ORDER = [str(state) for state in (State.CURRENT, State.EDITED, State.MISSING, State.STALE, State.BROKEN)]
