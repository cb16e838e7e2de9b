"""What secrets look like where detect-secrets (1.5.0, 2024) does not see them, and what only looks like one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

KEY = "private key"
IN_URL = "Basic Auth Credentials"

# Keys with a prefix of their own.
_PREFIXED = (
    ("Anthropic API key", re.compile(r"\bsk-ant-[\w-]{20,}")),
    ("OpenAI Token", re.compile(r"\bsk-(?:proj|svcacct|admin)-[\w-]{20,}")),
    ("Google API key", re.compile(r"\bAIza[\w-]{35}(?![\w-])")),
    ("GitHub Token", re.compile(r"\bgithub_pat_\w{40,}")),
    ("Hugging Face token", re.compile(r"\bhf_[A-Za-z0-9]{34}\b")),
    ("NPM token", re.compile(r"\bnpm_[A-Za-z0-9]{36}\b")),
    ("Shopify token", re.compile(r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b")),
    ("DigitalOcean token", re.compile(r"\bdo[opr]_v1_[0-9a-f]{64}\b")),
)
# A value without quotes after a name that calls it secret, up to where a value of a configuration or a shell ends.
_NAMED = re.compile(
    r"(?i)(?:(?:api|secret|access|private|auth|account|signing|encryption|client|refresh|bearer)[_ -]?"
    r"(?:access[_ -]?)?(?:key|token|secret)|passw(?:or)?d|secret|token)\s*(?::=|=>|=|:)\s*"
    r"([A-Za-z0-9+/_~-]{20,200}={0,2})(?=$|[\s,;#\"'`\\&])"
)
_AWS = re.compile(
    r"(?i)aws.{0,20}secret.{0,20}?[=:]\s*[\"']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
)
_HEADER = re.compile(
    r"(?i)(?:authorization[\"'`]?\s*[:=,(]{1,2}\s*[\"'`]?\s*(?:basic|bearer|token)|\bbearer)\s{1,4}"
    r"([A-Za-z0-9+/._~-]{16,2000}={0,2})"
)
_URL = re.compile(r"://[^\s/:@\"'`<>]{0,100}:([^\s/:@\"'`<>?#]{4,200})@(?=[\w\[$%{])")
_NAME = re.compile(r"[a-z]*\d{0,4}(?:[A-Z][a-z]+\d{0,4})*|[A-Z]*\d{0,4}")
_THREE_DIGITS = re.compile(r"(?:[0-9][^0-9]*){3}")
_PLACEHOLDER = re.compile(
    r"(?i)example|sample|dummy|placeholder|change.?me|your[_-]|xxx|\.\.\.|<[^>]*>|\$\{|\{\{|%\(|^(.)\1*$"
)
_MARK = re.compile(r"-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_LONG_RUN = re.compile(r"(\\[nr]|(?<![A-Za-z0-9+/=]))[A-Za-z0-9+/]{40,}={0,2}(?![A-Za-z0-9+/=])")
_RUN = re.compile(
    r"(\\[nr]|(?<![A-Za-z0-9+/=]))(?:[A-Za-z0-9+/]{40,}|(?=[A-Za-z+/]{0,40}[0-9])[A-Za-z0-9+/]{16,40})"
    r"={0,2}(?![A-Za-z0-9+/=])"
)
_SOME_KEY = re.compile(r"[A-Za-z0-9+/]{16}")


def forms_of(text: str) -> Iterator[tuple[str, str]]:
    """The secrets of a line that have one of the forms of this module, each with what it is called."""
    for label, regex in _PREFIXED:
        for match in regex.finditer(text):
            yield match[0], label
    for match in _AWS.finditer(text):
        yield match[1], "AWS Secret Key"
    for match in _HEADER.finditer(text):
        if mixed(match[1]):
            yield match[1], "token"
    for match in _NAMED.finditer(text):
        if _THREE_DIGITS.search(match[1]) and not _is_name(match[1]) and mixed(match[1]):
            yield match[1], "secret"
    for match in _URL.finditer(text):
        if not match[1].startswith(("$", "%")) and mixed(match[1]):
            yield match[1], IN_URL


def mixed(value: str) -> bool:
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


def without_key(text: str, mark: str) -> tuple[str, int]:
    """A line that holds where private keys begin or end, with `mark` for what is between, and how often.

    What is open on one side loses every run that may be of a key: the words of code stay.
    """
    found = list(_MARK.finditer(text))
    out: list[str] = []
    total = 0
    for before, after in pairwise([None, *found, None]):
        piece = text[before.end() if before else 0 : after.start() if after else len(text)]
        opened = before is not None and before[1] == "BEGIN"
        closed = after is not None and after[1] == "END"
        count = 0
        if opened and closed and _SOME_KEY.search(piece):
            piece, count = mark, 1
        elif opened or closed:
            piece, count = _RUN.subn(rf"\1{mark}", piece)
        total += count
        out += [piece, after[0] if after else ""]
    return "".join(out), total


def without_runs(text: str, mark: str) -> tuple[str, int]:
    """A line between the first and the last of a private key: `mark` for every long run of its letters."""
    return _LONG_RUN.subn(rf"\1{mark}", text)


def key_edge(text: str) -> str:
    """BEGIN where a private key is still open at the end of the line, END where one has ended, "" elsewhere."""
    edge = ""
    for match in _MARK.finditer(text):
        edge = match[1]
    return edge


def _is_name(value: str) -> bool:
    """Whether a value is written like an identifier, a path or words with dashes."""
    return all(_NAME.fullmatch(part) for part in re.split(r"[_/-]", value))
