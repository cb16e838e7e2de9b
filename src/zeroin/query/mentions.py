"""Finds what prose and snippets name: paths, dotted names, identifiers, quoted strings, plain words."""

import re

from zeroin.patterns import lazy_pattern
from zeroin.query import weights as w
from zeroin.query.builder import QueryBuilder
from zeroin.query.frames import normalise_path
from zeroin.query.markup import CODE_SPAN
from zeroin.query.names import NAMES, dotted_parts, file_of, is_common, is_identifier, is_standard
from zeroin.query.tables import SYNTAX
from zeroin.terms import WORD
from zeroin.types import Origin

_URL = lazy_pattern(r"\b(?:https?|ftp|git|ssh|data|s3|wss?):/{0,2}[^\s<>\"'`|)\]}]{1,2000}", re.IGNORECASE)
_EMAIL = lazy_pattern(r"\b[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{2,64}\b")
_TOKEN = lazy_pattern(r"[\w$@~.\\/:#\->+]{1,300}(?:\(\))?|[\w$]+")
_LINE = lazy_pattern(r"[\"')]?,? {1,2}\(?(?:(?:on|at|in) )?line (\d{1,7})\b", re.IGNORECASE)  # behind a path
_ARITY = lazy_pattern(r"([a-z_]\w{1,80}[?!]?)/\d{1,2}")
# Of Clojure: namespace/name, or a keyword of a namespace; the name may have hyphens.
_NAMESPACED = lazy_pattern(r":{0,2}([a-z][\w-]{0,60}(?:\.[a-z][\w-]{0,60}){1,8})/([A-Za-z*+!?<>=-][\w*+!?<>=-]{0,80})")
_COMMENT = lazy_pattern(r"(?:^|\s)(?:#|//|--|;;)\s{1,4}([^\n]{4,200})")
_CONTRACTION = lazy_pattern(r"['’](?:t|s|re|ve|ll|d|m)\b")
_EMOJI = lazy_pattern(r"(?<![\w:]):[a-z][a-z0-9_+]{1,25}:(?![\w:])")
_NOISE_TOKEN = lazy_pattern(r"v?\d+(?:\.[\w*+-]+)+\+?|[#@]\d+|\d+(?:[:/.-]\d+)+")
_SENTENCE = lazy_pattern(r"\w\s\w{1,40}\s\w")
_CODE_MARK = lazy_pattern(r"[(){}=;<>\[\]]")
_ERROR_TYPE = lazy_pattern(r"(?:Error|Exception|Warning|Failure|Fault|Panic)$")


def read_prose(bag: QueryBuilder, text: str, origin: Origin, factor: float = 1.0) -> str:
    """Add what a prose text names; returns it without addresses of links and mark-up, to be compared with history."""
    text = _links(bag, text, factor)
    text = _EMAIL.sub(" ", text) if "@" in text else text
    if "rror: " in text or "ption: " in text:
        for match in SYNTAX.pattern("inline_error").finditer(text):
            bag.text(match.group(1), Origin.ERROR, factor)
    text = _EMOJI.sub(" ", text)
    plain = CODE_SPAN.sub(r"\2", text)
    for match in CODE_SPAN.finditer(text):
        _code_span(bag, match.group(2).strip(), origin, factor)
    text = _CONTRACTION.sub(" ", CODE_SPAN.sub(" ", text))
    text = _without_numbers(bag, _without_dates(bag, text), origin, factor)
    for match in SYNTAX.pattern("quotes").finditer(text):
        _quoted(bag, next(group for group in match.groups() if group is not None).strip(), origin, factor)
    for match in _TOKEN.finditer(text):
        line = _LINE.match(text, match.end())
        _token(bag, match.group(), origin, factor, line=int(line[1]) if line else None)
    return plain


def read_code(bag: QueryBuilder, text: str) -> None:
    """Add what a snippet names: calls and imports above other names, its own definitions below."""
    local = {a or b for a, b in SYNTAX.pattern("local").findall(text)}
    for match in SYNTAX.pattern("import").finditer(text):
        _import(bag, match)
    for match in SYNTAX.pattern("code_path").finditer(text):
        if found := file_of(match.group(1), folders=False):
            path = found[0][2:] if found[0].startswith(("a/", "b/")) else found[0]  # of a diff
            bag.path(normalise_path(path)[0], w.PATH_CODE, Origin.CODE, found[1])
    for match in _COMMENT.finditer(text):
        bag.text(match.group(1), Origin.CODE, w.CODE_COMMENT / w.KEYWORD[Origin.CODE])
    for match in SYNTAX.pattern("code_name").finditer(text):
        _code_name(bag, match, local)


