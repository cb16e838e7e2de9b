from __future__ import annotations

from zeroin.answer import Pattern
from zeroin.context.patterns import patterns_of
from zeroin.types import Judgment, Role


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


def test_location_naming_sibling_and_tests() -> None:
    patterns = found(
        {"src/api/middleware/throttle-guard.ts": 0.9, "src/web/middleware/csrf-guard.ts": 0.7}, MIDDLEWARE
    )
    assert patterns["location"].glob in ("src/**/middleware/*.ts", "src/**/*-guard.ts")
    assert patterns["location"].evidence == (
        "src/api/middleware/throttle-guard.ts",
        "src/web/middleware/csrf-guard.ts",
    )
    assert "kebab-case" in patterns["naming"].text and "-guard (3)" in patterns["naming"].text
    assert patterns["sibling"].evidence == ("src/api/middleware/auth-guard.ts",)
    assert patterns["tests"].glob == "tests/middleware/*.test.ts"
    assert patterns["tests"].evidence == ("tests/middleware/throttle-guard.test.ts",)


def test_java_and_python_names() -> None:
    java = [f"app/src/main/java/com/x/{n}Controller.java" for n in ("User", "Order", "Cart")]
    java += ["app/src/main/java/com/x/core/Money.java", "app/src/test/java/com/x/UserControllerTest.java"]
    patterns = found({java[0]: 0.8}, java)
    assert "PascalCase" in patterns["naming"].text and "Controller (3)" in patterns["naming"].text
    assert patterns["tests"].glob == "app/src/test/java/com/x/*Test.java"
    python = [
        "pkg/io/csv_reader.py",
        "pkg/io/json_reader.py",
        "pkg/io/__init__.py",
        "pkg/core.py",
        "tests/io/test_csv_reader.py",
    ]
    patterns = found({"pkg/io/csv_reader.py": 0.8}, python)
    assert "snake_case" in patterns["naming"].text and "_reader (2)" in patterns["naming"].text
    assert patterns["sibling"].evidence == ("pkg/io/json_reader.py",)
    assert patterns["tests"].glob == "tests/io/test_*.py"


def test_dotted_infix_and_go() -> None:
    angular = [
        "src/a/user.service.ts",
        "src/b/cart.service.ts",
        "src/b/cart.component.ts",
        "src/a/user.service.spec.ts",
    ]
    patterns = found({"src/a/user.service.ts": 0.9, "src/b/cart.service.ts": 0.8}, angular)
    assert ".service (2)" in patterns["naming"].text
    go = ["retry/backoff.go", "retry/policy.go", "retry/backoff_test.go", "main.go"]
    assert found({"retry/backoff.go": 0.9}, go)["tests"].glob == "retry/*_test.go"


def test_no_twin_names_the_nearest_tests() -> None:
    patterns = found({"src/lib/string-pad.ts": 0.9}, MIDDLEWARE)
    assert "no test is named after src/lib/string-pad.ts" in patterns["tests"].text
    assert patterns["tests"].evidence == ("tests/lib/date-format.test.ts",)


def test_nothing_relevant_or_nothing_there() -> None:
    assert patterns_of([], [], []) == ()
    assert patterns_of([Judgment("a.py", 0.1)], ["a.py"], [Role.IMPLEMENTATION]) == ()
    assert patterns_of([Judgment("gone.py", 0.9)], ["a.py"], [Role.IMPLEMENTATION]) == ()
    assert found({"a": 0.9}, ["a"]) == {}


def test_an_empty_init_is_no_test_and_the_nearest_tests_speak_the_same_language() -> None:
    paths = [
        "pkg/routing/__init__.py",
        "pkg/routing/rules.py",
        "tests/sansio/__init__.py",
        "test-helpers/rules.py",
    ]
    patterns = found({"pkg/routing/__init__.py": 0.8, "pkg/routing/rules.py": 0.7}, paths)
    assert "tests are named after" not in patterns["tests"].text
    mixed = ["src/Docs/Hedging.cs", "bench/run-tests.ps1", "test/Core.Tests/Deep/OtherTests.cs"]
    assert found({mixed[0]: 0.8}, mixed)["tests"].evidence == (mixed[2],)


def test_tests_are_found_by_folder_and_by_mirrored_place() -> None:
    filters = [
        "lib/tool/plugins/filter/math.py",
        "lib/tool/plugins/test/core.py",
        "test/units/cli/test_main.py",
    ]
    mirrored = [
        *filters,
        "test/units/plugins/filter/test_other.py",
        "test/units/plugins/filter/test_third.py",
    ]
    assert found({filters[0]: 0.9}, mirrored)["tests"].glob == "test/units/plugins/filter/test_*.py"
    topics = [
        "src/topics/sorted.js",
        "src/user/index.js",
        "test/topics.js",
        "test/user.js",
        "test/a/other.js",
    ]
    assert found({topics[0]: 0.9}, topics)["tests"].evidence == ("test/topics.js",)
    assert found({topics[1]: 0.9}, topics)["tests"].evidence == ("test/user.js",)
    package = ["pkg/basic.py", "tests/units/basic/test_move.py", "tests/units/other/test_deep.py"]
    assert found({package[0]: 0.9}, package)["tests"].glob == "tests/units/basic/test_*.py"


def test_one_glob_holds_the_tests_that_are_marked_alike() -> None:
    paths = ["a/one.py", "a/two.py", "a/three.cs", "t/test_one.py", "t/test_two.py", "t/three.Test.cs"]
    roles = [Role.IMPLEMENTATION] * 3 + [Role.TEST] * 3
    judged = [Judgment(p, 0.9 - n / 10) for n, p in enumerate(paths[:3])]
    tests = next(p for p in patterns_of(judged, paths, roles) if p.kind == "tests")
    assert tests.glob == "t/test_*.py" and tests.evidence == ("t/test_one.py", "t/test_two.py")


def test_the_folder_that_most_of_what_was_found_lies_in_holds_the_sibling() -> None:
    languages = [
        f"src/languages/{name}Language.cs" for name in ("Czech", "Greek", "Irish", "Malay", "Tamil", "Welsh")
    ]
    paths = ["src/LanguageManager.cs", "src/Rules.cs", *languages]
    roles = [Role.IMPLEMENTATION] * len(paths)
    ranking = [Judgment(paths[0], 0.6), *(Judgment(p, 0.3) for p in languages)]
    alone = next(p for p in patterns_of(ranking[:1], paths, roles) if p.kind == "sibling")
    assert alone.evidence == ("src/Rules.cs",)
    voted = next(p for p in patterns_of(ranking[:1], paths, roles, ranking) if p.kind == "sibling")
    assert voted.evidence[0] in languages and "Language" in voted.text
