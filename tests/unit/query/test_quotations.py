"""What of a task is looked up as text: messages and what is quoted, and nothing of a description."""

from pathlib import Path

import pytest

import zeroin
from tests.repositories import repository
from zeroin.config import Options
from zeroin.query.quotations import MAX_NAMES, MAX_QUOTATIONS
from zeroin.query.task import query_of
from zeroin.types import Quotation, Task


def quoted(task: str) -> tuple[Quotation, ...]:
    return query_of(Task(task), Options()).quotations


@pytest.mark.parametrize(
    ("task", "text"),
    [
        ("I get: cannot open the index of shelf 7", "cannot open the index of shelf 7"),
        ("ValueError: cannot open the index", "cannot open the index"),
        ("The build stops with “cannot open the index” since Monday.", "cannot open the index"),
        ("What does `cannot open the index` mean?", "cannot open the index"),
        ("It fails\n\n```\n2024-03-01 12:00:01 ERROR cannot open the index\n```", "cannot open the index"),
        ("app.rb:12:in `run': cannot open the index (Shop::IndexError)", "cannot open the index"),
        ("It prints\n\n```\ncannot open the index\n```\n\nand ends.", "cannot open the index"),
    ],
)
def test_a_message_is_told_from_what_is_put_around_it(task: str, text: str) -> None:
    first = quoted(task)[0]
    assert first.text == text and first.marked


@pytest.mark.parametrize(
    "task", ["Beim Speichern kommt „{}“, aber warum?", "Beim Speichern kommt “{}”, aber warum?", "{}"]
)
def test_a_message_in_another_language_is_looked_up_as_it_is_written(task: str) -> None:
    message = "Größe der Tabelle übersteigt das Höchstmaß von Zeilen"
    assert quoted(task.format(message))[0].text == message


def test_what_looks_filled_in_is_no_fixed_text() -> None:
    first = quoted("Error: could not read '/srv/a b.csv' as build-7 in 1200 ms from data.csv, giving up")[0]
    assert first.fixed == ("could not read", "as build-7 in", "ms from", ", giving up")


@pytest.mark.parametrize(
    ("task", "fixed"),
    [
        ("HTTP error received on http://www.last.fm/api?x=1", ("HTTP error received on",)),
        ("Failed resolving hostname a.dyndns.com: Name or service not known", ("Failed resolving hostname",)),
        ("app[812]: Failed resolving hostname a.b.org: no such host", ("Failed resolving hostname",)),
    ],
)
def test_addresses_hosts_and_what_the_system_says_are_no_fixed_text(task: str, fixed: tuple[str, ...]) -> None:
    assert quoted(task)[0].fixed == fixed


def test_a_program_s_translations_do_not_use_up_the_lookup_of_a_message(tmp_path: Path) -> None:
    said = "<source>Load the catalogue of words. Locale: %1.</source>\n"
    files = {f"src/lang/app_{i:02}.ts": f"<?xml version='1.0'?>\n{said}" + "<a>b</a>\n" * 20_000 for i in range(50)}
    files["src/app.cpp"] = 'void load(Text at) {\n    log(tr("Load the catalogue of words. Locale: %1.").arg(at));\n}\n'
    answer = zeroin.retrieve("Load the catalogue of words. Locale: de.", repository(tmp_path / "qt", files), jobs=1)
    assert answer.ranking[0].path == "src/app.cpp"
    assert "contains the quoted text" in answer.ranking[0].reasons[0].text


def test_flags_variables_and_quoted_keys_are_names() -> None:
    names = [q.text for q in quoted("`--no-color` and NO_COLOR_AT_ALL are ignored, but `ui.color` is not") if q.name]
    assert names == ["--no-color", "NO_COLOR_AT_ALL", "ui.color"]


@pytest.mark.parametrize(
    ("task", "names"),
    [
        ("Press Ctrl+C or shift-Tab", ["Ctrl+C", "C-c", "shift+Tab"]),
        ("Control + Alt + Delete, Alt-F4", ["Ctrl+Alt+Delete", "Alt+F4"]),
        ("After the Windows key and V", ["Win+V"]),
        ("C-c is ignored", ["C-c", "Ctrl+c"]),
        ("An alt-text, a shift-reduce parser, C++ and option - a", []),
    ],
)
def test_keys_pressed_together_are_names(task: str, names: list[str]) -> None:
    assert [q.text for q in quoted(f"It hangs. {task} in the editor") if q.name] == names


@pytest.mark.parametrize(("task", "word"), [("C-c", "Ctrl"), ("M-x", "Alt"), ("`C-x` C-f", "Ctrl")])
def test_keys_alone_are_a_task(tmp_path: Path, task: str, word: str) -> None:
    files = {f"src/part{n}.py": f"def part_{n}(window, x, c):\n    return window + {n}\n" for n in range(9)}
    root = repository(tmp_path, files | {"src/board.py": f"def held(v):\n    # after {word}+J\n    return v\n"})
    context = zeroin.retrieve(task, root)
    assert [k.text for k in context.cycles[0].query.keywords] == [word]
    assert context.ranking[0].path == "src/board.py"


