"""A change as the task: what surrounds it is found, and the change itself is listed as given."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import zeroin
from tests.ready_process import Done, ReadyProcess
from tests.repositories import commit, git, repository
from tests.unit.purposes.conftest import PRICING
from zeroin.answer import Context
from zeroin.corpus.source import open_source
from zeroin.engine import diff_of
from zeroin.gaps.references import is_answered
from zeroin.index.locate import stem_key
from zeroin.index.opening import open_index
from zeroin.types import Evidence, Gap, Search, Task

CHANGED = PRICING.replace("def basket_total(items, rate)", "def basket_total(items, rate, discount)")
ORDER, TEST, TOTALS = "shop/checkout/order.py", "tests/test_totals.py", "shop/pricing/totals.py"


def review(folder: Path, **settings: object) -> Context:
    diff = diff_of(folder)
    return zeroin.retrieve(Task("review", "review", diff), folder, always_loop=True, **settings)


@pytest.fixture
def changed(shop: Path) -> Path:
    (shop / "shop/pricing/totals.py").write_text(f"{CHANGED}\n\nSTEP = 2\n", encoding="utf-8")
    return shop


def test_the_change_itself_is_one_line_and_no_evidence(changed: Path, ready: ReadyProcess) -> None:
    context = review(changed)
    assert {j.path for j in context.files} <= {TEST, ORDER}
    assert TOTALS not in {j.path for j in (*context.listed, *context.ranking)}
    for form in ("table", "markdown"):
        told = ready.run([str(changed), "--diff", "-f", form, "-q", "--always-loop"], cwd=changed, env=os.environ)
        assert told.returncode == 0, told.stderr
        answer = told.stdout.decode()
        first = min(answer.index(path) for path in (ORDER, TEST) if path in answer)
        assert first < answer.index(f"reviewed, so not listed: {TOTALS}")
        assert "STEP = 2" not in answer  # a line that the change adds


def test_a_companion_is_known_by_history_alone(changed: Path) -> None:
    context = review(changed)
    companion = next(j for j in context.ranking if j.path == "locale/prices.txt")
    assert "changed together with shop/pricing/totals.py in" in companion.reason
    without = [j.path for j in review(changed, without=frozenset({"cochange", "history"})).ranking]
    with_it = [j.path for j in context.ranking]
    place = with_it.index("locale/prices.txt")
    assert "locale/prices.txt" not in without or without.index("locale/prices.txt") > place


def test_each_file_says_what_ties_it_to_the_change(changed: Path) -> None:
    reasons = {j.path: j.reason for j in review(changed).ranking}
    assert "uses basket_total (line 1), whose definition the change alters" in reasons[ORDER]
    assert "is named like shop/pricing/totals.py, which the change touches" in reasons["tests/test_totals.py"]
    assert "lies beside shop/pricing/totals.py, which the change touches" in reasons["shop/pricing/labels.py"]


def test_what_a_change_removes_is_not_missing(tmp_path: Path) -> None:
    files = {f"notes/note_{n}.py": f"def note_{n}(text):\n    return text\n" for n in range(9)}
    folder = repository(
        tmp_path / "r", files | {"set_up.py": "class OldInstaller:\n    def install_all(self):\n        pass\n"}
    )
    (folder / "set_up.py").unlink()
    assert not [gap.need for gap in review(folder).gaps if "no file defines" in gap.need]


@pytest.mark.parametrize(("kept", "said"), [(True, "as the change does"), (False, "which the change removes")])
def test_a_name_that_the_change_still_says_is_not_removed(tmp_path: Path, kept: bool, said: str) -> None:
    files = {f"notes/note_{n}.py": f"def note_{n}(text):\n    return text\n" for n in range(9)}
    one, use = "shop/one.py", "from shop.one import print_optional\n\nprint(print_optional(3))\n"
    files |= {one: "def print_optional(row):\n    return row\n\n\nSTEP = 1\n", "shop/use.py": use}
    folder = repository(tmp_path / "r", files)
    (folder / one).write_text("print_optional = str\n\n\nSTEP = 1\n" if kept else "STEP = 1\n")
    reasons = {j.path: j.reason for j in review(folder).ranking}
    assert f"uses print_optional (line 1), {said}" in reasons["shop/use.py"]


@pytest.mark.parametrize(
    ("path", "other"),
    [
        ("src/foo_bar.py", "tests/test_foo_bar.py"),
        ("lib/foo.ts", "lib/foo.test.ts"),
        ("a/Foo.java", "b/FooTest.java"),
        ("a/Foo.cs", "b/FooTests.cs"),
        ("foo.go", "foo_test.go"),
        ("lib/foo.rb", "spec/foo_spec.rb"),
        ("src/foo.c", "include/foo.h"),
        ("FooBar.swift", "foo-bar.ts"),
    ],
)
def test_same_stems(path: str, other: str) -> None:
    assert stem_key(path) == stem_key(other)


def test_other_names_have_other_stems() -> None:
    assert len({stem_key(p) for p in ("a/test.py", "a/foo.py", "a/latest.py", "a/Contest.java", "a/.env")}) == 5


def test_files_of_the_change_do_not_crowd_out_the_rest(shop: Path) -> None:
    for number in range(12):
        path = shop / f"shop/pricing/part{number}.py"
        path.write_text(f"def part{number}():\n    return {number}\n", encoding="utf-8")
    git(shop, "add", "-A")
    (shop / "shop/pricing/totals.py").write_text(f"{CHANGED}\n", encoding="utf-8")
    context = review(shop)
    assert TEST in {j.path for j in context.listed}
    paths = [j.path for j in context.ranking]
    assert not any(p.startswith("shop/pricing/part") for p in paths)
    assert {"shop/checkout/order.py", "tests/test_totals.py"} <= set(paths[:4])


def test_callers_not_in_hand_are_a_gap(changed: Path) -> None:
    from zeroin.config import Options
    from zeroin.engine import Repository

    session = Repository.open(changed).ask(Task("review", "review", diff_of(changed)), Options())
    query, finder = session.loop.query, session.loop.gap_finder
    session.run()
    judged = {j.path: j for j in session.loop.best}
    caller = "shop/checkout/order.py uses basket_total, which the change touches"
    test = "tests/test_totals.py tests shop/pricing/totals.py"
    alone = [judged["shop/pricing/totals.py"]]
    needs = {gap.need: gap for gap in finder.gaps(session.task, query, alone)}
    assert needs[caller].shown
    assert test in needs
    all_of_it = [*alone, *(replace(judged[p], relevance=0.9) for p in (ORDER, TEST))]
    assert not {caller, test} & {gap.need for gap in finder.gaps(session.task, query, all_of_it)}


def test_a_name_that_is_spelled_alike_is_no_call_of_what_is_changed(tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": "",
        "shop/price.py": "def net_price(x):\n    return x\n",
        "shop/basket.py": "from shop.price import net_price\n\n\ndef basket(x):\n    return net_price(x)\n",
        "shop/tax.py": "class Tax:\n    def net_price(self):\n        return 1\n",
        "shop/levy.py": "from shop.tax import Tax\n\n\ndef levy():\n    return Tax().net_price()\n",
        "docs/guide.md": "Ask the function which gives it.\n",
        "shop/tool.py": "import shutil\n\n\ndef tool():\n    return shutil.which('x')\n",
    }
    folder = repository(tmp_path / "repo", files)
    changed = files["shop/price.py"].replace("(x)", "(x, rate)")
    (folder / "shop/price.py").write_text(changed, encoding="utf-8")
    (folder / "docs/guide.md").write_text("Ask the function which made it.\n", encoding="utf-8")
    session = zeroin.open_session(Task("review", "review", diff_of(folder)), folder)
    query, finder = session.loop.query, session.loop.gap_finder
    session.run()
    judged = [j for j in session.loop.best if j.path == "shop/price.py"]
    callers = {g.evidence[0].path: g.holds for g in finder.gaps(session.task, query, judged) if g.form == "caller"}
    # tool.py says a word of the guide's prose, which defines nothing.
    assert callers == {"shop/basket.py": True, "shop/levy.py": False, "shop/tax.py": False}


@pytest.fixture
def ask(shop: Path, ready: ReadyProcess) -> Callable[..., Done]:
    """Runs the command line; its paths, one a line."""

    def run(*arguments: object, stdin: bytes = b"") -> Done:
        told = [*map(str, arguments), "--format", "paths", "-q", "--always-loop"]
        return ready.run(told, cwd=shop, env=os.environ, stdin=stdin)

    return run


def test_every_form_of_diff_gives_the_same_answer(changed: Path, tmp_path: Path, ask: Callable[..., Done]) -> None:
    uncommitted = ask(changed, "--diff")
    patch = git(changed, "diff") + "\n"
    file = tmp_path / "change.patch"
    file.write_text(patch, encoding="utf-8")
    from_file = ask(changed, f"--diff={file}")
    from_stdin = ask(changed, "--diff=-", stdin=patch.encode())
    assert uncommitted.returncode == 0, uncommitted.stderr
    assert uncommitted.stdout == from_file.stdout == from_stdin.stdout
    paths = uncommitted.stdout.decode().splitlines()
    assert TOTALS not in paths
    assert {"shop/checkout/order.py", "tests/test_totals.py"} <= set(paths)
    identity = commit(changed, {"shop/pricing/totals.py": f"{CHANGED}\n\nSTEP = 2\n"}, "x")
    for spec in (identity, "HEAD~1..HEAD", "HEAD~1...HEAD"):
        answer = ask(changed, f"--diff={spec}")
        assert answer.returncode == 0, answer.stderr
        paths = answer.stdout.decode().splitlines()
        assert TOTALS not in paths
        assert {"shop/checkout/order.py", "tests/test_totals.py"} <= set(paths)


def test_a_change_can_be_asked_at_its_parent(changed: Path, ask: Callable[..., Done]) -> None:
    commit(changed, {"shop/pricing/totals.py": f"{CHANGED}\n\nSTEP = 2\n", "shop/later.py": "later = 1\n"})
    answer = ask(changed, "--rev", "HEAD~1", "--diff=HEAD")
    paths = answer.stdout.decode().splitlines()
    assert answer.returncode == 0, answer.stderr
    assert TOTALS not in paths
    assert "shop/later.py" not in paths
    assert "shop/checkout/order.py" in paths


def test_lock_files_and_changelogs_are_no_evidence(shop: Path) -> None:
    """They follow every change: nothing is found by their words or beside them, and they are no result."""
    for turn in range(4):
        release = {
            "CHANGELOG.md": f"## {turn}\n\nMails bounce again: bounce_mail {turn}\n",
            "poetry.lock": f"bounce_mail = {turn}\nbasket_total = 1\n",
            "shop/mail/sender.py": f"def bounce_mail(text):\n    return text, {turn}\n\n\nTRIES = 3\n",
        }
        commit(shop, release, f"Release {turn}")
    (shop / "shop/pricing/totals.py").write_text(f"{CHANGED}\n\nSTEP = 2\n", encoding="utf-8")
    code = review(shop)
    assert not {"CHANGELOG.md", "poetry.lock"} & {j.path for j in (*code.listed, *code.ranking)}
    (shop / "CHANGELOG.md").write_text("## 5\n\nMails bounce: bounce_mail\n", encoding="utf-8")
    (shop / "poetry.lock").write_text("bounce_mail = 9\n", encoding="utf-8")
    whole = review(shop)
    assert [j.path for j in whole.ranking] == [j.path for j in code.ranking]
    assert "bounce_mail" not in {k.text for c in whole.cycles for k in c.query.own}


def test_a_change_without_a_message_has_no_words_from_its_file_names(shop: Path, ready: ReadyProcess) -> None:
    (shop / "shop/pricing/totals.py").write_text(f"{CHANGED}\n\nSTEP = 2\n", encoding="utf-8")
    told = ready.run([str(shop), "--diff", "-f", "json", "-q", "--always-loop"], cwd=shop, env=os.environ)
    answer = json.loads(told.stdout)
    assert "shop" not in {k["text"] for k in answer["cycles"][0]["query"]["keywords"]}
    assert not {t["task_word"] for t in answer["terminology"]} & {"shop", "pricing", "totals", "py"}


def test_a_plain_word_spelled_like_what_was_changed_is_no_call_of_it(tmp_path: Path) -> None:
    files = {
        "depth.py": "def increment(x):\n    return x + 1\n",
        "pool.py": "import threading\n\nthreading.local().increment()\n",
        "walk.py": "from depth import increment\n\nincrement(1)\n",
    }
    view = open_index(open_source(repository(tmp_path / "r", files))).view
    listed = [view.numbers["depth.py"]]

    def answered(path: str) -> bool:
        search = Search(symbols=("increment",), paths=(path,))
        gap = Gap("dependency", "uses it", False, (Evidence(path),), "increment", search, form="caller")
        return is_answered(gap, listed, view)

    assert answered("pool.py") and not answered("walk.py")
