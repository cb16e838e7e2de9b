"""zeroin: which few files of this repository matter for this task, and what is still missing?

>>> import zeroin
>>> context = zeroin.retrieve("Fix the authentication token expiry bug", "path/to/repo")  # doctest: +SKIP
>>> [judgment.path for judgment in context.files]  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from zeroin.aio import aretrieve, astream
    from zeroin.answer import Advice, Change, Context, Cycle, Pattern, StopReason, Terminology
    from zeroin.config import Options, Settings
    from zeroin.engine import Repository, open_session, resume, retrieve
    from zeroin.errors import (
        CacheError,
        EmptyTaskError,
        GitError,
        InputError,
        LearningError,
        OptionError,
        RepositoryError,
        SessionError,
        ZeroinError,
    )
    from zeroin.kept_indexes import build_index
    from zeroin.protocols import Evaluator, Progress, RepositoryView, Retriever
    from zeroin.session import Session, keep
    from zeroin.term_lookup import terminology
    from zeroin.types import (
        Candidate,
        Evidence,
        Expansion,
        Feedback,
        Gap,
        Hit,
        Judgment,
        Query,
        Reason,
        Role,
        Span,
        Task,
    )
    from zeroin.workspace.members import Member, read_workspace

_NAMES = {
    "zeroin.aio": "aretrieve astream",
    "zeroin.answer": "Advice Change Context Cycle Pattern StopReason Terminology",
    "zeroin.config": "Options Settings",
    "zeroin.engine": "Repository open_session resume retrieve",
    "zeroin.errors": "CacheError EmptyTaskError GitError InputError LearningError OptionError"
    " RepositoryError SessionError ZeroinError",
    "zeroin.kept_indexes": "build_index",
    "zeroin.term_lookup": "terminology",
    "zeroin.protocols": "Evaluator Progress RepositoryView Retriever",
    "zeroin.session": "Session keep",
    "zeroin.types": "Candidate Evidence Expansion Feedback Gap Hit Judgment Query Reason Role Span Task",
    "zeroin.workspace.members": "Member read_workspace",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = [
    "Advice",
    "CacheError",
    "Candidate",
    "Change",
    "Context",
    "Cycle",
    "EmptyTaskError",
    "Evaluator",
    "Evidence",
    "Expansion",
    "Feedback",
    "Gap",
    "GitError",
    "Hit",
    "InputError",
    "Judgment",
    "LearningError",
    "Member",
    "OptionError",
    "Options",
    "Pattern",
    "Progress",
    "Query",
    "Reason",
    "Repository",
    "RepositoryError",
    "RepositoryView",
    "Retriever",
    "Role",
    "SessionError",
    "Session",
    "Settings",
    "Span",
    "StopReason",
    "Task",
    "Terminology",
    "ZeroinError",
    "aretrieve",
    "astream",
    "build_index",
    "keep",
    "open_session",
    "read_workspace",
    "resume",
    "retrieve",
    "terminology",
]


def __dir__() -> list[str]:
    return [*globals(), *__all__]


def __getattr__(name: str) -> Any:
    """Load the engine (and numpy with it) on first use: importing the package alone does nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'zeroin' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
