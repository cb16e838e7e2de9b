"""Vue, Svelte and Astro components: their script blocks by the grammar of JavaScript or TypeScript."""

import re

from zeroin.parsing.grammars import parser_for, query_for
from zeroin.parsing.outline import Outline
from zeroin.parsing.syntax import outline
from zeroin.patterns import lazy_pattern

COMPONENT_LANGUAGES = ("vue", "svelte", "astro")
_SCRIPT = lazy_pattern(rb"<script\b([^<>]*)>((?:[^<]|<(?!/script))*)", re.IGNORECASE)
_COMMENT = lazy_pattern(rb"<!--(?:[^-]|-(?!->))*(?:-->)?")
_FRONT = lazy_pattern(rb"\A\s*---()((?:[^-]|-(?!--))*)")  # Astro: TypeScript between two rules on top
_LANGUAGE = lazy_pattern(rb"\blang=[\"']?(\w+)")
_VISIBLE = lazy_pattern(rb"[^\n]")


def component_outline(source: bytes, kind: str) -> Outline | None:
    """Return the outline of a component's scripts, with offsets and lines of the whole file; None without a grammar.

    Everything outside the scripts is blanked rather than cut, so that no position needs mapping.
    """
    blocks = list(_SCRIPT.finditer(source))
    language = "javascript"
    if kind == "astro":
        language = "typescript"
        front = _FRONT.match(source)
        blocks = [front, *blocks] if front else blocks
    for block in blocks:
        named = _LANGUAGE.search(block[1])
        if named and named[1].lower() in (b"ts", b"typescript", b"tsx"):
            language = "tsx" if named[1].lower() == b"tsx" else "typescript"
    parser, query = parser_for(language), query_for(language)
    if parser is None or query is None:
        return None
    scripts = [block.span(2) for block in blocks]
    masked = bytearray(_VISIBLE.sub(b" ", source))
    for start, end in scripts:
        masked[start:end] = source[start:end]
    out = outline(language, parser, query, bytes(masked))
    if out is None:
        return None
    for match in _COMMENT.finditer(source):
        if not any(start <= match.start() < end for start, end in scripts):
            out.spans.append((match.start(), match.end(), True))
    out.spans.sort()
    return out
