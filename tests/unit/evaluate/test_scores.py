"""From features to relevance: the linear model, the maps, and what moves a score of the trees, by hand."""

import numpy as np
import pytest

from tests.unit.evaluate.conftest import CLIENT, LOG, RETRY
from zeroin.evaluate import judge
from zeroin.evaluate.features.table import COLUMN, FEATURES, RETRIEVAL, names_of
from zeroin.evaluate.model.linear import linear_contributions, linear_scores, map_of, relevance_of
from zeroin.evaluate.model.quoted import WEIGHTS, log_odds
from zeroin.evaluate.model.ranker import JUDGED, NOT_JUDGED, keep_previous, loaded_ranker, rank
from zeroin.evaluate.passages import Line, TextMatch
from zeroin.index.view import View
from zeroin.types import Expansion, ExpansionSource, Judgment, Keyword, Origin, Purpose, Query, Quotation


def rows(count: int, **columns: list[float]) -> np.ndarray:
    values = np.zeros((count, len(FEATURES)), np.float32)
    for name, column in columns.items():
        values[:, COLUMN[name]] = column
    return values


@pytest.mark.parametrize(
    ("purpose", "score"),
    [
        ("fix", 2.2 * 0.5 + 1.3 * 1.0 - 2.2),
        ("explore", 2.2 * 0.5 + 1.3 * 1.0 - 2.2 + 0.4 * 0.5),
        ("review", 2.0 * 0.5 + 0.2 * 1.0 + 0.1 + 1.4 * 0.25),
        ("architecture", 0.5),
    ],
)
def test_a_linear_score_is_the_sum_of_weights_times_features(purpose: Purpose, score: float) -> None:
    found = dict.fromkeys(names_of(RETRIEVAL), np.zeros(1, np.float32))
    given = {"lexical": 0.5, "history": 1.0, "test": 1.0, "callers": 0.25, "landmarks": 0.5}
    found |= {name: np.array([value], np.float32) for name, value in given.items()}
    assert linear_scores(found, purpose)[0] == pytest.approx(score)
    assert linear_contributions(found, purpose).sum() == pytest.approx(score)


def test_relevance_is_linear_between_the_knots_of_its_map() -> None:
    scores = np.array([-9.0, 6.0, 99.0])
    assert relevance_of(scores, "long").tolist() == pytest.approx([0.0005, (0.25 + 0.31) / 2, 0.97])
    assert relevance_of(scores, "long", history=False)[1] == pytest.approx(0.39)  # 6.0 · 1.15 = 6.9
    assert relevance_of(np.array([0.8]), "overview", history=False) == pytest.approx([(0.5 + 0.58) / 2])
    words = tuple(Keyword(f"word{n}", 1.0, Origin.PROSE) for n in range(13))
    assert map_of(Query(words[:12])) == "short"
    assert (map_of(Query(words)), map_of(Query(words), "architecture")) == ("long", "overview")


def test_a_file_keeps_its_previous_score_unless_there_is_evidence_against_it() -> None:
    values = rows(
        5,
        previously_judged=[1, 1, 1, 1, 0],
        previous_score=[0, 0, 0, 0, 0],
        read=[0, 0, 1, 0, 0],
        overridden_share=[0, 0, 0, 0.4, 0],
    )
    scores = np.array([-1.0, 1.0, -1.0, -1.0, -1.0])
    # Kept; raised; read since; said in overridden words; new.
    assert keep_previous(scores, values).tolist() == [0.0, 1.0, -1.0, -1.0, -1.0]


def test_the_trees_judge_the_first_candidates_and_the_others_follow() -> None:
    prior = np.linspace(5, 0, JUDGED + 2)
    values = rows(JUDGED + 2, prior=prior.tolist(), no_lexical_match=[1.0] * (JUDGED + 2))
    offsets = np.zeros(JUDGED + 2)
    offsets[-1] = 9.0  # lifts the last candidate among the judged ones
    ranked = rank(values, Query(), "fix", history=True, offsets=offsets)
    assert ranked.judged.tolist() == [*range(JUDGED - 1), JUDGED + 1]
    assert ranked.scores.max() <= -2.5  # nothing matches a word of the task
    behind = ranked.scores[[JUDGED - 1, JUDGED]]
    assert behind == pytest.approx(NOT_JUDGED + prior[[JUDGED - 1, JUDGED]] - 5.0 - 1.0)
    found = loaded_ranker().relevance(ranked.scores + offsets, "short")
    assert ranked.relevance[ranked.judged] == pytest.approx(found[ranked.judged])


def test_quoted_text_adds_log_odds(net: View) -> None:
    text = "connection refused by the other side"
    query = Query(quotations=(Quotation(text, (text,), part=0.25),))
    docs = [net.numbers[path] for path in (CLIENT, RETRY, LOG)]
    match = net.quote_matches(query.quotations).by_doc[docs[0]]
    assert (match.share, match.files, match.raised, match.string) == (1.0, 1, True, True)
    rival = WEIGHTS["rival"] * 1.0
    own = sum(WEIGHTS[name] for name in ("found", "share", "best", "marked", "part", "raised", "string"))
    assert log_odds(query, net, docs) == pytest.approx([own, rival, rival])
    aside = Query(quotations=(Quotation(text, (text,), part=0.2),))  # half way from 0.15 to 0.25
    part = WEIGHTS["part"] * (0.2 / 0.25 - 1)
    assert log_odds(aside, net, docs)[0] == pytest.approx((own + part) / 2)
    assert not log_odds(Query(), net, docs).any()


@pytest.mark.parametrize(("known", "said"), [(0, "says “limits”, for which this codebase has another word"), (1, "")])
def test_another_word_speaks_against_a_file_in_the_cycle_that_learned_it(known: int, said: str) -> None:
    pair = Expansion("limit", "throttle", 1.0, (ExpansionSource("definition", "a.md"),), "sure")
    query = Query(terminology=(pair,), known_terms=known)
    line = Line(30, {"limit": 1.0}, ["limits"], False)  # in none of the best passages
    match = TextMatch(terms=frozenset({"limit"}), lines=(line,))
    assert judge._against(Judgment("a", 0.5, read=True), match, judge._learned(query)) == said
