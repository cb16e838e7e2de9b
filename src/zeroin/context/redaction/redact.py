"""Secrets in quoted text made unreadable: found by detect-secrets, replaced by a marker on the same line.

Only its detectors are used, as functions from a line to the values in it: none of its settings, baselines, processes
or verification, so nothing asks the network. A cheap look at each line decides whether the package is imported.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from types import ModuleType
from typing import Any

from zeroin.answer import SECTIONS, Context
from zeroin.context.redaction.secret_forms import (
    IN_URL,
    KEY,
    forms_of,
    key_edge,
    mixed,
    without_key,
    without_runs,
)
from zeroin.types import Expansion, Judgment

MARK = "[redacted: {}]"
_KEY_MARK = MARK.format(KEY)
LEAST = 8  # characters of a secret, but for passwords in URLs
PEM_LINES = 400  # a key block without an end is taken to be at most this long

# What may be in the line of a secret: a long run of letters and digits, a word that announces one, a password in a URL.
_SUSPECT = re.compile(
    r"(?<![\w+/=-])(?=[A-Za-z+/=_-]{0,40}[0-9])[\w+/=-]{15}|://[^/\s:@]{0,200}:[^/\s:@]{1,200}@"
    r"|-----(?:BEGIN|END) |(?:basic|bearer|token)\s{1,4}[\w.~+/-]{15}"
    r"|(?:pass|pwd|secret|key|token|cred|contrase)[^\n]{0,60}?[:=(][^\n]{0,80}?[0-9]",
    re.IGNORECASE,
)
_ENV_FILE = re.compile(r"(?:^|/)(?:\.env(?:\.[\w.-]+)?|[\w.-]+\.env|\.envrc|\.flaskenv)$", re.IGNORECASE)
_ENV_SAMPLE = re.compile(r"(?:example|sample|template|dist|defaults?|schema|tpl)$", re.IGNORECASE)
_SECRET_FILE = re.compile(r"(?:^|/)[._](?:netrc|pgpass|htpasswd|git-credentials)$", re.IGNORECASE)
_ENV_VALUE = re.compile(r"(\s*(?:export\s+|set\s+)?[\w.-]+\s*[:=]\s*)(\S.*)")
_PEM_LINE = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]+={0,2}(?![A-Za-z0-9+/=])")


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
        if number not in self._keys:
            return redact_line(self._path, text)
        if self._keys[number]:
            return text.replace(max(_PEM_LINE.findall(text), key=len), _KEY_MARK), 1
        text, runs = without_runs(text, _KEY_MARK)
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
    text, count = without_key(text, _KEY_MARK) if "-----" in text else (text, 0)
    detectors = _detectors()
    found: dict[str, str] = {}
    for value, label in forms_of(text):
        found.setdefault(value, label)
    for detector in detectors:
        for value in _values(detector, path, text):
            found.setdefault(value, detector.label)
    for value in sorted(found, key=len, reverse=True):  # a value inside a longer one goes with it
        if value in text:
            count += text.count(value)
            text = text.replace(value, MARK.format(found[value]))
    return text, count


def quotes_of(context: Context) -> tuple[Context, int]:
    """A context without secrets in what it quotes, and how many of those are in the answer itself.

    Paths stay, so that what is named can be found, and so do the caller's own words. What is quoted of files
    that are not in the answer is redacted when it is looked at: most of it never is, and making it is expensive.
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
            asked=_walk(cycle.asked, []),
            terminology=_walk(cycle.terminology, []),
            judgments=tuple(map(_when_looked_at, cycle.judgments)),
            query=replace(cycle.query, keywords=_walk(cycle.query.keywords, [])),
        )
        for cycle in context.cycles
    )
    ranking = tuple(map(_when_looked_at, context.ranking))
    return replace(context, cycles=cycles, ranking=ranking, **parts), sum(counts)


