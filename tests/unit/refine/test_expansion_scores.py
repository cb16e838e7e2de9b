"""The score of an expansion written out: evidence, its caps, context, and what other phrases share."""

import math
from pathlib import Path

import numpy as np
import pytest

from tests.repositories import write
from zeroin.corpus.source import open_source
from zeroin.index.arrays import StringTable
from zeroin.index.opening import open_index
from zeroin.index.vocabulary import Vocabulary
from zeroin.refine.evidence import WEIGHTS, ExpansionScores, Finding, PairEvidence
from zeroin.refine.feedback import feedback_terms
from zeroin.types import ExpansionSource, Judgment, Keyword, Origin, Query, Span

SOURCE = ExpansionSource("definition", "a.py", 1, "x")
VOCABULARY = Vocabulary(
    words=StringTable.pack(["rebate", "coupon"]),
    terms=StringTable.pack(["rebat", "coupon"]),
    ids=np.zeros(2, np.uint64),
    documents=np.ones(2, np.int32),
    weights=np.ones(2, np.float32),
    forms=StringTable.pack(["coupon", "rebate"]),
    times=np.ones(2, np.int32),
)


def weight_of(score: float) -> float:
    return round(1 - math.exp(-score / 4), 3)


def test_kinds_add_up_to_their_caps_and_only_clear_ones_ignore_the_context() -> None:
    pair = PairEvidence()
    pair.add(Finding("definition", 0.5, SOURCE))
    for _ in range(5):
        pair.add(Finding("comment", 1.0, SOURCE))
    pair.add(Finding("neighbour", 1.0, SOURCE, similarity=0.4))
    # 7 · 0.5; comments 5 · 0.5 capped at 1, of which a share counts; the encoder's 0.6 in full.
    assert pair.score(context=2.0, share=0.6) == pytest.approx(3.5 + 2.0 * (1.0 * 0.6 + 0.6))
    assert WEIGHTS["comment"] == (0.5, 1.0)


def test_a_weight_grows_with_the_similarity_of_word_and_text() -> None:
    found = Finding("comment", 1.0, SOURCE)
    for similarity, context in ((None, 1 + 8 * 0.15), (0.5, 1 + 8 * 0.5), (-0.5, 1.0)):
        known = None if similarity is None else np.array([similarity, 0.0], np.float32)
        scores = ExpansionScores(VOCABULARY, frozenset(), known)
        scores.add(("voucher",), 0, found)
        (term,) = scores.terms([("voucher",)], least=0.0)
        assert term.weight == weight_of(0.5 * context)


def test_what_the_codebase_names_itself_counts_less_near_it() -> None:
    scores = ExpansionScores(VOCABULARY, frozenset(), None, named=frozenset({"voucher"}))
    scores.add(("voucher",), 0, Finding("comment", 1.0, SOURCE))
    assert scores.terms([("voucher",)], least=0.0)[0].weight == weight_of(0.5 * 0.6 * 2.2)


def test_words_that_several_phrases_lead_to_are_likelier() -> None:
    scores = ExpansionScores(VOCABULARY, frozenset(), np.zeros(2, np.float32))
    for phrase in (("voucher",), ("code",), ("voucher", "code")):
        scores.add(phrase, 0, Finding("comment", 1.0, SOURCE))
    weights = {t.task_word: t.weight for t in scores.terms([("voucher",), ("voucher", "code")], least=0.0)}
    # A run takes 0.6 of both its words, a word of the other word alone; the run then covers its words.
    assert weights == {"voucher code": weight_of(0.5 + 0.6 * (0.5 + 0.5))}
    assert scores.terms([("voucher",)], least=0.0)[0].weight == weight_of(0.5 + 0.6 * 0.5)


def test_terms_of_the_task_are_no_expansions() -> None:
    scores = ExpansionScores(VOCABULARY, frozenset({"rebat"}))
    assert [word for word, _ in scores.rows("rebate of a coupon")] == ["coupon"]


@pytest.mark.parametrize(
    ("findings", "certainty"),
    [
        ([Finding("definition", 1.0, SOURCE, stated=True)], "sure"),
        ([Finding("definition", 1.0, SOURCE)], "guess"),
        ([Finding("neighbour", 1.0, SOURCE, similarity=0.5), Finding("comment", 0.2, SOURCE)], "likely"),
        ([Finding("neighbour", 1.0, SOURCE, similarity=0.5), Finding("comment", 0.2, SOURCE, trusted=False)], "guess"),
        ([Finding("neighbour", 1.0, SOURCE, similarity=0.5), Finding("global", 1.0, SOURCE)], "likely"),
        ([Finding("neighbour", 1.0, SOURCE, similarity=0.49), Finding("comment", 1.0, SOURCE)], "guess"),
    ],
)  # fmt: skip
def test_certainty(findings: list[Finding], certainty: str) -> None:
    pair = PairEvidence()
    for found in findings:
        pair.add(found)
    assert pair.certainty(("voucher",), "rebate", 0.0, plain=True) == certainty


def test_feedback_weighs_terms_by_rarity_spread_and_use(tmp_path: Path) -> None:
    texts = {"a.py": "def settle(duty):\n    return settle(duty)\n", "b.py": "def settle_all():\n    pass\n"}
    texts |= {f"part{n}.py": f"def part{n}(value):\n    return value\n" for n in range(8)}
    view = open_index(open_source(write(tmp_path / "r", texts))).view
    query = Query(keywords=(Keyword("order", 1.0, Origin.PROSE),), relevant=("a.py", "b.py"))
    judgments = [Judgment(name, 1.0, spans=(Span(1, 2),)) for name in ("a.py", "b.py", "part0.py")]
    ((word, weight, said), *others) = feedback_terms(query, judgments, view)
    assert (word, weight, said.path, said.line) == ("settle", 1.0, "a.py", 1)
    assert {other for other, _, _ in others} <= {"all"}
    assert feedback_terms(Query(), judgments, view) == []
