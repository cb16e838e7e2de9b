"""Several repositories in one question, and submodules, by the real process."""

import json
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from test_cli_runs import again

from tests.cli.conftest import Run, answered, refused
from tests.repositories import git, repository
from zeroin.workspace.members import members_of, read_workspace

TASK = "Access tokens are accepted although they have expired"
CHECKER = {
    "pyproject.toml": "[project]\nname = 'tokens'\n",
    "tokens/expiry.py": '"""Expiry of access tokens."""\n\n\n'
    "def is_expired(token, now):\n    return token.expires_at < now\n",
    "tokens/__init__.py": "from tokens.expiry import is_expired\n",
}
USER = {
    "pyproject.toml": "[project]\nname = 'shop'\n",
    "shop/signin.py": '"""Sign-in: access tokens are accepted until they have expired."""\n\n'
    "from tokens.expiry import is_expired\n\n\n"
    "def accept(token, now):\n    return not is_expired(token, now)\n",
    "shop/coupon.py": "def apply_coupon(total, rate):\n    return total * (1 - rate)\n",
}
MAIL = {
    "mail/send.py": "def deliver(letter, stamp):\n    return stamp.glue(letter)\n",
    "mail/post.py": "def collect(box):\n    return box.letters\n",
}


def made(folder: Path, files: dict[str, str]) -> Path:
    return repository(folder, files, f"All of {folder.name}")


@pytest.fixture
def places(tmp_path: Path) -> list[Path]:
    """Three repositories: one defines what the second one imports, the third has nothing to do with it."""
    return [made(tmp_path / name, files) for name, files in (("lib", CHECKER), ("shop", USER), ("mail", MAIL))]


def asked(run: Run, *args: object) -> dict[str, Any]:
    return answered(run(TASK, *args, "-f", "json", "--always-loop"))


def listed(answer: dict[str, Any]) -> set[str]:
    return {row["path"] for section in ("files", "supporting", "tests", "documents") for row in answer[section]}


def test_one_answer_over_all_of_them(zeroin: Run, places: list[Path]) -> None:
    answer = asked(zeroin, *places)
    assert {"lib:tokens/expiry.py", "shop:shop/signin.py"} <= listed(answer)
    assert all(path.partition(":")[0] in ("lib", "shop") for path in listed(answer))
    members = {row["name"]: row for row in answer["repositories"]}
    assert members.keys() == {"lib", "shop", "mail"}
    assert members["mail"]["share"] < 0.1 < min(members["lib"]["share"], members["shop"]["share"])
    assert sum(row["share"] for row in members.values()) == pytest.approx(1, abs=0.01)
    assert "/signin.py" not in json.dumps(answer).replace("shop:shop/signin.py", "").replace(str(places[1]), "")
    text = zeroin(TASK, *places, "--always-loop").stdout.decode()
    assert "shop:shop/signin.py" in text and "3 of 3 repositories searched, likely about:" in " ".join(text.split())
    for form in ("markdown", "xml", "jsonl", "paths"):
        shown = zeroin(TASK, *places, "--always-loop", "-f", form).stdout.decode()
        assert "lib:tokens/expiry.py" in shown, form
        assert "return token.expires_at" in shown or form == "paths"


def test_what_one_imports_and_another_defines(zeroin: Run, places: list[Path]) -> None:
    answer = asked(zeroin, *places, "--exclude", "lib:tokens/expiry.py")
    assert "lib:tokens/expiry.py" not in listed(answer)
    answer = answered(zeroin("the sign-in of the shop", *places, "-f", "json", "--always-loop"))
    named = json.dumps([answer["gaps"], answer["files"], answer["supporting"]])
    assert "lib:tokens/expiry.py" in named or "lib:tokens/__init__.py" in named


