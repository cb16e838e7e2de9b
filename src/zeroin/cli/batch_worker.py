"""`python -m zeroin.cli.batch_worker`: answers task rows from stdin, one JSON line each, until stdin ends."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any, BinaryIO

from zeroin import engine
from zeroin.answer import SECTIONS, Context
from zeroin.cli.request import change
from zeroin.config import Options
from zeroin.context.redaction.redact import quotes_of
from zeroin.context.rendering.json import dumps, gap_json, path_json, ranking_json, term_json
from zeroin.context.selection.sections import ranked
from zeroin.errors import ZeroinError
from zeroin.session import Session
from zeroin.types import Judgment

Json = dict[str, Any]


def answer(row: Json, settings: Json) -> Json:
    """The result row of one task row; what cannot be done is told in `error`."""
    began = time.monotonic()
    try:
        session = _ask(row, settings)
        began_cpu = session.loop.began  # from when the index was open
        context = session.run()
        cpu = time.process_time() - began_cpu
    except ZeroinError as error:
        return {"id": str(row["id"]), "error": str(error), "seconds": round(time.monotonic() - began, 4)}
    result = result_of(str(row["id"]), context, _top(row, settings), time.monotonic() - began)
    return result | {"cpu_seconds": round(cpu, 4)}


def _top(row: Json, settings: Json) -> int:
    return int(settings["top"] if row.get("top") is None else row["top"])


def _ask(row: Json, settings: Json) -> Session:
    options = Options(
        purpose=row.get("purpose"),
        budget=settings["budget"],
        max_cycles=settings["max_cycles"],
        timeout_s=settings["timeout_s"],
        includes=tuple(row.get("include") or ()),
        excludes=tuple(row.get("exclude") or ()),
        without=frozenset(settings["without"]),
        always_loop=settings["always_loop"],
        learned=settings["learned"],
        at_once=settings["at_once"],
        top=_top(row, settings),
        rev=row.get("rev") or None,
        jobs=settings["jobs"],
    )
    text = row.get("task") or ""
    asked = text if row.get("diff") is None else engine.review_of(change(row["diff"], row["repo"]), text)
    return engine.open_session(asked, row["repo"], options=options)


def result_of(identity: str, context: Context, top: int, seconds: float) -> Json:
    """A result row; lists of files hold path and relevance, those of the answer the reason too."""
    context, _ = quotes_of(context)
    return {
        "id": identity,
        "ranking": ranking_json(context.ranking[:top]),
        "rankings_by_cycle": [
            ranking_json(ranked(cycle.judgments, context.task, cycle.query)[:top]) for cycle in context.cycles
        ],
        **{section: [_file(j) for j in getattr(context, section)] for section in SECTIONS},
        "gaps": [gap_json(gap) for gap in context.gaps],
        "terminology": [term_json(term) for term in context.terminology],
        "cycles": len(context.cycles),
        "stop_reason": context.stop_reason.code,
        "sufficient": context.sufficient,
        "advice": context.advice.kind if context.advice else None,
        "revision": {"commit": context.revision.commit, "tree": context.revision.tree},
        "learned": context.learned.digest if context.learned else None,
        "warnings": list(context.warnings),
        "seconds": round(seconds, 4),
        "seconds_by_cycle": [round(cycle.seconds, 4) for cycle in context.cycles],
        "cpu_by_cycle": [round(cycle.cpu_seconds, 4) for cycle in context.cycles],
    }


def _file(judgment: Judgment) -> Json:
    return {
        **path_json(judgment.path),
        "relevance": round(judgment.relevance, 4),
        "cycle": judgment.cycle,
        "reason": judgment.reason,
    }


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answers each request line with one line."""
    for line in requests:
        request = json.loads(line)
        answers.write(dumps(answer(request["row"], request["settings"])).encode() + b"\n")
        answers.flush()


def main() -> None:
    """Keeps the pipe for answers alone: whatever else prints goes to stderr."""
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
