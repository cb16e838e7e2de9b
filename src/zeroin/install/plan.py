"""Plan what installing and uninstalling change, file by file, and apply it."""

import difflib
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from zeroin.errors import InstallError
from zeroin.install import files, texts
from zeroin.install.entries import Editor, JsonEntry, State, TomlEntry
from zeroin.install.hosts import Host, Places, Server, exists
from zeroin.install.owned import MarkdownBlock, OwnFile

_COMMAND_S = 60.0  # a host's own command takes one to three seconds


class Part(StrEnum):
    """What can be installed."""

    MCP = "mcp"
    SKILL = "skill"
    AGENT = "agent"
    PROMPT = "prompt"


ALL = (Part.MCP, Part.SKILL, Part.AGENT)  # the prompt is read in every session, so only on request


@dataclass(frozen=True, slots=True)
class Item:
    """One file with our entry, and the hosts that read it; it must lie below `within`, if that is given.

    `add` and `remove` are the host's own commands for adding and removing the entry, empty where it has none.
    """

    path: Path
    editor: Editor
    part: Part
    hosts: tuple[str, ...]
    within: Path | None = None
    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be done to one file: `before` becomes `after` (None: no file), or `problem` says why not.

    `before` and `after` are equal where there is nothing to do; `readers` are other hosts that still read the file.
    """

    item: Item
    state: State
    before: bytes | None
    after: bytes | None
    problem: str = ""
    readers: tuple[str, ...] = ()

    @property
    def needed(self) -> bool:
        return self.before != self.after and not self.problem

    @property
    def verb(self) -> str:
        """What happens to the file: `leave`, `keep`, `create`, `delete` or `change`."""
        if not self.needed:
            return "leave" if self.problem or self.state is State.EDITED else "keep"
        if self.before is None:
            return "create"
        return "delete" if self.after is None else "change"

    def diff(self, name: str) -> str:
        """Return the change as a unified diff."""
        sides = (self.before, self.after)
        old, new = ((data or b"").decode("utf-8", "replace").splitlines(keepends=True) for data in sides)
        first, second = (name if data is not None else "/dev/null" for data in sides)
        lines = difflib.unified_diff(old, new, first, second)
        return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


Planner: TypeAlias = Callable[[Item], Change]


def items(places: Places, hosts: Iterable[Host], parts: Sequence[Part]) -> list[Item]:
    """Return the files of `parts` for `hosts`; one that several hosts read comes once, with all their names."""
    found: dict[Path, Item] = {}
    for host in hosts:
        for item in _wanted(places, host, parts):
            old = found.get(item.path)
            found[item.path] = item if old is None else replace(old, hosts=(*old.hosts, host.name))
    return list(found.values())


def _wanted(places: Places, host: Host, parts: Sequence[Part]) -> Iterator[Item]:
    scope, names = places.scope(host), (host.name,)
    for server in scope.servers if Part.MCP in parts else ():
        if not server.where or places.path(host, server.where).is_dir():
            yield _server(places, host, server)
    if Part.SKILL in parts:
        folder = places.path(host, scope.skills) / texts.SKILL_NAME
        for name, text in texts.skill().items():
            yield Item(folder / name, OwnFile(name, text), Part.SKILL, names, places.project)
    if Part.AGENT in parts and scope.agent:
        path = places.path(host, scope.agent)
        yield Item(path, OwnFile(path.name, texts.agent(host.name)), Part.AGENT, names, places.project)
    if Part.PROMPT in parts and scope.instructions:
        path = places.path(host, scope.instructions)
        yield Item(path, MarkdownBlock(texts.prompt()), Part.PROMPT, names, places.project)


def _server(places: Places, host: Host, server: Server) -> Item:
    candidates = [places.path(host, each) for each in server.files]
    path = next(filter(exists, candidates), candidates[0])
    entry = server.filled(places.program)
    editor: Editor = JsonEntry([tuple(each) for each in server.tables], entry)
    if path.suffix == ".toml":
        editor = TomlEntry(server.tables[0][0], entry)
    item = Item(path, editor, Part.MCP, (host.name,), places.project)
    if not server.add or places.which(server.add[0]) is None:
        return item
    return replace(item, add=(*server.add, *places.program, "mcp"), remove=tuple(server.remove))


def installing(item: Item) -> Change:
    """Plan to install or update the item; an entry that the user edited is left as it is."""

    def after(before: bytes | None, state: State) -> bytes | None:
        return before if state in (State.CURRENT, State.EDITED) else item.editor.put(before or b"")

    return _planned(item, after)


def uninstalling(item: Item, readers: tuple[str, ...] = ()) -> Change:
    """Plan to remove our entry, unless other hosts, the `readers`, still read it."""

    def after(before: bytes | None, state: State) -> bytes | None:
        return before if before is None or state is State.MISSING or readers else item.editor.drop(before)

    change = _planned(item, after)
    return replace(change, readers=readers if change.before else ())


def _planned(item: Item, after: Callable[[bytes | None, State], bytes | None]) -> Change:
    """Return the change to the file that `after` gives for it, by its state; `BROKEN` where the file is left alone."""
    try:
        if item.within is not None and not files.follow(item.path).is_relative_to(files.follow(item.within)):
            raise InstallError("a link leads out of the project, so it is left alone")
        before = files.read(item.path)
        state = item.editor.state(before or b"")
        new = after(before, state)
        # Said in the plan already: the host's own command would not ask
        return Change(item, state, before, new, files.refusal(item.path) if new != before else "")
    except InstallError as error:
        return Change(item, State.BROKEN, None, None, str(error))


def apply(changes: Sequence[Change], planner: Planner, places: Places) -> list[Change]:
    """Apply the needed changes, each planned again on the present file; return those that failed."""
    failed = []
    for planned in changes:
        if not planned.needed:
            continue
        try:
            copied = _run_own_commands(planned, places)
            change = planner(planned.item)  # the host, or somebody else, may have changed the file since
            if change.problem:
                raise InstallError(change.problem)
            if change.needed:
                _write(change, copied=copied)
        except InstallError as error:
            failed.append(replace(planned, problem=str(error)))
    return failed


def _run_own_commands(change: Change, places: Places) -> bool:
    """Run the host's own commands for a change; where one fails, the file is edited afterwards.

    A file of the user is backed up first; returns whether it was. Raises `InstallError` if the backup fails.
    """
    item, installs = change.item, change.after is not None and change.state in (State.MISSING, State.STALE)
    commands = [*([item.remove] if change.state is not State.MISSING else []), *([item.add] if installs else [])]
    copied = False
    for command in commands if item.add else ():
        program = places.which(command[0])
        if program is None:
            continue
        if not copied and item.within is None:
            copied = files.copy(item.path)
        with suppress(OSError, subprocess.SubprocessError):
            subprocess.run(
                [program, *command[1:]],
                env=dict(places.environment),
                cwd=places.home,  # not in a folder whose settings the host would read
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_COMMAND_S,
                check=False,
            )
    return copied


def _write(change: Change, *, copied: bool) -> None:
    """Write the change; a file that was `copied` before its host edited it is not backed up again."""
    item, own = change.item, isinstance(change.item.editor, OwnFile)
    users = not own and item.within is None and change.after is not None
    files.write(item.path, change.after, backup=users and not copied)
    if change.after is None and item.part is Part.SKILL:
        folders = list(item.path.parents)
        for folder in folders[: next(n for n, each in enumerate(folders) if each.name == texts.SKILL_NAME) + 1]:
            with suppress(OSError):  # the folder holds other files
                folder.rmdir()
