"""Who may ask about what: a TOML file of users, each with the digest of a token and the names of repositories."""

from __future__ import annotations

import hmac
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import msgspec

from zeroin.errors import InputError

_MAX_BYTES = 4_000_000


class _User(msgspec.Struct, forbid_unknown_fields=True):
    """One `[user.NAME]`; `sha256` is that of the token, in hex."""

    sha256: str
    repositories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Access:
    """The names of repositories by digest of the token."""

    allowed: Mapping[str, frozenset[str]]

    @classmethod
    def read(cls, file: Path, names: Collection[str]) -> Access:
        """Return what a file says of repositories with these names. Raises `InputError` for any other name."""
        try:
            with file.open("rb") as opened:
                text = opened.read(_MAX_BYTES).decode()
            users = msgspec.convert(tomllib.loads(text).get("user", {}), dict[str, _User])
        except OSError as error:
            raise InputError(f"cannot read {file}: {error.strerror or error}") from error
        except (ValueError, RecursionError, msgspec.ValidationError) as error:
            raise InputError(f"{file} is no file of users: {error}") from error
        allowed: dict[str, frozenset[str]] = {}
        for name, user in users.items():
            if unknown := sorted(set(user.repositories) - set(names)):
                raise InputError(
                    f"{file}: {name} may see {unknown[0]!r}, which is no repository of the workspace"
                )
            if len(user.sha256) != 64 or user.sha256.lower() in allowed:
                raise InputError(f"{file}: the sha256 of {name} is no digest, or another user's")
            allowed[user.sha256.lower()] = frozenset(user.repositories)
        return cls(allowed)

    def of(self, header: str) -> frozenset[str] | None:
        """Return the repositories that an `Authorization` header opens, None where it is no user's."""
        scheme, _, token = header.partition(" ")
        given = sha256(token.strip().encode("utf-8", "surrogateescape")).hexdigest()
        found = None
        for digest, names in self.allowed.items():  # all of them: the time tells nothing
            if hmac.compare_digest(digest, given) and scheme.lower() == "bearer":
                found = names
        return found
