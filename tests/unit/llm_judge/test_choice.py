"""Which files are asked about, and in which requests."""

import pytest

from zeroin.llm_judge.choice import BATCH, REPLY_TOKENS, batches, controls, gain, worth_asking
from zeroin.llm_judge.prompt import Part
from zeroin.types import Judgment

FRAME = 500
POOL = [Judgment(f"f{n:02}.py", relevance=0.8 / (n + 1)) for n in range(60)]


def parts(count: int, name: str = "f") -> list[Part]:
    return [Part(f"{name}{n:02}.py", "x = 1\n" * 60, frozenset({1})) for n in range(count)]


def test_a_file_that_is_sure_is_not_worth_a_grade() -> None:
    assert gain(0.5) == pytest.approx(0.25 * (1 - 0.09 / 0.25))
    assert gain(0.0) == gain(1.0) == pytest.approx(0.0)
    assert worth_asking([Judgment("a", 0.999), Judgment("b", 0.001)], (), 12_000) == []
    asked = worth_asking([Judgment("sure", 0.9995), *POOL], (), 12_000)
    assert "sure" not in [j.path for j in asked]
    assert [gain(j.relevance) for j in asked] == sorted((gain(j.relevance) for j in asked), reverse=True)


@pytest.mark.parametrize("tokens", [1_000, 3_000, 6_000, 12_000, 24_000])
def test_requests_hold_what_the_budget_allows(tokens: int) -> None:
    packed = batches(parts(60), parts(4, "spare"), FRAME, tokens, 4)
    taken = sum(FRAME + sum(part.tokens + REPLY_TOKENS for part in batch) for batch in packed)
    assert taken <= tokens
    assert all(len(batch) <= BATCH for batch in packed)
    shown = [part.path for batch in packed for part in batch]
    assert len(set(shown)) == len(shown)
    best = {path for path in shown if path.startswith("f")}
    assert best == {part.path for part in parts(len(best))}, "the most worth first"


def test_what_is_surely_not_useful_is_shown_first_in_every_request() -> None:
    packed = batches(parts(60), parts(4, "spare"), FRAME, 40_000, 4)
    assert len(packed) == 2
    for batch in packed:
        names = [part.path for part in batch]
        assert [name.startswith("spare") for name in names[:3]] == [True, True, False]
        assert names[2:] != sorted(names[2:]), "no order of relevance"


def test_controls_are_read_ungraded_and_surely_not_useful() -> None:
    pool = [*POOL[:20], *(Judgment(f"g{n}.py", 0.001, read=n % 2 == 0) for n in range(40))]
    chosen = controls(pool, pool[:20], {"g0.py"})
    assert len(chosen) == 4
    assert all(j.read and j.relevance <= 0.02 and j.path != "g0.py" for j in chosen)
    assert controls(pool, pool[:3], ()) == []
