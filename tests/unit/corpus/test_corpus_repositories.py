"""Repositories of every kind, revisions of them, and what is no source."""

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest
from listing import contents, hashed, paths, reasons

from zeroin.config import MAX_FILE_BYTES
from zeroin.corpus.revision import Revision
from zeroin.corpus.source import open_source
from zeroin.errors import GitError, RepositoryError


def test_sparse_checkout_is_searched_whole(repo, git):
    root = repo({"in/a.py": "a", "out/b.py": "b"})
    git(root, "sparse-checkout", "set", "in")
    assert not (root / "out").exists()
    assert contents(open_source(root)) == {"in/a.py": b"a", "out/b.py": b"b"}


def test_no_commit_yet_and_nothing_at_all(tmp_path, git, write):
    root = tmp_path / "r"
    root.mkdir()
    git(root, "init", "-q")
    source = open_source(root)
    assert source.list() == ((), ()) and source.commit == ""
    assert not source.state(()).dirty
    write(root, {"a.py": "a", "b.py": "b"})
    git(root, "add", "a.py")
    source = open_source(root)
    assert contents(source) == {"a.py": b"a", "b.py": b"b"}
    assert source.state(hashed(source)).dirty
    with pytest.raises(RepositoryError, match="unknown revision 'HEAD'"):
        open_source(root, "HEAD")


def test_paths_of_every_kind(tmp_path, git):
    names = [b"with space.py", b"new\nline.py", b"bad\xff\xfe.py", b'quote".py', b"-dash.py", b"*star.py"]
    names.insert(0, "ünï/日本.py".encode())
    root = tmp_path / "r"
    root.mkdir()
    git(root, "init", "-q")
    for name in names[:-1]:
        path = os.fsencode(root) + b"/" + name
        Path(os.fsdecode(path)).parent.mkdir(exist_ok=True)
        Path(os.fsdecode(path)).write_bytes(name)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "names")
    last = Path(os.fsdecode(os.fsencode(root) + b"/" + names[-1]))
    last.write_bytes(names[-1])
    for source, expected in ((open_source(root), names), (open_source(root, "HEAD"), names[:-1])):
        read = contents(source)
        assert {p.encode("utf-8", "surrogateescape"): d for p, d in read.items()} == {n: n for n in expected}
        assert json.loads(json.dumps(list(read))) == list(read)
        assert source.state(hashed(source)).tree


def test_a_repository_below_a_path_with_a_newline(tmp_path, git, write):
    root = tmp_path / "a\nb"
    write(root, {"sub\nfolder/x.py": "x"})
    git(root, "init", "-q")
    source = open_source(root / "sub\nfolder")
    assert source.prefix == "sub\nfolder/" and contents(source) == {"x.py": b"x"}


def test_large_files_come_cut(repo, write):
    big = b"x" * (MAX_FILE_BYTES + 5)
    root = repo({"big.txt": big, "small.txt": "s"})
    write(root, {"huge.txt": b"\n" * 50_000_000})
    for source in (open_source(root), open_source(root, "HEAD")):
        read = contents(source)
        assert len(read["big.txt"]) == MAX_FILE_BYTES + 1 and read["small.txt"] == b"s"
    entry = next(e for e in open_source(root).list()[0] if e.path == "huge.txt")
    assert entry.size == 50_000_000
    assert len(contents(open_source(root))["huge.txt"]) == MAX_FILE_BYTES + 1


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_unreadable_files_and_folders():
    with tempfile.TemporaryDirectory() as name:  # not tmp_path: another user must be able to enter it
        root = Path(name)
        root.chmod(0o755)
        for file in ("open.py", "closed.py", "shut/in.py"):
            (root / file).parent.mkdir(exist_ok=True)
            (root / file).write_text("x")
        (root / "closed.py").chmod(0)
        (root / "shut").chmod(0)
        source = open_source(root)
        root_user = os.geteuid() == 0  # who may read everything
        if root_user:
            os.seteuid(65_534)
        try:
            read = contents(source)
            with pytest.raises(RepositoryError, match=r"cannot be opened: .*Permission denied"):
                open_source(root / "shut")
        finally:
            if root_user:
                os.seteuid(0)
            (root / "shut").chmod(0o755)
        assert read == {"closed.py": None, "open.py": b"x"}
        assert reasons(source) == {"shut": "unreadable folder"}


