"""Find secrets in a line by the name or the place of a value: passwords, keys, cookies, credentials in URLs.

Every pattern takes time linear in the length of a line: its repeats are bounded or possessive (never backtracked).
"""

import re
from collections.abc import Callable, Iterator

from zeroin.context.redaction import likely
from zeroin.context.redaction.token_forms import Secret, tokens_in
from zeroin.patterns import lazy_pattern

_BEFORE = 300  # characters between a command and its option, at most
_COOKIES_CHARS = 4_000  # characters searched after the word cookie

# A line with a secret other than a token, a URL's password or an account contains one of these, in lower case.
_WORDS = (
    "pass", "pwd", "secret", "key", "token", "contrase", "credential", "identified by", "cookie",
    "authorization", "bearer", "curl", "mysql", "mariadb", "redis-cli", "mongo",
)  # fmt: skip

# Names of secrets; the value of a `weak` one must look made by a machine.
_NAME = (
    r"(?:(?:(?:db|database|key|user|smtp|mysql|root|admin)[_-]?pass|pass(?:word|wd|phrase|wort)|pwd|secret|contrase[nñ]a"
    r"|identified by|(?P<key>(?:api|service|account|db|database|priv(?:ate)?|client|access|signing|encryption|master)"
    r"[_ -]?(?:access[_ -]?)?key))(?P<rest>[\w-]{0,60})"
    r"|(?P<weak>(?<!publicKey)token|auth[_-]?key|credentials?|(?<![a-z])pass)(?:[_-]?(?:secret|value|key))?(?![a-z]))"
)
_NAMES = lazy_pattern(_NAME, re.IGNORECASE)
_PASSWORD = lazy_pattern(r"(?:[a-z]+[_-]?)?pass(?:word|wd|phrase|wort)", re.IGNORECASE)  # as the whole name
_NO_VALUE = lazy_pattern(  # ends of names whose value is no secret
    r"(?:ur[li]|path|file(?:name)?|dir|name|arn|fields?|label|hint|type|len(?:gth)?|policy|regexp?|pattern|class|version|ref"
    r"|title|text|message|msg|errors?|prompt|placeholder|selector|input|page|icon|format|encoding|algorithm|alg|provider"
    r"|manager|store|service|controller|handler|helper|module|tests?|count|size|max|min|ttl|prefix|suffix|salt_?id)s?$",
    re.IGNORECASE,
)
_TYPE = r"\s{0,8}:\s{0,4}[&'\w<>\[\]. |?*]{1,40}|\s{1,4}\*?(?:\[\])?\w{1,30}"
_SEP = (
    r"(?:\\?[\]'\"]){0,3}(?:\[\d{0,9}\])?"
    rf"(?:\s{{0,8}}(?::=|=>|={{1,3}}|!={{1,2}}|\?\?=?|[:(]|\.assign\()|(?<=['\"])\s{{0,8}},|(?:{_TYPE})\s{{0,8}}=(?!=)"
    r"|(?<=['\"])\s{1,4}value\s{0,4}=|,\s{0,4}['\"]?value['\"]?\s{0,4}:|\s{1,4})\s{0,16}[@bBfFrRuU$]{0,2}"
)
_QUOTED = lazy_pattern(rf"{_SEP}(['\"`])(?P<value>(?:\\\S|(?!\1)[^\s\\]){{8,1000}}+)\1")
_PHRASE = lazy_pattern(r"['\"\]]{0,3}\s{0,8}(?::=|=>|=|:)\s{0,8}(['\"`])(?P<value>(?:\\\S|(?!\1)[^\\]){8,200}+)\1")
_ESCAPED = lazy_pattern(rf"{_SEP}\\?(['\"`])(?P<value>[^\s'\"`]{{8,1000}}?)\\?\1")
_ELEMENT = lazy_pattern(r">\s{0,8}(?P<value>[^\s<>]{8,1000})\s{0,8}</")
_BARE = lazy_pattern(
    r"(?:['\"\]]{0,3}\s{0,16}[:=]{1,2}|,\s{0,4}value:)\s{0,16}(?:(?:&[\w-]{1,40}|!{1,2}[\w/]{1,40})\s{1,8}){0,2}"
    r"(?P<value>[^\s'\"`,;]{8,1000})(?=['\"`]\S|[\s,;#]|$)"
)
_LOOSE = lazy_pattern(
    r"['\"\]]{0,3}\s{0,8}(?::=|=>|=|:)\s{0,8}(?P<value>[^\s\"'`\\,;&()\[\]{}<>|]{8,200})(?![\w(\[{<])"
)
_CONNECTION = lazy_pattern(r"\s{0,4}=\s{0,4}(?P<value>[^\s;\"'`<>]{6,200})")
_OPTION = lazy_pattern(r"[ =]['\"]?(?P<value>[^\s'\"`]{8,200})")
_PROSE = lazy_pattern(
    r"(?:\s{1,4}\w{1,15}){0,4}?\s{1,4}(?:is|was|are|to)(?:\s{1,4}|:\s{0,4})[\"'`“*]{0,2}(?P<value>[^\s\"'`“”<>]{8,200})"
)
_BESIDE = lazy_pattern(r"(?:\s{1,4}\w{1,15}){0,5}?\s{1,4}[\"'`“*]{0,2}(?P<value>[A-Za-z0-9+/]{30,200})")
_BARE_FILES = lazy_pattern(
    r"\.(?:ya?ml|eyaml|toml|ini|cfg|cnf|conf|cf|properties|env|sh|bash|zsh|fish|bat|cmd|tfvars|hcl)$"
    r"|rc$|(?:^|/)(?:(?:Dockerfile|Containerfile)[^/]{0,40}|credentials|config)$"
)
_PROSE_FILES = lazy_pattern(r"^$|\.(?:md|txt|rst|adoc|org)$")  # "" is the path of a quotation
_COMPARED = lazy_pattern(r"(['\"`])(?P<value>[^\s'\"`]{8,200})\1\s{0,8}[!=]==?\s{0,8}(?P<name>[\w.$-]{1,80})")

