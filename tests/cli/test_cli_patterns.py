"""Patterns that leave files out: of ignore files, and of the caller."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.repositories import git

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a name too long for Windows")

SLOW = "*a*a*a*a*a*a*ab"


@pytest.mark.parametrize("options", [(), ("-x", SLOW), ("-i", SLOW, "-i", "shop.py")], ids=["files", "-x", "-i"])
@pytest.mark.parametrize("kind", ["git", "plain"])
def test_patterns_made_to_be_slow_end(
    tmp_path: Path, environment: dict[str, str], kind: str, options: tuple[str, ...]
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "shop.py").write_text("def renew_coupon(customer):\n    return customer\n")
    (root / ("a" * 250)).write_text("coupon\n")
    for name in (".ignore", ".zeroinignore", ".gitignore"):
        (root / name).write_text("" if options else f"{SLOW}\n")
    if kind == "git":
        git(tmp_path, "init", "-q", str(root))
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "Shop")
    command = [sys.executable, "-m", "zeroin", "find", "renew the coupon", str(root), "--format", "paths", *options]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, **environment}, capture_output=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] == b"shop.py"


def test_a_pattern_may_begin_as_a_shell_completes_it(zeroin: Run, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for root in (one, other):
        for name in ("app/[id]/coupon.py", "lib/coupon.py", "lib/app/coupon.py"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text("def renew_coupon(customer):\n    return customer\n")

    def found(*options: object) -> set[str]:
        return set(zeroin("renew the coupon", *options, "-f", "paths", "-q").stdout.decode().split())

    assert found(one, "-x", "./lib/app/", "-x", "./app/[id]/coupon.py") == {"lib/coupon.py"}
    assert found(one, "-i", "./app/**") == {"app/[id]/coupon.py"}
    assert found(one, other, "-i", "./lib/*.py") == {"one:lib/coupon.py", "other:lib/coupon.py"}


def test_where_a_pattern_leaves_no_file_no_other_words_are_asked_for(zeroin: Run, repo: Path) -> None:
    text = zeroin("renew the coupon", repo, "-i", "nowhere/**").stdout.decode()
    assert "Warning: include 'nowhere/**' matches no file here" in text
    assert "Name what the code may call it" not in text
    assert "Name what the code may call it" in zeroin("zyzzyva quux", repo).stdout.decode()
