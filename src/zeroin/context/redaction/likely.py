"""Tell whether a value that its name or its place calls secret may be one."""

import binascii
import string

from zeroin.patterns import lazy_pattern
from zeroin.terms import STOPWORDS, is_spelled

LEAST_WORD_IN_URL = 12  # characters of a password in a URL that has no digits
LEAST_LONG = 16  # characters of a value whose name is a weaker hint

# Delimiters of a URL (RFC 3986, 2.2): unlikely in a password without digits
_DELIMITER = lazy_pattern(r"[\[\]!$&'()*+,;=]")
_PLACEHOLDER = lazy_pattern(
    r"(?i)example|sample|dummy|placeholder|change.?me|your[_-]|xxx|\.\.\.|\$[({]|\{\{|%\(|->|::|^[$%@]\w+[$%]?$|^(.)\1*$"
)
_UUID = lazy_pattern(r"(?i)[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}")
_SEQUENCES = tuple(
    2 * letters
    for letters in (
        string.ascii_uppercase,
        string.digits,
        string.digits + string.ascii_uppercase,
        string.hexdigits.upper(),
    )
)
_LETTER, _DIGIT, _THREE_DIGITS = map(lazy_pattern, (r"[A-Za-z]", r"[0-9]", r"(?:[0-9][^0-9]*){3}"))
_TWO_DIGITS = lazy_pattern(r"[0-9][^0-9]*[0-9]")
_CODE = lazy_pattern(r"\s|\(.*\)|\[.*\]|\{.*\}|<.*>|\w\($")
_BASE64 = lazy_pattern(r"[A-Za-z0-9+/]{11,}={1,2}")
_MARK = lazy_pattern(r"[!#%&*?^~]")
_AMONG = lazy_pattern(r"[A-Za-z][0-9!#%&*?^~$]+[A-Za-z].*[0-9!#%&*?^~$]|[0-9][!#%&*?^~$]")
_FORMAT = lazy_pattern(
    r"(?i)sha-?\d|base-?\d\d|md5|utf-?\d|x509|oauth2|pbkdf2|argon2|rfc-?\d|rot13|latin1|ipv\d|http2|aes-?\d"
)
_IDENTIFIER = lazy_pattern(
    r"[a-z]*\d{0,4}(?:[A-Z][a-z]+\d{0,4})*(?:[A-Z]{2,6}\d{1,4}(?:[A-Z][a-z]+\d{0,4})*)?|[A-Z]*\d{0,4}"
    r"|[A-Z]\d{3,5}(?:Private|Public|Secret|Shared)?Key(?:Pair)?s?"  # a type: X25519PrivateKey
)
_WORDS = lazy_pattern(r"[A-Za-z0-9]+")
_JOINED = lazy_pattern(r"['\"`]\s{0,4}[+.,]|[+.,]\s{0,4}['\"`]|^['\"`].*['\"`]$")

_PHRASE = lazy_pattern(r"[a-z]{2,20}(?: [a-z0-9]{2,20}){2,9}")
# Words of texts that speak of a password: labels, errors, help
_OF_LABELS = frozenset(
    "password passwords passwd passphrase enter type confirm repeat new old current required invalid incorrect wrong"
    " forgot reset change set user username login sign account field text string hash hashed plain least minimum"
    " characters value".split()
)  # fmt: skip


def is_secret(value: str) -> bool:
    """Tell whether a value has letters and digits, or both cases and a mark, and is no placeholder or code."""
    return (
        _LETTER.search(value) is not None
        and (_DIGIT.search(value) is not None or _is_marked(value))
        and _CODE.search(value) is None
        and _PLACEHOLDER.search(value) is None
        and _UUID.search(value) is None
        and not any(value.upper() in sequence for sequence in _SEQUENCES)
    )


def is_long(value: str, least: int = LEAST_LONG) -> bool:
    """Tell whether a value of at least `least` characters is a secret with three digits and no identifier."""
    return (
        len(value) >= least
        and _THREE_DIGITS.search(value) is not None
        and not _is_identifier(value)
        and is_secret(value)
    )


def is_mixed(value: str) -> bool:
    """Whether a value without quotes may be a secret: letters of both cases among digits and marks."""
    few = _TWO_DIGITS.search(value) or (_DIGIT.search(value) and _MARK.search(value))
    mixed = few is not None and value.upper() != value and value.lower() != value
    return mixed and not _is_identifier(value) and is_secret(value)


def is_spelt(value: str) -> bool:
    """Tell whether what a sentence calls a password may be one: digits or marks among letters, no name of a format."""
    among = _AMONG.search(value) is not None and _TWO_DIGITS.search(value) is not None
    return (is_mixed(value) or among) and _FORMAT.search(value) is None and is_secret(value)


def is_phrase(value: str) -> bool:
    """Whether a value with blanks may be a password: no stopword, no word of labels; or a secret among its words."""
    words = value.split(" ")
    if _PHRASE.fullmatch(value):
        return STOPWORDS.isdisjoint(words) and _OF_LABELS.isdisjoint(words)
    return len(words) > 1 and any(map(is_mixed, words))


def is_password(value: str) -> bool:
    """Whether the text in the place of a URL's password may be one: long, or a secret."""
    word = len(value) >= LEAST_WORD_IN_URL and not _DELIMITER.search(value)
    return word or (not value.startswith(("$", "%")) and is_secret(value))


def is_uuid(value: str) -> bool:
    return _UUID.fullmatch(value) is not None


def _is_marked(value: str) -> bool:
    both = value.upper() != value and value.lower() != value
    return both and (_MARK.search(value) is not None or _BASE64.fullmatch(value) is not None)


def _is_identifier(value: str) -> bool:
    words = _WORDS.findall(value)
    return all(map(_IDENTIFIER.fullmatch, words)) or is_spelled(words)


def is_joined(value: str) -> bool:
    """Tell whether a value with a quote in it is two string literals and the operator between them."""
    return _JOINED.search(value) is not None


def is_account(value: str) -> bool:
    """Tell whether a value is `user:password` in base 64."""
    try:
        text = binascii.a2b_base64(value).decode()
    except ValueError:
        return False
    user, colon, password = text.partition(":")
    return bool(user and colon) and len(password) > 3 and text.isprintable()
