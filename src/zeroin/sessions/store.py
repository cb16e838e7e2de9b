"""Store of sessions: a small file each in the cache directory, readable by this user alone; the oldest are dropped."""

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

from zeroin.config import cache_dir
from zeroin.errors import SessionError
from zeroin.replacing import replacing
from zeroin.sessions.record import SessionRecord, is_id, session_of

MAX_SESSIONS = 500
MAX_BYTES = 2_000_000  # of one session: a change as the task may be long; a longer one is not kept


def sessions_dir() -> Path:
    """Return the folder of all sessions, below the cache directory; not created here."""
    return cache_dir() / "runs"


def keep(run: SessionRecord) -> bool:
    """Keep a session; False where it cannot be kept (no room, no permission, too long). Never raises `OSError`."""
    raw = json.dumps(run.to_json(), ensure_ascii=True).encode("ascii")
    if len(raw) > MAX_BYTES:
        return False
    folder = sessions_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with replacing(folder / f"{run.id}.json", mode=0o600) as file:  # readable by this user alone
            file.write(raw)
    except OSError:
        return False
    others = [path for path in _kept() if path.stem != run.id]  # clocks differ: this one stays, whatever its time
    for old in others[MAX_SESSIONS - 1 :]:
        with contextlib.suppress(OSError):
            old.unlink()
    return True


def load(identity: str) -> SessionRecord:
    """Read the session of that name. Raises `SessionError` if there is none, or none that can be read."""
    if not is_id(identity):
        raise SessionError(f"{identity!r} is no run; runs are named like r-5f0c2a91b7")
    try:
        run = session_of(json.loads((sessions_dir() / f"{identity}.json").read_bytes()))
    except OSError as error:
        kept = f"no run {identity} is kept here (the last {MAX_SESSIONS} are)"
        raise SessionError(f"{kept}; ask the task again") from error
    except (ValueError, RecursionError) as error:
        raise SessionError(f"run {identity} is damaged: ask the task again") from error
    if run.id != identity:
        raise SessionError(f"run {identity} is damaged: ask the task again")
    return run


def newest(count: int = MAX_SESSIONS) -> tuple[list[SessionRecord], int]:
    """Read the last `count` sessions, newest first, without damaged ones; return them and the number of all."""
    files, out = _kept(), []
    for path in files[:count]:
        with contextlib.suppress(SessionError):
            out.append(load(path.stem))
    return out, len(files)


def forget(repository: str | None = None, is_of: Callable[[Path], bool] = lambda _: False) -> int:
    """Remove the sessions of the repository of that identity, or all; returns how many.

    A session of several repositories is removed if `is_of` holds for one of their folders.
    """
    count = 0
    for path in _kept():
        with contextlib.suppress(OSError, SessionError):
            if repository is None or _is_about(load(path.stem), repository, is_of):
                path.unlink()
                count += 1
    return count


def _is_about(run: SessionRecord, repository: str, is_of: Callable[[Path], bool]) -> bool:
    return run.identity == repository or any(is_of(Path(path)) for _, path, _ in run.members)


def _kept() -> list[Path]:
    """Return the files of all sessions, the newest first, one that has vanished meanwhile last; none on an error."""

    def age(path: Path) -> float:
        try:
            return -path.stat().st_mtime
        except OSError:
            return float("inf")

    with contextlib.suppress(OSError):
        return sorted((path for path in sessions_dir().glob("*.json") if is_id(path.stem)), key=age)
    return []
