from pathlib import Path
from time import process_time
from typing import cast

import pytest

from tests.repositories import commit, repository
from zeroin.answer import Pattern
from zeroin.context.conventions import covering_tests
from zeroin.context.conventions.names import name_of
from zeroin.context.conventions.patterns import patterns_of
from zeroin.context.conventions.shared import Shared
from zeroin.corpus.globs import rules_of
from zeroin.corpus.source import open_source
from zeroin.index.opening import open_index
from zeroin.index.view import View
from zeroin.types import Judgment, Role


def found(relevant: dict[str, float], paths: list[str], *, adds: bool = True) -> dict[str, Pattern]:
    roles = [
        Role.TEST if "test" in p.lower() or "spec" in p else Role.DOC if p.endswith(".md") else Role.IMPLEMENTATION
        for p in paths
    ]
    judged = [Judgment(p, r) for p, r in relevant.items()]
    return {p.kind: p for p in patterns_of(judged, paths, roles, adds=adds)}


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


@pytest.mark.parametrize(
    ("relevant", "others"),
    [
        (
            ["src/a/userService.ts", "src/b/cartService.ts", "src/c/mailService.ts"],
            ["src/a/userService.test.ts", "src/b/cartService.test.ts", "src/a/x.ts", "src/b/y.ts"],
        ),
        (["app/[slug]/page.tsx", "app/[slug]/layout.tsx"], ["app/s/page.tsx", "app/l/page.tsx"]),
    ],
)
def test_a_location_counts_the_files_that_its_glob_matches(relevant: list[str], others: list[str]) -> None:
    paths = [*relevant, *others, *(f"lib/x{number}.{relevant[0][-3:].strip('.')}" for number in range(40))]
    location = found(dict.fromkeys(relevant, 0.9), paths)["location"]
    rules = rules_of([location.glob])
    assert rules is not None
    matched = [path for path in paths if rules.decide(path)]
    assert set(location.evidence) <= set(matched)
    assert f"among the {len(matched)} files of {location.glob}" in location.text


def test_location_and_naming() -> None:
    patterns = found({"src/api/middleware/throttle-guard.ts": 0.9, "src/web/middleware/csrf-guard.ts": 0.7}, MIDDLEWARE)
    assert patterns["location"].glob in ("src/**/middleware/*.ts", "src/**/*-guard.ts")
    assert patterns["location"].evidence == ("src/api/middleware/throttle-guard.ts", "src/web/middleware/csrf-guard.ts")
    assert "kebab-case" in patterns["naming"].text
    # An ending is said once: by the place, or as one that its files share.
    assert patterns["location"].glob.endswith("-guard.ts") != ("-guard (3)" in patterns["naming"].text)


@pytest.mark.parametrize(
    ("paths", "naming"),
    [
        (
            "x/UserController.java x/OrderController.java x/CartController.java x/core/Money.java "
            "test/UserControllerTest.java",
            ("PascalCase", "Controller (3)"),
        ),
        (
            "pkg/io/csv_reader.py pkg/io/json_reader.py pkg/io/__init__.py pkg/core.py tests/io/test_csv_reader.py",
            ("snake_case", "_reader (2)"),
        ),
        ("src/user.service.ts src/cart.service.ts src/cart.component.ts src/user.service.spec.ts", (".service (2)",)),
    ],
)
def test_naming(paths: str, naming: tuple[str, ...]) -> None:
    first, *_ = every = paths.split()
    text = found({first: 0.8}, every)["naming"].text
    assert all(part in text for part in naming)


def test_a_glob_means_names_with_brackets_as_they_stand() -> None:
    paths = ["src/user.[v1].ts", "src/cart.[v1].ts", "src/mail.[v1].ts", "lib/other.ts"]
    naming = found(dict.fromkeys(paths[:3], 0.9), paths)["naming"]
    rules = rules_of([naming.glob])
    assert rules is not None and rules.decide(paths[0])


def test_a_repair_is_told_no_place() -> None:
    guard, other = MIDDLEWARE[0], MIDDLEWARE[2]
    assert found({guard: 0.9, other: 0.7}, MIDDLEWARE, adds=False) == {}


def test_a_file_that_may_be_wrong_shows_no_convention() -> None:
    guard, other = MIDDLEWARE[0], MIDDLEWARE[2]
    assert found({guard: 0.29, other: 0.25}, MIDDLEWARE) == {}
    assert set(found({guard: 0.31, other: 0.3}, MIDDLEWARE)) == {"location", "naming"}


