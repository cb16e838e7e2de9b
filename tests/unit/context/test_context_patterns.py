from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from zeroin.answer import Pattern
from zeroin.context.conventions.patterns import patterns_of
from zeroin.corpus.source import open_source
from zeroin.index.opening import open_index
from zeroin.types import Judgment, Role


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))


def found(relevant: dict[str, float], paths: list[str]) -> dict[str, Pattern]:
    roles = [
        Role.TEST
        if "test" in p.lower() or "spec" in p
        else Role.DOC
        if p.endswith(".md")
        else Role.IMPLEMENTATION
        for p in paths
    ]
    return {p.kind: p for p in patterns_of([Judgment(p, r) for p, r in relevant.items()], paths, roles)}


MIDDLEWARE = [
    "src/api/middleware/throttle-guard.ts",
    "src/api/middleware/auth-guard.ts",
    "src/web/middleware/csrf-guard.ts",
    "src/web/pages/home-page.ts",
    "src/web/pages/about-page.ts",
    "src/lib/date-format.ts",
    "src/lib/string-pad.ts",
    "src/app.ts",
    "tests/middleware/throttle-guard.test.ts",
    "tests/lib/date-format.test.ts",
    "README.md",
]


def test_location_and_naming() -> None:
    patterns = found(
        {"src/api/middleware/throttle-guard.ts": 0.9, "src/web/middleware/csrf-guard.ts": 0.7}, MIDDLEWARE
    )
    assert patterns["location"].glob in ("src/**/middleware/*.ts", "src/**/*-guard.ts")
    assert patterns["location"].evidence == (
        "src/api/middleware/throttle-guard.ts",
        "src/web/middleware/csrf-guard.ts",
    )
    assert "kebab-case" in patterns["naming"].text and "-guard (3)" in patterns["naming"].text


def test_java_and_python_names() -> None:
    java = [f"app/src/main/java/com/x/{n}Controller.java" for n in ("User", "Order", "Cart")]
    java += ["app/src/main/java/com/x/core/Money.java", "app/src/test/java/com/x/UserControllerTest.java"]
    patterns = found({java[0]: 0.8}, java)
    assert "PascalCase" in patterns["naming"].text and "Controller (3)" in patterns["naming"].text
    python = [
        "pkg/io/csv_reader.py",
        "pkg/io/json_reader.py",
        "pkg/io/__init__.py",
        "pkg/core.py",
        "tests/io/test_csv_reader.py",
    ]
    patterns = found({"pkg/io/csv_reader.py": 0.8}, python)
    assert "snake_case" in patterns["naming"].text and "_reader (2)" in patterns["naming"].text


def test_dotted_infix() -> None:
    angular = [
        "src/a/user.service.ts",
        "src/b/cart.service.ts",
        "src/b/cart.component.ts",
        "src/a/user.service.spec.ts",
    ]
    patterns = found({"src/a/user.service.ts": 0.9, "src/b/cart.service.ts": 0.8}, angular)
    assert ".service (2)" in patterns["naming"].text


def test_nothing_relevant_or_nothing_there() -> None:
    assert patterns_of([], [], []) == ()
    assert patterns_of([Judgment("a.py", 0.1)], ["a.py"], [Role.IMPLEMENTATION]) == ()
    assert patterns_of([Judgment("gone.py", 0.9)], ["a.py"], [Role.IMPLEMENTATION]) == ()
    assert found({"a": 0.9}, ["a"]) == {}


GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")


def told(folder: Path, relevant: str, *commits: dict[str, str]) -> dict[str, Pattern]:
    """The patterns around one relevant file of a real repository, by kind."""
    folder.mkdir()
    subprocess.run([*GIT, "init", "-q", "."], cwd=folder, check=True)
    for files in commits:
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        subprocess.run([*GIT, "add", "-A"], cwd=folder, check=True)
        subprocess.run([*GIT, "commit", "-q", "-m", "change"], cwd=folder, check=True)
    view = open_index(open_source(folder)).view
    roles = [view.snapshot.role(doc) for doc in range(len(view.snapshot))]
    found = patterns_of([Judgment(relevant, 0.9)], view.paths, roles, view=view)
    return {pattern.kind: pattern for pattern in found}


