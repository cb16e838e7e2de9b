"""The simulated agent: what it reads for how many tokens, and the figures that are made of it."""

from collections.abc import Iterator

import pytest

pytest.importorskip("bm25s", reason="pip install 'zeroin[bench]'")

from benchmarks.plot import decades
from benchmarks.reading import Piece, Reading, read
from benchmarks.savings import SYSTEMS, summaries
from zeroin.context.tokens import estimate


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


def test_rates_are_ratios_of_sums_and_shares_means_over_tasks() -> None:
    def row(repo: str, files: int, found: int, tokens: int) -> dict[str, object]:
        cells = [[found, 0, tokens]] * 4
        common = {"id": repo, "repo": repo, "group": "issues", "lines": 0}
        return common | {"files": files, "reached": dict.fromkeys(SYSTEMS, cells)}

    made = summaries([row("a", 1, 1, 100), row("b", 4, 1, 300)])["issues"]
    found = made["systems"]["zeroin"]["500"]
    assert found["files"]["share"] == pytest.approx((1 + 0.25) / 2)
    assert found["files"]["per_1000_tokens"] == pytest.approx(1000 * 2 / 400)
    assert found["tokens"] == 200
    assert "lines" not in found  # issues tell no lines


def test_values_lie_between_powers_of_ten() -> None:
    axis = decades([0.4, 30])
    assert [label for _, label in axis.ticks] == ["0.1", "1", "10", "100"]
    assert axis.place(1) == pytest.approx(1 / 3)
    assert decades([10, 10]).place(10) == 0
