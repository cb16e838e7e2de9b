"""The analyser: one way from text to terms."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from zeroin.terms import WORD, analyse, analyse_word, count_words, split_identifier, weighted_terms, words
from zeroin.types import Keyword, Origin


def test_identifiers_split_at_case_underscores_and_digits() -> None:
    assert split_identifier("parseHTTPHeader2") == ["parse", "http", "header", "2"]
    assert split_identifier("__rate_limit") == ["rate", "limit"]
    assert split_identifier("Größe_2") == ["größe", "2"]


def test_a_compound_yields_its_stems_and_itself() -> None:
    assert analyse_word("rate_limits") == ("rate", "limit", "ratelimits")
    assert analyse_word("tokens") == ("token",)
    assert analyse_word("__init__") == ("init",)


def test_cjk_runs_become_bigrams() -> None:
    assert analyse_word("認証処理") == ("認証", "証処", "処理")


def test_task_and_code_meet_in_stems() -> None:
    assert set(analyse("expiring tokens")) == set(analyse("expires token"))


def test_very_long_runs_are_data_not_words() -> None:
    assert list(words("a" * 81 + " word")) == ["word"]


def test_weights_keep_the_strongest_and_discount_subwords() -> None:
    keywords = (
        Keyword("TokenManager", 2.0, Origin.TITLE),
        Keyword("token", 1.0, Origin.PROSE),
        Keyword("the", 5.0, Origin.PROSE),
        Keyword("the", 1.0, Origin.CALLER),
    )
    assert weighted_terms(keywords) == {"token": 1.4, "manag": 1.4, "tokenmanager": 2.0, "the": 1.0}


@given(st.one_of(st.text(max_size=200), st.text(st.characters(codec="ascii"), max_size=200)))
def test_words_of_ascii_and_of_other_text_are_counted_alike(text: str) -> None:
    assert list(count_words(text).items()) == list(Counter(WORD.findall(text)).items())
