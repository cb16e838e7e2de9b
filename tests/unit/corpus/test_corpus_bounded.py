"""What lies in wait for git costs a bounded time and memory: pipes in place of files, objects that unpack to more."""

import hashlib
import os
import subprocess
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from zeroin.corpus import git_process
from zeroin.corpus.changes import change_of
from zeroin.corpus.git import Git
from zeroin.corpus.source import open_source
from zeroin.errors import GitError
from zeroin.index.read_history import read_history
from zeroin.index.store import Store

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders")

Repo = Callable[..., Path]
Run = Callable[..., bytes]

PLACES = (
    ".gitignore",
    "sub/.gitattributes",
    *(f".git/{name}" for name in ("HEAD", "config", "index", "packed-refs", "commondir", "refs/heads/main")),
    *(f".git/{name}" for name in ("info/exclude", "info/attributes", "objects/info/alternates")),
)


def running() -> list[str]:
    """The processes that this one has started and not ended."""
    tasks = Path("/proc/self/task")
    found: list[str] = []
    for task in tasks.iterdir():
        with suppress(FileNotFoundError):  # a thread that has just ended
            found += (task / "children").read_text().split()
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="where work cannot be seen, two minutes pass")
@pytest.mark.parametrize("place", PLACES)
def test_a_pipe_in_place_of_a_file_of_git_is_not_waited_for(
    repo: Repo, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_process, "IDLE_S", 1.0 if place.endswith("attributes") else 0.3)
    root = repo({"a.py": "a = 1\n", "sub/b.py": "b = 1\n"})
    (root / place).unlink(missing_ok=True)
    os.mkfifo(root / place)
    before = running()
    try:
        open_source(root).list()
    except GitError as error:
        assert "does nothing, so it was ended; is there a pipe in place of" in str(error)
    else:
        assert place.endswith("attributes")  # read only where git compares contents, by the times of files
    assert running() == before


def test_a_pipe_in_place_of_the_list_of_cut_off_commits_is_not_opened(repo: Repo, tmp_path: Path) -> None:
    source = open_source(repo({"a.py": "a = 1\n"}))
    assert source.git_dir is not None
    os.mkfifo(source.git_dir / "shallow")
    with Store.open("x", directory=tmp_path) as store:
        assert read_history(source, store, deadline=0.0).complete is False


