"""zeroin: which few files of this repository matter for this task, and what is still missing?

>>> import zeroin
>>> context = zeroin.retrieve("Fix the authentication token expiry bug", "path/to/repo")  # doctest: +SKIP
>>> [judgment.path for judgment in context.files]  # doctest: +SKIP
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:  # `as` makes a name public to type checkers
    from zeroin.aio import aretrieve as aretrieve
    from zeroin.aio import astream as astream
    from zeroin.answer import Advice as Advice
    from zeroin.answer import Change as Change
    from zeroin.answer import Context as Context
    from zeroin.answer import Cycle as Cycle
    from zeroin.answer import Pattern as Pattern
    from zeroin.answer import StopReason as StopReason
    from zeroin.answer import Terminology as Terminology
    from zeroin.config import Options as Options
    from zeroin.config import Settings as Settings
    from zeroin.engine import Repository as Repository
    from zeroin.engine import open_session as open_session
    from zeroin.engine import resume as resume
    from zeroin.engine import retrieve as retrieve
    from zeroin.errors import CacheError as CacheError
    from zeroin.errors import EmptyTaskError as EmptyTaskError
    from zeroin.errors import GitError as GitError
    from zeroin.errors import InputError as InputError
    from zeroin.errors import LearningError as LearningError
    from zeroin.errors import OptionError as OptionError
    from zeroin.errors import RepositoryError as RepositoryError
    from zeroin.errors import SessionError as SessionError
    from zeroin.errors import ZeroinError as ZeroinError
    from zeroin.kept_indexes import build_index as build_index
    from zeroin.protocols import Evaluator as Evaluator
    from zeroin.protocols import Progress as Progress
    from zeroin.protocols import RepositoryView as RepositoryView
    from zeroin.protocols import Retriever as Retriever
    from zeroin.session import Session as Session
    from zeroin.session import keep as keep
    from zeroin.term_lookup import terminology as terminology
    from zeroin.types import Candidate as Candidate
    from zeroin.types import Evidence as Evidence
    from zeroin.types import Expansion as Expansion
    from zeroin.types import Feedback as Feedback
    from zeroin.types import Gap as Gap
    from zeroin.types import Hit as Hit
    from zeroin.types import Judgment as Judgment
    from zeroin.types import Query as Query
    from zeroin.types import Reason as Reason
    from zeroin.types import Role as Role
    from zeroin.types import Span as Span
    from zeroin.types import Task as Task
    from zeroin.workspace.members import Member as Member
    from zeroin.workspace.members import read_workspace as read_workspace

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

__all__ = sorted(_HOMES)


def __dir__() -> list[str]:
    return [*globals(), *__all__]


def __getattr__(name: str) -> Any:
    """Load the engine (and numpy with it) on first use: importing the package alone does nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'zeroin' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
