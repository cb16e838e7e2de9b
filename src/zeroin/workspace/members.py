"""The repositories of a workspace, as folders or as a TOML file names them."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import msgspec

from zeroin.config import Options
from zeroin.errors import InputError
from zeroin.patterns import lazy_pattern

T = TypeVar("T")
MAX_MEMBERS = 5_000
_MAX_BYTES = 4_000_000  # of a TOML file
_NAME = lazy_pattern(r"[\w][\w.+-]{0,99}")
_OTHER = lazy_pattern(r"[^\w.+-]+")


@dataclass(frozen=True, slots=True)
class Member:
    """One repository of a workspace; `name` is how its paths begin in an answer, `NAME:path`.

    `rev` is the revision that is searched, None for the work tree. `includes` and `excludes` are globs below it.
    """

    name: str
    path: Path
    rev: str | None = None
    includes: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()


Place = str | Path | Sequence[str | Path | Member]  # a repository, or several


def members_of(places: Iterable[str | Path | Member]) -> tuple[Member, ...]:
    """Return folders as members, each once, named after themselves. Raises `InputError` for none."""
    listed = list(places) if isinstance(places, Iterable) and not isinstance(places, bytes) else [places]
    if not all(isinstance(place, str | Path | Member) for place in listed):
        raise InputError(f"a repository must be a folder, or a list of folders, not {places!r}")
    kept: dict[object, Member] = {}
    for place in listed:
        member = place if isinstance(place, Member) else Member("", _expanded(place))
        kept.setdefault((_resolved(member.path), member.rev, member.includes, member.excludes), member)
    return _named([*kept.values()])


def read_workspace(file: str | Path) -> tuple[Member, ...]:
    """Return the members that a TOML file lists as `[[repository]]`, each once; paths are relative to the file.

    Raises `InputError` where the file cannot be read, is no such list, or names one thing twice.
    """
    file = Path(file)
    rows = read_toml(file, _File, "workspace file").repository
    for row in rows:
        if row.name and not _NAME.fullmatch(row.name):
            raise InputError(f"{file}: the name {row.name!r} has other characters than letters, digits and . _ + -")
        if "\0" in row.path:
            raise InputError(f"{file}: the path of {row.name or 'a repository'} holds a zero byte: {row.path!r}")
    given = Counter(row.name for row in rows if row.name)
    if twice := [name for name, times in given.items() if times > 1]:
        raise InputError(f"{file}: two repositories have the name {twice[0]!r}")
    return members_of(
        Member(row.name, file.parent / _expanded(row.path), row.rev, row.include, row.exclude) for row in rows
    )


def read_toml(file: Path, kind: type[T], what: str) -> T:
    """Return a small TOML file as a value of type `kind`. Raises `InputError`, which calls the file `what`."""
    try:
        with file.open("rb") as opened:
            data = opened.read(_MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}") from error
    if len(data) > _MAX_BYTES:
        raise InputError(f"{file} is larger than {_MAX_BYTES:,} bytes, which is no {what}")
    try:
        return msgspec.convert(tomllib.loads(data.decode()), kind)
    except (ValueError, RecursionError, msgspec.ValidationError) as error:
        raise InputError(f"{file} is no {what}: {error}") from error


def options_of(members: Sequence[Member], options: Options) -> Options:
    """Return the options with the globs of the members; the caller's includes replace those of the members."""
    includes, excludes = options.includes, (f"{m.name}:{glob}" for m in members for glob in m.excludes)
    if not includes and any(member.includes for member in members):
        includes = tuple(f"{m.name}:{glob}" for m in members for glob in m.includes or ("**",))
    return replace(options, includes=includes, excludes=(*options.excludes, *excludes))


def _named(members: Sequence[Member]) -> tuple[Member, ...]:
    """Name the members that have no name after their folders, with a number where that name is taken.

    Raises `InputError` for none or too many.
    """
    if not members:
        raise InputError("a workspace needs a repository")
    if len(members) > MAX_MEMBERS:
        raise InputError(f"a workspace has at most {MAX_MEMBERS:,} repositories, not {len(members):,}")
    used = {member.name for member in members}
    tried: dict[str, int] = {}
    out = []
    for member in members:
        name = base = member.name or _name_of(member.path)
        while not member.name and name in used:
            tried[base] = tried.get(base, 1) + 1
            name = f"{base}-{tried[base]}"
        used.add(name)
        out.append(replace(member, name=name))
    return tuple(out)


def _name_of(place: Path) -> str:
    """Return a folder's name in the letters that a name may have; a bare repository is named without `.git`."""
    folder = _resolved(place)
    name = (folder.parent if folder.name == ".git" else folder).name.removesuffix(".git")
    return _OTHER.sub("-", name).strip("-.") or "repository"


def _expanded(path: str | Path) -> Path:
    try:
        return Path(path).expanduser()
    except (RuntimeError, ValueError, TypeError) as error:  # the home of a user that does not exist
        raise InputError(f"{str(path)!r} cannot be opened: {error}") from error


def _resolved(place: Path) -> Path:
    try:
        return place.resolve()
    except (OSError, RuntimeError, ValueError) as error:  # a zero byte, a loop of links
        raise InputError(f"{str(place)!r} cannot be opened: {error}") from error


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    """One `[[repository]]` of a workspace file."""

    path: str
    name: str = ""
    rev: str | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


class _File(msgspec.Struct, forbid_unknown_fields=True):
    """A workspace file."""

    repository: tuple[_Row, ...]
