"""Installing into real configuration files and out of them again."""

import json
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.install import configurations as configs
from tests.install.conftest import everything
from zeroin.install import texts
from zeroin.install.entries import State
from zeroin.install.files import BACKUP, write
from zeroin.install.hosts import Places, all_hosts
from zeroin.install.plan import Change, Part, apply, installing, items, uninstalling

HOSTS = tuple(host.name for host in all_hosts())
posix = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and programs as POSIX has them")


class User:
    """A user with the configuration files of every host, in the home folder or in a project."""

    def __init__(self, home: Path, scope: str = "user") -> None:
        self.root = home if scope == "user" else home / "shop"
        for files in (configs.USER if scope == "user" else configs.PROJECT).values():
            for name, text in files.items():
                path = self.root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
        self.places = Places(home, dict(os.environ), None if scope == "user" else self.root)

    def changes(self, *, install: bool = True, hosts: Sequence[str] = HOSTS) -> list[Change]:
        found = items(self.places, [host for host in all_hosts() if host.name in hosts], tuple(Part))
        return [(installing if install else uninstalling)(item) for item in found]

    def install(self, hosts: Sequence[str] = HOSTS) -> list[Change]:
        return apply(self.changes(hosts=hosts), installing, self.places)

    def uninstall(self, hosts: Sequence[str] = HOSTS) -> list[Change]:
        return apply(self.changes(install=False, hosts=hosts), uninstalling, self.places)

    def states(self, *, install: bool = True) -> set[State]:
        return {change.state for change in self.changes()}

    def files(self) -> dict[str, bytes | str]:
        """Every file but the backups."""
        return {
            name: data for name, data in everything(self.root).items() if data != "folder" and not name.endswith(BACKUP)
        }


@pytest.fixture
def user(home: Path) -> User:
    return User(home)


@pytest.mark.parametrize("scope", ["user", "project"])
def test_in_and_out_of_every_file(home: Path, scope: str) -> None:
    user = User(home, scope)
    before = user.files()
    assert user.install() == []
    assert user.states() == {State.CURRENT}
    after = user.files()
    assert all(after[name] != data for name, data in before.items())
    assert not any(change.needed for change in user.changes())
    assert user.install() == [] and user.files() == after
    backups = {name: data for name, data in everything(user.root).items() if name.endswith(BACKUP)}
    kept = {name + BACKUP: data for name, data in before.items()}
    assert backups == (kept if scope == "user" else {})
    assert user.uninstall() == []
    assert user.states() == {State.MISSING}
    left = user.files()
    assert set(left) == set(before)
    for name, data in before.items():
        assert isinstance(data, bytes) and isinstance(left[name], bytes)
        was, now = data.decode().split(), left[name].decode().split()  # type: ignore[union-attr]
        assert "".join(was) == "".join(now) or len(now) - len(was) in (1, 2, 3)  # an empty table


