"""Imports of a file that a change removes or renames: who has them leads the review."""

from pathlib import Path

import pytest

import zeroin
from tests.repositories import git, repository
from zeroin.answer import Context
from zeroin.engine import diff_of
from zeroin.types import Task

PADDING = {f"notes/note_{n}.py": f"def note_{n}(text):\n    return text + '{n}'\n" for n in range(9)}
PYTHON = {
    "shop/__init__.py": "",
    "shop/paths.py": "def join_paths(a, b):\n    return a + '/' + b\n",
    "shop/basket.py": "from shop.paths import join_paths\n\n\ndef basket(name):\n    return join_paths('b', name)\n",
    "shop/orders.py": "import os\nfrom shop import paths\n\n\ndef order(a):\n    return paths.join_paths(os.sep, a)\n",
    **PADDING,
}


def review(folder: Path, *options: str) -> Context:
    """Return the review of what is staged."""
    change = git(folder, "diff", "--cached", *options)
    return zeroin.retrieve(Task("Tidy up", "review", diff_of(folder, text=change)), folder)


def claims(context: Context) -> set[str]:
    return {reason.text for j in context.listed for reason in j.reasons if "; the change re" in reason.text}


def test_a_revision_that_renames_a_file_neither_removes_nor_uses_what_is_in_it(tmp_path: Path) -> None:
    folder = repository(tmp_path / "r", PYTHON)
    git(folder, "mv", "shop/paths.py", "shop/places.py")
    git(folder, "commit", "-qm", "Call it places")
    context = zeroin.retrieve(Task("", "review", diff_of(folder, "HEAD")), folder)
    assert {text.rpartition("; ")[2] for text in claims(context)} == {"the change renames shop/paths.py"}
    assert not any(
        "join_paths" in reason.text for j in context.ranking for reason in j.reasons if "uses" in reason.text
    )


@pytest.mark.parametrize(("options", "does"), [((), "removes"), (("-M",), "renames")])
def test_who_imports_a_renamed_file_leads_the_review(tmp_path: Path, options: tuple[str, ...], does: str) -> None:
    folder = repository(tmp_path / "r", PYTHON)
    git(folder, "mv", "shop/paths.py", "shop/places.py")
    context = review(folder, *options if options else ("--no-renames",))
    first = {j.path: (j.reasons[0].text, j.relevance >= 0.7) for j in context.listed[:2]}
    assert not any("which the change removes" in j.reason for j in context.listed)
    assert first == {
        "shop/basket.py": (f"imports shop.paths (line 1); the change {does} shop/paths.py", True),
        "shop/orders.py": (f"imports paths of shop (line 2); the change {does} shop/paths.py", True),
    }
    gaps = {gap.need: gap.critical for gap in context.gaps if gap.form == "undefined"}
    assert gaps == {
        f"shop/basket.py:1 imports shop.paths; the change {does} shop/paths.py": True,
        f"shop/orders.py:2 imports paths of shop; the change {does} shop/paths.py": True,
    }
    assert not context.sufficient


@pytest.mark.parametrize(
    ("gone", "user", "text", "written"),
    [
        (
            "src/paths.ts",
            "src/basket.ts",
            "import { join } from './paths';\n\nexport const a = join();\n",
            "./paths",
        ),
        ("src/paths.h", "src/basket.c", '#include "paths.h"\n\nint basket(void) { return join(); }\n', "paths.h"),
        ("lib/paths.rb", "lib/basket.rb", "require_relative 'paths'\n\ndef basket\n  join\nend\n", "paths"),
    ],
)
def test_in_other_languages(tmp_path: Path, gone: str, user: str, text: str, written: str) -> None:
    folder = repository(tmp_path / "r", {gone: "int join(void);\n", user: text, **PADDING})
    git(folder, "rm", "-q", gone)
    assert claims(review(folder)) == {f"imports {written} (line 1); the change removes {gone}"}


def test_nothing_is_said_where_the_module_is_still_there_or_its_user_is_changed_too(tmp_path: Path) -> None:
    folder = repository(tmp_path / "r", PYTHON)
    package = folder / "shop/paths/__init__.py"
    git(folder, "rm", "-q", "shop/paths.py")
    package.parent.mkdir()
    package.write_text(PYTHON["shop/paths.py"])
    git(folder, "add", "-A")
    assert not claims(review(folder, "--no-renames"))
    git(folder, "rm", "-q", "-f", "shop/paths/__init__.py")
    for user in ("shop/basket.py", "shop/orders.py"):
        (folder / user).write_text(PYTHON[user] + "\nDONE = True\n")
    git(folder, "add", "-A")
    assert not claims(review(folder, "--no-renames"))


def test_a_file_that_is_not_searched_is_not_gone(tmp_path: Path) -> None:
    folder = repository(tmp_path / "r", {**PYTHON, ".zeroinignore": "paths.py\n"})
    (folder / "shop/paths.py").write_text("def join_paths(a, b):\n    return a\n")
    git(folder, "add", "-A")
    assert not claims(review(folder))
