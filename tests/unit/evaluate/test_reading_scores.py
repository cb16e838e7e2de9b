"""Reading: what a reader sees of a file, and how its scores move the best files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zeroin
from tests.repositories import repository
from zeroin.answer import Context
from zeroin.config import Options
from zeroin.engine import Repository
from zeroin.evaluate import reading
from zeroin.evaluate.digest import MOST_WORDS, WINDOW, WINDOWS, Digest, digest, words_of
from zeroin.evaluate.judge import Judge
from zeroin.evaluate.passages import Matcher
from zeroin.evaluate.reading import BEST, REACH, Lines, Rise, read_scores, rescore
from zeroin.evaluate.task_terms import task_terms_of
from zeroin.models.reader import Reader
from zeroin.query.task import formulate
from zeroin.types import Judgment

FILLER = [f"value_{n} = compute({n})" for n in range(40)]
UPLOAD = "\n".join([*FILLER, "def retry_upload(file):", "    wait_before_retry()", "    send(file)", *FILLER]) + "\n"


def digest_of(folder: Path, path: str, task: str) -> Digest:
    view = Repository.open(folder).opened.view
    doc = view.doc_of(path)
    assert doc is not None
    query = formulate(task, Options())[1]
    terms = task_terms_of(query, view)
    match = Matcher(view).read([doc], terms)[doc]
    return digest(view, doc, match, terms.weights, view.dense_scores(query.own, query).vector)


def test_words_are_in_lower_case_and_names_are_split() -> None:
    assert words_of("parseHTTPHeader(retry_count, 3)") == ["parse", "http", "header", "retry", "count", "3"]


def test_a_digest_begins_with_the_path_and_the_window_that_matches_best(tmp_path: Path) -> None:
    repository(tmp_path, {"net/upload.py": UPLOAD})
    found = digest_of(tmp_path, "net/upload.py", "retry of an upload waits too long")
    assert found.words[:3] == ("net", "upload", "py")
    first, last = found.lines[0]
    assert first <= 41 <= last
    assert "retry" in found.words[3:25]


def test_windows_are_few_short_and_do_not_overlap(tmp_path: Path) -> None:
    repository(tmp_path, {"net/upload.py": UPLOAD})
    found = digest_of(tmp_path, "net/upload.py", "compute a value")
    assert len(found.lines) == WINDOWS
    assert all(last - first < WINDOW for first, last in found.lines)
    taken = [line for first, last in found.lines for line in range(first, last + 1)]
    assert len(taken) == len(set(taken))
    assert len(found.words) <= MOST_WORDS


def test_a_file_without_words_is_known_by_its_path(tmp_path: Path) -> None:
    repository(tmp_path, {"net/empty.py": "\n\n", "a.py": "x = 1\n"})
    assert digest_of(tmp_path, "net/empty.py", "an upload") == Digest(("net", "empty", "py"), (), ())


def read_as(*scores: float) -> Callable[[np.ndarray], tuple[np.ndarray, list[Lines]]]:
    """A reader that gives row i the score i, the others 0."""
    known = np.array([*scores, *np.zeros(2 * BEST)])
    return lambda rows: (known[rows], [((int(row), int(row) + 4),) for row in rows])


def all_of(scores: np.ndarray) -> np.ndarray:
    return np.ones(len(scores), np.bool_)


def test_what_is_read_is_added_and_the_others_keep_their_scores() -> None:
    scores = np.array([0.6, 2.0, 1.5, *np.full(BEST, -3.0)])
    found = rescore(scores, all_of(scores), read_as(6.0))  # 4 above the mean, of which 3 count; the others 2 below it
    assert found.scores.tolist() == pytest.approx([1.65, 0.55, 0.05, *np.full(BEST, -3.0)])
    assert found.risen == {0: Rise(2, ((0, 4),))}
    assert found.fallen == {1, 2}


def test_the_reader_moves_a_file_by_so_much_and_no_more() -> None:
    scores = np.array([0.0, 3.0 + 1e-9])
    found = rescore(scores, all_of(scores), read_as(1000.0))
    assert found.scores[0] < found.scores[1]
    assert found.risen == {}


def test_a_small_difference_moves_scores_and_no_file() -> None:
    scores = np.array([3.0, 1.0, 0.0])
    found = rescore(scores, all_of(scores), read_as(0.0, 1.0, 1.0))
    assert np.argsort(-found.scores).tolist() == [0, 1, 2]
    assert [rise.places for rise in found.risen.values()] == [0, 0]


def test_a_reader_that_says_nothing_moves_nothing() -> None:
    scores = np.array([3.0, 1.0, 0.0])
    assert rescore(scores, all_of(scores), read_as()) == (pytest.approx(scores), {}, frozenset())


def test_a_file_that_is_much_worse_than_the_best_is_not_read() -> None:
    scores = np.array([2.0, 1.0, 1.9 - REACH])
    seen: list[int] = []

    def read(rows: np.ndarray) -> tuple[np.ndarray, list[Lines]]:
        seen.extend(rows.tolist())
        return np.array([0.0, 9.0]), [(), ()]

    found = rescore(scores, all_of(scores), read)
    assert seen == [0, 1]
    assert found.scores[2] == scores[2]


def test_files_that_may_not_move_keep_their_scores() -> None:
    scores = np.array([1.0, 0.5, 0.0])
    found = rescore(scores, np.array([False, True, True]), read_as(-9.0, 0.0, 9.0))
    assert found.scores[0] == 1.0
    assert found.scores[1] < found.scores[2]


def test_nothing_is_read_of_a_single_file() -> None:
    assert rescore(np.array([1.0]), np.array([True]), read_as(5.0)).scores.tolist() == [1.0]


def ask(folder: Path, task: str, **options: Any) -> Context:
    return zeroin.retrieve(task, folder, always_loop=True, learned=False, **options)


def test_an_answer_reads_from_the_second_cycle_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository(tmp_path, {f"net/part{n}.py": UPLOAD.replace("retry", f"retry{n}") for n in range(5)})
    monkeypatch.setattr(
        Reader, "scores", lambda _, task, files: np.array([9.0 * ("part3" in " ".join(f)) for f in files])
    )
    monkeypatch.setattr(reading, "WEIGHT", 5.0)
    found = ask(tmp_path, "upload waits too long before it is sent again")
    first, second = (cycle.judgments for cycle in found.cycles[:2])
    assert not any(reason.kind == "read" for judgment in first for reason in judgment.reasons)
    assert second
    without = ask(tmp_path, "upload waits too long before it is sent again", without=frozenset({"reader"}))
    assert not any(r.kind == "read" for cycle in without.cycles for j in cycle.judgments for r in j.reasons)


def test_what_is_read_is_not_lost_nor_added_again_in_a_third_cycle(tmp_path: Path) -> None:
    repository(tmp_path, {f"net/part{n}.py": UPLOAD.replace("retry", f"retry{n}") for n in range(5)})
    opened = Repository.open(tmp_path)
    loop, view = opened.ask("upload waits too long before it is sent again").loop, opened.opened.view
    judge, candidates = Judge(view, Matcher(view)), loop.dispatcher.dispatch(loop.query)
    judgments: tuple[Judgment, ...] = ()
    added = []
    for _ in range(3):
        judgments = judge.evaluate(loop.task, loop.query, candidates, judgments, view)
        added.append({j.path: round(j.score - j.own_score, 4) for j in judgments if j.own_score is not None})
    assert not added[0]
    assert any(added[1].values())
    assert added[2] == added[1]


LONG = (
    "an upload waits for the answer of a slow server until the socket is closed and then sends its first block twice"
    " although the header of that block names its number and the checksum of every file in the folder"
)


@pytest.mark.parametrize("task", ["загрузка повтор", LONG], ids=["alphabet", "long"])
def test_a_task_that_the_reader_does_not_know_is_not_read(tmp_path: Path, task: str) -> None:
    repository(tmp_path, {"net/upload.py": UPLOAD, "net/send.py": "def send(file):\n    pass\n"})
    view = Repository.open(tmp_path).opened.view
    query = formulate(task, Options())[1]
    scores, lines = read_scores({}, query, view, task_terms_of(query, view), {}, [0, 1])
    assert (scores.tolist(), lines) == ([0.0, 0.0], [(), ()])


def test_what_is_read_does_not_depend_on_what_was_read_before(tmp_path: Path) -> None:
    repository(tmp_path, {"net/upload.py": UPLOAD, "net/send.py": "def send(file):\n    pass\n"})
    view = Repository.open(tmp_path).opened.view
    query = formulate("an upload is sent again and again", Options())[1]
    terms, known = task_terms_of(query, view), {}
    first = [
        *read_scores(known, query, view, terms, {}, [0])[0],
        *read_scores(known, query, view, terms, {}, [0, 1])[0],
    ]
    assert first[1:] == read_scores({}, query, view, terms, {}, [0, 1])[0].tolist()
    assert first[0] == first[1]


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (((61, 65), (40, 44)), "lines 40-44, 61-65, read beside the task, move it up by 2 places"),
        (((7, 7),), "line 7, read beside the task, moves it up by 2 places"),
        ((), "its path, read beside the task, moves it up by 2 places"),
    ],
)
def test_the_reason_names_the_lines_that_were_read(lines: Lines, text: str) -> None:
    reason = Rise(2, lines).reason("a.py")
    assert (reason.kind, reason.text) == ("read", text)
    assert all(evidence.path == "a.py" for evidence in reason.evidence)


def test_nothing_is_read_where_the_codebase_has_another_word(tmp_path: Path) -> None:
    files = {
        "net/upload.py": UPLOAD,
        "net/send.py": "def send(file):\n    pass\n",
        "net/throttle.py": "# Rate limiting is called throttle here.\ndef throttle(client):\n    pass\n",
        "README.md": "# Server\n\nRate limiting is called throttle in this code.\n",
    }
    repository(tmp_path, files)
    found = ask(tmp_path, "add rate limiting to the upload")
    renamed = [any(p.certainty == "sure" and p.stated for p in c.query.terminology) for c in found.cycles]
    assert any(renamed)
    read = [any(j.own_score is not None for j in cycle.judgments) for cycle in found.cycles]
    assert not any(was and known for was, known in zip(read, renamed, strict=True))
