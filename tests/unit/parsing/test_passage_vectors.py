"""Files cut into passages, and their vectors."""

from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroin.models.encoder import SHIPPED, Encoder, encoder
from zeroin.parsing import passages
from zeroin.parsing.analyse import analyse
from zeroin.parsing.facts import FACTS_VERSION, Facts
from zeroin.parsing.passages import MAX_LINES, MIN_LINES, passage_lines, passage_vectors
from zeroin.terms import analyse as terms_of
from zeroin.terms import term_id


@given(st.integers(0, 3_000), st.lists(st.integers(-5, 3_100), max_size=60))
def test_passages_cover_a_file_without_gaps(lines: int, starts: list[int]) -> None:
    cuts = passage_lines(lines, starts)
    ends = [0, *(last for _, last in cuts)]
    assert [first for first, _ in cuts] == [end + 1 for end in ends[:-1]]
    assert ends[-1] == lines
    assert all(last - first < MAX_LINES + MIN_LINES for first, last in cuts)


def test_a_passage_ends_where_a_definition_begins() -> None:
    assert passage_lines(60, [1, 20, 45]) == [(1, 19), (20, 44), (45, 60)]


SOURCE = b'''
def retry(call, attempts=3):
    """Try again when the network is down."""
    for attempt in range(attempts):
        try:
            return call()
        except ConnectionError:
            backoff(attempt)
'''


def test_facts_carry_the_passages_and_survive_encoding() -> None:
    facts = analyse(SOURCE, "python")
    assert facts.passages.tolist() == [[1, 8]]
    assert facts.vectors.shape == (1, encoder().dimensions)
    again = Facts.decode(facts.encode())
    assert (again.passages == facts.passages).all()
    assert (again.vectors == facts.vectors).all()


@pytest.mark.parametrize("terms", [0, 8_191, 8_192, 30_000])  # blocks end after 8,191 ids and seven bytes
def test_facts_of_any_size_survive_encoding(terms: int) -> None:
    ids, counts = np.arange(terms, dtype=np.uint64), np.full((terms, 4), 7, np.uint16)
    facts = Facts("python", 1, 1, "text", term_ids=ids, counts=counts, names=ids)
    again = Facts.decode(facts.encode())
    assert (again.term_ids == ids).all()
    assert (again.counts == counts).all()
    assert (again.names == ids).all()


def test_another_encoder_is_another_version_of_facts() -> None:
    """Facts hold vectors: those of another encoder must not meet them in a cache. Change both, together."""
    digest = sha256(SHIPPED.read_bytes()).hexdigest()
    assert FACTS_VERSION == 10
    assert digest == "29d212b3b07c28d0fda108e2057b233802bdb741bc5b6454f7612cea3a4a9a2c"


def test_the_passage_is_near_what_it_does() -> None:
    model = encoder()
    facts = analyse(SOURCE, "python")

    def near(task: str) -> float:
        vector = model.task({term_id(term): 1.0 for term in terms_of(task)})
        return float(model.similarity(facts.vectors, vector)[0])

    assert near("have another go after the connection was lost") > near("pick a colour for the chart")


def test_an_encoder_that_takes_the_place_of_another_in_memory_has_its_own_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = np.sort(np.array([term_id("alpha"), term_id("beta")], np.uint64))
    one = np.ones(1, np.float32)
    for known in [*ids, *ids]:  # each encoder is gone before the next is made: their addresses are the same
        model = Encoder(np.array([known], np.uint64), np.full((1, 4), 9, np.int8), one, one, one)
        monkeypatch.setattr(passages, "encoder", lambda model=model: model)
        said = [bool(passage_vectors([word], [])[1].any()) for word in ("alpha", "beta")]
        assert said == [known == term_id("alpha"), known == term_id("beta")]
        del model
        monkeypatch.undo()
