"""Finds text that a task quotes: error messages, log lines, program output, quoted strings, code spans.

Numbers, paths and text in quotes or brackets are taken for values that were filled into a message; the search
(`index.literal`) may match them all the same.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile, takewhile

from zeroin.patterns import lazy_pattern
from zeroin.query.frames import only_place
from zeroin.query.markup import CODE_SPAN
from zeroin.query.names import file_of
from zeroin.query.segment import Kind, Segments
from zeroin.query.tables import SYNTAX, Table
from zeroin.query.traces import is_error
from zeroin.terms import STOPWORDS
from zeroin.types import Quotation

MAX_QUOTATIONS = 12  # a pasted log repeats itself, and each is a search
MAX_NAMES = 6
_MAX_CHARS = 400  # of one quotation
_LEAST_WORDS = 3  # fewer words are found everywhere
_LEAST_BESIDE = 2  # the same where a value is filled in beside them
_LEAST_SENTENCE = 4  # the same of text that is not marked as quoted
_MAX_PLAIN_WORDS = 60  # a longer text without quotes is a description
_MAX_PLAIN_LINES = 3
_MAX_OUTPUT_LINES, _MAX_OUTPUT_WORDS = 24, 200  # of a task that is pasted output: a longer one describes, too

_TABLE = Table("quotations")
_WORD = lazy_pattern(r"[^\W\d_]{2,}")
_PLACE = lazy_pattern(r"\s{0,8}\S{1,120}:\d{1,7}:")
_RAISED = lazy_pattern(r"\s\((?:[A-Za-z_]\w{0,80}(?:::|\.))*[A-Z]\w{0,80}\)$")  # Ruby: message (Class)
_FLAG = lazy_pattern(r"(?<![\w-])--[A-Za-z][\w-]{2,60}")
_VARIABLE = lazy_pattern(r"(?<![\w$])[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8}(?!\w)")
# A dotted key; in quotes or backticks alone, else it is code.
_KEY = lazy_pattern(r"[a-z][\w-]{0,40}(?:\.[a-z][\w-]{0,40}){1,6}")
# A keyword of Clojure with its namespace: the code that throws it may leave that out.
_KEYWORD = lazy_pattern(r"(?<![\w:/.]):[a-z][\w-]{0,60}(?:\.[a-z][\w-]{0,60}){1,8}/([a-z]\w{0,40}(?:-\w{1,40}){1,8})")
_HELD = lazy_pattern(r"[A-Za-z]+")
_SENTENCE = lazy_pattern(r"\w[\w'’-]{0,40},?(?: {1,4}\w[\w'’-]{0,40},?){2}")
_ENDED = lazy_pattern(r"[.!:…。！]\W{0,3}$")
_EXCERPT = lazy_pattern(r"\s*\d*\s*[|│┃]|\s*[\^~]+\s*$")  # code or input that an error shows
_CODE_MARKS = lazy_pattern(r"[{};=]|\)\s*$|^\s*(?:\$|>>>|#|//)")


def quotations_of(segments: Segments) -> tuple[Quotation, ...]:
    """Return at most `MAX_QUOTATIONS` texts that a task quotes, marked ones first, then at most `MAX_NAMES` names."""
    size = len(_WORD.findall(segments.title)) + sum(len(_WORD.findall(part.text)) for part in segments.parts)
    found: dict[str, Quotation] = {}
    for text, marked in _texts(segments):
        text = _bare(text)
        if text not in found or (marked and not found[text].marked):
            quotation = quotation_of(text, size, marked=marked)
            if quotation is not None:
                found[text] = quotation
                if len(found) == MAX_QUOTATIONS and marked:
                    break
    output = output_of(segments)
    about = sum(len(_WORD.findall(line)) for line in output) / max(1, size)
    for text in filter(_SENTENCE.search, map(_bare, _messages(output))):
        known = found.get(text) or quotation_of(text, size, marked=False)
        if known is not None and not known.marked:
            found[text] = replace(known, part=round(about, 2))  # any line may be the one that the code has
    for name in _KEYWORD.findall("\n".join(output)):
        found.setdefault(name, Quotation(name, (name,), part=round(about, 2)))
    ordered = sorted(found.values(), key=lambda q: not q.marked)
    part = round(1 / max(1, size), 2)
    names = [Quotation(name, (name,), part=part, name=True) for name in _names(segments)]
    # Code may know keys by their codes alone: that no file writes them so is no gap.
    names += [Quotation(name, (name,), part=0.0, name=True) for name in _keys(segments)]
    return (*ordered[:MAX_QUOTATIONS], *names[:MAX_NAMES])


def _names(segments: Segments) -> list[str]:
    """Flags, variables of the environment and dotted keys that the prose names."""
    found: dict[str, None] = {}
    for text in _prose_of(segments):
        for pattern in (_FLAG, _VARIABLE):
            found.update(dict.fromkeys(match.group().rstrip("-_") for match in pattern.finditer(text)))
        for pattern in (CODE_SPAN, SYNTAX.pattern("quoted")):
            for match in pattern.finditer(text):
                content = (match.group(match.lastindex or 0) or "").strip()
                if _KEY.fullmatch(content) and file_of(content) is None:
                    found[content] = None
    return list(found)


def _keys(segments: Segments) -> list[str]:
    """Return combinations of keys that the prose names, in the forms that code has: Ctrl+C, C-c."""
    names = _TABLE.data["key_names"]
    found: dict[str, None] = {}
    for match in (match for text in _prose_of(segments) for match in _TABLE.pattern("keys").finditer(text)):
        if match["short"]:
            found |= dict.fromkeys((match.group(), f"{'Ctrl' if match['short'] == 'C' else 'Alt'}+{match['letter']}"))
            continue
        held = _HELD.findall(match["with"] or match["held"])
        key = match["key"] or match["pressed"]
        usual = [names.get(word.lower(), word).partition(" ") for word in held]
        found["+".join((*(name for name, _, _ in usual), key))] = None
        if len(usual) == 1 and usual[0][2] and len(key) == 1:
            found[f"{usual[0][2]}-{key.lower()}"] = None
    return list(found)


def _prose_of(segments: Segments) -> Iterator[str]:
    yield segments.title
    yield from (part.text for part in segments.parts if part.kind in (Kind.PROSE, Kind.COMPONENT))


def quotation_of(text: str, size: int, *, marked: bool) -> Quotation | None:
    """A text as a quotation in a task of `size` words, None where too little of it is left between values."""
    pieces = map(str.strip, _TABLE.pattern("value").split(text))
    fixed = tuple(piece for piece in pieces if _WORD.search(piece))
    words = [word for piece in fixed for word in _WORD.findall(piece)]
    quoted = _LEAST_BESIDE if _TABLE.has("value", text) else _LEAST_WORDS
    few = len(words) < (quoted if marked else _LEAST_SENTENCE)
    if few or STOPWORDS.issuperset(map(str.lower, words)) or _TABLE.begins("statement", text) or only_place(text):
        return None
    part = min(1.0, len(_WORD.findall(text)) / max(1, size))
    return Quotation(text, fixed, marked, round(part, 2))


def _texts(segments: Segments) -> Iterator[tuple[str, bool]]:
    """Yield texts that may be quoted, the likeliest first, each with whether the task marks it so."""
    parts = segments.parts
    errors = [line for part in parts if part.kind is Kind.ERROR for line in part.text.split("\n")]
    for line in reversed(errors):  # the last one of a trace is the cause
        yield from _with_message(line, True)
    prose = [part.text for part in parts if part.kind in (Kind.PROSE, Kind.COMPONENT, Kind.WEAK)]
    if _is_reported(segments.title):
        yield from _with_message(segments.title, True)
    for text in (segments.title, *prose):
        yield from _marked(text)
    for part in parts:
        if part.kind is Kind.CODE:
            for line in part.text.split("\n"):
                if _SENTENCE.search(line) and not _CODE_MARKS.search(line):  # program output
                    yield from _with_message(line, True)
        elif part.kind is Kind.SOURCE:
            yield from ((message_of(line), True) for line in part.text.split("\n") if _SENTENCE.search(line))
    for line in _plain([segments.title, *prose]):
        yield from _with_message(line, _is_reported(line))


def _marked(text: str) -> Iterator[tuple[str, bool]]:
    """Yield what prose puts in quotes or backticks, and what follows "I get:"."""
    spans = list(CODE_SPAN.finditer(text))
    for match in spans:
        yield from _with_message(match.group(2), True)
    for match in SYNTAX.pattern("quoted").finditer(CODE_SPAN.sub(" ", text)):
        yield from _with_message(next(group for group in match.groups() if group is not None), True)
    starts = [span.start() for span in spans]
    for match in _TABLE.pattern("introduced").finditer(text):
        before = bisect_right(starts, match.start())
        if not before or match.start() >= spans[before - 1].end():
            yield from _with_message(match.group(1), True)


def _plain(texts: Sequence[str]) -> list[str]:
    """Return the lines of a short task: one of them may be the message itself."""
    lines = [line for text in texts for line in text.split("\n") if line.strip()]
    short = len(lines) <= _MAX_PLAIN_LINES and sum(len(line.split()) for line in lines) <= _MAX_PLAIN_WORDS
    return lines if short else []


def output_of(segments: Segments) -> list[str]:
    """Return the lines of a task that is a program's output: from the first error on, to what a person adds."""
    if any(part.kind in (Kind.WEAK, Kind.COMPONENT) for part in segments.parts):
        return []  # a form that was filled in
    texts = (part.text for part in segments.parts if part.kind in (Kind.PROSE, Kind.ERROR))
    lines = [line for text in (segments.title, *texts) for line in text.split("\n") if line.strip()]
    if len(lines) > _MAX_OUTPUT_LINES or sum(len(line.split()) for line in lines) > _MAX_OUTPUT_WORDS:
        return []
    printed = dropwhile(lambda line: not _is_reported(line), lines)
    return list(takewhile(lambda line: not _TABLE.has("written", line), printed))


