"""History: only what is reachable, the same whether read at once or bit by bit, without commits that touch all."""

import shutil
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.repositories import commit, git, repository
from zeroin.corpus.source import open_source
from zeroin.engine import Repository
from zeroin.index import read_history as module
from zeroin.index.arrays import to_columns
from zeroin.index.history import History
from zeroin.index.read_history import read_history
from zeroin.index.store import Store
from zeroin.terms import analyse, term_id


def read(path: Path, cache: Path, rev: str | None = None, said: int = 0, **kwargs: object) -> History:
    source = open_source(path, rev)
    with Store.open(source.identity, directory=cache) as store:
        found = read_history(source, store, **kwargs)  # type: ignore[arg-type]
        assert len(store.warnings) == said
    return found


def assert_same(got: History, want: History) -> None:
    columns, wanted = to_columns(got), to_columns(want)
    assert columns.keys() == wanted.keys()
    for name, column in columns.items():
        assert column.dtype == wanted[name].dtype, name
        assert np.array_equal(column, wanted[name]), name
    assert got.complete == want.complete


def files_of(history: History, row: int) -> list[str]:
    return [history.paths[i] for i in history.file_ids[history.file_ptr[row] : history.file_ptr[row + 1]]]


def terms_of(history: History, row: int) -> dict[int, int]:
    messages = history.messages
    terms = np.repeat(messages.term_ids, np.diff(messages.pointers))
    here = messages.docs == row
    return dict(zip(terms[here].tolist(), messages.counts[here, 0].tolist(), strict=True))


