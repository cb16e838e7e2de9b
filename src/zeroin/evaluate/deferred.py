"""Sequences that are made when they are first looked at: most reasons and spans of a cycle are never shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar, overload

T = TypeVar("T")


class Deferred(Sequence[T]):
    """Equal to the tuple that `make` gives, which is asked for once and not before it is needed."""

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], tuple[T, ...]]) -> None:
        self._make: Callable[[], tuple[T, ...]] | None = make
        self._made: tuple[T, ...] = ()

    def _value(self) -> tuple[T, ...]:
        make = self._make  # another thread may set it to None meanwhile; both make the same
        if make is not None:
            self._made = make()
            self._make = None  # what it needed is let go
        return self._made

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return self._value()[index]

    def __len__(self) -> int:
        return len(self._value())

    def __iter__(self) -> Iterator[T]:
        return iter(self._value())

    def __eq__(self, other: object) -> bool:
        return self._value() == (other._value() if isinstance(other, Deferred) else other)

    def __hash__(self) -> int:
        return hash(self._value())

    def __repr__(self) -> str:
        return repr(self._value())

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (self._value(),)
