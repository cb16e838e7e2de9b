"""What the sentence of an aspect says of a file stands in that file's names."""

from pathlib import Path

import pytest

from tests.unit.gaps.test_gaps import gaps_of, selection_of


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("def on_finalize(x):\n    return x\n", "“finalize”"),
        ("def finalize_async(x):\n    return x\n", "“finalizeAsync”"),
    ],
)
def test_of_a_compound_a_file_says_what_it_says_of_it(tmp_path: Path, code: str, said: str) -> None:
    files = {"src/command.py": "def run(x):\n    return x\n", "src/cobra.py": code}
    selection = selection_of(tmp_path / "repo", files, "Add a finalizeAsync hook", {"src/command.py": 0.8})
    needs = [gap.need for gap in gaps_of(selection) if gap.form == "aspect"]
    assert needs == [f"no selected path or definition says {said}; src/cobra.py does"]
