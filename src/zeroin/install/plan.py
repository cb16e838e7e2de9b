"""What installing and uninstalling would do, file by file, and doing it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from zeroin.errors import InstallError
from zeroin.install import disk, texts
from zeroin.install.editing import NAME, Editor, Json, State
from zeroin.install.hosts import Host, Server
from zeroin.install.json_file import JsonEntry
from zeroin.install.markdown_file import MarkdownBlock
from zeroin.install.places import Places
from zeroin.install.receipts import Receipt, Receipts, note
from zeroin.install.toml_file import TomlEntry
from zeroin.install.whole_file import WholeFile


class Part(StrEnum):
    """What can be installed."""

    MCP = "mcp"
    SKILL = "skill"
    AGENT = "agent"
    PROMPT = "prompt"


ALL = (
    Part.MCP,
    Part.SKILL,
    Part.AGENT,
)  # the prompt is read in every session, so it is put in when asked for only


@dataclass(frozen=True, slots=True)
class Item:
    """One file with our entry in it, and the hosts that read it there; it must be in `within`, if that is given."""

    path: Path
    editor: Editor
    part: Part
    hosts: tuple[str, ...]
    within: Path | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be done to one file: `before` becomes `after` (None: no file), or `problem` says why not.

    `before` and `after` are the same where there is nothing to do; `hosts` are those that are left afterwards.
    """

    item: Item
    state: State
    before: bytes | None
    after: bytes | None
    problem: str = ""
    hosts: tuple[str, ...] = ()

    @property
    def needed(self) -> bool:
        return self.before != self.after and not self.problem

    @property
    def verb(self) -> str:
        """What happens to the file, in a word."""
        if not self.needed:
            return "leave" if self.problem or self.state is State.EDITED else "keep"
        if self.before is None:
            return "create"
        return "delete" if self.after is None else "change"

    def diff(self, name: str) -> str:
        """The change as a unified diff."""
        old, new = (
            (data or b"").decode("utf-8", "replace").splitlines(keepends=True)
            for data in (self.before, self.after)
        )
        lines = difflib.unified_diff(
            old,
            new,
            name if self.before is not None else "/dev/null",
            name if self.after is not None else "/dev/null",
        )
        return "".join(
            line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines
        )


def items(places: Places, hosts: Iterable[Host], parts: Sequence[Part]) -> list[Item]:
    """The files that `parts` for `hosts` are in; a file that several hosts read is there once."""
    found: dict[Path, Item] = {}
    for host in hosts:
        for path, editor, part in _wanted(places, host, parts):
            key = _key(path)
            if key in found:
                found[key] = replace(found[key], hosts=(*found[key].hosts, host.name))
            else:
                found[key] = Item(path, editor, part, (host.name,), places.project)
    return list(found.values())


def _key(path: Path) -> Path:
    """What tells one file from another; where its links lead in a circle, `_look` says so."""
    try:
        return disk.follow(path)
    except InstallError:
        return path


def _wanted(places: Places, host: Host, parts: Sequence[Part]) -> Iterable[tuple[Path, Editor, Part]]:
    scope = places.scope(host)
    if Part.MCP in parts:
        for server in scope.servers:
            if not server.where or places.path(host, server.where).is_dir():
                yield *_server(places, host, server), Part.MCP
    if Part.SKILL in parts and scope.skills:
        folder = places.path(host, scope.skills) / texts.SKILL_NAME
        for name, text in texts.skill().items():
            yield folder / name, WholeFile(name, text), Part.SKILL
    if Part.AGENT in parts and scope.agent:
        path = places.path(host, scope.agent)
        yield path, WholeFile(path.name, texts.agent(host.name)), Part.AGENT
    if Part.PROMPT in parts and scope.instructions:
        yield places.path(host, scope.instructions), MarkdownBlock(texts.prompt()), Part.PROMPT


def _server(places: Places, host: Host, server: Server) -> tuple[Path, Editor]:
    candidates = [places.path(host, each) for each in server.files]
    path = next((each for each in candidates if disk.exists(each)), candidates[0])
    arguments: list[Json] = [*places.program[1:], "mcp"]
    entry = server.entry(places.program[0], arguments)
    if path.suffix == ".toml":
        return path, TomlEntry(server.places[0][0], NAME, entry)
    return path, JsonEntry(server.places, NAME, entry)


