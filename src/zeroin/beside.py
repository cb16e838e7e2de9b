"""Read files that lie beside a module (words, patterns, texts) at their first use, and keep them."""

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
    """Return, for each word below a heading of a TOML file, the key that lists it: a language by extension, say."""
    rows = table_beside(module, name)[heading].items()
    return {word: key for key, words in rows for word in words.split()}
