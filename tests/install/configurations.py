"""Configuration files as people have them, written after each host's documentation (see docs/HOSTS.md).

`USER` and `PROJECT`: of each host the files below the home folder or the project, and their content.
"""

import sys
from pathlib import Path

# Where this system keeps the configuration of programs with windows.
PROGRAMS = {"darwin": "Library/Application Support", "win32": "AppData/Roaming"}.get(sys.platform, ".config")


def _read(name: str) -> str:
    return (Path(__file__).parent / "configs" / name).read_bytes().decode()


CLAUDE, CLAUDE_PROJECT, CODEX = map(_read, ("claude.json", "claude-project.json", "codex.toml"))
CURSOR, GEMINI, COPILOT = map(_read, ("cursor.json", "gemini.jsonc", "copilot.json"))
VSCODE, OPENCODE, OPENCODE_2 = map(_read, ("vscode.jsonc", "opencode.jsonc", "opencode-2.jsonc"))
ZED, INSTRUCTIONS = map(_read, ("zed.jsonc", "instructions.md"))

USER = {
    "claude": {".claude.json": CLAUDE, ".claude/CLAUDE.md": INSTRUCTIONS},
    "codex": {".codex/config.toml": CODEX, ".codex/AGENTS.md": INSTRUCTIONS},
    "cursor": {".cursor/mcp.json": CURSOR},
    "gemini": {".gemini/settings.json": GEMINI, ".gemini/GEMINI.md": INSTRUCTIONS},
    "copilot": {".copilot/mcp-config.json": COPILOT, f"{PROGRAMS}/Code/User/mcp.json": VSCODE},
    "opencode": {".config/opencode/opencode.json": OPENCODE},
    "zed": {".config/zed/settings.json": ZED, ".config/zed/AGENTS.md": INSTRUCTIONS},
}
PROJECT = {
    "claude": {".mcp.json": CLAUDE_PROJECT, "CLAUDE.md": INSTRUCTIONS},
    "codex": {".codex/config.toml": CODEX, "AGENTS.md": INSTRUCTIONS},
    "cursor": {".cursor/mcp.json": CURSOR},
    "gemini": {".gemini/settings.json": GEMINI},
    "copilot": {".github/mcp.json": COPILOT, ".vscode/mcp.json": VSCODE},
    "opencode": {"opencode.jsonc": OPENCODE_2},
    "zed": {".zed/settings.json": ZED},
}
