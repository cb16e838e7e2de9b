"""The table of hosts: what is written fits what each host documents, and is put where it looks."""

import json
import sys
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from zeroin.beside import table_beside
from zeroin.cli.install import install
from zeroin.install import texts
from zeroin.install.hosts import Host, Places, all_hosts, running
from zeroin.install.plan import Item, Part, items

HOSTS = all_hosts()
HOST_NAMES = tuple(host.name for host in HOSTS)
SCHEMAS = Path(__file__).parent / "schemas"
linux = pytest.mark.skipif(sys.platform != "linux", reason="folders of Linux")


def fits(name: str, part: str, value: Any) -> None:
    schema = json.loads((SCHEMAS / f"{name}.json").read_text())
    Draft202012Validator({**schema, "$ref": f"#/$defs/{part}"}).validate(value)


def frontmatter(text: str) -> Any:
    start, head, body = text.split("---\n", 2)
    assert start == ""
    assert body.strip()
    return yaml.safe_load(head)


def wanted(places: Places, host: Host, part: Part) -> list[Item]:
    return items(places, [host], [part])


def written(item: Item) -> str:
    return item.editor.put(b"").decode()


def test_the_help_names_the_hosts_of_the_table() -> None:
    assert f"HOST is one of {', '.join(HOST_NAMES)}." in " ".join(str(install.help).split())


@pytest.mark.parametrize("scope", ["user", "project"])
@pytest.mark.parametrize("host", HOSTS, ids=HOST_NAMES)
def test_servers_fit_the_documentation(host: Host, scope: str, places: Places, home: Path) -> None:
    (home / ".config/Code/User").mkdir(parents=True)
    (home / "Library/Application Support/Code/User").mkdir(parents=True)
    at = places if scope == "user" else Places(home, places.environment, home / "shop")
    found = wanted(at, host, Part.MCP)
    assert len(found) == len((host.user if scope == "user" else host.project).servers)
    for item, server in zip(found, (host.user if scope == "user" else host.project).servers, strict=True):
        text = written(item)
        whole = tomllib.loads(text) if item.path.suffix == ".toml" else json.loads(text)
        for key in server.tables[-1]:
            whole = whole[key]
        assert list(whole) == ["zeroin"]
        fits("vscode" if "servers" in server.tables[-1] else host.name, "server", whole["zeroin"])
        command = whole["zeroin"]["command"]
        assert (command if isinstance(command, list) else [command, *whole["zeroin"]["args"]]) == ["zeroin", "mcp"]


@pytest.mark.parametrize("host", HOSTS, ids=HOST_NAMES)
def test_agents_fit_the_documentation(host: Host, places: Places) -> None:
    found = wanted(places, host, Part.AGENT)
    assert bool(found) == (host.name in table_beside(texts.__file__, "agents.toml"))
    for item in found:
        text = written(item)
        value = tomllib.loads(text) if item.path.suffix == ".toml" else frontmatter(text)
        fits(host.name, "agent", value)
        assert item.path.name.partition(".")[0] == value.get("name", texts.AGENT_NAME)


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("zeroin 'it fails' -f markdown --timeout-s 45", "allow"),
        ("zeroin refine r-5f0c2a91b7 --focus 'WORDS' --relevant a.py -f markdown", "allow"),
        ("zeroin 'it fails' -o src/a.py", "deny"),
        ("zeroin 'it fails' -qosrc/a.py", "deny"),
        ("zeroin 'it fails' --report=a.html", "deny"),
        ("zeroin 'it fails' --judge command:./run", "deny"),
        ("zeroin index . --export /srv", "deny"),
        ("zeroin learn --forget all", "deny"),
        ("rm -r .", "deny"),
    ],
)
def test_opencode_runs_only_what_reads(places: Places, command: str, answer: str) -> None:
    host = next(host for host in HOSTS if host.name == "opencode")
    rules = frontmatter(written(wanted(places, host, Part.AGENT)[0]))["permission"]["bash"]
    assert [rules[pattern] for pattern in rules if fnmatchcase(command, pattern)][-1] == answer


@pytest.mark.parametrize("host", HOSTS, ids=HOST_NAMES)
def test_skills_fit_the_specification(host: Host, places: Places) -> None:
    found = wanted(places, host, Part.SKILL)
    first = next(item for item in found if item.path.name == "SKILL.md")
    value = frontmatter(written(first))
    fits("skill", "skill", value)
    assert value["name"] == first.path.parent.name
    assert len(written(first).splitlines()) < 500


