"""A real model, where the user names one: ZEROIN_LIVE_JUDGE=openai:gpt-5-mini pytest -m live. It costs a call."""

import os
from pathlib import Path

import pytest

from tests.unit.llm_judge.test_seat import FILES, TASK, opened
from zeroin.config import Options

JUDGE = os.environ.get("ZEROIN_LIVE_JUDGE", "")

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(not JUDGE, reason="asks a real model: name it in ZEROIN_LIVE_JUDGE, with its key"),
]


def test_a_real_model_grades_the_files_and_finds_the_right_one(tmp_path: Path) -> None:
    answer = opened(tmp_path / "r", FILES).ask(TASK, Options(always_loop=True, judge=JUDGE)).run()
    used = answer.judge
    assert used is not None and not used.failed, used
    assert used.calls + used.cached > 0 and used.graded > 5
    assert used.cached or used.input_tokens > 0 < used.output_tokens
    assert answer.ranking[0].path == "src/quota/window.py"
    assert "grades it" in answer.ranking[0].reasons[0].text
