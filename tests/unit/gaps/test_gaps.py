"""What is missing is found by imports, names and symbols of real repositories, and shown by one rule."""

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tests.repositories import repository
from zeroin.config import Options
from zeroin.context.selection.answer_filters import shown_gaps
from zeroin.engine import Repository
from zeroin.evaluate.passages import Matcher
from zeroin.evaluate.task_terms import task_terms_of
from zeroin.gaps.finder import MOST_ASKED, GapFinder, candidates_of, outcomes_of, shown_of, to_ask
from zeroin.gaps.references import is_answered, missing_context
from zeroin.gaps.selection import CRITICAL, GapCandidate, GapFeatures, GapForm, Selection, with_probabilities
from zeroin.query.task import query_of
from zeroin.types import PROMISING, Candidate, Evidence, Gap, Judgment, Query, Search, Span, Task

FILLER = {f"src/parts/part{n}.py": f"def part{n}(value):\n    return value + {n}\n" for n in range(12)}
PAYMENT = {
    "src/pay/Gateway.java": "package pay;\npublic interface PaymentGateway {\n  void charge(int cents);\n}\n",
    "src/pay/Stripe.java": "package pay;\nclass Stripe implements PaymentGateway {\n"
    "  public void charge(int c) {}\n}\n",
}


def selection_of(folder: Path, files: Mapping[str, str], text: str, relevance_of: Mapping[str, float]) -> Selection:
    """What is selected of a repository when the files of `relevance_of` are judged as it says, whole files as spans."""
    view = Repository.open(repository(folder, {**FILLER, **files}), jobs=1).opened.view
    task = Task(text)
    query = query_of(task, Options())
    judgments = []
    for path, relevance in sorted(relevance_of.items(), key=lambda item: -item[1]):
        doc = view.doc_of(path)
        assert doc is not None
        spans = (Span(1, int(view.snapshot.lines[doc])),)
        judgments.append(Judgment(path, relevance, spans=spans, role=view.snapshot.role(doc)))
    return Selection(task, query, task_terms_of(query, view), view, judgments, {})


def named(selection: Selection, path: str) -> set[tuple[str, str]]:
    """Kind and form of the candidates that name a file."""
    return {(one.kind, one.form) for one in candidates_of(selection) if path in one.search.paths}


def gaps_of(selection: Selection) -> tuple[Gap, ...]:
    return finder_of(selection).gaps(selection.task, selection.query, selection.judgments)


def finder_of(selection: Selection) -> GapFinder:
    return GapFinder(selection.view, Matcher(selection.view))


MAILER = {
    "src/mail/sender.py": "def send_mail(to):\n    return to\n",
    "tests/test_sender.py": "from src.mail.sender import send_mail\n\n\ndef test_send():\n    assert send_mail(1)\n",
}
INVOICES = {
    "src/handlers/invoice_handlers.py": "def list_invoices(request):\n    return []\n",
    "src/web/routes.py": "from src.handlers.invoice_handlers import list_invoices\n\nROUTES = [list_invoices]\n",
}
MIGRATIONS = {
    "app/models/invoice.rb": "class Invoice\n  def total\n    1\n  end\nend\n",
    "db/migrate/1_create_invoices.rb": "class CreateInvoices\nend\n",
    "db/migrate/2_add_tax_to_invoices.rb": "class AddTaxToInvoices\nend\n",
}
RING = {
    "src/queue/ringbuffer.c": '#include "ringbuffer.h"\nint ring_push(int x) { return x; }\n',
    "include/ringbuffer.h": "int ring_push(int x);\n",
}
UPLOAD = {
    "config/app.toml": "[upload]\nmax_upload_size = 3\n",
    "src/io/intake.py": "def accept(config, size):\n    return size <= config.max_upload_size\n",
}
EXPORT = {
    "src/export/csv_writer.py": "def write_csv(rows):\n    return rows\n",
    "src/clock/timezone.py": "def to_timezone(moment):\n    return moment\n",
}


