"""How our values are written as JSON: the fields that a structure names, in the form that their types say."""

import base64
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from numbers import Real
from typing import Annotated, Any, NamedTuple, TypeVar, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType

from zeroin.context.clean import UNSEEN, raw_path
from zeroin.patterns import lazy_pattern

Json = dict[str, Any]

_RISKY = lazy_pattern(f"[{UNSEEN}\ud800-\udfff]")  # what JSON may hold raw but a reader should see


def dumps(value: object, *, indent: int | None = None, compact: bool = False) -> str:
    """Return JSON that every parser reads: invisible characters as `\\uNNNN`, undecodable bytes as the text `\\xNN`."""
    separators = (",", ":") if compact else None
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators, allow_nan=False)
    return _RISKY.sub(_spelled, text)


def _spelled(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\\\x{code - 0xDC00:02x}"
    return f"\\\\u{code:04x}" if 0xD800 <= code <= 0xDFFF else json.dumps(match[0])[1:-1]


def share(value: float) -> float:
    """Return a share of one with four decimals."""
    return round(min(1.0, max(0.0, float(value))), 4)


def number(value: float) -> float:
    """Return a number finite and short: JSON has no NaN."""
    value = float(value)
    return round(value, 6) if abs(value) < 1e15 else 0.0


# A number is rounded by what its type says.
Share = Annotated[float, Meta(ge=0, le=1, extra={"written": share})]
Figure = Annotated[float, Meta(extra={"written": number})]
_RAW = "The bytes of a path that is no valid Unicode."
Base64 = Annotated[str, Meta(description=_RAW, extra_json_schema={"contentEncoding": "base64"})]


def base64_of(path: str) -> str | UnsetType:
    """Return the bytes of a path that is no valid Unicode, so that the file can be found."""
    if not any("\ud800" <= c <= "\udfff" for c in path):
        return UNSET
    return base64.b64encode(raw_path(path)).decode("ascii")


class Structure(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A JSON object without other fields than its own."""


class Located(Structure):
    """Something about a file."""

    path: str
    path_base64: Base64 | UnsetType = UNSET

    def __post_init__(self) -> None:
        self.path_base64 = base64_of(self.path)


S = TypeVar("S", bound=Structure)


def plain(value: Structure) -> Json:
    """Return a structure as dictionaries and lists."""
    out: Json = msgspec.to_builtins(value)
    return out


def json_of(kind: type[Structure], value: object, **given: object) -> Json:
    """Return `structure_of` as dictionaries and lists."""
    return plain(structure_of(kind, value, **given))


def path_json(path: str) -> Json:
    """Return a path; if it is no valid Unicode, its bytes too."""
    return plain(Located(path=path))


class _Field(NamedTuple):
    """What a structure's field holds: other structures, numbers and how they are written; and if it may be left out."""

    kind: type[Structure] | None
    written: Callable[[float], float] | None
    may_lack: bool


@cache
def _fields_of(kind: type[Structure]) -> Mapping[str, _Field]:
    found = {}
    for field in msgspec.structs.fields(kind):
        parts = list(_parts(field.type))
        inner = next((part for part in parts if isinstance(part, type) and issubclass(part, Structure)), None)
        written = next((part.extra["written"] for part in parts if isinstance(part, Meta) and part.extra), None)
        found[field.name] = _Field(inner, written, UnsetType in parts)
    return found


def _parts(hint: Any) -> Iterator[Any]:
    """Yield a type and all that it is made of: the items of a list, the kinds of a union, what annotates it."""
    yield hint
    for part in get_args(hint):
        yield from _parts(part)


def structure_of(kind: type[S], value: object, **given: object) -> S:
    """Return a structure with the fields that `value` has by the same names, and those that are `given`."""
    fields = _fields_of(kind).items()
    found = {n: _made(getattr(value, n), field) for n, field in fields if n not in given and hasattr(value, n)}
    return kind(**found, **given)


def _made(value: Any, field: _Field) -> Any:
    """Return what a field of a structure holds for a value of ours."""
    if field.may_lack and value in ("", None, ()):
        return UNSET
    if field.written is not None and isinstance(value, Real):
        return field.written(float(value))
    if isinstance(value, Mapping):
        return {name: _made(value[name], field) for name in value}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_made(each, field) for each in value]
    if field.kind is None or value is None:
        return value
    return field.kind(path=value) if isinstance(value, str) else structure_of(field.kind, value)