_HEADER = lazy_pattern(
    r"(?i)(?:authorization[\"'`]?\s{0,4}[:=,(]{1,2}\s{0,4}[\"'`]?\s{0,4}(?:basic|bearer|token)|\bbearer)\s{1,4}"
    r"([A-Za-z0-9+/._~-]{16,4000}+={0,2})"
)
_COOKIES = lazy_pattern(r"(?i)cookie[\"'\]]{0,2}\s{0,4}[:=,(]\s{0,4}[\"'`]?(?=[\w.-]{1,60}=)")
_COOKIE = lazy_pattern(r"[\w.-]{1,60}=([\w%.~+/:-]{16,4000}+={0,2})")
_URL = lazy_pattern(  # up to the last @ before the path; `:8080/` is a port
    r"://[^\s/:@\"'`<>]{0,100}:(?!\d{1,5}(?:[/?#]|,[\w.-]{1,80}:))"
    r"((?:[^\s:@\"'`<>]|:(?!//)){1,200}(?:@[^\s/?@\"'`<>]{1,100}){0,4})@(?=[\w\[$%{])"
)
_ACCOUNT = lazy_pattern(r"(?:(?<!\w)_auth[ =]|[\"']auth[\"']\s{0,4}:)\s{0,4}[\"']?([A-Za-z0-9+/]{12,1000}={0,2})")
_WORD = r"(?P<value>[^\s\"']{6,200})"
_OPTIONS = (  # commands, and the option whose value is a password
    (("curl", "wget"), lazy_pattern(rf"\s(?:-[uU]|--(?:proxy-)?user)[ =]?[\"']?[^\s:\"'$]{{1,100}}:{_WORD}")),
    (("mysql", "mariadb"), lazy_pattern(r"\s-p[\"']?" + _WORD)),
    (("sshpass", "mongo"), lazy_pattern(r"\s-p\s?[\"']?" + _WORD)),
    (("machine",), lazy_pattern(r"\spassword\s" + _WORD)),  # as in .netrc
    (("redis-cli",), lazy_pattern(r"\s-a\s[\"']?" + _WORD)),
)  # fmt: skip

# A name at the end of a line, and a value alone on the next line.
_OPEN = lazy_pattern(
    rf"(?:{_NAME})(?:\\?[\]'\"]){{0,2}}(?:{_TYPE})?\s{{0,8}}[:=(,>]{{1,2}}\s{{0,4}}[|>(\\]?[+-]?\s*$", re.I
)
_OPEN_NAME = lazy_pattern(rf"\bname[\"']?:\s{{0,4}}[\"']?[\w-]{{0,60}}?(?:{_NAME})[\"',]{{0,2}}\s*$", re.IGNORECASE)
_BLOCK = ("|", "|-", ">", ">-")  # ends of lines before a block scalar of YAML
_ALONE = lazy_pattern(
    r"\s{0,200}(?P<k8s>[\"']?value[\"']?:\s{0,4})?\\?(?P<quote>['\"`]?)(?P<value>[^\s'\"`]{8,200}?)\\?(?P=quote)[,;)]{0,3}\s{0,9}[+.\\]?\s{0,9}$"
)
_PARAMETER = lazy_pattern(r"[?&;][\w-]{0,30}$")  # before a name in a URL or in a connection string
_LIBPQ = lazy_pattern(r"\b(?:host|dbname|user)=\w")  # beside a password in a connection string of libpq
_LONG_OPTION = lazy_pattern(r"(?:^|\s)--?[\w-]{0,30}$")  # before a name in a command
_QUOTE, _ESCAPE, _PATH = map(lazy_pattern, ("['\"`]", r"\\\S", "[/?]"))
_LOWER = {n: n + 32 for n in range(ord("A"), ord("Z") + 1)}
# A run of token characters with a digit in it: only lines with one are searched for tokens.
_RUN = lazy_pattern(r"(?<![\w+/=-])(?=[A-Za-z+/=_-]{0,99}[0-9])[\w+/=-]{15}")


