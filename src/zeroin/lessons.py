"""What `zeroin learn` does: keep, list and forget which files turned out relevant to a task."""

from __future__ import annotations

import posixpath
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from zeroin.config import Options
from zeroin.context.redaction.quotes import notes_without_secrets, text_without_secrets
from zeroin.corpus.source import open_source
from zeroin.errors import EmptyTaskError, InputError
from zeroin.learning.lessons import MAX_PATHS, Lesson, Lessons, identity_of, title_of, words_of
from zeroin.learning.store import LessonStore
from zeroin.protocols import Source
from zeroin.query.task import query_of
from zeroin.sessions.store import newest
from zeroin.types import Task


@dataclass(frozen=True, slots=True)
class KnownLessons:
    """Lessons of one repository and the file that holds them."""

    file: Path
    lessons: Lessons
    warnings: tuple[str, ...] = ()


def learn(
    task: str,
    repository: str | Path = ".",
    *,
    relevant: Iterable[str] = (),
    irrelevant: Iterable[str] = (),
) -> KnownLessons:
    """Keep which files of `repository` turned out relevant to `task`, and which did not; returns that lesson alone.

    A warning says how many files of before it has no room for. Raises `InputError` for a file that is not there or is
    named as both, and for more than `MAX_PATHS`, `LearningError` where nothing can be kept.
    """
    source = open_source(repository)
    good, bad = _paths(source, relevant), _paths(source, irrelevant)
    if both := set(good) & set(bad):
        raise InputError(f"{sorted(both)[0]} is named as relevant and as irrelevant")
    if not good and not bad:
        raise InputError("no file is named")
    said = text_without_secrets(task)
    query = query_of(Task(said), Options())
    if not query.own:
        raise EmptyTaskError("the task has no word to learn")
    name, judged = identity_of(task), {*good, *bad}
    grades = {
        (run.options.judge, path): grade
        for run in reversed(newest()[0])  # the last grade counts
        if run.identity == source.identity and run.grades and identity_of(run.task.text) == name
        for path, grade, _ in run.grades
        if path in judged
    }
    given = tuple((judge, path, grade) for (judge, path), grade in grades.items())[-2 * MAX_PATHS :]
    lesson = Lesson(name, title_of(query, said), words_of(query), good, bad, int(time.time()), given)
    store = LessonStore(source.identity)
    return KnownLessons(store.path, Lessons(store.add(lesson)), tuple(store.warnings))


def _paths(source: Source, given: Iterable[str]) -> tuple[str, ...]:
    """Return paths as they are kept, relative to the top of the repository.

    Raises `InputError` for what is no file of it, and for more files than are kept.
    """
    from zeroin.workspace.repository import paths_of  # showing and forgetting need no index

    wanted = tuple(given)
    listed, root = set(paths_of(source)) if wanted else set(), source.root.resolve()
    out = []
    for name in wanted:
        path = Path(name)
        if path.is_absolute():
            # Links may lead in a circle, or the name be none that a file can have.
            with suppress(OSError, RuntimeError, ValueError):
                path = path.parent.resolve() / path.name
            if path.is_relative_to(root):
                path = path.relative_to(root)
        relative = posixpath.normpath(path.as_posix())
        if relative not in listed:
            raise InputError(f"{name} is no file that zeroin searches in {source.root}")
        out.append(source.prefix + relative)
    found = tuple(dict.fromkeys(out))
    if len(found) > MAX_PATHS:
        raise InputError(
            f"{len(found):,} files are named at once, and of a task {MAX_PATHS} relevant and {MAX_PATHS} irrelevant"
            " ones are kept: name those that matter most"
        )
    return found


def known(repository: str | Path = ".") -> KnownLessons:
    store = LessonStore(open_source(repository).identity, clean=notes_without_secrets)
    return KnownLessons(store.path, store.lessons(), tuple(store.warnings))


def forget(repository: str | Path = ".", identity: str | None = None) -> int:
    """Forget a task, or (None) all of a repository. Raises `InputError` for an unknown one, `LearningError`."""
    count = LessonStore(open_source(repository).identity).forget(identity)
    if identity is not None and not count:
        raise InputError(f"nothing is learned under {identity!r} here; zeroin learn --show lists the ids")
    return count
