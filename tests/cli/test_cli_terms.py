"""`zeroin terms`: every format, exit codes, a revision of a real repository."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import jsonschema

from tests.cli.conftest import Run, refused

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_the_table_says_what_the_code_calls_it_and_where_that_is_written(zeroin: Run) -> None:
    done = zeroin("terms", "rate limit", EXAMPLES / "rate-limiting")
    text = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert text.index("sure") < text.index("throttle") < text.index("defaults.ts:13")
    assert "definition src/config/defaults.ts:13" in text


def test_guesses_are_told_apart_and_shown_on_demand(zeroin: Run) -> None:
    ask = ("terms", "rate limit", EXAMPLES / "rate-limiting")
    certain, every = (zeroin(*ask, *more).stdout.decode() for more in ((), ("--guesses",)))
    answer = json.loads(zeroin(*ask, "-f", "json").stdout)
    guesses = [t["code_word"] for t in answer["terms"] if t["certainty"] == "guess"]
    assert guesses and f"{len(guesses)} guesses not shown (--guesses shows them)." in certain
    assert "guess " not in certain and every.count("guess ") == len(guesses)


def test_json_follows_its_schema(zeroin: Run) -> None:
    done = zeroin("terms", "login", EXAMPLES / "identity", "--format", "json")
    answer = json.loads(done.stdout)
    jsonschema.validate(answer, json.loads(zeroin("schema", "terms").stdout))
    best = max((t for t in answer["terms"] if t["code_word"] == "identity"), key=lambda t: t["weight"])
    assert best["sources"][0] == {
        "kind": "definition",
        "where": "docs/glossary.md",
        "line": 8,
        "text": "**Identity** is our word for what other systems call authentication, login or",
    }
    assert answer["named"]["login"] >= 1
    assert json.loads(zeroin("schema").stdout)["title"] == "zeroin.context/1"


def test_markdown_and_xml(zeroin: Run) -> None:
    table = zeroin("terms", "login", EXAMPLES / "identity", "-f", "markdown").stdout.decode()
    assert (
        table.startswith("| Text | Codebase | Certainty | Weight | Learned from |\n")
        and "| login | identity | sure |" in table
    )
    root = ElementTree.fromstring(zeroin("terms", "login", EXAMPLES / "identity", "-f", "xml").stdout)
    terms = {term.get("code_word"): term for term in root.iter("term")}
    assert terms["identity"].find("source") is not None
    assert root.find("word") is not None


def test_exit_codes(zeroin: Run, repo: Path) -> None:
    none = zeroin("terms", "zyzzyva", repo)
    assert none.returncode == 1 and b"No other word that is sure or likely." in none.stdout
    for args in (("terms", " ", repo), ("terms", "x", repo / "nowhere"), ("terms", "x", repo, "--rev", "no")):
        assert refused(zeroin(*args))
    assert refused(zeroin("terms"))


def test_a_revision_and_a_file(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    out = tmp_path / "words.json"
    done = zeroin("terms", "authentication", repo, "--rev", "HEAD~1", "-f", "json", "-o", out)
    assert done.returncode == 0 and not done.stdout, done.stderr
    answer = json.loads(out.read_text(encoding="utf-8"))
    assert answer["revision"]["rev"] == "HEAD~1"
    assert "auth" in {term["code_word"] for term in answer["terms"]}
