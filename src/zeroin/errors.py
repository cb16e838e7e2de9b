"""What zeroin raises on purpose."""


class ZeroinError(Exception):
    """Base of every error that zeroin raises on purpose."""


class InputError(ZeroinError):
    """What the caller gave cannot be used (exit code 2)."""


class EmptyTaskError(InputError):
    """The task has no word to search for."""


class RepositoryError(InputError):
    """The path is no folder, repository or readable revision."""


class SessionError(InputError):
    """The session is unknown, or cannot be resumed."""


class OptionError(InputError):
    """An option is out of range or contradicts another."""


class GitError(ZeroinError):
    """Git is missing, too old, or failed; carries its last line."""


class CacheError(ZeroinError):
    """The index cannot be read or written (callers fall back to memory)."""


class LearningError(ZeroinError):
    """What was learned cannot be kept (never raised by asking)."""


class ServeError(ZeroinError):
    """There can be no resident process (commands run without it)."""


class FleetError(ZeroinError):
    """A cluster cannot be reached, or no shard of a workspace answers."""


class InstallError(ZeroinError):
    """A file of a host cannot be read or changed (other files are still handled)."""


class JudgeError(ZeroinError):
    """A language model cannot be asked, or its reply cannot be used."""


class ModelError(ZeroinError):
    """A file named as a model is none, or of another version."""
