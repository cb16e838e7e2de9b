"""Settings and their defaults, read from a TOML file in the user's configuration folder."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path

# How far back undo can go. What users call undo is the revert journal in this code: it keeps the
# inverse of every operation, and an undo reverts the newest entry of the journal. One entry means
# that only the last change can be undone; multi-step undo needs more.
REVERT_JOURNAL_DEPTH = 1

# Seconds between two writes of the outline that is being edited. Zero switches autosave off.
AUTOSAVE_SECONDS = 20

# Backups older than this are removed when a file is opened.
BACKUP_DAYS = 14

# Column at which long lines are wrapped on the screen. Files are never wrapped.
WRAP_AT = 100


class BadSettings(ValueError):
    """The settings file is not TOML, or a setting has the wrong type."""


@dataclass(frozen=True)
class Settings:
    """One value for each setting, after defaults were filled in."""

    revert_journal_depth: int = REVERT_JOURNAL_DEPTH
    autosave_seconds: int = AUTOSAVE_SECONDS
    backup_days: int = BACKUP_DAYS
    backup_folder: Path = Path("~/.local/share/bramble/backups")
    wrap_at: int = WRAP_AT
    keys: dict[str, str] = field(default_factory=dict)


def settings_path() -> Path:
    """Where the file is, following the XDG convention."""
    base = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return Path(base).expanduser() / "bramble" / "settings.toml"


def load_settings(path: Path | None = None) -> Settings:
    """Defaults when there is no file. Unknown settings are refused, because they are mostly typing errors."""
    path = settings_path() if path is None else path
    if not path.exists():
        return Settings()
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise BadSettings(f"{path}: {problem}") from problem
    known = {one.name for one in fields(Settings)}
    unknown = sorted(set(values) - known)
    if unknown:
        raise BadSettings(f"{path}: unknown settings: {', '.join(unknown)}")
    if "backup_folder" in values:
        values["backup_folder"] = Path(values["backup_folder"])
    return Settings(**values)
