"""What of a model's reply is believed."""

import json

import pytest

from tests.unit.llm_judge.judge_request import ASKED, GOOD
from zeroin.errors import JudgeError
from zeroin.llm_judge.contract import parse


def reply(*files: dict[str, object], words: object = ()) -> str:
    return json.dumps({"files": files, "words": list(words)})  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "around", ["```json\n{}\n```", "Here you are:\n\n{}\n\nAnything else?", "<think>hm</think>\n{}"]
)
def test_fences_and_sentences_around_the_object_are_no_matter(around: str) -> None:
    text = around.format(reply({"id": 1, "grade": 1}, {"id": 2, "grade": 2}))
    assert [g.grade for g in parse(text, ASKED).grades] == [1, 2]


def test_what_was_not_asked_or_not_shown_is_left_out() -> None:
    lines = [[1, 9], [3, 1], [2], [2, 3], [-1, 2]]
    verdict = parse(
        reply(
            {"id": 1, "grade": 2, "lines": lines}, {"id": 1, "grade": 3}, {"id": 99, "grade": 3}, {"id": 2, "grade": 0}
        ),
        ASKED,
    )
    assert [(g.path, g.grade) for g in verdict.grades] == [("a.py", 2), ("b.py", 0)]
    assert verdict.grades[0].spans == ((2, 3),)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no",
        reply({"id": 1, "grade": 1}, {"id": 2, "grade": 2})[:-20],
        "[]",
        "{}",
        '{"files": "all"}',
        '{"files": [{"id": 1, "grade": 4}]}',
        '{"files": [{"id": 1, "grade": -1}, {"id": 2, "grade": 0}]}',
        '{"files": [{"id": 1, "grade": 1.5}, {"id": 2, "grade": 0}]}',
        '{"files": [{"id": 99, "grade": 3}]}',
        '{"files": [], "words": []}',
        '{"files": [' * 5000,
        GOOD[:-1] + ', "more": ' + "[" * 200_000 + "]" * 200_000 + "}",
        GOOD + " " * (1 << 20),
    ],
)
def test_anything_else_is_one_clear_error(text: str) -> None:
    with pytest.raises(JudgeError) as error:
        parse(text, ASKED)
    assert "\n" not in str(error.value)


def test_reasons_and_names_are_cleaned_and_short() -> None:
    text = reply(
        {"id": 1, "grade": 1, "reason": "\x1b[31mred\u202e " + "x" * 999, "missing": ["a" * 99, "b\x07b", "b\x07b"]},
        {"id": 2, "grade": 0},
    )
    grade = parse(text, ASKED).grades[0]
    assert len(grade.reason) <= 200 and not {"\x1b", "\u202e"} & {*grade.reason}
    assert grade.missing == ("bb",)
