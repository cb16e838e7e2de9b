"""The reader: words are cut into known pieces, sequences are marked, and scores are those of training."""

import json
from pathlib import Path

import numpy as np
import pytest

from zeroin.models.reader import FILE_PIECES, TASK_PIECES, Vocabulary, batch_of, reader

CHECK = Path(__file__).parents[2] / "data" / "reader-check.jsonl"
PIECES = [*Vocabulary.SPECIAL, "re", "retry", "##try", "##ing", "upload", "t"]


def test_the_longest_known_piece_comes_first() -> None:
    vocabulary = Vocabulary(PIECES)
    assert vocabulary.numbers(["retrying", "upload"], 10) == [5, 7, 8]


def test_a_word_of_unknown_pieces_is_one_unknown() -> None:
    assert Vocabulary(PIECES).numbers(["zebra", "retry"], 10) == [Vocabulary.UNKNOWN, 5]


def test_pieces_beyond_the_limit_are_cut() -> None:
    assert Vocabulary(PIECES).numbers(["retrying", "upload"], 2) == [5, 7]


def test_a_sequence_has_the_task_then_the_file_and_marks_what_both_say() -> None:
    batch = batch_of(Vocabulary(PIECES), ["retry", "upload"], [["upload"], ["retrying", "t"]])
    start, end, pad = Vocabulary.START, Vocabulary.END, Vocabulary.PAD
    assert batch.pieces.tolist() == [[start, 5, 8, end, 8, end, pad, pad], [start, 5, 8, end, 5, 7, 9, end]]
    assert batch.sides.tolist() == [[0, 0, 0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1, 1, 1]]
    assert batch.marks.tolist() == [[0, 0, 1, 0, 1, 0, 0, 0], [0, 1, 0, 0, 1, 0, 0, 0]]
    assert batch.used.sum() == 14


@pytest.mark.parametrize("row", [json.loads(line) for line in CHECK.read_text(encoding="utf-8").splitlines()])
def test_the_shipped_reader_scores_as_training_does(row: dict[str, object]) -> None:
    files = [str(text).split() for text in row["files"]]  # type: ignore[attr-defined]
    found = reader().scores(str(row["task"]).split(), files)
    np.testing.assert_allclose(found, row["scores"], atol=2e-3)


def test_a_score_does_not_depend_on_the_files_beside_it() -> None:
    task, files = ["retry", "failed", "uploads"], [["src", "upload", "py", "retry"], ["readme", "md"] * 40]
    both = reader().scores(task, files)
    np.testing.assert_allclose(both[0], reader().scores(task, files[:1])[0], atol=1e-4)
    assert len(reader().scores(task, [])) == 0


def test_long_sides_are_cut_to_what_the_reader_has_places_for() -> None:
    found = reader().scores(["upload"] * 3 * TASK_PIECES, [["upload"] * 3 * FILE_PIECES])
    assert np.isfinite(found).all()
