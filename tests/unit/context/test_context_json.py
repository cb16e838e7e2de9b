"""JSON within a budget."""

from dataclasses import replace

from zeroin.answer import Context
from zeroin.context.packing.texts import Read
from zeroin.context.rendering import json as render_json
from zeroin.context.tokens import estimate
from zeroin.errors import OptionError
from zeroin.types import Reason, Task


def test_json_leaves_out_what_is_long_only_when_it_is_written(context: Context, read: Read) -> None:
    """Characters that nobody sees are written in six letters."""
    asked = replace(context, budget=1000, task=Task("fix it " + "\u200b" * 300))
    assert estimate(render_json.render(asked, read, code=True)) <= 1000


def test_json_within_a_small_budget_cuts_code_and_lists_before_the_reason_of_a_file(
    context: Context, read: Read
) -> None:
    """Whatever fits: every file that is listed says why, in whole words, and code is left out before that."""
    said = "is called by the middleware that every route of the service goes through, " * 3 + "and says so"
    files = tuple(replace(j, reasons=(Reason("x", said), *j.reasons)) for j in context.files)
    result = replace(context, files=files)
    listed = []
    for budget in range(600, 4_000, 100):
        try:
            value = render_json.with_code(replace(result, budget=budget), read)
        except OptionError:
            continue
        listed.append(len(value["files"]))
        for file in value["files"]:
            text = file["reasons"][0]["text"]
            assert text == said or (text.endswith("…") and said.startswith(text[:-1]) and not value["terminology"])
            assert text == said or not any(file["code"] for file in value["files"] if "code" in file)
    assert listed and listed[-1] == len(files)