def read_error(bag: QueryBuilder, line: str) -> None:
    """Add the words of an error message and the names in it."""
    for match in _TOKEN.finditer(_URL.sub(" ", line)):
        token = match.group().strip(".:,/-#>+")
        name = token.removesuffix("()")
        if found := file_of(token, folders=False):
            path, _ = normalise_path(found[0])
            bag.path(path, w.PATH_CODE, Origin.ERROR, found[1])
            bag.text(path.rpartition("/")[2], Origin.TRACE)
            continue
        _namespaced(bag, name, Origin.ERROR)
        parts = dotted_parts(name)
        if parts and is_standard(parts):
            name = parts[-1]
        elif parts or (is_identifier(name) and not is_common(name)):
            bag.symbol(".".join(parts[-3:]) or name, w.SYMBOL_ERROR, Origin.ERROR)
        for word in WORD.findall(name):
            if word not in NAMES.words("common_names"):
                bag.word(word, Origin.ERROR)


def read_source(bag: QueryBuilder, line: str) -> None:
    """Add the words of a source line shown by a trace, or of a quiet log line."""
    bag.text(_URL.sub(" ", line), Origin.TRACE)


def _without_dates(bag: QueryBuilder, text: str) -> str:
    """Return a text without months that have a day beside them: sample values."""
    for match in SYNTAX.pattern("date").finditer(text):
        bag.stop_word([*filter(str.isalpha, WORD.findall(match.group()))][-1])  # behind "of" the month
    return SYNTAX.pattern("date").sub(" ", text)


def _without_numbers(bag: QueryBuilder, text: str, origin: Origin, factor: float) -> str:
    """Add the numbers of a text that code names; returns the text without them."""

    def add(match: re.Match[str]) -> str:
        if not match.lastindex:
            return match.group()
        number = match.group(match.lastindex)
        bag.number(number, origin, factor)
        return match.group().removesuffix(number)

    return SYNTAX.pattern("code_number").sub(add, text)


def _links(bag: QueryBuilder, text: str, factor: float) -> str:
    """Add what addresses name; returns the text without them."""
    for match in SYNTAX.pattern("md_link").finditer(text) if "](" in text else ():
        target = match.group(2).strip("<>")
        found = file_of(target.partition("#")[0], folders=False) if ":" not in target else None
        if found and "/" in found[0]:
            _path(bag, found, Origin.PROSE, factor)
        else:
            _url(bag, target, factor)
    text = SYNTAX.pattern("md_link").sub(r"\1", text) if "](" in text else text
    if ":/" in text or "data:" in text:
        for match in _URL.finditer(text):
            _url(bag, match.group(), factor)
        text = _URL.sub(" ", text)
    return text


def _url(bag: QueryBuilder, url: str, factor: float) -> None:
    """Add the file of a link to a code host, or the name in an anchor of an API reference."""
    if blob := SYNTAX.pattern("blob").match(url) or SYNTAX.pattern("raw").match(url):
        if "/commit" not in url:
            path = blob["path"].rstrip(".,/:")
            bag.path(path, w.PATH_PROSE * factor, Origin.PATH, int(blob["line"]) if blob["line"] else None)
            _path_words(bag, path, Origin.PROSE, factor)
    elif anchor := SYNTAX.pattern("anchor").search(url):
        parts = dotted_parts(anchor.group(1) or anchor.group(2))
        if not is_standard(parts):
            _name(bag, parts, w.SYMBOL_PROSE * factor)


def _code_span(bag: QueryBuilder, content: str, origin: Origin, factor: float) -> None:
    """Add the content of inline backticks: a name, a path, or a small snippet."""
    if " " not in content and _span_name(bag, content, origin, factor):
        return
    if _SENTENCE.search(content) and not _CODE_MARK.search(content):
        bag.text(content, _stronger(origin, Origin.QUOTED), factor)
        return
    for match in SYNTAX.pattern("code_name").finditer(content):
        name, called = match.group().rstrip("( "), match.group(1) is not None
        parts = dotted_parts(name)
        weight = w.SYMBOL_PROSE if called else w.SYMBOL_ERROR
        if parts and not is_standard(parts):
            _dotted(bag, parts, weight, origin, factor * 0.8)
        if parts or is_common(name):
            continue
        named = called or is_identifier(name)
        if named:
            bag.symbol(name, weight * factor, Origin.SYMBOL)
        bag.word(name, _stronger(origin, Origin.QUOTED if named else Origin.PROSE), factor)
    for match in SYNTAX.pattern("code_path").finditer(content):
        if found := file_of(match.group(1), folders=False):
            _path(bag, found, origin, factor * 0.8)


