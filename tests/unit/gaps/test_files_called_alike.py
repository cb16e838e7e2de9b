"""Files that are called alike, and what the sentence of an aspect says of a file: all of it stands in its names."""

from pathlib import Path

import pytest

from tests.unit.gaps.test_gaps import gaps_of, selection_of
from zeroin.index.locate import FilesByStem, stem_key

PATHS = (
    "a/user_store.py",
    "tests/test_user_store.py",
    "web/UserStore.tsx",
    "web/UserStore.test.tsx",
    "store/user.py",
    "user_store/index.js",
    "it/ΟΔΟΣ.py",
    "it/test_ΟΔΟΣ.py",
    ".env",
    "x/new\nline.c",
)


def test_docs_of_a_stem_are_those_whose_whole_path_gives_it() -> None:
    files = FilesByStem(PATHS)
    for path in PATHS:
        key = stem_key(path)
        assert files.docs(key) == [doc for doc, other in enumerate(PATHS) if stem_key(other) == key]
    assert files.docs(stem_key("user_store.py")) == [0, 1, 2, 3]
    assert files.docs("nothing") == FilesByStem(()).docs("user") == []


RAISE = "def raise_fault(x):\n    return x\n"


@pytest.mark.parametrize(
    ("test", "text", "judged", "said"),
    [
        ("tests/ring/test_fault.py", "x = 1\n", ("core/fault.py", "mods/ring/fault.py"), "mods/ring/fault.py"),
        ("tests/ring/test_fault.py", "x = 1\n", ("core/fault.py",), ""),
        ("tests/core/test_fault.py", "x = 1\n", ("core/fault.py", "mods/ring/fault.py"), "core/fault.py"),
        ("tests/ring/test_fault.py", "import core.fault\n", ("core/fault.py", "mods/ring/fault.py"), "core/fault.py"),
        ("tests/ring/test_fault.py", "import core.fault\n", ("mods/ring/fault.py",), ""),
        ("tests/core/fault.test.ts", "const x = 1\n", ("core/fault.py", "web/fault.ts"), "web/fault.ts"),
    ],
)
def test_a_test_is_that_of_the_file_it_imports_or_whose_folders_it_shares(
    tmp_path: Path, test: str, text: str, judged: tuple[str, ...], said: str
) -> None:
    files = {"core/fault.py": RAISE, "mods/ring/fault.py": RAISE, "web/fault.ts": "export const a = 1\n", test: text}
    selection = selection_of(tmp_path / "repo", files, "A fault is raised twice", dict.fromkeys(judged, 0.8))
    needs = [gap.need for gap in gaps_of(selection) if gap.form == "test" and gap.holds]
    assert needs == ([f"{test} tests {said}"] if said else [])


def test_a_test_is_the_half_of_one_file_alone(tmp_path: Path) -> None:
    files = {"core/fault.py": RAISE, "mods/ring/fault.py": RAISE, "tests/ring/test_fault.py": "x = 1\n"}
    selection = selection_of(tmp_path / "repo", files, "A fault is raised twice", {"tests/ring/test_fault.py": 0.8})
    needs = [gap.need for gap in gaps_of(selection) if gap.form == "tested" and gap.holds]
    assert needs == ["mods/ring/fault.py is named like tests/ring/test_fault.py"]


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


def test_a_name_means_the_definition_that_its_file_imports(tmp_path: Path) -> None:
    files = {
        "core/types.ts": "export interface AnyEventObject { type: string }\n",
        "store/types.ts": "interface AnyEventObject { name: string }\n",
        "core/run.ts": "import { AnyEventObject } from './types';\n\n"
        "export function runTwice(event: AnyEventObject) {\n  return event;\n}\n",
    }
    selection = selection_of(tmp_path / "repo", files, "Events run twice", {"core/run.ts": 0.8})
    needs = [gap.need for gap in gaps_of(selection) if gap.kind == "reference"]
    assert needs == ["AnyEventObject (core/run.ts:1) is defined in core/types.ts"]