def _messages(output: Sequence[str]) -> Iterator[str]:
    """Yield the sentences of an output, each joined from the lines that it is broken into, then these lines alone."""
    broken: list[str] = []
    for line in (*output, ""):
        apart = not line or _EXCERPT.match(line) or _TABLE.begins("prompt", line) or only_place(line)
        if apart or _TABLE.begins("opening", line) or is_error(line):  # another program or message
            yield " ".join(broken)
            broken = []
        if not apart:
            broken.append(message_of(line))
            if _ENDED.search(line):
                yield " ".join(broken)
                broken = []
    yield from map(message_of, output)


def _bare(text: str) -> str:
    return " ".join(text[:_MAX_CHARS].split()).strip("*_ \"'“”«»「」")


def _is_reported(line: str) -> bool:
    """Tell whether a line is an error by its form: it begins with a class, a level or a place, or the system failed."""
    return is_error(line) or _PLACE.match(line) is not None or _TABLE.has("failed", line)


def _with_message(line: str, marked: bool) -> Iterator[tuple[str, bool]]:
    """Yield the message of a line alone, and the whole line: the code's message may have the same front."""
    message = message_of(line)
    yield message, marked
    if message != line.strip():
        yield line, marked


def message_of(line: str) -> str:
    """Return a line without what was put before or after its message: class, level, place."""
    line = line.strip()
    rest = _RAISED.sub("", _TABLE.pattern("front").sub("", line, count=1))
    return rest if _WORD.search(rest) else line
