"""Every state of a work tree that docs/SOURCES.md lists."""

import os
import subprocess

import pytest
from listing import contents, hashed, paths, reasons

from zeroin.corpus import files
from zeroin.corpus.changes import change_of
from zeroin.corpus.folder import PlainFolder
from zeroin.corpus.git import blob_id
from zeroin.corpus.source import open_source
from zeroin.corpus.worktree import WorkTree
from zeroin.errors import RepositoryError


def test_tracked_and_untracked_files_but_not_ignored_ones(repo, write):
    root = repo({"a.py": "a", "src/b.py": "b", ".gitignore": "build/\n*.log\n", "tracked.log": "t"})
    write(root, {"new.py": "n", "build/out.py": "o", "x.log": "l", "src/deep/new.py": "d"})
    source = open_source(root)
    assert isinstance(source, WorkTree)
    assert paths(source) == [".gitignore", "a.py", "new.py", "src/b.py", "src/deep/new.py", "tracked.log"]
    by_path = {entry.path: entry for entry in source.list()[0]}
    assert by_path["a.py"].blob == blob_id(b"a") and by_path["a.py"].stat is None
    assert by_path["new.py"].blob is None and by_path["new.py"].stat[0] == 1
    assert contents(source)["src/deep/new.py"] == b"d"


def test_edited_deleted_staged_and_half_added_files(repo, write, git):
    root = repo({"edited.py": "1", "deleted.py": "2", "same.py": "3", "staged.py": "4"})
    write(root, {"edited.py": "one!", "staged.py": "four", "intent.py": "5"})
    (root / "deleted.py").unlink()
    git(root, "add", "staged.py")
    git(root, "add", "-N", "intent.py")
    source = open_source(root)
    assert paths(source) == ["edited.py", "intent.py", "same.py", "staged.py"]
    assert list(contents(source).values()) == [b"one!", b"5", b"3", b"four"]
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
    assert reasons(source) == {"data/x.json": "ignored by .ignore", "lib/gen/y.py": "ignored by .zeroinignore"}


def test_zeroinignore_counts_even_where_git_ignores_it(repo, write):
    root = repo({"a.py": "", "b.py": "", ".gitignore": ".zeroinignore\n"})
    write(root, {".zeroinignore": "b.py\n"})
    assert paths(open_source(root)) == [".gitignore", "a.py"]


def test_a_folder_below_the_top_limits_everything_to_it(repo, write):
    files = {"top.py": "", "pkg/a.py": "a", "pkg/skip.py": "", "pkg/in/b.py": "b"}
    root = repo({**files, ".zeroinignore": "pkg/skip.py\n"})
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
    root = repo({"a.py": "", "became": "a file"})
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "sub")
    (root / "loop").symlink_to(root)
    (root / "outside").symlink_to("/etc/hosts")
    (root / "dangling").symlink_to("nowhere")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "more")
    (root / "later").symlink_to("a.py")
    (root / "became").unlink()
    (root / "became").symlink_to("/etc/hosts")
    git(root, "init", "-q", "nested")
    write(root, {"nested/n.py": ""})
    git(root / "nested", "add", "-A")
    git(root / "nested", "commit", "-q", "-m", "n")
    source = open_source(root)
    links = {"loop": "symlink", "outside": "symlink", "dangling": "symlink"}
    links_now = {**links, "became": "symlink", "later": "symlink"}
    assert reasons(source) == {**links_now, "nested": "nested repository", "sub": "submodule"}
    assert paths(source) == [".gitmodules", "a.py"]
    assert reasons(open_source(root, "HEAD")) == {**links, "sub": "submodule"}


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


def test_files_that_change_or_vanish_while_they_are_read(repo, write, tmp_path):
    root = repo({"edited.py": "old", "folder.py": "f", "gone.py": "t", "same.py": "s"})
    write(root, {"new.py": "n"})
    source = open_source(root)
    source.list()
    write(root, {"edited.py": "new"})
    for name in ("folder.py", "gone.py", "new.py"):
        (root / name).unlink()
    (root / "folder.py").mkdir()  # no user can read a folder as a file
    # What git has is still that blob; what only the disk had is gone.
    blobs = {"edited.py": b"old", "folder.py": b"f", "gone.py": b"t", "same.py": b"s"}
    assert contents(source) == {**blobs, "new.py": None}
    plain = open_source(write(tmp_path / "plain", {"x.py": "x"}))
    plain.list()
    (tmp_path / "plain" / "x.py").unlink()
    assert contents(plain) == {"x.py": None}


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


def test_a_diff_leaves_the_index_as_it_is(repo):
    root = repo({"a.py": "a\n"})
    os.utime(root / "a.py", (1e9, 1e9))
    before = (root / ".git" / "index").stat()
    assert change_of(root, "") == ""
    after = (root / ".git" / "index").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


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


