"""Everything that the command line says and keeps of a repository full of made-up secrets."""

from pathlib import Path

import pytest

import zeroin
from benchmarks.planted_answers import leaks, plant, said_of
from tests.repositories import repository
from zeroin.context.rendering import render


def test_no_secret_is_said_or_kept(tmp_path: Path) -> None:
    """182 secrets; every form of an answer is looked at in `test_context_planted.py`."""
    secrets = plant(tmp_path / "shop")
    said = said_of(tmp_path / "shop", tmp_path / "home", formats=("json",))
    shown = [(what, leaks(secrets, text)) for what, text in said]
    kept = {what for what, _ in shown if what.startswith("kept in ")}
    files = ("page.html", "diff.html", "shop.learned", "r.json")
    assert {f"kept in {name}" for name in files} <= kept
    assert any((tmp_path / "home").rglob("exported/*"))
    assert not [(what, kinds) for what, kinds in shown if kinds]


@pytest.mark.parametrize("name", ["ErrInvalidSHA512PasswordLength", "colour_256toRGB", "deriveKeyPBKDF2WithSHA256"])
def test_a_name_with_numbers_is_no_secret(tmp_path: Path, name: str) -> None:
    files = {
        "auth/check.go": f'package auth\n\nvar {name} = errors.New("length")\n',
        "web/row.go": "package web\n",
    }
    session = zeroin.open_session(f"Where is {name} returned?", repository(tmp_path / "r", files), always_loop=True)
    context = session.run()
    answer = str(render(context, session.read, "table"))
    assert context.listed[0].path == "auth/check.go" and context.listed[0].relevance >= 0.5
    assert f"line 3 matches {name}" in answer and "redacted" not in answer