def test_one_file_tells_a_place_only_if_it_is_the_best() -> None:
    places = [f"{folder}/{name}.py" for folder in ("a", "b/c", "b/d", "e/f/g") for name in "xyz"]
    text = found({"b/c/x.py": 0.9, "a/x.py": 0.8}, places)["location"].text
    assert text == "b/c/x.py is one of the 3 files of b/c/*.py"
    many = [f"{folder}/m{n}.py" for folder in ("a", "b") for n in range(40)]
    assert "location" not in found({"b/m1.py": 0.9}, many)  # one of 40 says no place


def patterns_in(folder: Path, relevant: str, *commits: dict[str, str]) -> dict[str, Pattern]:
    """The patterns around one relevant file of a real repository, by kind."""
    repository(folder)
    for files in commits:
        commit(folder, files)
    view = open_index(open_source(folder)).view
    roles = [view.snapshot.role(doc) for doc in range(len(view.snapshot))]
    found = patterns_of([Judgment(relevant, 0.9)], view.paths, roles, view=view)
    return {pattern.kind: pattern for pattern in found}


MODULES = ("basket", "order", "price", "stock", "voucher")


def shop(*tested: str) -> dict[str, str]:
    """A package of five modules, those given with a test that imports them."""
    files = {f"shop/{name}.py": f"class {name.title()}:\n    pass\n" for name in MODULES}
    tests = {
        f"tests/test_{name}.py": f"from shop.{name} import {name.title()}\n\n\ndef test_it():\n    {name.title()}()\n"
        for name in tested
    }
    return {"shop/__init__.py": "", **files, **tests}


def test_a_scheme_of_tests_is_counted(tmp_path: Path) -> None:
    patterns = patterns_in(tmp_path / "r", "shop/order.py", shop("basket", "order", "price", "stock"))
    assert patterns["tests"].text == (
        "4 of 6 .py files in shop have test_{name}.py in tests, which imports or names them; "
        "tests/test_order.py tests shop/order.py (imports it)"
    )
    assert (patterns["tests"].glob, patterns["tests"].evidence) == ("tests/test_*.py", ("tests/test_order.py",))


USES_ORDER = "from shop.order import Order\n\n\ndef test_it():\n    Order()\n"


@pytest.mark.parametrize(
    ("files", "text"),
    [
        (shop("order"), "tests/test_order.py tests shop/order.py (imports it)"),  # too few for a scheme
        (shop("basket") | {"tests/test_order.py": "def test_it():\n    assert sorted([2, 1])\n"}, None),
        (
            shop("basket", "price", "stock") | {"other/deep/test_order.py": USES_ORDER},
            "shop/order.py is used in other/deep/test_order.py",  # apart from those of its siblings
        ),
        (  # the first test is a helper of the second
            shop()
            | {
                "tests/test_helper.py": USES_ORDER,
                "tests/test_all.py": f"import tests.test_helper\n{USES_ORDER}",
                "tests/__init__.py": "",
            },
            "shop/order.py is used in tests/test_all.py",
        ),
    ],
)
def test_a_test_must_import_what_it_covers(tmp_path: Path, files: dict[str, str], text: str | None) -> None:
    pattern = patterns_in(tmp_path / "r", "shop/order.py", files).get("tests")
    assert (pattern.text if pattern is not None else None) == text


def test_a_script_that_tests_run_by_paths_of_all_forms_is_not_counted(tmp_path: Path) -> None:
    files = {"nvm.sh": "use_it() {\n  echo 1\n}\n", "test/install hook": "#!/bin/sh\n. ../nvm.sh\nuse_it\n"}
    files |= {f"test/run {n}": "#!/bin/sh\n\\. ../nvm.sh\nuse_it\n" for n in range(30)}
    assert "tests" not in patterns_in(tmp_path / "r", "nvm.sh", files)


def test_a_test_of_the_same_package_names_what_it_tests(tmp_path: Path) -> None:
    files = {
        "retry/backoff.go": "package retry\n\nfunc NextDelay(n int) int {\n\treturn n * 2\n}\n",
        "retry/policy.go": "package retry\n\nfunc Allow() bool {\n\treturn true\n}\n",
        "retry/backoff_test.go": "package retry\n\nfunc TestIt(t *T) {\n\tNextDelay(3)\n}\n",
    }
    pattern = patterns_in(tmp_path / "r", "retry/backoff.go", files)["tests"]
    assert pattern.text == "retry/backoff_test.go tests retry/backoff.go (says NextDelay)"
    assert pattern.glob == "retry/*_test.go"


