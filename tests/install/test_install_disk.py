"""Files on disk: in one step, through links, with their permissions."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from zeroin.errors import InstallError
from zeroin.install import disk


def test_writing_makes_folders_and_says_which(home: Path) -> None:
    made = disk.write(home / "a/b/c.json", b"1")
    assert made == [home / "a", home / "a/b"]
    assert disk.read(home / "a/b/c.json") == b"1"
    assert disk.write(home / "a/b/c.json", b"2") == []
    assert [path.name for path in (home / "a/b").iterdir()] == ["c.json"]
    assert disk.read(home / "none") is None


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_permissions_stay(home: Path, mode: int) -> None:
    path = home / "a.json"
    path.write_bytes(b"1")
    path.chmod(mode)
    disk.write(path, b"2")
    assert path.stat().st_mode & 0o777 == mode


def test_links_are_written_through(home: Path) -> None:
    (home / "dotfiles").mkdir()
    (home / "dotfiles/a.json").write_bytes(b"1")
    (home / "a.json").symlink_to("b.json")
    (home / "b.json").symlink_to("dotfiles/a.json")
    disk.write(home / "a.json", b"2")
    assert (home / "a.json").readlink() == Path("b.json")
    assert (home / "dotfiles/a.json").read_bytes() == b"2"
    disk.delete(home / "a.json")
    assert (home / "b.json").is_symlink()
    assert disk.read(home / "a.json") is None
    disk.write(home / "a.json", b"3")  # a link to nothing
    assert (home / "dotfiles/a.json").read_bytes() == b"3"


def test_links_in_a_circle(home: Path) -> None:
    (home / "a").symlink_to("b")
    (home / "b").symlink_to("a")
    with pytest.raises(InstallError):
        disk.read(home / "a")
    with pytest.raises(InstallError):
        disk.write(home / "a", b"1")


def test_other_names_of_the_file_see_the_change(home: Path) -> None:
    (home / "a").write_bytes(b"1")
    os.link(home / "a", home / "b")
    disk.write(home / "a", b"2")
    assert (home / "b").read_bytes() == b"2"


def test_read_only_files_are_left_alone(home: Path) -> None:
    path = home / "a.json"
    path.write_bytes(b"1")
    path.chmod(0o444)
    with pytest.raises(InstallError, match="read-only"):
        disk.write(path, b"2")
    with pytest.raises(InstallError, match="read-only"):
        disk.delete(path)
    assert path.read_bytes() == b"1"


def test_a_folder_in_the_place_of_the_file(home: Path) -> None:
    (home / "a.json").mkdir()
    with pytest.raises(InstallError, match="folder"):
        disk.read(home / "a.json")


def test_a_file_in_the_place_of_the_folder(home: Path) -> None:
    (home / "a").write_bytes(b"1")
    with pytest.raises(InstallError, match="cannot be"):
        disk.write(home / "a/b.json", b"2")
    assert [path.name for path in home.iterdir()] == ["a"]


def test_only_empty_folders_go(home: Path) -> None:
    made = disk.make_folders(home / "a/b/c")
    (home / "a/x").write_bytes(b"1")
    assert disk.remove_folders(made) == [home / "a"]


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes are POSIX")
def test_a_pipe_or_a_device_in_the_place_of_the_file(home: Path) -> None:
    os.mkfifo(home / "a.json")
    (home / "b.json").symlink_to("/dev/zero")
    for name in ("a.json", "b.json"):
        with pytest.raises(InstallError, match="no regular file"):
            disk.read(home / name)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_what_cannot_be_looked_at_is_not_there(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    (home / "a").symlink_to("a")
    assert not disk.exists(home / "a") and disk.exists(home)
    monkeypatch.setattr(Path, "exists", refused)  # as for anybody but root below a folder of mode 0
    assert not disk.exists(home)
