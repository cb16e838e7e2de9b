"""One run as it is kept: what was asked and every turn since; nothing that the index can tell again."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

from zeroin.config import Options
from zeroin.errors import OptionError, SessionError
from zeroin.tree import Diff, DiffFile, TreeState
from zeroin.types import PURPOSES, Feedback, Purpose, Task

SESSION_VERSION = 2  # docs/FORMAT.md has a line for every number
MAX_TURNS = 20
_ID = re.compile(r"r-[0-9a-f]{10}")
# Options that decide what is found (of a repository that fits the budget, all); the others say how it is shown.
ASKED = (
    "budget",
    "max_cycles",
    "keywords",
    "includes",
    "excludes",
    "focus",
    "without",
    "always_loop",
    "learned",
    "rev",
)

_LATEST = 1 << 40  # seconds since 1970, for any clock

Json = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A question with the turns that followed it; an empty `Feedback` is a turn too: one more cycle.

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
    at: int = 0  # seconds since 1970 when it was last asked

    @property
    def id(self) -> str:
        """Names the run by what was asked of which tree: the same question has the same name."""
        asked = [self.identity, self.place, self.tree.tree, self.learned, *self._question()]
        text = json.dumps(asked, sort_keys=True, ensure_ascii=True)
        return f"r-{hashlib.sha256(text.encode('ascii')).hexdigest()[:10]}"

    def continued(self, feedback: Feedback) -> SessionRecord:
        """The run that goes on from this one. Raises `SessionError` after too many turns."""
        if len(self.turns) >= MAX_TURNS:
            raise SessionError(
                f"run {self.id} was gone on with {MAX_TURNS} times: ask anew with what you know"
            )
        return replace(self, turns=(*self.turns, feedback), parent=self.id)

    def to_json(self) -> Json:
        """Plain values, from which `session_of` makes the run again."""
        task, options, turns = self._question()
        return {
            "version": SESSION_VERSION,
            "id": self.id,
            "parent": self.parent,
            "at": self.at,
            "place": self.place,
            "identity": self.identity,
            "tree": asdict(self.tree),
            "learned": self.learned,
            "task": task,
            "options": options,
            "turns": turns,
        }

    def _question(self) -> tuple[Json, Json, list[Json]]:
        asked = {name: getattr(self.options, name) for name in ASKED}
        plain = {n: sorted(v) if isinstance(v, frozenset) else v for n, v in asked.items()}
        return asdict(self.task), plain, [asdict(turn) for turn in self.turns]


def is_id(text: str) -> bool:
    """Whether this can be the name of a run."""
    return _ID.fullmatch(text) is not None


def session_of(data: object) -> SessionRecord:
    """The run of what `SessionRecord.to_json` gave. Raises `SessionError` for anything else."""
    try:
        return _read(_typed(data, dict))
    except (KeyError, TypeError, ValueError, OptionError) as error:
        raise SessionError("the run is damaged: ask again") from error


def _read(data: Json) -> SessionRecord:
    if data["version"] != SESSION_VERSION:
        raise SessionError(f"the run was kept by another version of zeroin ({data['version']}): ask again")
    asked, at = data["options"], _typed(data["at"], int)
    lists = {name: _texts(asked[name]) for name in ("keywords", "includes", "excludes", "focus", "without")}
    if not 0 <= at < _LATEST:
        raise ValueError(at)
    tree = data["tree"]
    return SessionRecord(
        place=_typed(data["place"], str),
        identity=_typed(data["identity"], str),
        task=_task(data["task"]),
        options=Options(
            budget=_typed(asked["budget"], int),
            max_cycles=_typed(asked["max_cycles"], int),
            always_loop=_typed(asked["always_loop"], bool),
            learned=_typed(asked["learned"], bool),
            rev=None if asked["rev"] is None else _typed(asked["rev"], str),
            **{**lists, "without": frozenset(lists["without"])},  # type: ignore[arg-type]
        ),
        tree=TreeState(
            commit=_typed(tree["commit"], str),
            tree=_typed(tree["tree"], str),
            dirty=_typed(tree["dirty"], bool),
            rev=_typed(tree["rev"], str),
        ),
        learned=_typed(data["learned"], str),
        turns=tuple(_feedback(turn) for turn in _typed(data["turns"], list)),
        parent=_typed(data["parent"], str),
        at=at,
    )


def _typed(value: Any, kind: type[T]) -> T:
    if type(value) is not kind:
        raise TypeError(f"{kind.__name__} expected")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(_typed(item, str) for item in _typed(value, list))


def _task(data: Json) -> Task:
    purposes: dict[str, Purpose] = {purpose: purpose for purpose in PURPOSES}
    purpose, diff = purposes[data["purpose"]], data["diff"]
    if diff is None:
        return Task(_typed(data["text"], str), purpose)
    files = tuple(
        DiffFile(
            path=_typed(item["path"], str),
            old_path=None if item["old_path"] is None else _typed(item["old_path"], str),
            spans=tuple((_typed(a, int), _typed(b, int)) for a, b in item["spans"]),
            added=_typed(item["added"], str),
            removed=_typed(item["removed"], str),
        )
        for item in diff["files"]
    )
    return Task(_typed(data["text"], str), purpose, Diff(files, _typed(diff["message"], str)))


def _feedback(data: Json) -> Feedback:
    lists = {name: _texts(data[name]) for name in ("relevant", "irrelevant", "terms", "focus")}
    return Feedback(**lists, note=_typed(data["note"], str))
