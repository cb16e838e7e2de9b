"""Lines that hold a word: the same as by looking at every line."""

from hypothesis import given
from hypothesis import strategies as st

from zeroin.patterns import lines_with


@given(st.text("ab\n\r", max_size=30), st.lists(st.text("ab", max_size=2), min_size=1, max_size=3))
def test_the_lines_that_hold_a_word(text: str, words: list[str]) -> None:
    rows = enumerate(text.split("\n"), start=1)
    assert list(lines_with(text, *words)) == [(n, row) for n, row in rows if any(w in row for w in words)]
