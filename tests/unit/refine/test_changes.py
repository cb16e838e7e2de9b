"""Every kind of change that REFINE makes is one that DISPATCH acts on: taken out, the next candidates differ."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.repositories import write
from zeroin.answer import Change
from zeroin.config import Options
from zeroin.dispatch.stage import Dispatcher
from zeroin.engine import Repository
from zeroin.index.view import View
from zeroin.query.task import query_of
from zeroin.refine.rewrite import Refiner
from zeroin.types import Evidence, Gap, Judgment, Origin, Query, Search, Span, Task

POOL = 4  # so few that most files are no candidates unless something asks for them
FILES = {
    "src/settings.py": "# What customers know as a voucher is called a rebate in this code.\nTIMEOUT = 3\n",
    "src/shop/voucher.py": "def voucher_limit(order):\n    return settlement(order)\n\n\n"
    "def settlement_of(order):\n    return order\n",
    "src/shop/other.py": "def something(order):\n    return order\n",
    "src/rebate/engine.py": "class RebateEngine:\n    def grant(self, order):\n        return order\n",
    "src/books/settlement.py": "def settlement(order):\n    return order\n",
    "src/mail/limit.py": "def limit_mail(message):\n    return message\n",
    "src/stock/shelf.py": "def shelf(item):\n    return item\n",
    "src/stock/crate.py": "def crate(item):\n    return item\n",
    "src/tax/duty.py": "def duty(value):\n    # tariff of the customs\n    return value\n",
} | {f"src/scores/entry_{i}.py": f"class Entry{i}:\n    amount = {i}\n" for i in range(12)}
VOUCHER, MAIL, CRATE, SHELF = ("src/shop/voucher.py", "src/mail/limit.py", "src/stock/crate.py", "src/stock/shelf.py")


@dataclass(frozen=True)
class Refined:
    """A query, what REFINE made of it, and the changes it says it made."""

    view: View
    before: Query
    after: Query
    changes: tuple[Change, ...]

    def candidates(self, query: Query) -> list[tuple[str, float]]:
        return [(c.path, round(c.score, 6)) for c in Dispatcher(self.view).dispatch(query, POOL)]


@pytest.fixture(scope="module")
def refined(tmp_path_factory: pytest.TempPathFactory) -> Refined:
    """One cycle that gives reason for every kind of change."""
    root = tmp_path_factory.mktemp("changes")
    view = Repository.open(write(root, FILES), jobs=1).opened.view
    before = replace(
        query_of(Task("Let voucher stacking have a limit"), Options()), relevant=(VOUCHER,), excludes=(CRATE,)
    )
    judgments = (
        Judgment(VOUCHER, 1.0, spans=(Span(1, 6),)),
        Judgment(MAIL, 0.1, irrelevant_because="says only in passing, on 1 line: limit"),
    )
    gaps = (
        *(
            Gap("dependency", f"{VOUCHER} needs {path}", sure, (Evidence(VOUCHER),), path, Search(paths=(path,)))
            for path, sure in ((SHELF, True), (CRATE, False))
        ),
        Gap("terminology", "no file says “tariff”", True, (), "tariff", Search(words=("tariff",))),
    )
    # A file that dense retrieval finds is not excluded, and what it finds depends on the encoder.
    after, changes = Refiner(view, frozenset({"dense"})).refine(before, judgments, gaps)
    return Refined(view, before, after, changes)


def learned(query: Query, kind: str) -> Query:
    """The query without the words that were learned as terms, or without those that relevant files say."""
    terms = {term.code_word for term in query.terminology}
    words = tuple(
        k for k in query.keywords if k.origin is not Origin.LEARNED or (k.text in terms) == (kind != "learn_term")
    )
    return replace(query, keywords=words, terminology=() if kind == "learn_term" else query.terminology)


TAKEN_OUT: dict[str, Callable[[Query], Query]] = {
    "learn_term": lambda query: learned(query, "learn_term"),
    "add_keyword": lambda query: learned(query, "add_keyword"),
    "ask": lambda query: replace(query, gaps=()),
    "focus": lambda query: replace(query, focus_areas=()),
    "must_read": lambda query: replace(query, must_read=()),
    "add_pattern": lambda query: replace(query, patterns=()),
    "exclude": lambda query: replace(query, excludes=tuple(p for p in query.excludes if p != MAIL)),
    "revoke_exclude": lambda query: replace(query, excludes=(*query.excludes, CRATE)),
}


def test_one_cycle_gave_reason_for_every_kind(refined: Refined) -> None:
    assert {change.action for change in refined.changes} == set(TAKEN_OUT)
    assert all(change.why for change in refined.changes)


@pytest.mark.parametrize("action", list(TAKEN_OUT))
def test_without_a_change_the_next_candidates_differ(refined: Refined, action: str) -> None:
    after = refined.after
    if action == "must_read":  # what a gap names is a candidate for that alone; here it decides what is read
        after = replace(after, gaps=())
    assert TAKEN_OUT[action](after) != after
    assert refined.candidates(TAKEN_OUT[action](after)) != refined.candidates(after)


def test_every_change_says_what_it_changed(refined: Refined) -> None:
    said = {action: [c.what for c in refined.changes if c.action == action] for action in TAKEN_OUT}
    assert said["learn_term"] == ["rebate"]
    assert "settlement" in said["add_keyword"]
    assert said["ask"] == [SHELF, "tariff", CRATE]  # critical ones first
    assert said["focus"] == ["tariff"]
    assert said["must_read"] == [SHELF]
    assert said["add_pattern"] == ["/src/shop/*.py"]
    assert said["exclude"] == [MAIL]
    assert said["revoke_exclude"] == [CRATE]
    assert CRATE not in refined.after.excludes
    revoked = next(c for c in refined.changes if c.action == "revoke_exclude")
    asking = next(c for c in refined.changes if c.action == "ask" and c.what == CRATE)
    assert "asked for since" in revoked.why
    assert revoked.evidence == asking.evidence


def test_a_preferred_folder_is_the_one_of_its_name(tmp_path: Path) -> None:
    files = {"app/[id]/page.tsx": "export const a = 1\n", "app/i/page.tsx": "export const b = 1\n"}
    view = Repository.open(write(tmp_path, files), jobs=1).opened.view
    query = query_of(Task("Vouchers"), Options())
    after, _ = Refiner(view, frozenset({"dense"})).refine(query, [Judgment("app/[id]/page.tsx", 0.9)], ())
    assert [view.paths[doc] for doc in view.matching(after.patterns)] == ["app/[id]/page.tsx"]
