"""A sequence that is computed on first use: most reasons and spans of a cycle are never shown."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

T = TypeVar("T")


class Deferred(Sequence[T]):
    """Equals the tuple that `make` returns; `make` is called on first use (by threads that race, more than once)."""

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], tuple[T, ...]]) -> None:
        self._make: Callable[[], tuple[T, ...]] | None = make
        self._made: tuple[T, ...] = ()

    def _value(self) -> tuple[T, ...]:
        make = self._make  # another thread may set it to None meanwhile; both compute the same
        if make is not None:
            self._made = make()
            self._make = None
        return self._made

    def __getitem__(self, index: Any) -> Any:
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
