"""`zeroin learn`: what turned out relevant, kept for the next question about the same repository."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from zeroin.cli.arguments import TextCommand
from zeroin.cli.options import format_option, quiet_option
from zeroin.cli.output import OK, warn, write
from zeroin.cli.request import task_text
from zeroin.context.clean import line
from zeroin.context.rendering.written import dumps, path_json
from zeroin.errors import InputError, ZeroinError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from zeroin.lessons import KnownLessons
    from zeroin.llm_judge.experience import Verdict

    Judged = Mapping[str, tuple[Verdict, ...]]

SCHEMA = "zeroin.learned/2"


@click.command(cls=TextCommand, text="task", example="Sign-in is not throttled", instead=("run", "show", "forget"))
@click.argument("task", required=False)
@click.argument("path", required=False)
@click.option("--relevant", "-r", multiple=True, metavar="FILE", help="Turned out relevant; repeatable.")
@click.option("--irrelevant", "-n", multiple=True, metavar="FILE", help="Turned out not to be; repeatable.")
@click.option("--run", metavar="RUN", help="Take TASK from a run that is kept, with the files judged by zeroin refine.")
@click.option("--show", is_flag=True, help="Show what was learned.")
@click.option("--forget", metavar="ID|all", help="Forget one task, or everything.")
@format_option(("table", "json"))
@quiet_option
def learn(task: str | None, path: str | None, show: bool, forget: str | None, quiet: bool, **given: Any) -> int:
    """Learn what turned out relevant to TASK in PATH (default: here), so that later questions are answered better.

    \b
    zeroin learn "Sign-in is not throttled" --relevant src/limit.py --irrelevant src/form.py
    zeroin learn --run r-5f0c2a91b7     the files that were judged by zeroin refine
    zeroin learn --show | --forget ID | --forget all

    What is learned stays on this machine. Asking with --no-learned ignores it.
    """
    judges = bool(given["relevant"] or given["irrelevant"] or given["run"] is not None)
    if show + (forget is not None) + judges > 1:
        raise click.UsageError("one thing at a time: FILES to learn from, --show or --forget")
    if show or forget is not None or given["run"] is not None:
        if path is not None:
            raise click.UsageError("this needs no TASK: give PATH alone")
        task, path = None, task
    from zeroin import lessons

    if show:
        known = lessons.known(path or ".")
        warn(known.warnings, quiet=quiet)
        from zeroin.llm_judge.experience import experience

        found: list[str] = []
        judged = experience(found)
        warn([said for said in found if said not in known.warnings], quiet=quiet)
        write(_as_json(known, judged) if given["format_"] == "json" else _as_table(known, judged), None)
    elif forget is not None:
        count = lessons.forget(path or ".", None if forget == "all" else forget)
        if given["format_"] == "json":
            write(f'{{"schema": "{SCHEMA}", "forgotten": {count}}}\n', None)
        else:
            write(f"forgot {count} task{'s' if count != 1 else ''}\n", None)
    else:
        learned: list[KnownLessons] = []
        left_out: list[str] = []
        for known in _learn(task, path, given["run"], (given["relevant"], given["irrelevant"]), left_out):
            warn(known.warnings, quiet=quiet)
            learned.append(known)
            if given["format_"] != "json":
                (lesson,) = known.lessons.items
                counts = f"{len(lesson.relevant)} relevant, {len(lesson.irrelevant)} not"
                write(f"{lesson.id}  {lesson.title}: {counts}\n", None)
        warn(left_out, quiet=quiet)
        if given["format_"] == "json":
            write(dumps({"schema": SCHEMA, "learned": [_lessons(known) for known in learned]}, indent=2) + "\n", None)
    return OK


def _learn(
    task: str | None, path: str | None, run: str | None, files: tuple[Sequence[str], Sequence[str]], left_out: list[str]
) -> Iterator[KnownLessons]:
    """Keep which `files` are relevant and which are not, with the verdicts of a run, in each repository of theirs.

    A repository that fails is left out where its verdicts come from the run alone; `left_out` takes why. Raises the
    first error where no repository is left, and any error about files that the caller names.
    """
    from zeroin import lessons
    from zeroin.sessions.store import load

    kept = load(run) if run is not None else None
    verdicts: dict[str, bool] = {}
    for turn in kept.turns if kept is not None else ():
        verdicts |= dict.fromkeys(turn.relevant, True) | dict.fromkeys(turn.irrelevant, False)
    given = (dict.fromkeys(files[0], True), dict.fromkeys(files[1], False), verdicts)
    if not any(given):
        raise click.UsageError("name what turned out relevant: --relevant FILE or --irrelevant FILE")
    if kept is None and task is None:
        raise click.UsageError("a task is needed: its text, @FILE, - or --run RUN")
    text = kept.task.text if kept is not None else task_text(task or "")
    places: Sequence[tuple[str, str, str | None]] = [("", path or ".", None)]
    if kept is not None and path is None:  # PATH may be a clone without the run's revision
        places = kept.members or [("", kept.place, kept.options.rev)]
    parts = [_by_member(places, each) for each in given]
    learned, failed = False, list[ZeroinError]()
    for name, folder, rev in places:
        good, bad, known = (part.get(name, {}) for part in parts)
        if not (good or bad or known):
            continue
        try:
            lesson = lessons.learn(text, folder, relevant=good, irrelevant=bad, verdicts=known.items(), rev=rev)
        except ZeroinError as error:
            if good or bad:
                raise
            left_out.append(f"nothing is learned of {name}: {error}")
            failed.append(error)
            continue
        learned = True
        yield lesson
    if failed and not learned:
        raise failed[0]


def _by_member(
    members: Iterable[tuple[str, str, str | None]], verdicts: Mapping[str, bool]
) -> dict[str, dict[str, bool]]:
    """Return the verdicts on the files of each repository, "" where it is asked alone.

    Raises `InputError` for a file of an unknown one.
    """
    names = {name for name, _, _ in members}
    if names == {""}:
        return {"": dict(verdicts)}
    found: dict[str, dict[str, bool]] = {}
    for file, verdict in verdicts.items():
        name, _, path = file.partition(":")
        if name not in names:
            some = ", ".join(sorted(names)[:10])
            raise InputError(f"{file} names no repository of the run: write NAME:PATH, with a NAME of {some}")
        found.setdefault(name, {})[path] = verdict
    return found


def _counts(verdicts: Iterable[tuple[int, bool]], *, useful: bool) -> list[int]:
    """Return how many files have each grade, 0 to 3, of those that turned out `useful` or not."""
    given = [grade for grade, was in verdicts if was is useful]
    return [given.count(grade) for grade in range(4)]


def _as_json(known: KnownLessons, judged: Judged) -> str:
    """Return all lessons, newest first, and how the files turned out that each judge had graded."""
    judges = [
        {"judge": name, "relevant": _counts(said, useful=True), "irrelevant": _counts(said, useful=False)}
        for name, said in sorted(judged.items())
    ]
    return dumps({"schema": SCHEMA, **_lessons(known), "judges": judges}, indent=2) + "\n"


def _lessons(known: KnownLessons) -> dict[str, Any]:
    lessons = [
        {
            "id": lesson.id,
            "title": lesson.title,
            "relevant": [path_json(path) for path in lesson.relevant],
            "irrelevant": [path_json(path) for path in lesson.irrelevant],
            "at": lesson.at,
            "words": [{"word": word, "weight": weight} for word, weight in lesson.words],
            "grades": [{"judge": j, "path": path_json(p), "grade": grade} for j, p, grade in lesson.grades],
        }
        for lesson in known.lessons.items
    ]
    return {"file": str(known.file), "digest": known.lessons.digest, "lessons": lessons}


def _as_table(known: KnownLessons, judged: Judged) -> str:
    """Return a paragraph for each task (id, day, title; + relevant, - irrelevant files), then a line for each judge."""
    rows = []
    for lesson in known.lessons.items:
        day = datetime.fromtimestamp(min(max(lesson.at, 0), 2**32), UTC).date().isoformat()
        rows.append(f"{lesson.id}  {day}  {line(lesson.title)}")
        rows += [f"    + {line(path)}" for path in lesson.relevant]
        rows += [f"    - {line(path)}" for path in lesson.irrelevant]
    count = len(known.lessons)
    rows.append(
        f"\n{count} task{'s' if count != 1 else ''}, state {known.lessons.digest}, in {known.file}"
        if rows
        else "nothing is learned of this repository"
    )
    for name, said in sorted(judged.items()):
        good, bad = _counts(said, useful=True), _counts(said, useful=False)
        rows.append(
            f"{line(name)}, of all repositories: a 2 or 3 for {sum(good[2:])} of {sum(good)} relevant files"
            f" and for {sum(bad[2:])} of {sum(bad)} irrelevant ones"
        )
    return "\n".join(rows) + "\n"
