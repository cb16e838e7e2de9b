"""The commands as processes, in a home folder of their own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.install import configurations as configs
from tests.install.conftest import FOLDERS, Run, everything
from zeroin.cli.main import main
from zeroin.install.files import BACKUP
from zeroin.install.hosts import Places, all_hosts
from zeroin.install.plan import Part, items


@pytest.fixture
def hosts(home: Path) -> Path:
    """The folders of every host, as a fresh installation of each makes them."""
    for folder in FOLDERS:
        (home / folder).mkdir(parents=True)
    (home / ".claude.json").write_text(configs.CLAUDE)
    return home


def test_without_anybody_to_ask_nothing_changes(run: Run, hosts: Path) -> None:
    before = everything(hosts)
    done = run("install")
    assert done.returncode == 2
    assert "--yes" in done.stderr
    assert "change        ~/.claude.json" in done.stdout
    assert "~/.agents/skills/zeroin/SKILL.md" in done.stdout
    assert everything(hosts) == before


@pytest.mark.skipif(sys.platform == "win32", reason="HOME is POSIX's")
@pytest.mark.parametrize("has_account", [True, False])
def test_an_empty_home_is_none(
    hosts: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], has_account: bool
) -> None:
    accounts = {os.getuid(): SimpleNamespace(pw_dir=str(hosts))} if has_account else {}
    monkeypatch.setattr("pwd.getpwuid", accounts.__getitem__)
    monkeypatch.setenv("HOME", "")
    with pytest.raises(SystemExit) as ended:
        main(["install", "--check"])
    shown = capsys.readouterr()
    if has_account:
        assert ended.value.code == 1 and "  ~/.claude.json" in shown.out
    else:
        assert ended.value.code == 2 and "no home folder" in shown.err and not shown.out


def test_below_the_root_a_path_begins_with_one_slash() -> None:
    for item in items(Places(Path("/"), {}), all_hosts(), [Part.MCP, Part.AGENT]):
        assert not str(item.path).startswith("//")


def test_the_round(run: Run, hosts: Path) -> None:
    before = everything(hosts)
    assert run("install", "--check").returncode == 1
    done = run("install", "--yes")
    assert done.returncode == 0, done.stderr
    assert "files changed" in done.stderr
    check = run("install", "--check")
    assert check.returncode == 0
    assert {row.split()[0] for row in check.stdout.splitlines()} == {"current"}
    again = run("install")  # nothing to ask
    assert again.returncode == 0
    assert "nothing to do" in again.stderr
    (hosts / ".cursor/mcp.json").unlink()
    check = run("install", "--check")
    assert check.returncode == 1
    assert "missing       ~/.cursor/mcp.json" in check.stdout
    run("install", "--yes")
    done = run("uninstall", "--yes")
    assert done.returncode == 0
    after = {name: data for name, data in everything(hosts).items() if data != "folder"}
    assert {name for name in after if "zeroin" in name} == {f".claude.json{BACKUP}"}
    assert json.loads((hosts / ".claude.json").read_text()) == json.loads(configs.CLAUDE)
    assert {name for name in after if BACKUP not in name} == {n for n, data in before.items() if data != "folder"}
    assert "nothing to do" in run("uninstall").stderr


@pytest.mark.parametrize("option", ["--print", "--dry-run"])
def test_printing_changes_nothing_and_shows_all(run: Run, hosts: Path, option: str) -> None:
    before = everything(hosts)
    done = run("install", "claude", option, "--mcp")
    assert done.returncode == 0
    assert '+    "zeroin": {' in done.stdout
    assert "s3cr3t" not in done.stdout
    assert "skills" not in done.stdout
    assert everything(hosts) == before


def test_parts_and_hosts_can_be_named(run: Run, hosts: Path) -> None:
    assert run("install", "claude", "cursor", "--skill", "--yes").returncode == 0
    assert (hosts / ".claude/skills/zeroin/SKILL.md").exists()
    assert (hosts / ".agents/skills/zeroin/SKILL.md").exists()
    assert not (hosts / ".cursor/mcp.json").exists()
    assert (hosts / ".claude.json").read_text() == configs.CLAUDE
    assert run("install", "codex", "--all", "--prompt", "--yes").returncode == 0
    assert (hosts / ".codex/AGENTS.md").exists()
    assert run("install", "emacs").returncode == 2


def test_uninstall_takes_the_block_of_instructions_too(run: Run, hosts: Path) -> None:
    run("install", "--prompt", "--yes", "claude")
    assert "zeroin" in (hosts / ".claude/CLAUDE.md").read_text()
    assert "Without a part, all go, the block of --prompt too" in run("uninstall", "--help").stdout
    run("uninstall", "--yes", "claude")
    assert not (hosts / ".claude/CLAUDE.md").exists()


def test_what_another_host_reads_is_kept(run: Run, hosts: Path) -> None:
    run("install", "codex", "cursor", "--skill", "--yes")
    done = run("uninstall", "codex", "--yes")
    assert "still read by cursor" in done.stdout
    assert (hosts / ".agents/skills/zeroin/SKILL.md").exists()
    run("uninstall", "--yes")
    assert not (hosts / ".agents/skills/zeroin").exists()


def test_a_project_has_files_of_its_own(run: Run, hosts: Path) -> None:
    project = hosts / "shop"
    (project / "src").mkdir(parents=True)
    subprocess.run(["/usr/bin/env", "git", "init", "-q", str(project)], check=True, env={"PATH": os.defpath})
    (project / ".vscode").mkdir()
    (project / ".vscode/mcp.json").write_text(configs.VSCODE)
    before = everything(project)
    done = run("install", "--project", "--yes", cwd=project / "src")
    assert done.returncode == 0, done.stderr
    assert json.loads((project / ".mcp.json").read_text())["mcpServers"]["zeroin"]["command"] == "zeroin"
    assert (project / ".agents/skills/zeroin/SKILL.md").exists()
    assert "not on your PATH" in done.stderr
    assert run("uninstall", "--project", "--yes", cwd=project).returncode == 0
    left = {name: data for name, data in everything(project).items() if data != "folder"}
    assert left == {name: data for name, data in before.items() if data != "folder"}


def test_the_entry_starts_this_zeroin(run: Run, hosts: Path, tmp_path: Path) -> None:
    done = run("install", "claude", "--yes", "--mcp")
    entry = json.loads((hosts / ".claude.json").read_text())["mcpServers"]["zeroin"]
    assert Path(entry["command"]).is_absolute()
    assert entry["args"][-1] == "mcp"
    assert "not on the PATH" in done.stderr
    if Path(entry["command"]).stem == "zeroin":
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin/zeroin").symlink_to(entry["command"])
        check = run("install", "claude", "--check", "--mcp")
        assert check.stdout.split()[0] == "stale"
        assert check.returncode == 1


def test_nobody_here(run: Run, home: Path) -> None:
    done = run("install")
    assert done.returncode == 2
    assert "no coding agent is found" in done.stderr
    assert run("uninstall").returncode == 0
    assert everything(home) == {}


def test_a_broken_file_is_named_and_the_others_go_on(run: Run, hosts: Path) -> None:
    (hosts / ".gemini/settings.json").write_text("{nonsense")
    (hosts / ".claude.json").chmod(0o444)
    done = run("install", "--yes")
    assert done.returncode == 1
    assert "not JSON" in done.stdout
    assert "leave         ~/.claude.json" in done.stdout
    assert "mcp for claude: it is read-only, so it is left alone" in done.stdout
    assert (hosts / ".gemini/settings.json").read_text() == "{nonsense"
    assert (hosts / ".cursor/mcp.json").exists()
    check = run("install", "gemini", "--check")
    assert check.returncode == 1
    assert check.stdout.startswith("broken ")
    assert run("install", "claude", "--check", "--mcp").stdout.startswith("missing  ")
    done = run("install", "claude", "--dry-run", "--mcp")
    assert done.returncode == 1
    assert "+++" not in done.stdout


@pytest.mark.parametrize(("answer", "code"), [(b"y\n", 0), (b"n\n", 1), (b"\n", 1)])
def test_it_asks_on_a_terminal(hosts: Path, answer: bytes, code: int) -> None:
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    os.write(master, answer)
    done = subprocess.run(
        [sys.executable, "-m", "zeroin", "install", "claude"],
        stdin=slave,
        capture_output=True,
        check=False,
        env=dict(os.environ),
    )
    os.close(slave)
    os.close(master)
    assert done.returncode == code
    assert b"Change " in done.stdout
    assert ((hosts / ".claude/agents/zeroin-retriever.md").exists()) == (code == 0)
