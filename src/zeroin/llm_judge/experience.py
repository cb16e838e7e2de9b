"""The user's verdicts on files that a judge has graded, on this machine: evidence of how good its grades are.

They come from lessons and from kept runs. A file counts once for each task.
"""

from collections.abc import Mapping

from zeroin.learning.lessons import identity_of
from zeroin.learning.store import LessonStore
from zeroin.sessions.store import newest

Verdict = tuple[int, bool]  # a grade, and whether the file was useful


def experience(warnings: list[str], repository: str = "", task: str = "") -> Mapping[str, tuple[Verdict, ...]]:
    """Return the verdicts on the grades of each judge, without those of this task in this repository.

    A run of this task already uses them as overrides of its files. Adds warnings for lessons that cannot be read.
    """
    found: dict[str, dict[tuple[str, str, str], Verdict]] = {}
    for store in LessonStore.every():
        for lesson in store.lessons().items:
            said = dict.fromkeys(lesson.irrelevant, False) | dict.fromkeys(lesson.relevant, True)
            for judge, path, grade in lesson.grades:
                if path in said:
                    found.setdefault(judge, {})[store.path.name, lesson.id, path] = grade, said[path]
        warnings += store.warnings
    for run in newest()[0]:
        if run.options.judge:
            place, name = LessonStore(run.identity).path.name, identity_of(run.task.text)
            for path, grade, useful in run.grades:
                if useful is not None:
                    found.setdefault(run.options.judge, {}).setdefault((place, name, path), (grade, useful))
    same = LessonStore(repository).path.name, identity_of(task)
    return {judge: tuple(verdict for key, verdict in rows.items() if key[:2] != same) for judge, rows in found.items()}
