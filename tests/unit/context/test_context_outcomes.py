"""What came of a gap that was asked for is result in every form, and what was asked is result of each cycle."""

import json
from collections.abc import Callable
from dataclasses import replace

import jsonschema
import pytest

import zeroin.context.rendering.explain as render_explain
import zeroin.context.rendering.json as render_json
import zeroin.context.rendering.jsonl as render_jsonl
import zeroin.context.rendering.markdown as render_markdown
import zeroin.context.rendering.xml as render_xml
from zeroin.answer import Context
from zeroin.context.rendering.events import json_schema
from zeroin.types import Evidence, Gap, Search

ASKED = Gap(
    "dependency",
    "src/a.py imports src/b.py",
    False,
    (Evidence("src/a.py", 1), Evidence("src/b.py")),
    "src/b.py",
    Search(paths=("src/b.py",), scope="/src/**"),
)
HIDDEN = replace(ASKED, need="src/a.py imports src/c.py", search=Search(paths=("src/c.py",)), chosen=False)
CLOSED = replace(HIDDEN, outcome="closed", closed_by="src/c.py")


def read(path: str) -> str:
    return "a = 1\n" if path == "src/a.py" else ""


@pytest.fixture
def answer(context: Context) -> Context:
    """A gap that was asked and is still open, one that is not shown, and one that a file closed."""
    still = replace(ASKED, outcome="open")
    last = replace(context.cycles[-1], gaps=(ASKED, HIDDEN), asked=(still, CLOSED))
    return replace(context, gaps=(still,), cycles=(*context.cycles[:-1], last), budget=20_000)


def published(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json_schema(name))


def test_json_lists_what_was_asked_and_shows_no_hidden_gap(answer: Context) -> None:
    value = json.loads(render_json.render(answer, read))
    published("context").validate(value)
    assert [gap.get("outcome") for gap in value["gaps"]] == ["open"]
    assert value["gaps"][0]["search"]["scope"] == "/src/**"
    last = value["cycles"][-1]
    assert [gap["need"] for gap in last["gaps"]] == [ASKED.need]
    assert [(gap["outcome"], gap.get("closed_by")) for gap in last["asked"]] == [
        ("open", None),
        ("closed", {"path": "src/c.py"}),
    ]
    assert "outcome" not in last["gaps"][0] and value["cycles"][0]["asked"] == []
    small = json.loads(render_json.render(replace(answer, budget=1_500), read, code=True))
    assert not any(cycle["asked"] for cycle in small["cycles"]) and "cycles" in small["left_out"]


def test_events_count_what_was_asked(answer: Context) -> None:
    events = [json.loads(row) for row in render_jsonl.render(answer, read).splitlines()]
    for event in events:
        published("events").validate(event)
    cycles = [event for event in events if event["event"] == "cycle"]
    assert "asked" not in cycles[0]
    assert (cycles[1]["gaps"], cycles[1]["asked"], cycles[1]["closed"]) == (1, 2, 1)
    assert [event.get("outcome") for event in events if event["event"] == "gap"] == ["open"]


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        ("open", "looked for, what was found is below 0.2"),
        ("absent", "looked for, nothing found"),
        ("closed", "looked for: src/b.py"),
        ("", ""),
    ],
)
@pytest.mark.parametrize("render", [render_markdown.render, render_xml.render])
def test_it_is_said_in_a_few_words(answer: Context, render: Callable[..., str], outcome: str, said: str) -> None:
    gap = replace(answer.gaps[0], outcome=outcome, closed_by="src/b.py" if outcome == "closed" else "")
    text = " ".join(render(replace(answer, gaps=(gap,)), read).split())
    assert said in text
    assert bool(said) == ("looked for" in text)


def test_an_outcome_after_a_question_is_a_sentence(answer: Context) -> None:
    word = replace(answer.gaps[0], need="no file says “flux”: which word does this codebase use for it?", evidence=())
    text = render_markdown.render(replace(answer, gaps=(word,)), read)
    assert "use for it? Looked for, what was found is below 0.2" in text


def test_explain_counts_what_was_asked(answer: Context) -> None:
    text = render_explain.render(answer)
    assert "asked 2 gaps: 1 closed, 1 found nothing relevant\n" in text
    assert ASKED.need not in text  # it was asked for, so it is result there
    assert HIDDEN.need not in text
