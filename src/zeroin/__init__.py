"""zeroin: which few files of this repository matter for this task, and what is still missing?

>>> import zeroin
>>> context = zeroin.retrieve("Fix the authentication token expiry bug", "path/to/repo")  # doctest: +SKIP
>>> [judgment.path for judgment in context.files]  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from zeroin.aio import aresume, aretrieve, astream
    from zeroin.answer import Context, Terminology
    from zeroin.config import Options
    from zeroin.engine import Repository, build_index, open_loop, resume, retrieve
    from zeroin.retrieval import Retrieval
    from zeroin.term_lookup import terminology
    from zeroin.types import Feedback, Task

__all__ = [
    "Context",
    "Options",
    "Repository",
    "Retrieval",
    "Feedback",
    "Task",
    "Terminology",
    "aresume",
    "aretrieve",
    "astream",
    "build_index",
    "open_loop",
    "resume",
    "retrieve",
    "terminology",
]

_HOMES = {
    "Context": "zeroin.answer",
    "Options": "zeroin.config",
    "Repository": "zeroin.engine",
    "Retrieval": "zeroin.retrieval",
    "Feedback": "zeroin.types",
    "Task": "zeroin.types",
    "Terminology": "zeroin.answer",
    "aresume": "zeroin.aio",
    "aretrieve": "zeroin.aio",
    "astream": "zeroin.aio",
    "build_index": "zeroin.engine",
    "open_loop": "zeroin.engine",
    "resume": "zeroin.engine",
    "retrieve": "zeroin.engine",
    "terminology": "zeroin.term_lookup",
}


def __getattr__(name: str) -> Any:
    """Load the engine (and numpy with it) on first use: importing the package alone does nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'zeroin' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
