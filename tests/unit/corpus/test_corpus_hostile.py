"""A repository from a stranger starts nothing: every program that its configuration can name leaves a mark."""

import os
import subprocess
import sys

import pytest

from zeroin.corpus.changes import change_of
from zeroin.corpus.git import Git
from zeroin.corpus.source import open_source
from zeroin.errors import GitError, RepositoryError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the trap is a shell script")

HOOKS = "pre-commit post-checkout post-index-change reference-transaction fsmonitor-watchman".split()
CONFIG = """
[core]
    fsmonitor = {trap}
    hooksPath = {hooks}
    pager = {trap}
    editor = {trap}
    sshCommand = {trap}
    askPass = {trap}
    alternateRefsCommand = {trap}
    gitProxy = {trap}
[diff]
    external = {trap}
[diff "d"]
    textconv = {trap}
    command = {trap}
[filter "f"]
    clean = {trap}
    smudge = {trap}
    required = true
[filter "with=equals.and.dots"]
    clean = {trap}
[filter "p"]
    process = {trap}
    required = true
[merge "m"]
    driver = {trap}
[gpg]
    program = {trap}
[log]
    showSignature = true
[credential]
    helper = {trap}
[alias]
    ls-files = !{trap}
[extensions]
    partialClone = origin
[remote "origin"]
    url = ext::{trap}
    uploadpack = {trap}
    promisor = true
[protocol]
    allow = always
[protocol "ext"]
    allow = always
[interactive]
    diffFilter = {trap}
"""


@pytest.fixture
def hostile(repo, write, git, tmp_path):
    """A repository full of traps, and the file that any of them would make."""
    mark = tmp_path / "mark"
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{mark}'\ncat\n")
    trap.chmod(0o755)
    root = repo({"a.py": "a1", "b.py": "b1", "c.py": "c1", "gone.py": "gone", "sub/x.py": "x"})
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for folder in (hooks, root / ".git" / "hooks"):
        for name in HOOKS:
            (folder / name).write_text(trap.read_text())
            (folder / name).chmod(0o755)
    write(root, {".gitattributes": "a.py filter=f diff=d\nb.py filter=with=equals.and.dots\nc.py filter=p diff=d\n"})
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "attributes")
    plain = git(root, "cat-file", "commit", "HEAD")
    signature = b"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n\n"
    signed = git(root, "hash-object", "-t", "commit", "-w", "--stdin", stdin=plain.replace(b"\n\n", signature, 1))
    git(root, "update-ref", "HEAD", signed.decode().strip())
    gone = git(root, "rev-parse", "HEAD:gone.py").decode().strip()
    (root / ".git" / "objects" / gone[:2] / gone[2:]).unlink()
    (root / "gone.py").unlink()
    inner = root / "sub2"
    git(root, "init", "-q", "sub2")
    write(inner, {"i.py": ""})
    git(inner, "add", "-A")
    git(inner, "commit", "-q", "-m", "inner")
    git(root, "-c", "advice.addEmbeddedRepo=false", "add", "sub2")
    for at in (root, inner):
        with (at / ".git" / "config").open("a") as file:
            file.write(CONFIG.format(trap=trap, hooks=hooks))
    index = root / ".git" / "index"
    for name in ("a.py", "b.py", "c.py"):  # same size, and as young as the index: git must look inside
        (root / name).write_text(name[0] + "2")
        os.utime(root / name, ns=(index.stat().st_mtime_ns, index.stat().st_mtime_ns))
    mark.unlink(missing_ok=True)
    return root, mark


def test_the_traps_work(hostile):
    root, mark = hostile
    subprocess.run(["git", "status"], cwd=root, capture_output=True, check=False, timeout=60)
    assert mark.exists()


def test_listing_reading_and_asking_start_nothing(hostile):
    root, mark = hostile
    for source in (open_source(root), open_source(root, "HEAD"), open_source(root / "sub")):
        entries, _ = source.list()
        read = {entry.path: data for entry, data in source.read(entries)}
        source.state(entries)
    tree = open_source(root)
    read = {entry.path: data for entry, data in tree.read(tree.list()[0])}
    assert (read["a.py"], read["b.py"], read["c.py"]) == (b"a2", b"b2", b"c2")
    assert not mark.exists(), mark.read_text()


def test_a_promised_object_is_not_fetched(hostile):
    root, mark = hostile
    source = open_source(root, "HEAD")
    read = {entry.path: data for entry, data in source.read(source.list()[0])}
    assert read["gone.py"] is None and read["a.py"] == b"a1"
    assert not mark.exists(), mark.read_text()


def test_history_starts_nothing(hostile):
    root, mark = hostile
    git = Git(root / ".git")
    records = list(git.records("log", "-z", "--name-only", "--no-renames", "--format=%H"))
    assert len(records) > 2
    assert not mark.exists(), mark.read_text()


def test_a_change_starts_nothing(hostile):
    root, mark = hostile
    for spec in ("", "HEAD", "HEAD~1..HEAD"):
        try:
            change_of(root, spec)
        except (GitError, RepositoryError):
            continue  # git may refuse: an object is missing
    assert not mark.exists(), mark.read_text()


def test_a_work_tree_elsewhere_is_refused(repo, git, tmp_path):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key.txt").write_text("k")
    root = repo({"a.py": ""})
    git(root, "config", "core.worktree", str(secret))
    with pytest.raises(RepositoryError, match="does not lie in the work tree"):
        open_source(root)
    git(root, "config", "core.worktree", str(tmp_path))  # above: still only the folder that was asked for
    assert [entry.path for entry in open_source(root).list()[0]] == ["a.py"]
