"""Secrets in the lines of a file, or in a quoted sentence, replaced by a marker on the same line."""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from zeroin.context.redaction.likely import is_long, is_mixed
from zeroin.context.redaction.private_keys import is_encoded_key, key_lines, without_key, without_key_line, without_runs
from zeroin.context.redaction.secret_patterns import secrets_in, value_after
from zeroin.context.redaction.token_forms import Secret
from zeroin.patterns import lazy_pattern

MARK = "[redacted: {}]"
_KEY = MARK.format("private key")

_ENV_FILE = lazy_pattern(
    r"(?:^|/)(?:\.env(?:\.[\w.-]+)?|[\w.-]+\.env(?:\.(?:bak|old|orig|save))?|\.envrc|\.flaskenv)~?$", re.IGNORECASE
)
_ENV_SAMPLE = lazy_pattern(r"(?:example|sample|template|dist|defaults?|schema|tpl)$", re.IGNORECASE)
_SECRET_FILE = lazy_pattern(r"(?:^|/)[._](?:netrc|pgpass|htpasswd|git-credentials)$", re.IGNORECASE)
_ENV_VALUE = lazy_pattern(r"(\s*+(?:export\s++|set\s++)?[\w.-]++\s*+[:=]\s*+)(\S.*)")
_ENV_NAME = lazy_pattern(r"\s*+(?:export\s++)?[\w.-]++\s*+[:=]?\s*+")
MARKED = lazy_pattern(r"\[redacted: [^\]\n]{1,40}\]")
_RUN = lazy_pattern(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{20,}+={0,2}")  # of base 64
_PIECES = 60  # lines of a text of base 64, at most
_PIECE_CHARS = 250
_PIECE = lazy_pattern(r"\s{0,40}\\?['\"`]?([A-Za-z0-9+/_-]{8,200}={0,2})\\?['\"`]?[\s+.,;)\\]{0,6}")
_LEAST_ODD = 10  # characters of a word of a secret
_WORD = lazy_pattern(r"\w{10,}")
_PART = lazy_pattern(r"[A-Za-z0-9]{10,}")
_DIGIT = lazy_pattern(r"[0-9]")


class Redaction:
    """The lines of one file as they may be shown; each is redacted when it is asked for."""

    def __init__(self, path: str, lines: Sequence[str]) -> None:
        self._path = path
        self._lines = lines
        name = path.rpartition("/")[2]
        self._env = bool(_ENV_FILE.search(path)) and not _ENV_SAMPLE.search(name)
        self._all = bool(_SECRET_FILE.search(path))
        self._keys = key_lines(lines)
        self.line = cache(self._redacted)

    def _redacted(self, number: int) -> tuple[str, int]:
        """Return line `number` (1-based), and how many values in it were replaced."""
        text = self._lines[number - 1]
        if not text.strip():
            return text, 0
        if number in self._keys:
            return self._of_key(number, text)
        if self._env or self._all:
            return _without_value(text, named=self._env, script=self._path.endswith("rc"))
        after = self._after(number, text) if number > 1 else None
        return redact_line(self._path, text) if after is None else without(text, [after])

    def _after(self, number: int, text: str) -> Secret | None:
        """Return the secret, or piece of one, that fills a line, if the lines before it call it secret."""
        piece = _PIECE.fullmatch(text) if len(text) <= _PIECE_CHARS else None
        first = number - 1  # index (from 0) of the first line in an unbroken run of pieces
        while piece and number - first < _PIECES and first and _PIECE.fullmatch(self._lines[first - 1][:_PIECE_CHARS]):
            first -= 1
        before, later = self._lines[first - 1] if first else "", first < number - 1
        if piece and (is_encoded_key(before) or (later and is_encoded_key(self._lines[first]))):
            return *piece.span(1), "private key"
        if piece and later:
            return (*piece.span(1), "secret") if value_after(before, self._lines[first]) else None
        return value_after(before, text) if may_hold(text) else None

    def _of_key(self, number: int, text: str) -> tuple[str, int]:
        if self._keys[number]:
            return without_key_line(text, _KEY), 1
        text, runs = without_runs(text, _KEY)
        text, others = redact_line(self._path, text)
        return text, runs + others


def redact(path: str, lines: Sequence[str]) -> tuple[list[str], int]:
    """Return the lines of a file without its secrets, as many as before, and how many values were replaced."""
    redaction = Redaction(path, lines)
    done = [redaction.line(number) for number in range(1, len(lines) + 1)]
    return [text for text, _ in done], sum(count for _, count in done)


def redact_line(path: str, text: str) -> tuple[str, int]:
    """Return a line of the file at `path` ("" if none) without its secrets, and how many values were replaced."""
    if not may_hold(text):
        return text, 0
    text, keys = without_key(text, _KEY) if "-----" in text else (text, 0)
    text, others = without(text, secrets_in(path, text))
    return text, keys + others


def redact_quote(text: str, paths: Iterable[str] = ()) -> tuple[str, int]:
    """Return a quoted sentence without secrets and pieces of private keys, and how many values were replaced.

    `paths` are those that the sentence names: a long one may look like a piece of a key.
    """
    if not may_hold(text):
        return text, 0
    text, count = redact_line("", text)
    searched = text
    for path in paths:
        searched = searched.replace(path, " " * len(path)) if path else searched
    runs = [(*run.span(), "key") for run in _RUN.finditer(searched) if any(map(is_mixed, _PART.findall(run[0])))]
    text, others = without(text, runs)
    return text, count + others


def redact_words(text: str) -> tuple[str, int]:
    """Return a list of words without those that look random, which may be parts of a secret, and how many."""
    odd = [(*word.span(), "word") for word in _WORD.finditer(text) if is_long(word[0], _LEAST_ODD)]
    return without(text, odd)


def without_marks(text: str) -> str:
    """Return a text without the markers of replaced secrets."""
    return MARKED.sub("", text)


def may_hold(text: str) -> bool:
    """Tell, at little cost, whether a line may hold a secret: only passwords and the marks of keys may lack digits."""
    if _DIGIT.search(text) is not None or "-----" in text:
        return True
    folded = text.lower()
    return "pass" in folded or "pwd" in folded


def without(text: str, secrets: Iterable[Secret]) -> tuple[str, int]:
    """Return a line with a mark in place of each secret, and how many marks; overlapping secrets get one."""
    found = sorted((start, end, order, label) for order, (start, end, label) in enumerate(secrets))
    joined: list[tuple[int, int, int, str]] = []
    for start, end, order, label in found:
        if joined and start < joined[-1][1]:
            first, last, surest, name = joined[-1]
            joined[-1] = (first, max(last, end), *min((surest, name), (order, label)))
        else:
            joined.append((start, end, order, label))
    out: list[str] = []
    done = 0
    for start, end, _, label in joined:
        out += [text[done:start], MARK.format(label)]
        done = end
    return "".join((*out, text[done:])), len(joined)


def _without_value(text: str, *, named: bool, script: bool) -> tuple[str, int]:
    """Redact a line of a file of secrets: names, comments and the commands of a `script` stay, all else goes."""
    if text.lstrip().startswith(("#", ";")):
        return redact_line("", text)
    match = _ENV_VALUE.fullmatch(text) if named else None
    if match is not None:
        return match[1] + MARK.format("value"), 1
    if named and _ENV_NAME.fullmatch(text):
        return text, 0
    if named and script:
        return redact_line("", text)
    return MARK.format("value"), 1
