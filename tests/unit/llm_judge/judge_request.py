"""The request that the tests ask, and replies to it."""

import json

from zeroin.errors import JudgeError
from zeroin.llm_judge.contract import Model, Reply, Request, Shown, parse
from zeroin.llm_judge.evaluator import replies

FILES = (Shown(1, "a.py", frozenset({1, 2, 3})), Shown(2, "b.py", frozenset({7, 8})))
ASKED = Request("Grade the files.", "file 1: a.py\nfile 2: b.py", FILES, "k", 20)
GOOD = json.dumps(
    {
        "files": [
            {"id": 1, "grade": 3, "reason": "it is the code", "lines": [[1, 2]], "missing": ["Pool"]},
            {"id": 2, "grade": 0, "reason": "no", "lines": [], "missing": []},
        ],
        "words": ["retry"],
    }
)
BAD = GOOD.replace('"grade": 3', '"grade": "high"')
LONG_S = 60.0  # never waited for: a hang fails


def ask(model: Model, timeout_s: float = LONG_S, request: Request = ASKED) -> Reply:
    """Ask a model one request, and once more if need be. Raises what came instead of a valid reply."""
    (came,) = replies(model, [request], timeout_s, lambda *_: None, len)
    if isinstance(came, JudgeError):
        raise came
    parse(came.text, request)
    return came
