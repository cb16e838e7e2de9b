"""What zeroin brings along: grammars, each of which parses a line here, and models, each held to its digest."""

from __future__ import annotations

import os
from pathlib import Path

from zeroin.doctor.check import Check
from zeroin.errors import ModelError

_AREA = "parts"
_REINSTALL = "install zeroin again: pip install --force-reinstall zeroin"
# A line of each language that its grammar reads without an error and that defines the name `total`.
_LINES = {
    "bash": "total() { echo 1; }\n",
    "c": "int total(void) { return 1; }\n",
    "cpp": "class total { int a; };\n",
    "csharp": "class total { }\n",
    "elixir": "def total(a), do: a\n",
    "go": "package a\nfunc total() int { return 1 }\n",
    "haskell": "total :: Int -> Int\ntotal a = a\n",
    "java": "class total { }\n",
    "javascript": "function total() { return 1; }\n",
    "kotlin": "fun total(): Int { return 1 }\n",
    "lua": "function total() return 1 end\n",
    "php": "<?php function total() { return 1; }\n",
    "python": "def total():\n    return 1\n",
    "ruby": "def total\n  1\nend\n",
    "rust": "fn total() -> i32 { 1 }\n",
    "scala": "object total { val a = 1 }\n",
    "swift": "func total() -> Int { return 1 }\n",
    "tsx": "function total() { return <b/>; }\n",
    "typescript": "function total(): number { return 1; }\n",
    "zig": "fn total() void {}\n",
}


def parts() -> list[Check]:
    """Whether every grammar parses a line of its language, and whether the models are those that were shipped."""
    return [*_grammars(), *_models()]


def _grammars() -> list[Check]:
    try:
        from zeroin.parsing.grammars import GRAMMAR_LANGUAGES, parser_for, query_for
    except ImportError as error:
        return [Check(_AREA, "grammars", "bad", f"tree-sitter cannot be loaded: {error}", _REINSTALL)]
    broken = []
    for language in GRAMMAR_LANGUAGES:
        parser, query = parser_for(language), query_for(language)
        source = _LINES.get(language, "").encode()
        if parser is None or query is None or parser.parse(source).root_node.has_error:
            broken.append(language)
    count = f"{len(GRAMMAR_LANGUAGES) - len(broken)} of {len(GRAMMAR_LANGUAGES)} languages parse"
    if not broken:
        return [Check(_AREA, "grammars", "ok", count)]
    told = f"{count}; not {', '.join(broken)}: their names are found by patterns, less exactly"
    return [Check(_AREA, "grammars", "warn", told, _REINSTALL)]


def _models() -> list[Check]:
    from zeroin.models import encoder, ranker, words
    from zeroin.models.shipped import SHIPPED, damaged

    wrong = damaged()
    if wrong:
        told = "; ".join(f"{name}: {what}" for name, what in wrong.items())
        return [Check(_AREA, "models", "bad", told, _REINSTALL)]
    try:
        ranker.read_ranker(ranker.SHIPPED)
        encoder.read_encoder(encoder.SHIPPED)
        words.read_words(words.SHIPPED)
    except ModelError as error:
        return [Check(_AREA, "models", "bad", str(error), _REINSTALL)]
    size = sum(Path(encoder.SHIPPED).with_name(name).stat().st_size for name in SHIPPED)
    told = f"{len(SHIPPED)} files are what was shipped, {size / 1e6:.1f} MB"
    return [Check(_AREA, "models", "ok", told), *_named_models()]


def _named_models() -> list[Check]:
    """Models that the environment puts in the place of the shipped ones."""
    from zeroin.models import encoder, ranker

    out = []
    for variable, read in ((ranker.VARIABLE, ranker.read_ranker), (encoder.VARIABLE, encoder.read_encoder)):
        given = os.environ.get(variable)
        if not given:
            continue
        try:
            read(Path(given))
        except ModelError as error:
            out.append(Check(_AREA, variable, "bad", str(error), f"correct or unset {variable}"))
        else:
            told = f"{given} stands in for the shipped one"
            out.append(Check(_AREA, variable, "warn", told, f"unset {variable} unless you mean it"))
    return out
