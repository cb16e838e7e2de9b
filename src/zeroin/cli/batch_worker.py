"""Answer one row of a batch in a worker process."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

import msgspec

import zeroin
from zeroin import engine
from zeroin.answer import SECTIONS, Context
from zeroin.cli.batch_rows import Row, error_row
from zeroin.cli.request import change
from zeroin.config import Options
from zeroin.context.redaction.quotes import quotes_of
from zeroin.context.rendering.structures import Gap, Ranked, Term
from zeroin.context.rendering.written import Json, dumps, json_of, path_json
from zeroin.context.selection.sections import ranked
from zeroin.errors import ZeroinError
from zeroin.session import Session
from zeroin.types import Judgment

VERSION = zeroin.__version__


@dataclass(frozen=True, slots=True)
class Request:
    """A row with the options that hold for every row."""

    row: Row
    options: Options


def answer(request: bytes, opened: Callable[[Row, Options], Session] | None = None) -> bytes:
    """Return the result row (JSON) of an encoded `Request`, or a row whose `error` says what failed.

    `opened` opens the session of a row; by default, a session about the row's repository.
    """
    given = msgspec.json.decode(request, type=Request)
    row, identity = given.row, str(given.row.id)
    began = time.monotonic()
    try:
        options = replace(
            given.options,
            purpose=row.purpose,
            includes=row.include or (),
            excludes=row.exclude or (),
            top=given.options.top if row.top is None else row.top,
            rev=row.rev or None,
        )
        session = (opened or _opened)(row, options)
        began_cpu = session.loop.began  # opening the index does not count
        context = session.run()
        cpu = time.process_time() - began_cpu
    except ZeroinError as error:
        return error_row(identity, str(error))
    result = result_of(identity, context, options.top, time.monotonic() - began)
    return dumps(result | {"cpu_seconds": round(cpu, 4)}).encode()


def _opened(row: Row, options: Options) -> Session:
    asked = row.task or ""
    changed = row.diff is not None and isinstance(row.repo, str)
    task = engine.review_of(change(row.diff or "", str(row.repo)), asked) if changed else asked
    return engine.open_session(task, row.repo, options=options)


def result_of(identity: str, context: Context, top: int, seconds: float) -> Json:
    """Return a result row: rankings hold path and relevance; the answer's sections, cycle and reason too."""
    context, _ = quotes_of(context)
    return {
        "id": identity,
        "ranking": [json_of(Ranked, j) for j in context.ranking[:top]],
        "rankings_by_cycle": [
            [json_of(Ranked, j) for j in ranked(cycle.judgments, context.task, cycle.query)[:top]]
            for cycle in context.cycles
        ],
        **{section: [_file(j) for j in getattr(context, section)] for section in SECTIONS},
        "gaps": [json_of(Gap, gap) for gap in context.gaps],
        "terminology": [json_of(Term, term) for term in context.terminology],
        "cycles": len(context.cycles),
        "stop_reason": context.stop_reason.code,
        "sufficient": context.sufficient,
        "advice": context.advice.kind if context.advice else None,
        "revision": {"commit": context.revision.commit, "tree": context.revision.tree},
        "learned": context.learned.digest if context.learned else None,
        **({"judge": asdict(context.judge)} if context.judge is not None else {}),
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
