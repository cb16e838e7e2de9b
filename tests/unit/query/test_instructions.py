"""Words on how to work are taken out of a task; what it asks for, and code, stay."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroin.config import Options
from zeroin.query.instructions import Fragment, features_of, fragments_of, request_of
from zeroin.query.task import formulate

TASK = "Uploads of more than two gigabytes are cut off without a message."


@pytest.mark.parametrize(
    "prompt",
    [
        "{0} Follow the existing patterns and add unit tests.",
        "You are a subagent working on this repository. {0} Find the relevant files.",
        "I'm working on the following task and need context: {0}",
        "{0} Don't edit anything, only tell me which files to read.",
        "{0}\n\nDo not write any code yet, just locate the relevant places.",
        "## Task\n{0}\n\n## Instructions\n- Find the relevant code\n- Write unit tests\n- Do not break the public API",
    ],
)
def test_a_prompt_leaves_its_task(prompt):
    assert request_of(prompt.format(TASK)) == TASK


@pytest.mark.parametrize(
    "task",
    [
        TASK,
        "Find the relevant files.",  # nothing else is asked
        "Where is the expiry of a session checked? It should happen on every request.",
        "The second page is empty.\n\n```\nFind the relevant files.\n```",
        "    Report back file paths and line numbers.\n\nThe parser stops at the quoted block above.",
        "",
        "\n\n",
    ],
)
def test_a_task_stays_as_it_is(task):
    assert request_of(task) == task


def test_a_label_goes_with_what_follows_it():
    assert request_of(f"Retention: {TASK}\nOutput: a list of files with line numbers") == f"Retention: {TASK}"


def test_the_query_has_no_word_of_the_instructions():
    alone = formulate(TASK, Options())[1]
    prompted = formulate(f"Explore the code base thoroughly. {TASK} Keep your answer under 200 words.", Options())[1]
    assert prompted.keywords == alone.keywords
    assert prompted.kind is alone.kind


def test_fragments_know_what_leads_in_to_them():
    text = "Goal: Fix it.\n\n## Deliverables\n- Ranked list\n\n<rules>\nNo edits\n</rules>"
    below = {fragment.text.strip(): fragment.below for fragment in fragments_of(text)}
    assert below == {
        "Goal:": "",
        "Fix it.": "goal",
        "Deliverables": "",
        "Ranked list": "deliverables",
        "<rules>": "deliverables",
        "No edits": "rules",
        "</rules>": "rules",
    }


def test_the_features_of_a_sentence():
    found = set(features_of(Fragment(0, "- ", "Read `a.py` first:", "rules")))
    assert {"read", "read a", "^ read", "in rules", "#item", "#code", "#lead"} <= found
    assert not found & {"#heading", "#question"}


@given(st.text(alphabet="ab. :\n#-`?<>/", max_size=200))
def test_fragments_add_up_to_the_text(text):
    lines: dict[int, str] = {}
    for one in fragments_of(text):
        lines[one.line] = lines.get(one.line, one.mark) + one.text
    given_lines = text.split("\n")
    assert all(given_lines[number] == line for number, line in lines.items())
    request_of(text)


def test_a_hostile_task_takes_no_time():
    began = time.process_time()
    for text in ("a. " * 2_600, "#" * 8_000, "<a>" * 2_600, "- " * 4_000, "`" * 8_000, ":" * 8_000, " " * 8_000):
        request_of(text)
    assert time.process_time() - began < 20