def test_a_revision_is_read_from_objects_alone(repo, write, git):
    root = repo({"a.py": "one", "gone.py": "g"})
    git(root, "tag", "-a", "-m", "t", "v1")
    write(root, {"a.py": "two", "later.py": "l"})
    (root / "gone.py").unlink()
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "second")
    (root / "a.py").write_text("uncommitted")
    for rev in ("v1", "HEAD~1", git(root, "rev-parse", "--short", "HEAD~1").decode().strip()):
        source = open_source(root, rev)
        assert isinstance(source, Revision)
        assert contents(source) == {"a.py": b"one", "gone.py": b"g"}
        assert source.state(source.list()[0]).rev == rev and not source.state(source.list()[0]).dirty
    assert contents(open_source(root, "main")) == {"a.py": b"two", "later.py": b"l"}


def test_ignore_files_of_the_revision_count_not_those_of_the_work_tree(repo, write, git):
    code = dict.fromkeys(("a.py", "b.py", "pkg/b.py", "pkg/c.py"), "")
    root = repo({**code, ".zeroinignore": "b.py\n", "pkg/.ignore": "c.py\n"})
    write(root, {".zeroinignore": "a.py\n"})
    assert paths(open_source(root, "HEAD")) == [".zeroinignore", "a.py", "pkg/.ignore"]
    assert paths(open_source(root / "pkg", "HEAD")) == [".ignore"]


def test_a_bare_repository_with_and_without_a_revision(repo, git, tmp_path):
    root = repo({"a.py": "one", "sub/b.py": "b"})
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "-q", "--bare", str(root), str(bare))
    for source in (open_source(bare), open_source(bare, "main"), open_source(root / ".git")):
        assert isinstance(source, Revision)
        assert contents(source) == {"a.py": b"one", "sub/b.py": b"b"}
        assert source.commit and source.prefix == ""
    assert open_source(bare).root == bare and open_source(bare).git_dir == bare
    with pytest.raises(RepositoryError, match="lies inside the git directory"):
        open_source(bare / "objects")


def test_an_empty_bare_repository(tmp_path, git):
    git(tmp_path, "init", "-q", "--bare", "b.git")
    source = open_source(tmp_path / "b.git")
    assert source.list() == ((), ()) and source.commit == ""
    with pytest.raises(RepositoryError, match="unknown revision"):
        open_source(tmp_path / "b.git", "main")


def test_a_shallow_clone(repo, write, git, tmp_path):
    root = repo({"a.py": "one"})
    first = git(root, "rev-parse", "HEAD").decode().strip()
    write(root, {"a.py": "two"})
    git(root, "commit", "-q", "-am", "second")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{root}", "shallow")
    shallow = tmp_path / "shallow"
    assert contents(open_source(shallow)) == contents(open_source(shallow, "HEAD")) == {"a.py": b"two"}
    with pytest.raises(RepositoryError, match="unknown revision"):
        open_source(shallow, first)


@pytest.mark.parametrize(
    "rev", ["", "nope", "-1", "--all", "HEAD:a.py", "HEAD..HEAD", "a\nb", "a\0b", "HEAD^{tree}", "\ud800"]
)
def test_what_is_no_commit_is_an_unknown_revision(repo, rev):
    with pytest.raises(RepositoryError, match="unknown revision"):
        open_source(repo({"a.py": ""}), rev)


