"""Takes out of a task what tells its reader how to work: such sentences name nothing that could be found.

Prompts of agents are full of them ("Follow the existing patterns.", "Report file paths and line numbers."). A linear
model over words and pairs of words scores each sentence (`instructions.tsv`; `training/instructions.py` makes it from
prompts and from tasks). What instructs before the request or behind it goes. Code is left as it is, and so is a task
that would have nearly nothing left.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from zeroin.beside import text_beside
from zeroin.patterns import lazy_pattern
from zeroin.query import markup, traces
from zeroin.terms import STOPWORDS

_LEAST_LEFT = 2  # words that a task must keep besides stop words
_UNKNOWN, _MOST_UNKNOWN = -0.7, 4  # log-odds of a word that the model does not know, of so many: it names something
_LEAD_WORDS = 4  # of a label: "Definition of done:"
_SHORT = 3  # words; so few say little by themselves, and with one that is not known may name the subject

_SENTENCE = lazy_pattern(r"[^.!?;:]*(?:[.!?;:](?!\s|$)[^.!?;:]*)*[.!?;:]*\s*")
_WORD = lazy_pattern(r"[^\W\d_][\w'’]*(?:-[\w'’]+)*")
_MARK = lazy_pattern(r"^\s{0,12}(?:#{1,6}\s+|[-*+•☐]\s+|\d{1,2}[.)]\s+)")
_TAG = lazy_pattern(r"</?[a-z][\w-]{0,30}>", re.IGNORECASE)
_OPENING = lazy_pattern(r"\s*<([a-z][\w-]{0,30})>", re.IGNORECASE)
# What reports and their forms have: messages, what leads in to one, bold headings, boxes, comments, pictures.
_REPORTED = lazy_pattern(
    r"\b(?:error|exception|failure|fatal|warning|panic|traceback)s?\b[^\n]{0,200}?:|\w(?:Error|Exception|Failure|Warning)\b"
    r"|\b(?:gets?|got|sees?|saw|says?|said|prints?|printed|shows?|reads?|message|throws?|throwing|fails? with|title)\b"
    r"[^.!?\n]{0,40}:\s"
    r"|^\s{0,8}(?:\*\*|__|<!--|>|[-*+]\s\[[ xX]?\])|<!--|<details|<img|<pre|<code|!\[|^\S+\[\d+\]: |\w:\d+\b",
    re.IGNORECASE | re.MULTILINE,
)
_TITLE = lazy_pattern(r"(?![#<]).{0,200}[^\s.!?:;>]\s*$")
_INDENTED = lazy_pattern(r" {4}|\t")
_CODE = lazy_pattern(r"[`{}()=<>\\/\"|]|\w[._:]\w|[a-z][A-Z]")
_DIGIT = lazy_pattern(r"\d")


class Fragment(NamedTuple):
    """A sentence, lead-in, heading or item of a list: `mark` stands before its text, `below` is what leads in to it."""

    line: int
    mark: str
    text: str
    below: str = ""
    fixed: bool = False  # code, which is no sentence


def request_of(text: str) -> str:
    """Return a task without the sentences that say how to work; the text itself where too little would be left."""
    fragments = fragments_of(text)
    instructing = _instructing(fragments)
    if not any(instructing):
        return text
    lines: dict[int, str] = {}
    for fragment, instructs in zip(fragments, instructing, strict=True):
        if not instructs:
            lines[fragment.line] = lines.get(fragment.line, fragment.mark) + fragment.text
    left = "\n".join(lines.get(number, "") for number in range(fragments[-1].line + 1)).strip()
    own = {word.lower() for word in _WORD.findall(left)} - STOPWORDS
    return left if len(own) >= _LEAST_LEFT else text


def is_report(text: str) -> bool:
    """Tell a pasted message, and an issue, by its title or form: what happened may look like instructions."""
    lines = text.strip("\n").split("\n")
    headings = (found[2] for found in map(markup.HEADING.match, lines) if found is not None)
    titled = has_title(lines)
    logged = any(map(markup.is_log_line, lines)) or any(traces.scan(lines).kinds)
    return titled or logged or any(map(markup.section_of, headings)) or _REPORTED.search(text) is not None


def has_title(lines: Sequence[str]) -> bool:
    """Tell whether the first of several lines is a title: no sentence, no heading, no label."""
    return len(lines) > 1 and _TITLE.match(lines[0]) is not None


def fragments_of(text: str) -> list[Fragment]:
    """Return the sentences of a text by line, with what stands between them; the texts of a line add up to the line."""
    lines = text.split("\n")
    code = {n for opened, (closed, _) in markup.closing_fences(lines).items() for n in range(opened, closed + 1)}
    out: list[Fragment] = []
    section = label = ""  # a heading or tag holds until the next one, a label alone on its line until a blank line
    for number, line in enumerate(lines):
        if number in code or _INDENTED.match(line):
            out.append(Fragment(number, "", line, fixed=True))
            continue
        mark = _mark_of(line)
        label = label if line.strip() else ""
        lead = "" if mark.lstrip().startswith("#") else label or section
        parts = [part for part in _SENTENCE.findall(line[len(mark) :]) if part]
        for part in parts:
            out.append(Fragment(number, mark, part, lead))
            lead = _lead_of(part, mark) or lead
        alone = _lead_of(parts[0], mark) if len(parts) == 1 else ""
        if alone and (mark.lstrip().startswith("#") or _OPENING.match(line)):
            section, label = alone, ""
        elif alone:
            label = alone
    return out


def _mark_of(line: str) -> str:
    found = _MARK.match(line)
    return found[0] if found is not None else ""


def _lead_of(text: str, mark: str) -> str:
    """Return what a heading, a label before a colon or an opening tag says of the text behind it; "" for a sentence."""
    tag = _OPENING.match(text)
    if tag is not None:
        return tag[1].lower()
    words = _WORD.findall(text)
    leads = text.rstrip().endswith(":") or mark.lstrip().startswith("#")
    return " ".join(words).lower() if leads and 0 < len(words) <= _LEAD_WORDS else ""


def features_of(fragment: Fragment) -> Iterator[str]:
    """Yield what the model looks at: words, pairs of words, the first ones, and the form."""
    text = _TAG.sub(" ", fragment.text)
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    yield from dict.fromkeys(words)
    yield from dict.fromkeys(f"{a} {b}" for a, b in pairwise(words))
    yield from dict.fromkeys(f"in {word}" for word in fragment.below.replace("_", " ").split())
    yield f"^ {words[0] if words else ''}"
    yield f"^ {' '.join(words[:2])}"
    forms = {
        "#heading": fragment.mark.lstrip().startswith("#"),
        "#item": bool(fragment.mark) and not fragment.mark.lstrip().startswith("#"),
        "#tag": text != fragment.text,
        "#code": _CODE.search(text),
        "#digit": _DIGIT.search(text),
        "#lead": text.rstrip().endswith(":"),
        "#question": text.rstrip().endswith("?"),
        "#capitals": len(words) > 1 and text.isupper(),
        "#short": len(words) <= _SHORT,
    }
    yield from (name for name, holds in forms.items() if holds)


def is_word(feature: str) -> bool:
    """Tell a feature that is a single word from pairs and forms."""
    return feature[0] not in "#^" and " " not in feature


def _instructing(fragments: Sequence[Fragment]) -> list[bool]:
    """Tell which fragments instruct. A label (`Goal:`, `Retention:`) goes with what follows it on its line."""
    if len(fragments) < 2:
        return []
    labelled = [
        bool(_lead_of(one.text, "")) and one.line == following.line and not _OPENING.match(one.text)
        for one, following in pairwise(fragments)
    ]
    weights = [None if label else _weight_of(one) for label, one in zip([*labelled, False], fragments, strict=True)]
    asking = [number for number, weight in enumerate(weights) if weight is not None and weight <= 0]
    first, last = (asking[0], asking[-1]) if asking else (len(weights), -1)
    # Within the request an instruction may be part of what is asked.
    out = [weight is not None and not first <= n <= last for n, weight in enumerate(weights)]
    for number in range(len(labelled) - 1, -1, -1):
        out[number] = out[number + 1] if labelled[number] else out[number]
    return out


def _weight_of(fragment: Fragment) -> float | None:
    """Return the log-odds that a fragment instructs; None where there is nothing to tell it by."""
    if fragment.fixed or not fragment.text.strip():
        return None
    known = _weights()
    found = list(features_of(fragment))
    words = [name for name in found if is_word(name)]
    unknown = sum(name not in known for name in words)
    if unknown and len(words) <= _SHORT:
        return None
    named = min(unknown, _MOST_UNKNOWN) * _UNKNOWN
    return known["#bias"] + named + sum(known.get(name, 0.0) for name in found)


@cache
def _weights() -> dict[str, float]:
    rows = (line.rpartition("\t") for line in text_beside(__file__, "instructions.tsv").splitlines())
    return {name: float(weight) for name, _, weight in rows}