def test_a_workspace_file_names_revisions_and_globs(zeroin: Run, places: list[Path], tmp_path: Path) -> None:
    lib = places[0]
    git(lib, "tag", "v1")
    (lib / "tokens/expiry.py").unlink()
    file = tmp_path / "team.toml"
    file.write_text(
        '[[repository]]\npath = "lib"\nname = "checks"\nrev = "v1"\n\n'
        '[[repository]]\npath = "shop"\nexclude = ["shop/coupon.py"]\n\n'
        '[[repository]]\npath = "gone"\nexclude = ["docs/**"]\n'
    )
    answer = asked(zeroin, "--workspace", file)
    assert "checks:tokens/expiry.py" in listed(answer)
    assert [row["revision"]["rev"] for row in answer["repositories"] if row["name"] == "checks"] == ["v1"]
    assert [w for w in answer["warnings"] if w.startswith("gone was not searched: ")]
    coupons = zeroin("apply a coupon to the total", "--workspace", file, "-f", "paths")
    assert "coupon.py" not in coupons.stdout.decode()
    with file.open("a") as more:
        more.write('include = ["src/**"]\n')
    (warning,) = asked(zeroin, "--workspace", file)["warnings"]  # none about a glob that nobody wrote
    assert warning.startswith("gone was not searched: ")
    assert not listed(asked(zeroin, "--workspace", file, "-i", "gone:src/**"))


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "missing required field `repository`"),
        ("repository = 3", "Expected `array`"),
        ("repository = []", "a workspace needs a repository"),
        ("[[repository]]\npath = 'lib'\nbranch = 'main'\n", "unknown field `branch`"),
        ("[[repository]]\npath = 'lib'\nname = 'a/b'\n", "'a/b' has other characters"),
        ("[[repository]]\npath = 'lib'\nname = 'a'\n" * 2, "two repositories have the name 'a'"),
        ("[[repository]]\npath = \"a\\u0000b\"\nname = 'x'\n", "team.toml: the path of x holds a zero byte: 'a\\x00b'"),
        ("[[", "is no workspace file"),
        ("[[repository]]\npath = 'nowhere'\n", "nowhere does not exist"),
    ],
)
def test_a_wrong_workspace_file_is_one_line(
    zeroin: Run, places: list[Path], tmp_path: Path, text: str, error: str
) -> None:
    file = tmp_path / "team.toml"
    file.write_text(text)
    assert error in refused(zeroin(TASK, "--workspace", file))


def test_wrong_calls_show_the_right_one(zeroin: Run, places: list[Path], tmp_path: Path) -> None:
    lib, shop, _ = places
    file = tmp_path / "team.toml"
    for args, error in (
        ((TASK, lib, shop, "--rev", "HEAD"), "a revision or change is one repository's"),
        ((TASK, lib, shop, "--diff"), "--diff is a change of one repository"),
        ((lib, shop, "--diff=HEAD"), "--diff is a change of one repository"),
        ((TASK, lib, tmp_path / "shopp"), "did you mean"),
        ((TASK, "--workspace", file), "cannot read"),
        ((TASK, lib, "--workspace", file), "give no PATH"),
    ):
        assert error in refused(zeroin(*args))


@pytest.mark.skipif(find_spec("ray") is not None, reason="the extra is installed")
def test_the_fleet_is_an_extra(zeroin: Run, places: list[Path], tmp_path: Path) -> None:
    (tmp_path / "ray.py").write_text("raise SystemExit('a stranger')")  # the working directory's
    (tmp_path / "team.toml").write_text("[[repository]]\npath = 'lib'\n")
    done = zeroin("fleet", "ask", TASK, "team.toml", fresh=True)
    assert "pip install 'zeroin[fleet]'" in refused(done)


