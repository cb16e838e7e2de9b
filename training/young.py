"""More tasks from history: of small trees, of single folders, and tasks that nothing answers.

    python -m training.young --repos FOLDER --mined tasks.jsonl --out young.jsonl [--repositories LIST]

Tasks are those of `training.mine`, by its filters, and none that it wrote to `--mined`. *Young*: changes made while the
main line had 10 to 150 files of code, the first ones of a repository among them. *Subtree*: of larger trees, changes
whose answer lies in one folder of 10 to 150 files of code, asked below that folder alone. *Absent*: a task of another
project. A repository without a task in `--mined` is left for a later run; the summary is as that of `training.mine`.
"""

import argparse
import sys
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from benchmarks.repositories import REGULAR_MODES, RepositoryError, run_git
from training.changes import Change, list_changes, read_changes
from training.gold import files_of, is_about
from training.mine import LISTED, PREFERRED, Outcome, limit_asides, passes, run, sample
from training.mined import Mined, groups, read_mined
from training.usefulness import NO_CODE
from zeroin.corpus.languages import language_of
from zeroin.corpus.roles import role_of
from zeroin.types import Role

SMALLEST, LARGEST = 10, 150  # files of code that a small tree has, and a folder that is asked alone
YOUNG_TASKS, SUBTREE_TASKS, ABSENT_TASKS = 12, 4, 2
READ = 2_000  # changes of a young period that are read; of more, every so many
_CODE = frozenset((Role.IMPLEMENTATION, Role.TEST, Role.EXAMPLE))


@dataclass(frozen=True, slots=True)
class Known:
    """The ordinary mined tasks, by repository, and the project that each repository belongs to."""

    tasks: Mapping[str, Sequence[Mined]]
    projects: Mapping[str, str]


