"""Paths of a workspace as the engine has them and as callers see them."""

import pytest

from zeroin.errors import InputError
from zeroin.evaluate.deferred import Deferred
from zeroin.tree import Skipped
from zeroin.types import Evidence, Judgment, Reason
from zeroin.workspace.names import Names

KNOWN = {
    "web/my file, (1).ts",
    "web/src/app.ts",
    "web/README.md",
    "api/web/app.py",
    "web-2/a.py",
    "web",
    "web/src",
    "api/web",
}
NAMES = Names(["web", "api", "web-2"], KNOWN.__contains__)


@pytest.mark.parametrize(
    ("inside", "shown"),
    [
        ("web/src/app.ts", "web:src/app.ts"),
        ("web-2/a.py", "web-2:a.py"),
        ("api/web/app.py", "api:web/app.py"),
        ("web/src/app.ts imports web/README.md.", "web:src/app.ts imports web:README.md."),
        (
            "commit 1a “Change web/src/app.ts” changed web/src/app.ts",
            "commit 1a “Change web/src/app.ts” changed web:src/app.ts",
        ),
        ("says `web/src/app.ts` in web/my file, (1).ts, too", "says `web/src/app.ts` in web:my file, (1).ts, too"),
        ("web/src/apples and web/srcs", "web:src/apples and web/srcs"),
        ("one of the 9 files of web/**/*.ts", "one of the 9 files of web:**/*.ts"),
        ("web/src/app.ts:12 calls it (web/src/*.ts)", "web:src/app.ts:12 calls it (web:src/*.ts)"),
        ("see https://example.org/web/src/app.ts", "see https://example.org/web/src/app.ts"),
        ("./web/src/app.ts and/or web/other.ts", "./web/src/app.ts and/or web/other.ts"),
        ("nothing here", "nothing here"),
    ],
)
def test_only_paths_that_exist_are_shown_by_their_repository(inside: str, shown: str) -> None:
    assert NAMES.shown(inside) == shown


def test_a_skipped_file_is_shown_by_its_repository() -> None:
    kept = Skipped("elsewhere.ts", "symlink")
    shown = NAMES.shown((Skipped("web/src/app.ts", "symlink"), kept))
    assert shown == (Skipped("web:src/app.ts", "symlink"), kept)


def test_values_at_any_depth() -> None:
    reasons = Deferred(lambda: (Reason("defines", "web/README.md says so", (Evidence("web/src/app.ts", 3),)),))
    shown = NAMES.shown({"web/README.md": (Judgment("web/src/app.ts", 0.5, reasons), 7)})
    judgment, number = shown["web:README.md"]
    assert (judgment.path, judgment.reason, judgment.reasons[0].evidence[0].path, number) == (
        "web:src/app.ts",
        "web:README.md says so",
        "web:src/app.ts",
        7,
    )


def test_words_of_others_are_left_alone() -> None:
    reason = Reason("commit", "changed with web/README.md", (Evidence("web/src/app.ts", 3, text="see web/README.md"),))
    shown = NAMES.shown(reason)
    assert shown.text == "changed with web:README.md"
    assert (shown.evidence[0].path, shown.evidence[0].text) == ("web:src/app.ts", "see web/README.md")


def test_a_name_that_no_repository_has_is_refused() -> None:
    with pytest.raises(InputError, match="no repository here is called wbe; there are api, web, web-2"):
        NAMES.inside_glob("wbe:src/**")


@pytest.mark.parametrize(
    ("given", "inside"),
    [
        ("web:src/app.ts", "web/src/app.ts"),
        ("web:/src/app.ts", "web/src/app.ts"),
        ("other:src/app.ts", "other:src/app.ts"),
        ("src/app.ts", "src/app.ts"),
    ],
)
def test_paths_of_callers(given: str, inside: str) -> None:
    assert NAMES.inside(given) == inside


@pytest.mark.parametrize(
    ("given", "inside"),
    [
        ("web:src/**", "web/src/**"),
        ("web:*.ts", "web/**/*.ts"),
        ("*.ts", "*/**/*.ts"),
        ("docs/", "*/**/docs/"),
        ("web", "*/**/web"),
        ("src/*.ts", "*/src/*.ts"),
        ("/src", "*/src"),
        ("**/gen/*.py", "*/**/gen/*.py"),
        ("web/src/**", "*/web/src/**"),
    ],
)
def test_globs_of_callers(given: str, inside: str) -> None:
    assert NAMES.inside_glob(given) == inside
