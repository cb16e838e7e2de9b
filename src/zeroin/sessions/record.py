"""The stored form of a session: the question and its turns, without anything that can be computed again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import msgspec

from zeroin.config import Options
from zeroin.errors import OptionError, SessionError
from zeroin.patterns import lazy_pattern
from zeroin.tree import TreeState
from zeroin.types import Feedback, Task

SESSION_VERSION = 2  # docs/FORMAT.md has a line for every number
MAX_TURNS = 20
_ID = lazy_pattern(r"r-[0-9a-f]{10}")
# Options that decide which files are found, not how they are shown: a repository within the budget is returned whole.
ASKED = tuple("budget max_cycles keywords includes excludes focus without always_loop learned rev".split())
# Likewise, where a language model was named as judge.
JUDGED = ("judge", "judge_roles", "max_judge_tokens", "max_calls", "max_cost")

Grade = Annotated[int, msgspec.Meta(ge=0, le=3)]
Seconds = Annotated[int, msgspec.Meta(ge=0, lt=1 << 40)]  # since 1970, for any clock
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A question with its turns; an empty `Feedback` is a turn too and asks for one more cycle.

    `place` is the folder that was asked about, `identity` the repository as the cache knows it, `tree` its state and
    `learned` the digest of what was learned of it, both when it was asked.
    """

    place: str
    identity: str
    task: Task
    options: Options
    tree: TreeState
    learned: str = ""
    turns: tuple[Feedback, ...] = ()
    parent: str = ""
    at: Seconds = 0  # when it was last asked
    members: tuple[tuple[str, str, str | None], ...] = ()  # name, path, revision; `place` holds them all
    # The judge's grades of files, by path from the top of the repository, and whether the caller found the file useful.
    grades: tuple[tuple[str, Grade, bool | None], ...] = ()

    @property
    def places(self) -> tuple[Path, ...]:
        """The folders that were asked about."""
        return tuple(Path(path) for _, path, _ in self.members) or (Path(self.place),)

    def check_places(self, roots: Sequence[Path] | None) -> None:
        """Raise `SessionError` where a folder lies outside `roots`, or none exists any more."""
        if roots is not None and not all(
            any(place.resolve().is_relative_to(root.resolve()) for root in roots) for place in self.places
        ):
            raise SessionError(f"run {self.id} is about a repository outside of what may be read here")
        if not any(place.is_dir() for place in self.places):
            raise SessionError(f"the repository of run {self.id} is gone: {self.places[0]}")

    def judge_among(self, judges: Collection[str] | None) -> str:
        """Return the language model of the session, "" where it is not among `judges` (None: any)."""
        return self.options.judge if judges is None or self.options.judge in judges else ""

    @property
    def id(self) -> str:
        """Name of the session: a digest of question, turns and tree, so that equal sessions share it."""
        task, options, turns = self._question()
        for name in ("includes", "excludes"):
            if not any(glob.startswith("!") for glob in options[name]):  # else the last that matches decides
                options[name] = sorted(options[name])
        asked = [self.identity, self.place, self.tree.tree, self.learned, task, options, turns, *self.members]
        text = json.dumps(asked, sort_keys=True, ensure_ascii=True)
        return f"r-{hashlib.sha256(text.encode('ascii')).hexdigest()[:10]}"

    def continued(self, feedback: Feedback) -> SessionRecord:
        """Return the record with one more turn. Raises `SessionError` after too many turns."""
        if len(self.turns) >= MAX_TURNS:
            said = f"run {self.id} was gone on with {MAX_TURNS} times"
            raise SessionError(f"{said}: ask anew with what you know")
        return replace(self, turns=(*self.turns, feedback), parent=self.id)

    def to_json(self) -> Json:
        """Return plain values, from which `session_of` makes the record again."""
        _, options, turns = self._question()
        if self.options.pack != Options().pack:  # not in the question: saves repeating it on resuming
            options["pack"] = self.options.pack
        kept = {"version": SESSION_VERSION, "id": self.id, **asdict(self), "options": options, "turns": turns}
        return {name: value for name, value in kept.items() if value or name not in ("members", "grades")}

    def _question(self) -> tuple[Json, Json, list[Json]]:
        names = [*ASKED, *(JUDGED if self.options.judge else ())]
        if not self.options.submodules:
            names.append("submodules")
        asked = {name: getattr(self.options, name) for name in names}
        plain = {n: sorted(v) if isinstance(v, frozenset) else v for n, v in asked.items()}
        return asdict(self.task), plain, [asdict(turn) for turn in self.turns]


def is_id(text: str) -> bool:
    """Tell whether this can be the name of a session."""
    return _ID.fullmatch(text) is not None


def session_of(data: object) -> SessionRecord:
    """Make a record from what `SessionRecord.to_json` gave. Raises `SessionError` for anything else."""
    try:
        version = msgspec.convert(data, _Versioned).version
        if version != SESSION_VERSION:
            raise SessionError(f"the run was kept by another version of zeroin ({version}): ask again")
        return msgspec.convert(data, SessionRecord)
    except (msgspec.ValidationError, OptionError, UnicodeError) as error:  # a name with a lone surrogate
        raise SessionError("the run is damaged: ask again") from error


class _Versioned(msgspec.Struct):
    """The field that records of every version have."""

    version: int
