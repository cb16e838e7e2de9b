"""Asks a model, and once more, with what was wrong, where its reply cannot be used."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from zeroin.errors import JudgeError
from zeroin.llm_judge.contract import Model, Reply, Request, parse

Came = Reply | JudgeError
Count = Callable[[Request, Came], None]  # is told of every call that was made
Affordable = Callable[
    [Sequence[Request]], int
]  # how many of some requests, from the first on, may still be sent

_AGAIN = "\n\nYour last reply was refused: {wrong}. Answer the same again with the JSON object alone."


def replies(
    model: Model, requests: Sequence[Request], timeout_s: float, count: Count, affordable: Affordable
) -> list[Came]:
    """Return the last reply to each request, valid or not, or why none came. Raises `JudgeError` as `Model.ask`."""
    until = time.monotonic() + timeout_s
    came = _asked(model, requests, timeout_s, count)
    wrong = {n: why for n, reply in enumerate(came) if (why := _wrong(reply, requests[n])) is not None}
    again = [
        replace(requests[n], user=requests[n].user + _AGAIN.format(wrong=why)) for n, why in wrong.items()
    ]
    again = again[: affordable(again)]
    left_s = until - time.monotonic()
    if again and left_s > 0:
        try:
            second = _asked(model, again, left_s, count)
        except JudgeError:
            return came  # the replies that can be used are kept
        for number, reply in zip(wrong, second, strict=False):
            came[number] = reply
    return came


def _asked(model: Model, requests: Sequence[Request], timeout_s: float, count: Count) -> list[Came]:
    came = list(model.ask(requests, timeout_s))
    for request, reply in zip(requests, came, strict=True):
        count(request, reply)
    return came


def _wrong(came: Came, request: Request) -> JudgeError | None:
    """Return what is wrong with a reply that came; None where nothing is, or nothing came."""
    try:
        if isinstance(came, Reply):
            parse(came.text, request)
    except JudgeError as error:
        return error
    return None
