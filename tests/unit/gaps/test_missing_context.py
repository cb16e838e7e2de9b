"""What a listed file is said to miss stands in its code, and is defined where its language can mean it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.repositories import repository
from zeroin.engine import Repository
from zeroin.gaps.references import missing_context
from zeroin.index.view import View
from zeroin.types import Judgment, Role, Span


def view_of(folder: Path, files: Mapping[str, str]) -> View:
    return Repository.open(repository(folder, files)).opened.view


def missing(view: View, path: str) -> tuple[str, ...]:
    lines = view.text(view.numbers[path]).count("\n")
    judgment = Judgment(path, 0.8, spans=(Span(1, lines),), role=Role.IMPLEMENTATION)
    return missing_context(judgment, (view.numbers[path],), view)


def test_no_document_and_no_file_of_another_language_defines_what_is_used(tmp_path: Path) -> None:
    files = {
        "README.md": "# Usage\n\nStart it.\n\n# Gadget\n\nWhat it is.\n",
        "src/gadget.py": "class Gadget:\n    size = 1\n",
        "src/panel.py": "def panel(flag):\n    return Gadget(flag.Usage, Clock.now())\n",
        "web/clock.go": "package web\n\ntype Clock struct{}\n",
    }
    view = view_of(tmp_path / "repo", files)
    assert missing(view, "src/panel.py") == ("Gadget (line 2): src/gadget.py",)
