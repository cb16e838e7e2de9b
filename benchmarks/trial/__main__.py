"""The trial: ask, list the claims to be judged, score the labels.

python -m benchmarks.trial ask --tasks TASKS.jsonl --repos DIR --out ANSWERS.jsonl
python -m benchmarks.trial sheet --tasks TASKS.jsonl ANSWERS.jsonl --out SHEET.jsonl [--carry LABELLED.jsonl]
python -m benchmarks.trial score TASKS.jsonl ANSWERS.jsonl LABELLED.jsonl [--out RESULT.json] [--partial]
python -m benchmarks.trial places --tasks TASKS.jsonl --tasks MORE.jsonl BEFORE.jsonl AFTER.jsonl [--out RESULT.json]
"""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.provenance import file_stamp, provenance
from benchmarks.repositories import find_repositories
from benchmarks.trial.asking import AnswersError, answers_to, read_answers, unanswered
from benchmarks.trial.scoring import LabelError, check_labels, outcome, places, scored, table
from benchmarks.trial.sheet import Row, carried, sheet
from benchmarks.trial.tasks import TaskError, TrialTask, problems, read_tasks


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one step; exit status 1 where something does not fit, with a line that says what."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    args = _parser().parse_args(given)
    try:
        return int(args.step(args, given))
    except (AnswersError, LabelError, TaskError) as error:
        print(error, file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks.trial", description=__doc__)
    steps = parser.add_subparsers(required=True)
    ask = steps.add_parser("ask", help="run the product on every task; goes on where it stopped")
    ask.add_argument("--tasks", type=Path, required=True)
    ask.add_argument("--repos", type=Path, required=True, help="folder of bare repositories: owner+name/…")
    ask.add_argument("--out", type=Path, help="answers, a line a task")
    ask.add_argument("--only", action="append", default=[], metavar="ID", help="these tasks; repeatable")
    ask.add_argument("--at-commit", action="store_true", help="check the tasks at their commits; ask nothing")
    ask.set_defaults(step=_ask)
    listing = steps.add_parser("sheet", help="list the claims to be judged")
    listing.add_argument("answers", type=Path)
    listing.add_argument("--tasks", type=Path, required=True)
    listing.add_argument("--out", type=Path, required=True)
    listing.add_argument("--carry", type=Path, help="an earlier labelled sheet: equal claims keep their labels")
    listing.set_defaults(step=_sheet)
    score = steps.add_parser("score", help="count what the labels say")
    score.add_argument("tasks", type=Path)
    score.add_argument("answers", type=Path)
    score.add_argument("labels", type=Path)
    score.add_argument("--out", type=Path, help="result file")
    score.add_argument("--partial", action="store_true", help="some claims may be without a label yet")
    score.set_defaults(step=_score)
    places = steps.add_parser("places", help="compare where answers put the right files; needs no labels")
    places.add_argument("answers", type=Path, nargs="+")
    places.add_argument("--tasks", type=Path, action="append", required=True)
    places.add_argument("--out", type=Path, help="result file")
    places.set_defaults(step=_places)
    return parser


def _ask(args: argparse.Namespace, given: Sequence[str]) -> int:
    tasks = [task for task in read_tasks(args.tasks) if not args.only or task.id in args.only]
    found = find_repositories(args.repos)
    if wrong := _wrong(tasks, found):
        print("\n".join(wrong), file=sys.stderr)
        return 1
    if args.at_commit:
        return 0
    if args.out is None:
        raise AnswersError("ask needs --out")
    left = unanswered(tasks, args.out)
    with args.out.open("a", encoding="utf-8") as out:
        for number, answer in enumerate(answers_to(left, found), start=1):
            out.write(json.dumps(answer, ensure_ascii=False) + "\n")
            out.flush()
            print(f"{number}/{len(left)} {answer['id']} exit {answer['exit_code']}", file=sys.stderr)
    return 0


def _wrong(tasks: Iterable[TrialTask], found: Mapping[str, Path]) -> list[str]:
    wrong = []
    for task in tasks:
        git_dir = found.get(task.repo.lower())
        absent = [f"no repository {task.repo}"] if git_dir is None else problems(task, git_dir)
        wrong += [f"{task.id}: {problem}" for problem in absent]
    return wrong


def _sheet(args: argparse.Namespace, given: Sequence[str]) -> int:
    rows = sheet(read_tasks(args.tasks), read_answers(args.answers))
    if args.carry is not None:
        rows = carried(rows, _rows(args.carry))
    args.out.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    print(f"{len(rows)} claims, {sum(not row['label'] for row in rows)} to be labelled")
    return 0


def _score(args: argparse.Namespace, given: Sequence[str]) -> int:
    rows = _rows(args.labels)
    check_labels(rows, partial=args.partial)
    answers = read_answers(args.answers)
    made = scored(read_tasks(args.tasks), answers, rows)
    print(table(made))
    if args.out is not None:
        stamps = {name: file_stamp(getattr(args, name)) for name in ("tasks", "answers", "labels")}
        asked = sorted({answer["product"] for answer in answers.values()})
        about: dict[str, Any] = {**provenance("benchmarks.trial", given), "answers_by": asked, "files": stamps}
        text = json.dumps({"provenance": about, **made}, indent=1, ensure_ascii=False)
        args.out.write_text(text + "\n", encoding="utf-8")
    return 0


def _places(args: argparse.Namespace, given: Sequence[str]) -> int:
    answers = {path.stem: read_answers(path) for path in args.answers}
    if len(answers) < len(args.answers):
        raise AnswersError("give files of answers different names: they name the rows")
    tasks = [task for path in args.tasks for task in read_tasks(path)]
    asked = [task for task in tasks if task.right and all(task.id in each for each in answers.values())]
    if not asked:
        raise AnswersError("these files answer no common task that has a right file")
    made: dict[str, Any] = {}
    for kind in ("all", *sorted({task.kind for task in asked})):
        chosen = [task for task in asked if kind in ("all", task.kind)]
        made[kind] = {name: places([outcome(task, each[task.id]) for task in chosen]) for name, each in answers.items()}
        for name, counts in made[kind].items():
            print(f"{kind}\t{name}\t" + "\t".join(f"{what} {count}" for what, count in counts.items()))
    if args.out is not None:
        stamps = [file_stamp(path) for path in (*args.tasks, *args.answers)]
        about = {**provenance("benchmarks.trial", given), "files": stamps}
        args.out.write_text(json.dumps({"provenance": about, "kinds": made}, indent=1) + "\n", encoding="utf-8")
    return 0


def _rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    sys.exit(main())
