"""What would be sent to a model, without sending it."""

from __future__ import annotations

from dataclasses import dataclass, field

from zeroin.errors import JudgeError
from zeroin.llm_judge.contract import Reply, Request


@dataclass(slots=True)
class Recorder:
    """A model that answers nothing and remembers the requests."""

    name: str
    requests: list[Request] = field(default_factory=list)
    cache_name: str = ""

    def ask(self, request: Request, timeout_s: float) -> Reply:
        """Remember the request. Raises `JudgeError` always."""
        self.requests.append(request)
        raise JudgeError("nothing was sent: this is a dry run")