def main(argv: list[str] | None = None) -> int:
    """Mines every listed repository; 2 if a name is held out or a list cannot be read, 130 if interrupted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories, owner+name/…")
    parser.add_argument("--mined", type=Path, required=True, help="tasks as training.mine wrote them")
    parser.add_argument("--out", type=Path, required=True, help="tasks, one JSON object a line")
    parser.add_argument("--repositories", type=Path, default=LISTED, help="names and pinned commits")
    args = parser.parse_args(argv)
    try:
        known = read_known(args.mined, args.repositories)
    except (OSError, ValueError, KeyError) as error:
        print(f"{args.mined}: {error}", file=sys.stderr)
        return 2

    def miner(name: str, git_dir: Path, rev: str) -> Outcome:
        return mine_small(name, git_dir, rev, known)

    return run(args.repositories, args.repos, args.out, YOUNG_TASKS, miner)


def read_known(mined: Path, repositories: Path) -> Known:
    """The mined tasks and the projects; raises OSError, ValueError or KeyError."""
    tasks: dict[str, list[Mined]] = defaultdict(list)
    for task in read_mined(mined):
        tasks[task.repo].append(task)
    return Known(dict(sorted(tasks.items())), groups(repositories))


def mine_small(name: str, git_dir: Path, rev: str, known: Known) -> Outcome:
    """All three sorts of one repository at a commit; raises RepositoryError, also while it has no mined task."""
    mined = known.tasks.get(name)
    if not mined:
        raise RepositoryError("no mined task of it is there yet")
    outcome = Outcome()
    taken = {task.change for task in mined}
    seen = {task.task.casefold() for task in mined}
    tree = code_of(list_paths(git_dir, rev))
    found = {
        "young": mine_young(name, git_dir, rev, taken, seen, outcome.counts),
        "subtree": mine_subtrees(name, git_dir, rev, tree, taken, seen, outcome.counts),
        "absent": draw_absent(name, rev, known),
    }
    for sort, tasks in found.items():
        outcome.counts[f"kept {sort}"] = len(tasks)
        outcome.tasks += tasks
    outcome.counts["kept"] = len(outcome.tasks)
    return outcome


def list_paths(git_dir: Path, rev: str) -> tuple[str, ...]:
    """Paths of the regular files of a revision; names that are not UTF-8 are left out."""
    rows = run_git(git_dir, "ls-tree", "-r", "-z", "--full-tree", rev).split(b"\0")
    paths = [row.partition(b"\t")[2] for row in rows if row.partition(b" ")[0] in REGULAR_MODES]
    return tuple(text for path in paths if "\ufffd" not in (text := path.decode("utf-8", "replace")))


def code_of(paths: Iterable[str]) -> tuple[str, ...]:
    """Those that are code of the project, its tests and examples: written in a programming language."""
    return tuple(path for path in paths if language_of(path) not in NO_CODE and role_of(path) in _CODE)


def mine_young(
    name: str, git_dir: Path, rev: str, taken: set[str], seen: set[str], counts: Counter[str]
) -> list[Mined]:
    """Tasks of the time when the tree was small, newest first."""
    ids = [change for change in young_changes(git_dir, rev) if change not in taken]
    ids = ids[:: -(-len(ids) // READ) or 1]
    eligible = [change for change in read_changes(git_dir, ids) if passes(change, name, counts)]
    tasks = limit_asides(sample(name, git_dir, eligible, YOUNG_TASKS, seen, counts), counts)
    out = []
    for _, task in sorted(tasks, key=lambda pair: pair[0]):
        if SMALLEST <= len(code_of(list_paths(git_dir, task.commit))) <= LARGEST:
            out.append(replace(task, id=f"{task.id}:young", sort="young"))
        else:
            counts["tree not small"] += 1
    return out


def young_changes(git_dir: Path, rev: str) -> list[str]:
    """Changes that are no merges, newest first, from when the main line became a small tree until it was one no more.

    Where the main line grows and shrinks again, an end is one of the places where it passes the size.
    """
    line = run_git(git_dir, "rev-list", "--first-parent", "--reverse", rev, "--").decode().split()
    count = _counter(git_dir, line)
    first = bisect_left(range(len(line)), SMALLEST, key=count)
    end = bisect_left(range(len(line)), LARGEST + 1, lo=first, key=count)
    if first >= end:
        return []
    older = [f"^{line[first - 1]}"] if first else []
    return run_git(git_dir, "rev-list", "--no-merges", line[end - 1], *older, "--").decode().split()


def _counter(git_dir: Path, line: Sequence[str]) -> Callable[[int], int]:
    return lambda place: len(code_of(list_paths(git_dir, line[place])))


def mine_subtrees(
    name: str, git_dir: Path, rev: str, tree: Sequence[str], taken: set[str], seen: set[str], counts: Counter[str]
) -> list[Mined]:
    """Tasks of the newest changes that one folder of a larger tree answers, newest first; asked below it."""
    today = folder_sizes(tree)
    if len(tree) <= LARGEST or not any(SMALLEST <= size <= LARGEST for size in today.values()):
        return []
    ids = [change for change in list_changes(git_dir, rev)[:PREFERRED] if change not in taken]

    def is_below(change: Change) -> bool:
        gold = files_of(change.touched).gold
        return any(SMALLEST <= today.get(root, 0) <= LARGEST for root in roots_of(gold))

    eligible = [c for c in read_changes(git_dir, ids) if is_below(c) and passes(c, name, Counter())]
    out: list[Mined] = []
    for _, task in sorted(sample(name, git_dir, eligible, SUBTREE_TASKS, seen, counts), key=lambda p: p[0]):
        sizes = folder_sizes(code_of(list_paths(git_dir, task.commit)))
        roots = [root for root in roots_of(task.gold) if SMALLEST <= sizes[root] <= LARGEST]
        if roots and not is_about(task.gold):
            out.append(below(task, roots[int(task.change[:8], 16) % len(roots)]))
        else:
            counts["no folder of a small tree's size"] += 1
    return out


def folder_sizes(paths: Iterable[str]) -> Counter[str]:
    """How many of the files lie below every folder of depth 1 and 2."""
    sizes: Counter[str] = Counter()
    for path in paths:
        sizes.update(_folders(path))
    return sizes


def roots_of(gold: Sequence[str]) -> list[str]:
    """Folders of depth 1 and 2 that hold all of the files, the outer one first."""
    shared = [set(_folders(path)) for path in gold]
    return sorted(set.intersection(*shared)) if shared else []


def _folders(path: str) -> list[str]:
    parts = path.split("/")[:-1][:2]
    return ["/".join(parts[: depth + 1]) for depth in range(len(parts))]


def below(task: Mined, root: str) -> Mined:
    """The task as it is asked below a folder: what lies elsewhere is no part of its answer."""
    start = f"{root}/"
    return replace(
        task,
        id=f"{task.id}:{root}",
        tests=tuple(path for path in task.tests if path.startswith(start)),
        added=tuple(path for path in task.added if path.startswith(start)),
        root=root,
        sort="subtree",
    )


def draw_absent(name: str, rev: str, known: Known) -> list[Mined]:
    """Tasks about the code of other projects, asked of this repository: nothing answers them."""
    own = known.projects.get(name, name)
    others = [repo for repo in known.tasks if known.projects.get(repo, repo) != own]
    out = []
    for other in sorted(others, key=lambda repo: _order(name, repo))[:ABSENT_TASKS]:
        tasks = [task for task in known.tasks[other] if not is_about(task.gold)]
        if not tasks:
            continue
        drawn = min(tasks, key=lambda task: _order(name, task.id))
        out.append(
            replace(
                drawn,
                id=f"{name}@{rev[:12]}:absent:{drawn.id}",
                repo=name,
                change="",
                commit=rev,
                gold=(),
                tests=(),
                added=(),
                lines={},
                sort="absent",
            )
        )
    return out


def _order(name: str, what: str) -> bytes:
    return sha256(f"absent {name} {what}".encode()).digest()


if __name__ == "__main__":
    sys.exit(main())