def test_a_tracked_file_that_is_something_else_now_makes_a_tree_dirty(repo, write):
    root = repo({"a.py": "a", "b.py": "b", ".gitignore": "*.o\n"})
    (root / "a.py").unlink()
    (root / "a.py").symlink_to("b.py")
    linked = open_source(root)
    assert reasons(linked) == {"a.py": "symlink"} and linked.state(hashed(linked)).dirty
    (root / "a.py").unlink()
    write(root, {"a.py/x.o": ""})
    folder = open_source(root)
    assert paths(folder) == [".gitignore", "b.py"] and reasons(folder) == {}
    assert folder.state(hashed(folder)).dirty


def test_a_tracked_link_that_was_only_touched_does_not_make_a_tree_dirty(repo, git):
    root = repo({"a.py": "a"})
    (root / "link").symlink_to("a.py")
    git(root, "add", "link")
    git(root, "commit", "-q", "-m", "link")
    os.utime(root / "link", (1, 1), follow_symlinks=False)
    source = open_source(root)
    assert reasons(source) == {"link": "symlink"} and not source.state(hashed(source)).dirty


@pytest.mark.parametrize("relative", [True, False], ids=["posix", "windows"])
def test_a_folder_that_becomes_a_link_after_the_listing_is_not_read(repo, write, tmp_path, monkeypatch, relative):
    monkeypatch.setattr(files, "_RELATIVE", relative and files._RELATIVE)
    root = repo({"d/a.py": "a"})
    write(root, {"d/e/new.py": "n"})
    outside = write(tmp_path / "outside", {"a.py": "outside", "e/new.py": "outside", "new.py": "outside"})
    for place in (root, root / "d"):
        source = open_source(place)
        source.list()
        (root / "d/e").rename(root / "d/f")
        (root / "d/e").symlink_to(outside)
        read = contents(source)
        assert b"outside" not in read.values() and None in read.values()
        (root / "d/e").unlink()
        (root / "d/f").rename(root / "d/e")
    plain = open_source(write(tmp_path / "plain", {"d/e/x.py": "x"}))
    plain.list()
    (tmp_path / "plain/d").rename(tmp_path / "plain/g")
    (tmp_path / "plain/d").symlink_to(write(outside, {"e/x.py": "outside"}))
    assert contents(plain) == {"d/e/x.py": None}


@pytest.mark.skipif(not hasattr(os, "O_PATH"), reason="a folder has to be listed to be passed")
def test_folders_that_cannot_be_listed_can_be_passed(repo, tmp_path):
    root = repo({"d/a.py": "a"})
    (root / "d/a.py").write_text("b")
    (root / "d").chmod(0o311)
    try:
        assert contents(open_source(root)) == {"d/a.py": b"b"}
    finally:
        (root / "d").chmod(0o755)


def test_names_that_lead_out_where_windows_reads_them(monkeypatch):
    names = "a\\..\\..\\b|c:/b|c:b|.git::$INDEX_ALLOCATION/config|.git /config|..  /b|a/.. ./b".split("|")
    assert not any(map(files.leads_out, names))
    monkeypatch.setattr(files, "_WINDOWS", True)
    assert all(map(files.leads_out, names)) and not files.leads_out("a/b.py")


def test_very_deep_folders_cost_little(tmp_path):
    at = tmp_path / "deep"
    for _ in range(400):
        at = at / "d"
    at.mkdir(parents=True)
    (at / "x.py").write_text("x")
    (tmp_path / "deep/d/y.py").write_text("y")
    source = open_source(tmp_path / "deep")
    assert paths(source) == ["d/y.py"] and set(reasons(source).values()) == {"unreadable folder"}


def test_uncommitted_changes_hold_new_text_files(repo, write):
    root = repo({"a.py": "a\n", "lib/b.py": "b\n", ".gitignore": "*.log\n"})
    write(root, {"lib/new.py": "one\ntwo", "x.log": "l\n", "empty.py": ""})
    (root / "picture.bin").write_bytes(b"\0\1")
    (root / "link.py").symlink_to("/etc/hostname")
    (root / "large.txt").write_text("x\n" * 200_000)
    added = "new file mode 100644\n--- /dev/null\n+++ b/{0}\n@@ -0,0 +1,2 @@\n+one\n+two\n"
    assert change_of(root, "") == "diff --git a/lib/new.py b/lib/new.py\n" + added.format("lib/new.py")
    assert change_of(root / "lib", "") == "diff --git a/new.py b/new.py\n" + added.format("new.py")
    assert change_of(root, "HEAD..") == ""
