"""Installing into real configuration files and out of them again."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.install import configs
from tests.install.conftest import everything
from zeroin.install import texts
from zeroin.install.editing import State
from zeroin.install.hosts import HOST_NAMES, HOSTS
from zeroin.install.places import Places
from zeroin.install.plan import Change, Part, apply, installing, items, uninstalling
from zeroin.install.receipts import Receipts


class User:
    """A user with the configuration files of every host, in the home folder or in a project."""

    def __init__(self, home: Path, scope: str, eol: str = "\n", mark: str = "") -> None:
        self.home = home
        self.root = home if scope == "user" else home / "shop"
        for files in (configs.USER if scope == "user" else configs.PROJECT).values():
            for name, text in files.items():
                path = self.root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes((mark + text.replace("\n", eol)).encode())
        self.places = Places(home, dict(os.environ), None if scope == "user" else self.root)

    def changes(
        self, *, install: bool, hosts: Sequence[str] = HOST_NAMES, parts: Sequence[Part] = tuple(Part)
    ) -> list[Change]:
        receipts = Receipts.load(self.places.environment, self.home)
        found = items(self.places, [host for host in HOSTS if host.name in hosts], parts)
        return [(installing if install else uninstalling)(item, receipts) for item in found]

    def install(self, hosts: Sequence[str] = HOST_NAMES, parts: Sequence[Part] = tuple(Part)) -> list[Change]:
        receipts = Receipts.load(self.places.environment, self.home)
        return apply(self.changes(install=True, hosts=hosts, parts=parts), receipts, install=True)

    def uninstall(self, hosts: Sequence[str] = HOST_NAMES) -> list[Change]:
        receipts = Receipts.load(self.places.environment, self.home)
        return apply(self.changes(install=False, hosts=hosts), receipts, install=False)

    def states(self) -> set[State]:
        return {change.state for change in self.changes(install=True)}


@pytest.fixture
def user(home: Path) -> User:
    return User(home, "user")


@pytest.mark.parametrize("scope", ["user", "project"])
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_uninstalling_right_after_installing_restores_everything(
    home: Path, scope: str, eol: str, mark: str
) -> None:
    user = User(home, scope, eol, mark)
    before = everything(home)
    assert user.install() == []
    assert user.states() == {State.CURRENT}
    after = everything(home)
    assert all(after[name] != data for name, data in before.items() if data != "folder")
    assert not any(change.needed for change in user.changes(install=True))
    assert user.install() == []
    assert everything(home) == after
    assert user.uninstall() == []
    assert everything(home) == before


def test_an_empty_home_is_empty_again(home: Path) -> None:
    places = Places(home, dict(os.environ))
    receipts = Receipts.load(places.environment, home)
    found = items(places, HOSTS, list(Part))
    assert apply([installing(item, receipts) for item in found], receipts, install=True) == []
    receipts = Receipts.load(places.environment, home)
    assert apply([uninstalling(item, receipts) for item in found], receipts, install=False) == []
    assert everything(home) == {}


@pytest.mark.parametrize(
    "name", ["{}", "{ }\n", "{\n}\n", "", "\n", "{\n  // nothing\n}\n", '{"mcpServers": {}}', "{}\r\n"]
)
def test_nearly_empty_files_come_back(home: Path, name: str) -> None:
    user = User(home, "user")
    (home / ".cursor/mcp.json").write_bytes(name.encode())
    before = everything(home)
    assert user.install(["cursor"]) == []
    assert user.uninstall(["cursor"]) == []
    assert everything(home) == before


def test_stale_entries_are_renewed_and_the_way_back_is_kept(
    user: User, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything(home)
    user.install()
    monkeypatch.setattr(
        texts, "skill", lambda: {"SKILL.md": "---\nname: zeroin\ndescription: new\n---\nNew.\n"}
    )
    monkeypatch.setattr(
        texts, "agent", lambda host: "---\nname: zeroin-retriever\ndescription: new\n---\nNew.\n"
    )
    monkeypatch.setattr(texts, "prompt", lambda: "New.")
    user.places = replace(user.places, program=("/opt/bin/zeroin",))
    assert user.states() == {State.STALE}
    assert user.install() == []
    assert user.states() == {State.CURRENT}
    monkeypatch.undo()
    user.places = replace(user.places, environment=dict(os.environ, HOME=str(home)))
    assert user.uninstall() == []
    assert everything(home) == before


def test_after_edits_elsewhere_our_entry_alone_goes(user: User, home: Path) -> None:
    user.install()
    path = home / ".config/zed/settings.json"
    text = path.read_text().replace('"ui_font_size": 16,', '"ui_font_size": 18, // bigger')
    path.write_text(text)
    codex = home / ".codex/config.toml"
    codex.write_text(codex.read_text().replace("gpt-5-codex", "gpt-6") + "\n[features]\nweb = true\n")
    assert user.states() == {State.CURRENT}
    assert user.uninstall() == []
    assert path.read_text() == configs.ZED.replace('"ui_font_size": 16,', '"ui_font_size": 18, // bigger')
    assert codex.read_text() == configs.CODEX.replace("gpt-5-codex", "gpt-6") + "\n[features]\nweb = true\n"


def test_a_file_of_ours_with_something_of_theirs_stays(home: Path) -> None:
    user = User(home, "user")
    (home / ".cursor/mcp.json").unlink()
    user.install(["cursor"])
    path = home / ".cursor/mcp.json"
    data = json.loads(path.read_text())
    data["mcpServers"]["mine"] = {"command": "mine"}
    path.write_text(json.dumps(data, indent=4))
    user.uninstall(["cursor"])
    assert json.loads(path.read_text()) == {"mcpServers": {"mine": {"command": "mine"}}}


def test_a_file_of_ours_goes_also_where_the_host_named_its_schema(user: User, home: Path) -> None:
    """As opencode (1.18) does to any configuration that has none."""
    path = home / ".config/opencode/opencode.json"
    path.unlink()
    user.install(["opencode"])
    path.write_text(path.read_text().replace("{", '{\n  "$schema": "https://opencode.ai/config.json",', 1))
    user.uninstall(["opencode"])
    assert not path.exists()


def test_what_the_user_edited_is_left_alone_by_install_and_taken_by_uninstall(user: User, home: Path) -> None:
    user.install()
    path, skill = home / ".claude.json", home / ".claude/skills/zeroin/SKILL.md"
    edited = path.read_text().replace('"args": ["mcp"]', '"args": ["mcp", "--root", "/srv"]')
    path.write_text(edited)
    skill.write_text(skill.read_text() + "\nAlways.\n")
    states = {change.item.path: change for change in user.changes(install=True)}
    assert states[path].state is states[skill].state is State.EDITED
    assert states[path].verb == states[skill].verb == "leave"
    user.install()
    assert path.read_text() == edited
    assert skill.read_text().endswith("Always.\n")
    user.uninstall()
    assert path.read_text() == configs.CLAUDE
    assert not skill.exists()


def test_what_is_not_ours_is_never_deleted(user: User, home: Path) -> None:
    skill = home / ".agents/skills/zeroin/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: zeroin\ndescription: of another\n---\nMine.\n")
    user.install()
    assert "of another" in skill.read_text()
    user.uninstall()
    assert "of another" in skill.read_text()


def test_what_the_user_wrote_anew_is_left_by_uninstall(user: User, home: Path) -> None:
    user.install()
    skill, agent = home / ".claude/skills/zeroin/SKILL.md", home / ".codex/agents/zeroin-retriever.toml"
    for path in (skill, agent):
        path.write_text("MINE ALONE\n")
    left = {change.item.path: change for change in user.changes(install=False) if change.verb == "leave"}
    assert set(left) == {skill, agent}
    assert user.uninstall() == []
    assert skill.read_text() == agent.read_text() == "MINE ALONE\n"
    assert not (home / ".local/state/zeroin").exists()  # zeroin knows nothing of them any more


def test_ours_goes_also_where_only_its_stamp_is_gone(user: User, home: Path) -> None:
    user.install()
    skill = home / ".claude/skills/zeroin/SKILL.md"
    rows = skill.read_text().splitlines(keepends=True)
    skill.write_text("".join(row for row in rows if not row.startswith("# zeroin: written by")))
    assert "written by" not in skill.read_text() and user.states() == {State.CURRENT}
    user.uninstall()
    assert not skill.parent.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes are POSIX")
def test_no_link_and_no_pipe_stops_the_others(home: Path) -> None:
    user = User(home, "project")
    (user.root / ".mcp.json").unlink()
    (user.root / ".mcp.json").symlink_to(".mcp.json")
    (user.root / ".cursor/mcp.json").unlink()
    os.mkfifo(user.root / ".cursor/mcp.json")
    (user.root / ".agents").symlink_to("loop")
    (user.root / "loop").symlink_to(".agents")
    problems = {change.item.path: change.problem for change in user.changes(install=True) if change.problem}
    assert problems.pop(user.root / ".cursor/mcp.json") == "it is no regular file, so it is left alone"
    assert user.root / ".mcp.json" in problems and user.root / ".agents/skills/zeroin/SKILL.md" in problems
    assert all("symbolic links" in problem or "in a circle" in problem for problem in problems.values())
    assert user.install() == []
    assert "zeroin" in (user.root / ".vscode/mcp.json").read_text()
    assert user.uninstall() == []
    assert (user.root / ".vscode/mcp.json").read_text() == configs.PROJECT["copilot"][".vscode/mcp.json"]


def test_hosts_that_write_their_files_anew_change_nothing_of_it(user: User, home: Path) -> None:
    """As `codex mcp add` (0.169) and `claude mcp add` (2.1) do: without comments, in their own form."""
    (home / ".codex/config.toml").write_text('[mcp_servers.docs]\ncommand = "npx" # mine\n')
    user.install()
    codex, claude = home / ".codex/config.toml", home / ".claude.json"
    lines = codex.read_text().splitlines(keepends=True)
    kept = "".join(line.partition(" #")[0].rstrip() + "\n" for line in lines if not line.startswith("#"))
    codex.write_text(kept + '\n[mcp_servers.later]\ncommand = "later"\n')
    servers = json.loads(claude.read_text())
    servers["mcpServers"]["later"] = {"type": "stdio", "command": "later", "args": [], "env": {}}
    claude.write_text(json.dumps(servers))
    assert user.states() == {State.CURRENT}
    user.uninstall()
    assert codex.read_text() == (
        '[mcp_servers.docs]\ncommand = "npx"\n\n[mcp_servers.later]\ncommand = "later"\n'
    )
    del servers["mcpServers"]["zeroin"]
    assert json.loads(claude.read_text()) == servers


def test_what_cannot_be_read_is_left_alone_and_the_others_go_on(user: User, home: Path) -> None:
    broken, odd = home / ".gemini/settings.json", home / ".cursor/mcp.json"
    broken.write_text('{"a": 1,\n "b": }\n')
    odd.write_bytes('{"a": 1}'.encode("utf-16"))
    problems = {change.item.path: change.problem for change in user.changes(install=True) if change.problem}
    assert problems == {broken: "not JSON: Expecting value, line 2", odd: "not UTF-8 text (byte 1)"}
    assert user.install() == []
    assert broken.read_text() == '{"a": 1,\n "b": }\n'
    assert "zeroin" in (home / ".claude.json").read_text()
    assert user.states() == {State.CURRENT, State.BROKEN}


def test_read_only_files_are_left_alone_and_the_others_go_on(user: User, home: Path) -> None:
    path = home / ".claude.json"
    path.chmod(0o444)
    failed = user.install()
    assert [(change.item.path, change.problem) for change in failed] == [
        (path, "it is read-only, so it is left alone")
    ]
    assert path.read_text() == configs.CLAUDE
    assert "zeroin" in (home / ".cursor/mcp.json").read_text()


def test_linked_files_and_folders_are_written_through(user: User, home: Path) -> None:
    dotfiles = home / "dotfiles"
    dotfiles.mkdir()
    (home / ".claude.json").rename(dotfiles / "claude.json")
    (home / ".claude.json").symlink_to("dotfiles/claude.json")
    (home / ".codex").rename(dotfiles / "codex")
    (home / ".codex").symlink_to(dotfiles / "codex")
    before = everything(home)
    user.install()
    assert (home / ".claude.json").is_symlink()
    assert "zeroin" in (dotfiles / "claude.json").read_text()
    assert (dotfiles / "codex/agents/zeroin-retriever.toml").exists()
    user.uninstall()
    assert everything(home) == before


def test_links_out_of_a_project_are_not_followed(home: Path) -> None:
    user = User(home, "project")
    (home / "private").mkdir()
    (home / "private/a.json").write_text("{}")
    (user.root / ".agents").symlink_to(home / "private")
    (user.root / ".mcp.json").unlink()
    (user.root / ".mcp.json").symlink_to("../private/a.json")
    problems = {change.problem for change in user.changes(install=True) if change.problem}
    assert problems == {"a link leads out of the project, so it is left alone"}
    user.install()
    assert everything(home / "private") == {"a.json": b"{}"}


def test_one_file_behind_two_hosts_is_edited_once(user: User, home: Path) -> None:
    shared = home / ".mcp-servers.json"
    shared.write_text('{"mcpServers": {}}')
    for name in (".cursor/mcp.json", ".copilot/mcp-config.json"):
        (home / name).unlink()
        (home / name).symlink_to(shared)
    user.install()
    assert user.states() == {State.CURRENT}
    user.uninstall(["cursor"])
    assert "zeroin" in shared.read_text()
    user.uninstall(["copilot"])
    assert shared.read_text() == '{"mcpServers": {}}'


def test_what_several_hosts_read_goes_with_the_last(user: User, home: Path) -> None:
    before = everything(home)
    skill = home / ".agents/skills/zeroin/SKILL.md"
    user.install(["codex"])
    user.install(["cursor"])
    user.uninstall(["codex"])
    assert skill.exists()
    assert (home / ".codex/config.toml").read_text() == configs.CODEX
    user.uninstall(["cursor"])
    assert everything(home) == before


@pytest.mark.parametrize("scope", ["user", "project"])
def test_without_receipts_our_entries_go_all_the_same(home: Path, scope: str) -> None:
    user = User(home, scope)
    before = everything(user.root)
    user.install()
    (home / ".local/state/zeroin/installed.json").write_text("{broken")
    assert user.states() == {State.CURRENT}
    assert user.uninstall() == []
    kept = everything(user.root)
    for name, data in before.items():  # what ended without a line end has one now
        assert kept[name] == data or kept[name] == bytes(data) + b"\n"  # type: ignore[arg-type]
    assert not [
        name for name, data in kept.items() if "zeroin" in name and data != "folder" and "state" not in name
    ]


def test_what_was_taken_out_by_hand_can_come_back(user: User, home: Path) -> None:
    before = everything(home)
    user.install()
    (home / ".cursor/mcp.json").write_text(configs.CURSOR)
    (home / ".claude/agents/zeroin-retriever.md").unlink()
    assert user.states() == {State.CURRENT, State.MISSING}
    user.install()
    assert user.states() == {State.CURRENT}
    (home / ".cursor/mcp.json").write_text(configs.CURSOR)
    user.uninstall()
    assert everything(home) == before


def test_a_file_that_changes_meanwhile_keeps_its_change(user: User, home: Path) -> None:
    receipts = Receipts.load(user.places.environment, home)
    changes = user.changes(install=True)
    path = home / ".claude.json"
    path.write_text(configs.CLAUDE.replace('"numStartups": 212', '"numStartups": 213'))
    apply(changes, receipts, install=True)
    assert json.loads(path.read_text())["numStartups"] == 213
    assert "zeroin" in path.read_text()


def test_receipts_hold_nothing_of_the_files(user: User, home: Path) -> None:
    user.install()
    kept = (home / ".local/state/zeroin/installed.json").read_text()
    assert "s3cr3t" not in kept
    assert all(not entry["removed"] for entry in json.loads(kept)["files"].values())


def test_permissions_stay(user: User, home: Path) -> None:
    (home / ".claude.json").chmod(0o600)
    user.install()
    assert (home / ".claude.json").stat().st_mode & 0o777 == 0o600
    user.uninstall()
    assert (home / ".claude.json").stat().st_mode & 0o777 == 0o600


def test_the_diff_shows_our_lines_alone(user: User) -> None:
    for change in user.changes(install=True):
        lines = change.diff("file").splitlines()
        assert lines[0].startswith("---")
        gone = [line for line in lines[2:] if line.startswith("-")]
        assert all(any(line[1:].rstrip() in new for new in lines if new.startswith("+")) for line in gone)