def test_stale_entries_are_renewed(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    user.install()
    new = "---\nname: zeroin\ndescription: new\n---\nNew.\n"
    monkeypatch.setattr(texts, "skill", lambda: {"SKILL.md": new})
    monkeypatch.setattr(texts, "agent", lambda host: new)
    monkeypatch.setattr(texts, "prompt", lambda: "New.")
    user.places = replace(user.places, program=("/opt/bin/zeroin",))
    assert user.states() == {State.STALE}
    assert user.install() == []
    assert user.states() == {State.CURRENT}


def test_what_the_user_edited_is_left_alone_by_install_and_taken_by_uninstall(user: User, home: Path) -> None:
    user.install()
    path, skill = home / ".claude.json", home / ".claude/skills/zeroin/SKILL.md"
    edited = path.read_text().replace('"args": ["mcp"]', '"args": ["mcp", "--root", "/srv"]')
    path.write_text(edited)
    skill.write_text(skill.read_text() + "\nAlways.\n")
    found = {change.item.path: change for change in user.changes()}
    assert found[path].state is found[skill].state is State.EDITED
    assert found[path].verb == found[skill].verb == "leave"
    user.install()
    assert path.read_text() == edited and skill.read_text().endswith("Always.\n")
    user.uninstall()
    assert json.loads(path.read_text()) == json.loads(configs.CLAUDE) and not skill.parent.exists()


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "/opt/mine/server", "args": ["--port", "1"]},
        {"type": "http", "url": "https://example.org/zeroin"},
        {"command": "docker", "args": ["run", "mine/zeroin"]},
    ],
)
def test_an_entry_of_our_name_that_is_the_users_stays(user: User, home: Path, entry: dict[str, Any]) -> None:
    claude, codex = home / ".claude.json", home / ".codex/config.toml"
    value = json.loads(configs.CLAUDE)
    value.setdefault("mcpServers", {})["zeroin"] = entry
    claude.write_text(json.dumps(value))
    rows = "".join(f"{key} = {json.dumps(each)}\n" for key, each in entry.items())
    codex.write_text(f"[mcp_servers.zeroin]\n{rows}")
    before = claude.read_text(), codex.read_text()
    user.install()
    assert (claude.read_text(), codex.read_text()) == before
    left = {change.item.path for change in user.changes(install=False) if change.verb == "leave"}
    assert {claude, codex} <= left
    assert user.uninstall() == []
    assert (claude.read_text(), codex.read_text()) == before


def test_what_is_not_ours_is_never_deleted(user: User, home: Path) -> None:
    skill, agent = home / ".agents/skills/zeroin/SKILL.md", home / ".codex/agents/zeroin-retriever.toml"
    for path in (skill, agent):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("MINE ALONE\n")
    user.install()
    left = {change.item.path for change in user.changes(install=False) if change.verb == "leave"}
    assert left == {skill, agent}
    assert user.uninstall() == []
    assert skill.read_text() == agent.read_text() == "MINE ALONE\n"


@posix
def test_no_link_and_no_pipe_stops_the_others(home: Path) -> None:
    user = User(home, "project")
    (user.root / ".mcp.json").unlink()
    (user.root / ".mcp.json").symlink_to(".mcp.json")
    (user.root / ".cursor/mcp.json").unlink()
    os.mkfifo(user.root / ".cursor/mcp.json")
    (user.root / ".agents").symlink_to("loop")
    (user.root / "loop").symlink_to(".agents")
    (user.root / ".gemini/settings.json").unlink()
    (user.root / ".gemini/settings.json").mkdir()
    problems = {change.item.path: change.problem for change in user.changes() if change.problem}
    assert "no regular file" in problems.pop(user.root / ".cursor/mcp.json")
    assert "a folder stands" in problems.pop(user.root / ".gemini/settings.json")
    assert user.root / ".mcp.json" in problems and user.root / ".agents/skills/zeroin/SKILL.md" in problems
    assert all("symbolic links" in problem or "in a circle" in problem for problem in problems.values())
    assert user.install() == []
    assert "zeroin" in (user.root / ".vscode/mcp.json").read_text()


@posix
def test_links_out_of_a_project_are_not_followed(home: Path) -> None:
    user = User(home, "project")
    (home / "private").mkdir()
    (home / "private/a.json").write_text("{}")
    (user.root / ".agents").symlink_to(home / "private")
    (user.root / ".mcp.json").unlink()
    (user.root / ".mcp.json").symlink_to("../private/a.json")
    problems = {change.problem for change in user.changes() if change.problem}
    assert problems == {"a link leads out of the project, so it is left alone"}
    user.install()
    assert everything(home / "private") == {"a.json": b"{}"}


@posix
def test_linked_files_are_written_through_with_their_permissions(user: User, home: Path) -> None:
    (home / "dotfiles").mkdir()
    (home / ".claude.json").rename(home / "dotfiles/claude.json")
    (home / "dotfiles/claude.json").chmod(0o600)
    (home / ".claude.json").symlink_to("dotfiles/claude.json")
    user.install()
    assert (home / ".claude.json").is_symlink()
    assert "zeroin" in (home / "dotfiles/claude.json").read_text()
    for name in ("claude.json", f"claude.json{BACKUP}"):
        assert (home / "dotfiles" / name).stat().st_mode & 0o777 == 0o600