def everything_of(context: Context) -> Context:
    """A context without secrets, whatever its own setting says, the caller's words included; paths stay."""
    context, _ = quotes_of(replace(context, redact=True))
    text, _ = redact("", context.task.text.split("\n"))
    cycles = tuple(
        replace(
            cycle,
            query=replace(
                cycle.query, title=_walk(cycle.query.title, []), symbols=_walk(cycle.query.symbols, [])
            ),
        )
        for cycle in context.cycles
    )
    return replace(context, task=replace(context.task, text="\n".join(text)), cycles=cycles)


def terms_of(terms: Iterable[Expansion]) -> tuple[Expansion, ...]:
    """Learned words without secrets in what their sources quote."""
    shown: tuple[Expansion, ...] = _walk(tuple(terms), [])
    return shown


_ANSWER = (*SECTIONS, "terminology", "patterns", "gaps", "warnings", "stop_reason", "advice")
_AS_IT_IS = frozenset({"path", "paths", "closed_by", "where", "commit", "glob", "scope"})


def _walk(value: Any, counts: list[int]) -> Any:
    if isinstance(value, str):
        text, count = redact_line("", value)
        counts.append(count)
        return text
    if isinstance(value, Sequence):  # tuples, and what evaluation defers until it is looked at
        return tuple(_walk(item, counts) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        changed = {}
        for f in fields(value):
            part = getattr(value, f.name)
            if f.name not in _AS_IT_IS and (isinstance(part, Sequence) or is_dataclass(part)):
                walked = _walk(part, counts)
                if walked != part:
                    changed[f.name] = walked
        return replace(value, **changed) if changed else value
    return value


class _Later(Sequence[Any]):
    """A sequence without its secrets, made when it is first looked at; equal to the tuple that it is then."""

    def __init__(self, given: Sequence[Any]) -> None:
        self._given = given

    @cached_property
    def _made(self) -> tuple[Any, ...]:
        made: tuple[Any, ...] = _walk(self._given, [])
        return made

    def __getitem__(self, index: Any) -> Any:
        return self._made[index]

    def __len__(self) -> int:
        return len(self._made)

    def __eq__(self, other: object) -> bool:
        return self._made == (other._made if isinstance(other, _Later) else other)

    def __hash__(self) -> int:
        return hash(self._made)


def _when_looked_at(judgment: Judgment) -> Judgment:
    """A judgment whose reasons are redacted when somebody asks for them."""
    return replace(
        judgment,
        reasons=_Later(judgment.reasons),
        irrelevant_because=redact_line("", judgment.irrelevant_because)[0],
    )


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
    """The lines between BEGIN and END of private keys; True for those that hold nothing but the key."""
    inside: dict[int, bool] = {}
    left = 0
    for number, text in enumerate(lines, 1):
        if "-----" in text and (edge := key_edge(text)):
            left = PEM_LINES if edge == "BEGIN" else 0  # the line itself is looked at alone
        elif left:
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
        if detector.label == IN_URL:
            return [v for v in found if len(v) >= 4 and (mixed(v) or len(v) >= 12)]
        return [value for v in found for value in ([v] if len(v) >= LEAST else _around(detector, v, text))]
    from detect_secrets.plugins import keyword
    from detect_secrets.util.filetype import determine_file_type

    by_type = keyword.REGEX_BY_FILETYPE.get(
        determine_file_type(path), keyword.QUOTES_REQUIRED_DENYLIST_REGEX_TO_GROUP
    )
    found = detector.plugin.analyze_string(text, denylist_regex_to_group=by_type)
    return [v for v in found if v and len(v) >= LEAST and mixed(v)]


def _around(detector: _Detector, part: str, text: str) -> list[str]:
    """The whole matches of which a detector gave only a `part` (the prefix, of a token of GitHub)."""
    matches = (match for regex in detector.plugin.denylist for match in regex.finditer(text))
    return [match[0] for match in matches if part in match.groups() and len(match[0]) >= LEAST]