def test_a_run_goes_on(zeroin: Run, places: list[Path]) -> None:
    first = asked(zeroin, *places)
    assert first["run"].startswith("r-")
    shown = again(zeroin, "show", first["run"], fresh=True)
    assert shown["files"] == first["files"] and shown["repositories"] == first["repositories"]
    refined = again(
        zeroin,
        "refine",
        first["run"],
        "--relevant",
        "shop:shop/coupon.py",
        "--irrelevant",
        places[0] / "tokens/expiry.py",
    )
    assert refined["ranking"][0]["path"] == "shop:shop/coupon.py"
    assert "lib:tokens/expiry.py" not in listed(refined)
    done = zeroin("refine", first["run"], "--relevant", "shop:shop/none.py")
    assert "shop:shop/none.py is no file" in refused(done)


def test_batch_takes_lists(zeroin: Run, places: list[Path], tmp_path: Path) -> None:
    tasks, out = tmp_path / "tasks.jsonl", tmp_path / "out.jsonl"
    rows = [
        {"id": "all", "task": TASK, "repo": [str(place) for place in places]},
        {"id": "diff", "diff": "HEAD", "repo": [str(place) for place in places]},
    ]
    tasks.write_text("\n".join(map(json.dumps, rows)))
    assert zeroin("batch", tasks, "--out", out).returncode == 0
    by_id = {row["id"]: row for row in map(json.loads, out.read_text().splitlines())}
    assert {row["path"] for row in by_id["all"]["ranking"]} >= {"lib:tokens/expiry.py", "shop:shop/signin.py"}
    assert by_id["diff"]["error"] == "line 2: a diff is a change of one repository"


def with_submodule(places: list[Path]) -> Path:
    lib, shop, _ = places
    git(shop, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(lib), "vendor/lib")
    git(shop, "commit", "-q", "-m", "Take the library in")
    return shop


def test_submodules_belong_to_their_repository(zeroin: Run, places: list[Path]) -> None:
    shop = with_submodule(places)
    answer = asked(zeroin, shop)
    assert {"shop/signin.py", "vendor/lib/tokens/expiry.py"} <= listed(answer)
    assert "repositories" not in answer
    without = asked(zeroin, shop, "--no-submodules")
    assert "vendor/lib" not in json.dumps([without["files"], without["ranking"]])
    assert without["skipped"]["reasons"] == {"submodule": 1}
    both = asked(zeroin, shop, places[2])
    assert "shop:vendor/lib/tokens/expiry.py" in listed(both)
    (shop / "vendor/lib/tokens/expiry.py").write_text("def is_expired(token, now):\n    return token.is_over_now\n")
    assert "token.is_over_now" in zeroin(TASK, shop, "--always-loop", "-f", "markdown").stdout.decode()


@pytest.mark.parametrize("way", ["not checked out", "git directory elsewhere", "link", "revision"])
def test_what_is_no_submodule_of_this_tree_is_left_out(
    zeroin: Run, places: list[Path], tmp_path: Path, way: str
) -> None:
    shop = with_submodule(places)
    folder = shop / "vendor/lib"
    if way == "not checked out":
        git(shop, "submodule", "--quiet", "deinit", "-f", "vendor/lib")
    elif way == "git directory elsewhere":
        (folder / ".git").write_text(f"gitdir: {places[0] / '.git'}\n")
    elif way == "link":
        folder.rename(tmp_path / "moved")
        folder.symlink_to(tmp_path / "moved")
    answer = asked(zeroin, shop, *(("--rev", "HEAD") if way == "revision" else ()))
    assert "vendor/lib/tokens" not in json.dumps(answer)
    assert "All of lib" not in json.dumps(answer)


def test_a_file_lists_a_repository_once_however_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    rows = (f'[[repository]]\npath = "{place}"\n' for place in ("one", "./one", f"../{tmp_path.name}/one"))
    (tmp_path / "team.toml").write_text("".join(rows))
    members = read_workspace(str(tmp_path / "team.toml"))
    assert [member.name for member in members] == ["one"] and members_of(members) == members


