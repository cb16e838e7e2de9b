"""An index that grew with the repository answers as a fresh one does; nothing leaks from a later commit."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_repository import TASK, answer, build

from tests.examples import tried_on
from tests.repositories import START, commit, git

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


def test_a_dirty_tree_is_said_to_be(tmp_path: Path) -> None:
    root = build(tmp_path / "repo")
    clean = asked(root, tmp_path / "c")["revision"]
    assert not clean["dirty"]
    (root / "shop/tokens.py").write_text("def is_expired(token):\n    return False\n")
    dirty = asked(root, tmp_path / "c")["revision"]
    assert dirty["dirty"]
    assert dirty["commit"] == clean["commit"]
    assert dirty["tree"] != clean["tree"]
    git(root, "checkout", "-q", "--", ".")
    assert asked(root, tmp_path / "c")["revision"] == clean


def test_worktrees_share_what_is_known(tmp_path: Path) -> None:
    from zeroin import open_session

    root = build(tmp_path / "repo")
    git(root, "worktree", "add", "-q", "-b", "other", str(tmp_path / "other"))
    (tmp_path / "other/shop/new.py").write_text("def expire_access():\n    return 1\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "c"))
        first = open_session(TASK, root).opened
        second = open_session(TASK, tmp_path / "other").opened
        assert first.analysed == len(first.view.snapshot)
        assert second.analysed == 1
        again = open_session(TASK, root).opened
        assert again.analysed == 0
