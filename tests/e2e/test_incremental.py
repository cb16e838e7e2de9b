"""An index that grew answers as a fresh one does, leaks nothing from a later commit, and starts few git processes."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_repository import TASK, answer, build

from tests.examples import tried_on
from tests.repositories import START, commit, git
from zeroin.corpus import git as git_module

NAMES = ("shop/tokens.py", "shop/coupons.py", "shop/extra.py", "lib/expiry.ts", "notes.md", "shop/a b é.py")
TEXTS = (
    "def is_expired(token):\n    return token.access and token.expired\n",
    "from shop.tokens import TokenCheck\n\nclass Expired(Exception):\n    pass\n",
    "export function accessToken(): boolean {\n  return expire();\n}\n",
    "# Tokens\n\nAccess tokens expire.\n",
    "",
)
Step = tuple[str, str, str, bool]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(("write", "delete", "rename")),
        st.sampled_from(NAMES),
        st.sampled_from(TEXTS),
        st.booleans(),  # commit afterwards
    ),
    min_size=1,
    max_size=4,
)


def take(root: Path, step: Step, number: int) -> None:
    what, name, text, commits = step
    file = root / name
    if what == "write" or not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + f"# {number}\n", encoding="utf-8")
    elif what == "delete":
        file.unlink()
    else:
        file.rename(file.with_name(f"moved{number}{file.suffix}"))
    if commits:
        commit(root, {}, f"Expire access token {number}", seconds=START + 10 + number)


def asked(root: Path, cache: Path, **options: Any) -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZEROIN_CACHE_DIR", str(cache))
        return answer(TASK, root, always_loop=True, max_cycles=2, **options)


@tried_on(8)
@given(steps=STEPS)
def test_an_incremental_index_answers_as_a_fresh_one(steps: Sequence[Step]) -> None:
    with tempfile.TemporaryDirectory() as place:
        root, grown = build(Path(place) / "repo"), Path(place) / "grown"
        asked(root, grown)
        for number, step in enumerate(steps):
            take(root, step, number)
            assert asked(root, grown) == asked(root, Path(place) / f"fresh{number}")


def test_a_later_commit_does_not_leak(tmp_path: Path) -> None:
    root = build(tmp_path / "repo")
    then = git(root, "rev-parse", "HEAD")
    before = asked(root, tmp_path / "before", rev=then)
    quux = {
        "shop/quux.py": "def access_token_expired_quux():\n    return True\n",
        "shop/tokens.py": "raise SystemExit('quux')\n",
    }
    commit(root, quux, "Access tokens expire: quux in coupons and tokens", seconds=START + 50)
    now = asked(root, tmp_path / "grown")
    assert "quux" in str(now)
    for cache in ("grown", "before", "fresh"):  # with the later tree and history in the cache, and without
        then_now = asked(root, tmp_path / cache, rev=then)
        assert "quux" not in str(then_now)
        assert then_now == before


Count = Callable[[Path], list[str]]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Count:
    """Asks, and says which git commands that took."""
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    commands: list[str] = []
    real = git_module.GitProcess

    def spawn(args: Any, **how: Any) -> Any:
        commands.append(next(str(part) for part in args if not isinstance(part, bytes) and part[:2] != "--"))
        return real(args, **how)

    monkeypatch.setattr(git_module, "GitProcess", spawn)

    def ask(root: Path) -> list[str]:
        commands.clear()
        answer(TASK, root)
        return list(commands)

    return ask


def test_a_warm_question_starts_four(tmp_path: Path, started: Count) -> None:
    root = build(tmp_path / "repo")
    assert started(root).count("log") == 1
    assert started(root) == ["rev-parse", "config", "ls-files", "diff-index"]


def test_an_edited_file_costs_none_more(tmp_path: Path, started: Count) -> None:
    root = build(tmp_path / "repo")
    started(root)
    (root / "shop/tokens.py").write_text("def is_expired(token):\n    return True\n", encoding="utf-8")
    assert started(root) == ["rev-parse", "config", "ls-files", "diff-index"]