def test_commits_files_and_words(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    first = commit(repo, {"a.py": "1", "ü/b c.py": "2"}, "Add parser (#12)", seconds=100)
    message = "Fix tokenExpiry\n\nThe session expiry\nexpiry again.\n\nSigned-off-by: Zork <z@x>\nChange-Id: Iabc"
    second = commit(repo, {"ü/b c.py": "3"}, message, seconds=200)
    history = read(repo, tmp_path / "cache")
    assert history.commits.tolist() == [second, first]
    assert history.times.tolist() == [200, 100]
    assert history.subjects.tolist() == ["Fix tokenExpiry", "Add parser (#12)"]
    assert [files_of(history, 0), files_of(history, 1)] == [["ü/b c.py"], ["a.py", "ü/b c.py"]]
    want = Counter(analyse("Fix tokenExpiry The session expiry expiry again."))
    assert terms_of(history, 0) == {term_id(term): n for term, n in want.items()}
    assert history.messages.lengths[:, 0].tolist() == [sum(want.values()), len(analyse("Add parser (#12)"))]
    assert terms_of(history, 1)[term_id("12")] == 1


def test_a_later_commit_cannot_leak(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    old = commit(repo, {"a.py": "1"}, "old", seconds=100)
    commit(repo, {"secret.py": "1"}, "the fix reveals", seconds=200)
    git(repo, "branch", "other")
    assert len(read(repo, tmp_path / "cache")) == 2  # the cache now knows the later one
    history = read(repo, tmp_path / "cache", rev=old)
    assert history.commits.tolist() == [old]
    assert history.paths.tolist() == ["a.py"]
    assert term_id("reveal") not in history.messages.term_ids.tolist()
    # Replacing the old commit's parent by the later one must not smuggle it in either.
    graft = git(repo, "commit-tree", f"{old}^{{tree}}", "-p", "other", "-m", "old")
    git(repo, "replace", old, graft)
    assert read(repo, tmp_path / "cache2", rev=old).commits.tolist() == [old]


def test_a_subtree_has_its_own_history(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    commit(repo, {"lib/x.py": "1", "top.py": "1"}, "both", seconds=100)
    commit(repo, {"top.py": "2"}, "top only", seconds=110)
    commit(repo, {"lib/x.py": "2", "libx/y.py": "1"}, "near", seconds=120)
    history = read(repo / "lib", tmp_path / "cache")
    assert history.subjects.tolist() == ["near", "both"]
    assert history.paths.tolist() == ["x.py"]
    assert len(read(repo, tmp_path / "cache")) == 3


def test_sweeping_commits_keep_their_words_only(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    commit(repo, {f"f{i}": "" for i in range(module.MAX_FILES + 1)}, "reformat everything", seconds=100)
    commit(repo, {f"g{i}": "" for i in range(module.MAX_FILES)}, "large", seconds=110)
    history = read(repo, tmp_path / "cache")
    assert [len(files_of(history, row)) for row in (0, 1)] == [module.MAX_FILES, 0]
    assert term_id("reformat") in terms_of(history, 1)


def test_hostile_messages_and_paths(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    forged = "\x01" + "f" * 40
    commit(repo, {forged: "x", "new\nline": "y", "\nfirst": "z"}, f"{forged}\n\n\x01{'0' * 40}\n\x1b[31m", seconds=1)
    history = read(repo, tmp_path / "cache")
    assert len(history) == 1
    assert files_of(history, 0) == sorted([forged, "new\nline", "\nfirst"])


def test_names_and_messages_that_are_not_utf8(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    blob = git(repo, "hash-object", "-w", "--stdin", data="x")
    tree = git(repo, "mktree", "-z", data=f"100644 blob {blob}\t".encode() + b"caf\xe9.py\0")
    tip = git(repo, "-c", "i18n.commitEncoding=latin-1", "commit-tree", tree, data="Gr\xfc\xdfe".encode("latin-1"))
    git(repo, "update-ref", "refs/heads/main", tip)
    history = read(repo, tmp_path / "cache", rev="main")
    assert history.subjects.tolist() == ["Grüße"]
    assert history.paths.tolist() == [b"caf\xe9.py".decode("utf-8", "surrogateescape")]
    assert_same(read(repo, tmp_path / "cache", rev="main"), history)


def test_a_users_configuration_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = repository(tmp_path / "r")
    commit(repo, {"a": "1\n2\n3\n4\n"}, "base", seconds=1)
    git(repo, "mv", "a", "b")
    commit(repo, {}, "move", seconds=2)
    want = read(repo, tmp_path / "cache")
    assert files_of(want, 0) == ["a", "b"]
    (tmp_path / "config").write_text(
        "[log]\nshowRoot = false\nfollow = true\nshowSignature = true\ndecorate = full\n[diff]\nrenames = copies\n"
        "noprefix = true\n[color]\nui = always\n[format]\npretty = raw\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "config"))
    assert_same(read(repo, tmp_path / "cache2"), want)


def test_shallow_clones(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    for i in range(6):
        commit(repo, {"a": str(i), f"f{i}": ""}, f"number {i}", seconds=100 + i)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "3", f"file://{repo}", str(clone))
    shallow = read(clone, tmp_path / "cache")
    assert shallow.subjects.tolist() == ["number 5", "number 4", "number 3"]
    # Where it was cut, all files seem new.
    assert [len(files_of(shallow, row)) for row in range(3)] == [2, 2, 0]
    git(clone, "fetch", "-q", "--unshallow")
    assert_same(read(clone, tmp_path / "cache"), read(repo, tmp_path / "other"))


def test_the_limit_takes_the_newest_and_is_kept_when_commits_come(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    for i in range(8):
        commit(repo, {f"f{i}": ""}, f"number {i}", seconds=100 + i)
    assert read(repo, tmp_path / "c", limit=3).subjects.tolist() == ["number 7", "number 6", "number 5"]
    commit(repo, {"g": ""}, "number 8", seconds=200)
    assert_same(read(repo, tmp_path / "c", limit=3), read(repo, tmp_path / "fresh", limit=3))
    assert_same(read(repo, tmp_path / "c", limit=5), read(repo, tmp_path / "fresh", limit=5))


def test_a_warm_read_starts_no_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = repository(tmp_path / "r", {"a": "1"})
    want = read(repo, tmp_path / "cache")
    monkeypatch.setattr(module, "_ids", None)
    assert_same(read(repo, tmp_path / "cache"), want)


@pytest.mark.parametrize("damage", ["cut", "flip", "foreign"])
def test_a_damaged_file_is_read_anew(tmp_path: Path, damage: str) -> None:
    repo = repository(tmp_path / "r", {"a": "1"})
    want = read(repo, tmp_path / "cache")
    (file,) = (tmp_path / "cache").rglob("history-*")
    data = file.read_bytes()
    middle = len(data) // 2
    broken = {
        "cut": data[:middle],
        "flip": data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :],
        "foreign": b"SQLite format 3",
    }
    file.write_bytes(broken[damage])
    assert_same(read(repo, tmp_path / "cache", said=1), want)
    assert_same(read(repo, tmp_path / "cache"), want)


def test_a_deadline_gives_the_newest_and_the_next_run_the_rest(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    for i in range(5):
        commit(repo, {f"f{i}": ""}, f"number {i}", seconds=100 + i)
    late = read(repo, tmp_path / "cache", deadline=time.monotonic() - 1)
    assert not late.complete
    assert len(late) == 0
    assert_same(read(repo, tmp_path / "cache"), read(repo, tmp_path / "fresh"))


def test_a_broken_repository_is_a_warning(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    first = commit(repo, {"a": "1"}, "one", seconds=1)
    commit(repo, {"a": "2"}, "two", seconds=2)
    source = open_source(repo)
    (repo / ".git" / "objects" / first[:2] / first[2:]).unlink()
    with Store.open(source.identity, directory=tmp_path / "cache") as store:
        history = read_history(source, store)
        assert not history.complete
        assert len(store.warnings) == 1


UNRELATED = ("--allow-unrelated-histories",)  # an amended root
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["commit", "branch", "merge", "amend", "back"]),
        st.integers(0, 5),
        st.integers(0, 400),
        st.sampled_from(["fix the parser", "add cache", "fix fix cache\n\nbody of parser", ""]),
        st.booleans(),
    ),
    min_size=1,
    max_size=12,
)


@settings(max_examples=16, deadline=None, phases=[Phase.reuse, Phase.generate], suppress_health_check=list(HealthCheck))
@given(STEPS, st.sampled_from([3, 1000]))
def test_incremental_equals_fresh(steps: list[tuple[str, int, int, str, bool]], limit: int) -> None:
    """Random graphs with merges, clock skew, rewritten and abandoned tips, read now and then."""
    where = Path(tempfile.mkdtemp())
    try:
        repo = repository(where / "r", {"base": "0"})
        source = open_source(repo)
        for number, (kind, file, skew, message, look) in enumerate(steps):
            tips = git(repo, "for-each-ref", "--format=%(refname:short)", "refs/heads").split()
            seconds = 1_700_000_000 + skew
            if kind == "merge":
                options = ("-q", "-s", "ours", "--no-ff", *UNRELATED, "-m", "m")
                git(repo, "merge", *options, tips[file % len(tips)], seconds=seconds)
            elif kind == "branch":
                git(repo, "checkout", "-q", "-b", f"b{number}", f"{tips[file % len(tips)]}")
            elif kind == "back":
                git(repo, "checkout", "-q", tips[file % len(tips)])
            elif kind == "amend":
                (repo / "d").mkdir(exist_ok=True)
                (repo / "d" / f"{file}").write_text(str(number))
                git(repo, "add", "-A")
                git(repo, "commit", "-q", "--amend", "--allow-empty", "-m", message or "x", seconds=seconds)
            else:
                commit(repo, {f"{'d/' * (file % 2)}{file}.py": str(number)}, message or "x", seconds=seconds)
            if look:
                read(repo, where / "cache", limit=limit)
                if (repo / "d").is_dir():
                    read(repo / "d", where / "cache", limit=limit)
        shutil.rmtree(where / "fresh", ignore_errors=True)
        assert_same(read(repo, where / "cache", limit=limit), read(repo, where / "fresh", limit=limit))
        want = git(repo, "rev-list", "--no-merges", f"--max-count={limit}", "HEAD").split()
        assert sorted(read(repo, where / "cache", limit=limit).commits) == sorted(want)
        assert source.identity == open_source(repo).identity
        if (repo / "d").is_dir():
            assert_same(read(repo / "d", where / "cache", limit=limit), read(repo / "d", where / "f2", limit=limit))
    finally:
        shutil.rmtree(where, ignore_errors=True)


def test_an_order_of_files_that_git_does_not_find_costs_no_history(tmp_path: Path) -> None:
    """The order is named from the top of the work tree, and history is read without one."""
    root = repository(tmp_path / "r", {"a.py": "a = 1\n", "scripts/order": "*.h\n"})
    git(root, "config", "diff.orderFile", "scripts/order")
    assert len(read(root, tmp_path / "c")) == 1


FILES = [f"src/part{number}.py" for number in range(40)]


def touch(folder: Path, message: str, *paths: str) -> None:
    commit(folder, dict.fromkeys(paths, f"# {message}\n"), message)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    repo = repository(tmp_path / "repo")
    touch(repo, "Import everything", *FILES)
    touch(repo, "Throttle requests", "src/part1.py", "src/part2.py")
    return repo


def touched(repo: Path) -> dict[str, int]:
    history = Repository.open(repo).opened.view.history
    assert history is not None
    return {history.subjects[c]: len(history.files_of(c)) for c in range(len(history))}


def test_an_import_says_nothing_of_its_files(folder: Path) -> None:
    assert touched(folder) == {"Throttle requests": 2, "Import everything": 0}


def test_a_change_of_a_small_tree_counts(folder: Path) -> None:
    touch(folder, "Name the parts", *FILES[:20])  # half of them
    touch(folder, "Number the parts", *FILES[:21])
    assert touched(folder)["Name the parts"] == 20 and touched(folder)["Number the parts"] == 0


def test_what_counts_is_the_tree_that_is_asked_about(folder: Path) -> None:
    touch(folder, "Write about it", *(f"docs/page{number}.md" for number in range(16)))
    assert touched(folder)["Write about it"] == 16
    assert touched(folder / "docs")["Write about it"] == 0


def test_merges_are_left_out_and_their_branches_read(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    commit(repo, {"a": "1"}, "base", seconds=100)
    git(repo, "checkout", "-q", "-b", "side")
    commit(repo, {"b": "1"}, "side work", seconds=110)
    git(repo, "checkout", "-q", "main")
    commit(repo, {"c": "1"}, "main work", seconds=120)
    git(repo, "merge", "-q", "--no-ff", "-m", "Merge pull request #1", "side", seconds=130)
    assert read(repo, tmp_path / "cache").subjects.tolist() == ["main work", "side work", "base"]
