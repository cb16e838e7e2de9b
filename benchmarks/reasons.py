"""Are the answers' reasons true? Every cited path, line, word, symbol, commit and count, against git itself.

    python -m benchmarks.reasons --data DIR --repos DIR [--tasks 200] [--models DIR] [--ids FILE]

Tuning issues, chosen by a hash of their id, are asked; each claim of an answer (reasons and spans of the listed files
and of the best thirty, gaps, terminology, conventions, the query's changes) is read back from its evidence and from
the sentence, and looked up: texts and commits by git, definitions and imports in the index. The result file counts
claims by kind and lists what does not hold; the exit status is 1 if anything does not.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.claims import Findings
from benchmarks.data import Task, load
from benchmarks.facts import Facts
from benchmarks.missing import GapChecker
from benchmarks.models import use_model
from benchmarks.needs import NeedChecker
from benchmarks.provenance import provenance
from benchmarks.sentences import ReasonChecker
from zeroin.answer import Context
from zeroin.config import Options
from zeroin.engine import Repository
from zeroin.index.view import View
from zeroin.types import Judgment

RESULTS = Path(__file__).parent / "results" / "reasons.json"
LISTED = 100  # violations that the result file lists


def check_context(context: Context, view: View, git_dir: Path) -> list[str]:
    """What an answer claims and the repository at `git_dir` does not bear out, one sentence each.

    `view` is the one that was asked (`Session.opened.view`). Texts come from the commit that the answer is about,
    from the view where the work tree has uncommitted changes.
    """
    return audit(context, view, git_dir).violations


def audit(context: Context, view: View, git_dir: Path) -> Findings:
    """The same with the number of claims by kind."""
    found = Findings()
    facts = Facts(view, git_dir, context.revision)
    reasons = ReasonChecker(context, view, facts, found)
    needs = NeedChecker(context, view, facts, found, reasons)
    missing = GapChecker(context, view, facts, found, reasons)
    reasons.also("asked", missing.asked)
    for judgment in judged(context):
        reasons.judgment(judgment)
    for gap in context.gaps:
        missing.gap(gap)
    for term in context.terminology:
        needs.term(term)
    for pattern in context.patterns:
        needs.pattern(pattern)
    for cycle in context.cycles:
        for change in cycle.changes:
            needs.change(change)
    return found


def judged(context: Context) -> list[Judgment]:
    """Every judgment that an answer shows, the listed files first."""
    shown = (*context.listed, *context.ranking)
    return list({(j.path, j.reasons): j for j in shown}.values())


def ask(task: Task) -> tuple[Context, View]:
    """The answer to a task, and the view that it was found in."""
    repository = Repository.open(task.git_dir, rev=task.rev, jobs=1)
    includes = (f"{task.root}/**",) if task.root else ()
    session = repository.ask(task.task, Options(includes=includes, always_loop=True))
    return session.run(), repository.opened.view


def measure(tasks: Sequence[Task], models: Path | None, progress: Callable[[str], None]) -> dict[str, object]:
    """Ask all tasks and check their answers."""
    total, kinds, ordered = Findings(), Counter[str](), []
    with_reason = files = true_tasks = 0
    for number, task in enumerate(tasks, 1):
        began = time.monotonic()
        use_model(models, task.repo)
        context, view = ask(task)
        found = audit(context, view, task.git_dir)
        total.claims += found.claims
        total.violations += [f"{task.id}: {violation}" for violation in found.violations]
        true_tasks += not found.violations
        listed = context.listed
        files += len(listed)
        with_reason += sum(1 for j in listed if j.reasons)
        kinds.update(r.kind for j in judged(context) for r in j.reasons)
        ordered.append(len(listed))
        seconds = time.monotonic() - began
        progress(f"{number}/{len(tasks)} {task.id[:60]}: {len(found.violations)} wrong, {seconds:.1f} s")
    return {
        "tasks": len(tasks),
        "repositories": len({task.repo for task in tasks}),
        "claims": sum(total.claims.values()),
        "violations": len(total.violations),
        "tasks_without_violation": true_tasks,
        "listed_files": files,
        "listed_files_with_a_reason": with_reason,
        "claims_by_kind": dict(sorted(total.claims.items())),
        "reasons_by_kind": dict(kinds.most_common()),
        "what_does_not_hold": total.violations[:LISTED],
    }


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="benchmarks.reasons", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--data", type=Path, required=True, help="folder with the tuning issues")
    made.add_argument("--repos", type=Path, required=True, help="folder of bare repositories, owner+name/…")
    made.add_argument("--tasks", type=int, default=200)
    made.add_argument("--models", type=Path, help="folder of leave-repository-out models")
    made.add_argument("--ids", type=Path, help="file of task ids to run instead")
    made.add_argument("--out", type=Path, default=RESULTS)
    made.add_argument("--dry", action="store_true", help="write no result file")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; prints what does not hold. 1 if anything does not."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = parser().parse_args(given)
    ids = frozenset(options.ids.read_text(encoding="utf-8").split()) if options.ids else None
    loaded = load(options.data, options.repos, kinds=("issue",), all_issues=True, ids=ids, limit=options.tasks)
    # One repository after the other: its history and its facts are read once.
    tasks = sorted(loaded.tasks, key=lambda t: (t.repo, t.id))
    result = measure(tasks, options.models, lambda line: print(line, file=sys.stderr, flush=True))
    print(json.dumps(result, indent=1, ensure_ascii=False))
    if not options.dry:
        body = {"what": "reasons", "provenance": provenance("benchmarks.reasons", given), **result}
        options.out.write_text(json.dumps(body, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 1 if result["violations"] else 0


if __name__ == "__main__":
    sys.exit(main())
