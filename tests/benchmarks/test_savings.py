"""The simulated agent: what it reads for how many tokens, its orders, and the whole command on a real repository."""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest.importorskip("bm25s", reason="pip install 'zeroin[bench]'")

from benchmarks.models import VARIABLE, ModelError, folds, use_model
from benchmarks.plot import Across, Panel, decades, plot
from benchmarks.reading import (
    Piece,
    Reading,
    Tree,
    everything,
    grep,
    grep_title,
    in_order,
    lines_shown,
    names,
    read,
    read_answer,
    semble,
)
from benchmarks.savings import SYSTEMS, Case, main, mined_cases, reached, summaries
from benchmarks.tools import Semble
from tests.repositories import bare, git, repository
from zeroin.config import Options
from zeroin.context.packing.texts import lines_of
from zeroin.context.rendering.markdown import render
from zeroin.context.tokens import estimate
from zeroin.engine import Repository

BODY = "".join(f"    step_{n} = {n}\n" for n in range(60))
FILES = {
    "lib/throttle.py": f"def throttle(request):\n{BODY}    return limit(request)\n",
    "lib/session.py": f"class Session:\n    token = 1\n{BODY}",
    "lib/a|b`c.py": "def other():\n    return 'throttle'\n",
    "tests/test_throttle.py": "def test_throttle(request):\n    assert throttle(request)\n",
    "docs/throttle.md": "# throttle throttle throttle request\n",
    "lib/logo.bin": "throttle\0",
}


