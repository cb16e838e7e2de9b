"""The list of repositories that are mined: which ones, at which commits, in which language, in which group.

    python -m training.pin --repos FOLDER --names names.txt [--forks forks.json] [--out training/repositories.json]

A tree of more than 2,500 files is left out: what is searched for a task is built for every parent commit.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.repositories import RepositoryError, find_repositories, run_git
from training.held_out import HeldOutError, refuse
from training.mine import LISTED
from zeroin.corpus.languages import language_of
from zeroin.corpus.roles import role_of
from zeroin.types import Role

MAX_FILES = 2_500


def main(argv: list[str] | None = None) -> int:
    """Writes the list; 2 if a name is held out."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories, owner+name/…")
    parser.add_argument("--names", type=Path, required=True, help="owner/name, one a line")
    parser.add_argument("--forks", type=Path, help="JSON: project → its forks; they are one group")
    parser.add_argument("--out", type=Path, default=LISTED)
    args = parser.parse_args(argv)
    names = sorted({n.strip() for n in args.names.read_text(encoding="utf-8").splitlines() if n.strip()}, key=str.lower)
    forks = json.loads(args.forks.read_text(encoding="utf-8")) if args.forks else {}
    try:
        refuse(names)
    except HeldOutError as error:
        print(error, file=sys.stderr)
        return 2
    listed, left_out = pin(names, find_repositories(args.repos), forks)
    content = {"max_files": MAX_FILES, "repositories": listed, "left_out": left_out}
    args.out.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(f"{len(listed)} repositories, {len(left_out)} left out", file=sys.stderr)
    return 0


def pin(
    names: Sequence[str], found: Mapping[str, Path], forks: Mapping[str, Sequence[str]]
) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """What is listed of every repository, and why others are left out; of one group only the first is listed."""
    group_of = {fork.lower(): project for project, all_ in forks.items() for fork in all_}
    listed: dict[str, dict[str, Any]] = {}
    left_out: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        git_dir = found.get(name.lower())
        if git_dir is None:
            left_out[name] = "not here"
            continue
        group = group_of.get(name.lower(), name)
        try:
            commit = run_git(git_dir, "rev-parse", "--verify", "HEAD^{commit}").decode().strip()
            paths = (
                run_git(git_dir, "ls-tree", "-r", "-z", "--name-only", commit).decode("utf-8", "replace").split("\0")
            )
        except RepositoryError as error:
            left_out[name] = str(error)
            continue
        if len(paths) > MAX_FILES:
            left_out[name] = f"{len(paths)} files"
        elif group.lower() in taken:
            left_out[name] = f"the same project as {group}"
        else:
            taken.add(group.lower())
            listed[name] = {"commit": commit, "language": _language(paths), "files": len(paths) - 1}
            if group != name:
                listed[name]["group"] = group
    return listed, left_out


def _language(paths: Sequence[str]) -> str:
    """The language of most implementation files; headers count for C++ where it is used at all."""
    counts = Counter(language_of(path) for path in paths if path and role_of(path) is Role.IMPLEMENTATION)
    counts.pop("text", None)
    if counts["cpp"] * 3 > counts["c"]:
        counts["cpp"] += counts.pop("c", 0)
    return max(sorted(counts), key=lambda name: counts[name]) if counts else "text"


if __name__ == "__main__":
    sys.exit(main())
