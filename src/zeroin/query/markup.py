"""Recognise or remove what surrounds the text of a report: Markdown, HTML, and what issue forms add (template headings,
checklists, version dumps, log lines).
"""

import re
from collections.abc import Sequence

from zeroin.patterns import lazy_pattern
from zeroin.query.tables import SYNTAX, Table
from zeroin.terms import WORD

_IMAGE = lazy_pattern(r"!\[[^\]\n]{0,300}\]\([^)\n]{0,2000}\)|<img\b[^<>]{0,2000}>", re.IGNORECASE)
_PRE_END = lazy_pattern(r"(?:</code>\s{0,4})?</pre>|(?<=\n)\s{0,4}</code>", re.IGNORECASE)
_CODE_TAG = lazy_pattern(r"</?(?:code|tt|samp)\b[^<>]{0,300}>", re.IGNORECASE)

CODE_SPAN = lazy_pattern(r"(`{1,3})(?=[^`])([^`\n]{1,400})\1")
FENCE = lazy_pattern(r"^\s{0,12}(?:>\s{0,2})?(`{3,}|~{3,}|´{3,})\s{0,4}\{?\.?([\w+#-]{0,40})[^`\n]{0,200}$")
HEADING = lazy_pattern(r"^\s{0,3}(#{1,6})\s{0,6}(?=\S)(.{1,300})$")
BOLD = lazy_pattern(r"^\s{0,3}(?:[-*+]\s)?(?:\*\*|__)([^*_\n][^*\n]{0,200}?)(?:\*\*|__)\s{0,3}:?\s*$")

_FORMS = Table("forms", re.IGNORECASE)

_CHECKBOX = lazy_pattern(r"^\s{0,12}(?:[-*+]|\d{1,2}\.)?\s{0,4}\[([ xX✓])\]\s{0,4}(.*)")

_VERSION_VALUE = lazy_pattern(r"[\"'`(]{0,3}\bv?\d{1,6}(?:\.[\w*+-]{1,40}){1,5}")
_VERSION_NAME = lazy_pattern(r"[\s>*+\-`•]{0,12}[\w.@/\-\[\] ()*`&+]{1,60}(?:[:=@\s|])[:=\s*`]{0,12}")
_UNAME = lazy_pattern(r"\bSMP\b.{0,80}\b(?:x86_64|aarch64|GNU/Linux)|^No LSB modules|^Linux version ")


def clean(text: str) -> str:
    """Remove control characters, comments, images and tags; code tags become fences and backticks."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = SYNTAX.pattern("ansi").sub("", text)
    text = _without_comments(text)
    if "<" in text or "![" in text:
        text = _IMAGE.sub(" ", text)
        text = SYNTAX.pattern("pre").sub("\n```\n", text)
        text = _PRE_END.sub("\n```\n", text)
        text = _CODE_TAG.sub("`", text)
        text = SYNTAX.pattern("tag").sub(" ", text)
    return text


def _without_comments(text: str) -> str:
    out, at, closed = [], 0, text.rfind("-->")
    while (start := text.find("<!--", at)) >= 0:
        out.append(text[at:start])
        if start < closed:
            at = text.find("-->", start) + 3
        else:  # never closed: only the rest of the line is a comment
            end = text.find("\n", start)
            at = end if end >= 0 else len(text)
    return "".join(out) + text[at:]


def section_of(heading: str) -> str:
    """Classify a heading of an issue form: `template`, `machine`, `duties` or `component`; "" for any other."""
    key = " ".join(WORD.findall(heading.lower().replace("'", "").replace("’", "")))[:120]
    if not key or key in _FORMS.data["headings"] or key.startswith(tuple(_FORMS.data["heading_starts"])):
        return "template"
    limits = (("machine", 120), ("duties", 120), ("component", 60))
    return next((name for name, most in limits if len(key) <= most and _FORMS.has(name, key)), "")


def checkbox(line: str) -> tuple[bool, str] | None:
    """Return whether a checklist item is ticked, and its text; None for other lines."""
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


def closing_fences(lines: Sequence[str]) -> dict[int, tuple[int, str]]:
    """Opening line → closing line and language of every fenced block; an unclosed fence opens nothing."""
    closers: dict[int, tuple[int, str]] = {}
    opened, mark, language = -1, "", ""
    for i, match in enumerate(map(FENCE.match, lines)):
        if match is None:
            continue
        fence, info = match.group(1), match.group(2)
        if opened >= 0 and fence[0] == mark[0] and len(fence) >= len(mark) and not info:
            closers[opened] = i, language
            opened = -1
        elif opened < 0 or (info and fence == mark):  # the last one was never closed
            opened, mark, language = i, fence, info.lower()
    return closers
