"""Markdown and HTML in reports: removes mark-up, recognises fences, headings and bold lines."""

from __future__ import annotations

import re

from zeroin.patterns import lazy_pattern
from zeroin.query.tables import SYNTAX

_IMAGE = lazy_pattern(r"!\[[^\]\n]{0,300}\]\([^)\n]{0,2000}\)|<img\b[^<>]{0,2000}>", re.IGNORECASE)
_PRE_END = lazy_pattern(r"(?:</code>\s{0,4})?</pre>|(?<=\n)\s{0,4}</code>", re.IGNORECASE)
_CODE_TAG = lazy_pattern(r"</?(?:code|tt|samp)\b[^<>]{0,300}>", re.IGNORECASE)

CODE_SPAN = lazy_pattern(r"(`{1,3})(?=[^`])([^`\n]{1,400})\1")
FENCE = lazy_pattern(r"^\s{0,12}(?:>\s{0,2})?(`{3,}|~{3,}|´{3,})\s{0,4}\{?\.?([\w+#-]{0,40})[^`\n]{0,200}$")
HEADING = lazy_pattern(r"^\s{0,3}(#{1,6})\s{0,6}(?=\S)(.{1,300})$")
BOLD = lazy_pattern(r"^\s{0,3}(?:[-*+]\s)?(?:\*\*|__)([^*_\n][^*\n]{0,200}?)(?:\*\*|__)\s{0,3}:?\s*$")


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
