"""Secrets in quoted text made unreadable: found by detect-secrets, replaced by a marker on the same line.

Only its detectors are used, as functions from a line to the values in it: none of its settings, baselines, processes
or verification, so nothing asks the network. A cheap look at each line decides whether the package is imported.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from zeroin.answer import Context
from zeroin.types import Term

MARK = "[redacted: {}]"
LEAST = 8  # characters of a secret, but for passwords in URLs
PEM_LINES = 400  # a key block without an end is taken to be at most this long

# What may be in the line of a secret: a long run of letters and digits, a word that announces one, a password in a URL.
_SUSPECT = re.compile(
    r"(?<![\w+/=-])(?=[A-Za-z+/=_-]{0,40}[0-9])[\w+/=-]{15}|://[^/\s:@]{1,200}:[^/\s:@]{1,200}@"
    r"|(?:pass|pwd|secret|key|token|cred|contrase)[^\n]{0,60}?[:=(][^\n]{0,80}?[0-9]",
    re.IGNORECASE,
)
_ENV_FILE = re.compile(r"(?:^|/)(?:\.env(?:\.[\w.-]+)?|[\w.-]+\.env|\.envrc|\.flaskenv)$", re.IGNORECASE)
_ENV_SAMPLE = re.compile(r"(?:example|sample|template|dist|defaults?|schema|tpl)$", re.IGNORECASE)
_SECRET_FILE = re.compile(r"(?:^|/)[._](?:netrc|pgpass|htpasswd|git-credentials)$", re.IGNORECASE)
_ENV_VALUE = re.compile(r"(\s*(?:export\s+|set\s+)?[\w.-]+\s*[:=]\s*)(\S.*)")
_PEM_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_RUN = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40,}={0,2}(?![A-Za-z0-9+/=])")
_PEM_LINE = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]+={0,2}(?![A-Za-z0-9+/=])")
_IN_URL = "Basic Auth Credentials"
_PLACEHOLDER = re.compile(
    r"(?i)example|sample|dummy|placeholder|change.?me|your[_-]|xxx|\.\.\.|<[^>]*>|\$\{|\{\{|%\(|^(.)\1*$"
)


# Keys with a prefix of their own that the package (1.5.0, 2024) does not know.
_PREFIXED = (
    ("Anthropic API key", re.compile(r"\bsk-ant-[\w-]{20,}")),
    ("OpenAI Token", re.compile(r"\bsk-(?:proj|svcacct|admin)-[\w-]{20,}")),
    ("Google API key", re.compile(r"\bAIza[\w-]{35}(?![\w-])")),
    ("GitHub Token", re.compile(r"\bgithub_pat_\w{40,}")),
    ("Hugging Face token", re.compile(r"\bhf_[A-Za-z0-9]{34}\b")),
    ("Shopify token", re.compile(r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b")),
    ("DigitalOcean token", re.compile(r"\bdo[opr]_v1_[0-9a-f]{64}\b")),
)


@dataclass(frozen=True, slots=True)
class _Detector:
    """One detector of the package: what its findings are called, and itself."""

    label: str
    plugin: Any
    keyword: bool = False


class Redaction:
    """The lines of one file as they may be shown; each is looked at when it is asked for."""

    def __init__(self, path: str, lines: Sequence[str]) -> None:
        self._path = path
        self._lines = lines
        name = path.rpartition("/")[2]
        self._env = bool(_ENV_FILE.search(path)) and not _ENV_SAMPLE.search(name)
        self._all = bool(_SECRET_FILE.search(path))
        self._keys = _key_lines(lines)
        self._done: dict[int, tuple[str, int]] = {}

    def line(self, number: int) -> tuple[str, int]:
        """Line `number` (1-based), and how many values in it were replaced."""
        if number not in self._done:
            self._done[number] = self._redacted(number)
        return self._done[number]

    def _redacted(self, number: int) -> tuple[str, int]:
        text = self._lines[number - 1]
        if not text.strip():
            return text, 0
        if self._env or self._all:
            return _whole_value(text, named=self._env)
        if number in self._keys:
            runs = (_PEM_LINE if self._keys[number] else _PEM_RUN).findall(text)
            if runs:
                return text.replace(max(runs, key=len), MARK.format("private key")), 1
        return redact_line(self._path, text)


def redact(path: str, lines: Sequence[str]) -> tuple[list[str], int]:
    """The lines of a file without its secrets, as many as before, and how many values were replaced."""
    redaction = Redaction(path, lines)
    done = [redaction.line(number) for number in range(1, len(lines) + 1)]
    return [text for text, _ in done], sum(count for _, count in done)


def redact_line(path: str, text: str) -> tuple[str, int]:
    """One line of the file at `path` ("" if none), or one quoted sentence, without the secrets in it."""
    if not _SUSPECT.search(text):
        return text, 0
    found = {match[0]: label for label, regex in _PREFIXED for match in regex.finditer(text)}
    for detector in _detectors():
        for value in _values(detector, path, text):
            found.setdefault(value, detector.label)
    count = 0
    for value in sorted(found, key=len, reverse=True):  # a value inside a longer one goes with it
        if value in text:
            count += text.count(value)
            text = text.replace(value, MARK.format(found[value]))
    return text, count


def quotes_of(context: Context) -> tuple[Context, int]:
    """A context without secrets in what it quotes, and how many of those are in the answer itself.

    Paths stay, so that what is named can be found, and so do the caller's own words.
    """
    if not context.redact:
        return context, 0
    counts: list[int] = []
    parts = {name: _walk(getattr(context, name), counts) for name in _ANSWER}
    cycles = tuple(
        replace(
            cycle,
            changes=_walk(cycle.changes, []),
            gaps=_walk(cycle.gaps, []),
            query=replace(cycle.query, keywords=_walk(cycle.query.keywords, [])),
        )
        for cycle in context.cycles
    )
    return replace(context, cycles=cycles, ranking=_walk(context.ranking, []), **parts), sum(counts)


def terms_of(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Learned words without secrets in what their sources quote."""
    shown: tuple[Term, ...] = _walk(tuple(terms), [])
    return shown


