"""What surfaces write after an answer: the question, to go on with later, and the task, until its commit comes.

Asking itself writes nothing but the index.
"""

from __future__ import annotations

import time
from dataclasses import replace

from zeroin.answer import Context
from zeroin.config import may_keep_runs, may_learn
from zeroin.learning.store import LessonStore
from zeroin.lessons import note
from zeroin.runs import store
from zeroin.session import Session


def keep(session: Session) -> str:
    """Keep a session for `zeroin.resume` and `zeroin show`; its name, "" where it cannot or may not be kept."""
    if session.record is not None and may_keep_runs():
        record = replace(session.record, at=int(time.time()))
        session.kept = record.id if store.keep(record) else ""
    return session.kept


def remember(session: Session, context: Context) -> None:
    """Keep the task until its commit comes, where `zeroin learn --remember on` was said. Raises `LearningError`."""
    opened = session.opened
    if session.options.learned and may_learn() and not session.options.rev:
        note(LessonStore(opened.identity), context, opened.prefix)
