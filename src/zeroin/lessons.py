"""What `zeroin learn` does: lessons from what a caller says, and from the commits that followed a task."""

from __future__ import annotations

import posixpath
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from zeroin.answer import Context
from zeroin.config import Options
from zeroin.corpus.git import Git
from zeroin.corpus.source import open_source
from zeroin.errors import EmptyTaskError, GitError, InputError
from zeroin.index.history import read_history
from zeroin.index.store import Store
from zeroin.learning.commits import commit_after
from zeroin.learning.lessons import MAX_PATHS, Asked, Lesson, Lessons, identity_of, title_of, words_of
from zeroin.learning.store import LessonStore
from zeroin.protocols import Source
from zeroin.query.task import query_of
from zeroin.types import Task


@dataclass(frozen=True, slots=True)
class Learned:
    """All that is known of one repository."""

    file: Path
    lessons: Lessons
    asked: tuple[Asked, ...]
    remembers: bool
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Taught:
    """Lessons as they are kept now, and how many remembered tasks still wait for their commit."""

    lessons: tuple[Lesson, ...]
    waiting: int = 0
    warnings: tuple[str, ...] = ()


def teach(
    task: str,
    repository: str | Path = ".",
    *,
    relevant: Iterable[str] = (),
    irrelevant: Iterable[str] = (),
) -> Taught:
    """Keep which files of `repository` turned out relevant to `task`, and which did not.

    Raises `InputError` for a file that is not there or is named as both, `LearningError` where nothing can be kept.
    """
    source = open_source(repository)
    good, bad = _paths(source, relevant), _paths(source, irrelevant)
    if both := set(good) & set(bad):
        raise InputError(f"{sorted(both)[0]} is named as relevant and as irrelevant")
    if not good and not bad:
        raise InputError("no file is named")
    query = query_of(Task(task), Options())
    if not query.own:
        raise EmptyTaskError("the task has no word to learn")
    lesson = Lesson(identity_of(task), title_of(query, task), words_of(query), good, bad, at=int(time.time()))
    store = LessonStore(source.identity)
    return Taught(store.teach(lesson), warnings=tuple(store.warnings))


def _paths(source: Source, given: Iterable[str]) -> tuple[str, ...]:
    """Paths as they are kept, relative to the top of the repository. Raises `InputError` for what is no file of it."""
    wanted = tuple(given)
    if not wanted:
        return ()
    listed = {entry.path for entry in source.list()[0]}
    out = []
    for name in wanted:
        path = posixpath.normpath(_inside(source.root, name))
        if path not in listed:
            raise InputError(f"{name} is no file that zeroin searches in {source.root}")
        out.append(source.prefix + path)
    return tuple(dict.fromkeys(out))[:MAX_PATHS]


def _inside(root: Path, name: str) -> str:
    """A path as listings have it; an absolute one is made relative."""
    path = Path(name)
    if path.is_absolute() and path.is_relative_to(root):
        return path.relative_to(root).as_posix()
    return name if "/" in name else path.as_posix()


def note(store: LessonStore, context: Context, prefix: str = "") -> None:
    """Remember a task that was answered, where that was switched on: its title, its words, and the files answered.

    A change as the task is not remembered: its commit is there already. Raises `LearningError`.
    """
    if context.task.diff is not None or not store.remembers():
        return
    text = context.task.text
    query = query_of(context.task, Options())
    answered = tuple(prefix + j.path for j in context.listed)[:MAX_PATHS]
    store.note(
        Asked(
            identity_of(text),
            title_of(query, text),
            words_of(query),
            context.revision.commit,
            answered,
            int(time.time()),
        )
    )


def learn_from_git(repository: str | Path = ".") -> Taught:
    """Match remembered tasks with the commits that followed them, and keep what those changed as relevant.

    Raises `InputError` outside git, `LearningError` where nothing can be kept.
    """
    source = open_source(repository)
    if source.git_dir is None or not source.commit:
        raise InputError(f"{source.root} has no commits to learn from")
    store = LessonStore(source.identity)
    asked = store.asked()
    if not asked:
        return Taught((), 0, tuple(store.warnings))
    with Store.open(source.identity) as cached:
        history = read_history(source, cached)
    git, found = Git(source.git_dir), []
    for item in asked:
        since = _since(git, item.commit, source.commit)
        if (commit := commit_after(item, history, since, source.prefix)) is not None:
            found.append(commit)
    return Taught(store.teach(*found), len(asked) - len(found), tuple(store.warnings))


def _since(git: Git, before: str, now: str) -> frozenset[str] | None:
    """Commits that lead to `now` and not to `before`; None where `before` is gone."""
    if not before:
        return None
    try:
        return frozenset(git.run("rev-list", "--no-merges", f"{before}..{now}").decode("ascii").split())
    except GitError:
        return None


def learned(repository: str | Path = ".") -> Learned:
    """What was learned of a repository."""
    store = LessonStore(open_source(repository).identity)
    lessons, asked, remembers = store.lessons(), store.asked(), store.remembers()
    return Learned(store.path, lessons, asked, remembers, tuple(dict.fromkeys(store.warnings)))


def forget(repository: str | Path = ".", identity: str | None = None) -> int:
    """Forget a task, or (None) all of a repository. Raises `InputError` for an unknown one, `LearningError`."""
    count = LessonStore(open_source(repository).identity).forget(identity)
    if identity is not None and not count:
        raise InputError(f"nothing is learned under {identity!r} here; zeroin learn --show lists the ids")
    return count


def remember(repository: str | Path = ".", *, on: bool) -> None:
    """Switch on or off that tasks asked here are remembered until their commit. Raises `LearningError`."""
    LessonStore(open_source(repository).identity).remember(on)
