"""The hosts themselves read what was written: only where ZEROIN_REAL_HOSTS names a folder with their programs.

    npm install --prefix /tmp/hosts \\
        @openai/codex @anthropic-ai/claude-code opencode-ai @google/gemini-cli @github/copilot
    ZEROIN_REAL_HOSTS=/tmp/hosts/node_modules/.bin pytest tests/install/test_install_real_hosts.py

None of these commands needs an account. Each host has the home folder of the test.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.install.conftest import Run

PROGRAMS = os.environ.get("ZEROIN_REAL_HOSTS", "")
PATH = os.environ.get("PATH", "")
pytestmark = pytest.mark.skipif(not PROGRAMS, reason="ZEROIN_REAL_HOSTS names no folder of programs")

# Of each host: what it is asked, what it must answer for the user's files and for those of a project.
ASKED = [
    ("claude", ["mcp", "get", "zeroin"], ["Args: mcp"]),
    ("claude", ["--agent", "nobody", "-p", "hi"], ["zeroin-retriever"]),
    ("codex", ["mcp", "get", "zeroin"], ["enabled: true", "args: mcp"]),
    ("codex", ["debug", "prompt-input", "hi"], ["zeroin/SKILL.md"]),
    ("opencode", ["mcp", "list"], ["zeroin", "connected"]),
    ("opencode", ["agent", "list"], ["zeroin-retriever (subagent)"]),
    ("gemini", ["mcp", "list"], ["zeroin", "mcp (stdio)"]),
    ("gemini", ["skills", "list"], ["zeroin [Enabled]"]),
    ("copilot", ["mcp", "get", "zeroin"], ["Status: Enabled", "Type: local"]),
    ("copilot", ["skill", "list"], ["zeroin - Find the few files"]),
]


@pytest.mark.parametrize("scope", ["user", "project"])
@pytest.mark.parametrize(("host", "question", "answer"), ASKED, ids=lambda value: "-".join(value)[:30])
def test_the_host_knows_zeroin(
    host: str, question: list[str], answer: list[str], scope: str, run: Run, home: Path
) -> None:
    program = Path(PROGRAMS) / host
    if not program.exists():
        pytest.skip(f"{host} is not there")
    project = home / "shop"
    project.mkdir()
    environment = {**os.environ, "PATH": f"{PROGRAMS}:{Path(sys.executable).parent}:{PATH}", "TERM": "dumb"}
    environment |= {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_TELEMETRY": "1"}
    subprocess.run(["git", "init", "-q", str(project)], check=True, env=environment)
    trust(home, project)
    path = f"{PROGRAMS}{os.pathsep}{PATH}"  # so that the host's own commands are used
    options = ["--yes", *(["--project"] if scope == "project" else [])]
    done = run("install", host, *options, cwd=project, PATH=path)
    assert done.returncode == 0, done.stderr
    asked = subprocess.run(
        [str(program), *question],
        cwd=project,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    for words in answer:
        assert words in asked.stdout + asked.stderr


def trust(home: Path, project: Path) -> None:
    """What each host writes once its user has said that the project is trusted."""
    files = {
        ".codex/config.toml": f'[projects."{project}"]\ntrust_level = "trusted"\n',
        ".gemini/trustedFolders.json": json.dumps({str(project): "TRUST_FOLDER"}),
        ".copilot/config.json": json.dumps({"trustedFolders": [str(project)]}),
    }
    for name, text in files.items():
        (home / name).parent.mkdir()
        (home / name).write_text(text)
