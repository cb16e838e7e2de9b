from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zeroin.context.tokens import estimate


def test_arithmetic() -> None:
    assert estimate("") == 0
    assert estimate("getUserName") == 3  # get, User, Name
    assert estimate("authentication") == 2  # seven letters a token
    assert estimate("a b") == 2  # the blank belongs to the word after it
    assert estimate("\n        x") == 2  # a line break with its indentation is one
    assert estimate("12345") == 3
    assert estimate("中") == 3  # a byte a token


def test_code_costs_at_least_a_quarter_token_a_character() -> None:
    code = "def total(items: list[Item]) -> int:\n    return sum(item.price for item in items)\n"
    assert estimate(code) >= len(code) / 4


@given(st.text(), st.text())
def test_parts_are_never_cheaper_than_the_whole(a: str, b: str) -> None:
    assert estimate(a + b) <= estimate(a) + estimate(b)


@given(st.text(alphabet="aAbZ 0\n\t(é", max_size=40), st.integers(0, 40))
def test_cutting_code_never_saves(text: str, at: int) -> None:
    assert estimate(text) <= estimate(text[:at]) + estimate(text[at:])
