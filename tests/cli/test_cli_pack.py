"""Packs, events and redaction, as a process."""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema

from tests.cli.conftest import Run

TASK = "Fix the token expiry bug in validateToken"
AWS = "AKIA" + "Q6XH7XJV4WLN3ZPD"


def test_a_pack_puts_code_into_table_and_json(zeroin: Run, repo: Path) -> None:
    line = "const claims = decodeJwt(token);"
    assert line not in zeroin(TASK, repo).stdout.decode()
    assert line in zeroin(TASK, repo, "--pack", "spans").stdout.decode()
    schema = json.loads(zeroin("schema").stdout)
    value = json.loads(zeroin(TASK, repo, "-f", "json", "--pack", "full").stdout)
    jsonschema.Draft202012Validator(schema).validate(value)
    block = value["files"][0]["code"][0]
    text = (repo / value["files"][0]["path"]).read_text()
    assert text.split("\n")[block["start"] - 1 : block["end"]] == block["text"].split("\n")
    small = zeroin(TASK, repo, "-f", "json", "--pack", "full", "--budget", "200")
    assert small.returncode == 2 and b"needs a budget of" in small.stderr


def test_events_come_while_it_runs(zeroin: Run, repo: Path, environment: dict[str, str]) -> None:
    schema = json.loads(zeroin("schema", "events").stdout)
    command = [sys.executable, "-m", "zeroin", TASK, str(repo), "-f", "jsonl", "--always-loop"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        events = [json.loads(row) for row in process.stdout]
    assert process.returncode == 0
    for event in events:
        jsonschema.Draft202012Validator(schema).validate(event)
    names = [event["event"] for event in events]
    assert names[0] == "start" and names[1] == "cycle" and names[-1] == "end"
    assert names.index("file") > names.index("cycle")
    found = next(event for event in events if event["event"] == "file")
    assert found["path"] == "src/auth/token-service.ts" and found["code"]
    written = zeroin(TASK, repo, "-f", "jsonl", "--always-loop", "-o", "out.jsonl")
    assert written.returncode == 0 and written.stdout == b""


def test_secrets_are_not_shown_unless_asked_for(zeroin: Run, repo: Path) -> None:
    service = repo / "src/auth/token-service.ts"
    service.write_text(f'const signingKey = "{AWS}";\n' + service.read_text())
    (repo / ".env").write_text("TOKEN_EXPIRY_SECRET=swordfish\n")
    text = zeroin(TASK, repo, "--pack", "full").stdout.decode()
    assert AWS not in text and "swordfish" not in text and "redacted: AWS Access Key" in text
    text = zeroin(TASK, repo, "-f", "markdown", "--no-redact").stdout.decode()
    assert AWS in text and "redacted" not in text