def test_a_module_that_a_file_is_named_after_is_a_name_of_the_file(tmp_path: Path) -> None:
    files = {}
    for name, opening in (("pane_list", "module PaneList"), ("window", "class Window"), ("layout", "class Layout")):
        files[f"lib/mux/{name}.rb"] = f"module Mux\n  {opening}\n    def x\n    end\n  end\nend\n"
        said = opening.rpartition(" ")[2]
        files[f"spec/mux/{name}_spec.rb"] = f"describe Mux::{said} do\n  it 'works' do\n  end\nend\n"
    files["spec/mux/layout_spec.rb"] = "describe Mux do\n  it 'works' do\n  end\nend\n"  # what many files open
    assert patterns_in(tmp_path / "r", "lib/mux/window.rb", files)["tests"].text == (
        "2 of 3 .rb files in lib/mux have {name}_spec.rb in spec/mux, which imports or names them; "
        "spec/mux/window_spec.rb tests lib/mux/window.rb (says Window)"
    )


class Importers(Shared):
    """Every test imports every file of the program."""

    def importers(self, path: str) -> list[str]:
        return [] if path.startswith("tests/") else [f"tests/all.part{n}.py" for n in range(6_000)]


def test_what_thousands_of_tests_import_they_do_not_test() -> None:
    shared = Importers(cast("View", None))
    began = process_time()
    assert covering_tests.tests_of([name_of("app.py")], [], shared.importers(""), shared) is None
    assert process_time() - began < 3


def handler(name: str) -> str:
    body = "".join(f"    def {m}(self):\n        return {len(m)}\n\n" for m in ("accept", "prepare", "finish"))
    return f"from .base import Handler\n\n\nclass {name}(Handler):\n{body}"


def test_a_sibling_says_what_is_shared(tmp_path: Path) -> None:
    files = {
        "app/base.py": "class Handler:\n    pass\n",
        "app/mail_handler.py": handler("MailHandler"),
        "app/file_handler.py": handler("FileHandler"),
        "app/clock.py": "def now():\n    return 0\n",
    }
    pattern = patterns_in(tmp_path / "r", "app/mail_handler.py", files)["sibling"]
    assert pattern.text == (
        "app/file_handler.py is a sibling of app/mail_handler.py to imitate: "
        "both build on Handler; both define accept, prepare, finish"
    )


@pytest.mark.parametrize(("base", "said"), [("RuntimeError", None), ("ShopError", "both build on ShopError")])
def test_an_error_of_the_language_makes_no_sibling(tmp_path: Path, base: str, said: str | None) -> None:
    files = {
        "app/clock.py": f"class Stopped({base}):\n    pass\n",
        "app/lamp.py": f"class Broken({base}):\n    pass\n",
        "app/shop.py": "class ShopError(Exception):\n    pass\n",
    }
    pattern = patterns_in(tmp_path / "r", "app/clock.py", files).get("sibling")
    assert (pattern and pattern.text.partition("imitate: ")[2]) == said


def test_a_neighbour_that_changes_along_is_none_to_imitate(tmp_path: Path) -> None:
    commits = [
        {"app/clock.py": f"def now():\n    return {n}\n", "app/lamp.py": f"def on():\n    return {n}\n"}
        for n in range(4)
    ]
    pattern = patterns_in(tmp_path / "r", "app/clock.py", *commits)["sibling"]
    assert pattern.text == "app/lamp.py lies beside app/clock.py: at least 4 commits changed both"


def test_a_sibling_is_one_of_a_listed_file(tmp_path: Path) -> None:
    """More of what was found lies in `app`, but none of it is in the answer."""
    crowd = {
        f"app/{name}_handler.py": handler(name.title()) for name in ("mail", "file", "push", "text", "fax", "pager")
    }
    repository(tmp_path / "r")
    commit(tmp_path / "r", crowd | {"web/menu.py": handler("Menu"), "web/page.py": handler("Page")})
    view = open_index(open_source(tmp_path / "r")).view
    roles = [Role.IMPLEMENTATION] * len(view.paths)
    best = [Judgment("web/menu.py", 0.3)]
    ranking = [*best, *(Judgment(path, 0.15) for path in crowd)]

    def told(listed: set[str], *, adds: bool = True) -> str:
        found = patterns_of(best, view.paths, roles, ranking, view, listed=listed, adds=adds)
        return next((p.text for p in found if p.kind == "sibling"), "")

    assert told({"web/menu.py"}).startswith("web/page.py is a sibling of web/menu.py")
    assert "is a sibling of app/mail_handler.py" in told({"web/menu.py", "app/mail_handler.py"})
    assert not told({"web/menu.py", "app/mail_handler.py"}, adds=False)


def test_a_long_name_of_a_type_takes_bounded_time(tmp_path: Path) -> None:
    text = f"class {'a' * 3_900}\n" * 50
    files = {f"app/{name}.rb": f"# {name}\n{text}" for name in MODULES}
    began = process_time()
    patterns_in(tmp_path / "r", "app/order.rb", files)
    assert process_time() - began < 3
