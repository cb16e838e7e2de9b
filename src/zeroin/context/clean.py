"""Make repository text safe to show: nothing in it may move a cursor, set a title or reorder a line."""

from __future__ import annotations

import re

from zeroin.patterns import lazy_pattern

# CSI, OSC/DCS/APC/PM/SOS with their terminators (bounded: an unclosed one takes little text along), other ESC pairs.
_SEQUENCE = lazy_pattern(
    "(?:\x1b\\[|\x9b)[0-?]{0,64}[ -/]{0,16}[@-~]?"
    "|(?:\x1b[\\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]{0,256}(?:\x07|\x1b\\\\|\x9c)?"
    "|\x1b[ -/]{0,4}[0-~]?"
)
# C0 except tab and line feed, DEL, C1; bidi marks, embeddings and isolates; line and paragraph separators; invisible
# characters: soft hyphen, fillers, marks of joining, BOM, interlinear annotation, musical and shorthand controls, tags.
# The joiners of scripts and emoji stay.
UNSEEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_CONTROL = lazy_pattern(f"[{UNSEEN}]")
_SURROGATE = lazy_pattern("[\ud800-\udfff]")


def escape_surrogates(text: str) -> str:
    """`text` with each lone surrogate written out: `\\xNN` for an undecodable byte, else `\\uNNNN`."""

    def spelled(match: re.Match[str]) -> str:
        code = ord(match[0])
        return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"

    return _SURROGATE.sub(spelled, text)


def raw_path(path: str) -> bytes:
    """Return the bytes of a path in the file system; half surrogates, which Windows allows, are encoded as they are."""
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return path.encode("utf-8", "surrogatepass")


def clean(text: str) -> str:
    """`text` without control sequences and invisible controls; tabs and line feeds stay, CRLF becomes LF."""
    text = text.replace("\r\n", "\n")
    return escape_surrogates(_CONTROL.sub("", _SEQUENCE.sub("", text)))


def line(text: str) -> str:
    """`text` cleaned and on one line: blanks of every kind become single spaces."""
    return " ".join(clean(text).split())


def path_text(path: str) -> str:
    """Return a path on one line: controls and undecodable bytes are escaped, not dropped."""
    controls = f"[\n\t]|{_CONTROL.pattern}"
    return escape_surrogates(re.sub(controls, lambda one: one[0].encode("unicode_escape").decode(), path))
