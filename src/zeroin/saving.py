"""Keeps sessions, for surfaces to call after an answer: the core itself writes nothing but the index."""

from __future__ import annotations

import time
from dataclasses import replace

from zeroin.config import may_keep_sessions
from zeroin.session import Session
from zeroin.sessions import store


def keep(session: Session) -> str:
    """Keep a session for `zeroin.resume` and `zeroin show`. Returns its name, "" where it cannot or may not be kept."""
    if session.record is not None and may_keep_sessions():
        record = replace(session.record, at=int(time.time()))
        session.kept = record.id if store.keep(record) else ""
    return session.kept
