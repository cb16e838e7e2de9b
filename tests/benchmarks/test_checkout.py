"""One revision after another in one folder."""

from benchmarks.checkout import is_inside


def test_no_path_leaves_the_folder() -> None:
    assert is_inside("src/..a/b.py")
    assert not any(is_inside(path) for path in ("../a", "a/../../b", "/etc/passwd", ".git/hooks/x", "a/.GIT/config"))
