"""One run as it is kept: what was asked and every move since; nothing that the index can tell again."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from zeroin.config import Options
from zeroin.errors import RunError
from zeroin.types import PURPOSES, Diff, DiffFile, Purpose, Steer, Task, TreeState

RUN_VERSION = 1  # docs/FORMAT.md has a line for every number
MAX_MOVES = 20
_ID = re.compile(r"r-[0-9a-f]{10}")
# Options that decide what is found (of a repository that fits the budget, all); the others say how it is shown.
_ASKED = (
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

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Run:
    """A question with the moves that followed it; an empty `Steer` is a move too: one more cycle.

    `place` is the folder that was asked about, `identity` the repository as the cache knows it, `tree` its state and
    `learned` the digest of what was learned of it, both when it was asked.
    """

    place: str
    identity: str
    task: Task
    options: Options
    tree: TreeState
    learned: str = ""
    moves: tuple[Steer, ...] = ()
    parent: str = ""
    at: int = 0  # seconds since 1970 when it was last asked

    @property
    def id(self) -> str:
        """Names the run by what was asked of which tree: the same question has the same name."""
        asked = [self.identity, self.place, self.tree.tree, self.learned, *self._question()]
        text = json.dumps(asked, sort_keys=True, ensure_ascii=True)
        return f"r-{hashlib.sha256(text.encode('ascii')).hexdigest()[:10]}"

    def moved(self, steer: Steer) -> Run:
        """The run that goes on from this one. Raises `RunError` after too many moves."""
        if len(self.moves) >= MAX_MOVES:
            raise RunError(f"run {self.id} was gone on with {MAX_MOVES} times: ask anew with what you know")
        return replace(self, moves=(*self.moves, steer), parent=self.id)

    def to_json(self) -> Json:
        """Plain values, from which `run_of` makes the run again."""
        task, options, moves = self._question()
        return {
            "version": RUN_VERSION,
            "id": self.id,
            "parent": self.parent,
            "at": self.at,
            "place": self.place,
            "identity": self.identity,
            "tree": asdict(self.tree),
            "learned": self.learned,
            "task": task,
            "options": options,
            "moves": moves,
        }

    def _question(self) -> tuple[Json, Json, list[Json]]:
        asked = {name: getattr(self.options, name) for name in _ASKED}
        plain = {n: sorted(v) if isinstance(v, frozenset) else v for n, v in asked.items()}
        return asdict(self.task), plain, [asdict(move) for move in self.moves]


def is_id(text: str) -> bool:
    """Whether this can be the name of a run."""
    return _ID.fullmatch(text) is not None


def run_of(data: Json) -> Run:
    """The run of what `Run.to_json` gave. Raises `RunError` for anything else."""
    try:
        if data["version"] != RUN_VERSION:
            raise RunError(f"the run was kept by another version of zeroin ({data['version']}): ask again")
        asked: Json = data["options"]
        options = Options(
            **{n: _listed(v) for n, v in asked.items() if n != "without"}, without=frozenset(asked["without"])
        )
        return Run(
            place=str(data["place"]),
            identity=str(data["identity"]),
            task=_task(data["task"]),
            options=options,
            tree=TreeState(**data["tree"]),
            learned=str(data["learned"]),
            moves=tuple(_steer(move) for move in data["moves"]),
            parent=str(data["parent"]),
            at=int(data["at"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RunError("the run is damaged: ask again") from error


def _listed(value: Any) -> Any:
    return tuple(str(item) for item in value) if isinstance(value, list) else value


def _task(data: Json) -> Task:
    purpose: Purpose = next(p for p in PURPOSES if p == data["purpose"])
    diff = data["diff"]
    if diff is None:
        return Task(str(data["text"]), purpose)
    files = tuple(
        DiffFile(**{**item, "spans": tuple((int(a), int(b)) for a, b in item["spans"])})
        for item in diff["files"]
    )
    return Task(str(data["text"]), purpose, Diff(files, str(diff["message"])))


def _steer(data: Json) -> Steer:
    return Steer(**{f.name: _listed(data[f.name]) for f in fields(Steer)})
