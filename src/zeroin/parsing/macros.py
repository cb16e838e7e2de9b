"""C and C++ macros that a grammar without a preprocessor stumbles over, blanked out of a source."""

from __future__ import annotations

import re

_MACRO = rb"[A-Z][A-Z0-9]*_[A-Z0-9_]+"
_SHOUTED = re.compile(rb"[A-Z]{3}|[A-Z]_")
# A macro alone on its line, with plain arguments: BEGIN_NAMESPACE, UV_REQ_FIELDS, Q_OBJECT, FOO_EXPORT(x)
_ALONE = re.compile(rb"^[ \t]*(?:" + _MACRO + rb")(?:\([^(){};\"\n]*\))?[ \t]*;?[ \t]*$", re.MULTILINE)
# A macro before a declaration or after `class`: UV_EXTERN int f(void), class EXPORT_API Foo
_BEFORE = re.compile(
    rb"(?:(?<=^)|(?<=[ \t>]))(?:" + _MACRO + rb"|[A-Z]{4,})(?:\([\w, ]*\))?[ \t]+(?=[A-Za-z_~\[:])",
    re.MULTILINE,
)
# A macro between a declarator and its body: int f() MY_NOEXCEPT {
_AFTER = re.compile(rb"(?<=\))[ \t]+" + _MACRO + rb"(?:\([^(){};\n]*\))?(?=[ \t]*[;{\n])")


def without_macros(source: bytes) -> bytes:
    """The source with what looks like macros replaced by spaces: all offsets and lines stay as they are."""
    out = []
    for row in source.split(b"\n"):
        if _SHOUTED.search(row) and not row.lstrip().startswith(b"#"):
            for pattern in (_ALONE, _BEFORE, _AFTER):
                row = pattern.sub(_spaces, row)
        out.append(row)
    return b"\n".join(out)


def _spaces(match: re.Match[bytes]) -> bytes:
    return b" " * len(match[0])
