"""The totals of the table of worlds."""

from benchmarks.worlds import Place, Row, table, totals


def test_totals_add_up() -> None:
    found = Place("a.py", 0.8, "files", 1), Place("b.py", 0.5, "supporting", 2), Place("c.py", 0.1)
    decoys = (Place("d.py", 0.6, "supporting", 1), Place("e.py", 0.3))
    rows = [
        Row("x", "real", "go", True, found, decoys, {"m": True}, 2, "enough", True, {"files": 3}),
        Row("y", "real", "go", True, found[:2], (), {"n": False}, 3, "no_gain", True, {"files": 4}),
    ]
    assert totals(rows) == {
        "worlds": 2,
        "complete": 1,
        "expected": 5,
        "places": {"files": 2, "supporting": 2, "tests": 0, "documents": 0},
        "listed": 4,
        "listed_since_first_cycle": 2,
        "decoys": 2,
        "decoys_listed": 1,
        "terms": 2,
        "terms_learned": 1,
        "sufficient": 2,
        "sufficient_but_incomplete": 1,
        "cycles": 2.5,
        "files_listed": 3.5,
    }
    assert "d.py 0.60 supporting@1" in table(rows)  # a listed decoy before one that is not
