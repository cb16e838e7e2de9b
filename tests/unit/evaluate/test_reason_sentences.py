"""Reasons: which are chosen, and every sentence with what proves it."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.repositories import repository
from tests.unit.evaluate.conftest import CLIENT, LOG, README, RETRY, TERMS, TEST, subject
from zeroin.engine import Repository
from zeroin.evaluate.features.table import FEATURES, NONE, RESTATED
from zeroin.evaluate.model.ranker import spread_restated
from zeroin.evaluate.passages import Matcher, TextMatch
from zeroin.evaluate.reasons.subject import Question, Subject
from zeroin.evaluate.reasons.writer import WRITERS, by_evidence, reasons_of, stated
from zeroin.evaluate.task_terms import task_terms_of
from zeroin.index.view import View
from zeroin.types import (
    Candidate,
    Edit,
    Evidence,
    Gap,
    Keyword,
    Origin,
    PathMention,
    Query,
    Quotation,
    Role,
    Search,
    SymbolMention,
)

QUOTED = Quotation("connection refused by the other side", ("connection refused by the other side",))
WORDS = (Keyword("retry request", 1.0, Origin.TITLE),)


def gap(kind: str, **search: tuple[str, ...]) -> Gap:
    evidence = (Evidence(CLIENT, 1),)
    return Gap(kind, "client.py needs it", False, evidence, search=Search(**search))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "path", "query", "text"),
    [
        ("literal", CLIENT, Query(quotations=(QUOTED,)), f"contains the quoted text “{QUOTED.text}” (line 6)"),
        ("path", RETRY, Query(paths=(PathMention(RETRY, 1.0, Origin.PATH),)), "is named by the task"),
        (
            "path",
            RETRY,
            Query(paths=(PathMention(RETRY, 1.0, Origin.PATH, 9), PathMention(RETRY, 1.0, Origin.TRACE, 2, frame=1))),
            "is in the stack trace, line 2",
        ),
        (
            "symbols",
            CLIENT,
            Query(symbols=(SymbolMention("Client.send", 1.0, Origin.PROSE),)),
            "defines Client (line 4), send (line 5), named by the task",
        ),
        (
            "names",
            CLIENT,
            Query(symbols=(SymbolMention("retry_request", 1.0, Origin.PROSE),)),
            "uses retry_request (line 1), named by the task; 3 files use it",
        ),
        ("definitions", RETRY, Query(), "defines retry_request (line 1), whose name says retry, request"),
        ("passage", RETRY, Query(), "lines 1-3 match retry_request, wait"),
        ("name", TEST, Query(), "its path says test_retry"),
        ("language", RETRY, Query(languages=frozenset({"python"})), "is python, as the task"),
        ("pattern", LOG, Query(patterns=("tools/*",)), "lies in tools/*"),
        ("graph", CLIENT, Query(), f"imports {RETRY} (line 1)"),
        ("hub", RETRY, Query(), "imported by 2 files"),
        ("beside", CLIENT, Query(), f"lies beside {RETRY}"),
        ("same_stem", TEST, Query(), f"is named like {RETRY}"),
        ("cochange", CLIENT, Query(), f"changed together with {RETRY} in 2 commits"),
        ("role", TEST, Query(wanted_roles=frozenset({Role.TEST})), "is a test, and the task is about tests"),
        (
            "callers",
            CLIENT,
            Query(
                symbols=(SymbolMention("retry_request", 1.0, Origin.DIFF, "signature"),),
                paths=(PathMention(RETRY, 1.0, Origin.DIFF),),
            ),
            "uses retry_request (line 1), whose definition the change alters",
        ),
        (
            "folder",
            CLIENT,
            Query(paths=(PathMention(RETRY, 1.0, Origin.DIFF),)),
            f"lies beside {RETRY}, which the change touches",
        ),
        (
            "changed_stem",
            TEST,
            Query(paths=(PathMention(RETRY, 1.0, Origin.DIFF),)),
            f"is named like {RETRY}, which the change touches",
        ),
    ],
)  # fmt: skip
def test_a_sentence_and_its_evidence(net: View, kind: str, path: str, query: Query, text: str) -> None:
    reason = WRITERS[kind](subject(net, path, query))
    assert reason is not None and reason.text == text
    for evidence in reason.evidence:
        assert net.doc_of(evidence.path) is not None
        if evidence.line and evidence.symbol:
            lines = net.text(net.numbers[evidence.path]).split("\n")
            assert evidence.symbol in lines[evidence.line - 1]


def test_the_cited_line_is_the_one_that_defines_imports_or_uses(tmp_path: Path) -> None:
    view = Repository.open(
        repository(
            tmp_path / "r",
            {
                "io.py": '@route("/login")\n@needs_login\ndef login(session):\n    return session\n',
                "a.py": "# We require io for login.\nfrom fusion import ratio\nfrom io import login\n\nlogin(1)\n",
                "b.py": '"""Reads\n\nfrom the io file.\n"""\nread(required="io")\nimport io\n',
                "js/io.js": "export const login = 1\n",
                "js/a.js": "const ratio = require('./io-ratio')\nconst io = require('./io')\n",
            },
        )
    ).opened.view
    named = Query(symbols=(SymbolMention("login", 1.0, Origin.PROSE),))
    found = {
        (kind, path): WRITERS[kind](subject(view, path, named, best))
        for kind, path, best in [
            ("symbols", "io.py", "a.py"),
            ("graph", "a.py", "io.py"),
            ("graph", "b.py", "io.py"),
            ("graph", "js/a.js", "js/io.js"),
            ("names", "a.py", "io.py"),
        ]
    }
    assert [reason and reason.evidence[0].line for reason in found.values()] == [3, 3, 6, 2, 3]


@pytest.mark.parametrize(
    ("path", "best", "text"),
    [
        ("cmd/main.go", "net/dial.go", "imports the package of net/dial.go"),
        ("net/dial.go", "cmd/main.go", "is in a package that cmd/main.go imports"),
        ("cmd/main.go", "net/net.go", "imports net/net.go (line 3)"),  # the line says its name, too
        ("Shop/Cart.cs", "Money/Rate.cs", "imports the namespace of Money/Rate.cs"),
    ],
)
def test_an_import_of_a_package_names_none_of_its_files(tmp_path: Path, path: str, best: str, text: str) -> None:
    files = {
        "go.mod": "module app\n",
        "net/dial.go": "package net\n\nfunc Dial() int { return 1 }\n",
        "net/net.go": "package net\n\nfunc Close() int { return 1 }\n",
        "cmd/main.go": 'package main\n\nimport "app/net"\n\nfunc main() { net.Dial(); net.Close() }\n',
        "Money/Rate.cs": "namespace Money;\n\nclass Tariff\n{\n    int Of() { return 1; }\n}\n",
        "Shop/Cart.cs": "using Money;\n\nclass Cart\n{\n    int Sum(Tariff t) { return 2; }\n}\n",
    }
    view = Repository.open(repository(tmp_path / "r", files)).opened.view
    reason = WRITERS["graph"](subject(view, path, Query(), best=best))
    assert reason and reason.text == text


@pytest.mark.parametrize("kind", sorted(WRITERS.keys() - {"changes", "cochange", "landmarks"}))
def test_without_evidence_there_is_no_reason(net: View, kind: str) -> None:
    assert WRITERS[kind](subject(net, README, Query(), best=LOG)) is None


@pytest.mark.parametrize(("opening", "said"), [("module Net", False), ("class Net", True)])
def test_a_namespace_that_many_files_open_is_nothing_that_they_use(tmp_path: Path, opening: str, said: bool) -> None:
    files = {f"{name}.rb": f"{opening}\n  class {name.title()}\n  end\nend\n" for name in ("one", "two")}
    files["README.md"] = "# Net\n\nIt is about nets.\n"
    view = Repository.open(repository(tmp_path / "r", files)).opened.view
    change = Query(symbols=(SymbolMention("Net", 1.0, Origin.DIFF, "body"),))
    assert (WRITERS["callers"](subject(view, "two.rb", change, best="one.rb")) is not None) == said


def test_an_extension_of_a_type_does_not_define_it(tmp_path: Path) -> None:
    files = {
        "Queue.swift": "extension MainActor {\n    static func runNow() {}\n}\n",
        "View.swift": "let a = MainActor.self\n",
    }
    view = Repository.open(repository(tmp_path / "r", files)).opened.view
    change = Query(symbols=(SymbolMention("MainActor", 1.0, Origin.DIFF, "added"),))
    reason = WRITERS["callers"](subject(view, "Queue.swift", change, best="View.swift"))
    assert reason is not None and reason.text == "uses MainActor (line 1), as the change does"
    named = Query(symbols=(SymbolMention("MainActor", 1.0, Origin.SYMBOL),))
    assert WRITERS["symbols"](subject(view, "Queue.swift", named, best="View.swift")) is None


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("retry request", "lines 1-3 say retry, request"),
        ("sleeping", r"lines 1-3 say \w+(, \w+)* for “sleeping”"),
        ("scheduler loop", "lines 1-3 are its nearest to the task by dense retrieval; no single word says why"),
    ],
)
def test_the_nearest_lines_and_their_words(net: View, word: str, text: str) -> None:
    s = subject(net, RETRY, Query(keywords=(Keyword(word, 1.0, Origin.PROSE),)))
    s.strict = False
    reason = WRITERS["dense"](s)
    assert reason is not None and re.fullmatch(text, reason.text)
    lines = net.text(net.numbers[RETRY]).split("\n")
    assert all(e.text in lines[(e.line or 0) - 1] and e.text in reason.text for e in reason.evidence)


def test_words_that_many_files_say_are_no_reason_beside_others(tmp_path: Path) -> None:
    files = {f"job{n}.py": f"def job_{n}():\n    return {n}\n" for n in range(8)}
    files["late.py"] = "def job_late():\n    return overlap(job)\n"
    view = Repository.open(repository(tmp_path / "r", files)).opened.view
    s = Subject(Question(Query(), TERMS, view, ()), Candidate(0, "job0.py", 1.0), TextMatch())
    assert s.telling(["job", "overlap"]) == ["overlap"]
    assert s.telling(["job"]) == s.telling([]) == []
    assert s.telling(["job_late"]) == ["job_late"]


def test_a_word_of_another_language_is_no_reference(tmp_path: Path) -> None:
    files = {
        "plugin/install.rb": "def install_gem\n  1\nend\n",
        "libexec/help": "#!/bin/sh\ninstall_gem\n",
        "lib/quote.rb": "# install_gem\nrun('install_gem')\n",
        "lib/use.rb": "x = 1\n\ninstall_gem\n",
    }
    asked = (gap("reference", symbols=("install_gem",)),)

    def told(folder: str, *paths: str) -> str:
        view = Repository.open(repository(tmp_path / folder, {path: files[path] for path in paths})).opened.view
        reason = WRITERS["followed"](subject(view, paths[0], Query(), best=paths[-1], asked_by=asked))
        return "" if reason is None else reason.text

    assert told("shell", "plugin/install.rb", "libexec/help") == ""
    assert told("quoted", "plugin/install.rb", "lib/quote.rb") == ""  # nor is a comment or a string
    assert told("both", *files) == "defines install_gem (line 1), which lib/use.rb:3 refers to"


def test_what_a_gap_asked_for(net: View) -> None:
    home = WRITERS["followed"](
        subject(net, RETRY, Query(), best=CLIENT, asked_by=(gap("reference", symbols=("retry_request",)),))
    )
    assert home is not None
    assert home.text == f"defines retry_request (line 1), which {CLIENT}:1 refers to"
    user = WRITERS["asked"](subject(net, TEST, Query(), asked_by=(gap("counterpart", paths=(TEST,)),)))
    assert user is not None and (user.text, user.evidence) == ("client.py needs it", (Evidence(CLIENT, 1),))


def test_reasons_are_chosen_by_what_they_added(net: View) -> None:
    s = subject(net, TEST, Query(), why={"mine": "heard of it"})
    amounts = {"lexical": 1.0, "imports_best": 0.9, "same_stem_as_best": 0.2, "path_terms": -3.0, "is_test": -0.5}
    kinds = [r.kind for r in reasons_of(s.question, s.candidate, s.match, amounts, 0.0)]
    # 0.2 is less than 15 % of 2.1; what speaks against the file comes last.
    assert kinds == ["passage", "graph", "retriever", "role"]
    amounts |= {"lexical": 0.1, "imports_best": 2.0}
    kinds = [r.kind for r in reasons_of(s.question, s.candidate, s.match, amounts, 0.0)]
    assert kinds == ["passage", "graph", "retriever", "role"]  # an import does not tell what is in the file
    quoted = reasons_of(s.question, s.candidate, s.match, {"lexical": 1.0}, 2.0)
    assert [r.kind for r in quoted] == ["passage", "retriever"]  # the file holds no quoted text
    assert reasons_of(s.question, replace(s.candidate, why={}), s.match, {"prior": 1.0}, 0.0) == ()


def test_a_text_that_the_file_holds_word_for_word_comes_first(net: View) -> None:
    s = subject(net, CLIENT, Query(keywords=WORDS, quotations=(QUOTED,)))
    found = reasons_of(s.question, s.candidate, s.match, {"lexical": 2.0}, 0.1)
    assert found[0].kind == "literal"


def test_package_lines_are_no_reason_and_words_in_capitals_no_name(tmp_path: Path) -> None:
    files = {
        "a/Comments.java": "package org.app.comments;\n\nclass A {\n    int size() { return DNS; }\n}\n",
        "b/Log.java": 'class Log { String s = "DNS failed"; }\n',
    }
    view = Repository.open(repository(tmp_path / "r", files), jobs=1).opened.view
    asked = Query(
        keywords=(Keyword("comments", 1.0, Origin.TITLE),), symbols=(SymbolMention("DNS", 1.0, Origin.PROSE),)
    )
    doc, terms = view.numbers["a/Comments.java"], task_terms_of(asked, view)
    question = Question(asked, terms, view, ())
    s = Subject(question, Candidate(doc, "a/Comments.java", 1.0), Matcher(view).read([doc], terms)[doc])
    assert WRITERS["passage"](s) is None
    assert WRITERS["names"](s) is None  # it stands in a text of Log.java, too


def test_a_package_is_nothing_that_a_file_defines(tmp_path: Path) -> None:
    files = {"basket.go": "package basket\n\nfunc BasketTotal() int { return 1 }\n", "row.go": "package basket\n"}
    view = Repository.open(repository(tmp_path / "r", files)).opened.view
    asked = Query(
        keywords=(Keyword("basket", 1.0, Origin.TITLE),), symbols=(SymbolMention("basket", 1.0, Origin.PROSE),)
    )
    question = Question(asked, task_terms_of(asked, view), view, ())

    def told(path: str) -> list[str]:
        s = Subject(question, Candidate(view.numbers[path], path, 1.0), TextMatch())
        return [reason.text for kind in ("symbols", "definitions") if (reason := WRITERS[kind](s)) is not None]

    assert told("basket.go") == ["defines BasketTotal (line 3), whose name says basket"]
    assert told("row.go") == []


def test_a_file_judged_elsewhere_gets_whatever_there_is(net: View) -> None:
    terms = task_terms_of(Query(keywords=WORDS), net)
    question = Question(Query(keywords=WORDS), terms, net, ())
    doc = net.numbers[RETRY]
    found = stated(question, Candidate(doc, RETRY, 1.0), Matcher(net).read([doc], terms)[doc])
    assert [r.kind for r in found] == ["definition", "passage", "name", "history"]


def test_every_kind_of_evidence_has_a_writer() -> None:
    kinds = {feature.evidence for feature in FEATURES.values()}
    assert kinds - {NONE, RESTATED} <= WRITERS.keys()
    assert WRITERS.keys() - kinds == {"literal", "retriever"}  # no feature: quoted text, a caller's retriever


def test_evidence_is_the_sum_of_its_features() -> None:
    contributions = {"symbols": 1.0, "defines_title": -0.25, "test": -2.0, "task_words": 3.0, "prior": 0.5}
    assert by_evidence(contributions) == {"symbols": 0.75, "role": -2.0, NONE: 3.5}


def test_a_restated_score_belongs_to_the_features_behind_it() -> None:
    linear = {"lexical": 3.0, "history": 1.0, "test": -2.0}
    raised = spread_restated({"prior": 1.0, "prior_rank": 1.0, "lexical": 0.5}, linear)
    assert raised == pytest.approx({"lexical": 0.5 + 2.0 * 3 / 4, "history": 2.0 * 1 / 4})
    cut = spread_restated({"prior": -1.0, "lexical": 0.5}, linear)
    assert cut == pytest.approx({"lexical": 0.5, "test": -1.0})
    assert spread_restated({"prior": 1.0}, {"test": -1.0}) == {"prior": 1.0}


def test_what_a_file_defines_it_is_not_said_to_use(net: View) -> None:
    query = Query(symbols=(SymbolMention("retry_request", 1.0, Origin.PROSE),))
    assert WRITERS["names"](subject(net, RETRY, query)) is None


def test_words_that_most_paths_hold_are_no_reason(tmp_path: Path) -> None:
    files = {f"src/shop/part{n}.py": f"def part{n}():\n    pass\n" for n in range(12)}
    view = Repository.open(repository(tmp_path / "r", files | {"src/shop/cart.py": "A = 1\n"}), jobs=1).opened.view
    query = Query(keywords=(Keyword("shop cart", 1.0, Origin.TITLE),))
    question = Question(query, task_terms_of(query, view), view, ())
    doc = view.numbers["src/shop/cart.py"]
    match = Matcher(view).read([doc], question.terms)[doc]
    reason = WRITERS["name"](Subject(question, Candidate(doc, "src/shop/cart.py", 1.0), match))
    assert reason is not None and reason.text == "its path says cart"


@pytest.mark.parametrize(
    ("path", "name", "edit", "text"),
    [
        ("keys.py", "parse_key", "", "defines parse_key (line 4), which the change uses"),
        ("other.py", "parse_key", "", "defines parse_key (line 1), named by the change"),
        ("other.py", "Own", "added", "has its own Own (line 9), as the change does"),
        ("other.py", "read", "", "has its own read (line 5), as the change does"),
        ("user.py", "note", "signature", ""),  # a word that no file defines
        ("caller.py", "note", "signature", "uses note (line 3), whose definition the change alters"),
        ("caller.py", "event", "removed", "uses event (line 4), which the change removes"),
        ("user.py", "event", "removed", ""),
        ("user.py", "log_all", "body", "uses log_all (line 4), as the change does"),  # a call in the header of a hunk
        ("page.js", "parse_key", "", ""),  # of another language
        ("user.py", "send_event", "removed", "uses send_event (line 2), which the change removes"),
        ("user.py", "parse_key", "removed", "uses parse_key (line 3), as the change does"),
    ],
)
def test_what_a_file_is_to_the_names_of_a_change(tmp_path: Path, path: str, name: str, edit: Edit, text: str) -> None:
    files = {
        "read.py": "from keys import parse_key\n\n\ndef read(x):\n    note = x\n    return parse_key(note)\n",
        "keys.py": "KEYS = parse_key\n\n\ndef parse_key(x):\n    return x\n",
        "other.py": "def parse_key(x):\n    return Own\n\n\ndef read(x):\n    return x\n\n\nclass Own:\n    pass\n",
        "user.py": "print(builtin.note)\nshow(event, send_event())\nlog.parse_key(1)\nlog_all()\n",
        "page.js": "show(parse_key(1))\n",
        "caller.py": "from read import read\n\nprint(read.note)\nevent(1)\n",
    }
    view = Repository.open(repository(tmp_path / "r", files)).opened.view
    symbols = (SymbolMention(name, 1.0, Origin.DIFF, edit),)
    change = Query(symbols=symbols, paths=(PathMention("read.py", 1.0, Origin.DIFF),))
    s = subject(view, path, change, best="read.py")
    strict = WRITERS["callers"](s)
    s.strict = False
    reason = WRITERS["callers"](s)
    assert (reason.text if reason is not None else "") == text
    # A plain word that both say tells nothing, as long as there is another reason.
    coincides = name.islower() and "_" not in name and text.endswith("as the change does")
    assert strict == (None if coincides else reason)
