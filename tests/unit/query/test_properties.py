"""Properties of every query: no error but the documented one, the same query twice, everything bounded, linear time."""

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zeroin.query
from zeroin.config import MAX_TASK_CHARS, Options
from zeroin.errors import EmptyTaskError, InputError
from zeroin.query import weights as w
from zeroin.query.diff import parse_diff
from zeroin.query.tables import Table
from zeroin.query.task import formulate, notes_of, query_of
from zeroin.types import PURPOSES, Origin, Query, Task

# fmt: off
_PIECES = st.sampled_from([
    "```", "```python\n", "~~~", "`x`", "\n", "\n\n", "    ", "\t", "# ", "**Bug**", "- [x] I have",
    "- [ ] do", "<!--", "-->", "<pre>", "</pre>", "<code>", "https://github.com/a/b/blob/main/src/x.py#L3",
    "src/a/b.py", "a.b.C", "A::B", "A#b", "ns\\Cls", "fooBar", "foo_bar", "FOO", "f()", '"quoted text"', "‘x’",
    "Error: x", 'File "a.py", line 3, in f', "    at f (a.js:1:2)", "\tat a.b.C.d(E.java:3)",
    "Caused by: x.Y: z", "goroutine 1 [running]:", "panicked at 'x', src/a.rs:1:2", "#0 0x1 in f a.c:1",
    "error[E0382]: moved", "2024-01-01 10:00:00 ERROR x", "numpy==1.2.3", "Title:", "版本", "größer", "\x00",
    "\r\n", "\x1b[31m", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@ def f\n-a\n+b\n",
    "@@@ -1 -1 +1 @@@", "the", "🐛", "\ud800", "0" * 50,
])
# fmt: on
_TEXTS = st.one_of(st.text(max_size=400), st.lists(_PIECES | st.text(max_size=12), max_size=60).map("".join))

_WORDS = st.lists(st.text(min_size=1, max_size=20), max_size=5)


def _bounded(query: Query) -> None:
    assert len([k for k in query.keywords if k.origin is not Origin.CALLER]) <= w.MAX_KEYWORDS
    assert len(query.symbols) <= w.MAX_SYMBOLS
    assert len(query.paths) <= w.MAX_PATHS
    assert len(query.text) <= w.MAX_TEXT_CHARS
    assert len(query.title) <= w.MAX_TITLE_CHARS
    for item in (*query.keywords, *query.symbols, *query.paths):
        assert 0 < item.weight <= 10
    assert all(k.text.strip() for k in query.keywords)


@given(_TEXTS)
@settings(max_examples=300, deadline=None)
def test_any_text(text: str) -> None:
    try:
        task, query = formulate(text, Options())
    except EmptyTaskError:
        return
    assert task.purpose in PURPOSES
    _bounded(query)
    assert query == query_of(task, Options())


@given(_TEXTS, _WORDS, _WORDS)
@settings(max_examples=100, deadline=None)
def test_callers_keywords_survive_any_text(text: str, keywords: list[str], focus: list[str]) -> None:
    options = Options(keywords=tuple(keywords), focus=tuple(focus))
    try:
        query = query_of(Task(text), options)
    except EmptyTaskError:
        assert not any(k.strip() for k in keywords)
        return
    texts = [k.text for k in query.keywords if k.origin is Origin.CALLER]
    kept = [k for k in dict.fromkeys(keywords) if k.strip()]
    assert texts[: len(kept)] == kept
    assert query.focus_areas == options.focus
    _bounded(query)


@pytest.mark.parametrize("text", ["./" + "Back../" * 42 + "!", "x." * 150, "./" + "a" * 290 + "~", "a/" * 149 + "\\~."])
def test_a_token_made_to_be_slow_ends(text: str) -> None:
    """Each took minutes of a pattern that could be read in too many ways, or tens of milliseconds that add up."""
    assert query_of(Task(f"Why does {text} fail? " * 20), Options()).keywords


@given(_TEXTS)
@settings(max_examples=300, deadline=None)
def test_any_diff(text: str) -> None:
    try:
        diff = parse_diff(text)
    except InputError:
        return
    assert all(file.path for file in diff.files)
    assert all(1 <= start <= end for file in diff.files for start, end in file.spans)
    try:
        _bounded(query_of(Task(text, "review", diff), Options()))
    except EmptyTaskError:
        return


@pytest.mark.parametrize("text", ["", " \n\t", "...", "``` ```", "<!-- comment -->", "- [x] I have searched"])
def test_no_word_is_an_error(text: str) -> None:
    with pytest.raises(EmptyTaskError):
        query_of(Task(text), Options())


def test_callers_keywords_make_up_for_an_empty_task() -> None:
    assert [k.text for k in query_of(Task(""), Options(keywords=("login",))).keywords] == ["login"]


def test_stop_words_count_where_there_is_nothing_else() -> None:
    assert [k.text for k in query_of(Task("how is it"), Options()).keywords] == ["how", "is", "it"]


@pytest.mark.parametrize(
    "piece",
    [
        *["a.", "src/a.py ", "`a` ", "\n^", "\n**a", "\n# a", "\n    at a (", "\nA.A.A.A.", "a\n\n    b\n\n"],
        *["[a](", "<a ", "<!--\n", "get: abcdef\n`a`\n"],
        "Traceback (most recent call last)\n" + "─" * 3_900 + "x\n",
        "das ist nicht der " + "ä" * 100_000,
    ],
)
def test_a_task_of_two_megabytes_takes_bounded_time(piece: str) -> None:
    task = Task("word " + piece * (2_000_000 // len(piece)))
    start = time.process_time()
    query_of(task, Options())
    assert time.process_time() - start < 5.0  # about 0.5 s measured: a pattern that backtracks takes hours
    assert f"{MAX_TASK_CHARS:,}" in notes_of(task)[0]


def test_ordinary_tasks_have_no_notes() -> None:
    assert notes_of(Task("Fix it")) == ()


NAMES = sorted(path.stem for path in Path(zeroin.query.__path__[0]).glob("*.toml"))
PARTS = {"before", "after", "start", "word", "text", "any"}


@pytest.mark.parametrize("name", NAMES)
def test_every_pattern_compiles(name: str) -> None:
    table = Table(name)
    patterns = [key for key, entry in table.data.items() if isinstance(entry, dict) and set(entry) <= PARTS]
    assert all("<<" not in table.pattern(key).pattern for key in patterns)
    assert patterns or name in ("names", "languages")
