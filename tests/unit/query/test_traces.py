"""Each trace family: frames innermost first with path, line and function; errors; what is not of the repository."""

import tomllib
from pathlib import Path

import pytest

from zeroin.config import Options
from zeroin.query.segment import title_of
from zeroin.query.task import query_of
from zeroin.query.traces import LineKind, scan
from zeroin.types import Task

FAMILIES = tomllib.loads(Path(__file__).with_name("traces.toml").read_text("utf-8"))
LOGS = ("2026-01-02 10:00:{:02},123 ERROR ", "2026-01-02T10:00:00.12{}Z stderr F ", "web_1  | ", "[rank0]: ")


def errors_of(lines: list[str]) -> list[str]:
    return [line for line, kind in zip(lines, scan(lines).kinds, strict=True) if kind is LineKind.ERROR]


@pytest.mark.parametrize(
    ("family", "prefix"),
    [
        (family, prefix)
        for family in FAMILIES
        for prefix in ("", *([] if family in ("python 8 notebook", "ipython", "rich") else LOGS))
    ],
)
def test_family(family: str, prefix: str) -> None:
    """Whatever a log puts before each line."""
    given = FAMILIES[family]
    lines = [prefix.format(n) + line for n, line in enumerate(given["text"].strip("\n").split("\n"))]
    found = scan(lines)
    assert [[f.path, f.line or 0, f.symbol] for t in found.traces for f in t.frames] == given["frames"]
    assert any(given.get("error", "") in line for line in errors_of(lines) or ("",))


CHAINED = """Traceback (most recent call last):
  File "pkg/low.py", line 3, in read
    open(p)
FileNotFoundError: no such file

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "pkg/top.py", line 9, in main
    load()
  File "pkg/mid.py", line 5, in load
    raise ConfigError(p)
pkg.errors.ConfigError: cannot load"""
CAUSED = """java.lang.IllegalStateException: outer
	at org.acme.A.run(A.java:1)
	... 12 more
Caused by: org.acme.DbException: inner
	at org.acme.Db.open(Db.java:9)
	... 40 more"""


@pytest.mark.parametrize(
    ("text", "paths", "errors"),
    [
        (CHAINED, [["pkg/low.py"], ["pkg/mid.py", "pkg/top.py"]], ["no such file", "cannot load"]),
        (CAUSED, [["org/acme/A.java"], ["org/acme/Db.java"]], ["outer", "inner"]),
    ],
)
def test_a_cause_is_a_trace_of_its_own(text: str, paths: list[list[str]], errors: list[str]) -> None:
    lines = text.split("\n")
    assert [[f.path for f in t.frames] for t in scan(lines).traces] == paths
    assert [e.rpartition(": ")[2] for e in errors_of(lines)] == errors


@pytest.mark.parametrize(
    ("line", "path", "number"),
    [
        ("src/core/io.cpp:57:12: error: no matching function for call to 'read'", "src/core/io.cpp", 57),
        ("src/app.ts(12,5): error TS2322: Type 'x' is not assignable", "src/app.ts", 12),
        ("src/app.ts:12:5 - error TS2322: Type 'x' is not assignable", "src/app.ts", 12),
        ("pkg/a.py:7: error: Incompatible types in assignment", "pkg/a.py", 7),
        ("./cmd/run.go:9:2: undefined: Foo", "cmd/run.go", 9),
        ("  --> src/main.rs:22:30", "src/main.rs", 22),
    ],
)
def test_compilers(line: str, path: str, number: int) -> None:
    (trace,) = scan([line]).traces
    assert not trace.ordered
    assert (trace.frames[0].path, trace.frames[0].line) == (path, number)


def test_eslint_lines_belong_to_the_path_above_them() -> None:
    places = ["  12:5  error  Expected 4 spaces  indent", "  19:1  warning  Unused  no-unused"]
    frames = [f for t in scan(["/repo/src/indent.js", *places]).traces for f in t.frames]
    assert [(f.path, f.line) for f in frames] == [("repo/src/indent.js", 12), ("repo/src/indent.js", 19)]


@pytest.mark.parametrize(
    "line",
    ["I looked at the file and in the end it failed.", "at the end (really) we stop", "Result: 12:30", "see foo(bar)"],
)
def test_prose_is_no_trace(line: str) -> None:
    assert scan([line]).kinds == ("",)


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("shop.TooManyRowsException", ""),
        ("shop.TooManyRowsException: 2 rows for key 7", "shop.TooManyRowsException: 2 rows for key 7"),
        ("Orders fail since the last release", "Orders fail since the last release"),
    ],
)
def test_the_bare_type_of_an_error_above_its_frames_is_no_title(line: str, title: str) -> None:
    assert title_of([line, "\tat shop.Session.single(Session.scala:231)"])[0] == title


@pytest.mark.parametrize(
    ("task", "path", "line"),
    [
        (
            "/app/lib/shop/cart.rb:42:in `total': undefined method (NoMethodError)\n\tfrom lib/b.rb:7:in `x'",
            "lib/shop/cart.rb",
            42,
        ),
        ("e: file:///home/ana/shop/src/Cart.kt:42:7 Unresolved reference: total", "shop/src/Cart.kt", 42),
        ("src/cart.ts(42,7): error TS2322: Type 'string' is not a number.", "src/cart.ts", 42),
        ("src/Cart.cs(42): warning CS0168: unused\n\nSince the update.", "src/Cart.cs", 42),
    ],
)
def test_a_trace_whose_first_line_is_the_title_keeps_its_first_frame(task: str, path: str, line: int) -> None:
    query = query_of(Task(task), Options())
    assert query.title == task.split("\n")[0]
    assert (path, line) in [(mention.path, mention.line) for mention in query.paths]


@pytest.mark.parametrize(
    "task",
    [
        'File "src/shop/cart.py", line 42',
        'File "src/shop/cart.py", line 42, in x\n\n🔥',
        '2026-01-02 10:00:00,123 ERROR   File "src/shop/cart.py", line 42, in x',
    ],
)
def test_a_place_is_a_task(task: str) -> None:
    query = query_of(Task(task), Options())
    assert [(mention.path, mention.line) for mention in query.paths] == [("src/shop/cart.py", 42)]
    assert {"shop", "cart"} <= {keyword.text for keyword in query.keywords}
