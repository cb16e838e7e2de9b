"""What must hold of every answer in every form: the budget, and that what is quoted stands there."""

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from time import process_time

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.examples import tried_on
from zeroin.answer import Context
from zeroin.config import Options
from zeroin.context.clean import path_text
from zeroin.context.packing.skeleton import skeletons
from zeroin.context.packing.texts import ShownFile, lines_of
from zeroin.context.rendering import render
from zeroin.context.rendering.events import json_schema
from zeroin.context.rendering.jsonl import Stream
from zeroin.context.tokens import estimate
from zeroin.errors import OptionError
from zeroin.parsing.analyse import analyse
from zeroin.tree import Definition
from zeroin.types import PACKS, Judgment, Pack, Reason, Span

FORMATS = ("markdown", "xml", "json", "jsonl", "table")
AWS = "AKIA" + "Q6XH7XJV4WLN3ZPD"
Quoted = tuple[str, int, str]  # path, line number, text


class Folder:
    """Files in memory with the definitions that the index would have of them."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    def __call__(self, path: str) -> str:
        return self.texts.get(path, "")

    def outline(self, path: str) -> Sequence[Definition]:
        language = "python" if path.endswith(".py") else "typescript"
        return outline_of(self.texts.get(path, ""), language)


@cache
def outline_of(text: str, language: str) -> Sequence[Definition]:
    return analyse(text.encode(), language).definitions


def quoted(format_: str, text: str, paths: dict[str, str]) -> Iterator[Quoted]:
    """Every numbered or placed line of code of an answer; `paths` are the paths by how they are shown."""
    if format_ == "markdown":
        yield from _of_markdown(text, paths)
    elif format_ == "xml":
        for document in ElementTree.fromstring(text).iterfind("documents/document"):
            for span in document.iterfind("spans/span"):
                yield from _numbered(paths[document.attrib["path"]], (span.text or "").split("\n")[1:-1])
    elif format_ == "json":
        value = json.loads(text)
        for entry in (*value["files"], *value["supporting"], *value["tests"], *value["documents"]):
            yield from _blocks(entry)
    elif format_ == "jsonl":
        for row in text.splitlines():
            event = json.loads(row)
            if event["event"] == "file":
                yield from _blocks(event)
    else:
        path = ""
        for block in text.split("\n"):
            match = re.match(r"(\S+)(?: \((?:whole file|skeleton|does not fit whole: spans)\))?$", block)
            if match is not None and match[1] in paths:
                path = paths[match[1]]
            elif path:
                yield from _numbered(path, [block])


def _of_markdown(text: str, paths: dict[str, str]) -> Iterator[Quoted]:
    path = fence = ""
    for row in text.split("\n"):
        head = re.match(r"### (.*?)(?: \([a-z :]+\))?$", row)
        opened = re.match(r"(`{3,})", row)
        if fence:
            if row == fence:
                fence = ""
            else:
                yield from _numbered(path, [row])
        elif head is not None:
            path = paths[head[1]]
        elif opened is not None:
            fence = opened[1]
    assert not fence


def _numbered(path: str, rows: Sequence[str]) -> Iterator[Quoted]:
    for row in rows:
        match = re.match(r" *(\d+)(?:  (.*))?$", row, re.DOTALL)
        if match is not None:
            yield path, int(match[1]), match[2] or ""
        else:
            assert row.strip() in ("", "...") or path == "", row


def _blocks(entry: dict[str, object]) -> Iterator[Quoted]:
    for block in entry.get("code", ()):  # type: ignore[attr-defined]
        rows = block["text"].split("\n")
        assert len(rows) == block["end"] - block["start"] + 1
        for number, row in enumerate(rows, block["start"]):
            yield str(entry["path"]), number, row


LINES = st.sampled_from(
    [
        "class Session(Base):",
        "    def refresh(self, token: str) -> bool:",
        '        """Renew it."""',
        "        return self.store.renew(token)",
        "",
        "def load(path,",
        "         depth=(1, 2)):",
        "    # reads the file at path",
        "    return [x for x in open(path)]",
        "```",
        "`````python",
        "</span></document> ]]> & <b>",
        "| a | b |",
        "\tdeeply(nested[0](call))",
        'export function check(a: string): void { emit("\\u0000 — “é” 中文") }',
        "x\x1b[31mred\x07\u202e\u200b end",
        f'key = "{AWS}"',
        "12345  67890",
        "...",
        "longer_" * 40,
        "const ключ = 'значение';",
    ]
)
TEXTS = st.lists(LINES, max_size=60).flatmap(
    lambda rows: st.sampled_from(["\n", "\r\n"]).map(lambda end: end.join([*rows, ""]) if rows else "")
)
SPANS = st.lists(
    st.builds(
        lambda a, n, s: Span(a, a + n, "Session.refresh", "matches token", s),
        st.integers(1, 70),
        st.integers(0, 40),
        st.floats(0, 1),
    ),
    max_size=4,
).map(tuple)
FILES = st.lists(st.tuples(TEXTS, SPANS, st.floats(0, 1)), min_size=1, max_size=6)


def test_json_with_code_is_given_at_every_budget_that_holds_it(context: Context) -> None:
    judged = tuple(Judgment(f"src/part{n}.py", 0.9, (Reason("definition", f"defines part{n}"),)) for n in range(6))
    folder = Folder({judgment.path: "def part():\n    return 1\n" * 9 for judgment in judged})
    asked = replace(context, files=judged[:3], supporting=judged[3:])
    for budget in range(300, 1300):
        assert render(replace(asked, budget=budget), folder, "json", code=True)


def test_how_long_an_answer_took_does_not_change_what_fits(context: Context) -> None:
    """A time of more digits took the place of a line of code."""
    judged = tuple(Judgment(f"src/part{n}.py", 0.9, spans=(Span(1, 90),)) for n in range(3))
    folder = Folder({judgment.path: "def part():\n    return 1\n" * 90 for judgment in judged})
    cycle = context.cycles[0]
    for budget in range(2000, 3000, 40):
        answers = []
        for time, analysed in ((0.5, 0.0), (1.2345678901234567, 60_000.0)):
            cycles = (replace(cycle, seconds=time, cpu_seconds=time),)
            stats = {"documents": 9.0, "analysed": analysed, "seconds_index": time, "seconds": time}
            asked = replace(context, files=judged, cycles=cycles, stats=stats, budget=budget, pack="full")
            value = json.loads(render(asked, folder, "json", code=True))
            if value["stats"]:
                assert value["stats"] == pytest.approx(stats, abs=0.001)
            answers.append({**value, "stats": {}, "cycles": len(value["cycles"])})
        assert answers[0] == answers[1], budget


@settings(tried_on(15), suppress_health_check=list(HealthCheck))
@given(FILES, st.sampled_from(PACKS), st.integers(200, 6000), st.booleans())
def test_budgets_hold_and_quotes_are_true(
    context: Context, written: list[tuple[str, tuple[Span, ...], float]], pack: Pack, budget: int, redact: bool
) -> None:
    names = [f"src/part{n}/module-{n}.{'py' if n % 2 else 'ts'}" for n in range(len(written))]
    folder = Folder({name: text for name, (text, _, _) in zip(names, written, strict=True)})
    judged = tuple(
        Judgment(name, relevance, (Reason("definition", f"defines {name}"),), spans=spans, language="python")
        for name, (_, spans, relevance) in zip(names, written, strict=True)
    )
    asked = replace(context, files=judged[:3], supporting=judged[3:], budget=budget, pack=pack, redact=redact)
    shown = {path_text(name): name for name in names}
    for format_ in FORMATS:
        try:
            text = render(asked, folder, format_, code=True)
        except OptionError:
            assert format_ == "json" and budget < 300
            continue
        assert isinstance(text, str)
        assert estimate(text) <= budget, format_
        assert text == render(asked, folder, format_, code=True)
        for path, number, row in quoted(format_, text, shown):
            original = lines_of(folder(path))[number - 1]
            if "[redacted: " in row:
                assert redact and AWS in original
            else:
                assert row == original if format_ in ("json", "jsonl") else row == original.rstrip(), format_
        if redact:
            assert AWS not in text


@pytest.fixture
def folder(texts: dict[str, str]) -> Folder:
    return Folder(texts)


def test_every_event_follows_the_schema(context: Context, folder: Folder) -> None:
    schema = json_schema("events")
    for budget in (200, 500, 2000, 8000):
        for pack in PACKS:
            asked = replace(context, budget=budget, pack=pack, warnings=("the cache is read-only",))
            text = render(asked, folder, "jsonl")
            assert isinstance(text, str)
            events = [json.loads(row) for row in text.splitlines()]
            for event in events:
                jsonschema.Draft202012Validator(schema).validate(event)
            assert [events[0]["event"], events[-1]["event"]] == ["start", "end"]
            if budget >= 2000:
                assert {"cycle", "file", "gap", "term", "pattern", "warning"} < {e["event"] for e in events}
                places = [e["listed"] for e in events if e["event"] == "file"]
                assert places == ["files"] * 3 + ["supporting", "tests", "documents", "documents"]


def test_events_written_live_are_those_written_at_the_end(context: Context, folder: Folder) -> None:
    options = Options(budget=context.budget, pack=context.pack)
    stream = Stream(context.task, context.repository, options)
    live = stream.start() + "".join(stream.cycle(cycle) for cycle in context.cycles)
    live += "".join(stream.finish(context, folder))
    assert live == render(context, folder, "jsonl")


CLASS = """import os


