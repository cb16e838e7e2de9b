"""Keep, list and forget which files turned out relevant to a task: `zeroin learn`."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from zeroin.config import Options
from zeroin.context.redaction.quotes import text_without_secrets
from zeroin.corpus.files import path_below
from zeroin.corpus.source import open_source
from zeroin.errors import EmptyTaskError, InputError, RepositoryError
from zeroin.learning.lessons import MAX_PATHS, MAX_TITLE_CHARS, Lesson, Lessons, identity_of, words_of
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
    verdicts: Iterable[tuple[str, bool]] = (),
    rev: str | None = None,
) -> KnownLessons:
    """Keep which files of `repository` turned out relevant to `task`, and which did not; returns that lesson alone.

    `verdicts` are files judged in a run about `rev`, with True for a relevant one: the last verdict on a file counts,
    `relevant` and `irrelevant` take precedence, and a file that is gone is left out with a warning.

    A warning says how many earlier files of the task were dropped for lack of room. Raises `InputError` for a file that
    is not there or is named as both, and for more than `MAX_PATHS`, `LearningError` where nothing can be kept.
    """
    source = _source(repository, rev)
    (useful, _), (useless, _) = _paths(source, relevant), _paths(source, irrelevant)
    if both := useful.keys() & useless:
        raise InputError(f"{sorted(both)[0]} is named as relevant and as irrelevant")
    last = dict(verdicts)
    found, gone = _paths(source, last, may_be_gone=True)
    named = dict.fromkeys(useful, True) | dict.fromkeys(useless, False)
    learned = named | {path: last[name] for path, name in found.items() if path not in named}
    good, bad = (tuple(path for path, is_good in learned.items() if is_good is kind) for kind in (True, False))
    if gone and not learned:
        raise InputError(f"{gone[0]} is gone")
    if not learned:
        raise InputError("no file is named")
    if (most := max(len(good), len(bad))) > MAX_PATHS:
        raise InputError(
            f"{most:,} files are named at once, and of a task {MAX_PATHS} relevant and {MAX_PATHS} irrelevant"
            " ones are kept: name those that matter most"
        )
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
    title = " ".join((query.title or said).split())[:MAX_TITLE_CHARS]
    lesson = Lesson(name, title, words_of(query), good, bad, int(time.time()), given)
    store = LessonStore(source.identity)
    kept = Lessons(store.add(lesson))
    warnings = (f"{path} was judged in the run and is gone: it is not learned" for path in gone)
    return KnownLessons(store.path, kept, (*store.warnings, *warnings))


def _source(repository: str | Path, rev: str | None) -> Source:
    try:
        return open_source(repository, rev)
    except RepositoryError:
        if rev is None:
            raise
    return open_source(repository)  # the branch, say, was merged and is gone


def _paths(source: Source, given: Iterable[str], *, may_be_gone: bool = False) -> tuple[dict[str, str], list[str]]:
    """Return the given names by kept path (relative to the repository's top), and the names of files that are gone.

    Raises `InputError` for a name that is no file, unless it `may_be_gone`.
    """
    from zeroin.workspace.repository import paths_of  # showing and forgetting need no index

    wanted = tuple(given)
    listed, root = set(paths_of(source)) if wanted else set(), source.root.resolve()
    out: dict[str, str] = {}
    gone = []
    for name in wanted:
        relative = path_below([("", root)], name)
        if relative in listed:
            out[source.prefix + relative] = name
        elif may_be_gone:
            gone.append(name)
        else:
            raise InputError(f"{name} is no file that zeroin searches in {source.root}")
    return out, gone


def known(repository: str | Path = ".") -> KnownLessons:
    store = LessonStore(open_source(repository).identity)
    return KnownLessons(store.path, store.lessons(), tuple(store.warnings))


def forget(repository: str | Path = ".", identity: str | None = None) -> int:
    """Forget a task, or (None) all of a repository. Raises `InputError` for an unknown one, `LearningError`."""
    count = LessonStore(open_source(repository).identity).forget(identity)
    if identity is not None and not count:
        raise InputError(f"nothing is learned under {identity!r} here; zeroin learn --show lists the ids")
    return count