def test_work_that_takes_long_is_waited_for(repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(git_process, "IDLE_S", 1.0)
    slow = tmp_path / "git"
    slow.write_text(f"#!{sys.executable} -S\nimport time\nuntil = time.time() + 3\nwhile time.time() < until: pass\n")
    slow.chmod(0o755)
    root = repo({"a.py": "a = 1\n"})
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert Git(root / ".git").run("status") == b""


def bomb(root: Path, kind: str, head: bytes, size: int) -> str:
    """Writes an object that is `head` and then "#" up to `size` bytes; returns its id."""
    fill = b"#" * (1 << 20)
    parts = [b"%s %d\0" % (kind.encode(), size) + head]
    parts += [fill[: size - len(head) - at] for at in range(0, size - len(head), len(fill))]
    digest, packed = hashlib.sha1(usedforsecurity=False), zlib.compressobj(1)
    data = b""
    for part in parts:
        digest.update(part)
        data += packed.compress(part)
    name = digest.hexdigest()
    file = root / ".git" / "objects" / name[:2] / name[2:]
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(data + packed.flush())
    return name


def with_huge_blob(root: Path, git: Run, size: int) -> None:
    """Commits a blob of this size as `big.py`, and as rules for what is ignored above the folder `sub`."""
    big = bomb(root, "blob", b"*.md\n", size)
    sub = git(root, "mktree", stdin=b"100644 blob %s\tc.py\n" % git(root, "rev-parse", "HEAD:a.py").strip())
    rows = [b"100644 blob %s\t%s\n" % (big.encode(), name) for name in (b".ignore", b"big.py")]
    tree = git(root, "mktree", stdin=b"".join(rows) + b"040000 tree %s\tsub\n" % sub.strip())
    commit = git(root, "commit-tree", tree.strip().decode(), "-p", "HEAD", "-m", "big")
    git(root, "update-ref", "HEAD", commit.strip().decode())


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
@pytest.mark.parametrize("folder", ["", "sub"])
def test_a_blob_that_unpacks_to_much_more_is_cut(repo: Repo, git: Run, folder: str) -> None:
    root = repo({"a.py": "a = 1\n", "sub/b.md": "b\n"})
    with_huge_blob(root, git, 60_000_000)
    code = (
        "import re\n"
        "from pathlib import Path\n"
        "from zeroin.corpus.source import open_source\n"
        f"source = open_source({str(root / folder)!r}, 'HEAD')\n"
        "contents = {e.path: len(data) for e, data in source.read(source.list()[0])}\n"
        "peak = re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())\n"
        "print(contents, int(peak[1]) < 60_000)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    held = {".ignore": 2_000_001, "big.py": 2_000_001, "sub/c.py": 6} if not folder else {"c.py": 6}
    assert (done.stdout, done.stderr) == (f"{held} True\n", "")


def test_an_added_blob_over_the_limit_is_an_error_where_its_change_is_asked_about(
    repo: Repo, git: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_process, "MAX_ALLOCATION", 8_000_000)
    root = repo({"a.py": "a = 1\n"})
    with_huge_blob(root, git, 10_000_000)
    with pytest.raises(GitError, match="git diff: fatal: attempting to allocate 10000001 over limit 8000000"):
        change_of(root, "HEAD")


def test_a_commit_that_unpacks_to_more_than_a_limit_is_refused(
    repo: Repo, git: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_process, "MAX_ALLOCATION", 8_000_000)
    root = repo({"a.py": "a = 1\n"})
    head = git(root, "cat-file", "commit", "HEAD")
    (root / ".git/refs/heads/main").write_text(bomb(root, "commit", head, 10_000_000) + "\n")
    with pytest.raises(GitError, match="over limit"):
        open_source(root)


def tree_bomb(root: Path, git: Run) -> None:
    """Commits a tree of 10^10 files in eleven objects, as the branch `bomb`, and a commit after it, `after`."""
    blob = git(root, "rev-parse", "HEAD:a.py").strip()
    tree = git(root, "mktree", stdin=b"".join(b"100644 blob %s\tf%d\n" % (blob, n) for n in range(10))).strip()
    for _ in range(9):
        rows = b"".join(b"040000 tree %s\td%d\n" % (tree, n) for n in range(10))
        tree = git(root, "mktree", stdin=rows).strip()
    commit = git(root, "commit-tree", tree.decode(), "-m", "bomb").strip().decode()
    after = git(root, "commit-tree", "HEAD^{tree}", "-p", commit, "-m", "after").strip().decode()
    git(root, "update-ref", "refs/heads/bomb", commit)
    git(root, "update-ref", "refs/heads/after", after)


def test_a_tree_without_end_is_an_error_where_it_is_asked_about(
    repo: Repo, git: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(git_process, "MAX_OUTPUT", 1_000_000)
    monkeypatch.setattr(git_process, "MAX_MEMORY", 1 << 27)
    root = repo({"a.py": "a = 1\n"})
    tree_bomb(root, git)
    with pytest.raises(GitError, match="git ls-tree: it says more than 1 MB, so it was ended"):
        open_source(root, "bomb").list()
    if sys.platform == "linux":
        with pytest.raises(GitError, match=r"[Oo]ut of memory"):
            change_of(root, "main..bomb")
        source = open_source(root, "after")
        with Store.open("x", directory=tmp_path) as store:
            assert not read_history(source, store).complete
            assert "history is not read to its end: git log: " in store.warnings[0]


def test_a_long_message_is_cut_and_the_commits_around_it_are_read(repo: Repo, git: Run, tmp_path: Path) -> None:
    root = repo({"a.py": "a = 1\n"})
    for message in ("before\n", "token expiry " * 1_000_000, "after\n"):
        commit = git(root, "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-F", "-", stdin=message.encode())
        git(root, "update-ref", "HEAD", commit.strip().decode())
    records = list(Git(root / ".git").records("log", "-z", "--format=%B"))
    assert [record.strip()[:12] for record in records] == [b"after", b"token expiry", b"before", b"first"]
    assert max(map(len, records)) < 2_000_000
