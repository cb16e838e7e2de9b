"""Configuration files of a repository as plain values: bounded, tolerant, never raising.

A repository is hostile input: whatever cannot be read as its format is None.
"""

import json
import re
import tomllib
from typing import Any

from zeroin.patterns import lazy_pattern

MOST_DOTS = 500  # of a line in TOML: the time to read a key grows with the square of its parts
# A string (an unterminated one runs to the end, so that scanning stays linear), or a comment.
_TOKEN = lazy_pattern(r'"(?:[^"\\]|\\.)*+(?:"|\Z)|//[^\n]*+|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING = lazy_pattern(r'"(?:[^"\\]|\\.)*+(?:"|\Z)|,(?=\s*+[}\]])', re.DOTALL)


def read_json(data: bytes | None) -> dict[str, Any]:
    """Return the object in JSON with comments and trailing commas; {} where there is none."""
    text = (data or b"{}").decode("utf-8-sig", "replace")
    text = _TOKEN.sub(lambda m: m[0] if m[0].startswith('"') else " ", text)
    text = _TRAILING.sub(lambda m: m[0] if m[0].startswith('"') else "", text)
    try:
        return table(json.loads(text, strict=False))
    except (ValueError, RecursionError):
        return {}


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
