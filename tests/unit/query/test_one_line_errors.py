"""An error pasted as one line: the file and the line that it names are what the answer shows."""

from pathlib import Path

import pytest

import zeroin
from tests.repositories import repository

BODY = "".join(f"  def action_{n}\n    story_{n}.save\n  end\n\n" for n in range(40))
FILES = {
    f"app/controllers/{name}_controller.rb": f"class {name.title()}\n{BODY}end\n" for name in ("comments", "stories")
}
FILES |= {f"evaluation/{name}.py": BODY.replace("  end\n", "") for name in ("merging", "scoring")}
RUBY, PYTHON = "app/controllers/comments_controller.rb", "evaluation/merging.py"


@pytest.mark.parametrize(
    ("task", "path", "line"),
    [
        (f"ActiveRecord::RecordNotFound (Couldn't find Story) {RUBY}:93:in `create'", RUBY, 93),
        (f"NoMethodError in {RUBY}:93:in 'Comments#create': undefined method save for nil", RUBY, 93),
        (f"KeyError: 'userID' {PYTHON} line 51 in merge_ratings", PYTHON, 51),
        (f"It fails with an empty table ({PYTHON}, line 51)", PYTHON, 51),
        (f"See {PYTHON} on line 51", PYTHON, 51),
    ],
)
def test_the_place_is_shown(tmp_path: Path, task: str, path: str, line: int) -> None:
    found = zeroin.retrieve(task, repository(tmp_path / "r", FILES), always_loop=True, jobs=1)
    best = found.listed[0]
    assert best.path == path
    assert any(reason.text == f"is named by the task, line {line}" for reason in best.reasons)
    assert any(span.start <= line <= span.end for span in best.spans)