def test_one_file_behind_two_hosts_is_edited_once(user: User, home: Path) -> None:
    shared = home / ".mcp-servers.json"
    shared.write_text('{"mcpServers": {}, "mine": 1}')
    for name in (".cursor/mcp.json", ".gemini/settings.json"):
        (home / name).unlink()
        (home / name).symlink_to(shared)
    assert user.install() == []
    assert shared.read_text().count("zeroin") == 2  # the name and the command
    assert user.uninstall() == []
    assert "zeroin" not in shared.read_text()


def test_a_file_that_changes_meanwhile_keeps_its_change(user: User, home: Path) -> None:
    changes = user.changes()
    path = home / ".claude.json"
    path.write_text(configs.CLAUDE.replace('"numStartups": 212', '"numStartups": 213'))
    apply(changes, installing, user.places)
    assert json.loads(path.read_text())["numStartups"] == 213
    assert "zeroin" in path.read_text()


@posix
@pytest.mark.parametrize("works", [True, False])
def test_a_host_that_is_on_the_path_changes_its_file_itself(
    user: User, home: Path, tmp_path: Path, works: bool
) -> None:
    """As `claude mcp add` and `remove` do; where they fail, the file is edited."""
    program, log, config = tmp_path / "bin/claude", tmp_path / "log", home / ".claude.json"
    program.parent.mkdir()
    code = (
        f"import json, pathlib, sys; p = pathlib.Path({str(config)!r}); d = json.loads(p.read_text())\n"
        f"d['mcpServers'].pop('zeroin', 0)\nif sys.argv[2] == 'add': d['mcpServers']['zeroin'] = "
        "{'type': 'stdio', 'command': sys.argv[7], 'args': sys.argv[8:], 'env': {}}\n"
        "p.write_text(json.dumps(d))"
    )
    body = f'{shlex.quote(sys.executable)} -c {shlex.quote(code)} "$@"' if works else "exit 1"
    program.write_text(f'#!/bin/sh\necho "$@" >> {shlex.quote(str(log))}\n{body}\n')
    program.chmod(0o755)
    config.chmod(0o444)
    user.install(["claude"])
    assert not log.exists()  # read-only: the host is not asked, either
    config.chmod(0o644)
    assert user.install(["claude"]) == []
    assert user.changes(hosts=["claude"])[0].state is State.CURRENT
    user.places = replace(user.places, program=("/opt/zeroin",))
    user.install(["claude"])  # stale: taken out, then added
    user.uninstall(["claude"])
    assert json.loads(config.read_text()) == json.loads(configs.CLAUDE)
    add, remove = "mcp add --scope user zeroin --", "mcp remove --scope user zeroin"
    assert log.read_text().splitlines() == [f"{add} zeroin mcp", remove, f"{add} /opt/zeroin mcp", remove]


@posix
@pytest.mark.parametrize("damage", ["{}", "{", None])
def test_a_copy_is_made_before_a_host_changes_its_file_itself(
    user: User, home: Path, tmp_path: Path, damage: str | None
) -> None:
    program, config = tmp_path / "bin/claude", home / ".claude.json"
    program.parent.mkdir()
    does = f"/bin/rm {shlex.quote(str(config))}"
    if damage is not None:
        does = f"echo {shlex.quote(damage)} > {shlex.quote(str(config))}"
    program.write_text(f"#!/bin/sh\n{does}\n")
    program.chmod(0o755)
    failed = user.install(["claude"])
    assert [change.item.path for change in failed] == ([config] if damage == "{" else [])
    assert config.with_name(config.name + BACKUP).read_text() == configs.CLAUDE


def test_a_copy_is_replaced_in_one_step_as_the_file_is(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    copy = config.with_name(config.name + BACKUP)
    config.write_bytes(b"new")
    copy.write_bytes(b"old")
    with copy.open("rb") as reader:  # where the copy were written in place, a reader could meet half of it
        write(config, b"newest", backup=True)
        assert reader.read() == b"old"
    assert (copy.read_bytes(), config.read_bytes()) == (b"new", b"newest")
