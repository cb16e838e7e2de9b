"""Lines that repeat the task are no evidence, and nothing else changes."""

import shutil
from pathlib import Path

import pytest

import zeroin
from zeroin.engine import Repository
from zeroin.index.echoes import without_echoes
from zeroin.index.view import View

EXAMPLE = Path(__file__).resolve().parents[3] / "examples/token-expiry"
TASK = "Fix the authentication token expiry bug"
_OTHERS = "bug, street, fix, street, token, street, authentication, street, expiry"
CODE = "export function labelOf(parcel: Parcel): string {\n  return parcel.street.toUpperCase();\n}\n"


def asked(folder: Path, task: str, text: str) -> tuple[float, float]:
    """The relevance of a file that has nothing to do with the task, and of the right one."""
    shutil.copytree(EXAMPLE, folder)
    (folder / "src/label.ts").write_text(text + CODE)
    context = zeroin.retrieve(task, folder, top=100)
    found = {j.path: j.relevance for j in (*context.listed, *context.ranking)}
    return found.get("src/label.ts", 0.0), found["src/auth/tokens.ts"]


@pytest.mark.parametrize(
    "text",
    [
        f"// {TASK}\n",
        "// FIXME: fix the\n// authentication token expiry bug, in labelOf\n",
        f'throw new Error("{TASK}");\n' * 30,
        "// authentication token expiry bug fix\n",
        "/** A bug fix for the expiry of any authentication token */\n",
    ],
)
def test_a_file_that_repeats_the_task_is_not_lifted(tmp_path: Path, text: str) -> None:
    lifted, right = asked(tmp_path / "tree", TASK, text)
    assert lifted < 0.2 < 0.7 < right


@pytest.mark.parametrize(
    ("task", "text", "echo"),
    [
        (TASK, "// authentication token: its expiry is that of the label\n", False),
        ("error: cannot create the thread key here", "// error: cannot create the thread key here\n", False),
        ("Sessions of the label expire too early", "// Sessions of the label expire too early\n", False),
        ("Sessions of the label expire too early", "// Sessions of the label expire too early: grade 3\n", True),
        (
            "Sessions of the label expire too early",
            "// Note to AI agents: sessions of the label expire too early\n",
            True,
        ),
        ("token expiry bug", "// token expiry bug\n" * 20, False),  # short: whoever means it says it
        ("The label of this parcel has no street", "// the label of this parcel has no street\n", False),
        ("Write the label of this parcel in capitals", "// write the label of this parcel in capitals\n", False),
        ("Rewrite the label of this parcel in capitals", "// rewrite label of this parcel in capitals\n", True),
        (TASK, "fix(fix, fix, fix, authenticationTokenExpiry, theToken, theBug)\n", False),
        ("Fix the label", "fixTheLabelOfThisParcel()\n", False),
        (TASK, "export function fixAuthenticationTokenExpiryBug() {}\n", True),
        (TASK, "export class AuthenticationToken {}\nexport function tokenExpiry() {}\n", False),
        (TASK, f"// {_OTHERS}\nclass Label {{ expiryBug: string }}\n", True),
        (f"{TASK} in expiryBug", f"// {_OTHERS}\nclass Label {{ expiryBug: string }}\n", False),
        (TASK, f"// {_OTHERS}\nclass Label {{ parcelBug: string }}\n", False),
    ],
)
def test_what_is_an_echo(tmp_path: Path, task: str, text: str, echo: bool) -> None:
    (tmp_path / "label.ts").write_text(CODE + text)
    view = Repository.open(tmp_path).opened.view
    blanked = without_echoes(task, view)
    assert (blanked is not view) == (blanked.text(0) != view.text(0)) == echo


@pytest.mark.parametrize(("said", "echo"), [("", False), (": grade 3", True)])
def test_a_pasted_request_is_a_statement(tmp_path: Path, said: str, echo: bool) -> None:
    message = "Please write the label of this parcel in capitals"
    (tmp_path / "label.ts").write_text(f"{CODE}// {message}{said}\n")
    view = Repository.open(tmp_path).opened.view
    assert (without_echoes(f"Error: {message}", view, (message,)) is not view) == echo


NAMES = ("AuthenticationToken", "tokenExpiry", "fixAuthenticationTokenExpiryBug", "expiryBug", "authenticate")


def _functions(*names: str) -> str:
    return "".join(f"export function {name}(parcel) {{\n  return parcel.street;\n}}\n" for name in names)


def test_a_file_named_by_the_task_is_no_better_than_any_other(tmp_path: Path) -> None:
    found = {}
    for name in ("src/fix-the-authentication-token-expiry-bug.ts", "src/label.ts"):
        tree = shutil.copytree(EXAMPLE, tmp_path / Path(name).stem)
        (tree / name).write_text(_functions("AuthenticationToken", "tokenExpiry", "labelOf"))
        context = zeroin.retrieve(TASK, tree, top=100)
        found[name] = {j.path: j.relevance for j in context.ranking}[name]
    named, other = found.values()
    assert named < other + 0.02  # before: 0.31 and 0.20


@pytest.mark.parametrize(
    "text",
    [
        f"// {TASK}\n" + _functions(*NAMES),
        "export interface Parcel {\n" + "".join(f"  {name}: string;\n" for name in NAMES) + "}\n",
    ],
)
def test_names_of_the_tasks_words_are_half_likely_at_most(tmp_path: Path, text: str) -> None:
    tree = shutil.copytree(EXAMPLE, tmp_path / "tree")
    name = "src/fix-the-authentication-token-expiry-bug.ts"
    (tree / name).write_text(text)
    context = zeroin.retrieve(TASK, tree, top=100)
    found = {j.path: j.relevance for j in (*context.listed, *context.ranking)}
    assert found[name] < 0.5 < found["src/auth/tokens.ts"]


def test_the_lines_are_blank_as_if_they_had_never_been_written(tmp_path: Path) -> None:
    for name, line in (("echo", f"// {TASK}: parcel\n"), ("blank", "\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "label.ts").write_text(CODE + line)
        (tmp_path / name / "other.ts").write_text("export const expiry = 1;\n")
    echo, blank = (Repository.open(tmp_path / name).opened.view for name in ("echo", "blank"))
    seen = without_echoes(TASK, echo)
    assert seen.text(0) == blank.text(0) and echo.text(0) != blank.text(0)
    assert (seen.snapshot.vectors == blank.snapshot.vectors).all()
    for term in seen.snapshot.content.term_ids.tolist():
        assert _held(seen, term) == _held(blank, term)


def _held(view: View, term: int) -> dict[int, list[int]]:
    content = view.snapshot.content
    rows = content.rows(term)
    counts = zip(content.docs[rows].tolist(), content.counts[rows].tolist(), strict=True)
    return {doc: fields for doc, fields in counts if any(fields)}
