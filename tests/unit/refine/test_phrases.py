"""Everyday phrases of a task, and the words by which code names what they mean."""

import re
from pathlib import Path

import pytest

import zeroin
from tests.repositories import repository
from zeroin.beside import text_beside
from zeroin.refine import phrases
from zeroin.refine.phrases import phrases_of

FILES = {
    "net/retry.py": "def retry(call, attempts):\n    for _ in range(attempts):\n        call()\n",
    "net/client.py": "def send(message):\n    return message\n",
    "shop/cart.py": "def put(item, cart):\n    cart.append(item)\n",
    "shop/price.py": "def price(item):\n    return item.price\n",
}


@pytest.mark.parametrize(
    ("text", "said", "word"),
    [
        ("It gives up instead of trying again.", "trying again", "retry"),
        ("Rows come one\nafter the other", "one after the other", "sequential"),
        ("Throw those old answers away, please", "Throw those old answers away", "delete"),
    ],
)
def test_a_phrase_is_found_as_the_task_says_it(text: str, said: str, word: str) -> None:
    found = dict(phrases_of(text))
    assert word in found[said]


@pytest.mark.parametrize(
    "text",
    [
        "I will try. Again it fails",
        "retrying",
        "Throw a b c d e away",
        "",
        "again try",
        "trying 4111 | ` again",
        "It was trying\n\n## Again",
        "get_rid_of(trying_again)",
        "trying" + " " * 80 + "12 again",
    ],
)
def test_what_is_no_phrase_is_none(text: str) -> None:
    assert not {"retry", "delete"} & {word for _, words in phrases_of(text) for word in words}


def test_the_list_is_sorted_and_well_formed() -> None:
    rows = text_beside(phrases.__file__, "phrases.tsv").splitlines()
    assert rows == sorted(set(rows))
    assert [row for row in rows if not re.fullmatch(r"[a-z'][a-z' *]*[a-z]\t[a-z0-9+#]+( [a-z0-9+#]+){0,2}", row)] == []
    assert len({row.partition("\t")[0] for row in rows}) == len(rows)


def test_an_answer_finds_what_a_phrase_means_and_says_so(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", FILES)
    task = "Give up after trying again three times"
    found = zeroin.retrieve(task, root)
    assert found.ranking[0].path == "net/retry.py"
    assert any("retry for “trying again”" in reason.text for reason in found.ranking[0].reasons)
    forms = "def retry(attempt):\n    retries = retrying(attempt)\n    return Retry(retries, give_up=attempt)\n"
    best = zeroin.retrieve(task, repository(tmp_path / "forms", FILES | {"net/retry.py": forms})).ranking[0]
    assert re.findall(r"match (.+)", "\n".join(r.text for r in best.reasons)) == ["retries for “trying again”"]
    german = zeroin.retrieve("Wie oft wird eine Anfrage wiederholt, wenn der Server nicht antwortet?", root)
    assert not any(keyword.phrase for keyword in german.cycles[0].query.keywords)  # it says no English phrase
    assert "sequential" not in {k.text for k in zeroin.retrieve("one after the other", root).cycles[0].query.keywords}
    without = zeroin.retrieve(task, root, options=zeroin.Options(without={"phrases"}))
    assert "retry" not in {keyword.text for keyword in without.cycles[0].query.keywords}


def test_a_word_that_many_files_say_counts_where_a_path_has_it(tmp_path: Path) -> None:
    users = {f"net/user{n}.py": f"def use{n}(job):\n    return job.retry({n})\n" for n in range(25)}
    others = {f"shop/part{n}.py": f"def part{n}(item):\n    return item\n" for n in range(30)}
    root = repository(tmp_path / "r", {**FILES, **users, **others})
    found = zeroin.retrieve("The connection keeps trying again", root)
    assert "retry" in {keyword.text for keyword in found.cycles[0].query.keywords}
    assert found.ranking[0].path == "net/retry.py"


@pytest.mark.parametrize(
    ("task", "path"),
    [
        ("On Windows the window keeps its old title", "back/impl_win32.c"),
        ("The window keeps its old title on my Mac", "back/impl_cocoa.c"),
        ("On Linux the window keeps its old title", "back/impl_posix.c"),
    ],
)
def test_a_platform_leads_to_the_files_of_its_system(tmp_path: Path, task: str, path: str) -> None:
    systems = {f"back/impl_{name}.c": f"void {name}_show(char *text);\n" for name in ("cocoa", "posix", "sdl", "win32")}
    found = zeroin.retrieve(task, repository(tmp_path / "r", {**FILES, **systems}))
    assert found.ranking[0].path == path
    assert any(path.partition("_")[2][:-2] in keyword.text for keyword in found.cycles[0].query.keywords)
