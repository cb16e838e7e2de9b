"""What is missing is found by imports, names and symbols of real repositories, and told by one rule."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from zeroin.config import Options
from zeroin.context.told import told_gaps
from zeroin.engine import Repository
from zeroin.evaluate.gaps import GapFinder, chosen, leads_of
from zeroin.evaluate.gaps_chance import CRITICAL, Lead, with_chances
from zeroin.evaluate.gaps_hand import Hand
from zeroin.evaluate.information import information_of
from zeroin.query.task import query_of
from zeroin.types import Evidence, Gap, Judgment, Role, Search, Span, Task

FILLER = {f"src/parts/part{n}.py": f"def part{n}(value):\n    return value + {n}\n" for n in range(12)}
PAYMENT = {
    "src/pay/Gateway.java": "package pay;\npublic interface PaymentGateway {\n  void charge(int cents);\n}\n",
    "src/pay/Stripe.java": "package pay;\nclass Stripe implements PaymentGateway {\n"
    "  public void charge(int c) {}\n}\n",
}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))


def hand_of(folder: Path, files: Mapping[str, str], text: str, held: Mapping[str, float]) -> Hand:
    """What is in hand of a repository when the files of `held` are judged as it says, whole files as spans."""
    for path, content in {**FILLER, **files}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8")
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all of it"]):
        who = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
        subprocess.run(["git", *who, *command], cwd=folder, check=True)
    view = Repository.open(folder, jobs=1).opened.view
    task = Task(text)
    query = query_of(task, Options())
    judgments = []
    for path, relevance in sorted(held.items(), key=lambda item: -item[1]):
        doc = view.doc_of(path)
        assert doc is not None
        spans = (Span(1, int(view.snapshot.lines[doc])),)
        judgments.append(Judgment(path, relevance, spans=spans, role=view.snapshot.role(doc)))
    return Hand(task, query, information_of(query, (), view), view, judgments, {})


def named(hand: Hand, path: str) -> set[tuple[str, str]]:
    """Kind and form of the leads that name a file."""
    return {(lead.kind, lead.form) for lead in leads_of(hand) if path in lead.search.paths}


def gaps_of(hand: Hand) -> tuple[Gap, ...]:
    return finder_of(hand).find(hand.judgments, hand.passages)


def finder_of(hand: Hand) -> GapFinder:
    return GapFinder(hand.task, hand.query, hand.information, hand.view)


def test_an_imported_module_that_the_task_names_is_a_dependency(tmp_path: Path) -> None:
    files = {
        "src/shop/__init__.py": "",
        "src/shop/order.py": "from src.shop.discount import reduced\n\n\ndef order_discount(x):\n"
        "    return reduced(x)\n",
        "src/shop/discount.py": "def reduced(x):\n    return x\n\n\ndef discount_rate():\n    return 1\n",
        "src/shop/checkout.py": "from src.shop.order import order_discount\n\n\ndef checkout_order(x):\n"
        "    return order_discount(x)\n",
    }
    hand = hand_of(
        tmp_path / "repo", files, "Order gets the wrong discount at checkout", {"src/shop/order.py": 0.6}
    )
    assert ("dependency", "imported") in named(hand, "src/shop/discount.py")
    assert ("dependency", "importer") in named(hand, "src/shop/checkout.py")
    assert not named(hand, "src/parts/part3.py")
    lead = next(lead for lead in leads_of(hand) if lead.form == "imported")
    (told,) = finder_of(hand).located([lead])
    assert told.evidence == (Evidence("src/shop/order.py", 1), Evidence("src/shop/discount.py"))
    assert told.follow_up == "src/shop/discount.py"
    assert any("src/shop/discount.py" in gap.search.paths for gap in gaps_of(hand))


def test_header_and_source_are_counterparts(tmp_path: Path) -> None:
    files = {
        "src/queue/ringbuffer.c": '#include "ringbuffer.h"\nint ring_push(int x) { return x; }\n',
        "include/ringbuffer.h": "int ring_push(int x);\n",
    }
    hand = hand_of(tmp_path / "repo", files, "push to the ringbuffer fails", {"src/queue/ringbuffer.c": 0.8})
    assert ("counterpart", "namesake") in named(hand, "include/ringbuffer.h")


def test_a_test_in_hand_misses_what_it_tests(tmp_path: Path) -> None:
    files = {
        "src/mail/sender.py": "def send_mail(to):\n    return to\n",
        "tests/test_sender.py": "from src.mail.sender import send_mail\n\n\ndef test_send():\n"
        "    assert send_mail(1)\n",
    }
    hand = hand_of(tmp_path / "repo", files, "test of mail fails", {"tests/test_sender.py": 0.8})
    assert ("counterpart", "tested") in named(hand, "src/mail/sender.py")


def test_a_handler_misses_its_routes(tmp_path: Path) -> None:
    files = {
        "src/handlers/invoice_handlers.py": "def list_invoices(request):\n    return []\n",
        "src/web/routes.py": "from src.handlers.invoice_handlers import list_invoices\n\nROUTES = [list_invoices]\n",
    }
    hand = hand_of(tmp_path / "repo", files, "list of invoices", {"src/handlers/invoice_handlers.py": 0.8})
    forms = {(lead.form, lead.follow_up) for lead in leads_of(hand) if lead.kind == "counterpart"}
    assert ("route", "src/web/routes.py list_invoices") in forms


def test_an_interface_misses_its_implementation(tmp_path: Path) -> None:
    files = PAYMENT
    hand = hand_of(tmp_path / "repo", files, "payment is charged twice", {"src/pay/Gateway.java": 0.8})
    assert ("counterpart", "implementation") in named(hand, "src/pay/Stripe.java")


def test_a_symbol_behind_an_interface_is_critical_when_a_good_file_uses_it(tmp_path: Path) -> None:
    basket = (
        "package pay;\nclass Basket {\n  PaymentGateway gateway;\n  void pay() { gateway.charge(1); }\n}\n"
    )
    files = {**PAYMENT, "src/pay/Basket.java": basket}
    hand = hand_of(tmp_path / "repo", files, "basket is paid twice", {"src/pay/Basket.java": 0.8})
    gap = next(g for g in gaps_of(hand) if g.kind == "reference" and "PaymentGateway" in g.search.symbols)
    assert gap.critical
    assert set(gap.search.paths) == {"src/pay/Gateway.java", "src/pay/Stripe.java"}
    assert gap.evidence[0] == Evidence("src/pay/Basket.java", 3, "PaymentGateway")


def test_a_setting_and_its_reader_are_counterparts(tmp_path: Path) -> None:
    files = {
        "config/app.toml": "[upload]\nmax_upload_size = 3\n",
        "src/io/intake.py": "def accept(config, size):\n    return size <= config.max_upload_size\n",
    }
    text = "upload size limit is ignored"
    hand = hand_of(tmp_path / "repo", files, text, {"config/app.toml": 0.8})
    assert hand.files[0].role is Role.CONFIG
    assert ("counterpart", "reader") in named(hand, "src/io/intake.py")


def test_a_model_and_its_newest_migration_are_counterparts(tmp_path: Path) -> None:
    files = {
        "app/models/invoice.rb": "class Invoice\n  def total\n    1\n  end\nend\n",
        "db/migrate/20200101_create_invoices.rb": "class CreateInvoices\nend\n",
        "db/migrate/20210101_add_tax_to_invoices.rb": "class AddTaxToInvoices\nend\n",
    }
    hand = hand_of(tmp_path / "repo", files, "invoice has the wrong tax", {"app/models/invoice.rb": 0.8})
    assert ("counterpart", "migration") in named(hand, "db/migrate/20210101_add_tax_to_invoices.rb")
    assert ("counterpart", "migration") not in named(hand, "db/migrate/20200101_create_invoices.rb")


def test_what_only_another_file_is_named_by_is_an_aspect(tmp_path: Path) -> None:
    files = {
        "src/export/csv_writer.py": "def write_csv(rows):\n    return rows\n",
        "src/clock/timezone.py": "def to_timezone(moment):\n    return moment\n",
    }
    text = "Write csv with the timezone of the user"
    hand = hand_of(tmp_path / "repo", files, text, {"src/export/csv_writer.py": 0.8})
    lead = next(lead for lead in leads_of(hand) if lead.form == "aspect")
    assert lead.search.paths == ("src/clock/timezone.py",)
    assert "timezone" in lead.follow_up


def lead(
    path: str, *, judged: float = 0.0, tie: float = 0.1, user: float = 0.5, form: str = "imported"
) -> Lead:
    signs = {"judged": judged, "tie": tie, "user": user}
    return Lead(form, "dependency", f"{form} {path}", (Evidence(path),), path, Search(paths=(path,)), signs)


def test_the_chance_decides_what_is_critical() -> None:
    good, poor = with_chances([lead("a.py", judged=0.4, tie=0.3), lead("b.py", tie=0.03)])
    assert good.gap().critical and good.gap().chance >= CRITICAL
    assert not poor.gap().critical and poor.gap().chance < CRITICAL
    assert not good.gap(frozenset({"a.py"})).critical  # followed before: asking again finds nothing new


def test_more_forms_that_name_a_file_raise_its_chance() -> None:
    alone = with_chances([lead("a.py")])[0]
    agreed = with_chances([lead("a.py"), lead("a.py", form="importer")])[0]
    assert agreed.signs["chance"] > alone.signs["chance"]


def test_a_file_is_named_once_and_few_are() -> None:
    leads = with_chances([lead(f"{n}.py", judged=0.3, tie=0.3) for n in range(30)])
    twice = with_chances([lead("a.py", judged=0.3), lead("a.py", judged=0.3, form="importer")])
    assert len(chosen(leads)) == 10
    assert len(chosen(twice)) == 1
    assert not chosen(with_chances([lead("a.py", tie=0.0, user=0.0)]))


def test_followed_files_leave_room_for_others() -> None:
    leads = with_chances([lead(f"{n}.py", judged=0.3, tie=0.3) for n in range(15)])
    first = {path for one in chosen(leads) for path in one.search.paths}
    again = {path for one in chosen(leads, first) for path in one.search.paths}
    assert len(first) == 10
    assert len(again) == 15


def test_a_poor_reference_is_followed_and_not_told() -> None:
    signs = {"judged": 0.0, "tie": 0.0, "user": 0.05}
    search = Search(symbols=("helper",), paths=("b.py",))
    evidence = (Evidence("a.py", 1, "helper"), Evidence("b.py"))
    (poor,) = chosen(
        with_chances([Lead("symbol", "reference", "helper is missing", evidence, "helper", search, signs)])
    )
    assert poor.gap().chance == 0.0
    assert told_gaps([poor.gap()], (), lambda path: "python") == ()
