"""Secrets in the lines of a file, or in a quoted sentence, replaced by a marker on the same line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zeroin.context.redaction.private_keys import key_lines, without_key, without_key_line, without_runs
from zeroin.context.redaction.secret_patterns import secrets_in
from zeroin.patterns import lazy_pattern

MARK = "[redacted: {}]"
_KEY = MARK.format("private key")

# What may be in the line of a secret: a long run of letters and digits, a word that announces one, a password in a URL.
_SUSPECT = lazy_pattern(
    r"(?<![\w+/=-])(?=[A-Za-z+/=_-]{0,40}[0-9])[\w+/=-]{15}|://[^/\s:@]{0,200}:[^/\s:@]{1,200}@"
    r"|-----(?:BEGIN|END) |(?:basic|bearer|token)\s{1,4}[\w.~+/-]{15}"
    r"|(?:pass|pwd|secret|key|token|cred|contrase)[^\n]{0,60}?[:=(][^\n]{0,80}?[0-9]",
    re.IGNORECASE,
)
_ENV_FILE = lazy_pattern(r"(?:^|/)(?:\.env(?:\.[\w.-]+)?|[\w.-]+\.env|\.envrc|\.flaskenv)$", re.IGNORECASE)
_ENV_SAMPLE = lazy_pattern(r"(?:example|sample|template|dist|defaults?|schema|tpl)$", re.IGNORECASE)
_SECRET_FILE = lazy_pattern(r"(?:^|/)[._](?:netrc|pgpass|htpasswd|git-credentials)$", re.IGNORECASE)
_ENV_VALUE = lazy_pattern(r"(\s*(?:export\s+|set\s+)?[\w.-]+\s*[:=]\s*)(\S.*)")
_ENV_NAME = lazy_pattern(r"\s*(?:export\s+)?[\w.-]+\s*[:=]?\s*")


class Redaction:
    """The lines of one file as they may be shown; each is looked at when it is asked for."""

    def __init__(self, path: str, lines: Sequence[str]) -> None:
        self._path = path
        self._lines = lines
        name = path.rpartition("/")[2]
        self._env = bool(_ENV_FILE.search(path)) and not _ENV_SAMPLE.search(name)
        self._all = bool(_SECRET_FILE.search(path))
        self._keys = key_lines(lines)
        self._done: dict[int, tuple[str, int]] = {}

    def line(self, number: int) -> tuple[str, int]:
        """Return line `number` (1-based), and how many values in it were replaced."""
        if number not in self._done:
            self._done[number] = self._redacted(number)
        return self._done[number]

    def _redacted(self, number: int) -> tuple[str, int]:
        text = self._lines[number - 1]
        if not text.strip():
            return text, 0
        if self._env or self._all:
            return _without_value(text, named=self._env)
        if number not in self._keys:
            return redact_line(self._path, text)
        if self._keys[number]:
            return without_key_line(text, _KEY), 1
        text, runs = without_runs(text, _KEY)
        text, others = redact_line(self._path, text)
        return text, runs + others


def redact(path: str, lines: Sequence[str]) -> tuple[list[str], int]:
    """The lines of a file without its secrets, as many as before, and how many values were replaced."""
    redaction = Redaction(path, lines)
    done = [redaction.line(number) for number in range(1, len(lines) + 1)]
    return [text for text, _ in done], sum(count for _, count in done)


def redact_line(path: str, text: str) -> tuple[str, int]:
    """One line of the file at `path` ("" if none), or one quoted sentence, without the secrets in it."""
    if not _SUSPECT.search(text):
        return text, 0
    text, count = without_key(text, _KEY) if "-----" in text else (text, 0)
    found: dict[str, str] = {}
    for value, label in secrets_in(path, text):
        found.setdefault(value, label)
    for value in sorted(found, key=len, reverse=True):  # a value inside a longer one goes with it
        if value in text:
            count += text.count(value)
            text = text.replace(value, MARK.format(found[value]))
    return text, count


def _without_value(text: str, *, named: bool) -> tuple[str, int]:
    """Return a line of a file of secrets: its name stays where it has one, comments stay, all else goes."""
    if text.lstrip().startswith(("#", ";")):
        return redact_line("", text)
    match = _ENV_VALUE.fullmatch(text) if named else None
    if match is not None:
        return match[1] + MARK.format("value"), 1
    if named and _ENV_NAME.fullmatch(text):
        return text, 0
    return MARK.format("value"), 1
