"""The texts that teach an agent the pattern: a prompt to paste, a skill, a subagent definition for each host."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from importlib.resources.abc import Traversable

from zeroin.errors import OptionError

SKILL_NAME = "zeroin"  # of the folder too, as agentskills.io wants it
AGENT_NAME = "zeroin-retriever"
AGENT_DESCRIPTION = (
    "Finds the few files of this repository that matter for a task, without changing anything. Use it before you fix, "
    "extend, review or explain code that you do not know yet. Give it the whole task in the user's words. It returns "
    "a table of files with relevance and reason, the codebase's own words for the task's, and what is still missing."
)


def prompt() -> str:
    """The pattern as a block of at most 15 lines to paste into any prompt; it works with grep alone."""
    return _read("prompt.md")


def skill() -> dict[str, str]:
    """An Agent Skill in the form of agentskills.io: path inside the folder `SKILL_NAME` → content."""
    return dict(_below(files(__name__).joinpath("skill"), ""))


def agent(host: str) -> str:
    """The definition of a read-only subagent in the form of `host`, one of `AGENT_HOSTS`. Raises `OptionError`."""
    if host not in _FORMS:
        raise OptionError(f"{host} has no subagent files; hosts that have: {', '.join(AGENT_HOSTS)}")
    return _FORMS[host](_read("agent.md"))


def _read(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def _below(folder: Traversable, prefix: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for item in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if item.is_dir():
            found += _below(item, f"{prefix}{item.name}/")
        elif item.name.endswith(".md"):
            found.append((prefix + item.name, item.read_text(encoding="utf-8")))
    return found


def _markdown(*lines: str) -> Callable[[str], str]:
    """Frontmatter and body; of a tool list only what reads and runs commands, since the rest may write."""
    head = "\n".join(("---", *lines, "---"))
    return lambda body: f"{head}\n\n{body}"


def _toml(body: str) -> str:
    if "'''" in body:
        raise OptionError("the instructions would end their own quotes")
    return (
        f"name = {json.dumps(AGENT_NAME)}\n"
        f"description = {json.dumps(AGENT_DESCRIPTION)}\n"
        'sandbox_mode = "read-only"\n'
        f"developer_instructions = '''\n{body}'''\n"
    )


_NAME, _DESCRIPTION = f"name: {AGENT_NAME}", f"description: {AGENT_DESCRIPTION}"

# Each form as the host's documentation has it; where a host restricts the shell, to the commands that only read.
_FORMS: dict[str, Callable[[str], str]] = {
    "claude": _markdown(_NAME, _DESCRIPTION, "tools: Bash, Read, Grep, Glob"),
    "codex": _toml,
    "copilot": _markdown(_NAME, _DESCRIPTION, "tools: ['execute', 'read', 'search']"),
    "cursor": _markdown(_NAME, _DESCRIPTION, "model: inherit", "readonly: true"),
    "gemini": _markdown(
        _NAME,
        _DESCRIPTION,
        "kind: local",
        "tools:",
        *(
            f"  - {tool}"
            for tool in ("run_shell_command", "read_file", "grep_search", "glob", "list_directory")
        ),
        "max_turns: 20",
    ),
    "opencode": _markdown(  # the last matching rule wins; the name is that of the file
        _DESCRIPTION,
        "mode: subagent",
        "permission:",
        "  edit: deny",
        "  webfetch: deny",
        "  bash:",
        '    "*": deny',
        '    "zeroin *": allow',
        *(f'    "zeroin {rest}": deny' for rest in ("batch*", "cache*", "install*", "learn*", "uninstall*")),
    ),
}
AGENT_HOSTS = tuple(_FORMS)