def test_the_answer_is_the_same_twice_and_after_an_edit_in_one(zeroin: Run, places: list[Path]) -> None:
    first, second = asked(zeroin, *places), asked(zeroin, *places)
    assert first["run"] == second["run"] and first["files"] == second["files"]
    (places[0] / "tokens/expiry.py").write_text("def is_over(token, now):\n    return False\n")
    subprocess.run(["git", "-C", places[0], "status"], check=True, capture_output=True)
    edited = asked(zeroin, *places)
    assert edited["run"] != first["run"]
    assert [row["revision"]["dirty"] for row in edited["repositories"] if row["name"] == "lib"] == [True]


def test_what_a_time_limit_left_out_is_there_in_the_next_answer(
    zeroin: Run, places: list[Path], tmp_path: Path
) -> None:
    for place in places:
        made_large = {f"part{n}/m{n}.py": f"def step_{n}(token):\n    return token + {n}\n" * 40 for n in range(60)}
        for path, text in made_large.items():
            (place / path).parent.mkdir(exist_ok=True)
            (place / path).write_text(text)
    zeroin(TASK, *places, "--timeout-s", "0.05", "--jobs", "1")
    later = asked(zeroin, *places)
    fresh = answered(zeroin(TASK, *places, "-f", "json", "--always-loop", ZEROIN_CACHE_DIR=str(tmp_path / "other")))
    assert later["files"] == fresh["files"] and later["ranking"] == fresh["ranking"]


def test_empty_repositories_have_no_files(zeroin: Run, places: list[Path], tmp_path: Path) -> None:
    empty = [tmp_path / "empty", tmp_path / "unborn"]
    for folder in empty:
        folder.mkdir()
    git(empty[1], "init", "-q", ".")
    assert "lib:tokens/expiry.py" in listed(asked(zeroin, places[0], *empty))
    done = zeroin(TASK, *empty)
    assert done.returncode == 1 and b"Traceback" not in done.stderr


def test_a_named_repository_is_searched_however_unlikely(zeroin: Run, places: list[Path], tmp_path: Path) -> None:
    more = [made(tmp_path / f"token{n}", {"a.py": f"def expired_access_token_{n}(): pass\n"}) for n in range(4)]
    answer = asked(zeroin, *places, *more)
    assert [row["searched"] for row in answer["repositories"] if row["name"] == "mail"] == [False]
    only = asked(zeroin, *places, *more, "-i", "mail:**")
    assert [row["searched"] for row in only["repositories"] if row["name"] == "mail"] == [True]
    assert {row["path"] for row in only["ranking"]} <= {"mail:mail/send.py", "mail:mail/post.py"}
    refined = again(zeroin, "refine", answer["run"], "--relevant", "mail:mail/send.py")
    assert refined["ranking"][0]["path"] == "mail:mail/send.py" and not refined["stale"]
    done = zeroin(TASK, *places, "-x", "mial:**")
    assert "no repository here is called mial; there are lib, mail, shop" in refused(done)


def test_words_of_a_repository_are_not_taken_for_paths(zeroin: Run, places: list[Path], tmp_path: Path) -> None:
    source = made(tmp_path / "src", {"app.py": "def start():\n    return 1\n"})
    shop = places[1]
    (shop / "shop/signin.py").write_text(USER["shop/signin.py"] + "# expired access tokens: see src/app.py\n")
    git(shop, "commit", "-q", "-a", "-m", "Refuse expired access tokens in src/app.py")
    text = json.dumps(asked(zeroin, shop, source, "--budget", "4000"), ensure_ascii=False)
    assert "shop:shop/signin.py" in text
    assert "tokens in src:app.py" not in text and "see src:app.py" not in text


