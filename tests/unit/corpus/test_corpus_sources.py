"""Every state of a work tree, plain folder or revision that docs/SOURCES.md lists."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from zeroin.config import MAX_FILE_BYTES
from zeroin.corpus.folder import PlainFolder
from zeroin.corpus.git import blob_id
from zeroin.corpus.revision import Revision
from zeroin.corpus.source import open_source
from zeroin.corpus.worktree import WorkTree
from zeroin.errors import GitError, RepositoryError
from zeroin.tree import Entry


def paths(source) -> list[str]:
    return [entry.path for entry in source.list()[0]]


def reasons(source) -> dict[str, str]:
    return {item.path: item.reason for item in source.list()[1]}


def contents(source) -> dict[str, bytes | None]:
    return {entry.path: data for entry, data in source.read(source.list()[0])}


def hashed(source) -> list[Entry]:
    """Entries with every blob known, as the index makes them."""
    return [
        Entry(e.path, e.blob or blob_id(data or b""), e.size, e.stat)
        for e, data in source.read(source.list()[0])
    ]


# --- work trees ---------------------------------------------------------------------------------


def test_tracked_and_untracked_files_but_not_ignored_ones(repo, write):
    root = repo({"a.py": "a", "src/b.py": "b", ".gitignore": "build/\n*.log\n"})
    write(root, {"new.py": "n", "build/out.py": "o", "x.log": "l", "src/deep/new.py": "d"})
    source = open_source(root)
    assert isinstance(source, WorkTree)
    assert paths(source) == [".gitignore", "a.py", "new.py", "src/b.py", "src/deep/new.py"]
    by_path = {entry.path: entry for entry in source.list()[0]}
    assert by_path["a.py"].blob == blob_id(b"a") and by_path["a.py"].stat is None
    assert by_path["new.py"].blob is None and by_path["new.py"].stat[0] == 1
    assert contents(source)["src/deep/new.py"] == b"d"


def test_a_tracked_file_that_git_ignores_is_searched(repo):
    assert "x.log" in paths(open_source(repo({".gitignore": "*.log\n", "x.log": "l"})))


def test_edited_deleted_staged_and_half_added_files(repo, write, git):
    root = repo({"edited.py": "1", "deleted.py": "2", "same.py": "3", "staged.py": "4"})
    write(root, {"edited.py": "one!", "staged.py": "four", "intent.py": "5"})
    (root / "deleted.py").unlink()
    git(root, "add", "staged.py")
    git(root, "add", "-N", "intent.py")
    source = open_source(root)
    assert paths(source) == ["edited.py", "intent.py", "same.py", "staged.py"]
    assert contents(source) == {
        "edited.py": b"one!",
        "intent.py": b"5",
        "same.py": b"3",
        "staged.py": b"four",
    }
    by_path = {entry.path: entry for entry in source.list()[0]}
    assert by_path["edited.py"].blob is None and by_path["staged.py"].blob == blob_id(b"four")


def test_a_merge_conflict_is_one_file(repo, write, git):
    root = repo({"a.py": "base\n"})
    git(root, "checkout", "-q", "-b", "other")
    write(root, {"a.py": "other\n"})
    git(root, "commit", "-q", "-am", "other")
    git(root, "checkout", "-q", "main")
    write(root, {"a.py": "main\n"})
    git(root, "commit", "-q", "-am", "main")
    subprocess.run(["git", "merge", "-q", "other"], cwd=root, capture_output=True, check=False)
    source = open_source(root)
    assert paths(source) == ["a.py"]
    assert b"<<<<<<<" in contents(source)["a.py"]


def test_ignore_and_zeroinignore_apply_to_tracked_files_too(repo, write):
    root = repo({"a.py": "", "data/x.json": "", "data/keep.json": "", "lib/gen/y.py": "", "lib/y.py": ""})
    write(root, {".ignore": "data/*\n", ".zeroinignore": "!data/keep.json\n", "lib/.zeroinignore": "/gen/\n"})
    source = open_source(root)
    assert [p for p in paths(source) if not p.endswith("ignore")] == ["a.py", "data/keep.json", "lib/y.py"]
    assert reasons(source) == {
        "data/x.json": "ignored by .ignore",
        "lib/gen/y.py": "ignored by .zeroinignore",
    }


def test_zeroinignore_counts_even_where_git_ignores_it(repo, write):
    root = repo({"a.py": "", "b.py": "", ".gitignore": ".zeroinignore\n"})
    write(root, {".zeroinignore": "b.py\n"})
    assert paths(open_source(root)) == [".gitignore", "a.py"]


def test_a_folder_below_the_top_limits_everything_to_it(repo, write):
    root = repo(
        {
            "top.py": "",
            "pkg/a.py": "a",
            "pkg/skip.py": "",
            "pkg/in/b.py": "b",
            ".zeroinignore": "pkg/skip.py\n",
        }
    )
    write(root, {"pkg/new.py": "n", "other.py": ""})
    source = open_source(root / "pkg")
    assert (source.prefix, source.root) == ("pkg/", root / "pkg")
    assert contents(source) == {"a.py": b"a", "in/b.py": b"b", "new.py": b"n"}
    assert reasons(source) == {"skip.py": "ignored by .zeroinignore"}
    assert contents(open_source(root / "pkg" / "in", "HEAD")) == {"b.py": b"b"}
    assert contents(open_source(root / "pkg", "HEAD")) == {"a.py": b"a", "in/b.py": b"b"}
    with pytest.raises(RepositoryError, match="no folder 'fresh' in revision HEAD"):
        (root / "fresh").mkdir()
        open_source(root / "fresh", "HEAD")


def test_an_ignored_folder_of_a_work_tree_is_a_plain_folder(repo, write):
    root = repo({".gitignore": "scratch/\n", "a.py": ""})
    write(root, {"scratch/x.py": "x"})
    source = open_source(root / "scratch")
    assert isinstance(source, PlainFolder) and paths(source) == ["x.py"]


def test_submodules_nested_repositories_and_symlinks_are_named_and_left_out(repo, git, write, tmp_path):
    inner = repo({"i.py": ""}, "inner")
    root = repo({"a.py": ""})
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "sub")
    (root / "loop").symlink_to(root)
    (root / "outside").symlink_to("/etc/hosts")
    (root / "dangling").symlink_to("nowhere")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "more")
    (root / "later").symlink_to("a.py")
    git(root, "init", "-q", "nested")
    write(root, {"nested/n.py": ""})
    git(root / "nested", "add", "-A")
    git(root / "nested", "commit", "-q", "-m", "n")
    source = open_source(root)
    links = {"loop": "symlink", "outside": "symlink", "dangling": "symlink"}
    assert reasons(source) == {**links, "later": "symlink", "nested": "nested repository", "sub": "submodule"}
    assert paths(source) == [".gitmodules", "a.py"]
    assert reasons(open_source(root, "HEAD")) == {**links, "sub": "submodule"}


def test_a_file_that_became_a_symlink_is_not_followed(repo):
    root = repo({"a.py": "", "secret": "s"})
    (root / "secret").unlink()
    (root / "secret").symlink_to("/etc/hosts")
    source = open_source(root)
    assert paths(source) == ["a.py"] and reasons(source) == {"secret": "symlink"}


def test_a_link_that_appears_after_the_listing_is_not_read(repo, write):
    root = repo({"a.py": ""})
    write(root, {"new.py": "n"})
    source = open_source(root)
    source.list()
    (root / "new.py").unlink()
    (root / "new.py").symlink_to("/etc/hosts")
    assert contents(source)["new.py"] is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name on this system")
def test_a_named_pipe_blocks_nothing(repo, tmp_path):
    root = repo({"a.py": "", "b.py": "b"})
    (root / "b.py").unlink()
    os.mkfifo(root / "b.py")
    assert reasons(open_source(root)) == {"b.py": "not a regular file"}
    plain = tmp_path / "plain"
    plain.mkdir()
    os.mkfifo(plain / "p")
    assert reasons(open_source(plain)) == {"p": "not a regular file"}


def test_files_that_vanish_while_reading(repo, write, tmp_path):
    root = repo({"tracked.py": "t", "b.py": "b"})
    write(root, {"new.py": "n"})
    source = open_source(root)
    source.list()
    (root / "tracked.py").unlink()
    (root / "new.py").unlink()
    # What git has is still that blob; what only the disk had is gone.
    assert contents(source) == {"b.py": b"b", "new.py": None, "tracked.py": b"t"}
    plain = open_source(write(tmp_path / "plain", {"x.py": "x"}))
    plain.list()
    (tmp_path / "plain" / "x.py").unlink()
    assert contents(plain) == {"x.py": None}


def test_a_file_edited_while_reading_never_passes_for_its_old_blob(repo, write):
    root = repo({"a.py": "old"})
    source = open_source(root)
    source.list()
    write(root, {"a.py": "new"})
    assert contents(source) == {"a.py": b"old"}


def test_line_endings_and_lfs_are_read_as_git_stores_them(repo, write, git):
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 5\n"
    root = repo({"a.txt": "one\ntwo\n", "big.bin": pointer, "mixed.txt": "one\r\ntwo\n"})
    git(root, "config", "core.autocrlf", "true")
    (root / "a.txt").unlink()
    git(root, "checkout", "a.txt")
    assert (root / "a.txt").read_bytes() == b"one\r\ntwo\r\n"
    source = open_source(root)
    assert contents(source) == {"a.txt": b"one\ntwo\n", "big.bin": pointer, "mixed.txt": b"one\r\ntwo\n"}


def test_stale_stat_data_does_not_make_a_tree_dirty(repo):
    root = repo({"a.py": "a"})
    os.utime(root / "a.py", (1, 1))
    source = open_source(root)
    assert source.list()[0][0].blob is None
    assert not source.state(hashed(source)).dirty


def test_state_says_which_tree_it_is(repo, write, git):
    root = repo({"a.py": "a", "b.py": "b"})
    source = open_source(root)
    clean = source.state(hashed(source))
    at_head = open_source(root, "HEAD")
    assert clean.tree == at_head.state(hashed(at_head)).tree
    assert (clean.commit, clean.dirty, clean.rev) == (source.commit, False, "")
    write(root, {"a.py": "changed"})
    edited = open_source(root)
    state = edited.state(hashed(edited))
    assert state.dirty and state.tree != clean.tree
    git(root, "add", "a.py")
    staged = open_source(root)
    assert staged.state(hashed(staged)).dirty
    git(root, "reset", "-q", "--hard")
    write(root, {"new.py": ""})
    untracked = open_source(root)
    assert untracked.state(hashed(untracked)).dirty
    (root / "new.py").unlink()
    (root / "b.py").unlink()
    deleted = open_source(root)
    assert deleted.state(hashed(deleted)).dirty


def test_worktrees_of_one_repository_share_an_identity(repo, git, tmp_path):
    root = repo({"a.py": "a"})
    git(root, "worktree", "add", "-q", "--detach", str(tmp_path / "second"))
    second = open_source(tmp_path / "second")
    assert second.identity == open_source(root).identity == open_source(root, "HEAD").identity
    assert contents(second) == {"a.py": b"a"}
    assert second.commit == open_source(root).commit


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
    names = [
        b"with space.py",
        b"new\nline.py",
        "ünï/日本.py".encode(),
        b"bad\xff\xfe.py",
        b'quote".py',
        b"-dash.py",
        b"*star.py",
    ]
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
        finally:
            if root_user:
                os.seteuid(0)
            (root / "shut").chmod(0o755)
        assert read == {"closed.py": None, "open.py": b"x"}
        assert reasons(source) == {"shut": "unreadable folder"}


def test_an_unreadable_tracked_file_is_read_from_git(repo):
    root = repo({"a.py": "a"})
    source = open_source(root)
    source.list()
    (root / "a.py").unlink()
    (root / "a.py").mkdir()  # no user can read a folder as a file
    assert contents(source) == {"a.py": b"a"}


# --- revisions ----------------------------------------------------------------------------------


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
    root = repo(
        {
            ".zeroinignore": "b.py\n",
            "a.py": "",
            "b.py": "",
            "pkg/.ignore": "c.py\n",
            "pkg/c.py": "",
            "pkg/b.py": "",
        }
    )
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
    "rev", ["", "nope", "-1", "--all", "HEAD:a.py", "HEAD..HEAD", "a\nb", "a\0b", "HEAD^{tree}"]
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
    root = repo(
        {**{f"f{n}.txt": f"{n}\n" * 5_000 for n in range(400)}, **{f"e{n}.txt": "" for n in range(3)}}
    )
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


# --- plain folders ------------------------------------------------------------------------------


def test_a_plain_folder_with_ignore_files_and_defaults(tmp_path, write):
    root = write(
        tmp_path / "p",
        {
            "a.py": "a",
            ".gitignore": "*.log\nout/\n!keep.log\n",
            "x.log": "",
            "keep.log": "",
            "out/y.py": "",
            "node_modules/m/i.js": "",
            "src/__pycache__/a.pyc": "",
            "src/b.py": "",
            "src/.ignore": "c.py\n",
            "src/c.py": "",
            "src/.zeroinignore": "!d.log\n",
            "src/d.log": "",
            "target/CACHEDIR.TAG": "",
            "target/z.rs": "",
            "env/pyvenv.cfg": "",
            "env/q.py": "",
        },
    )
    source = open_source(root)
    shown = [p for p in paths(source) if not p.endswith("ignore")]
    assert shown == ["a.py", "keep.log", "src/b.py", "src/d.log"]
    assert reasons(source) == {
        "env": "cache folder",
        "node_modules": "ignored by default",
        "out": "ignored by .gitignore",
        "src/__pycache__": "ignored by default",
        "src/c.py": "ignored by .ignore",
        "target": "cache folder",
        "x.log": "ignored by .gitignore",
    }
    assert source.git_dir is None and source.commit == "" and source.identity == f"folder:{root}"
    assert contents(source)["a.py"] == b"a"


def test_a_default_can_be_taken_back(tmp_path, write):
    root = write(tmp_path / "p", {"node_modules/i.js": "", ".zeroinignore": "!node_modules/\n"})
    assert "node_modules/i.js" in paths(open_source(root))


def test_a_git_repository_in_a_plain_folder_is_searched_like_a_folder(tmp_path, repo, git, write):
    root = repo({"a.py": "", ".gitignore": "b.py\n"}, "inner")
    write(root, {"b.py": ""})
    git(root, "worktree", "add", "-q", "--detach", str(tmp_path / "second"))
    source = open_source(tmp_path)
    assert paths(source) == ["inner/.gitignore", "inner/a.py", "second/.gitignore", "second/a.py"]
    assert reasons(source) == {
        "inner/.git": "version control",
        "inner/b.py": "ignored by .gitignore",
        "second/.git": "version control",
    }


def test_links_in_a_plain_folder(tmp_path, write):
    root = write(tmp_path / "p", {"a.py": "", "d/b.py": ""})
    (root / "d" / "loop").symlink_to(root)
    (root / "out").symlink_to("/etc")
    source = open_source(root)
    assert paths(source) == ["a.py", "d/b.py"]
    assert reasons(source) == {"d/loop": "symlink", "out": "symlink"}


def test_a_link_to_the_folder_itself_is_followed(tmp_path, write):
    root = write(tmp_path / "p", {"a.py": ""})
    (tmp_path / "link").symlink_to(root)
    assert open_source(tmp_path / "link").identity == open_source(root).identity


def test_an_empty_folder(tmp_path):
    assert open_source(tmp_path).list() == ((), ())


# --- what is no source --------------------------------------------------------------------------


def test_paths_that_cannot_be_searched(tmp_path, write):
    write(tmp_path, {"file.py": ""})
    with pytest.raises(RepositoryError, match="is a file; give the folder"):
        open_source(tmp_path / "file.py")
    with pytest.raises(RepositoryError, match="does not exist"):
        open_source(tmp_path / "nope")
    with pytest.raises(RepositoryError, match="no git repository"):
        open_source(tmp_path, "HEAD")
    with pytest.raises(RepositoryError):
        open_source("a\0b")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(RepositoryError):
        open_source(tmp_path / "loop")


def test_without_git_a_plain_folder_still_works(tmp_path, write, monkeypatch, repo):
    root = repo({"a.py": ""})
    plain = write(tmp_path / "plain", {"a.py": ""})
    monkeypatch.setenv("PATH", str(tmp_path))
    from zeroin.corpus import git as git_module

    git_module._checked_version.cache_clear()
    assert paths(open_source(plain)) == ["a.py"]
    with pytest.raises(GitError, match="not installed"):
        open_source(root)


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
