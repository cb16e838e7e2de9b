"""What lies outside of the tree is not read, whatever names it; with real repositories and the real process."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.outside import SECRET, TASK, WAYS, committed_names, leading_out

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and names of POSIX")


@pytest.mark.parametrize("way", WAYS)
def test_nothing_outside_reaches_an_answer(zeroin: Run, tmp_path: Path, way: Callable[[Path, Path], None]) -> None:
    root = leading_out(tmp_path, way)
    code = ("--pack", "full", "--format", "json")
    for args in (("find", TASK, root), ("find", TASK, root, *code), ("find", root, "--diff"), ("doctor", root)):
        done = zeroin(*args)
        for said in (done.stdout.decode(), done.stderr.decode()):
            assert SECRET not in said and "Traceback" not in said
        if args[1] == TASK:
            assert done.returncode in (0, 1), done.stderr
            assert "outside/renew.py" not in done.stdout.decode()


def test_a_change_with_files_outside_is_refused_in_one_line(zeroin: Run, tmp_path: Path) -> None:
    done = zeroin("find", leading_out(tmp_path, WAYS[3]), "--diff")
    assert done.returncode == 2 and done.stdout == b""
    assert done.stderr == b"zeroin: git's index names '../outside/renew.py', which is not in the tree\n"


@pytest.mark.parametrize("name", ["..", ".", ".git", ".GIT"])
def test_names_that_lead_out_of_a_revision_are_not_shown(zeroin: Run, tmp_path: Path, name: str) -> None:
    root = leading_out(tmp_path, lambda root, outside: None)
    done = zeroin("find", TASK, root, "--rev", committed_names(root, name, "renew.py"), "--format", "paths")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [b"shop/coupons/renew.py"]
    changed = zeroin("find", root, f"--diff=HEAD..{committed_names(root, name, 'renew.py')}")
    assert f"{name}/renew.py".encode() not in changed.stdout + changed.stderr
    explained = zeroin("find", TASK, root, "--rev", committed_names(root, name, "renew.py"), "--explain")
    assert b"1 name outside the tree" in explained.stdout


def test_a_name_that_only_resembles_one_is_searched(zeroin: Run, tmp_path: Path) -> None:
    root = leading_out(tmp_path, lambda root, outside: None)
    for name in ("...", ".gitx", "..renew", "x..", "git"):
        (root / name).mkdir()
        (root / name / "renew.py").write_bytes((root / "shop/coupons/renew.py").read_bytes())
    subprocess.run(["git", "-C", str(root), "add", "-A"], check=True)
    (root / ".github").mkdir()  # settings: searched, but less relevant
    (root / ".github" / "renew.py").write_bytes((root / "shop/coupons/renew.py").read_bytes())
    alone = zeroin("find", TASK, root, "--include", ".github/**", "--format", "paths").stdout.split()
    assert alone == [b".github/renew.py"]
    for extra in ((), ("--rev", "HEAD")):
        found = zeroin("find", TASK, root, "--format", "paths", *extra).stdout.split()
        assert len(found) == (1 if extra else 6), found