@pytest.fixture
def repos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of bare repositories with one, ``o/r``, that has one commit."""
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    bare(repository(tmp_path / "tree", FILES), tmp_path / "repos" / "o+r" / "repo")
    return tmp_path / "repos"


@pytest.fixture
def git_dir(repos: Path) -> Path:
    return repos / "o+r" / "repo"


@pytest.fixture
def mined(tmp_path: Path, git_dir: Path) -> Path:
    """Two mined changes, one of them at a commit that is absent."""
    head = git(git_dir, "rev-parse", "HEAD")
    common = {"repo": "o/r", "language": "python", "task": "throttle the request\n\nsession", "tests": []}
    common |= {"gold": ["lib/throttle.py"], "added": [], "lines": {"lib/throttle.py": [[1, 1], [61, 62]]}}
    rows = [
        common | {"id": "o/r@1", "change": "1", "commit": head},
        common | {"id": "o/r@2", "change": "2", "commit": "0" * 40},
    ]
    path = tmp_path / "tasks.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


# --- reading ---------------------------------------------------------------------------------------


def test_reading_stops_before_the_first_line_that_does_not_fit() -> None:
    head, row = estimate("a.py:1\n"), estimate("one two\n")
    pieces = [Piece("a.py", 1, ["one two"] * 3), Piece("b.py", 7, ["one two"])]
    exact, less, all_of_it = read(pieces, (head + 2 * row, head + 2 * row - 1, 1000))
    assert exact == Reading(head + 2 * row, {"a.py": {1, 2}})
    assert less == Reading(head + row, {"a.py": {1}})
    assert all_of_it.lines == {"a.py": {1, 2, 3}, "b.py": {7}}
    assert all_of_it.tokens == head + 3 * row + estimate("b.py:7\n") + row


def test_a_line_is_read_and_charged_once() -> None:
    pieces = [Piece("a", 1, ["x", "y"]), Piece("a", 1, ["x", "y"]), Piece("a", 2, ["y", "z"])]
    [found] = read(pieces, (1000,))
    assert found.lines == {"a": {1, 2, 3}}
    assert found.tokens == sum(map(estimate, ("a:1\n", "x\n", "y\n", "a:3\n", "z\n")))


def test_what_was_read_before_counts() -> None:
    before = Reading(10, {"a": {1}})
    assert read([Piece("a", 1, ["x"])], (10,), before) == (before,)
    assert read([Piece("b", 1, ["x"])], (10,), before) == (before,)  # nothing left of the budget
    assert before.lines == {"a": {1}}


def test_pieces_are_taken_only_as_far_as_the_budget_reaches() -> None:
    taken: list[int] = []

    def endless() -> Iterator[Piece]:
        while True:
            taken.append(1)
            yield Piece(f"f{len(taken)}", 1, ["word " * 10])

    read(endless(), (50, 100))
    assert len(taken) < 10


# --- orders ------------------------------------------------------------------------------------------


def paths(order: Callable[[Tree, str], Iterator[Piece]], git_dir: Path, task: str) -> list[str]:
    pieces = order(Tree.at(git_dir, "HEAD"), task)
    return list(dict.fromkeys(piece.path for piece in pieces))


def test_everything_is_source_then_tests_then_the_rest(git_dir: Path) -> None:
    order = paths(everything, git_dir, "throttle")
    assert order == [
        "lib/a|b`c.py",
        "lib/session.py",
        "lib/throttle.py",
        "tests/test_throttle.py",
        "docs/throttle.md",
    ]


def test_names_takes_files_that_share_a_word_with_the_task(git_dir: Path) -> None:
    assert paths(names, git_dir, "Throttling of requests") == [
        "lib/throttle.py",
        "tests/test_throttle.py",
        "docs/throttle.md",
    ]
    assert paths(names, git_dir, "unheard of") == []


def test_grep_ranks_by_distinct_words_and_reads_ten_lines_around(git_dir: Path) -> None:
    pieces = list(grep(Tree.at(git_dir, "HEAD"), "Throttle the request\n\nsession"))
    assert [(p.path, p.start, p.start + len(p.rows) - 1) for p in pieces] == [
        ("lib/throttle.py", 1, 11),  # both words on the first line
        ("lib/throttle.py", 52, 63),  # request on line 62; the file ends with a line feed
        ("lib/a|b`c.py", 1, 3),  # one word, as many matches: by path
        ("lib/session.py", 1, 11),
        ("tests/test_throttle.py", 1, 3),
        ("docs/throttle.md", 1, 2),
    ]
    assert "lib/session.py" not in paths(grep_title, git_dir, "Throttle the request\n\nsession")
    assert paths(grep, git_dir, "of the") == []


def test_the_lines_of_a_page_are_those_that_it_shows(git_dir: Path) -> None:
    session = Repository.open(git_dir, rev="HEAD", jobs=1).ask("throttle other", Options(always_loop=True))
    context = session.run()
    shown_all = tuple(replace(judgment, relevance=0.9) for judgment in context.ranking)
    page = render(replace(context, files=shown_all, supporting=()), session.read)
    shown = lines_shown(page, [judgment.path for judgment in in_order(context)])
    assert shown["lib/a|b`c.py"] == {1, 2}  # the heading escapes this name
    assert shown["lib/throttle.py"]
    for path, numbers in shown.items():
        rows = lines_of(FILES[path])
        for number in numbers:
            assert rows[number - 1] in page
    total = sum(map(len, shown.values()))
    code = page.partition("\n## Code\n")[2].partition("\n## ")[0]
    assert total == sum(row.lstrip()[:1].isdigit() for row in code.split("\n"))


def test_no_answer_costs_more_than_its_budget(git_dir: Path) -> None:
    session = Repository.open(git_dir, rev="HEAD", jobs=1).ask("throttle the request", Options())
    context = session.run()
    budgets = (250, 500, 4000)
    readings = read_answer(session, context, budgets)
    assert all(reading.tokens <= budget for reading, budget in zip(readings, budgets, strict=True))
    assert readings[-1].lines["lib/throttle.py"] == set(range(1, 63))  # what is left goes to whole files


# --- models ------------------------------------------------------------------------------------------


def test_each_repository_is_ranked_by_its_own_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "left over")
    (tmp_path / "folds.json").write_text(json.dumps({"O/r": "fold-1.bin", "o/gone": "fold-2.bin"}))
    (tmp_path / "fold-1.bin").write_bytes(b"")
    assert use_model(tmp_path, "o/R") == (tmp_path / "fold-1.bin").resolve()
    assert os.environ[VARIABLE] == str((tmp_path / "fold-1.bin").resolve())
    assert use_model(tmp_path, "o/unknown") is None
    assert VARIABLE not in os.environ
    with pytest.raises(ModelError, match=r"fold-2\.bin"):
        use_model(tmp_path, "o/gone")
    assert use_model(None, "o/r") is None
    with pytest.raises(ModelError, match=r"folds\.json"):
        use_model(tmp_path / "missing", "o/r")


@pytest.mark.parametrize("text", ["[]", '{"o/r": 1}', "{"])
def test_a_broken_mapping_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "folds.json").write_text(text)
    with pytest.raises(ModelError):
        folds(tmp_path)


# --- the whole ---------------------------------------------------------------------------------------


def test_gold_lines_are_those_that_the_change_replaces(mined: Path, repos: Path) -> None:
    skipped: Counter[str] = Counter()
    [case] = mined_cases(mined, repos, 5, skipped)
    assert skipped == {"mined: commit absent": 1}
    assert case.lines == {"lib/throttle.py": frozenset({1, 61, 62})}
    assert reached(case, Reading(9, {"lib/throttle.py": {1, 2, 61}, "x": {1}})) == [1, 2, 9]
    assert reached(Case(case.task), Reading(9, {"lib/throttle.py": {2}})) == [1, 0, 9]
    assert reached(case, Reading(9, {"lib/throttle.py": set()})) == [0, 0, 9]


def test_rates_are_ratios_of_sums_and_shares_means_over_tasks() -> None:
    def row(repo: str, files: int, found: int, tokens: int) -> dict[str, object]:
        cells = [[found, 0, tokens]] * 4
        return {
            "id": repo,
            "repo": repo,
            "group": "issues",
            "files": files,
            "lines": 0,
            "reached": dict.fromkeys(SYSTEMS, cells),
        }

    made = summaries([row("a", 1, 1, 100), row("b", 4, 1, 300)])["issues"]
    found = made["systems"]["zeroin"]["500"]
    assert found["files"]["share"] == pytest.approx((1 + 0.25) / 2)
    assert found["files"]["per_1000_tokens"] == pytest.approx(1000 * 2 / 400)
    assert found["tokens"] == 200
    assert "lines" not in found  # issues tell no lines


def test_plot_is_well_formed_and_marks_every_budget() -> None:
    across = Across((500, 2000, 8000), "tokens", "t")
    root = ElementTree.fromstring(plot([Panel("a < b", {"x & y": [0, 0.5, 1]})], across))
    texts = ["".join(node.itertext()) for node in root]
    assert {"a < b", "x & y", "500", "2k", "8k"} <= set(texts)
    assert len(root.findall("{*}circle")) == 3


def test_values_lie_between_powers_of_ten() -> None:
    axis = decades([0.4, 30])
    assert [label for _, label in axis.ticks] == ["0.1", "1", "10", "100"]
    assert axis.place(1) == pytest.approx(1 / 3)
    assert decades([10, 10]).place(10) == 0


def test_a_peer_reads_its_chunks(git_dir: Path, peer: list[str]) -> None:
    tool = Semble(Path(peer[1]), Path(peer[3]))
    pieces = list(semble(tool, Tree.at(git_dir, "HEAD"), "throttle", "HEAD"))
    assert [(piece.path, piece.start, len(piece.rows)) for piece in pieces] == [
        ("lib/a|b`c.py", 1, 2),
        ("lib/session.py", 1, 2),
        ("lib/throttle.py", 1, 2),
        ("tests/test_throttle.py", 1, 2),
    ]


def test_command(mined: Path, repos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, picture, keep = tmp_path / "results", tmp_path / "p.svg", tmp_path / "rows.jsonl"
    arguments = ["--repos", str(repos), "--mined", str(mined), "--results", str(out), "--plot", str(picture)]
    arguments += ["--keep", str(keep)]
    assert main(arguments) == 0
    assert "| **zeroin** | 100.0" in capsys.readouterr().out
    [path] = out.iterdir()
    result = json.loads(path.read_text())
    assert result["groups"]["mined"]["tasks"] == 1
    [row] = result["tasks"]
    assert row["model"] == "shipped" and row["reached"]["zeroin"][-1][:2] == [1, 3]
    assert picture.read_text().startswith("<svg")
    assert main([*arguments, "--dry"]) == 1  # never another commit's rows by accident
    assert main([*arguments, "--dry", "--resume"]) == 0
    assert len(keep.read_text().splitlines()) == 1