def test_clearing_one_leaves_nothing_of_it_in_what_is_kept_of_several(
    zeroin: Run, places: list[Path], environment: dict[str, str]
) -> None:
    """Neither in joined trees, nor as a run; that another work tree of it was asked about makes no difference."""
    lib, shop, mail = places
    git(lib, "worktree", "add", "-q", "--detach", str(lib.with_name("other")))
    whole = asked(zeroin, lib, shop)["run"], asked(zeroin, lib.with_name("other"), mail)["run"]
    rest = asked(zeroin, shop, mail)["run"]
    assert _holding(Path(environment["ZEROIN_CACHE_DIR"]), b"tokens/expiry.py") and all(whole)
    assert zeroin("cache", "--clear", lib).returncode == 0
    assert _holding(Path(environment["ZEROIN_CACHE_DIR"]), b"tokens/expiry.py") == []
    assert [row["id"] for row in json.loads(zeroin("show", "-f", "json").stdout)] == [rest]
    assert listed(asked(zeroin, *places)) >= {"lib:tokens/expiry.py"}


def _holding(folder: Path, words: bytes) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and words in path.read_bytes()]


def test_what_a_run_was_told_is_learned_of_each_repository(zeroin: Run, places: list[Path]) -> None:
    run = asked(zeroin, *places)["run"]
    told = ("--relevant", "shop:shop/signin.py", "--irrelevant", "mail:mail/post.py")
    refined = again(zeroin, "refine", run, *told)["run"]
    learned = zeroin("learn", "--run", refined)
    assert (learned.returncode, learned.stdout.count(b"\n")) == (0, 2), learned.stderr
    shown = [zeroin("learn", "--show", place).stdout.decode() for place in places]
    assert ["+ shop/signin.py" in shown[1], "- mail/post.py" in shown[2]] == [True, True]
    assert "nothing is learned" in shown[0]
    only = zeroin("learn", "--run", run, "-r", "lib:tokens/expiry.py")
    assert b"1 relevant, 0 not" in only.stdout
    for wrong in ("tokens/expiry.py", "mails:mail/post.py"):
        assert "write NAME:PATH" in refused(zeroin("learn", "--run", run, "-r", wrong))
    assert "is no file" in refused(zeroin("learn", "--run", run, "-r", "lib:tokens/no.py"))


def test_a_repository_whose_judged_files_are_gone_costs_itself_alone(zeroin: Run, places: list[Path]) -> None:
    run = asked(zeroin, *places)["run"]
    run = again(zeroin, "refine", run, "--relevant", "shop:shop/signin.py", "--irrelevant", "mail:mail/post.py")["run"]
    (places[1] / "shop/signin.py").unlink()
    done = zeroin("learn", "--run", run, "-f", "json")
    assert done.returncode == 0
    assert done.stderr.decode() == "warning: nothing is learned of shop: shop/signin.py is gone\n"
    (learned,) = json.loads(done.stdout)["learned"]
    (lesson,) = learned["lessons"]
    assert (lesson["relevant"], lesson["irrelevant"]) == ([], [{"path": "mail/post.py"}])
    (places[2] / "mail/post.py").unlink()
    assert "shop/signin.py is gone" in refused(zeroin("learn", "--run", run))


def test_a_file_of_a_submodule_is_learned_where_it_is_searched(zeroin: Run, places: list[Path]) -> None:
    shop, file = with_submodule(places), "vendor/lib/tokens/expiry.py"
    done = zeroin("learn", "Letters arrive without a stamp", shop, "--relevant", file)
    assert done.returncode == 0, done.stderr
    answer = answered(zeroin("Letters arrive without a stamp", shop, "-f", "json", "--always-loop"))
    assert answer["files"][0]["path"] == file
    assert answer["files"][0]["reasons"][0]["kind"] == "learned"


def test_clearing_one_takes_its_submodules_with_it(zeroin: Run, places: list[Path]) -> None:
    shop = with_submodule(places)
    asked(zeroin, shop)
    asked(zeroin, places[2])
    assert zeroin("cache", "--size").stdout.count(b"\n") == 5  # both, the tree that joins them, mail, a sum
    assert zeroin("cache", "--clear", shop).returncode == 0
    left = zeroin("cache", "--size").stdout.decode().splitlines()
    assert len(left) == 2 and "mail-" in left[0]
