"""Plain folders, as docs/SOURCES.md describes them."""

from listing import contents, paths, reasons

from zeroin.corpus.source import open_source


def test_a_plain_folder_with_ignore_files_and_defaults(tmp_path, write):
    rules = {".gitignore": "*.log\nout/\n!keep.log\n", "src/.ignore": "c.py\n", "src/.zeroinignore": "!d.log\n"}
    empty = (
        "x.log keep.log out/y.py node_modules/m/i.js src/__pycache__/a.pyc src/b.py src/c.py src/d.log "
        "target/CACHEDIR.TAG target/z.rs env/pyvenv.cfg env/q.py"
    )
    root = write(tmp_path / "p", {"a.py": "a", **rules, **dict.fromkeys(empty.split(), "")})
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


def test_a_bare_repository_in_a_plain_folder_is_not_searched(tmp_path, git, write):
    root = write(tmp_path / "p", {"a.py": ""})
    git(root, "init", "-q", "--bare", "mirror.git")
    source = open_source(root)
    assert paths(source) == ["a.py"]
    assert reasons(source) == {"mirror.git": "version control"}


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
