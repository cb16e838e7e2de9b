"""The hosts: where each looks for MCP servers, skills, subagents and instructions, and how each writes a server.

To add a host, add a row to `HOSTS` (and its documentation to docs/HOSTS.md, an excerpt of its schema to
tests/install/schemas). In paths, "~" is the home folder, "{own}" the host's configuration folder, "{base}" what the
host's variable names (else the home folder), "{config}" the XDG configuration folder, "{programs}" where this system
keeps the configuration of programs with windows. Paths of the project are relative to its root.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from zeroin.install.editing import Json
from zeroin.install.texts import AGENT_NAME

Entry = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Server:
    """A configuration file that names MCP servers: the first of `files` that exists, else the first.

    `places` are the paths of keys to the table of servers, the preferred first; `entry` makes a server's entry from
    program and arguments. With `where`, the file is written only where that folder exists.
    """

    files: tuple[str, ...]
    entry: Callable[[str, list[Json]], Entry]
    places: tuple[tuple[str, ...], ...] = (("mcpServers",),)
    where: str = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a host looks, for the user or in a project; "" where it has no such thing.

    The folder of skills is, where it can be, the one that all hosts but Claude Code read: one copy serves them all.
    """

    servers: tuple[Server, ...]
    agent: str
    instructions: str
    skills: str = "{shared}"


@dataclass(frozen=True, slots=True)
class Host:
    """One host. `own` is its configuration folder, which `variable` (of the environment) names instead if it is set
    and `own` does not begin with "{base}". The host is here where `own`, one of `marks` or of `programs` is."""

    name: str
    title: str
    own: str
    programs: tuple[str, ...]
    user: Scope
    project: Scope
    variable: str = ""
    marks: tuple[str, ...] = ()


def _stdio(program: str, arguments: list[Json]) -> Entry:
    return {"type": "stdio", "command": program, "args": arguments}


def _plain(program: str, arguments: list[Json]) -> Entry:
    return {"command": program, "args": arguments}


def _copilot(program: str, arguments: list[Json]) -> Entry:
    return {"type": "local", "command": program, "args": arguments, "tools": ["*"]}


def _opencode(program: str, arguments: list[Json]) -> Entry:
    return {"type": "local", "command": [program, *arguments]}


_VSCODE = (("servers",),)
_OPENCODE = (("mcp", "servers"), ("mcp",))  # the form of version 2, and the one that both read
_CODEX = (("mcp_servers",),)
_ZED = (("context_servers",),)

HOSTS: tuple[Host, ...] = (
    Host(
        name="claude",
        title="Claude Code",
        own="~/.claude",
        variable="CLAUDE_CONFIG_DIR",
        programs=("claude",),
        marks=("{base}/.claude.json",),
        user=Scope(
            servers=(Server(("{base}/.claude.json",), _stdio),),
            skills="{own}/skills",
            agent=f"{{own}}/agents/{AGENT_NAME}.md",
            instructions="{own}/CLAUDE.md",
        ),
        project=Scope(
            servers=(Server((".mcp.json",), _stdio),),
            skills=".claude/skills",
            agent=f".claude/agents/{AGENT_NAME}.md",
            instructions="CLAUDE.md",
        ),
    ),
    Host(
        name="codex",
        title="Codex CLI",
        own="~/.codex",
        variable="CODEX_HOME",
        programs=("codex",),
        user=Scope(
            servers=(Server(("{own}/config.toml",), _plain, _CODEX),),
            agent=f"{{own}}/agents/{AGENT_NAME}.toml",
            instructions="{own}/AGENTS.md",
        ),
        project=Scope(
            servers=(Server((".codex/config.toml",), _plain, _CODEX),),
            agent=f".codex/agents/{AGENT_NAME}.toml",
            instructions="AGENTS.md",
        ),
    ),
    Host(
        name="cursor",
        title="Cursor",
        own="~/.cursor",
        programs=("cursor", "cursor-agent"),
        user=Scope(
            servers=(Server(("{own}/mcp.json",), _stdio),),
            agent=f"{{own}}/agents/{AGENT_NAME}.md",
            instructions="",
        ),
        project=Scope(
            servers=(Server((".cursor/mcp.json",), _stdio),),
            agent=f".cursor/agents/{AGENT_NAME}.md",
            instructions="AGENTS.md",
        ),
    ),
    Host(
        name="gemini",
        title="Gemini CLI",
        own="{base}/.gemini",
        variable="GEMINI_CLI_HOME",
        programs=("gemini",),
        user=Scope(
            servers=(Server(("{own}/settings.json",), _plain),),
            agent=f"{{own}}/agents/{AGENT_NAME}.md",
            instructions="{own}/GEMINI.md",
        ),
        project=Scope(
            servers=(Server((".gemini/settings.json",), _plain),),
            agent=f".gemini/agents/{AGENT_NAME}.md",
            instructions="GEMINI.md",
        ),
    ),
    Host(
        name="copilot",
        title="GitHub Copilot (CLI, VS Code)",
        own="~/.copilot",
        variable="COPILOT_HOME",
        programs=("copilot", "code"),
        marks=("{programs}/Code/User",),
        user=Scope(
            servers=(
                Server(("{own}/mcp-config.json",), _copilot),
                Server(("{programs}/Code/User/mcp.json",), _stdio, _VSCODE, where="{programs}/Code/User"),
            ),
            agent=f"{{own}}/agents/{AGENT_NAME}.agent.md",
            instructions="{own}/copilot-instructions.md",
        ),
        project=Scope(
            servers=(Server((".github/mcp.json",), _copilot), Server((".vscode/mcp.json",), _stdio, _VSCODE)),
            agent=f".github/agents/{AGENT_NAME}.agent.md",
            instructions=".github/copilot-instructions.md",
        ),
    ),
    Host(
        name="opencode",
        title="opencode",
        own="{config}/opencode",
        programs=("opencode",),
        user=Scope(
            servers=(Server(("{own}/opencode.json", "{own}/opencode.jsonc"), _opencode, _OPENCODE),),
            agent=f"{{own}}/agents/{AGENT_NAME}.md",
            instructions="{own}/AGENTS.md",
        ),
        project=Scope(
            servers=(Server(("opencode.json", "opencode.jsonc"), _opencode, _OPENCODE),),
            agent=f".opencode/agents/{AGENT_NAME}.md",
            instructions="AGENTS.md",
        ),
    ),
    Host(
        name="zed",
        title="Zed",
        own="{zed}",
        programs=("zed", "zeditor"),
        user=Scope(
            servers=(Server(("{own}/settings.json",), _plain, _ZED),),
            agent="",  # it has no definitions of subagents
            instructions="{own}/AGENTS.md",
        ),
        project=Scope(
            servers=(Server((".zed/settings.json",), _plain, _ZED),),
            agent="",
            instructions="AGENTS.md",
        ),
    ),
)
HOST_NAMES = tuple(each.name for each in HOSTS)
