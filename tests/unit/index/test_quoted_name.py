"""In which forms a file has a flag that a task names, and which strings a pasted message says whole."""

import pytest

from zeroin.index.literal import _TOKEN as TOKEN
from zeroin.index.literal import _is_whole
from zeroin.index.quote_match import SearchedText
from zeroin.index.quoted_name import QuotedName
from zeroin.types import Quotation


@pytest.mark.parametrize(
    ("flag", "text", "line"),
    [
        ("--strip", 'run(["git", "--strip"])\n', 1),
        ("--strip", "// with --strip nothing is left\n", 1),
        ("--strip", "args.--stripes\n", None),
        ("--config", 'root.join("config")\n', None),  # any string may say one word …
        ("--config", 'parser.add_argument("config")\n', 1),  # … unless its line, or the one before, registers it
        ("--config", 'target = load("config")\n', None),  # “arg” within a word registers nothing
        ("--config", 'newArg("config")\n', 1),
        ("--config", 'flags.String(\n  "config", "", "where")\n', 2),
        ("--config", "config = 1\n" * 40 + 'parser.add_argument("--config")\n', 41),
        ("--line-range", 'names = ["line-range"]\n', 1),
        ("--strip", "#[arg(\n    short,\n    long,\n)]\npub strip: Option<Strip>,\n", 5),
        ("--strip", "#[arg(long)]\npub other: bool,\npub strip: bool,\n", None),
        ("--config", "#[arg(long)]\n    name: String,\n    config: bool,\n", None),
        ("--config", "#[arg(long)]\n    name: String,\n}\nfn run() { let x = Settings { config: 1 }; }\n", None),
        ("--line-range", "@Option var lineRange: String\n", 1),
        ("--line-range", "var lineRange: String\n", None),
    ],
)
def test_forms(flag: str, text: str, line: int | None) -> None:
    match = QuotedName.of(Quotation(flag, (flag,), name=True)).in_text(SearchedText(text))
    assert (match and match.line) == line


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        ('log("cannot open the file %s", name)', True),
        ("log('cannot open the file %(name)s')", True),
        ('log("cannot open the file ${path}: {}")', True),
        ('log("can\'t open the file, cannot open the file")', False),
        ('log("cannot open the file today")', False),
        ('log("cannot open the file \\"%s\\" today")', False),
        ('f("a") or cannot open the file or g("b")', False),
        ("cannot open the file", False),
    ],
)
def test_a_string_is_said_whole(line: str, whole: bool) -> None:
    spans = [(match.group().lower(), match.start()) for match in TOKEN.finditer(line)]
    said = {i for i, (token, _) in enumerate(spans) if token in ("cannot", "open", "the", "file")}
    at = next(i for i, (token, _) in enumerate(spans) if token == "cannot")
    assert _is_whole(line, spans, said, at) == whole
