"""The windows of many texts at once: the same numbers, to the last bit, as from a walk through each text alone."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from zeroin.evaluate.windows import FEW_LINES, PASSAGE_LINES, Hits, Lines, best_apart, windows_of

WEIGHTS = [0.1, 0.7, 1.3, 2.9]
PAIRS = st.dictionaries(st.integers(0, 3), st.sampled_from([0.3, 0.8, 1.0]), max_size=4)
LINES = st.dictionaries(st.integers(1, 90), st.tuples(PAIRS, st.booleans()), max_size=25)
Text = dict[int, tuple[dict[int, float], bool]]  # by line number: task terms with shares, and whether it links


@given(st.lists(LINES, min_size=1, max_size=4), st.sampled_from([FEW_LINES, PASSAGE_LINES]))
def test_windows_are_those_of_a_walk(texts: list[Text], length: int) -> None:
    rows = [(at, number, *text[number]) for at, text in enumerate(texts) for number in sorted(text)]
    lines = Lines(
        np.array([number for _, number, _, _ in rows], np.int64),
        np.array([links for *_, links in rows], np.bool_),
        np.array([at for at, *_ in rows], np.int64),
    )
    pairs = [(row, term, share) for row, (_, _, found, _) in enumerate(rows) for term, share in found.items()]
    columns = list(zip(*pairs, strict=True)) or [(), (), ()]
    hits = Hits(*(np.array(c, t) for c, t in zip(columns, (np.int64, np.int64, np.float64), strict=True)))
    windows = windows_of(lines, hits, np.array(WEIGHTS), length)
    found = list(zip(windows.score.tolist(), windows.value.tolist(), windows.first.tolist(), strict=True))
    for at, text in enumerate(texts):
        within = lines.of_text(at)
        here = [(score, value, first - within.start) for score, value, first in found[within]]
        assert here == walk(text, length)
        assert [row - within.start for row in best_apart(windows, lines, within)] == apart(text, length)


def walk(text: Text, length: int) -> list[tuple[float, float, int]]:
    """Score, value and first line of the window that ends at each line."""
    numbers = sorted(text)
    counts: dict[int, int] = {}
    counted: dict[int, float] = {}
    value, first, out = 0.0, 0, []
    for last, number in enumerate(numbers):
        for term, share in text[number][0].items():
            if not counts.get(term, 0):
                counted[term] = WEIGHTS[term] * share
                value += counted[term]
            counts[term] = counts.get(term, 0) + 1
        while numbers[first] <= number - length:
            for term in text[numbers[first]][0]:
                counts[term] -= 1
                if not counts[term]:
                    value -= counted[term]
            first += 1
        matching = sum(not text[n][1] for n in numbers[first : last + 1])
        out.append((value * (1 + 0.015 * min(matching, 10)), value, first))
    return out


def apart(text: Text, length: int) -> list[int]:
    """The last lines of the best five windows that do not overlap."""
    numbers, windows = sorted(text), walk(text, length)
    out: list[int] = []
    for last in sorted(range(len(windows)), key=lambda i: -windows[i][0]):
        if windows[last][1] <= 1e-9 or len(out) == 5:
            break
        start, end = numbers[windows[last][2]], numbers[last]
        if all(end < numbers[windows[other][2]] or numbers[other] < start for other in out):
            out.append(last)
    return out
