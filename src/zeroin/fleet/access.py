"""Access control: a TOML file of users, each with the digest of a token and the names of repositories."""

from __future__ import annotations

import hmac
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import msgspec

from zeroin.errors import InputError
from zeroin.patterns import lazy_pattern
from zeroin.workspace.members import read_toml

_DIGEST = lazy_pattern(r"[0-9a-f]{64}")
_HERE = lazy_pattern(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?", re.I)


def is_of_this_machine(host: str, origin: str | None) -> bool:
    """Tell whether a request names this machine as its host, and comes from no page of another origin.

    Prevents DNS rebinding: a stranger can point a host name at this machine and let a page send requests to it.
    """
    return _HERE.fullmatch(host) is not None and origin in (None, f"http://{host}", f"https://{host}")


class _User(msgspec.Struct, forbid_unknown_fields=True):
    """One `[user.NAME]`; `sha256` is that of the token, in hex."""

    sha256: str
    repositories: tuple[str, ...] = ()


class _File(msgspec.Struct, forbid_unknown_fields=True):
    user: dict[str, _User] = {}


@dataclass(frozen=True, slots=True)
class Access:
    """The names of the repositories that a user may see, by the hex digest of the user's token."""

    allowed: Mapping[str, frozenset[str]]

    @classmethod
    def read(cls, file: Path, names: Collection[str]) -> Access:
        """Read a file of users. Raises `InputError` where it is invalid or a repository is not among `names`."""
        users = read_toml(file, _File, "file of users").user
        allowed: dict[str, frozenset[str]] = {}
        for name, user in users.items():
            if unknown := sorted(set(user.repositories) - set(names)):
                raise InputError(f"{file}: {name} may see {unknown[0]!r}, which is no repository of the workspace")
            digest = user.sha256.lower()
            if _DIGEST.fullmatch(digest) is None or digest in allowed:
                raise InputError(f"{file}: the sha256 of {name} is no digest, or another user's")
            allowed[digest] = frozenset(user.repositories)
        return cls(allowed)

    def of(self, header: str) -> frozenset[str] | None:
        """Return the repositories that an `Authorization` header gives access to, None where its token is unknown."""
        scheme, _, token = header.partition(" ")
        given = sha256(token.strip().encode("utf-8", "surrogateescape")).hexdigest()
        found = None
        for digest, names in self.allowed.items():  # no early exit: the time must not reveal a match
            if hmac.compare_digest(digest, given) and scheme.lower() == "bearer":
                found = names
        return found
