"""The exception tree.

ZeroinError
├── InputError            what the caller gave cannot be used (exit code 2)
│   ├── EmptyTaskError        the task has no word to search for
│   ├── SessionError          the session is unknown, or cannot be gone on with
│   ├── RepositoryError       the path is no folder, repository or readable revision
│   └── OptionError           an option is out of range or contradicts another
├── GitError              git is missing, too old, or failed; carries its last line
├── CacheError            the index cannot be read or written (callers fall back to memory)
├── FleetError            a cluster cannot be reached, or no shard of a workspace answers
├── LearningError         what was learned cannot be kept (never raised by asking)
├── InstallError          a file of a host cannot be read or changed (the others are gone on with)
├── JudgeError            a language model cannot be asked, or its reply cannot be used
└── ModelError            a file named as a model is none, or of another version
"""

from __future__ import annotations


class ZeroinError(Exception):
    """Base of every error that zeroin raises on purpose."""


class InputError(ZeroinError):
    """What the caller gave cannot be used."""


class EmptyTaskError(InputError):
    """The task has no word to search for."""


class RepositoryError(InputError):
    """The path is no folder, repository or readable revision."""


class SessionError(InputError):
    """The session is unknown, or cannot be resumed."""


class OptionError(InputError):
    """An option is out of range or contradicts another."""


class GitError(ZeroinError):
    """Git is missing, too old, or failed."""


class CacheError(ZeroinError):
    """The index cannot be read or written."""


class LearningError(ZeroinError):
    """What was learned cannot be kept."""


class FleetError(ZeroinError):
    """A cluster cannot be reached, or no shard of a workspace answers."""


class InstallError(ZeroinError):
    """A file of a host cannot be read or changed."""


class JudgeError(ZeroinError):
    """A language model cannot be asked, or its reply cannot be used."""


class ModelError(ZeroinError):
    """A file named as a model is none, or of another version."""
