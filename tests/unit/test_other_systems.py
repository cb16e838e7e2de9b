"""Windows and macOS as far as another system can show them: names, folders, line ends, where programs are found."""

import os
import sys
import unicodedata
from pathlib import Path

import pytest

from tests.repositories import git
from zeroin import retrieve
from zeroin.config import Options, cache_dir, data_dir
from zeroin.corpus import files
from zeroin.corpus.files import Folder
from zeroin.corpus.git_process import find_program
from zeroin.corpus.ignore import FOLDER_KINDS, Ignores
from zeroin.errors import OptionError
from zeroin.index.database import file_name
from zeroin.install.hosts import Places, all_hosts
from zeroin.llm_judge.command import command_of
from zeroin.query.diff import parse_diff
from zeroin.query.task import formulate

NFC, NFD = (unicodedata.normalize(form, "größe") for form in ("NFC", "NFD"))


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_WINDOWS", True)
    monkeypatch.setattr(files, "_RELATIVE", False)


# --- names that mean something else there -----------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["git~1/config", "GIT~1/x", "a/Git~1/x", ".git\\config", ".git./x", "c:\\x", "\\\\host\\x"]
)
def test_short_names_and_drives_lead_out_on_windows(windows: None, name: str) -> None:
    assert files.leads_out(name)


@pytest.mark.parametrize("name", [".g\u200cit/config", "\ufeff.git/x", "a/.GI\u200dT/x", ".\u206agit/x"])
def test_invisible_characters_do_not_hide_a_git_folder_on_a_mac(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(files, "_MAC", True)
    assert files.leads_out(name) and not files.leads_out("a\u200cb.py")


@pytest.mark.parametrize(
    "name", ["con", "aux.c", "a/NUL.txt", "lpt1", "COM9.py", "d/prn/x.py", "conin$", "com\u00b9.c", "aux .c"]
)
def test_no_device_is_opened_on_windows(windows: None, tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("x")
    assert Folder(tmp_path).read(name, 9) is None and Folder(tmp_path).stat(name) is None
    assert not files.leads_out(name)  # a revision of it can be read: nothing is opened


@pytest.mark.parametrize("name", ["console.c", "auxiliary.py", "null.txt", "com10.c", "xcon", "a/con_.py"])
def test_names_like_devices_are_read_on_windows(windows: None, tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("x")
    assert Folder(tmp_path).read(name, 9) == b"x"


@pytest.mark.parametrize("name", ["x" * 300, "/".join(["d" * 100] * 60)])
def test_a_path_that_is_too_long_is_a_file_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    assert Folder(tmp_path).read(name, 9) is None


# --- names that are stored otherwise, or folded ------------------------------------------------------


@pytest.mark.parametrize(("known", "stored"), [(NFC, NFD), (NFD, NFC), ("Size", "size")])
def test_a_file_that_is_stored_by_another_name_is_found(tmp_path: Path, known: str, stored: str) -> None:
    """Composed in git and decomposed on the disk, or in other letters: one file of the two is there, and is read."""
    (tmp_path / f"{known}.py").write_text("def measured_size(parcel):\n    return parcel.size\n")
    git(tmp_path, "init", "-q")
    for command in (("add", "-A"), ("commit", "-qm", "x")):
        git(tmp_path, "-c", "core.precomposeUnicode=false", *command)
    (tmp_path / f"{known}.py").rename(tmp_path / f"{stored}.py")
    context = retrieve("Why is measured_size of a parcel wrong?", tmp_path)
    assert [judgment.path for judgment in context.ranking][:1] in ([f"{stored}.py"], [f"{known}.py"])


def test_a_repository_has_one_name_for_files_whatever_separates_its_path() -> None:
    names = {
        file_name(identity)
        for identity in ("git:C:\\Users\\x\\Proj\\.git", "git:C:/Users/x/Other/.git", "dir:\\\\host\\share")
    }
    assert all(name.replace("-", "").replace("_", "").isalnum() for name in names), names
    assert {name.rpartition("-")[0] for name in names} == {"Proj", "Other", "share"}


# --- what people paste there -------------------------------------------------------------------------


def test_paths_of_windows_in_a_task_name_files() -> None:
    frame = '  File "C:\\Users\\x\\proj\\auth\\token.py", line 3, in f'
    text = f"Traceback (most recent call last):\n{frame}\r\nValueError: expired\r\n"
    _, query = formulate(text, Options())
    assert any(mention.path.endswith("auth/token.py") and mention.line == 3 for mention in query.paths)


def test_line_ends_of_windows_in_a_diff_and_in_an_ignore_file() -> None:
    diff = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n"
    assert parse_diff(diff.replace("\n", "\r\n")) == parse_diff(diff)
    found = Ignores(FOLDER_KINDS)
    found.add(".ignore", b"*.log\r\n!keep.log\r\n")
    assert [bool(v) for v in map(found.decide, ("a.log", "keep.log"))] == [True, False]


# --- where things lie, and where programs are looked for -----------------------------------------------


@pytest.mark.parametrize(
    ("system", "cache", "data"),
    [
        ("win32", "AppData/Local/zeroin", "AppData/Local/zeroin/data"),
        ("darwin", "Library/Caches/zeroin", "Library/Application Support/zeroin"),
        ("linux", ".cache/zeroin", ".local/share/zeroin"),
    ],
)
def test_folders_of_the_user(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: str, cache: str, data: str
) -> None:
    for name in ("ZEROIN_CACHE_DIR", "ZEROIN_DATA_DIR", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, "relative")
    monkeypatch.setattr(sys, "platform", system)
    assert (cache_dir(), data_dir()) == (tmp_path / cache, tmp_path / data)
    for host in all_hosts():
        places = Places(tmp_path, {})
        for server in places.scope(host).servers:
            assert all(places.path(host, name).is_relative_to(tmp_path) for name in server.files)


@pytest.mark.skipif(
    os.name == "nt" or sys.version_info >= (3, 12), reason="Python 3.11 looks there whatever it is told"
)
def test_no_program_of_the_current_folder_is_taken_for_one_in_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("git.EXE", "judge.EXE"):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATHEXT", ".EXE")
    monkeypatch.setenv("PATH", str(tmp_path / "elsewhere"))
    monkeypatch.setattr(sys, "platform", "win32")
    assert find_program("git") is None
    with pytest.raises(OptionError, match="no program judge"):
        command_of("judge -x")
