"""Everything that the command line says and keeps of a repository full of made-up secrets."""

from pathlib import Path

from benchmarks.planted_answers import leaks, plant, said_of


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
