"""Files beside a module: words, patterns and texts, read at their first use and kept."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any


@cache
def text_beside(module: str, name: str) -> str:
    """Return the text of the file `name`, a path with `/`, in the folder of a module; `module` is its `__file__`."""
    return (Path(module).parent / name).read_text(encoding="utf-8")


@cache
def table_beside(module: str, name: str) -> Mapping[str, Any]:
    """Return what a TOML file in the folder of a module lists."""
    return tomllib.loads(text_beside(module, name))


@cache
def key_by_word(module: str, name: str, heading: str) -> Mapping[str, str]:
    """Return the key that lists each word below a heading of such a file: the language of an extension, say."""
    rows = table_beside(module, name)[heading].items()
    return {word: key for key, words in rows for word in words.split()}
