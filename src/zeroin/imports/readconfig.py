"""Configuration files of a repository as plain values: bounded, tolerant, never raising.

A repository is hostile input: whatever cannot be read as its format is None.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

# A string (an unterminated one runs to the end, so that scanning stays linear), or a comment.
_MOST_DOTS = 100
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)|//[^\n]*+|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)|,(?=\s*+[}\]])', re.DOTALL)


def read_json(data: bytes | None) -> dict[str, Any]:
    """The object in JSON with comments and trailing commas; {} where there is none."""
    if data is None:
        return {}
    text = data.decode("utf-8-sig", "replace")
    try:
        value = json.loads(text)
    except RecursionError:
        return {}
    except ValueError:
        text = _TOKEN.sub(lambda m: m[0] if m[0].startswith('"') else " ", text)
        text = _TRAILING.sub(lambda m: m[0] if m[0].startswith('"') else "", text)
        try:
            value = json.loads(text, strict=False)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, dict) else {}


def is_deep(text: str) -> bool:
    """Whether a TOML file has a key of so many parts that reading it would take seconds: nobody writes one."""
    return any(line.partition("=")[0].count(".") > _MOST_DOTS for line in text.split("\n"))


def read_toml(data: bytes | None) -> dict[str, Any]:
    """The tables of a TOML file; {} where it is none."""
    if data is None:
        return {}
    try:
        text = data.decode("utf-8-sig", "replace")
        return {} if is_deep(text) else tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}


def table(value: Any, *keys: str) -> dict[str, Any]:
    """The table at `keys` of a configuration value; {} where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def text(value: Any, *keys: str) -> str:
    """The string at `keys` of a configuration value; "" where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""
