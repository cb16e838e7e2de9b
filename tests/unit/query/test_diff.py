"""Changes as tasks: what git and others write, and the query that comes of it."""

import subprocess
from pathlib import Path

import pytest

from tests import repositories
from tests.repositories import commit, git
from zeroin.config import Options
from zeroin.errors import InputError
from zeroin.query.diff import added_lines, hunk_headers, parse_diff
from zeroin.query.task import formulate, query_of
from zeroin.types import Task


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    files: dict[str, str | bytes] = {
        "keep.py": "def load(path):\n    return open(path)\n\n\ndef save(path):\n    pass\n",
        "old name.py": "".join(f"line {i}\n" for i in range(30)),
        "größe.txt": "eins\n",
        "gone.py": "bye\n",
        "blob.bin": bytes(range(256)),
        "crlf.txt": b"a\r\nb\r\n",
    }
    repositories.repository(tmp_path, files)
    (tmp_path / "old name.py").rename(tmp_path / "new name.py")
    (tmp_path / "gone.py").unlink()
    changed: dict[str, str | bytes] = {
        "keep.py": "def load(path, mode):\n    return open(path)\n\n\ndef save(path):\n    flush_all(path)\n",
        "new name.py": f"{files['old name.py']}more",
        "größe.txt": "zwei\n",
        "fresh.py": "class Fresh:\n    pass\n",
        "blob.bin": bytes(range(255)),
        "crlf.txt": b"a\r\nc\r\n",
    }
    message = "Open files with a mode\n\nCallers may now say how.\n\nSigned-off-by: A <a@example.org>"
    commit(tmp_path, changed, message)
    return tmp_path


PATHS = {"keep.py", "new name.py", "größe.txt", "gone.py", "fresh.py", "blob.bin", "crlf.txt"}


def test_git_diff(repository: Path) -> None:
    diff = parse_diff(git(repository, "diff", "HEAD~1"))
    files = {f.path: f for f in diff.files}
    assert set(files) == PATHS
    assert files["new name.py"].old_path == "old name.py"
    assert files["fresh.py"].old_path is None
    assert files["gone.py"].removed == "bye"
    assert files["keep.py"].spans == ((1, 1), (5, 6)) or files["keep.py"].spans == ((1, 1), (6, 6))
    assert "def load(path, mode):" in added_lines(files["keep.py"])
    assert files["crlf.txt"].added.strip() == "c"
    assert diff.message == ""


@pytest.mark.parametrize("command", [("format-patch", "--stdout", "HEAD~1"), ("show", "HEAD"), ("log", "-p", "-1")])
def test_messages(repository: Path, command: tuple[str, ...]) -> None:
    diff = parse_diff(git(repository, *command))
    assert {f.path for f in diff.files} == PATHS
    assert diff.message == "Open files with a mode\n\nCallers may now say how."


def test_a_series_of_mails_merges_the_same_file(repository: Path) -> None:
    (repository / "keep.py").write_text("def load(path, mode, size):\n    return open(path)\n")
    git(repository, "commit", "-q", "-a", "-m", "Take a size")
    diff = parse_diff(git(repository, "format-patch", "--stdout", "HEAD~2"))
    assert [f.path for f in diff.files].count("keep.py") == 1
    assert "Take a size" in diff.message and "Open files with a mode" in diff.message
    assert not any(line.startswith("-- ") for f in diff.files for line in f.removed.split("\n"))


def test_combined_diff(repository: Path) -> None:
    git(repository, "checkout", "-q", "-b", "other", "HEAD~1")
    (repository / "keep.py").write_text("def load(path, other):\n    return open(path)\n")
    git(repository, "commit", "-q", "-a", "-m", "other")
    with pytest.raises(subprocess.CalledProcessError):  # a conflict
        git(repository, "merge", "-q", "-")
    diff = parse_diff(git(repository, "diff"))
    (file,) = [f for f in diff.files if f.path == "keep.py"]
    assert "<<<<<<< HEAD" in file.added


def test_plain_unified_diff_withoutgit() -> None:
    diff = parse_diff("--- a.c\t2024-01-01\n+++ a.c\t2024-01-02\n@@ -1,2 +1,2 @@ int main(void)\n-x\n+y\n z\n")
    assert diff.files[0].path == "a.c"
    assert diff.files[0].spans == ((1, 1),)
    assert hunk_headers(diff.files[0]) == ["int main(void)"]


def test_paths_without_prefixes_keep_their_folders(tmp_path: Path) -> None:
    """As git writes them with `--no-prefix`, where folders are called like the prefixes of the two sides."""
    repo = repositories.repository(tmp_path / "r", {"c/main.c": "one\n", "a/gone.c": "two\n", "x.c": "three\n" * 9})
    git(repo, "rm", "-q", "a/gone.c")
    (repo / "a").mkdir()
    git(repo, "mv", "x.c", "a/x.c")
    commit(repo, {"c/main.c": "1\n", "b/new file.c": "4\n", "a/x.c": "three\n" * 9 + "3\n"})
    plain, bare = (git(repo, "show", "-M", "--format=", *more) for more in ((), ("--no-prefix",)))
    paths = ["a/gone.c", "a/x.c", "b/new file.c", "c/main.c"]
    for text in (plain, bare):
        assert [(f.path, f.old_path) for f in parse_diff(text).files] == [
            (path, {"a/x.c": "x.c", "b/new file.c": None}.get(path, path)) for path in paths
        ]


