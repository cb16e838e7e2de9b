"""Nothing outside the allowed roots is read: paths, links, runs of other repositories, servers started anywhere."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.repositories import repository
from zeroin.errors import RepositoryError
from zeroin.mcp.roots import Roots

Run = Callable[..., Any]


def test_the_default_is_the_repository_of_the_working_directory(repo: Path) -> None:
    roots = Roots((), repo / "src/auth")
    assert roots.allowed == (repo.resolve(),)
    assert roots.resolve("") == (repo / "src/auth").resolve()
    assert roots.resolve("../billing") == (repo / "src/billing").resolve()
    assert roots.resolve(str(repo)) == repo.resolve()


def test_a_relative_path_starts_at_the_working_directory_though_that_is_outside(repo: Path, tmp_path: Path) -> None:
    (repo / repo.name).mkdir()
    roots = Roots((repo,), repo.parent)
    assert roots.resolve(repo.name) == repo.resolve()
    assert roots.resolve("src") == (repo / "src").resolve()
    with pytest.raises(RepositoryError, match="outside of what may be read"):
        roots.resolve("..")


@pytest.mark.parametrize("place", ["home", "above", "top"])
def test_home_and_what_is_above_are_no_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    home = tmp_path / "users/me"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    here = {"home": home, "above": home.parent, "top": Path(home.anchor)}[place]
    roots = Roots((), here)
    assert roots.allowed == ()
    with pytest.raises(RepositoryError, match="--root DIR"):
        roots.resolve("")
    with pytest.raises(RepositoryError, match="--root DIR"):
        roots.resolve(str(tmp_path))


def test_a_home_kept_in_git_is_no_default_for_a_folder_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = repository(tmp_path / "me", {"dotfiles": "x\n", "work/a.py": "a = 1\n"})
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    assert Roots((), home / "work").allowed == ((home / "work").resolve(),)


def test_a_user_without_a_home_may_start_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # what it returns then
    assert Roots((), tmp_path).allowed == (tmp_path.resolve(),)
    with pytest.raises(RepositoryError, match="~nobody/x is no folder"):
        Roots(("~nobody/x",), tmp_path)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may enter every folder")
def test_a_folder_above_that_may_not_be_entered_has_no_repository(tmp_path: Path) -> None:
    here = tmp_path / "closed/here"
    here.mkdir(parents=True)
    here.parent.chmod(0o600)
    try:
        assert Roots((), here).allowed == (here.resolve(),)
    finally:
        here.parent.chmod(0o700)


def test_links_are_followed_before_they_are_judged(repo: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (repo / "out").symlink_to(outside)
    (repo / "in").symlink_to(repo / "src")
    (repo / "loop").symlink_to(repo / "loop")
    roots = Roots((), repo)
    assert roots.resolve("in") == (repo / "src").resolve()
    for path in ("out", "out/deeper", "../outside", str(outside), "/", "~", "src/../../outside", "loop", "a\0b"):
        with pytest.raises(RepositoryError, match=r"outside of what may be read|does not exist"):
            roots.resolve(path)


def test_a_path_outside_does_not_tell_whether_it_exists(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    roots = Roots((), repo)
    messages = []
    for name in ("there", "gone"):
        with pytest.raises(RepositoryError) as caught:
            roots.resolve(f"../{name}")
        messages.append(str(caught.value).replace(name, ""))
    assert messages[0] == messages[1]


def test_several_roots(repo: Path, tmp_path: Path) -> None:
    other = repository(tmp_path / "other", {"main.py": "x = 1\n"})
    roots = Roots((repo, other), tmp_path)
    with pytest.raises(RepositoryError, match="give path"):
        roots.resolve("")
    assert roots.resolve("src") == (repo / "src").resolve()
    assert roots.resolve(str(other)) == other.resolve()
    assert Roots((other,), tmp_path).resolve("") == other.resolve()
    with pytest.raises(RepositoryError, match="is no folder"):
        Roots((tmp_path / "gone",), tmp_path)


def test_a_path_longer_than_any_is_refused_at_once(repo: Path) -> None:
    with pytest.raises(RepositoryError, match="path has 200,000 characters"):
        Roots((), repo).resolve("a/" * 100_000)


def test_a_run_of_another_repository_is_refused(tools: Run, repo: Path, tmp_path: Path) -> None:
    other = repository(tmp_path / "other", {"src/secret_token.py": "SECRET_TOKEN = 'never shown'\n" * 3})
    (found,) = tools(("find_context", {"task": "the secret token"}), cwd=other)
    go_on = ("refine_context", {"run": found.structured_content["run"]})
    assert not tools(go_on, cwd=other)[0].is_error
    (refused,) = tools(go_on)
    assert refused.is_error
    assert "outside of what may be read" in refused.content[0].text
    assert "never shown" not in refused.content[0].text
    assert not tools(go_on, options=("--root", str(tmp_path)))[0].is_error


def test_the_judge_of_a_run_is_not_asked_by_a_server_without_one(tools: Run, tmp_path: Path) -> None:
    """A client that knows the name of a run started the program that the run was asked with."""
    started = tmp_path / "started"
    program = tmp_path / "judge.py"
    program.write_text(f"open({str(started)!r}, 'a').write('x')\nprint('{{}}')\n")
    judge = f'command:"{sys.executable}" "{program}"'
    asked = ("find_context", {"task": "Coupons and tokens expire at the wrong time"})
    (found,) = tools(asked, options=("--judge", judge))
    assert started.exists()
    started.unlink()
    go_on = ("refine_context", {"run": found.structured_content["run"], "focus": ["billing"]})
    assert not tools(go_on)[0].is_error
    assert not started.exists()
