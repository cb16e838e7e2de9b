"""What would be sent to a model, without sending it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from zeroin.errors import JudgeError
from zeroin.llm_judge.contract import Request


@dataclass(slots=True)
class Recorder:
    """A model that answers nothing and remembers what it is sent first: the rest would depend on its replies."""

    name: str
    requests: list[Request] = field(default_factory=list)
    cache_name: str = ""

    def ask(self, requests: Sequence[Request], timeout_s: float) -> list[JudgeError]:
        self.requests = self.requests or list(requests)
        return [JudgeError("nothing was sent: this is a dry run")] * len(requests)
