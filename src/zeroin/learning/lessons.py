"""What was learned of a repository: tasks with the files that turned out relevant to them, or not.

Of a task its title and its weightiest words are kept, never its whole text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Literal

from zeroin.types import Query

Taught = Literal["told", "git"]  # by a person or an agent, or by the commit that followed
Word = tuple[str, float]  # in its surface form, with its weight in the task

MAX_LESSONS = 500  # newest kept, of a repository
MAX_ASKED = 200  # tasks that wait for their commit, newest kept
MAX_WORDS = 60
MAX_PATHS = 50  # of a lesson, relevant and irrelevant each: who needs more says little of each
MAX_TITLE_CHARS = 200
_MAX_WORD_CHARS = 80


@dataclass(frozen=True, slots=True)
class Lesson:
    """One task and what turned out; paths are relative to the top of the repository.

    `at` is when it was learned, seconds since 1970; `commit` the one that it was learned from, if any.
    """

    id: str
    title: str
    words: tuple[Word, ...]
    relevant: tuple[str, ...]
    irrelevant: tuple[str, ...] = ()
    taught: Taught = "told"
    commit: str = ""
    at: int = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """A task that was asked and waits for the commit that follows it: `commit` was checked out, `paths` answered."""

    id: str
    title: str
    words: tuple[Word, ...]
    commit: str
    paths: tuple[str, ...]
    at: int = 0


@dataclass(frozen=True)
class Lessons:
    """All lessons of a repository, newest first."""

    items: tuple[Lesson, ...] = ()

    def __len__(self) -> int:
        return len(self.items)

    @cached_property
    def digest(self) -> str:
        """Names this state: lessons that differ in anything that moves an answer differ in it; "" without any."""
        if not self.items:
            return ""
        said = [[x.id, x.title, x.words, x.relevant, x.irrelevant] for x in self.items]
        return sha256(json.dumps(said, separators=(",", ":")).encode()).hexdigest()[:16]

    def below(self, prefix: str) -> Lessons:
        """The lessons about files below a folder (ending in "/"), their paths relative to it; all of them for ""."""
        if not prefix:
            return self
        inside = [
            replace(x, relevant=_below(x.relevant, prefix), irrelevant=_below(x.irrelevant, prefix))
            for x in self.items
        ]
        return Lessons(tuple(x for x in inside if x.relevant or x.irrelevant))


def _below(paths: Iterable[str], prefix: str) -> tuple[str, ...]:
    return tuple(path.removeprefix(prefix) for path in paths if path.startswith(prefix))


def identity_of(text: str) -> str:
    """The id of a task: the same words in the same order are the same task."""
    return sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()[:10]


def words_of(query: Query) -> tuple[Word, ...]:
    """The weightiest words of a task, at most `MAX_WORDS`."""
    held: dict[str, float] = {}
    for keyword in query.own:
        if len(keyword.text) <= _MAX_WORD_CHARS:
            held[keyword.text] = max(held.get(keyword.text, 0.0), keyword.weight)
    best = sorted(held.items(), key=lambda item: -item[1])[:MAX_WORDS]
    return tuple((word, round(weight, 3)) for word, weight in best)


def title_of(query: Query, text: str) -> str:
    """One line that a person knows the task by."""
    return " ".join((query.title or text).split())[:MAX_TITLE_CHARS]


def merged(old: Lesson | None, new: Lesson) -> Lesson:
    """A lesson with what was known of its task before; where the two contradict each other, the new one holds."""
    if old is None:
        return new
    return replace(
        new,
        relevant=_joined(new.relevant, old.relevant, new.irrelevant),
        irrelevant=_joined(new.irrelevant, old.irrelevant, new.relevant),
        commit=new.commit or old.commit,
    )


def _joined(new: Sequence[str], old: Sequence[str], against: Sequence[str]) -> tuple[str, ...]:
    kept = [path for path in old if path not in against]
    return tuple(dict.fromkeys([*new, *kept]))[:MAX_PATHS]
