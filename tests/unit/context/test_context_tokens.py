from hypothesis import example, given
from hypothesis import strategies as st

from zeroin.context.tokens import estimate, weigh


def test_arithmetic() -> None:
    assert estimate("") == 0
    assert weigh("getUserName") == 3 * 0.75 + 0.08 * 11 + 0.44  # get, User, Name; get is short
    assert weigh("authentication") == 0.75 + 14 * 0.08
    assert weigh("a b") == 2 * (0.75 + 0.08 + 0.44)  # the blank belongs to the word after it
    assert weigh("\n\t\t") == 0.72 + 0.3
    assert weigh("\n        x") == 0.72 + 0.75 + 0.08 + 0.44  # a line break with its indentation is one
    assert weigh("HTTPServer") == 0.66 + 4 * 0.24 + 0.75 + 6 * 0.08
    assert weigh("HTTP2") == 0.66 + 4 * 0.24 + 0.66 + 0.94
    assert weigh('"),') == 0.44 + 3 * 0.33
    assert weigh("中") == 1.34 and weigh("é") == 0.88 + 0.44 and weigh("🎉") == 3.3
    assert estimate("中") == 2


def test_code_costs_at_least_a_quarter_token_a_character() -> None:
    code = "def total(items: list[Item]) -> int:\n    return sum(item.price for item in items)\n"
    assert estimate(code) >= len(code) / 4


@given(st.text(), st.text())
@example("A", "Aa")
def test_parts_are_never_cheaper_than_the_whole(a: str, b: str) -> None:
    assert weigh(a + b) <= weigh(a) + weigh(b) + 1e-9
    assert estimate(a + b) <= estimate(a) + estimate(b)


@given(st.text(alphabet="aAbBZ 019\n\t(-é中\x7f", max_size=60), st.integers(0, 60))
def test_cutting_code_never_saves(text: str, at: int) -> None:
    assert weigh(text) <= weigh(text[:at]) + weigh(text[at:]) + 1e-9