def test_missing_and_corrupt_objects_cost_one_file(repo, git):
    root = repo({f"{n}.py": f"content {n}" for n in range(120)})
    blobs = {e.path: e.blob for e in open_source(root, "HEAD").list()[0]}
    gone, broken = blobs["3.py"], blobs["70.py"]
    (root / ".git/objects" / gone[:2] / gone[2:]).unlink()
    file = root / ".git/objects" / broken[:2] / broken[2:]
    file.chmod(0o644)
    file.write_bytes(b"not zlib")
    read = contents(open_source(root, "HEAD"))
    assert {p for p, data in read.items() if data is None} == {"3.py", "70.py"}
    assert all(read[p] == f"content {p[:-3]}".encode() for p in read if p not in ("3.py", "70.py"))
    # the work tree still has them
    assert None not in contents(open_source(root)).values()


def test_many_and_large_blobs_do_not_deadlock_and_may_be_left_half_read(repo):
    root = repo({**{f"f{n}.txt": f"{n}\n" * 5_000 for n in range(400)}, **{f"e{n}.txt": "" for n in range(3)}})
    source = open_source(root, "HEAD")
    read = contents(source)
    assert len(read) == 403 and read["f7.txt"] == b"7\n" * 5_000 and read["e1.txt"] == b""
    half = source.read(source.list()[0])
    next(half)
    half.close()  # type: ignore[attr-defined]


def test_sha256_repositories(tmp_path, git, write):
    root = write(tmp_path / "r", {"a.py": "a", "b.py": "b"})
    git(root, "init", "-q", "--object-format=sha256")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "first")
    write(root, {"b.py": "bb"})
    source = open_source(root)
    assert contents(source) == {"a.py": b"a", "b.py": b"bb"}
    assert len(source.list()[0][0].blob or "") == 64
    assert contents(open_source(root, "HEAD"))["b.py"] == b"b"


def test_paths_that_cannot_be_searched(tmp_path, write):
    write(tmp_path, {"file.py": ""})
    (tmp_path / "loop").symlink_to("loop")
    for path, rev, message in (
        (tmp_path / "file.py", None, "is a file; give the folder"),
        (tmp_path / "nope", None, "does not exist"),
        (tmp_path, "HEAD", "no git repository"),
        ("a\0b", None, None),
        (tmp_path / "loop", None, None),
    ):
        with pytest.raises(RepositoryError, match=message):
            open_source(path, rev)


def test_without_git_a_plain_folder_still_works(tmp_path, write, monkeypatch, repo):
    root = repo({"a.py": ""})
    plain = write(tmp_path / "plain", {"a.py": ""})
    monkeypatch.setenv("PATH", str(tmp_path))
    assert paths(open_source(plain)) == ["a.py"]
    with pytest.raises(GitError, match="not installed"):
        open_source(root)


def test_a_git_that_does_not_read_our_configuration_is_too_old(tmp_path, repo, monkeypatch):
    root = repo({"a.py": ""})
    old = tmp_path / "bin" / "git"
    old.parent.mkdir()
    old.write_text(f'#!/bin/sh\nunset GIT_CONFIG_COUNT\nexec {shutil.which("git")} "$@"\n')
    old.chmod(0o755)
    monkeypatch.setenv("PATH", str(old.parent))
    with pytest.raises(GitError, match="is too old"):
        open_source(root)


def test_newlines_in_paths_do_not_mislead(repo, git, tmp_path, write):
    root = repo({"a\nb/x.py": ""}, "re\npo")
    commit = git(root, "rev-parse", "HEAD").decode().strip()
    source = open_source(root / "a\nb")
    assert (source.commit, source.prefix, paths(source)) == (commit, "a\nb/", ["x.py"])
    unborn = write(tmp_path / "un\nborn", {"x.py": ""})
    git(unborn, "init", "-q")
    assert (open_source(unborn).commit, paths(open_source(unborn))) == ("", ["x.py"])


def test_a_broken_repository_is_an_error_in_one_line(tmp_path, repo):
    root = repo({"a.py": ""})
    (root / ".git" / "config").write_text("[core\n")
    with pytest.raises(GitError) as raised:
        open_source(root)
    assert "\n" not in str(raised.value) and "config" in str(raised.value)


def test_variables_that_git_sets_in_hooks_do_not_mislead(repo, monkeypatch):
    other = repo({"o.py": ""}, "other")
    root = repo({"a.py": ""})
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    assert paths(open_source(root)) == ["a.py"]
