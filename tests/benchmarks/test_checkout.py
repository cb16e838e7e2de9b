"""One revision after another in one folder."""

from pathlib import Path

from benchmarks.checkout import Checkout, is_inside
from tests.repositories import git, write


def commit(tree: Path, files: dict[str, str]) -> str:
    """Commit exactly these files and nothing else."""
    git(tree, "init", "-q")
    git(tree, "rm", "-q", "-r", "--ignore-unmatch", ".")
    git(write(tree, files), "add", "-A", "-f")
    git(tree, "commit", "-q", "-m", "next", "--allow-empty")
    return git(tree, "rev-parse", "HEAD")


def held(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*") if p.is_file()}


def test_the_folder_holds_each_revision_and_nothing_of_the_last(tmp_path: Path) -> None:
    tree, folder = tmp_path / "tree", tmp_path / "out"
    tree.mkdir(), folder.mkdir()
    versions = [
        {"a.py": "a", "deep/er/b.py": "b", "name": "a file"},
        {"a.py": "changed", "name/c.py": "a file became a folder"},
        {"a.py": "a", "name": "and back"},
    ]
    commits = [commit(tree, files) for files in versions]
    checkout = Checkout(tree / ".git", folder)
    for rev, files in zip(commits, versions, strict=True):
        checkout.move(rev)
        assert held(folder) == files
    assert sorted(p.name for p in folder.iterdir()) == ["a.py", "name"]  # no empty folder is left behind


def test_the_time_of_a_file_follows_its_bytes(tmp_path: Path) -> None:
    tree, folder = tmp_path / "tree", tmp_path / "out"
    tree.mkdir(), folder.mkdir()
    commits = [commit(tree, {"a.py": text, "b.py": "same"}) for text in ("one", "two", "one")]
    checkout = Checkout(tree / ".git", folder)
    times = []
    for rev in commits:
        checkout.move(rev)
        times.append([(folder / name).stat().st_mtime_ns for name in ("a.py", "b.py")])
    assert times[0] == times[2] != times[1]
    assert times[0][1] == times[1][1]


def test_no_path_leaves_the_folder() -> None:
    assert is_inside("src/..a/b.py")
    assert not any(
        is_inside(path) for path in ("../a", "a/../../b", "/etc/passwd", ".git/hooks/x", "a/.GIT/config")
    )
