"""What issue forms add to a report: template headings, checklists, version dumps, log lines."""

from __future__ import annotations

import re

from zeroin.patterns import lazy_pattern
from zeroin.query.tables import SYNTAX, Table
from zeroin.terms import WORD

_FORMS = Table("forms", re.IGNORECASE)

_CHECKBOX = lazy_pattern(r"^\s{0,12}(?:[-*+]|\d{1,2}\.)?\s{0,4}\[([ xX✓])\]\s{0,4}(.*)")

_VERSION_VALUE = lazy_pattern(r"[\"'`(]{0,3}\bv?\d{1,6}(?:\.[\w*+-]{1,40}){1,5}")
_VERSION_NAME = lazy_pattern(r"[\s>*+\-`•]{0,12}[\w.@/\-\[\] ()*`&+]{1,60}(?:[:=@\s|])[:=\s*`]{0,12}")
_UNAME = lazy_pattern(r"\bSMP\b.{0,80}\b(?:x86_64|aarch64|GNU/Linux)|^No LSB modules|^Linux version ")
_LOUD = lazy_pattern(r"\b(?:ERROR|FATAL|CRITICAL|SEVERE|Exception|Error|error|panic|failed|Failed)\b")


def section_of(heading: str) -> str:
    """What a heading announces: `template`, `machine`, `duties`, `component`, or "" for one of the author's own."""
    key = " ".join(WORD.findall(heading.lower().replace("'", "").replace("’", "")))[:120]
    if not key or key in _FORMS.data["headings"] or key.startswith(tuple(_FORMS.data["heading_starts"])):
        return "template"
    limits = (("machine", 120), ("duties", 120), ("component", 60))
    return next((name for name, most in limits if len(key) <= most and _FORMS.has(name, key)), "")


def checkbox(line: str) -> tuple[bool, str] | None:
    """Tell whether a checklist item is ticked, and its text; None for other lines."""
    match = _CHECKBOX.match(line)
    return None if match is None else (match.group(1) != " ", match.group(2))


def is_pledge(text: str) -> bool:
    """Tell whether a checklist item is a promise to the maintainers and not about the problem."""
    return len(text) < 6 or _FORMS.has("pledge", text[:200])


def is_filler(line: str) -> bool:
    """Tell whether a line is a form's placeholder, a greeting or a signature."""
    return len(line) < 200 and _FORMS.has("filler", line)


def is_version_line(line: str) -> bool:
    """Tell whether a short line states a version or a fact of the machine (`numpy==1.2`, `- OS: Linux`)."""
    if len(line) > 160:
        return False
    if _FORMS.has("machine_fact", line) or _UNAME.search(line):
        return True
    value = _VERSION_VALUE.search(line)
    if value is None or not _VERSION_NAME.fullmatch(line, 0, value.start()):
        return False
    return len(WORD.findall(line[value.end() :])) <= 8 and "(" not in line[: value.start()]


def is_log_line(line: str) -> bool:
    """Tell whether a line starts like one of a log: a time stamp or a level."""
    return bool(SYNTAX.pattern("stamp").match(line[:80]) or SYNTAX.pattern("level").match(line[:40]))


def without_stamp(line: str) -> str:
    return SYNTAX.pattern("stamp").sub("", line, count=1)


def is_loud(line: str) -> bool:
    return _LOUD.search(line[:400]) is not None
