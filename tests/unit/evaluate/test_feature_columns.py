"""Every feature module with its arithmetic written out, on one small repository."""

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from tests.unit.evaluate.conftest import CLIENT, FILES, LOG, README, RETRY, TERMS, TEST, pool_of
from zeroin.evaluate.features import (
    coverage,
    definition_names,
    dense,
    file,
    gaps,
    history,
    mentions,
    pool_features,
    previous_cycle,
    retrieval,
)
from zeroin.evaluate.features.dense import FIELDS
from zeroin.evaluate.features.table import names_of
from zeroin.evaluate.passages import Matcher
from zeroin.index.view import View
from zeroin.terms import stem
from zeroin.types import Gap, Keyword, Origin, PathMention, Query, Search, SymbolMention

PRIOR = np.array([4.0, 3.0, 2.0, 1.0, 0.0], np.float32)  # first scores, in the order of FILES
ORDER = list(FILES)


def of(columns: Mapping[str, np.ndarray], path: str) -> dict[str, float]:
    """The values of one file, rounded."""
    return {name: round(float(column[ORDER.index(path)]), 4) for name, column in columns.items()}


def test_every_section_computes_its_columns(net: View) -> None:
    pool = pool_of(net)
    for module in (retrieval, coverage, mentions, previous_cycle, gaps):
        assert tuple(module.columns(pool)) == names_of(module.__name__.rpartition(".")[2])
    for scored in (definition_names, history, file, pool_features, dense):
        assert tuple(scored.columns(pool, PRIOR)) == names_of(scored.__name__.rpartition(".")[2])


def test_coverage_is_a_share_of_the_term_weight(net: View) -> None:
    expanded = replace(TERMS, expansions={stem("attempt"): ((stem("wait"), 0.5),)})
    found = of(coverage.columns(pool_of(net, terms=expanded)), RETRY)
    assert found["cover_definitions"] == (2 + 1) / 4
    assert found["cover_comments"] == 1 / 4  # wait
    assert found["cover_identifiers"] == (0.5 * 1) / 4  # attempt stands for half of wait
    assert found["cover_path"] == found["stem_in_title"] * 2 / 4 == 2 / 4
    assert found["cover_title_path"] == 1.0


def test_rare_names_count_by_their_files(net: View) -> None:
    query = Query(symbols=(SymbolMention("retry_request", 0.8, Origin.PROSE),))
    found = coverage.columns(pool_of(net, query))
    assert of(found, CLIENT)["named_names"] == round(0.8 / math.sqrt(3), 4)  # three files hold it
    assert of(found, CLIENT)["rare_names"] == math.log2(1 + 1)
    assert of(found, LOG)["named_names"] == 0


def test_the_best_definition_name(net: View) -> None:
    found = definition_names.columns(pool_of(net), PRIOR)
    # retry_request: all of the title, 3 of 4 of the task; one of its two words is of the title.
    assert of(found, RETRY) == {
        "name_title": 1.0,
        "name_task": 0.75,
        "name_exact": round(2 * 1.0 * 0.5 / 1.5, 4),
        "name_with_parent": 1.0,
    }
    assert set(of(found, LOG).values()) == {0.0}


def test_mentions_by_where_they_stand(net: View) -> None:
    query = Query(
        symbols=(SymbolMention("net.Client.send", 0.9, Origin.CODE),),
        paths=(PathMention(RETRY, 1.0, Origin.TRACE, 2, frame=4), PathMention(CLIENT, 0.5, Origin.TRACE, 5, frame=7)),
    )
    found = mentions.columns(pool_of(net, query))
    assert of(found, CLIENT)["defines_code"] == 0.9  # `send`; `Client` counts 0.7 of that
    assert of(found, CLIENT)["defines_sole"] == round(math.log2(1 + 2), 4)
    assert of(found, CLIENT)["path_mentioned"] == 0.5
    assert (of(found, RETRY)["frame"], of(found, CLIENT)["frame"]) == (1.0, 1 / 2)  # libraries' frames aside
    assert (of(found, RETRY)["frame_innermost"], of(found, CLIENT)["frame_innermost"]) == (1.0, 0.0)


def test_commits_that_touched_a_file(net: View) -> None:
    found = history.columns(pool_of(net), PRIOR)
    # Newest first: commit 0 (1 file: retry, request), 1 (2 files: wait, request), 2 (5 files).
    request = 1 + 1 / math.sqrt(2)
    shares = {"retry": 1 / 2, "request": request / (request + 1), "wait": (1 / math.sqrt(2)) / (1 / math.sqrt(2) + 1)}
    task = (2 * shares["retry"] + shares["request"] + shares["wait"]) / 4
    assert of(found, RETRY)["commits_cover_task"] == round(task, 4)
    assert of(found, RETRY)["commits_cover_title"] == shares["retry"]
    assert (of(found, RETRY)["closest_commit"], of(found, CLIENT)["closest_commit"]) == (1.0, round(2 / 3, 4))
    assert (of(found, RETRY)["recency"], of(found, LOG)["recency"]) == (1.0, round(1 - 2 / 3, 4))
    assert of(found, CLIENT)["churn"] == round(math.log2(3) / math.log2(4), 4)
    assert of(found, CLIENT)["with_best"] == round(2 / 3, 4)
    assert (of(found, RETRY)["new"], of(found, CLIENT)["new"]) == (0.0, 1.0)