def _span_name(bag: QueryBuilder, content: str, origin: Origin, factor: float) -> bool:
    """Add a code span that is one path or name; False if it is neither."""
    name = content.rstrip("(").removesuffix("()").strip("\"'*@:;,&")
    if found := file_of(content.strip("\"'")):
        _path(bag, found, origin, factor)
    elif parts := dotted_parts(name.strip(".")):
        _dotted(bag, parts, w.SYMBOL_BACKTICK, origin, factor)
    elif not WORD.fullmatch(name) or name.isdigit():
        return False
    elif is_common(name):
        bag.word(name, Origin.PROSE, factor)
    elif is_identifier(name) or content.endswith("()"):
        bag.symbol(name, _symbol_weight(w.SYMBOL_BACKTICK, origin) * factor, Origin.SYMBOL)
        bag.word(name, _stronger(origin, Origin.SYMBOL), factor)
    else:
        bag.symbol(name, w.SYMBOL_BACKTICK_WORD * factor, Origin.SYMBOL)
        bag.word(name, _stronger(origin, Origin.QUOTED), factor)
    return True


def _quoted(bag: QueryBuilder, content: str, origin: Origin, factor: float) -> None:
    if is_identifier(content) and not is_common(content):
        bag.symbol(content, w.SYMBOL_QUOTED * factor, Origin.QUOTED)
    if len(WORD.findall(content)) <= 16 and not file_of(content):
        bag.text(content, _stronger(origin, Origin.QUOTED), factor)


def _token(bag: QueryBuilder, token: str, origin: Origin, factor: float, *, line: int | None = None) -> None:
    """Add a token of prose: a path (with the `line` that is said behind it), a dotted name, a flag, or plain words."""
    if token.isalpha() and (token.islower() or token.istitle() or not token.isascii()):
        bag.word(token, origin, factor)
        return
    located = token.startswith(("./", "../", "~/", "/"))
    name = token.rstrip(".:,#>+-") if located else token.removesuffix("()").strip(".:,/-#>+\\@~")
    if not name or _NOISE_TOKEN.fullmatch(name):
        return
    if found := file_of(name if token[-1:] != "/" else token):
        _path(bag, (found[0], found[1] or line), origin, factor)
        return
    _namespaced(bag, name, origin, factor)
    arity = _ARITY.fullmatch(name)
    name, called = (arity.group(1), True) if arity else (name, token.endswith("()"))
    parts = dotted_parts(name)
    # `done.Then` is the end of a sentence and a word, `json.Decoder` a name.
    two = len(parts) == 2 and parts[1].istitle() and len(parts[1]) <= 4 and parts[0].islower()
    if parts and not two:
        _dotted(bag, parts, w.SYMBOL_PROSE, origin, factor)
        return
    if token.startswith("--") and len(name) > 2:
        flag = name.replace("-", "_")
        bag.word(flag, _stronger(origin, Origin.SYMBOL), factor * 0.8)
        bag.symbol(flag, w.SYMBOL_QUOTED * factor, Origin.SYMBOL)
        return
    for word in WORD.findall(name):
        named = (is_identifier(word) or (called and word == name)) and not is_common(word)
        if named:
            bag.symbol(word, _symbol_weight(w.SYMBOL_PROSE, origin) * factor, Origin.SYMBOL)
        bag.word(word, _stronger(origin, Origin.SYMBOL) if named else origin, factor)


def _dotted(bag: QueryBuilder, parts: list[str], weight: float, origin: Origin, factor: float) -> None:
    standard = is_standard(parts)
    if not standard:
        _name(bag, parts, _symbol_weight(weight, origin) * factor)
    for part in parts:
        if not is_common(part):
            bag.word(part, Origin.PROSE if standard else _stronger(origin, Origin.SYMBOL), factor)


def _name(bag: QueryBuilder, parts: list[str], weight: float) -> None:
    """Add a dotted name as symbol and module; an error type only as symbol: its file is not what raises it."""
    bag.symbol(".".join(parts), weight, Origin.SYMBOL)
    if len(parts) > 1 and any(len(p) > 2 for p in parts) and not _ERROR_TYPE.search(parts[-1]):
        bag.path(".".join(parts), w.PATH_DOTTED * min(1.0, weight), Origin.SYMBOL)