_ANSWER = ("files", "supporting", "terminology", "patterns", "gaps", "warnings", "stop_reason", "advice")
_AS_IT_IS = frozenset({"path", "where", "commit", "glob"})


def _walk(value: Any, counts: list[int]) -> Any:
    if isinstance(value, str):
        text, count = redact_line("", value)
        counts.append(count)
        return text
    if isinstance(value, tuple | list):
        return tuple(_walk(item, counts) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        changed = {}
        for f in fields(value):
            part = getattr(value, f.name)
            if f.name not in _AS_IT_IS and (isinstance(part, str | tuple | list) or is_dataclass(part)):
                walked = _walk(part, counts)
                if walked != part:
                    changed[f.name] = walked
        return replace(value, **changed) if changed else value
    return value


def _whole_value(text: str, *, named: bool) -> tuple[str, int]:
    """A line of a file of secrets: its name stays where it has one, comments stay, all else goes."""
    if text.lstrip().startswith(("#", ";")):
        return redact_line("", text)
    match = _ENV_VALUE.fullmatch(text) if named else None
    if match is not None:
        return match[1] + MARK.format("value"), 1
    if named and re.fullmatch(r"\s*(?:export\s+)?[\w.-]+\s*[:=]?\s*", text):
        return text, 0
    return MARK.format("value"), 1


def _key_lines(lines: Sequence[str]) -> dict[int, bool]:
    """The lines of private keys, BEGIN and END included; True for those that hold nothing but the key."""
    inside: dict[int, bool] = {}
    left = 0
    for number, text in enumerate(lines, 1):
        if "-----" in text:
            if _PEM_BEGIN.search(text):
                left = PEM_LINES
                inside[number] = False
            elif _PEM_END.search(text):
                inside[number] = False
                left = 0
        if left and number not in inside:
            bare = re.sub(r"""^[\s"'`+,]+|(?:\\[nr])*[\s"'`+,;)\\]*$""", "", text)
            inside[number] = bool(bare) and _PEM_LINE.fullmatch(bare) is not None and len(bare) > 15
            left -= 1
    return inside


class _LoadedWhenUsed(ModuleType):
    """Stands for a module that is loaded when something of it is used.

    The detectors import `requests` for a verification that is never called; loading it takes most of their time, and it
    binds a socket to see whether there is IPv6. (`importlib.util.LazyLoader` loads at the second `import` already.)
    """

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


@cache
def _detectors() -> tuple[_Detector, ...]:
    """The detectors that are used, surest first."""
    sys.modules.setdefault("requests", _LoadedWhenUsed("requests"))
    from detect_secrets.plugins import (
        artifactory,
        aws,
        azure_storage_key,
        basic_auth,
        cloudant,
        discord,
        github_token,
        gitlab_token,
        jwt,
        keyword,
        mailchimp,
        npm,
        openai,
        pypi_token,
        sendgrid,
        slack,
        softlayer,
        square_oauth,
        stripe,
        telegram_token,
        twilio,
    )

    classes = (
        aws.AWSKeyDetector,
        github_token.GitHubTokenDetector,
        gitlab_token.GitLabTokenDetector,
        openai.OpenAIDetector,
        slack.SlackDetector,
        stripe.StripeDetector,
        sendgrid.SendGridDetector,
        square_oauth.SquareOAuthDetector,
        npm.NpmDetector,
        pypi_token.PypiTokenDetector,
        mailchimp.MailchimpDetector,
        twilio.TwilioKeyDetector,
        telegram_token.TelegramBotTokenDetector,
        discord.DiscordBotTokenDetector,
        jwt.JwtTokenDetector,
        azure_storage_key.AzureStorageKeyDetector,
        artifactory.ArtifactoryDetector,
        cloudant.CloudantDetector,
        softlayer.SoftlayerDetector,
        basic_auth.BasicAuthDetector,
    )
    plain = tuple(_Detector(c.secret_type, c()) for c in classes)
    return (*plain, _Detector("secret", keyword.KeywordDetector(), keyword=True))


def _values(detector: _Detector, path: str, text: str) -> list[str]:
    """The secrets that one detector sees in a line."""
    if not detector.keyword:
        found = [v for v in detector.plugin.analyze_string(text) if v]
        if detector.label == _IN_URL:
            return [v for v in found if len(v) >= 4 and (_mixed(v) or len(v) >= 12)]
        return [value for v in found for value in ([v] if len(v) >= LEAST else _around(detector, v, text))]
    from detect_secrets.plugins import keyword
    from detect_secrets.util.filetype import determine_file_type

    by_type = keyword.REGEX_BY_FILETYPE.get(
        determine_file_type(path), keyword.QUOTES_REQUIRED_DENYLIST_REGEX_TO_GROUP
    )
    found = detector.plugin.analyze_string(text, denylist_regex_to_group=by_type)
    return [v for v in found if v and len(v) >= LEAST and _mixed(v)]


def _around(detector: _Detector, part: str, text: str) -> list[str]:
    """The whole matches of which a detector gave only a `part` (the prefix, of a token of GitHub)."""
    matches = (match for regex in detector.plugin.denylist for match in regex.finditer(text))
    return [match[0] for match in matches if part in match.groups() and len(match[0]) >= LEAST]


def _mixed(value: str) -> bool:
    """Whether a value that its name or place calls secret may be one: letters and digits, no placeholder, no code."""
    from detect_secrets.filters.heuristic import (
        is_indirect_reference,
        is_potential_uuid,
        is_sequential_string,
        is_templated_secret,
    )

    return (
        re.search(r"\d", value) is not None
        and re.search(r"[A-Za-z]", value) is not None
        and not re.search(r"[\s()\[\]{}<>]", value)
        and _PLACEHOLDER.search(value) is None
        and not is_potential_uuid(value)
        and not is_sequential_string(value)
        and not is_templated_secret(value)
        and not is_indirect_reference(value)
    )
