"""What secrets look like: a table of patterns, and what makes a value that a name calls secret unlikely to be one.

The forms of services' tokens are those that their documentation states; a group, where there is one, is the value.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

from zeroin.patterns import lazy_pattern

LEAST = 8  # characters of a secret, but for passwords in URLs
LEAST_WORD_IN_URL = 12  # characters of a password in a URL that has no digits

# What a token is called, letters that all of them hold, in lower case, and its form.
_FORMS = (
    ("Anthropic API key", "sk-ant-", r"\bsk-ant-[\w-]{20,}"),
    ("OpenAI Token", "sk-", r"\bsk-(?:proj|svcacct|admin)-[\w-]{20,}"),
    ("OpenAI Token", "t3blbkfj", r"sk-[\w-]{0,200}T3BlbkFJ[A-Za-z0-9]{20}"),
    ("Google API key", "aiza", r"\bAIza[\w-]{35}(?![\w-])"),
    ("GitHub Token", "github_pat_", r"\bgithub_pat_\w{40,}"),
    ("GitHub Token", "gh", r"gh[pousr]_[A-Za-z0-9_]{36}"),
    ("GitLab Token", "gl", r"(?:glpat|gldt|glft|glsoat|glrt|glcbt|glimt|glptt|glagent|gloas)-[\w-]{20,1024}(?!\w)"),
    ("GitLab Token", "gr1348941", r"GR1348941[\w-]{20,50}(?!\w)"),
    ("Hugging Face token", "hf_", r"\bhf_[A-Za-z0-9]{34}\b"),
    ("NPM token", "npm_", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("NPM token", "_authtoken=", r"//\S{1,200}/:_authToken=\s*(npm_\S+|[A-Fa-f0-9-]{36})"),
    ("PyPI Token", "pypi-age", r"pypi-AgE(?:IcHlwaS5vcmc|NdGVzdC5weXBpLm9yZw)[\w-]{70,}"),
    ("Shopify token", "shp", r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b"),
    ("DigitalOcean token", "_v1_", r"\bdo[opr]_v1_[0-9a-f]{64}\b"),
    ("AWS Access Key", "a", r"(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)[0-9A-Z]{16}"),
    ("AWS Secret Key", "aws", r"(?i)aws.{0,20}secret.{0,20}?[=:]\s*[\"']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"),
    ("AWS Secret Key", "aws", r"(?i)aws.{0,20}?(?:key|pwd?|pass|token).{0,20}?['\"]([0-9A-Za-z/+]{40})['\"]"),
    ("Azure Storage Account access key", "accountkey=", r"AccountKey=[A-Za-z0-9+/=]{88}"),
    ("Slack Token", "xox", r"(?i)xox[abpors]-(?:\d+-)+[a-z0-9]+"),
    ("Slack Token", "hooks.slack.com", r"(?i)https://hooks\.slack\.com/services/T\w+/B\w+/\w+"),
    ("Stripe Access Key", "k_live_", r"[rs]k_live_[0-9a-zA-Z]{24}"),
    ("SendGrid API Key", "sg.", r"SG\.[\w-]{22}\.[\w-]{43}"),
    ("Square OAuth Secret", "sq0csp-", r"sq0csp-[\w\\-]{43}"),
    ("Mailchimp Access Key", "-us", r"[0-9a-z]{32}-us[0-9]{1,2}"),
    ("Twilio API Key", "", r"(?:AC|SK)[a-z0-9]{32}"),
    ("Telegram Bot Token", ":", r"\d{8,10}:[\w-]{35}"),
    ("Discord Bot Token", ".", r"[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27}"),
    ("JSON Web Token", "eyj", r"eyJ[\w=-]{8,}\.e[\w=-]{2,}(?:\.[\w.+/=-]*)?"),
    ("Artifactory Credentials", "", r"(?<![^\s=:\"])(?:AKC|AP[\dA-F])[A-Za-z0-9]{10,}(?=[\s\"]|$)"),
)  # fmt: skip
_TOKENS = tuple((label, letters, lazy_pattern(form)) for label, letters, form in _FORMS)

# Names that call their value a secret.
_NAME = (
    r"(?:(?:api|auth|service|account|db|database|priv|private|client)_?key|(?:db|database|key)_?pass|password|passwd"
    r"|pwd|secret|contrase[nñ]a)\w{0,60}"
)
_IN_NAMES = ("key", "pass", "pwd", "secret", "contrase")  # one of these is in every such name
_VALUE = r"\w[^\s'\"`()\[\]{}<>]{7,199}"
_ASSIGNS = r"[\]'\"]{0,2}(?:\[\d*\])?\s*(?:[:!=]={1,2}|=>|[=:]|(?:\.assign)?\()\s*@?"
_QUOTED = tuple(
    lazy_pattern(form, re.IGNORECASE)
    for form in (
        rf"{_NAME}{_ASSIGNS}(['\"`])(?P<value>{_VALUE})\1",
        rf"(['\"`])(?P<value>{_VALUE})\1\s*[!=]{{2,3}}\s*\w{{0,60}}{_NAME}",
        rf"{_NAME}\S{{0,50}}?\s*(['\"`])(?P<value>{_VALUE})\1;",  # private_key "…"; of a configuration
    )
)
_BARE = lazy_pattern(  # password: …
    rf"{_NAME}[\]'\"]{{0,2}}\s*[:=]\s*(?P<value>{_VALUE})(?<![,;])(?=[\s,;#]|$)", re.IGNORECASE
)
_BARE_FILES = lazy_pattern(r"\.(?:ya?ml|eyaml|toml|ini|cfg|cnf|conf|cf|properties)$")
# A longer value without quotes, in any file, up to where a value of a configuration or a shell ends.
_LONG = lazy_pattern(
    r"(?i)(?:(?:api|secret|access|private|auth|account|signing|encryption|client|refresh|bearer)[_ -]?"
    r"(?:access[_ -]?)?(?:key|token|secret)|passw(?:or)?d|secret|token)\s*(?::=|=>|=|:)\s*"
    r"([A-Za-z0-9+/_~-]{20,200}={0,2})(?=$|[\s,;#\"'`\\&])"
)
_HEADER = lazy_pattern(
    r"(?i)(?:authorization[\"'`]?\s*[:=,(]{1,2}\s*[\"'`]?\s*(?:basic|bearer|token)|\bbearer)\s{1,4}"
    r"([A-Za-z0-9+/._~-]{16,2000}={0,2})"
)
_URL = lazy_pattern(r"://[^\s/:@\"'`<>]{0,100}:([^\s/:@\"'`<>?#]{4,200})@(?=[\w\[$%{])")
_DELIMITER = lazy_pattern(
    r"[\[\]!$&'()*+,;=]"
)  # of a URL (RFC 3986, 2.2): hardly in a password that is a word

_PLACEHOLDER = lazy_pattern(
    r"(?i)example|sample|dummy|placeholder|change.?me|your[_-]|xxx|\.\.\.|<[^>]*>|\$\{|\{\{|%\(|^(.)\1*$"
    r"|[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"
)
_SEQUENCES = tuple(
    2 * letters
    for letters in (
        string.ascii_uppercase,
        string.digits,
        string.digits + string.ascii_uppercase,
        string.hexdigits.upper(),
    )
)
_THREE_DIGITS = lazy_pattern(r"(?:[0-9][^0-9]*){3}")
_IDENTIFIER = lazy_pattern(r"[a-z]*\d{0,4}(?:[A-Z][a-z]+\d{0,4})*|[A-Z]*\d{0,4}")


def secrets_in(path: str, text: str) -> Iterator[tuple[str, str]]:
    """The secrets in a line of the file at `path` ("" if none), each with what it is called, the surest first."""
    folded = text.casefold()
    yield from _tokens_in(text, folded)
    for pattern, label, is_one in _IN_PLACE:
        for match in pattern.finditer(text):
            if is_one(match[1]):
                yield match[1], label
    if not any(word in folded for word in _IN_NAMES):
        return
    for pattern in (*_QUOTED, _BARE) if _BARE_FILES.search(path) else _QUOTED:
        for match in pattern.finditer(text):
            if may_be_secret(match["value"]):
                yield match["value"], "secret"


def _tokens_in(text: str, folded: str) -> Iterator[tuple[str, str]]:
    for label, letters, pattern in _TOKENS:
        for match in pattern.finditer(text) if letters in folded else ():
            value = match[match.lastindex or 0]
            if len(value) >= LEAST:
                yield value, label


def may_be_secret(value: str) -> bool:
    """Whether a value that its name or place calls secret may be one: letters and digits, no placeholder, no code."""
    return (
        re.search(r"\d", value) is not None
        and re.search(r"[A-Za-z]", value) is not None
        and not re.search(r"[\s()\[\]{}<>]", value)
        and _PLACEHOLDER.search(value) is None
        and not any(value.upper() in sequence for sequence in _SEQUENCES)
    )


def _may_be_long(value: str) -> bool:
    identifier = all(_IDENTIFIER.fullmatch(part) for part in re.split(r"[_/-]", value))
    return not identifier and _THREE_DIGITS.search(value) is not None and may_be_secret(value)


def _may_be_password(value: str) -> bool:
    word = len(value) >= LEAST_WORD_IN_URL and not _DELIMITER.search(value)
    return word or (not value.startswith(("$", "%")) and may_be_secret(value))


# Values that their place calls secret: a header, a name without quotes, a URL.
_IN_PLACE = (
    (_HEADER, "token", may_be_secret),
    (_LONG, "secret", _may_be_long),
    (_URL, "Basic Auth Credentials", _may_be_password),
)
