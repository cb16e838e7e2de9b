"""Condensed tasks in the forms that real ones take: what the query must hold, in which order, and what it must not."""

import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from zeroin.config import Options
from zeroin.query.feedback import apply_feedback
from zeroin.query.task import formulate, query_of
from zeroin.types import Feedback, Origin, Query, Task

GOLDEN = tomllib.loads(Path(__file__).with_name("tasks.toml").read_text("utf-8"))


def _query(text: str) -> Query:
    return query_of(Task(text), Options())


@pytest.mark.parametrize("name", GOLDEN)
def test_golden(name: str) -> None:
    golden = GOLDEN[name]
    task, query = formulate(golden["text"], Options())
    words = [k.text for k in query.keywords]
    symbols, paths = {s.name for s in query.symbols}, {p.path for p in query.paths}

    def named(key: str) -> set[str]:
        return set(golden.get(key, ()))

    assert task.purpose == golden.get("purpose", "fix")
    assert query.title == golden.get("title", query.title)
    assert named("top") <= set(words[: len(named("top")) + 1]) and named("words") <= set(words), words
    assert not {word.lower() for word in named("absent")} & {word.lower() for word in words}, words
    assert named("symbols") <= symbols and not named("no_symbols") & symbols, symbols
    assert named("paths") <= paths, paths
    assert query.wanted_roles == named("roles") and named("languages") <= query.languages


def test_a_quoted_call_is_the_name_without_brackets() -> None:
    query = _query('Server starts twice\n\nWe call "rest.MustNewServer()" with cors.')
    assert {s.name for s in query.symbols} == {"rest.MustNewServer"}


def test_weights_are_ordered_by_origin() -> None:
    query = _query(
        "zebra grows\nThe yak walks and `x_ray_tube` shines.\n```\nwolf(1)\n```\n"
        'Traceback (most recent call last):\n  File "a/b.py", line 3, in f\n    vole_thing(3)\nBadError: unicorn lost\n'
    )
    weight = {k.text: k.weight for k in query.keywords}
    ordered = [weight[word] for word in ("zebra", "x_ray_tube", "unicorn", "yak", "wolf", "vole_thing")]
    assert all(first > second for first, second in pairwise(ordered))


def test_a_word_in_several_places_gains_modestly() -> None:
    once = {k.text: k.weight for k in _query("zebra\n\nyak walks").keywords}["zebra"]
    twice = {k.text: k.weight for k in _query("zebra\n\nthe zebra walks").keywords}["zebra"]
    assert once < twice <= 1.5 * once


def test_inflected_forms_are_one_keyword() -> None:
    texts = [k.text for k in _query("Caching\n\nthe cache caches cached things twice").keywords]
    assert len({t for t in texts if t.lower().startswith("cach")}) == 1


def test_innermost_frame_comes_first_and_is_numbered_zero() -> None:
    query = _query(GOLDEN["installed package frame"]["text"])
    frames = [(p.frame, p.path) for p in query.paths if p.frame is not None]
    assert min(frames) == (0, "dask/array/slicing.py")
    assert next(p for p in query.paths if p.frame == 0).line == 142


def test_text_for_history_is_prose_only() -> None:
    text = _query(GOLDEN["form with checklist"]["text"]).text
    assert text.startswith("Retry budget ignored by the scheduler")
    assert "retries forever" in text
    assert "searched" not in text and "pydantic" not in text
    assert "compute()" not in _query(GOLDEN["installed package frame"]["text"]).text


def test_callers_settings_are_honoured_as_given() -> None:
    given = {"includes": ("src/**",), "excludes": ("docs/**",), "focus": ("billing core",)}
    options = Options(keywords=("Rate-Limit bucket", "the"), **given)
    query = query_of(Task("Throttle the bucket and the core"), options)
    callers = [k for k in query.keywords if k.origin is Origin.CALLER]
    assert [k.text for k in callers] == ["Rate-Limit bucket", "the", "billing", "core"]
    assert query.keywords[:4] == tuple(callers)
    assert callers[0].weight == max(k.weight for k in query.keywords)
    assert [k.text for k in query.keywords].count("core") == 1
    assert (query.includes, query.excludes, query.focus_areas) == tuple(given.values())


def test_a_note_of_the_caller_weighs_half_of_the_task() -> None:
    query, _ = apply_feedback(_query("Throttle sign-in of bots"), Feedback(note="crawler"))
    alone = _query("crawler").keywords[0].weight
    assert next(k.weight for k in query.keywords if k.text == "crawler") == alone / 2


def test_the_last_judgment_of_a_file_holds() -> None:
    query = query_of(Task("Throttle sign-in of bots"), Options(excludes=("src/limit.py",)))
    first, _ = apply_feedback(query, Feedback(relevant=("a.py", "src/limit.py"), irrelevant=("b.py",)))
    assert (first.relevant, first.irrelevant) == (("a.py", "src/limit.py"), ("b.py",))
    assert first.must_read == ("a.py", "src/limit.py") and first.excludes == first.pinned == ()
    second, _ = apply_feedback(first, Feedback(irrelevant=("a.py",)))
    assert (second.relevant, second.irrelevant) == (("src/limit.py",), ("b.py", "a.py"))