def test_colours_change_nothing(repository: Path) -> None:
    plain, coloured = (git(repository, "show", f"--color={when}") for when in ("never", "always"))
    assert "\x1b[" in coloured and parse_diff(coloured) == parse_diff(plain)


def test_lines_that_look_like_headers_are_content_inside_a_hunk() -> None:
    diff = parse_diff("--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- old comment\n+++ plus\n keep\n")
    (file,) = diff.files
    assert (file.path, file.removed, file.added) == ("q.sql", "-- old comment", "++ plus")


@pytest.mark.parametrize(
    "text", ["", "hello", "@@ -1 +1 @@\n+x", "--- a\n", "diff --git", "+++ b/x\n--- a/x\n", "\x00\xff" * 50]
)
def test_what_is_no_change_is_an_input_error(text: str) -> None:
    with pytest.raises(InputError):
        parse_diff(text)


def test_query_of_a_change(repository: Path) -> None:
    task = Task("", "review", parse_diff(git(repository, "show", "HEAD")))
    task, query = formulate(task, Options())
    assert task.purpose == "review"
    assert query.title == "Open files with a mode"
    assert set(query.must_read) == PATHS
    assert {p.path for p in query.paths} >= PATHS
    symbols = {s.name: s.weight for s in query.symbols}
    assert symbols["load"] > symbols["flush_all"]
    assert "Fresh" in symbols
    assert {"flush_all", "mode"} <= {k.text for k in query.keywords}


@pytest.mark.parametrize(
    ("path", "named"),
    [("docs/notes.md", {"LexParser", "run_all"}), ("notes.py", {"LexParser", "run_all", "of", "problems"})],
)
def test_a_text_defines_no_symbols(path: str, named: set[str]) -> None:
    line = "This class of problems (see below) is what `LexParser` and run_all() are for."
    diff = parse_diff(f"--- a/{path}\n+++ b/{path}\n@@ -1 +1,2 @@ # The type of a value\n+{line}\n one\n")
    found = {symbol.name for symbol in query_of(Task("", "review", diff), Options()).symbols}
    assert found == named


def test_a_change_without_words_is_still_a_task() -> None:
    diff = parse_diff("--- a/cache.py\n+++ b/cache.py\n@@ -1 +1 @@\n-1\n+2\n")
    assert query_of(Task("", "review", diff), Options()).must_read == ("cache.py",)


@pytest.mark.parametrize(
    ("path", "context", "defined"),
    [
        ("rewrite.ex", "defmodule Plug.RewriteOn do", "RewriteOn"),
        ("runner.lua", "function M.start(opts)", "start"),
        ("runner.lua", "function Runner:wait(cb)", "wait"),
        ("base.rb", "class Rack::Protection::Base", "Base"),
        ("base.rb", "def self.start", "start"),
        ("base.kt", "class Base : Other()", "Base"),
        ("base.go", "func (b *Base) Start() error {", "Start"),
    ],
)
def test_a_line_defines_the_last_part_of_a_qualified_name(path: str, context: str, defined: str) -> None:
    diff = f"--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@ {context}\n-1\n+2\n"
    symbols = query_of(Task("", "review", parse_diff(diff)), Options()).symbols
    assert {s.name for s in symbols if s.edit == "body"} == {defined}


@pytest.mark.parametrize(
    ("line", "defined"),
    [
        ("    return load(path)", set()),
        ("\tif errors.Is(err, missing) {", set()),
        ("        raise Missing(path)", set()),
        ("  } else if (isReady(state)) {", set()),
        ("    await fetchAll(state)", set()),
        ("  public int load(String path) {", {"load"}),
        ("static int uv__load(int fd,", {"uv__load"}),
        ("  async load(path) {", {"load"}),
        ("struct point {", {"point"}),
        ("\tstruct point *p = data;", set()),
        ("\tenum shape_kind kind = of(p);", set()),
        ("  return (struct point *)data;", set()),
        ("static struct point *read_point(FILE *file)", {"read_point"}),
        ("pub struct Point<T>(T);", {"Point"}),
        ("enum Shape implements Drawn {", {"Shape"}),
        ("pub(crate) fn load(path: &str) -> Text {", {"load"}),
        ("      fn event, state ->", set()),
        ("  if (type instanceof Missing) {", set()),
        ("let rec walk_tree tree acc =", {"walk_tree"}),
        ("let load_all () =", {"load_all"}),
        ("  let found_at path = 1 in", set()),
    ],
)
def test_a_statement_defines_nothing(line: str, defined: set[str]) -> None:
    diff = f"--- a/a.c\n+++ b/a.c\n@@ -1,0 +1 @@\n+{line}\n"
    symbols = query_of(Task("", "review", parse_diff(diff)), Options()).symbols
    assert {s.name for s in symbols if s.edit == "added"} == defined


@pytest.mark.parametrize(
    ("line", "edit"),
    [("  defp load(path) do", ""), ("    private int load(String path) {", ""), ("  def load(path) do", "removed")],
)
def test_no_other_file_can_miss_what_was_private(line: str, edit: str) -> None:
    diff = f"--- a/a.ex\n+++ b/a.ex\n@@ -1 +0,0 @@\n-{line}\n"
    symbols = query_of(Task("", "review", parse_diff(diff)), Options()).symbols
    assert {s.edit for s in symbols if s.name == "load"} == {edit}