def test_place_beside_the_best_files(net: View) -> None:
    found = file.columns(pool_of(net), PRIOR)
    assert of(found, RETRY)["is_implementation"] == of(found, TEST)["is_test"] == of(found, README)["is_doc"] == 1.0
    assert of(found, RETRY)["importers"] == round(math.log2(1 + 2) / 8, 4)
    assert of(found, CLIENT)["beside_best"] == of(found, CLIENT)["imports_best"] == 1.0
    assert of(found, RETRY)["folder_support"] == 3 / 4 and of(found, CLIENT)["folder_support"] == 1.0
    assert of(found, RETRY)["package_support"] == (4 + 3) / 2 / 4
    assert of(found, TEST)["test_of_best"] == of(found, TEST)["same_stem_as_best"] == 1.0
    assert of(found, RETRY)["depth"] == 1 / 8


def test_ranks_and_distances_in_the_pool(net: View) -> None:
    terms = replace(TERMS, overridden={stem("wait"): 0.9})
    pool = pool_of(net, Query(title="retry a request"), terms)
    pool = replace(pool, matches=Matcher(net).read(pool.docs[:1].tolist(), terms))
    found = of(pool_features.columns(pool, PRIOR), CLIENT)
    assert (found["prior_rank"], found["prior_gap"], found["prior_ahead"]) == (1 / 2, -1.0, 1 / 8)
    assert (found["task_best"], found["task_second"]) == (4.0, 1.0)
    assert found["task_title_words"] == round(3 / 16, 4)
    assert found["tree_files"] == round(math.log10(5) / 5, 4)
    assert (found["read"], found["no_lexical_match"]) == (0.0, 1.0)
    # The file read holds all three terms; one of them, with a quarter of the weight, is overridden to 0.9.
    assert of(pool_features.columns(pool, PRIOR), RETRY)["overridden_share"] == round(0.9 / 4, 4)


def test_z_scores_of_dense_retrieval(net: View) -> None:
    query = Query(keywords=(Keyword("retry", 1.0, Origin.TITLE),))
    pool = pool_of(net, query)
    scores = net.dense_scores(query.own, query)
    found = dense.columns(pool, PRIOR)
    assert found["dense_zscore"] * 8 == pytest.approx(
        (scores.score - scores.score.mean())[pool.docs] / scores.score.std(), abs=1e-4
    )
    assert found["dense_zscore_behind"] + found["dense_zscore"] == pytest.approx(found["dense_zscore_best"])
    assert found["dense_whole_zscore"] * 8 == pytest.approx(
        (scores.whole - scores.whole.mean())[pool.docs] / scores.whole.std(), abs=1e-4
    )
    nearer = [(scores.z_scores > scores.z_scores[doc]).sum() for doc in pool.docs]
    assert found["dense_ahead"] * 8 == pytest.approx(np.log2(1.0 + np.array(nearer)), abs=1e-5)
    assert not found["similarity_computed"].any()
    compared = dense.columns(replace(pool, compare_documents=True), PRIOR)
    assert compared["similarity_computed"].all()
    fields = [compared[f"similar_{field}"] for field in FIELDS]
    assert compared["similar_sum"] == pytest.approx(sum(fields) * 4 / 8, abs=1e-5)
    assert not any(column.any() for column in dense.columns(replace(pool, dense=False), PRIOR).values())


def test_the_previous_cycle(net: View) -> None:
    pool = replace(pool_of(net), previous_scores={RETRY: 1.0, CLIENT: -2.0}, previously_read=frozenset({RETRY}))
    found = previous_cycle.columns(pool)
    assert list(of(found, CLIENT).values()) == [1.0, -2.0, 3.0, 1.0, 0.0]
    assert list(of(found, LOG).values()) == [0.0, -8.0, 9.0, 1.0, 0.0]
    assert previous_cycle.relevance(pool)[0] == pytest.approx(1 / (1 + math.exp(-1)))


def test_what_gaps_asked_for(net: View) -> None:
    named = Search(paths=(TEST,))
    tests = [
        Gap("counterpart", "", False, search=named, precision=precision, user_relevance=user, form="test")
        for precision, user in ((0.4, 0.5), (0.2, 0.6))
    ]
    asked = (*tests, Gap("reference", "", False, search=named, precision=0.1, user_relevance=0.1))
    pool = pool_of(net)
    [*others, test, readme] = pool.candidates
    pool = replace(pool, candidates=[*others, replace(test, asked_by=asked), readme])
    found = of(gaps.columns(pool), TEST)
    assert found["asked_test"] == 1 - 0.5 * 0.4
    assert (found["asked_precision"], found["asked_user"]) == (0.4, 0.6)
    assert (found["asked_times"], found["asked_kinds"]) == (math.log2(1 + 3) / 4, 2 / 5)
    # It defines what is asked
    assert of(retrieval.columns(pool), TEST)["followed"] == round(1 - math.exp(-0.5), 4)


def test_a_list_counts_in_the_tasks_words_or_in_the_codebases(net: View) -> None:
    pool = pool_of(net, terms=replace(TERMS, overridden={stem("retry"): 0.5}))
    first = replace(pool.candidates[0], scores={"lexical": 0.8, "re_lexical": 0.6, "dense": 0.3}, ranks={"lexical": 4})
    found = of(retrieval.columns(replace(pool, candidates=[first, *pool.candidates[1:]])), RETRY)
    own = 1 - 0.6 * (2.0 * 0.5 / 4)  # an overridden quarter of the weight costs 60 % of it
    assert found["lexical"] == round(max(0.8 * own, 0.6 * 0.9), 4)
    assert found["lexical_rank"] == round(own / 4, 4)
    assert (found["agreement"], found["dense"]) == (round(1 / 7, 4), 0.3)
    assert found["size"] == round(math.log10(3) / 4, 4)
    assert of(retrieval.columns(pool), TEST)["test"] == of(retrieval.columns(pool), README)["doc"] == 1.0
