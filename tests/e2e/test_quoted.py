"""Text that a task quotes is found as text: the file that holds it comes first, and the answer says where."""

from pathlib import Path

import pytest

import zeroin
from benchmarks.reasons import check_context
from tests.repositories import repository

MESSAGE = "could not lock /var/lib/app/jobs.db for build-7: another process holds it"
STORE = '''"""Where jobs are kept."""

from app.errors import StoreLocked


def open_store(path, owner):
    """The store at a path."""
    if not path.exists():
        raise FileNotFoundError(path)
    if path.with_suffix(".lock").exists():
        raise StoreLocked(
            f"could not lock {path} for {owner}: "
            "another process holds it"
        )
    return path
'''
FILES = {
    "app/store.py": STORE,
    "app/errors.py": "class StoreLocked(Exception):\n"
    '    """The lock of a store could not be had: some other process has it."""\n',
    "app/lock.py": "def lock(process):\n    return process.lock()\n\n\ndef hold(lock, process):\n"
    "    return lock.hold(process)\n",
    "app/jobs.py": "from app.store import open_store\n\n\ndef run(path):\n    return open_store(path, 'jobs')\n",
    "app/log.go": "package app\n\nfunc warn(n int, who string) {\n"
    '\tlog.Printf("queue %d of %s is full, dropping", n, who)\n}\n',
    "app/cli.py": "def parser(made):\n    made.add_argument('--no-stripes', action='store_true')\n    return made\n",
    "web/store.js": "function load(name) {\n  throw new Error(`no shelf called ${name} in the cupboard`)\n}\n",
    "tests/test_store.py": "def test_locked():\n    assert says('could not lock a for b: another process holds it')\n",
    "CHANGELOG.md": "# Changes\n\n- “could not lock … for …: another process holds it” names the owner\n",
    "README.md": "# App\n\nRuns jobs, one process at a time, under a lock.\n",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository(tmp_path_factory.mktemp("quoted"), FILES, "Jobs")


@pytest.mark.parametrize(
    "task",
    [
        MESSAGE,
        f"I get: {MESSAGE}",
        f"Since the update the nightly run ends with “{MESSAGE}”, every time.",
        f"When does `{MESSAGE}` happen?",
        f"Nightly run fails\n\n```\n2024-03-01 12:00:01 ERROR {MESSAGE}\n```",
        "It crashes:\n\n```\nTraceback (most recent call last):\n"
        f'  File "/srv/main.py", line 3, in <module>\n    main()\napp.errors.StoreLocked: {MESSAGE}\n```',
        f"main.rb:12:in `run': {MESSAGE} (StoreLocked)",
    ],
)
def test_the_file_that_raises_a_pasted_message_is_first(root: Path, task: str) -> None:
    answer = zeroin.retrieve(task, root)
    best = answer.files[0]
    assert best.path == "app/store.py"
    assert answer.ranking[0].path == "app/store.py"
    [literal] = [r for r in best.reasons if r.kind == "literal"]
    assert literal.text == "contains the quoted text “another process holds it” (line 13)"
    assert [(e.path, e.line) for e in literal.evidence] == [("app/store.py", 13)]
    assert any(span.start <= 12 and span.end >= 13 and span.symbol == "open_store" for span in best.spans)


@pytest.mark.parametrize(
    ("task", "path", "line"),
    [
        ("queue 17 of mail is full, dropping", "app/log.go", 4),
        ("Error: no shelf called 'spices' in the cupboard", "web/store.js", 2),
    ],
)
def test_placeholders_of_other_languages_match_anything(root: Path, task: str, path: str, line: int) -> None:
    best = zeroin.retrieve(task, root).ranking[0]
    assert best.path == path
    assert [r.evidence[0].line for r in best.reasons if r.kind == "literal"] == [line]


def test_a_text_that_no_file_holds_is_a_gap(root: Path) -> None:
    answer = zeroin.retrieve("I get: the teapot of process 7 refused to pour any lock", root)
    assert [g.need for g in answer.gaps if "quoted text" in g.need] == [
        "no file contains the quoted text “the teapot of process 7 refused to pour any lock”"
    ]
    assert not any(r.kind == "literal" for j in answer.ranking for r in j.reasons)


def test_plain_words_are_answered_as_if_nothing_was_looked_up(root: Path) -> None:
    task = "The owner of a lock should be released when its process ends"
    cycle = next(iter(zeroin.open_session(task, root).loop))
    assert not any(r.kind == "literal" for j in cycle.judgments for r in j.reasons)


def test_the_file_that_defines_a_flag_says_so(root: Path) -> None:
    answer = zeroin.retrieve("--no-stripes is ignored", root)
    assert answer.ranking[0].path == "app/cli.py"
    assert "has “--no-stripes” (line 2)" in [r.text for r in answer.ranking[0].reasons]


@pytest.mark.parametrize("task", [MESSAGE, "--no-stripes is ignored", "I get: the teapot of lock 7 refused to pour"])
def test_what_is_said_of_quoted_text_is_so(root: Path, task: str) -> None:
    session = zeroin.open_session(task, root)
    assert check_context(session.run(), session.opened.view, root / ".git") == []


CHECKS = """module Checks where

checkShelf shelf
  | declared shelf = Right ()
  | otherwise = Left $ printf (unlines [
       "%s:%d:"
      ,"%s"
      ,"Strict checking of shelves is on, and"
      ,"shelf \\"%s\\" was never announced."
      ,"Try to announce it. For instance:"
      ]) file line excerpt shelf
"""
PRINTED = """cupboard: Error: /home/ana/kitchen/2025.shelves:41:
   | 2025-03-02 bakery
41 |     shelf:spices:braed       4.20
   |     ^^^^^^^^^^^^^^^^^^

Strict checking of shelves is on, and
shelf "shelf:spices:braed" was never announced.
Try to announce it. For instance:

announce shelf:spices:braed"""


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files whose names and words are nearer to what the program read than those of the file that complains."""
    files = {
        "src/Checks.hs": CHECKS,
        "src/Shelf.hs": "module Shelf where\n\ndata Shelf = Shelf { spices :: Spices, bakery :: Bakery }\n",
        "src/Kitchen/Spices.hs": "module Kitchen.Spices where\n\nspices = shelf bakery 2025\nshelf = announce\n",
        "src/Error.hs": "module Error where\n\nerror file = printError file\nexcerpt = 41\n",
        "docs/kitchen.md": "# Kitchen\n\nThe cupboard has a shelf of spices for the bakery: announce it.\n",
    }
    return repository(tmp_path_factory.mktemp("kitchen"), files, "Shelves")


@pytest.mark.parametrize("task", [PRINTED, f"What is wrong here?\n\n{PRINTED}", PRINTED + "\n\nWhat can I do?"])
def test_each_line_of_pasted_output_is_looked_up(kitchen: Path, task: str) -> None:
    best = zeroin.retrieve(task, kitchen).ranking[0]
    assert best.path == "src/Checks.hs"
    assert [r.evidence[0].line for r in best.reasons if r.kind == "literal"] == [8]


@pytest.mark.parametrize(
    "task",
    [
        "** (Parcels.LabelError) no label for parcel 7. Please choose a label that fits the size of the parcel",
        "parcels: error: parcel 7 cannot be sent\nPlease choose a label that fits the size of the parcel",
        "It prints: Please choose a label that fits the size of the parcel",
        "What does `Please choose a label that fits the size of the parcel` mean?",
    ],
)
def test_a_message_that_asks_for_something_is_no_request_of_the_task(tmp_path: Path, task: str) -> None:
    """A request that a file repeats lifts no file, but this is what the program says."""
    files = {
        "lib/text.ex": 'defmodule Text do\n  def advice do\n    "Please choose a label that fits the size of " <>\n'
        '      "the parcel"\n  end\nend\n',
        "lib/label.ex": "defmodule Label do\n  def fits(parcel, size), do: parcel.size <= size\nend\n",
        "lib/parcel.ex": "defmodule Parcel do\n  defstruct [:label, :size]\nend\n",
    }
    best = zeroin.retrieve(task, repository(tmp_path / "parcels", files)).ranking[0]
    assert best.path == "lib/text.ex"
    assert any(r.kind == "literal" for r in best.reasons)


NOTICE = "the shelf of this order is full, so nothing was put on it"


@pytest.mark.parametrize(
    ("path", "written"),
    [
        (
            "lib/notice.ex",
            'def notice do\n  "the shelf of this order is full, " <>\n    "so nothing was put on it"\nend\n',
        ),
        ("src/Notice.hs", 'notice = "the shelf of this order is full, \\\n  \\so nothing was put on it"\n'),
        ("src/Lines.hs", 'notice = unlines [\n  "the shelf of this order is full,"\n  , "so nothing was put on it"]\n'),
        ("lua/notice.lua", 'local notice = "the shelf of this order is full, "\n  .. "so nothing was put on it"\n'),
        ("sql/notice.sql", "SELECT 'the shelf of this order is full, '\n  || 'so nothing was put on it';\n"),
        (
            "src/notice.c",
            'static const char *notice = "the shelf of this order is full,\\nso nothing was put on it";\n',
        ),
        ("src/notice.h", '#define NOTICE _("the shelf of this order is full, so nothing was put on it")\n'),
    ],
)
def test_a_message_in_pieces_is_found_as_one(tmp_path: Path, path: str, written: str) -> None:
    """Nothing beside it raises or logs, and other files are named after its words."""
    near = {f"src/{name}.c": f"int {name}(int shelf, int order) {{ return {name}; }}\n" for name in ("shelf", "order")}
    answer = zeroin.retrieve(NOTICE, repository(tmp_path / "shelves", {path: written, **near}))
    best = answer.ranking[0]
    assert best.path == path
    assert [r.evidence[0].text for r in best.reasons if r.kind == "literal"] == [NOTICE]
    assert best.relevance > 0.6 > 3 * max(j.relevance for j in answer.ranking[1:])


def test_a_message_whose_values_are_longer_than_itself_is_found(tmp_path: Path) -> None:
    files = {f"src/limit{n}.cpp": f"int undoLimit{n}(int between) {{ return between + {n}; }}\n" for n in range(6)}
    files["src/reader.cpp"] = (
        "void report(Key key, Range range) {\n"
        "    error << tr(\"Bad value in '%1'. Expected: %2\\n\").arg(key, range);\n}\n"
    )
    task = "shot: warning: Bad value in 'undoLimit'. Expected: number between 0 and 999"
    best = zeroin.retrieve(task, repository(tmp_path / "shot", files)).ranking[0]
    assert best.path == "src/reader.cpp"
    assert "contains the quoted text “Bad value in” (line 2)" in [reason.text for reason in best.reasons]


def test_a_keyword_in_a_pasted_error_leads_to_its_namespace(tmp_path: Path) -> None:
    """The frame of the error is in the function that throws for all others."""
    files = {
        "src/shop/failure.cljc": "(ns shop.failure)\n\n(defn failure [kind data]\n  (ex-info (str kind) data))\n\n"
        "(defn fail! [kind data]\n  (throw (failure kind data)))\n",
        "src/shop/shelf_space.cljc": "(ns shop.shelf-space\n  (:require [shop.failure :as f]))\n\n"
        "(defn put [shelf jar]\n  (if (full shelf)\n    (f/fail! ::too-many-jars {:jar 1})\n    (conj shelf jar)))\n",
        "src/shop/jar.cljc": "(ns shop.jar)\n\n(defn jar [size] {:size size})\n\n(defn many [jars] (count jars))\n",
    }
    task = "Execution error (ExceptionInfo) at shop.failure/failure (failure.cljc:4).\n:shop.shelf-space/too-many-jars"
    answer = zeroin.retrieve(task, repository(tmp_path / "jars", files))
    best = answer.ranking[0]
    assert best.path == "src/shop/shelf_space.cljc"
    assert [r.text for r in best.reasons if r.kind == "literal"] == [
        "contains the quoted text “too-many-jars” (line 6)"
    ]
    assert not any("quoted text" in gap.need for gap in answer.gaps)


def test_the_file_that_uses_the_constant_of_a_message_is_found_with_it(tmp_path: Path) -> None:
    files = {
        "src/notices.h": '#define SHELF_OPEN _("the shelf is open")\n'
        '#define ORDER_LOST _("the order of %s was lost on its way to the shelf, so write it anew")\n',
        "src/carrier.c": '#include "notices.h"\n\nvoid carry(int way) {\n  if (!way)\n    report(ORDER_LOST);\n}\n',
        "src/order.c": "int order(int shelf) { return shelf; }\n",
        "src/shelf.c": "int shelf(int order) { return order; }\n",
        "tests/carrier_test.c": '#include "notices.h"\n\nvoid test() { assert(ORDER_LOST); }\n',
    }
    task = "the order of Anna was lost on its way to the shelf, so write it anew"
    answer = zeroin.retrieve(task, repository(tmp_path / "orders", files))
    said = {j.path: [r.text for r in j.reasons if r.kind == "literal"] for j in answer.ranking}
    assert {j.path for j in answer.ranking[:2]} == {"src/notices.h", "src/carrier.c"}
    assert said["src/carrier.c"] == ["uses ORDER_LOST (line 5), which holds the quoted text"]
    assert said["tests/carrier_test.c"] == []
    assert all(j.path in {listed.path for listed in answer.listed} for j in answer.ranking[:2])


def test_the_file_that_asks_a_catalogue_for_its_message_is_found_with_it(tmp_path: Path) -> None:
    text = "'the order of {} was lost on its way to the shelf, so write it anew'"
    files = {f"locale/{tongue}/notices.lua": "" for tongue in ("en", "de", "ja", "pt", "zh")}
    files = {path: f"ORDER_WAS_LOST =\n'{path}'\nSHELF_IS_OPEN =\n'open'\n" for path in files}
    files["locale/en/notices.lua"] = f"ORDER_WAS_LOST =\n{text}\nSHELF_IS_OPEN =\n'open'\n"
    files["src/carrier.lua"] = "local m = {}\nfunction m.carry(way)\n  warn(lang('ORDER_WAS_LOST', way))\nend\n"
    files["src/shelf.lua"] = "local m = {}\nfunction m.open(order)\n  return order\nend\nreturn m\n"
    task = "the order of Anna was lost on its way to the shelf, so write it anew"
    answer = zeroin.retrieve(task, repository(tmp_path / "orders", files))
    assert [j.path for j in answer.listed[:2]] == ["locale/en/notices.lua", "src/carrier.lua"]
    assert "uses ORDER_WAS_LOST (line 3), which holds the quoted text" in [r.text for r in answer.listed[1].reasons]