@pytest.mark.parametrize(
    ("files", "task", "selected", "form", "missing"),
    [
        (RING, "push to the ringbuffer fails", "src/queue/ringbuffer.c", "same stem", "include/ringbuffer.h"),
        (MAILER, "test of mail fails", "tests/test_sender.py", "tested", "src/mail/sender.py"),
        (MAILER, "mail is sent twice", "src/mail/sender.py", "test", "tests/test_sender.py"),
        (INVOICES, "list of invoices", "src/handlers/invoice_handlers.py", "route", "src/web/routes.py"),
        (PAYMENT, "payment is charged twice", "src/pay/Gateway.java", "implementation", "src/pay/Stripe.java"),
        (UPLOAD, "upload size limit is ignored", "config/app.toml", "reader", "src/io/intake.py"),
        (UPLOAD, "max upload size is ignored", "src/io/intake.py", "setting", "config/app.toml"),
        (MIGRATIONS, "tax of an invoice", "app/models/invoice.rb", "migration", "db/migrate/2_add_tax_to_invoices.rb"),
        (MIGRATIONS, "tax of an invoice", "db/migrate/1_create_invoices.rb", "model", "app/models/invoice.rb"),
        (EXPORT, "Write csv with the timezone", "src/export/csv_writer.py", "aspect", "src/clock/timezone.py"),
    ],
)  # fmt: skip
def test_what_a_selected_file_misses(
    tmp_path: Path, files: Mapping[str, str], task: str, selected: str, form: str, missing: str
) -> None:
    selection = selection_of(tmp_path / "repo", files, task, {selected: 0.8})
    assert form in {form for _, form in named(selection, missing)}
    assert not named(selection, "src/parts/part3.py")
    assert not named(selection, selected)


@pytest.mark.parametrize(
    ("files", "task", "selected", "other"),
    [
        (  # a parameter of this type
            PAYMENT | {"src/pay/Basket.kt": "package pay\nclass Basket(val gate: PaymentGateway) {}\n"},
            "payment is charged twice", "src/pay/Gateway.java", "src/pay/Basket.kt",
        ),
        (MAILER | {"tests/conftest.py": "from src.mail.sender import send_mail\n"}, "mail is sent twice",
            "src/mail/sender.py", "tests/conftest.py"),
        (  # a word that every language has
            {"handlers/invoice.py": "def list(x):\n    return []\n", "web/routes.py": "ROUTES = list('a')\n"},
            "list of invoices", "handlers/invoice.py", "web/routes.py",
        ),
        (MIGRATIONS | {"docs/models/invoice.md": "# Invoice\n"}, "tax of an invoice",
            "db/migrate/1_create_invoices.rb", "docs/models/invoice.md"),
        (MIGRATIONS, "tax of an invoice", "app/models/invoice.rb", "db/migrate/1_create_invoices.rb"),  # not the newest
        (MIGRATIONS | {"db/migrate/invoice_notes.md": "# Notes\n"}, "tax of an invoice",
            "app/models/invoice.rb", "db/migrate/invoice_notes.md"),
    ],
)  # fmt: skip
def test_what_only_looks_like_a_counterpart_is_not_shown_as_one(
    tmp_path: Path, files: Mapping[str, str], task: str, selected: str, other: str
) -> None:
    found = candidates_of(selection_of(tmp_path / "repo", files, task, {selected: 0.8}))
    forms = (GapForm.TEST, GapForm.IMPLEMENTATION, GapForm.ROUTE, GapForm.MODEL, GapForm.MIGRATION)
    assert not [one.need for one in found if one.shown and one.form in forms and other in one.search.paths]


def test_an_imported_module_and_an_importer_are_dependencies_with_lines(tmp_path: Path) -> None:
    files = {
        "src/shop/__init__.py": "",
        "src/shop/order.py": "from src.shop.discount import reduced\n\n\ndef order_discount(x):\n"
        "    return reduced(x)\n",
        "src/shop/discount.py": "def reduced(x):\n    return x\n\n\ndef discount_rate():\n    return 1\n",
        "src/shop/checkout.py": "from src.shop.order import order_discount\n\n\ndef checkout_order(x):\n"
        "    return order_discount(x)\n",
    }
    text = "Order gets the wrong discount at checkout"
    selection = selection_of(tmp_path / "repo", files, text, {"src/shop/order.py": 0.6})
    assert ("dependency", "importer") in named(selection, "src/shop/checkout.py")
    found = next(one for one in candidates_of(selection) if one.form == "imported")
    (located,) = finder_of(selection).located([found])
    assert located.evidence == (Evidence("src/shop/order.py", 1), Evidence("src/shop/discount.py"))
    assert any("src/shop/discount.py" in gap.search.paths for gap in gaps_of(selection))


