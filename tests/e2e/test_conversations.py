"""The worked examples with a model in the evaluator's seat: written replies, through a real server and each SDK."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import zeroin
from tests.unit.llm_judge.judge_server import Act, Asked, Server
from zeroin.answer import Context

pytest.importorskip("pydantic_ai", reason="needs the extra: pip install 'zeroin[judge]'")

ROOT = Path(__file__).resolve().parents[2]
CONVERSATIONS = json.loads((Path(__file__).parent / "conversations.json").read_text())
# Wanted among the first four with a judge, and missed since the encoder of 2026-11-28 or the ranker of the day after
# (docs/JUDGE.md): not shown to it, or found by later cycles alone, which a sure grade of another file makes needless.
MISSED = {
    "rate-limiting": "src/http/router-setup.ts",
    "token-expiry": "src/crypto/jwt-utils.ts",
    "identity": "src/identity/session-store.ts",
}
FILE = re.compile(r"--- [0-9a-f]{16} file (\d+): ([^\\]+)\\n")  # in the JSON of a request


def said(recorded: dict[str, Any], asked: Asked) -> str:
    """Return the reply: the written grade of each file that is shown, 0 for others."""
    unknown = [0, "not about this"]
    files = [
        {"id": int(number), "grade": grade, "reason": reason, "lines": [], "missing": []}
        for number, path in FILE.findall(asked.text)
        for grade, reason in [recorded["grades"].get(path, unknown)]
    ]
    return json.dumps({"files": files, "words": recorded["words"]})


def ranked(answer: Context) -> dict[str, float]:
    """Relevance by path, best first."""
    return {j.path: j.relevance for j in answer.ranking}


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_a_worked_example_has_the_expected_files_first_with_a_model_beside(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded, about = (CONVERSATIONS[name], json.loads((ROOT / "tests" / "worlds" / f"{name}.json").read_text()))
    folder = shutil.copytree(ROOT / about["root"], tmp_path / name)
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    for key in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.setenv(key, "sk-not-to-be-seen-0123456789")
    offline = zeroin.retrieve(about["task"], folder, always_loop=True)
    with Server(Act(lambda asked: said(recorded, asked))) as server:
        for variable, url in server.addresses().items():
            monkeypatch.setenv(variable, url)
        judged = zeroin.retrieve(about["task"], folder, always_loop=True, judge=recorded["judge"])
        sent = len(server.asked)
        again = zeroin.retrieve(about["task"], folder, always_loop=True, judge=recorded["judge"])
        assert len(server.asked) == sent, "the same question is not sent twice"
    found, before = ranked(judged), ranked(offline)
    missed = MISSED.get(name)
    wanted = [path for path in about["expect_files"] if path != missed]
    assert set(wanted) <= set(list(found)[:4])
    assert missed is None or found.get(missed, 0.0) < 0.2, "it is found: take it out of MISSED"
    risen = [path for path in wanted if found[path] > before.get(path, 0.0)]
    # Of identity all but one are found by later cycles, and a sure grade ends the loop after the first.
    assert risen == (["src/middleware/require-auth.ts"] if name == "identity" else wanted)
    assert judged.judge is not None and again.judge is not None
    assert judged.judge.calls == sent > 0 and not judged.judge.failed and judged.judge.weight > 0.8
    assert again.judge.calls == 0 and again.judge.cached == sent
    assert ranked(again) == found
    first = judged.files[0]
    assert first.reasons[0].text.endswith(recorded["grades"][first.path][1])
