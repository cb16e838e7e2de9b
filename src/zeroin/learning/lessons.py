"""Lessons: tasks with the files that turned out relevant to them, or not.

A lesson keeps the title and the weightiest words of its task, without secrets, never the whole text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Annotated, Any

from msgspec import Meta

from zeroin.terms import MAX_WORD_CHARS
from zeroin.types import Query

MAX_LESSONS = 500  # newest kept, of a repository
MAX_WORDS = 60  # of a task, weightiest first
MAX_PATHS = 50  # of a lesson, relevant and irrelevant each
MAX_TITLE_CHARS = 200

Word = tuple[str, Annotated[float, Meta(ge=0, le=1000)]]  # in its surface form, with its weight in the task
Paths = Annotated[tuple[str, ...], Meta(max_length=MAX_PATHS)]


# A language model, a path, and the grade that it gave.
Graded = tuple[str, str, Annotated[int, Meta(ge=0, le=3)]]


@dataclass(frozen=True, slots=True)
class Lesson:
    """One task with its outcome; paths are relative to the top of the repository, `at` is in seconds since 1970.

    `grades` are those of language models for its files: they measure the models, and ranking ignores them.
    """

    id: str
    title: str
    words: Annotated[tuple[Word, ...], Meta(max_length=MAX_WORDS)]
    relevant: Paths
    irrelevant: Paths = ()
    at: int = 0
    grades: Annotated[tuple[Graded, ...], Meta(max_length=2 * MAX_PATHS)] = ()

    @property
    def plain(self) -> dict[str, Any]:
        """The fields to store; empty grades are left out."""
        return {name: value for name, value in asdict(self).items() if value or name != "grades"}


@dataclass(frozen=True)
class Lessons:
    """All lessons of a repository, newest first."""

    items: tuple[Lesson, ...] = ()

    def __len__(self) -> int:
        return len(self.items)

    @cached_property
    def digest(self) -> str:
        """A hash of all that changes an answer; "" without lessons."""
        if not self.items:
            return ""
        content = [[x.id, x.title, x.words, x.relevant, x.irrelevant] for x in self.items]
        return sha256(json.dumps(content, separators=(",", ":")).encode()).hexdigest()[:16]

    def below(self, prefix: str) -> Lessons:
        """The lessons about files below a folder (ending in "/"), their paths relative to it; all of them for ""."""
        inside = [
            replace(x, relevant=_below(x.relevant, prefix), irrelevant=_below(x.irrelevant, prefix)) for x in self.items
        ]
        return Lessons(tuple(x for x in inside if x.relevant or x.irrelevant))


def _below(paths: Iterable[str], prefix: str) -> tuple[str, ...]:
    return tuple(path.removeprefix(prefix) for path in paths if path.startswith(prefix))


def identity_of(text: str) -> str:
    """Return the id of a task: the same words in the same order are the same task."""
    return sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()[:10]


def words_of(query: Query) -> tuple[Word, ...]:
    """Return the weightiest words of a task, at most `MAX_WORDS`."""
    weights: dict[str, float] = {}
    for keyword in query.own:
        if len(keyword.text) <= MAX_WORD_CHARS:
            weights[keyword.text] = max(weights.get(keyword.text, 0.0), keyword.weight)
    best = sorted(weights.items(), key=lambda item: -item[1])[:MAX_WORDS]
    return tuple((word, round(weight, 3)) for word, weight in best)


def merged(old: Lesson | None, new: Lesson) -> Lesson:
    """Merge two lessons of one task; where they contradict each other, the new one holds."""
    if old is None:
        return new
    return replace(
        new,
        relevant=_joined(new.relevant, old.relevant, new.irrelevant),
        irrelevant=_joined(new.irrelevant, old.irrelevant, new.relevant),
        grades=tuple({row[:2]: row for row in (*old.grades, *new.grades)}.values())[-2 * MAX_PATHS :],
    )


def paths_of(*lessons: Lesson) -> set[str]:
    """Return all files that lessons name, as relevant or as irrelevant."""
    return {path for lesson in lessons for path in (*lesson.relevant, *lesson.irrelevant)}


def _joined(new: Sequence[str], old: Sequence[str], against: Sequence[str]) -> tuple[str, ...]:
    kept = [path for path in old if path not in against]
    return tuple(dict.fromkeys([*new, *kept]))[:MAX_PATHS]
