"""Run the tools: arguments in, an answer out. Blocking, so run in a thread.

Raises `ZeroinError` with a sentence that a model can act on, and `Stopped` after the call was cancelled or timed out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zeroin.config import HOST, judge_of_environment
from zeroin.errors import EmptyTaskError, InputError, RepositoryError, SessionError
from zeroin.mcp.answer import Answer, explained, found
from zeroin.mcp.arguments import Arguments
from zeroin.mcp.gitdirs import identity_of
from zeroin.mcp.roots import Roots, resolved
from zeroin.mcp.work import Work, turn
from zeroin.types import Feedback, Task

if TYPE_CHECKING:
    from zeroin.session import Session
    from zeroin.workspace.members import Place

UNCOMMITTED = "uncommitted"
_MOST_REVISION, _MOST_NAME = 500, 60  # characters of a revision, of a run's name

Tool = Callable[[Arguments, Roots, Work], Answer]


def find_context(arguments: Arguments, roots: Roots, work: Work) -> Answer:
    """Return the files that matter for a task, within what is left of the deadline."""
    from zeroin import engine

    diff = arguments.text("diff").strip()
    example = 'task="Sessions expire too early", or diff="main..HEAD" to review a change'
    task: str | Task = arguments.text("task", "" if diff else example)
    places = _places(arguments, roots)
    repository: Place = places if len(places) > 1 else places[0]
    if diff and len(places) > 1:
        raise InputError("diff is a change of one repository: give that one as path")
    settings = arguments.options() | {"judge": judge_of_environment()}
    if diff:
        task = _review(str(task), diff, places[0])
    work.progress("reading the repository", 0, 0)
    model = work.host if settings["judge"] == HOST else None
    with _turns(places, work):
        session = engine.open_session(
            task, repository, model=model, progress=work.progress, timeout_s=work.timeout_s, **settings
        )
        return _answer(session, work, settings["budget"])


def refine_context(arguments: Arguments, roots: Roots, work: Work) -> Answer:
    """Resume a session with one more cycle that applies the caller's feedback; its judgments replace ours."""
    from zeroin import engine

    run = arguments.text("run", 'run="r-5f0c2a91b7", the id that find_context gave').strip()[:_MOST_NAME]
    budget = arguments.budget()
    feedback = Feedback(
        relevant=arguments.texts("relevant"),
        irrelevant=arguments.texts("irrelevant"),
        terms=arguments.texts("terms"),
        focus=arguments.texts("focus"),
        note=arguments.text("note").strip(),
    )
    both = sorted(set(feedback.relevant) & set(feedback.irrelevant))
    if both:
        raise InputError(f"{both[0]} is given as relevant and as irrelevant: decide")
    work.progress("going on with the run", 0, 0)
    try:
        with _turns(_places_of(run, roots), work):
            session = engine.resume(
                run,
                feedback=feedback if feedback != Feedback() else None,
                more=True,
                roots=roots.allowed,
                host=work.host,
                judges=("", HOST, judge_of_environment()),  # a kept run cannot start another judge here
                progress=work.progress,
                timeout_s=work.timeout_s,
                budget=budget,
            )
            return _answer(session, work, budget)
    except SessionError as error:
        raise SessionError(f"{error}. Call find_context with the task to get a run") from error


def explain_terms(arguments: Arguments, roots: Roots, work: Work) -> Answer:
    """Return what the codebase calls the things that a text names."""
    from zeroin.engine import Repository
    from zeroin.term_lookup import terminology_of

    text = arguments.text("text", 'text="rate limit"')
    repository = roots.resolve(arguments.text("path"))
    if not any(c.isalnum() for c in text):
        raise EmptyTaskError("text has no word to look for")
    work.progress("reading the repository", 0, 0)
    with turn(repository, work):
        until = time.monotonic() + work.timeout_s
        opened = Repository.open(repository, deadline=until, progress=work.progress).opened
        work.check()
        return explained(terminology_of(opened, text))


_TOOLS: dict[str, Tool] = {tool.__name__: tool for tool in (find_context, refine_context, explain_terms)}


def call(name: str, given: Mapping[str, Any] | None, roots: Roots, work: Work) -> Answer:
    """Run a tool by its name."""
    return _TOOLS[name](Arguments(name, given), roots, work)


def _places(arguments: Arguments, roots: Roots) -> list[Path]:
    """Return the folders to ask about."""
    several = arguments.texts("paths")
    if several and arguments.text("path").strip():
        raise InputError("give path for one repository or paths for several, not both")
    if len(several) <= 1:  # a list of one is one repository: its paths need no NAME:
        return [roots.resolve(several[0] if several else arguments.text("path"))]
    return [roots.resolve(path) for path in several]


@contextmanager
def _turns(places: Sequence[Path], work: Work) -> Iterator[None]:
    """Wait for earlier calls on each repository once, always in the same order, so that calls do not deadlock."""
    repositories = {identity_of(place): place for place in places}
    with ExitStack() as stack:
        for identity in sorted(repositories):
            stack.enter_context(turn(repositories[identity], work))
        yield


def _places_of(run: str, roots: Roots) -> list[Path]:
    """Return the folders of a kept session.

    Raises `SessionError` for a folder outside the roots, `RepositoryError` for one whose git directory is.
    """
    from zeroin.sessions.store import load

    places = []
    for place in map(resolved, load(run).places):
        if place is None or not roots.holds(place):
            raise SessionError(f"run {run} is about a repository outside of what may be read here")
        roots.check(place)
        places.append(place)
    return places


def _answer(session: Session, work: Work, budget: int) -> Answer:
    from zeroin.session import keep

    for cycle in session:
        best = cycle.judgments[0].path if cycle.judgments else "nothing yet"
        gaps = sum(gap.critical for gap in cycle.gaps)
        work.say(f"cycle {cycle.number}: best {best}, {gaps} critical gaps")
    work.check()
    keep(session)
    return found(session.context(), session.read, budget)


def _review(task: str, diff: str, repository: Path) -> Task:
    """Return the task of reviewing a change. `diff` is never read as a path, which could lie outside of the roots."""
    from zeroin import engine

    if "\n" in diff:
        changed = engine.diff_of(repository, text=diff)
    elif len(diff) > _MOST_REVISION:
        raise InputError(f"diff is one line of {len(diff):,} characters, which is no revision")
    else:
        try:
            changed = engine.diff_of(repository, "" if diff.lower() == UNCOMMITTED else diff)
        except RepositoryError as error:
            advice = "diff takes a revision, A..B, 'uncommitted' or the diff itself, not a file"
            raise RepositoryError(f"{error} ({advice})") from error
    if not changed.files:
        raise InputError("diff touches no file; leave it out, or name a range such as main..HEAD")
    return engine.review_of(changed, task)
