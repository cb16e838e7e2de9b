"""Recall of lines and functions, with the arithmetic written out."""

import json
from pathlib import Path

import pytest

pytest.importorskip("ir_measures", reason="pip install 'zeroin[bench]'")

from benchmarks import granularity
from benchmarks.granularity import cut, gold_of, half_of, measured, recall, sample, windows
from tests.repositories import commit, repository
from training.mined import Mined
from zeroin.tree import Definition

DEFINITIONS = (Definition("A", "class", 1, 20), Definition("f", "method", 3, 8, "A"))


SOURCE = '''class TokenCheck:
    """Access tokens expire after an hour."""

    def is_expired(self, token):
        return self.now() > token.expires_at
'''


def mined(name: str, repo: str = "o/r") -> Mined:
    return Mined(name, repo, "c", "p", "python", "text", ("a.py",), (), (), {"a.py": ((1, 2),)})


def test_gold_is_the_innermost_definition_around_each_line() -> None:
    gold = gold_of([(5, 6), (10, 10), (25, 99)], DEFINITIONS, 30)
    assert gold.lines == {5, 6, 10, *range(25, 31)}  # cut at the end of the file
    assert gold.functions == {(3, 8), (1, 20)}


def test_recall_counts_lines_shown_and_functions_touched() -> None:
    gold = gold_of([(5, 6), (15, 16)], DEFINITIONS, 30)
    assert recall([(6, 7)], gold) == [0.25, 1.0, 2.0]  # line 6 of 5, 6, 15, 16; lines 6–7 lie in f and in A
    assert recall([(21, 30)], gold) == [0.0, 0.0, 10.0]
    assert recall([], gold_of([(25, 25)], DEFINITIONS, 30)) == [0.0, None, 0.0]


def test_a_budget_cuts_the_last_span() -> None:
    assert cut([(5, 9), (20, 29), (40, 41)], 8) == [(5, 9), (20, 22)]
    assert cut([(5, 9)], 0) == []


def test_others_show_as_many_lines_as_ours() -> None:
    found = measured([(3, 6), (9, 9)], {"head": [(1, 30)]}, gold_of([(4, 4)], DEFINITIONS, 30))
    assert found["zeroin"]["top 1"] == [1.0, 1.0, 4.0]
    assert found["head"]["top 1"] == [1.0, 1.0, 4.0]  # lines 1–4
    assert found["head"]["all"][2] == 5.0


def test_windows_hold_every_line_once_and_the_rare_term_first() -> None:
    lines = ["common word"] * 60
    lines[50] = "common needle"
    found = windows(frozenset({"common", "needl"}), lines)
    assert sorted(n for a, b in found for n in range(a, b + 1)) == list(range(1, 61))
    assert found[0][0] <= 51 <= found[0][1]


def test_a_sample_is_of_so_many_repositories_and_tasks_of_each() -> None:
    tasks = [mined(f"t{n}", "o/large") for n in range(9)] + [mined("s", "o/small")]
    assert {t.repo for t in sample(tasks, 2, 1)} == {"o/large", "o/small"}
    assert len(sample(tasks, 2, 4)) == 5
    assert len({t.repo for t in sample(tasks, 1, 4)}) == 1
    assert half_of("o/large") in ("tune", "report")


def test_a_change_is_measured_at_its_parent(tmp_path: Path) -> None:
    coupons = "def apply_coupon(total, rate):\n    return total * (1 - rate)\n"
    work = repository(tmp_path / "repos" / "o+r" / "work")
    parent = commit(work, {"tokens.py": SOURCE, "coupons.py": coupons}, "Tokens expire")
    row = {
        **mined("o/r@1").row(),
        "commit": parent,
        "task": "Access tokens are accepted after they expire",
        "gold": ["tokens.py"],
        "lines": {"tokens.py": [[5, 5]]},
    }
    (tmp_path / "tasks.jsonl").write_text(json.dumps(row) + "\n")
    out = tmp_path / "out.json"
    folders = ["--tasks", str(tmp_path / "tasks.jsonl"), "--repos", str(tmp_path / "repos")]
    granularity.main([*folders, "--answers", "--out", str(out)])
    result = json.loads(out.read_text())
    assert result["code"]["zeroin"]["all"]["line"][0] == 1.0
    assert result["answers"]["listed"][0] == 1.0
    [measured_row] = result["rows"]
    assert measured_row["found"]["zeroin"]["top 1"][1] == 1.0
