"""Recall of lines and functions, with the arithmetic written out."""

import pytest

pytest.importorskip("ir_measures", reason="pip install 'zeroin[bench]'")

from benchmarks.granularity import cut, gold_of, measured, recall, windows
from zeroin.tree import Definition

DEFINITIONS = (Definition("A", "class", 1, 20), Definition("f", "method", 3, 8, "A"))


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
