"""What a host shows a model first: the files, what is missing, the words, and soon the code; over a real process."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client

from tests.worlds.history import build_world

ROOT = Path(__file__).resolve().parents[2]
WORLDS = {path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "tests/worlds").glob("*.json"))}
ROWS, CODE_FROM, SHORT = 24, 0.12, 3_000
NONSENSE = "purple elephants dance on the quantum moon"


def rows_of(text: str) -> dict[str, tuple[str, str]]:
    """Of each file in the first table the reason, and the lines to read."""
    head = text.partition("\nMissing: ")[0]
    return {p: (why, lines) for p, why, lines in re.findall(r"^\| (\S+) \| [01]\.\d\d \| (.+) \| (.*) \|$", head, re.M)}


@pytest.mark.parametrize("name", WORLDS)
def test_the_code_begins_early_and_goes_before_a_reason(session: Callable[..., Any], tmp_path: Path, name: str) -> None:
    about = WORLDS[name]
    build_world(about, tmp_path / name)

    async def talk(client: Client) -> Any:
        asked = [{"task": about["task"], "budget": budget} for budget in (8_000, 1_500, 1_000, 600)]
        asked.append({"task": NONSENSE, "budget": 8_000})
        return [(await client.call_tool("find_context", given)).content[0].text for given in asked]

    text, plenty, *small, nothing = session(talk, cwd=tmp_path / name)
    assert text.index("\n```") <= CODE_FROM * max(SHORT, len(text))
    head = text[: text.index("\n## Code\n")]
    assert re.match(r"Run r-[0-9a-f]{10}: .*\n\n\| File \| Relevance \| Reason \| Lines \|\n", head)
    assert len(head.splitlines()) <= ROWS and "\nMissing: " in head
    assert text.index("\n## How it ended\n") > text.index("\n## Code\n")
    assert "\n\nNothing is sure: no file reaches relevance 0.2; " in nothing
    reasons = {path: why for path, (why, _) in rows_of(plenty).items()}
    for shorter in small:
        rows = rows_of(shorter)
        assert rows and all(lines for _, lines in rows.values())
        if "\n## Code\n" in shorter or len(rows) > 3:
            assert {path: why for path, (why, _) in rows.items()} == {path: reasons[path] for path in rows}
