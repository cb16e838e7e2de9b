"""What lies outside of the tree reaches no client, with the official client and the real server."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.outside import SECRET, TASK, WAYS, leading_out

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and names of POSIX")

Run = Callable[..., Any]


@pytest.mark.parametrize("way", WAYS)
def test_nothing_outside_reaches_a_client(tools: Run, tmp_path: Path, way: Callable[[Path, Path], None]) -> None:
    root = leading_out(tmp_path, way)
    results = tools(
        ("find_context", {"task": TASK, "pack": "full"}),
        ("find_context", {"diff": "uncommitted"}),
        ("explain_terms", {"text": "zanzibar coupon"}),
        options=("--root", str(root)),
        cwd=root,
    )
    for result in results:
        assert SECRET not in result.content[0].text and "Traceback" not in result.content[0].text
    assert not results[0].is_error and "outside/renew.py" not in results[0].content[0].text


def test_a_change_does_not_tell_which_files_exist(tools: Run, repo: Path, tmp_path: Path) -> None:
    (tmp_path / "there.diff").write_text("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-zanzibar\n+zanzibar2\n")
    named = (
        *(f"{place}/{name}.diff" for place in (tmp_path, "..") for name in ("there", "gone")),
        "README.md",
        "NO.md",
    )
    results = tools(*(("find_context", {"task": "coupons", "diff": name}) for name in named))
    assert all(result.is_error for result in results)
    said = [result.content[0].text.replace(name, "NAME") for result, name in zip(results, named, strict=True)]
    assert said[0] == said[1] == said[4] == said[5] and said[2] == said[3]
    assert "diff takes a revision" in said[0] and "diff takes a revision" in said[2]