@pytest.mark.parametrize("written", ["Win+V", "Win + V", "win-v"])
def test_a_file_that_writes_the_keys_is_named_for_them(tmp_path: Path, written: str) -> None:
    files = {f"src/part{n}.py": f"def key_{n}(window, v):\n    return window + {n}\n" for n in range(9)}
    root = repository(
        tmp_path, files | {"src/board.py": f"def held(v):\n    # as after {written} on some\n    return v\n"}
    )
    context = zeroin.retrieve("It hangs after the Windows key and V", root)
    reasons = {judgment.path: [reason.text for reason in judgment.reasons] for judgment in context.ranking}
    assert f"has “{written}” (line 2)" in reasons["src/board.py"]
    assert not any(text.startswith("has “") for path in files for text in reasons.get(path, ()))
    absent = zeroin.retrieve("Alt+F12", root)
    assert not any("Alt+F12" in gap.need for gap in absent.gaps)


def test_nothing_of_a_description_or_of_code_is_looked_up() -> None:
    prose = "\n\n".join(f"Paragraph {n} says how the shop keeps its shelves in order, at length." for n in range(9))
    assert quoted(f"Shelves are sorted wrongly\n\n{prose}") == ()
    assert quoted("Wrong result\n\n" + prose + "\n\n```python\nfrom shop import shelf\nx = shelf(1)\n```") == ()


def test_a_long_log_is_a_few_lookups() -> None:
    log = "\n".join(
        f"12:00:{n % 60:02} ERROR worker {n} of queue{n} could not read shelf number{n}" for n in range(500)
    )
    names = " ".join(f"--flag-number-{'x' * n}" for n in range(40))
    found = quoted(f"It fails with {names}\n\n```\n{log}\n```")
    assert len([q for q in found if not q.name]) <= MAX_QUOTATIONS
    assert len([q for q in found if q.name]) == MAX_NAMES


def test_the_type_of_an_error_names_no_file() -> None:
    for name, paths in (("com.shop.CartException", set()), ("com.shop.Cart", {"com.shop.Cart"})):
        query = query_of(Task(f"{name}: expected an open cart but was null"), Options())
        assert {path.path for path in query.paths} == paths and name in {s.name for s in query.symbols}


def test_a_message_of_a_program_s_output_is_read_as_one_and_line_by_line() -> None:
    printed = (
        "shop: error: at orders.toml:3:\n 3 | shelf = 7\n   |\n\nthe shelf of the order is\nnowhere in the cupboard"
    )
    texts = [q.text for q in quoted(printed)]
    assert "the shelf of the order is nowhere in the cupboard" in texts and "nowhere in the cupboard" in texts
    assert not any("shelf = 7" in text for text in texts)
    about = "We moved the shelf of the order to the cupboard in my kitchen."
    assert not any("kitchen" in q.text for q in quoted(f"{printed}\n\n{about}"))


def test_the_name_of_the_program_is_no_part_of_its_message() -> None:
    assert quoted("shop: error: cannot open the index")[0].text == "cannot open the index"


@pytest.mark.parametrize(
    ("printed", "text", "other"),
    [
        ("$ make\ngcc -o x x.c\nx.c:3:1: error: unknown type name 'foo'\n{}", "unknown type name 'foo", "make: ***"),
        (
            "error: could not find `Cargo.toml` in the folder\n{}",
            "in the folder",
            "thread 'main' panicked at src/a.rs:1:5:",
        ),
        ("error: the shelf of the order\n{}", "the shelf of the order", "$ git push origin main"),
        ("error: the shelf of the order\n{}", "the shelf of the order", "ana@host:~/shop$ git push origin main"),
        ("error: the shelf of the order\n{}", "the shelf of the order", "src/shop.c:12:3: it was used here"),
        ("error: the shelf of the order\n{}", "the shelf of the order", "shop: closing the shelf at once"),
        ("error: the shelf of the order\n{}", "the shelf of the order", "  at Shelf.open (src/shelf.js:12:3)"),
    ],
)
def test_messages_of_several_programs_are_not_joined(printed: str, text: str, other: str) -> None:
    other = other.replace("***", "*** [Makefile:10: x] Error 1")
    texts = [q.text for q in quoted(printed.format(other))]
    assert any(found.endswith(text) for found in texts)
    assert not any(text in found and other[-12:] in found for found in texts)


@pytest.mark.parametrize(
    "line",
    [
        "Syntax error macroexpanding at (shop/ring.cljc:10:1).",
        "Syntax error (ExceptionInfo) compiling at (shop/ring.cljc:10:1).",
        "Execution error at shop.ring/routes (ring.cljc:10).",
        "thread 'main' panicked at src/main.rs:12:5:",
        "In file included from src/shop.c:3:",
        "src/shop.c: In function 'open_shelf':",
    ],
)
def test_a_line_that_only_says_where_is_no_quotation(line: str) -> None:
    assert quoted(line) == ()
    assert [q.text for q in quoted(f"{line}\ncannot open the index of shelves") if q.marked or q.part] == [
        "cannot open the index of shelves"
    ]


@pytest.mark.parametrize(
    "line",
    [
        "thread 'main' panicked at 'cannot open the index', src/main.rs:12:5",
        "src/shop.c:3:1: error: cannot open the index",
        "Syntax error at the end of the shelf list",
    ],
)
def test_a_message_with_its_place_is_a_quotation(line: str) -> None:
    assert any("the index" in q.text or "shelf list" in q.text for q in quoted(line))
