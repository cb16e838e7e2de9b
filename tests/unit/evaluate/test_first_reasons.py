"""The reason that decides stands first, and an import defines nothing."""

from pathlib import Path

import pytest

import zeroin
from tests.repositories import repository
from zeroin.query.diff import parse_diff
from zeroin.types import Task

FILES = {
    "lib/helpers/isPlain.js": "module.exports = function isPlain(value) {\n  return value != null;\n};\n",
    "lib/clone.js": (
        "'use strict';\n\nconst isPlain = require('./helpers/isPlain');\n\nfunction clone(value) {\n"
        "  return isPlain(value) ? Object.assign({}, value) : value;\n}\nmodule.exports = clone;\n"
    ),
    "lib/other.js": "function other(plain) {\n  return plain;\n}\nmodule.exports = other;\n",
}
DIFF = """--- a/lib/helpers/isPlain.js
+++ b/lib/helpers/isPlain.js
@@ -1,3 +1,3 @@
-module.exports = function isPlain(value) {
+module.exports = function isPojo(value) {
   return value != null;
 };
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    after = FILES | {
        "lib/helpers/isPlain.js": FILES["lib/helpers/isPlain.js"].replace("function isPlain", "function isPojo")
    }
    return repository(tmp_path / "tree", after)


def test_a_name_that_is_imported_is_used_and_not_defined(tree: Path) -> None:
    found = zeroin.retrieve(Task("rename isPlain", "review", parse_diff(DIFF)), tree, always_loop=True, jobs=1)
    clone = next(one for one in found.ranking if one.path == "lib/clone.js")
    assert clone.reasons[0].text.startswith("uses isPlain (line 3), ")
    assert not any(reason.text.startswith("defines isPlain") for reason in clone.reasons)


def test_a_line_that_the_task_names_comes_first(tree: Path) -> None:
    task = "clone fails for plain values\n\n    at clone (/app/lib/clone.js:6:10)\n"
    found = zeroin.retrieve(task, tree, always_loop=True, jobs=1)
    assert found.ranking[0].path == "lib/clone.js"
    assert found.ranking[0].reasons[0].text == "is in the stack trace, line 6"