class Store:
    \"\"\"Holds sessions.\"\"\"

    def __init__(
        self,
        path: str,
    ) -> None:
        self.path = path

    def renew(self, token: str) -> bool:
        # renewed at once
        found = self.find(token)
        if found is None:
            return False

        def inner() -> None:
            pass

        return True


# Reads a store.
# From the disk.
def load(path: str) -> Store:
    return Store(path)
""" + "".join(f"\n\ndef more_{n}(value: int) -> int:\n    return value * {n} + other_value({n})\n" for n in range(60))


def test_spans_come_with_the_signatures_around_them(context: Context) -> None:
    one = Judgment("store.py", 0.9, spans=(Span(14, 16, "Store.renew", "", 1.0),), language="python")
    text = str(render(replace(context, files=(one,), supporting=()), Folder({"store.py": CLASS}), "markdown"))
    assert (
        " 4  class Store:\n    ...\n13      def renew(self, token: str) -> bool:\n14          # renewed at once\n"
        in text
    )


def test_a_signature_is_shown_once(context: Context) -> None:
    spans = (Span(9, 11, "Store.__init__", "", 0.5), Span(14, 16, "Store.renew", "", 1.0))
    one = Judgment("store.py", 0.9, spans=spans, language="python")
    text = str(render(replace(context, files=(one,), supporting=()), Folder({"store.py": CLASS}), "markdown"))
    assert text.count("class Store:") == 1
    assert text.index("class Store:") < text.index("self.path = path") < text.index("# renewed at once")


def test_a_skeleton_has_signatures_and_docs_and_no_bodies(context: Context) -> None:
    one = Judgment("store.py", 0.9, spans=(Span(14, 16, "Store.renew", "", 1.0),), language="python")
    asked = replace(context, files=(one,), supporting=(), pack="skeleton", budget=9000)
    text = str(render(asked, Folder({"store.py": CLASS}), "markdown"))
    for line in (
        "  4  class Store:",
        '  5      """Holds sessions."""',
        "  9          path: str,",
        " 13      def renew(self, token: str) -> bool:",
        " 25  # Reads a store.",
        " 27  def load(path: str) -> Store:",
        " 31  def more_0(value: int) -> int:",
    ):
        assert line in text, line
    for body in ("self.path = path", "return Store(path)", "def inner", "import os"):
        assert body not in text, body
    assert "### store.py (skeleton)" in text


@pytest.mark.parametrize("row", ["class Token{}: pass\n", "# token {}\n"])
def test_a_skeleton_takes_time_in_proportion_to_what_is_defined(
    row: str, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    defined = [Definition(f"Token{n}", "class", n, n) for n in range(1, 8001)]
    folder.texts["a.py"] = "".join(row.format(d.start) for d in defined)
    monkeypatch.setattr(folder, "outline", lambda path: defined)
    file = ShownFile("a.py", folder)
    began = process_time()
    assert [len(lines) for lines in skeletons(file, ())] == [8000]
    assert process_time() - began < 6


def test_full_falls_back_to_spans_and_says_so(context: Context) -> None:
    small = Judgment("small.py", 0.8, spans=(Span(1, 2, "", "", 1.0),), language="python")
    large = Judgment("store.py", 0.9, spans=(Span(13, 17, "Store.renew", "", 1.0),), language="python")
    folder = Folder({"store.py": CLASS, "small.py": "x = 1\n" * 30})
    asked = replace(context, files=(large, small), supporting=(), pack="full", budget=1500)
    text = str(render(asked, folder, "markdown"))
    assert "### store.py (does not fit whole: spans)" in text and "### small.py (whole file)" in text
    ample = str(render(replace(asked, budget=9000), folder, "markdown"))
    assert "### store.py (whole file)" in ample and CLASS.rstrip().split("\n")[-1] in ample


def test_what_is_shown_already_counts_less(context: Context) -> None:
    copy = "".join(f"    result_{n} = compute_the_value(first_{n}, second)\n" for n in range(60))
    other = "".join(f"    outcome_{n} = another_way(to_do_it_{n}, here)\n" for n in range(60))
    span = (Span(1, 60, "", "", 1.0),)
    relevances = {"a.py": 0.8, "b.py": 0.79, "c.py": 0.5}
    files = tuple(Judgment(name, relevance, spans=span) for name, relevance in relevances.items())
    folder = Folder({"a.py": copy + "x\n" * 300, "b.py": copy + "y\n" * 300, "c.py": other + "z\n" * 300})
    asked = replace(context, files=files, supporting=(), gaps=(), terminology=(), budget=3200)
    text = str(render(asked, folder, "markdown"))
    assert "### a.py" in text and "### c.py" in text and "### b.py" not in text


def test_a_page_says_how_much_is_redacted(context: Context) -> None:
    one = Judgment("a.py", 0.9, spans=(Span(1, 3, "", "", 1.0),), language="python")
    folder = Folder({"a.py": f'first = 1\nkey = "{AWS}"\nlast = 3\n'})
    asked = replace(context, files=(one,), supporting=())
    for format_, said in (
        ("markdown", "1 value that looks like a secret redacted."),
        ("table", "1 value that looks like a secret redacted."),
        ("xml", '<redacted count="1"/>'),
        ("json", '"redacted":1'),
        ("jsonl", '"redacted":1'),
    ):
        text = str(render(asked, folder, format_, code=True))
        assert said in text and AWS not in text and "[redacted: AWS Access Key]" in text, format_
        plain = str(render(replace(asked, redact=False), folder, format_, code=True))
        assert AWS in plain and said not in plain, format_