def test_a_symbol_behind_an_interface_is_worth_a_cycle_when_a_good_file_uses_it(tmp_path: Path) -> None:
    basket = "package pay;\nclass Basket {\n  PaymentGateway gateway;\n  void pay() { gateway.charge(1); }\n}\n"
    files = {**PAYMENT, "src/pay/Basket.java": basket}
    selection = selection_of(tmp_path / "repo", files, "basket is paid twice", {"src/pay/Basket.java": 0.8})
    gap = next(g for g in gaps_of(selection) if "PaymentGateway" in g.search.symbols)
    assert gap.promising and not gap.critical
    assert set(gap.search.paths) == {"src/pay/Gateway.java", "src/pay/Stripe.java"}
    assert gap.evidence[0] == Evidence("src/pay/Basket.java", 3, "PaymentGateway")


def one(
    path: str,
    *,
    relevance: float = 0.0,
    overlap: float = 0.1,
    user_relevance: float = 0.5,
    form: GapForm = GapForm.IMPORTED,
) -> GapCandidate:
    features = GapFeatures(overlap=overlap, relevance=relevance, user_relevance=user_relevance)
    search = Search(paths=(path,))
    return GapCandidate(form, "dependency", f"{form} {path}", (Evidence(path),), path, search, features)


def test_the_precision_decides_what_is_critical_and_what_is_worth_a_cycle() -> None:
    candidates = [
        one("a.py", relevance=0.7, overlap=0.3),
        one("b.py", relevance=0.4, overlap=0.3),
        one("c.py", overlap=0.03),
    ]
    sure, good, poor = (candidate.gap() for candidate in with_probabilities(candidates))
    assert [gap.critical for gap in (sure, good, poor)] == [True, False, False]
    assert [gap.promising for gap in (sure, good, poor)] == [True, True, False]
    assert sure.precision >= CRITICAL > good.precision >= PROMISING > poor.precision
    again = with_probabilities(candidates)[0].gap(frozenset({"a.py"}))
    assert not again.critical and not again.promising  # asked before: asking again finds nothing new


def test_precision_and_recall_are_logistic_models_of_the_features() -> None:
    (alone,) = with_probabilities([one("a.py", relevance=0.5, overlap=0.1, user_relevance=0.5)])
    # Log odds of relevance 0.5 are 0; one form; the form "imported" adds -0.16 and -0.36.
    precision = -0.03 + 1.07 * 0 + 0.15 * math.log(0.12) + 0.22 * 1 + 0.14 * math.log(0.52) - 0.16
    recall = -1.34 + 0.82 * math.log(0.12) + 0.61 * 1 + 0.42 * math.log(0.52) - 0.36
    assert alone.features.precision == pytest.approx(1 / (1 + math.exp(-precision)), abs=1e-4)
    assert alone.features.recall_probability == pytest.approx(1 / (1 + math.exp(-recall)), abs=1e-4)
    # A second form that names the file adds 0.22.
    agreed = with_probabilities([one("a.py", relevance=0.5), one("a.py", form=GapForm.IMPORTER)])[0]
    assert agreed.features.precision == pytest.approx(1 / (1 + math.exp(-precision - 0.22)), abs=1e-4)


@pytest.mark.parametrize(
    ("best", "unnamed", "precision"),
    [(0.49, 0.0, 0.46), (0.5, 0.2, 0.37), (0.5, 0.1, 0.15), (0.7, 0.2, 0.15), (0.7, 0.6, 0.37)],
)
def test_words_without_a_file_count_by_what_is_selected(best: float, unnamed: float, precision: float) -> None:
    features = GapFeatures(user_relevance=best, unnamed=unnamed)
    word = GapCandidate(GapForm.UNMENTIONED, "terminology", "no file says “x”", (), "x", features=features)
    assert with_probabilities([word])[0].features.precision == precision


def test_a_file_is_named_once_and_few_are_but_asked_ones_leave_room() -> None:
    found = with_probabilities([one(f"{n}.py", relevance=0.3, overlap=0.3) for n in range(15)])
    first = {path for each in shown_of(found) for path in each.search.paths}
    assert len(shown_of(found)) == len(first) == 10
    assert len(shown_of(found, first)) == 15
    twice = [one("a.py", relevance=0.3, form=form) for form in (GapForm.IMPORTED, GapForm.IMPORTER)]
    assert len(shown_of(with_probabilities(twice))) == 1
    assert not shown_of(with_probabilities([one("a.py", overlap=0.0, user_relevance=0.0)]))


def test_a_poor_reference_is_asked_and_not_shown(tmp_path: Path) -> None:
    files = {
        "src/shop/order.py": "def order_total(x):\n    return rounding_scheme(x)\n",
        "src/maths/scheme.py": "def rounding_scheme(x):\n    return x\n",
    }
    selection = selection_of(tmp_path / "repo", files, "invoice is off by a cent", {"src/shop/order.py": 0.03})
    gap = next(g for g in gaps_of(selection) if "rounding_scheme" in g.search.symbols)
    assert not gap.shown and not gap.critical
    assert gap in to_ask(gaps_of(selection), Query())
    assert gap not in shown_gaps(gaps_of(selection), (), lambda path: "python", {})


