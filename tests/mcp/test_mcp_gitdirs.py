"""A repository is read where its git directory lies below a root, or names the folder as its own; with real git."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.mcp.conftest import ask
from tests.repositories import git, repository
from zeroin.errors import RepositoryError
from zeroin.mcp.roots import Roots

SECRET = "Rotate the tokens of customer Zanzibar"
Run = Callable[..., Any]


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A repository that nobody allowed, with a subject that must not be seen."""
    place = repository(tmp_path / "outside", {"token.py": "def token():\n    return 1\n"})
    (place / "token.py").write_text("def token():\n    return 2\n")
    git(place, "commit", "-q", "-a", "-m", SECRET)
    return place


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A plain folder that is the root, with a folder `sub` in it."""
    place = tmp_path / "root"
    (place / "sub").mkdir(parents=True)
    (place / "sub" / "token.py").write_text("def token():\n    return 1\n")
    return place


def by_a_file(sub: Path, outside: Path) -> None:
    (sub / ".git").write_text(f"gitdir: {outside}/.git\n")


def by_a_relative_file(sub: Path, outside: Path) -> None:
    (sub / ".git").write_text(f"gitdir: ../../{outside.name}/.git")


def by_a_link(sub: Path, outside: Path) -> None:
    (sub / ".git").symlink_to(outside / ".git")


def by_a_linked_file(sub: Path, outside: Path) -> None:
    pointer = outside / "pointer"
    pointer.write_text(f"gitdir: {outside}/.git\n")
    (sub / ".git").symlink_to(pointer)


def by_a_common_directory(sub: Path, outside: Path) -> None:
    own = sub / ".git"
    own.mkdir()
    shutil.copy(outside / ".git/HEAD", own)
    shutil.copy(outside / ".git/index", own)
    (own / "commondir").write_text(f"{outside}/.git\n")
    (own / "gitdir").write_text(f"{own}\n")


def by_links_inside(sub: Path, outside: Path) -> None:
    own = sub / ".git"
    own.mkdir()
    shutil.copy(outside / ".git/HEAD", own)
    for name in ("objects", "refs"):
        (own / name).symlink_to(outside / ".git" / name)


def by_a_link_of_refs(sub: Path, outside: Path) -> None:
    git(sub, "init", "-q", "-b", "main")
    (sub / ".git/refs/heads").rmdir()
    (sub / ".git/refs/heads").symlink_to(outside / ".git/refs/heads")


def by_borrowed_objects(sub: Path, outside: Path) -> None:
    git(sub, "clone", "-q", "--shared", str(outside), "copy")
    (sub / "copy/.git").rename(sub / ".git")


def by_objects_borrowed_twice(sub: Path, outside: Path) -> None:
    git(sub.parent, "clone", "-q", "--shared", str(outside), "first")
    git(sub.parent, "clone", "-q", "--shared", "--no-checkout", str(sub.parent / "first"), "second")
    (sub.parent / "second/.git/objects/info/alternates").write_text(f"{sub.parent}/first/.git/objects\n")
    (sub.parent / "second/.git").rename(sub / ".git")


def as_a_bare_repository(sub: Path, outside: Path) -> None:
    shutil.copy(outside / ".git/HEAD", sub)
    for name in ("objects", "refs"):
        (sub / name).symlink_to(outside / ".git" / name)


def by_a_worktree_of_another_folder(sub: Path, outside: Path) -> None:
    git(outside, "worktree", "add", "-q", str(outside.parent / "elsewhere"))
    shutil.copy(outside.parent / "elsewhere/.git", sub)


WAYS = (
    by_a_file,
    by_a_relative_file,
    by_a_link,
    by_a_linked_file,
    by_a_common_directory,
    by_links_inside,
    by_a_link_of_refs,
    by_borrowed_objects,
    by_objects_borrowed_twice,
    as_a_bare_repository,
    by_a_worktree_of_another_folder,
)


@pytest.mark.parametrize("way", WAYS)
def test_a_repository_outside_is_refused(root: Path, outside: Path, way: Callable[[Path, Path], None]) -> None:
    way(root / "sub", outside)
    for roots, path in ((Roots((root,), root), "sub"), (Roots((root / "sub",), root / "sub"), "")):
        with pytest.raises(RepositoryError, match="outside of what may be read") as caught:
            roots.resolve(path)
        assert "\n" not in str(caught.value)
    inner = root / "sub" / "deeper"
    inner.mkdir()
    with pytest.raises(RepositoryError, match="outside of what may be read"):
        Roots((root,), root).resolve("sub/deeper")
    both = (root, outside.parent)  # allowed, it is read
    assert Roots(both, root).resolve("sub") == root / "sub"


def test_a_refusal_does_not_tell_what_lies_outside(root: Path, outside: Path) -> None:
    messages = set()
    for named in (outside / ".git", outside, outside / "gone", outside / "token.py"):
        (root / "sub/.git").write_text(f"gitdir: {named}\n")
        with pytest.raises(RepositoryError) as caught:
            Roots((root,), root).resolve("sub")
        messages.add(str(caught.value).replace(f"leads by {str(named)!r}", "leads by NAMED"))
    assert len(messages) == 1 and "leads by NAMED to a git repository" in messages.pop()


def test_nothing_of_it_reaches_an_answer(tools: Run, root: Path, outside: Path) -> None:
    by_a_file(root / "sub", outside)

    task = {"task": "rotate the token", "path": "sub"}
    terms = ("explain_terms", {"text": "token", "path": "sub"})
    calls = (("find_context", task), terms, ("find_context", {**task, "diff": "HEAD"}))
    for result in tools(*calls, options=("--root", str(root)), cwd=root):
        assert result.is_error
        assert re.search("sub/.git leads by .* outside of what may be read", result.content[0].text)
        assert "Zanzibar" not in result.content[0].text


def test_a_run_does_not_lead_outside_later(root: Path, outside: Path) -> None:
    told = ask(root, "find_context", task="rotate the token", path="sub")
    run = told[told.index("r-") :][:12]
    assert "token.py" in ask(root, "refine_context", run=run)
    by_a_file(root / "sub", outside)
    for tool, arguments in (
        ("refine_context", {"run": run}),
        ("find_context", {"task": "token", "path": "sub"}),
        ("explain_terms", {"text": "token", "path": "sub"}),
    ):
        with pytest.raises(RepositoryError, match="outside of what may be read"):
            ask(root, tool, **arguments)


def test_a_linked_worktree_is_read(repo: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    git(repo, "worktree", "add", "-q", str(tree))
    assert Roots((), tree).resolve("") == tree.resolve()
    assert Roots((tree / "src",), tree).resolve("auth") == (tree / "src/auth").resolve()
    assert ask(tree, "find_context", task="Tokens are accepted after they expire")
    pointer = repo / ".git/worktrees/tree/gitdir"  # what worktree.useRelativePaths writes
    pointer.write_text("../../../../tree/.git\n")
    assert Roots((), tree).resolve("") == tree.resolve()
    pointer.write_text("../../../../another/.git\n")
    with pytest.raises(RepositoryError, match="does not name this folder as its own"):
        Roots((), tree).resolve("")


def test_a_submodule_is_read(repo: Path, tmp_path: Path) -> None:
    library = repository(tmp_path / "library", {"main.py": "x = 1\n"})
    git(repo, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library), "lib")
    lib = (repo / "lib").resolve()
    assert (lib / ".git").is_file()
    assert Roots((), repo).resolve("lib") == lib
    assert Roots((), lib).allowed == (lib,)
    assert Roots((), lib).resolve("") == lib
    assert "main.py" in ask(lib, "find_context", task="what is x in main")
    inside = repo / ".git/modules/lib"
    git(inside, "config", "-f", str(inside / "config"), "core.worktree", "../../../src")
    with pytest.raises(RepositoryError, match="does not name this folder as its own"):
        Roots((), lib).resolve("")
    (inside / "config.worktree").write_text("[core]\n\tworktree = ../../../lib\n")
    assert Roots((), lib).resolve("") == lib


def test_a_git_directory_of_its_own_place_needs_a_root(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--separate-git-dir", str(tmp_path / "store"), str(tmp_path / "work"))
    work = tmp_path / "work"
    with pytest.raises(RepositoryError, match=f"leads by '{tmp_path}/store' .*start the server with --root DIR"):
        Roots((), work).resolve("")
    assert Roots((work, tmp_path / "store"), work).resolve("") == work.resolve()


def test_what_people_link_is_no_reason(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "hooks").mkdir()
    shutil.rmtree(repo / ".git/hooks", ignore_errors=True)
    (repo / ".git/hooks").symlink_to(tmp_path / "hooks")
    assert Roots((), repo).resolve("src") == (repo / "src").resolve()


def test_the_repository_around_a_root_is_its_own(repo: Path, outside: Path) -> None:
    assert Roots((repo / "src",), repo / "src").resolve("auth") == (repo / "src/auth").resolve()
    shutil.rmtree(repo / ".git")
    (repo / ".git").symlink_to(outside / ".git")
    with pytest.raises(RepositoryError, match="outside of what may be read"):
        Roots((repo / "src",), repo / "src").resolve("auth")


@pytest.mark.parametrize("said", [b"gitdir: \n", b"gitdir: a\0b\n", b"\xff" * 99_999, b"", b"gitdir: .git\n"])
def test_what_is_no_pointer_is_an_error_of_one_line_or_none(root: Path, said: bytes) -> None:
    (root / "sub/.git").write_bytes(said)
    try:
        Roots((root,), root).resolve("sub")
    except RepositoryError as error:
        assert "\n" not in str(error) and len(str(error)) < 1_000