def shop(*tested: str) -> dict[str, str]:
    """A package of five modules, those given with a test that imports them."""
    files = {f"shop/{name}.py": f"class {name.title()}:\n    pass\n" for name in MODULES}
    tests = {
        f"tests/test_{name}.py": f"from shop.{name} import {name.title()}\n\n\ndef test_it():\n    {name.title()}()\n"
        for name in tested
    }
    return {"shop/__init__.py": "", **files, **tests}


MODULES = ("basket", "order", "price", "stock", "voucher")


def test_a_scheme_of_tests_is_counted(tmp_path: Path) -> None:
    patterns = told(tmp_path / "r", "shop/order.py", shop("basket", "order", "price", "stock"))
    assert patterns["tests"].text == (
        "4 of 5 files in shop have test_<name>.py in tests, which imports or names them; "
        "tests/test_order.py tests shop/order.py (imports it)"
    )
    assert (patterns["tests"].glob, patterns["tests"].evidence) == (
        "tests/test_*.py",
        ("tests/test_order.py",),
    )


def test_no_scheme_is_said_where_few_files_follow_it(tmp_path: Path) -> None:
    patterns = told(tmp_path / "r", "shop/order.py", shop("order"))
    assert patterns["tests"].text == "tests/test_order.py tests shop/order.py (imports it)"


def test_a_test_that_is_only_named_alike_covers_nothing(tmp_path: Path) -> None:
    files = shop("basket") | {
        "tests/test_order.py": "def test_sorting():\n    assert sorted([2, 1]) == [1, 2]\n"
    }
    assert "tests" not in told(tmp_path / "r", "shop/order.py", files)


def test_a_test_apart_from_those_of_its_siblings_covers_nothing(tmp_path: Path) -> None:
    files = shop("basket", "price", "stock")
    files["other/deep/test_order.py"] = "from shop.order import Order\n\n\ndef test_it():\n    Order()\n"
    pattern = told(tmp_path / "r", "shop/order.py", files)["tests"]
    assert pattern.text == "1 test imports shop/order.py: other/deep/test_order.py"


def test_a_test_of_the_same_package_names_what_it_tests(tmp_path: Path) -> None:
    files = {
        "retry/backoff.go": "package retry\n\nfunc NextDelay(n int) int {\n\treturn n * 2\n}\n",
        "retry/policy.go": "package retry\n\nfunc Allow() bool {\n\treturn true\n}\n",
        "retry/backoff_test.go": "package retry\n\nfunc TestIt(t *T) {\n\tNextDelay(3)\n}\n",
    }
    pattern = told(tmp_path / "r", "retry/backoff.go", files)["tests"]
    assert pattern.text == "retry/backoff_test.go tests retry/backoff.go (says NextDelay)"
    assert pattern.glob == "retry/*_test.go"


def handler(name: str) -> str:
    body = "".join(
        f"    def {m}(self):\n        return {len(m)}\n\n" for m in ("accept", "prepare", "finish")
    )
    return f"from .base import Handler\n\n\nclass {name}(Handler):\n{body}"


def test_a_sibling_says_what_is_shared(tmp_path: Path) -> None:
    files = {
        "app/base.py": "class Handler:\n    pass\n",
        "app/mail_handler.py": handler("MailHandler"),
        "app/file_handler.py": handler("FileHandler"),
        "app/clock.py": "def now():\n    return 0\n",
    }
    pattern = told(tmp_path / "r", "app/mail_handler.py", files)["sibling"]
    assert pattern.text == (
        "app/file_handler.py is a sibling of app/mail_handler.py to imitate: "
        "both build on Handler; both define accept, prepare, finish"
    )


def test_a_neighbour_that_changes_along_is_none_to_imitate(tmp_path: Path) -> None:
    commits = [
        {"app/clock.py": f"def now():\n    return {n}\n", "app/lamp.py": f"def on():\n    return {n}\n"}
        for n in range(4)
    ]
    pattern = told(tmp_path / "r", "app/clock.py", *commits)["sibling"]
    assert pattern.text == "app/lamp.py lies beside app/clock.py: at least 4 commits changed both"


def test_files_that_share_nothing_are_no_siblings(tmp_path: Path) -> None:
    files = {
        "app/clock.py": "def now():\n    return 0\n",
        "app/lamp.py": "def on():\n    return 1\n",
        "app/door.py": "def shut():\n    return 1\n",
    }
    assert "sibling" not in told(tmp_path / "r", "app/clock.py", files)