def secrets_in(path: str, text: str) -> Iterator[Secret]:
    """Yield the secrets in a line of the file at `path` ("" for a quotation), the surest first."""
    folded = text.lower() if text.isascii() else text.translate(_LOWER)  # places stay
    if _RUN.search(text):
        yield from tokens_in(text, folded)
    if "://" in text and "@" in text:
        yield from _found(_URL, text, _is_password, "Basic Auth Credentials")
    if "auth" in folded:
        yield from _found(_ACCOUNT, text, likely.is_account, "secret")
    if not any(word in folded for word in _WORDS):
        return
    if "bearer" in folded or "authorization" in folded:
        yield from _found(_HEADER, text, likely.is_secret, "token")
    cookies = _COOKIES.search(text) if "cookie" in folded else None
    if cookies is not None:
        yield from _found(_COOKIE, text, likely.is_long, "cookie", cookies.end(), cookies.end() + _COOKIES_CHARS)
    bare, prose = (files.search(path) is not None for files in (_BARE_FILES, _PROSE_FILES))
    for commands, option in _OPTIONS:
        for match in option.finditer(text) if any(c in folded for c in commands) else ():
            start = match.start()
            if likely.is_secret(match["value"]) and any(c in folded[max(0, start - _BEFORE) : start] for c in commands):
                yield *_whole_of(match, text, bare=bare or prose), "secret"
    yield from _named_in(text, bare=bare, prose=prose)


def value_after(before: str, text: str) -> Secret | None:
    """Return the secret that is alone on a line, where the line `before` it ends in a name of secrets."""
    match = _ALONE.match(text) if len(text) < 500 else None
    if match is None or not likely.is_secret(match["value"]):
        return None
    opened = (_OPEN_NAME if match["k8s"] else _OPEN).search(before[-160:])
    if opened is None or _NO_VALUE.search(opened["rest"] or ""):
        return None
    plain = match["quote"] or before.rstrip().endswith(_BLOCK)
    if (opened["weak"] or not plain) and not likely.is_mixed(match["value"]):
        return None
    return *match.span("value"), "secret"


def _found(
    pattern: re.Pattern[str], text: str, is_one: Callable[[str], bool], label: str, *between: int
) -> Iterator[Secret]:
    for match in pattern.finditer(text, *between):
        if is_one(match[1]):
            yield *match.span(1), label


def _named_in(text: str, *, bare: bool, prose: bool) -> Iterator[Secret]:
    """Yield the secrets that follow a name of secrets, or that are compared with one."""
    for name in _NAMES.finditer(text):
        found = None if _NO_VALUE.search(name["rest"] or "") else _value_of(name, text, bare=bare, prose=prose)
        if found is not None:
            yield *_whole_of(found, text, bare=bare or prose), "secret"
    for match in _COMPARED.finditer(text) if "==" in text or "!=" in text else ():
        if likely.is_secret(match["value"]) and _NAMES.search(match["name"]):
            yield *match.span("value"), "secret"


def _value_of(name: re.Match[str], text: str, *, bare: bool, prose: bool) -> re.Match[str] | None:
    """Find the secret that belongs to a name; the clearer the syntax, the less random the value must look."""
    at = name.end()
    is_one = likely.is_long if name["weak"] else likely.is_secret
    found = _QUOTED.match(text, at) or _ESCAPED.match(text, at) or _ELEMENT.match(text, at)
    found = found or (_BARE.match(text, at) if bare else None)
    if found is not None and (_looks_secret(found["value"], is_one) or _is_id_of(name, found)):
        return found
    # Only a plain password may hold blanks, and only in quotes.
    found = _PHRASE.match(text, at) if _PASSWORD.fullmatch(name[0]) else None
    if found is not None and likely.is_phrase(found["value"]):
        return found
    before = text[max(0, name.start() - 31) : name.start()]
    found = _OPTION.match(text, at) if _LONG_OPTION.search(before) else None
    if found is not None and is_one(found["value"]):
        return found
    parameter = _PARAMETER.search(before)
    found = _CONNECTION.match(text, at) if parameter is not None and parameter[0][0] == ";" else None
    said = _PROSE.match(text, at) or (_LOOSE.match(text, at) if prose else None)
    if said is not None and not name["weak"] and likely.is_spelt(said["value"].rstrip(".,;:!?)*/")):
        return said
    found = found or _LOOSE.match(text, at) or _BESIDE.match(text, at) or said
    if found is None or likely.is_mixed(found["value"]) or likely.is_long(found["value"], 20):
        return found
    if is_one(found["value"]) and (parameter or _LIBPQ.search(text, max(0, name.start() - _BEFORE), at + _BEFORE)):
        return found
    return found if name["key"] and _is_id_of(name, found) else None


