"""Configuration files as people have them, written after each host's documentation (see docs/HOSTS.md).

For each host and scope: the file below the home folder or the project, and its content.
"""

from __future__ import annotations

import sys

# Where this system keeps the configuration of programs with windows.
PROGRAMS = {"darwin": "Library/Application Support", "win32": "AppData/Roaming"}.get(sys.platform, ".config")

CLAUDE = """{
  "numStartups": 212,
  "theme": "dark",
  "projects": {
    "/srv/shop": {
      "allowedTools": [],
      "mcpServers": {},
      "hasTrustDialogAccepted": true
    }
  },
  "mcpServers": {
    "github": {
      "type": "http",
      "url": "https://api.githubcopilot.com/mcp/"
    },
    "db": {
      "type": "stdio",
      "command": "npx",
      "args": [
        "-y",
        "@bytebase/dbhub"
      ],
      "env": {
        "DSN": "postgres://reader:s3cr3tPassw0rd@localhost/shop"
      }
    }
  },
  "oauthAccount": {
    "emailAddress": "ada@example.org"
  }
}"""

CLAUDE_PROJECT = '{ "mcpServers": { "db": { "command": "${HOME}/bin/db", "args": [] } } }\n'

CODEX = """# My Codex. Keep the model in step with the team.
model = "gpt-5-codex"
approval_policy = "on-request"   # ask first
notify = ["python3", "/home/ada/notify.py"]

[mcp_servers.docs]
command = "npx"
args = [
    "-y", # yes
    "@upstash/context7-mcp",
]
env = { "API_KEY" = "value" }

[mcp_servers."other one"]
url = "https://example.org/mcp"
bearer_token_env_var = "TOKEN"

# profiles below
[profiles.deep]
model = "gpt-5"
text = '''
[mcp_servers.zeroin]
this is no table
'''

[[hooks.stop]]
command = "say done"
"""

CURSOR = """{
\t"mcpServers": {
\t\t"linear": {"url": "https://mcp.linear.app/mcp"},
\t\t"files": {
\t\t\t"command": "node",
\t\t\t"args": ["/opt/files.js"],
\t\t\t"envFile": "${userHome}/.env"
\t\t}
\t}
}
"""

GEMINI = """{
    "security": { "auth": { "selectedType": "oauth-personal" } },
    "ui": { "theme": "GitHub" }, // easier on the eyes
    "mcpServers": {
        /* the internal one */
        "wiki": { "httpUrl": "https://wiki.example.org/mcp", "timeout": 5000 }
    }
}
"""

COPILOT = """{
  "mcpServers": {
    "playwright": {
      "type": "local",
      "command": "npx",
      "args": ["@playwright/mcp@latest"],
      "env": {},
      "tools": ["*"]
    }
  }
}
"""

VSCODE = """{
\t// Servers of everybody
\t"inputs": [
\t\t{ "type": "promptString", "id": "key", "description": "Key", "password": true, },
\t],
\t"servers": {
\t\t"github": { "type": "http", "url": "https://api.githubcopilot.com/mcp/" }, // remote
\t},
}
"""

OPENCODE = """{
  "$schema": "https://opencode.ai/config.json",
  "model": "anthropic/claude-sonnet-4-5",
  "mcp": {
    "jira": {
      "type": "remote",
      "url": "https://jira.example.org/mcp",
      "enabled": false // too slow
    }
  },
  "permission": { "edit": "ask" }
}
"""

OPENCODE_2 = """{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    "timeout": 20000,
    "servers": {
      "jira": { "type": "local", "command": ["jira-mcp"], },
    },
  },
}
"""

ZED = """// Zed settings
//
// For information on how to configure Zed, see the Zed
// documentation: https://zed.dev/docs/configuring-zed
{
  "ui_font_size": 16,
  "theme": {
    "mode": "system",
    "light": "One Light",
    "dark": "One Dark",
  },
  // agents
  "context_servers": {
    // "old": {"command": "old-server"},
    "mcp-server-github": {
      "enabled": true,
      "settings": {},
    },
  },
  "languages": {"Python": {"tab_size": 4}},
}
"""

INSTRUCTIONS = """# Working agreements

- Run the tests before you say you are done.

## Style
Short sentences."""

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
