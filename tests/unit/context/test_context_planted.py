"""Made-up secrets of every kind in many languages, and lines that were made to be slow."""

import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from benchmarks.planted_answers import leaks
from benchmarks.planted_secrets import NAMED, TOKENS, planted, seen, value_of
from tests.unit.context.conftest import judgment
from zeroin.answer import Context
from zeroin.context.redaction import private_keys, redact, secret_patterns, token_forms
from zeroin.context.rendering import FORMATS, render
from zeroin.types import Span

PIECES = (
    "a", "A1", "A1b2", "a1-", "0123456789abcdef", "1:", "M.", ".", "<", "=", "- ", " \t", ",,\"", "\"", "'\"", "' ",
    "\\n", "\\n ", "//", "://", "://a:b", "://a:b1@c ", "-----BEGIN ", "-----BEGIN RSA PRIVATE " + "KEY-----",
    "A" * 40 + "===", "key", "key:", "key(((", "key_", "key]]'''", "pass", "password", "password=", "password is ",
    "password ='", "password: &", "secret \"", "secret[", "token ", "token=", "token:" + "a" * 300 + "!",
    "aws secret ", "aws key:", "bearer ", "authorization: basic ", "cookie: a=", "curl -u a:", "mysql -p", " -p ",
    "_authToken=//a/", "eyJ", "eyJabc12345.", "sk-", "sk-T3Blbk" + "FJ", "xoxb-1-", "sk-ant-", "s.", "Private-Lines: 9",
    "'abcdefgh1' == ", "'abcdefgh1'==key", "?password=a1", ";pwd=a1",
    "_auth=a1", "\"auth\":\"", "://a:b1@", "://a:b/", "password=aB3dE5fG7,", "password: \"a\\\"", "pwd: &a !!b ",
    "password: aB3dE5fG7 hI9jK1mN ", "pwd, value: ", "mysql -p'aB3dE5fG7 ", "curl -u 'a:aB3dE5fG7 ",
    "name: password ", "value: '", "identified by '",
)  # fmt: skip
BEFORE = ("", "password = '", "eyJ", "secret:")
WHOLE_LINE = (
    "_NAMES",
    "_HEADER",
    "_COOKIES",
    "_COOKIE",
    "_URL",
    "_ACCOUNT",
    "_COMPARED",
    "_RUN",
    "_LONG_RUN",
    "_MARK",
    "_BASE64",
)
CODE = """
import json, sys
from zeroin.context.redaction.redact import redact, redact_quote
key = "-----%s RSA PRIVATE " + "KEY-----"
for before, piece in json.load(sys.stdin):
    line = (before + piece * (20_000 // len(piece) + 1))[:20_000] + chr(0)
    redact("x.yaml", ["password:", line])
    redact(".env", [line + " "])
    redact("k.pem", [key % "BEGIN", line, key % "END"])
    redact_quote(line)
"""
PATTERN = """
import json, re, sys
for text, flags, pieces in json.load(sys.stdin):
    pattern = re.compile(text, flags)
    for piece in pieces:
        line = (piece * (50_000 // len(piece) + 1))[:50_000] + chr(0)
        for _ in pattern.finditer(line):
            pass
"""


def test_nothing_planted_is_shown() -> None:
    """168 kinds in 18 languages and file formats."""
    shown = defaultdict(list)
    for one in planted():
        text, count = redact.redact(one.path, one.lines)
        if not count or seen(one.secrets, "\n".join(text)):
            shown[one.kind].append((one.form, text))
    assert not shown


@pytest.mark.parametrize("format_", FORMATS)
def test_no_format_shows_anything_planted(context: Context, format_: str) -> None:
    every = [*planted()][:: 1 if format_ == "markdown" else 5]  # no divisor of the number of formats
    files = {f"{n}/{one.path}": one for n, one in enumerate(every)}
    for some in batched(files, 500):
        shown = tuple(judgment(p, 0.9, Span(1, len(files[p].lines), whole=True)) for p in some)
        answer = replace(context, files=shown, budget=900_000, pack="full")
        text = render(answer, lambda path: "\n".join(files[path].lines) if path in files else "", format_, code=True)
        assert not leaks([files[p] for p in some], text if isinstance(text, str) else text.decode())
        assert format_ == "paths" or str(text).count("[redacted: ") >= len(some)


def batched(values: Iterable[str], size: int) -> Iterator[list[str]]:
    every = list(values)
    yield from (every[at : at + size] for at in range(0, len(every), size))


@pytest.mark.parametrize("kind", [*TOKENS, *NAMED])
def test_what_is_around_a_secret_stays(kind: str) -> None:
    value = value_of(TOKENS[kind] if kind in TOKENS else NAMED[kind][1], "around")
    line = f'    login(user="admin", password="{value}")  # of the staging server, since 2024'
    text, count = redact.redact_line("a.py", line)
    assert count == 1 and value[-10:] not in text
    assert text.startswith('    login(user="admin", password="') and text.endswith(
        '")  # of the staging server, since 2024'
    )


def test_a_line_made_to_be_slow_takes_bounded_time() -> None:
    run(CODE, [(BEFORE[n % len(BEFORE)], piece) for n, piece in enumerate(PIECES)])


def test_no_pattern_is_slow_on_what_is_made_of_its_own_letters() -> None:
    """Every pattern that a whole line is searched for, on 50,000 characters of its letters, over and over."""
    modules = (private_keys, redact, secret_patterns)
    named = [vars(module)[name] for module in modules for name in WHOLE_LINE if name in vars(module)]
    options = [pattern for _, pattern in secret_patterns._OPTIONS]
    patterns = [*named, *options, *(pattern for *_, pattern in token_forms.forms())]
    assert len(patterns) > 115
    run(PATTERN, [(p.pattern, p.flags, pieces_of(p.pattern)) for p in patterns])


def pieces_of(pattern: str) -> list[str]:
    """Texts of the letters that a pattern says, alone and with what its classes hold between them."""
    words = re.findall(r"[A-Za-z0-9_]{2,}", re.sub(r"\\.|\(\?[P:<=!i]|\{[\d,]*\}|\[[^\]]*\]", " ", pattern))
    letters = "".join(words)[:60] or "a"
    return [letters, f"{letters}-1aA", f"{letters}=", f"{letters}: '", *words[:4], "a1", "A", " ", "'", "="]


def run(code: str, given: object) -> None:
    """Runs code in a process of its own that may take minutes: what is not linear takes hours."""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300, input=json.dumps(given), text=True)
