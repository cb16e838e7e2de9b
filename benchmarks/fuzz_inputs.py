"""Inputs of the fuzzer: real ones changed at random in a few places, and a failing one made small again."""

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

MOST = 200_000  # bytes of an input

Change = Callable[[Random, bytes, Sequence[bytes]], bytes]

_ODD = (
    *(b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\x80", b"\xff"),
    *(text.encode("utf-8", "surrogatepass") for text in (
        *"\0\1\t\n\r\x1b\x7f\x85\xa0\u200b\u202e\u2028\ufeff\ud800\udcff\U0010ffffİßﬀ",
        *("\r\n", "e\u0301", "../", "/", "\\", "C:\\", "-", "--", "%", "%s", "{}", "$(", "`", "```\n", "<!--", "]]>"),
        *("0", "-1", "1e999", "NaN", "99999999999999999999", "-9223372036854775809", "4294967296", "0x", "1" * 5000),
        *('"', "'", '"""', "/*", "*/", "//", "#"),
        *("(", ")", "[", "]", "{", "}", "<", ">", ";", ":", ",", "=", "*", "**"),
    )),
)  # fmt: skip
_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 2**31, 2**53, 2**64, -(2**70), 1e300, float("nan"), float("inf")),
    *("", "x", "\0", "\ud800", "../../x", "a" * 5_000, [], {}, [[]], [None], {"": {}}, ["x"] * 300),
)
_DEPTHS = (1, 1, 2, 10, 30, 500, 3_000)
_TIMES = (2, 2, 3, 3, 10, 10, 30, 100, 1_000, 100_000)


def changed(rng: Random, seeds: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    """One of the seeds, changed in one to six places."""
    data = rng.choice(seeds)
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        data = rng.choice(_CHANGES)(rng, data, rng.choice((seeds, words or seeds)))[:MOST]
    return data


def _span(rng: Random, data: bytes) -> tuple[int, int]:
    """First and last offset of some bytes or some lines."""
    if rng.random() < 0.4 and b"\n" in data:
        ends = [0, *(at + 1 for at, byte in enumerate(data) if byte == 10), len(data)]
        first = rng.randrange(len(ends) - 1)
        return ends[first], ends[min(len(ends) - 1, first + rng.choice((1, 1, 2, 5, 20)))]
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + rng.choice((0, 1, 1, 2, 8, 64, 1_000)))


def _removed(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    start, end = _span(rng, data)
    return data[:start] + data[end:]


def _cut(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _flipped(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    out = bytearray(data or b"\0")
    for _times in range(rng.choice((1, 1, 4, 32))):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def _odd(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    start, end = _span(rng, data)
    return data[:start] + rng.choice(_ODD) + data[rng.choice((start, end)) :]


def _word(rng: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """A piece of another input, or a word of the format, put in."""
    other = rng.choice(others)
    start, end = _span(rng, data)
    first, last = (0, len(other)) if len(other) < 64 else _span(rng, other)
    return data[:start] + other[first:last] + data[rng.choice((start, end)) :]


def _repeated(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    start, end = _span(rng, data)
    piece = data[start:end]
    times = min(rng.choice(_TIMES), MOST // max(1, len(piece)))
    return data[:start] + piece * times + data[end:]


def _nested(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    start, end = _span(rng, data)
    pair = rng.choice((b"()", b"[]", b"{}", b"<>", b"((", b"{ ", b"''", b'""', b"<!", b"/*", b"> "))
    depth = rng.choice(_DEPTHS)
    return data[:start] + pair[:1] * depth + data[start:end] + pair[1:] * depth + data[end:]


def _value(rng: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """JSON with one of its values replaced, doubled or left out; other bytes are changed in another way."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return _odd(rng, data, others)
    places: list[tuple[Any, Any]] = []
    stack = [value]
    while stack:
        inside = stack.pop()
        keys = inside.keys() if isinstance(inside, dict) else range(len(inside) if isinstance(inside, list) else 0)
        for key in keys:
            places.append((inside, key))
            stack.append(inside[key])
    if not places:
        value = rng.choice(_VALUES)
    else:
        holder, key = rng.choice(places)
        other, place = rng.choice(places)
        kind = rng.randrange(4)
        if kind == 0:
            del holder[key]
        elif kind == 1:
            holder[key] = json.loads(json.dumps(other[place]))
        else:
            holder[key] = rng.choice(_VALUES)
    return json.dumps(value, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")


_CHANGES: tuple[Change, ...] = (
    _removed, _cut, _flipped, _odd, _odd, _word, _word, _word, _repeated, _nested, _value, _value,
)  # fmt: skip


def shrunk(data: bytes, still: Callable[[bytes], bool], tries: int) -> bytes:
    """The smallest input that `still` fails, after at most `tries`: pieces are left out, long ones first."""
    size = len(data) // 2
    while size and tries > 0:
        at = 0
        while at < len(data) and tries > 0:
            shorter = data[:at] + data[at + size :]
            tries -= 1
            if still(shorter):
                data = shorter
            else:
                at += size
        size //= 2
    return data