def installing(item: Item, receipts: Receipts) -> Change:
    """What it takes to have the item as it should be; what the user edited is left as it is."""
    try:
        before, receipt, state = _look(item, receipts)
        hosts = _joined(receipt.hosts if receipt else (), item.hosts)
        if state in (State.CURRENT, State.EDITED):
            return Change(item, state, before, before, hosts=hosts)
        return Change(item, state, before, item.editor.put(before or b""), hosts=hosts)
    except InstallError as error:
        return Change(item, State.BROKEN, None, None, str(error))


def uninstalling(item: Item, receipts: Receipts) -> Change:
    """What it takes to have the file as it was: to the byte where nobody has changed it since, else our entry goes."""
    try:
        before, receipt, state = _look(item, receipts)
        left = tuple(host for host in receipt.hosts if host not in item.hosts) if receipt else ()
        if before is None or state is State.MISSING or left:
            return Change(item, state, before, before, hosts=left)
        known, original = receipt.restore(before) if receipt else (False, None)
        if known:
            return Change(item, state, before, original)
        return Change(item, state, before, _without(item, before, receipt, state))
    except InstallError as error:
        return Change(item, State.BROKEN, None, None, str(error))


def _without(item: Item, before: bytes, receipt: Receipt | None, state: State) -> bytes | None:
    """The file with our entry taken out; None where nothing of it is left and it was ours."""
    if isinstance(item.editor, WholeFile):
        written = receipt is not None and state is not State.EDITED  # as we wrote it, but for the stamp
        return None if written or item.editor.ours(before) else before  # else the user wrote it anew
    after = item.editor.drop(before, receipt.depth if receipt else None)
    return None if receipt is not None and receipt.made and item.editor.blank(after) else after


def _look(item: Item, receipts: Receipts) -> tuple[bytes | None, Receipt | None, State]:
    if item.within is not None and not disk.follow(item.path).is_relative_to(disk.follow(item.within)):
        raise InstallError("a link leads out of the project, so it is left alone")
    before, receipt = disk.read(item.path), receipts.get(item.path)
    return before, receipt, item.editor.state(before or b"", receipt.entry if receipt else "")


def _joined(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return (*first, *(each for each in second if each not in first))


def apply(changes: Sequence[Change], receipts: Receipts, *, install: bool) -> list[Change]:
    """Does what `changes` say, each on the file as it is by then; returns those that failed, with the problem."""
    failed = []
    try:
        for planned in changes:
            if planned.problem:
                continue
            change = installing(planned.item, receipts) if install else uninstalling(planned.item, receipts)
            try:
                if change.problem:
                    raise InstallError(change.problem)
                _do(change, receipts, install)
            except InstallError as error:
                failed.append(replace(planned, problem=str(error)))
        if not install:
            receipts.folders = disk.remove_folders(receipts.folders)
    finally:  # also when interrupted: what was written must be known
        receipts.save()
    return failed


def _do(change: Change, receipts: Receipts, install: bool) -> None:
    path, editor, old = change.item.path, change.item.editor, receipts.get(change.item.path)
    if not install:
        if change.needed and change.after is not None:
            disk.write(path, change.after)
        elif change.needed:
            disk.delete(path)
            disk.remove_folders(_own_folders(change.item))
        if change.hosts and old is not None:
            receipts.set(path, replace(old, hosts=change.hosts))
        else:
            receipts.forget(path)
    elif change.needed and change.after is not None:
        depth = editor.depth(change.before or b"")
        receipts.folders += disk.write(path, change.after)
        earlier = None if change.state is State.MISSING else old  # what was taken out by hand begins anew
        new = note(change.hosts, editor.fingerprint(), depth, change.before, change.after, earlier)
        receipts.set(path, new)
    elif old is not None and old.hosts != change.hosts:  # one more host reads it
        receipts.set(path, replace(old, hosts=change.hosts))


def _own_folders(item: Item) -> list[Path]:
    """The folder of the skill and those in it; they go once they are empty, also where no receipt names them."""
    if item.part is not Part.SKILL:
        return []
    parents = list(item.path.parents)
    depth = next((at for at, parent in enumerate(parents) if parent.name == texts.SKILL_NAME), -1)
    return parents[: depth + 1]
