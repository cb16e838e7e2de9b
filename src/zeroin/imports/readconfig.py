"""Configuration files of a repository as plain values: bounded, tolerant, never raising.

A repository is hostile input: whatever cannot be read as its format is None.
"""

import json
import re
import tomllib
from typing import Any

from zeroin.patterns import lazy_pattern

MOST_DOTS = 500  # of a line in TOML: the time to read a key grows with the square of its parts
# Strings come first in both patterns, so that nothing inside one is taken for a comment or a comma. A string without an
# end goes on to the end of the file: searching anew from each of its quotes would take quadratic time.
_COMMENT = lazy_pattern(r'"(?:[^"\\]|\\.)*+"?|(//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?)', re.DOTALL)
_LAST_COMMA = lazy_pattern(r'"(?:[^"\\]|\\.)*+"?|(,)(?=\s*+[}\]])', re.DOTALL)
_VISIBLE = lazy_pattern(r"[^\r\n]")


def read_json(data: bytes | None) -> dict[str, Any]:
    """Return the object in JSON with comments and trailing commas; {} where there is none."""
    try:
        return table(json.loads(plain_json((data or b"{}").decode("utf-8-sig", "replace")), strict=False))
    except (ValueError, RecursionError):
        return {}


def plain_json(text: str) -> str:
    """Blank comments and trailing commas in a JSON text; every offset stays."""
    for pattern in (_COMMENT, _LAST_COMMA):
        text = pattern.sub(lambda match: _VISIBLE.sub(" ", match[0]) if match[1] else match[0], text)
    return text


def read_toml(data: bytes | None) -> dict[str, Any]:
    """Return the tables of a TOML file; {} where it is none."""
    text = (data or b"").decode("utf-8-sig", "replace")
    try:
        return {} if may_be_slow(text) else tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}


def may_be_slow(text: str) -> bool:
    """Tell whether a line of TOML has so many dots that it could take minutes to read as a key."""
    return any(line.count(".") > MOST_DOTS for line in text.split("\n"))


def table(value: Any, *keys: str) -> dict[str, Any]:
    """Return the table at `keys` of a configuration value; {} where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def text(value: Any, *keys: str) -> str:
    """Return the string at `keys` of a configuration value; "" where there is none."""
    value = table(value, *keys[:-1]).get(keys[-1])
    return value if isinstance(value, str) else ""