def test_the_missing_context_of_a_file_names_lines_and_homes(tmp_path: Path) -> None:
    files = {
        "src/shop/order.py": "def order_total(x, currency: str):\n    return rounding_scheme(x, currency)\n",
        "src/maths/scheme.py": "def rounding_scheme(x):\n    return x\n",
        "src/maths/money.py": "def currency():\n    return 1\n",  # the file has a parameter of this name
    }
    selection = selection_of(tmp_path / "repo", files, "order total", {"src/shop/order.py": 0.8})
    view, judgment = selection.view, selection.judgments[0]
    missing = missing_context(judgment, selection.docs, view)
    assert missing == ("rounding_scheme (line 2): src/maths/scheme.py",)
    assert missing_context(judgment, range(len(view.paths)), view) == ()
    gaps = {name: gap for gap in gaps_of(selection) for name in gap.search.symbols}
    assert is_answered(gaps["currency"], selection.docs, view)
    assert not is_answered(gaps["rounding_scheme"], selection.docs, view)
    assert is_answered(gaps["rounding_scheme"], [view.numbers["src/maths/scheme.py"]], view)


def test_what_is_asked_is_new_promising_and_bounded() -> None:
    gaps = [Gap("dependency", "x", False, search=Search(paths=(f"{n}.py",)), precision=n / 100) for n in range(40)]
    asked = to_ask(gaps, Query(gaps=(gaps[39],)))
    assert len(asked) == MOST_ASKED
    assert [gap.search.paths[0] for gap in asked[:2]] == ["38.py", "37.py"]
    assert to_ask([Gap("aspect", "nothing to look up", True)], Query()) == ()


def test_every_asked_gap_has_an_outcome() -> None:
    found = Gap("dependency", "a", True, search=Search(paths=("a.py",)))
    open_ = Gap("dependency", "b", True, search=Search(paths=("b.py",)))
    absent = Gap("reference", "c", True, search=Search(symbols=("gone",)))
    candidates = [
        Candidate(0, "a.py", 1.0, asked_by=(found,)),
        Candidate(1, "b.py", 1.0, asked_by=(open_,)),
        Candidate(2, "other.py", 1.0, asked_by=(open_,)),  # it uses what the gap names, and closes nothing
    ]
    judgments = [Judgment("a.py", 0.2), Judgment("b.py", 0.19), Judgment("other.py", 0.9)]
    outcomes = outcomes_of((found, open_, absent), candidates, judgments)
    assert [(gap.outcome, gap.closed_by) for gap in outcomes] == [("closed", "a.py"), ("open", ""), ("absent", "")]


def claims_of(folder: Path, files: Mapping[str, str], text: str, relevance_of: Mapping[str, float]) -> set[str]:
    """The words of the gaps that are shown of a selection and claim an absence."""
    found = gaps_of(selection_of(folder, files, text, relevance_of))
    forms = ("unsaid", "unnamed", "elsewhere", "in passing", "aspect", "unknown symbol")
    shown = [g for g in found if g.form in forms and g.shown]
    assert not any(g.critical and not g.shown for g in found)
    return {e.text or e.symbol for g in shown for e in g.evidence if e.text or e.symbol}


PROXY = "src/net/proxy.py"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("webhook signature is refused", "def accept(x):\n    return is_webhooks(x)\n"),
        ("webhook signature is refused", "def accept(x):\n    return tcpwebhook(x)\n"),
        ("webhook signature is refused", "def accept(x):\n    return WebhookByRemoteAddr(x)\n"),
        ("signature of webhooks is refused", "def accept(web_hook):\n    return web_hook\n"),
        ("the webhook is refused", "def accept(x):\n    return x  # web-hooks\n"),
    ],
)  # fmt: skip
def test_what_a_listed_file_says_in_any_form_is_not_absent(tmp_path: Path, text: str, code: str) -> None:
    other = {"src/web/webhook.py": "def webhook(x):\n    return x\n"} if "signature" in text else {}
    for folder, said in (("a", "def accept(x):\n    return x\n"), ("b", code)):
        claims = claims_of(tmp_path / folder, {PROXY: said, **other}, text, {PROXY: 0.8})
        assert ("webhook" in {word.lower().rstrip("s") for word in claims}) == (said != code)