def _looks_secret(value: str, is_one: Callable[[str], bool]) -> bool:
    """Whether a value looks secret; one with a quote inside may be two literals and the code between them."""
    if not _QUOTE.search(_ESCAPE.sub("", value)):
        return is_one(value)
    return is_one(value) and likely.is_mixed(value) and not likely.is_joined(value)


def _is_password(value: str) -> bool:
    """Whether a text before the host of a URL is a password; one with a slash or `?` may be a path."""
    return len(value) > 3 and (likely.is_mixed if _PATH.search(value) else likely.is_password)(value)


def _is_id_of(name: re.Match[str], found: re.Match[str]) -> bool:
    """Whether a value is a UUID directly after a name such as `api_key`: some keys are UUIDs."""
    return not name["rest"] and likely.is_uuid(found["value"])


# --- where a value begins and ends, so that no half of it is shown beside a mark -----------------

_MOST_VALUE = 1_000  # characters of a value that are looked at
_QUOTES = "'\"`"
_USER = lazy_pattern(r"(?<=['\"])[^\s:\"'$]{1,100}:$")  # `user:` between a quote and a password
_TO_QUOTE = {q: lazy_pattern(rf"(?:\\.|[^\\{q}]){{0,{_MOST_VALUE}}}+(?={q})") for q in _QUOTES}
_TO_ESCAPED = {q: lazy_pattern(rf"[^{q}\\]{{0,{_MOST_VALUE}}}+(?=\\{q})") for q in _QUOTES}
_APOSTROPHE = lazy_pattern(r"(?<=[^\W_])'(?=[^\W_])")
_SET_PARAMETER = lazy_pattern(r"([?&;])[\w-]{0,30}\s{0,4}=\s{0,4}['\"]?$")
_UP_TO_BLANK = lazy_pattern(rf"\S{{0,{_MOST_VALUE}}}")
_ENDINGS = "'\"`,;:!?.)]}>*"  # what ends a token, and is no part of it
# A line up to the value that it sets
_SETTING = lazy_pattern(r"\s{0,40}(?:-\s{1,4})?[\w.-]{1,80}\s{0,8}[=:]\s{0,8}$")
_NEXT_PART = lazy_pattern(r"\s{1,4}([^\s#;]\S{0,200})")


def _whole_of(found: re.Match[str], text: str, *, bare: bool) -> tuple[int, int]:
    """Return where the value that was found begins and ends.

    A value in quotes ends with them. Any other goes on to a blank or to a quote that opened before it: always in a file
    whose values are `bare`, elsewhere only where the rest looks like part of a secret.
    """
    start, end = found.span("value")
    before = text[max(0, start - _MOST_VALUE) : start]
    quote = _quote_of(before, found[0][: start - found.start()])
    if quote is not None:
        escaped = len(quote) > 1
        closed = (_TO_ESCAPED if escaped else _TO_QUOTE)[quote[-1]].match(text, end)
        if closed is not None:
            return start, closed.end()
    rest = _rest_of(before, text, end)
    if rest and (bare or likely.is_mixed(rest)):
        end += len(rest)
    if bare and _SETTING.fullmatch(before):
        while (more := _NEXT_PART.match(text, end)) and likely.is_mixed(more[1]):
            end = more.end()
    return start, end


def _quote_of(before: str, matched: str) -> str | None:
    """Return the quote that a value is in, with a backslash before it; None if there is none."""
    user = _USER.search(matched)
    opened = matched[: user.start()] if user else before
    if not opened.endswith(tuple(_QUOTES)):
        return None
    return opened[-2:] if opened[-2:-1] == "\\" else opened[-1]


def _rest_of(before: str, text: str, end: int) -> str:
    """Return the text after a value up to a blank, to a quote that opened before it, or to the next parameter."""
    token = _UP_TO_BLANK.match(text, end)
    rest = token[0] if token else ""
    plain = _APOSTROPHE.sub("", before)
    ends = [q for q in _QUOTES if plain.count(q) % 2]
    parameter = _SET_PARAMETER.search(before)
    if parameter is not None:
        ends += ";" if parameter[1] == ";" else "&#"
    for mark in ends:
        rest = rest.partition(mark)[0]
    return rest.rstrip(_ENDINGS + "\\")
