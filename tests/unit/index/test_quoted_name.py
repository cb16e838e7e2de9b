"""In which forms a file has a flag that a task names."""

import pytest

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