def test_a_word_that_a_less_relevant_listed_file_says_is_not_absent(tmp_path: Path) -> None:
    files = {PROXY: "def accept(x):\n    return x\n", "src/net/part.py": "def part(x):\n    return webhook(x)\n"}
    relevance_of = {PROXY: 0.8, "src/net/part.py": 0.25}
    assert "webhook" not in claims_of(tmp_path / "r", files, "the webhook is refused", relevance_of)


def test_what_a_file_too_large_to_be_analysed_may_say_is_not_absent(tmp_path: Path) -> None:
    files = {PROXY: "def accept(x):\n    return x\n"}
    large = {"src/net/large.py": "def webhook(x):\n    return x\n" + f"x = '{'x' * 900}'\n" * 2_300}
    text = "the webhook is refused"
    assert claims_of(tmp_path / "a", files, text, {PROXY: 0.8}) == {"webhook"}
    assert claims_of(tmp_path / "b", files | large, text, {PROXY: 0.8}) == set()


@pytest.mark.parametrize("word", ["come", "per", "another", "life", "half", "silently", "doesn", "important"])
def test_no_gap_asks_about_an_everyday_word(tmp_path: Path, word: str) -> None:
    files = {PROXY: "def accept(x):\n    return x\n", f"src/web/{word}.py": f"def {word}(x):\n    return x\n"}
    assert word not in claims_of(tmp_path / "r", files, f"{word} proxy tokens refused", {PROXY: 0.8})
    text = f"`{word}` proxy tokens refused"  # quoted it is a name
    assert (word in claims_of(tmp_path / "q", files, text, {PROXY: 0.8})) == (word != "doesn")


@pytest.mark.parametrize(
    ("text", "asked"), [("Warum wird Schlüssel", {"key"}), ("está la clave", {"key"}), ("welche Regel", {"rule"})]
)
def test_of_another_language_no_function_word_is_asked_about(tmp_path: Path, text: str, asked: set[str]) -> None:
    files = {PROXY: "def accept(x):\n    return x\n"}
    assert claims_of(tmp_path / "r", files, text, {PROXY: 0.8}) == asked


def test_no_gap_asks_for_the_name_of_a_test(tmp_path: Path) -> None:
    files = {PROXY: "def accept(x):\n    return x\n"}
    text = "`test_refused_proxy` fails since `ProxyRegistrar` is gone"
    found = claims_of(tmp_path / "r", files, text, {PROXY: 0.8})
    assert "ProxyRegistrar" in found
    assert "test_refused_proxy" not in found


def test_files_called_alike_in_two_folders_are_no_halves_and_a_header_is(tmp_path: Path) -> None:
    files = {
        "core/tokens/Alias.cs": "class Alias { int token; }\n",
        "core/events/Alias.cs": "class Alias { int event_; }\n",
        "include/queue.h": "int queue_size(void);\n",
        "source/queue.c": "int queue_size(void) { return 1; }\n",
    }
    seeds = {"core/tokens/Alias.cs": 0.9, "source/queue.c": 0.8}
    selection = selection_of(tmp_path, files, "The size of the alias queue is wrong", seeds)
    shown = {one.follow_up: one.shown for one in candidates_of(selection) if one.form is GapForm.SAME_STEM}
    assert shown == {"core/events/Alias.cs": False, "include/queue.h": True}


def test_a_name_that_no_file_says_is_asked_about_once(tmp_path: Path) -> None:
    selection = selection_of(tmp_path, PAYMENT, "Support MessagePack in charge", {"src/pay/Stripe.java": 0.9})
    needs = [one.need for one in candidates_of(selection) if one.shown and "MessagePack" in one.need]
    assert needs == ["no file says “MessagePack”: which word does this codebase use for it?"]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Support MessagePack in charge", "no file says “MessagePack”"),
        ("I get: the teapot of process 7 refused to pour any lock", "no file contains the quoted text"),
    ],
)
def test_while_a_file_is_not_analysed_nothing_is_said_of_every_file(tmp_path: Path, text: str, claim: str) -> None:
    selection = selection_of(tmp_path, PAYMENT, text, {"src/pay/Stripe.java": 0.9})
    known = selection.view.snapshot.analysed.copy()
    known[0] = False
    late = selection.view.blanked(replace(selection.view.snapshot, analysed=known), {}, frozenset())
    for one, said in ((selection, True), (replace(selection, view=late), False)):
        assert any(c.shown and c.need.startswith(claim) for c in candidates_of(one)) == said