def _namespaced(bag: QueryBuilder, token: str, origin: Origin, factor: float = 1.0) -> None:
    """Add the namespace of a qualified name as a module, and the name."""
    if match := _NAMESPACED.fullmatch(token):
        bag.path(match[1].replace("-", "_"), w.PATH_DOTTED * factor, Origin.SYMBOL)
        bag.symbol(match[2], _symbol_weight(w.SYMBOL_PROSE, origin) * factor, Origin.SYMBOL)


def _path(bag: QueryBuilder, found: tuple[str, int | None], origin: Origin, factor: float) -> None:
    path, line = found
    if path.startswith(("/", "~", "../", "./")) or ":" in path[:3]:
        path, _ = normalise_path(path)
    hosted = path.split("/")
    if len(hosted) > 3 and "." in hosted[0] and hosted[0].rpartition(".")[2] in ("com", "org", "io", "in"):
        path = "/".join(hosted[3:])  # a Go import path: host/owner/repository/…
    if "." in path.rpartition("/")[2]:
        weight = w.PATH_PROSE if "/" in path else w.PATH_BARE
        bag.path(path, weight * factor, Origin.PATH, line)
        _path_words(bag, path, origin, factor)
        return
    bag.path(path, w.PATH_FOLDERS * factor, Origin.PATH)
    for word in WORD.findall(path):
        if is_identifier(word) and not is_common(word):
            bag.symbol(word, w.SYMBOL_QUOTED * factor, Origin.SYMBOL)
        bag.word(word, origin, factor)


def _path_words(bag: QueryBuilder, path: str, origin: Origin, factor: float) -> None:
    folder, _, name = path.rpartition("/")
    bag.text(name.rpartition(".")[0] or name, _stronger(origin, Origin.PATH), factor)
    bag.text(folder, Origin.PATH, factor * w.PATH_FOLDER)


def _import(bag: QueryBuilder, match: re.Match[str]) -> None:
    module = next((match[name] for name in ("py", "dotted", "rust", "js", "c") if match[name]), "")
    parts = [p for p in re.split(r"::|[./\\]", module) if p]
    if not parts or (is_standard(parts[:1]) and len(parts) < 3):
        return
    if match["js"] or match["c"]:
        if "/" not in module and "." not in module:
            return
        bag.path(module.lstrip("@./~"), w.PATH_IMPORT, Origin.CODE)
    elif len(parts) > 1:
        bag.path(".".join(parts), w.PATH_IMPORT, Origin.CODE)
    for name in WORD.findall(match["names"] or "")[:12]:
        if not is_common(name) and name != "as":
            bag.symbol(name, w.SYMBOL_CODE_CALL, Origin.CODE)


def _code_name(bag: QueryBuilder, match: re.Match[str], local: set[str]) -> None:
    text, called = match.group().rstrip("( "), match.group(1) is not None
    weight = w.SYMBOL_CODE_CALL if called else w.SYMBOL_CODE
    parts = dotted_parts(text)
    if parts:
        if not is_standard(parts):
            _dotted_code_name(bag, parts, weight, local, called=called)
    elif not WORD.fullmatch(text):
        bag.text(text, Origin.CODE)
    elif len(text) >= 3 and not is_common(text):
        own = text in local
        bag.word(text, Origin.CODE, w.CODE_LOCAL / w.KEYWORD[Origin.CODE] if own else 1.0)
        if not own and (called or is_identifier(text)):
            bag.symbol(text, weight, Origin.CODE)


def _dotted_code_name(bag: QueryBuilder, parts: list[str], weight: float, local: set[str], *, called: bool) -> None:
    if parts[0] in local or is_common(parts[0]):
        parts = parts[1:]
    if parts and parts[-1] in NAMES.words("extensions") and not called:
        parts = parts[:-1]  # `model.yaml`: a file's name
    for part in parts:
        if len(part) > 2 and not is_common(part):
            bag.word(part, Origin.CODE)
    if parts and not is_common(parts[-1]) and len(parts[-1]) > 2:
        bag.symbol(".".join(parts[-3:]), weight, Origin.CODE)
        if len(parts) > 2:
            bag.path(".".join(parts), w.PATH_IMPORT * 0.7, Origin.CODE)


def _symbol_weight(weight: float, origin: Origin) -> float:
    return max(weight, w.SYMBOL_TITLE) if origin is Origin.TITLE else weight


def _stronger(a: Origin, b: Origin) -> Origin:
    return a if w.KEYWORD[a] >= w.KEYWORD[b] else b
