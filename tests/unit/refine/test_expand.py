"""Sources of learned words one by one: what each credits, and that it can be switched off."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.repositories import commit, repository
from zeroin.config import Options
from zeroin.corpus.source import open_source
from zeroin.engine import Repository
from zeroin.index.opening import open_index
from zeroin.index.view import View
from zeroin.models.encoder import Encoder, encoder
from zeroin.query.task import query_of
from zeroin.refine.evidence import KINDS, confirmed, same_word
from zeroin.refine.expand import ExpansionLearner
from zeroin.term_lookup import terminology
from zeroin.terms import stem, term_id
from zeroin.types import Expansion, Judgment, Task


def made(folder: Path, *commits: tuple[str, dict[str, str]]) -> View:
    """A real repository of these commits: message, and the files that each writes."""
    repository(folder)
    for message, files in commits:
        commit(folder, files, message)
    return open_index(open_source(folder)).view


# Files about something else.
FILLER = {f"src/scores/entry_{i}.py": f"def post_{i}(amount):\n    return amount + {i}\n" for i in range(14)}


def tree(folder: Path, files: dict[str, str]) -> View:
    """A repository of one commit: these files among others."""
    return made(folder / "r", ("all", FILLER | files))


def only(kind: str) -> frozenset[str]:
    return frozenset(KINDS) - {kind}


def best(terms: list[Expansion], word: str) -> Expansion:
    return max((t for t in terms if t.code_word == word), key=lambda t: t.weight)


REBATE = {"src/rebate/engine.py": "class RebateEngine:\n    def grant(self, order):\n        return order\n"}


@pytest.mark.parametrize(
    "line",
    [
        "# What customers know as a voucher is called a rebate in this code.",
        "# A rebate is our word for a voucher.",
        "# What people call a voucher is a rebate.",
        "# A voucher, a.k.a. rebate.",
        "# Rebate is our word for what others call a voucher.",
        "# A rebate, our word for a voucher.",
        "# _Rebates_ are just another name for vouchers.",
    ],
)
def test_a_definition_in_a_comment(tmp_path: Path, line: str) -> None:
    view = tree(tmp_path, REBATE | {"src/settings.py": f"{line}\nLIMIT = 3\n"})
    term = best(ExpansionLearner(view, without=only("definition")).pairs("voucher"), "rebate")
    assert term.certainty == "sure" and term.weight >= 0.6
    assert (term.sources[0].kind, term.sources[0].where, term.sources[0].line) == ("definition", "src/settings.py", 1)
    assert not ExpansionLearner(view, without=frozenset(KINDS)).pairs("voucher", least=0.0)


@pytest.mark.parametrize(("path", "found"), [("src/LICENSE.shop", False), ("src/license.py", True)])
def test_a_licence_teaches_no_word(tmp_path: Path, path: str, found: bool) -> None:
    text = "# A voucher (known as a rebate) may be used and given away.\nLIMIT = 3\n"
    terms = terminology("voucher", repository(tmp_path / "r", FILLER | REBATE | {path: text})).terms
    assert any(source.where == path for term in terms for source in term.sources) == found


def test_a_form_that_the_word_is_no_beginning_of(tmp_path: Path) -> None:
    text = "# Closing an order grants a rebate.\nLIMIT = 3\n"
    view = tree(tmp_path, REBATE | {"src/settings.py": text})
    term = best(ExpansionLearner(view).pairs("close", least=0.0), "rebate")
    assert [(source.kind, source.line) for source in term.sources] == [("nearby", 1)]


def test_a_function_that_is_called_by_something_has_no_other_name(tmp_path: Path) -> None:
    text = "# The voucher check is called by the rebate engine.\nLIMIT = 3\n"
    view = tree(tmp_path, REBATE | {"src/settings.py": text})
    term = best(ExpansionLearner(view).pairs("voucher", least=0.0), "rebate")
    assert {source.kind for source in term.sources} == {"nearby"}


@pytest.mark.parametrize(
    "text",
    [
        "# After the voucher is called, rebate runs.\nLIMIT = 3\n",
        '"""Waits until :meth:`voucher` is called."""\ndef rebate_wait():\n    return 1\n',
        "# The hook `voucher` is called once a rebate is granted.\nLIMIT = 3\n",
        "# This voucher function is called rebate times.\nLIMIT = 3\n",
        "# A voucher is not a synonym for a rebate.\nLIMIT = 3\n",
        "# A voucher isn't another word for a rebate.\nLIMIT = 3\n",
        "# You need to pick a voucher as the name for the rebate.\nLIMIT = 3\n",
        "# Give the voucher a name for its rebate.\nLIMIT = 3\n",
        "# A voucher should not be known as `rebate`.\nLIMIT = 3\n",
        '# The third kind of voucher is called a "rebate".\nLIMIT = 3\n',
        "# This type of voucher is also known as a rebate.\nLIMIT = 3\n",
        "# Check that the voucher is fresh, aka the rebate has not changed.\nLIMIT = 3\n",
    ],
)
def test_what_is_run_or_explained_is_not_defined(tmp_path: Path, text: str) -> None:
    view = tree(tmp_path, REBATE | {"src/settings.py": text})
    found = ExpansionLearner(view).pairs("voucher", least=0.0)
    assert all(source.kind != "definition" for term in found for source in term.sources)
    assert all(term.certainty == "guess" for term in found)


def test_a_short_form_is_certain_where_it_is_written_beside(tmp_path: Path) -> None:
    homes = {f"src/conn/{n}.py": f"def conn_{n}(conn):\n    return conn\n" for n in ("pool", "store")}
    view = tree(tmp_path, homes)
    term = best(ExpansionLearner(view, encoder()).pairs("connections"), "conn")
    assert term.certainty == "likely"
    pool, entry = Judgment("src/conn/pool.py", 0.5), Judgment("src/scores/entry_0.py", 0.5)
    assert confirmed((term,), view, [pool])[0].certainty == "likely"
    assert confirmed((term,), view, [entry])[0].certainty == "guess"
    longer = replace(term, task_word="conn", code_word="connections")  # `conn` names things here
    assert confirmed((longer,), view, [pool])[0].certainty == "guess"


@pytest.mark.parametrize(
    ("task", "shown"),
    [
        ("the connections of the pool are never closed", True),
        ("Error: cannot close connections of pool 3", False),
        ("main.Failure: cannot close connections", False),
    ],
)
def test_a_pasted_message_needs_no_short_form(tmp_path: Path, task: str, shown: bool) -> None:
    homes = {f"src/conn/{n}.py": f"def conn_{n}(conn, other_conn):\n    return conn\n" for n in ("pool", "store")}
    folder = repository(tmp_path / "r", FILLER | homes)
    context = Repository.open(folder, jobs=1).ask(task, Options(always_loop=True)).run()
    met = next(t for t in context.terminology if (t.task_word, t.code_word) == ("connections", "conn"))
    assert (met in context.shown_terms) == shown


def test_a_guess_confirms_no_word(tmp_path: Path) -> None:
    view = tree(tmp_path, {})
    term = Expansion("copy", "clone", 0.5, certainty="likely")
    assert confirmed((term,), view, [Judgment("lib/clone.py", 0.3)])[0].certainty == "likely"
    assert confirmed((term,), view, [Judgment("lib/clone.py", 0.1)])[0].certainty == "guess"


def test_another_form_of_the_same_word_is_no_news() -> None:
    for said, word in (("sent", "send"), ("mail", "mailer"), ("colours", "colored"), ("alive", "keepalive")):
        assert same_word((said,), word), (said, word)
    for said, word in (("voucher", "rebate"), ("attempts", "retry"), ("picture", "thumbnail")):
        assert not same_word((said,), word), (said, word)


def test_a_row_of_a_table_in_a_document(tmp_path: Path) -> None:
    text = "# Words\n\n| outside | here | |\n| --- | --- | --- |\n| voucher | rebate | what lowers a price |\n"
    view = tree(tmp_path, REBATE | {"docs/words.md": text})
    term = best(ExpansionLearner(view, without=only("definition")).pairs("voucher"), "rebate")
    assert term.sources[0].line == 5


def test_documentation_and_comments_are_told_apart(tmp_path: Path) -> None:
    files = {
        "docs/prices.md": "# Prices\n\nEvery voucher goes through the rebate first.\n",
        "src/price.py": "# a voucher lowers the price, see rebate\ndef price(order):\n    return order\n",
    }
    view = tree(tmp_path, REBATE | files)
    learner = ExpansionLearner(view)
    sources = {s.kind: s.where for s in best(learner.pairs("voucher", least=0.0), "rebate").sources}
    assert sources["documentation"] == "docs/prices.md"
    assert sources["nearby"] == "src/price.py"


def test_a_commit_that_says_both(tmp_path: Path) -> None:
    view = made(tmp_path / "r", ("begin", FILLER), ("Voucher support: the rebate engine grants it", REBATE))
    term = best(ExpansionLearner(view, without=only("commit")).pairs("voucher", least=0.0), "rebate")
    assert term.sources[0].kind == "commit" and len(term.sources[0].where) == 40


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("authentication", "auth"),
        ("auth", "authentication"),
        ("configuration", "cfg"),
        ("context", "ctx"),
        ("database", "db"),
        ("manager", "mgr"),
        ("button", "btn"),
        ("single sign on system", ""),
        ("message", "msg"),
    ],
)
def test_abbreviations(tmp_path: Path, said: str, named: str) -> None:
    homes = {f"src/{named or 'x'}/{n}.py": f"def {named or 'x'}_{n}(a):\n    return a\n" for n in ("flow", "store")}
    view = tree(tmp_path, homes)
    found = ExpansionLearner(view, without=only("abbreviation")).pairs(said)
    assert {t.code_word for t in found} == ({named} if named else set())


@pytest.mark.parametrize(
    ("said", "named"), [("author", "auth"), ("authority", "auth"), ("positive", "pos"), ("different", "diff")]
)
def test_another_word_of_the_same_stem_has_no_short_form(tmp_path: Path, said: str, named: str) -> None:
    homes = {f"src/{named}/{n}.py": f"def {named}_{n}({named}):\n    return {named}\n" for n in ("flow", "store")}
    folder = repository(tmp_path / "r", FILLER | homes)
    assert [t.code_word for t in terminology(said, folder).terms if t.certainty != "guess"] == []
    view = open_index(open_source(folder)).view
    assert ExpansionLearner(view, without=only("abbreviation")).pairs(said) == []


def test_no_abbreviation_by_chance(tmp_path: Path) -> None:
    names = ("authors", "end", "enabled", "form", "formatter", "set", "setting", "mac")
    files = {f"src/{n}/{k}.py": f"def {n}_{k}(a):\n    return a\n" for n in names for k in ("one", "two")}
    view = tree(tmp_path, files)
    learner = ExpansionLearner(view, without=only("abbreviation"))
    assert learner.pairs("authorization ended forms sets machine auth") == []


def pairwise() -> Encoder:
    """An encoder that knows two meanings: a term is a vector of one of them."""
    meanings = {
        term_id(term): number
        for number, terms in enumerate((("voucher", "coupon", "rebat"), ("order", "basket", "purchas")))
        for term in terms
    }
    ids = sorted(meanings)
    table = 127 * np.eye(2, dtype=np.int8)[[meanings[one] for one in ids]]
    ones = np.ones(len(ids), np.float32)
    return Encoder(np.array(ids, np.uint64), table, ones / 127, ones, ones)


def test_neighbours_come_from_the_repository_s_own_words(tmp_path: Path) -> None:
    view = tree(tmp_path, REBATE)
    found = ExpansionLearner(view, pairwise(), without=only("neighbour")).pairs("voucher")
    assert {(t.code_word, t.sources[0].kind) for t in found} == {("rebate", "neighbour")}
    assert found[0].certainty != "sure"


def test_the_word_table_proposes_what_other_repositories_taught(tmp_path: Path) -> None:
    files = {"src/unique.py": "def distinct(a):\n    return a\n"}
    view = tree(tmp_path, files)
    found = ExpansionLearner(view, without=only("global")).pairs("duplicate", least=0.0)
    assert {s.kind for t in found for s in t.sources} == {"global"}
    assert {t.code_word for t in found} == {"unique", "distinct"}


def test_naming_words_are_those_of_definitions_and_paths(tmp_path: Path) -> None:
    view = tree(tmp_path, REBATE | {"src/über/größe.py": "def größeMessen(a): ...\n"})
    vocabulary = view.vocabulary
    assert {"rebate", "scores", "grant", "größe"} <= set(vocabulary.words)
    assert "src" not in vocabulary.words and "amount" not in vocabulary.words
    row = vocabulary.number[stem("rebate")]
    assert vocabulary.documents[row] == 1
    assert vocabulary.weights[row] > vocabulary.weights[vocabulary.number[stem("grant")]]


def test_a_long_text_and_an_odd_one(tmp_path: Path) -> None:
    wide = {"docs/wide.md": f"A voucher is{' ' * 200_000}a rebate.\n"}  # read in linear time
    learner = ExpansionLearner(tree(tmp_path, REBATE | wide))
    assert isinstance(learner.pairs("voucher " * 5_000), list)
    assert learner.pairs("?! 3 doesn the of") == []
    assert learner.pairs("") == []


def test_a_sample_value_is_not_expanded(tmp_path: Path) -> None:
    view = tree(tmp_path, REBATE | {"src/settings.py": "# What people call a bar is a rebate.\nLIMIT = 3\n"})
    for task, words in (("Stop at foo and bar", set()), ("Stop at the bar", {"rebate"})):
        learned = ExpansionLearner(view).learn(query_of(Task(task), Options()))
        assert {term.code_word for term in learned} == words