@linux
def test_where_the_files_of_the_user_are(places: Places, home: Path) -> None:
    def paths(name: str, **environment: str) -> list[str]:
        host = next(each for each in HOSTS if each.name == name)
        at = Places(home, {**places.environment, **environment})
        found = items(at, [host], list(Part))
        return [str(item.path).replace(str(home), "~") for item in found if "/references/" not in str(item.path)]

    assert paths("claude") == [
        "~/.claude.json",
        "~/.claude/skills/zeroin/SKILL.md",
        "~/.claude/agents/zeroin-retriever.md",
        "~/.claude/CLAUDE.md",
    ]
    assert paths("claude", CLAUDE_CONFIG_DIR="/srv/c") == [
        "/srv/c/.claude.json",
        "/srv/c/skills/zeroin/SKILL.md",
        "/srv/c/agents/zeroin-retriever.md",
        "/srv/c/CLAUDE.md",
    ]
    assert paths("codex") == [
        "~/.codex/config.toml",
        "~/.agents/skills/zeroin/SKILL.md",
        "~/.codex/agents/zeroin-retriever.toml",
        "~/.codex/AGENTS.md",
    ]
    assert paths("codex", CODEX_HOME="/srv/c")[0] == "/srv/c/config.toml"
    assert paths("gemini", GEMINI_CLI_HOME="/srv/g")[0] == "/srv/g/.gemini/settings.json"
    assert paths("gemini")[2] == "~/.gemini/agents/zeroin-retriever.md"
    assert paths("cursor")[0] == "~/.cursor/mcp.json"
    assert paths("copilot")[0] == "~/.copilot/mcp-config.json"
    assert paths("copilot", COPILOT_HOME="/srv/p")[2] == "/srv/p/agents/zeroin-retriever.agent.md"
    assert paths("opencode")[0] == "~/.config/opencode/opencode.json"
    assert paths("opencode", XDG_CONFIG_HOME="/srv/x")[0] == "/srv/x/opencode/opencode.json"
    assert paths("opencode", XDG_CONFIG_HOME="relative")[0] == "~/.config/opencode/opencode.json"
    assert paths("zed") == [
        "~/.config/zed/settings.json",
        "~/.agents/skills/zeroin/SKILL.md",
        "~/.config/zed/AGENTS.md",
    ]


@linux
def test_the_file_of_vscode_is_written_where_that_is(places: Places, home: Path) -> None:
    copilot = next(host for host in HOSTS if host.name == "copilot")
    assert len(wanted(places, copilot, Part.MCP)) == 1
    (home / ".config/Code/User").mkdir(parents=True)
    assert wanted(places, copilot, Part.MCP)[1].path == home / ".config/Code/User/mcp.json"


def test_the_configuration_that_is_there_is_taken(places: Places, home: Path) -> None:
    opencode = next(host for host in HOSTS if host.name == "opencode")
    (home / ".config/opencode").mkdir(parents=True)
    (home / ".config/opencode/opencode.jsonc").write_text("{}")
    assert wanted(places, opencode, Part.MCP)[0].path.name == "opencode.jsonc"


def test_what_several_hosts_read_is_written_once(places: Places) -> None:
    found = items(places, HOSTS, [Part.SKILL])
    assert {item.hosts for item in found} == {("claude",), tuple(name for name in HOST_NAMES if name != "claude")}


@pytest.mark.parametrize("host", HOSTS, ids=HOST_NAMES)
def test_hosts_are_found_by_folder_or_program(host: Host, places: Places, home: Path, tmp_path: Path) -> None:
    assert not places.found(host)
    program = tmp_path / "bin" / host.programs[0]
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert places.found(host)
    program.unlink()
    places.path(host, "{own}").mkdir(parents=True)
    assert [each for each in HOSTS if places.found(each)] == [host]


@pytest.mark.parametrize("host", HOSTS, ids=HOST_NAMES)
def test_hosts_are_found_by_the_files_of_a_project(host: Host, places: Places, home: Path) -> None:
    at = Places(home, places.environment, home / "shop")
    assert not at.found(host)
    path = home / "shop" / host.project.servers[0].files[-1]
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    assert at.found(host)


def test_the_command_that_starts_this_zeroin_again(tmp_path: Path) -> None:
    def script(folder: str) -> str:
        path = tmp_path / folder / "zeroin"
        path.parent.mkdir(parents=True)
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
        return str(path)

    here, _, archive = script("one"), script("two"), script("cache/uv/archive-v0/x/bin")
    assert running(here, {"PATH": str(tmp_path / "one")}) == ("zeroin",)
    assert running(here, {"PATH": str(tmp_path / "two")}) == (here,)
    assert running(here, {"PATH": ""}) == (here,)
    assert running(here, {"PATH": f"{tmp_path}/one", "VIRTUAL_ENV": str(tmp_path / "one")}) == (here,)
    assert running(archive, {"PATH": str(Path(archive).parent)})[0] == "uvx"
    module = running("/x/zeroin/__main__.py", {"PATH": ""})
    assert module in ((str(Path(sys.executable).with_name("zeroin")),), (sys.executable, "-m", "zeroin"))
