"""Tasks with known answers from the history of public repositories: a change's message, and the files it edits.

    python -m training.mine --repos FOLDER --out tasks.jsonl [--per-repository 170] [--repositories LIST]

FOLDER holds bare git directories as `owner+name/…`; the list names the repositories and pins their commits. Beside
the tasks, `<out>.summary.json` counts what every filter left out. A repository that the summary names is complete
and is not mined again; an interruption keeps the complete ones. Only git is asked; nothing is analysed.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from benchmarks.repositories import MAX_BYTES, RepositoryError, find_repositories, has_commit
from training.changes import Change, FilePatch, count_merges, list_changes, read_changes, read_patches, sizes
from training.gold import Files, class_of, files_of, is_about, language_of_files
from training.held_out import HeldOutError, refuse
from training.messages import clean, is_bot, no_task
from training.mined import Mined

PREFERRED = 4_000  # the newest changes; older ones only where these do not give enough
YOUNG = 60  # the first changes of a repository have no history to learn from
YOUNG_KEPT = 20  # one in this many of them stays, so that a young repository is not unknown to the model
MAX_FILES, MAX_LINES = 10, 600
RENAMED_SHARE, RENAMED_ENTRIES = 0.5, 3
ASIDE_SHARE = 0.15  # tasks about documentation or configuration alone
LISTED = Path(__file__).with_name("repositories.json")
FORMAT = 1

Listed = Mapping[str, Mapping[str, Any]]  # repository → its pinned commit, and what else is listed of it


@dataclass(slots=True)
class Outcome:
    """What one repository gave."""

    tasks: list[Mined] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


Miner = Callable[[str, Path, str], Outcome]  # of a repository: name, git directory, pinned commit


def main(argv: list[str] | None = None) -> int:
    """Mines every listed repository; 2 if a name is held out or the list cannot be read, 130 if interrupted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories, owner+name/…")
    parser.add_argument("--out", type=Path, required=True, help="tasks, one JSON object a line")
    parser.add_argument("--per-repository", type=int, default=170)
    parser.add_argument("--repositories", type=Path, default=LISTED, help="names and pinned commits")
    args = parser.parse_args(argv)

    def miner(name: str, git_dir: Path, rev: str) -> Outcome:
        return mine(name, git_dir, rev, args.per_repository)

    return run(args.repositories, args.repos, args.out, args.per_repository, miner)


def run(repositories: Path, repos: Path, out: Path, limit: int, miner: Miner) -> int:
    """Mines every repository of a list that is not complete yet; an exit status, 2 and 130 as `main` says."""
    try:
        listed: Listed = json.loads(repositories.read_text(encoding="utf-8"))["repositories"]
        refuse(listed)
    except (OSError, ValueError, KeyError, HeldOutError) as error:
        print(f"{repositories}: {error}", file=sys.stderr)
        return 2
    try:
        return _mine_all(listed, find_repositories(repos), out, limit, miner)
    except KeyboardInterrupt:
        print("interrupted; what is complete stays", file=sys.stderr)
        return 130


def _mine_all(listed: Listed, found: Mapping[str, Path], out: Path, limit: int, miner: Miner) -> int:
    summary_path = out.with_name(out.name + ".summary.json")
    summary = _resume(out, summary_path, listed, limit)
    complete: dict[str, Any] = summary["repositories"]
    for number, (name, row) in enumerate(listed.items(), 1):
        if name in complete:
            continue
        began = time.perf_counter()
        git_dir = found.get(name.lower())
        if git_dir is None or not has_commit(git_dir, row["commit"]):
            summary["absent"] = sorted({*summary["absent"], name})
            print(f"[{number}/{len(listed)}] {name}: the pinned commit is not here", file=sys.stderr)
            continue
        try:
            outcome = miner(name, git_dir, row["commit"])
        except RepositoryError as error:
            summary["failed"][name] = str(error)
            print(f"[{number}/{len(listed)}] {name}: {error}", file=sys.stderr)
            continue
        with out.open("a", encoding="utf-8") as file:
            file.write("".join(json.dumps(task.row(), ensure_ascii=False) + "\n" for task in outcome.tasks))
        complete[name] = {
            "commit": row["commit"],
            "tasks": len(outcome.tasks),
            "languages": dict(sorted(Counter(task.language for task in outcome.tasks).items())),
            "counts": dict(sorted(outcome.counts.items())),
        }
        _write(summary_path, summary)
        spent = time.perf_counter() - began
        print(f"[{number}/{len(listed)}] {name}: {len(outcome.tasks)} tasks, {spent:.1f} s", file=sys.stderr)
    _write(summary_path, summary)
    return 0


def _resume(out: Path, summary_path: Path, listed: Listed, limit: int) -> dict[str, Any]:
    """The summary of an earlier run as far as it still holds; rows of incomplete repositories are removed."""
    fresh: dict[str, Any] = {"format": FORMAT, "per_repository": limit, "absent": [], "failed": {}, "repositories": {}}
    try:
        summary = json.loads(summary_path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        summary = fresh
    if (summary.get("format"), summary.get("per_repository")) != (FORMAT, limit):
        summary = fresh
    fresh["repositories"] = {
        name: row
        for name, row in summary["repositories"].items()
        if name in listed and listed[name]["commit"] == row["commit"]
    }
    if out.exists():
        with out.open(encoding="utf-8") as file:
            kept = [line for line in file if line.endswith("\n") and _repo(line) in fresh["repositories"]]
        out.write_text("".join(kept), encoding="utf-8")
    else:
        out.parent.mkdir(parents=True, exist_ok=True)
        fresh["repositories"] = {}
    return fresh


def _repo(line: str) -> str:
    return str(json.loads(line)["repo"])


def _write(path: Path, summary: dict[str, Any]) -> None:
    """The summary with its totals, replaced in one step."""
    totals: Counter[str] = Counter()
    languages: Counter[str] = Counter()
    for row in summary["repositories"].values():
        totals.update(row["counts"])
        languages.update(row["languages"])
    summary["tasks"] = sum(row["tasks"] for row in summary["repositories"].values())
    summary["totals"] = dict(sorted(totals.items()))
    summary["languages"] = dict(languages.most_common())
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(json.dumps(summary, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    temporary.replace(path)


def mine(name: str, git_dir: Path, rev: str, limit: int) -> Outcome:
    """At most `limit` tasks of one repository at a commit, newest first, and what every filter left out."""
    outcome = Outcome()
    ids = list_changes(git_dir, rev)
    outcome.counts["all changes"] = len(ids) + (merges := count_merges(git_dir, rev))
    outcome.counts["merge"] = merges
    seen: set[str] = set()
    tasks: list[tuple[int, Mined]] = []
    for first in range(0, len(ids), PREFERRED):
        if len(tasks) >= limit:
            outcome.counts["older, not needed"] += len(ids) - first
            break
        block = list(read_changes(git_dir, ids[first : first + PREFERRED], first))
        eligible = [change for change in block if passes(change, name, outcome.counts, len(ids))]
        tasks += sample(name, git_dir, eligible, limit - len(tasks), seen, outcome.counts)
    kept = limit_asides(tasks, outcome.counts)
    outcome.tasks = [task for _, task in sorted(kept, key=lambda pair: pair[0])]
    outcome.counts["kept"] = len(kept)
    return outcome


def passes(change: Change, name: str, counts: Counter[str], total: int | None = None) -> bool:
    """Whether the first pass keeps a change; counts the filter it falls to.

    Of the `total` changes of a history the first ones are no tasks, but for a few; None: they are tasks as well.
    """
    reason = _reason(change, name, total)
    if reason:
        counts[reason] += 1
    return not reason


def _reason(change: Change, name: str, total: int | None) -> str:
    if not change.parent:
        return "root"
    if is_bot(change.author, change.committer):
        return "bot"
    first = total is not None and total - change.position <= YOUNG
    if first and int(change.sha[:8], 16) % YOUNG_KEPT:
        return "young repository"
    reason = no_task(change.message, name=name)
    if reason:
        return reason
    letters = Counter(entry.status for entry in change.touched)
    plain = len(change.touched) - letters["A"] - letters["D"]
    if plain + max(letters["A"], letters["D"]) > MAX_FILES:  # an addition and a deletion may be one rename
        return "many files"
    if _mass_rename(letters["R"], len(change.touched)):
        return "mass rename"
    return "" if files_of(change.touched).gold else "no edited source"


def _mass_rename(renames: int, entries: int) -> bool:
    return entries >= RENAMED_ENTRIES and renames > RENAMED_SHARE * entries


def sample(
    name: str, git_dir: Path, eligible: Sequence[Change], limit: int, seen: set[str], counts: Counter[str]
) -> list[tuple[int, Mined]]:
    """Up to `limit` tasks with their positions, spread evenly: one of each slice of the history, then a second, …"""
    out: list[tuple[int, Mined]] = []
    asides = used = 0
    known = sizes(git_dir, (b for c in eligible for t in c.touched if t.regular for b in (t.old_blob, t.new_blob)))
    for round_ in _rounds(eligible, limit):
        if len(out) >= limit:
            break
        present = [change for change in round_ if _is_here(change, known)]
        used += len(round_)
        counts["absent contents"] += len(round_) - len(present)
        patches = read_patches(git_dir, [change.sha for change in present])
        for change in present:
            if len(out) >= limit:
                used -= 1
                continue
            task = clean(change.message)
            files, reason = _judge(patches.get(change.sha, ()), known)
            aside = not reason and is_about(files.gold)
            if not reason and task.casefold() in seen:
                reason = "repeated message"
            if aside and asides >= ASIDE_SHARE * limit:
                reason = "documentation or configuration"
            if reason:
                counts[reason] += 1
                continue
            seen.add(task.casefold())
            asides += aside
            out.append((change.position, _mined(name, change, task, files)))
    counts["not sampled"] += len(eligible) - used
    return out


def _rounds(eligible: Sequence[Change], slices: int) -> Iterator[list[Change]]:
    """Changes in the order they are tried: of every slice the lowest id, then every second lowest, …"""
    size = max(1, -(-len(eligible) // max(slices, 1)))
    parts = [sorted(eligible[at : at + size], key=lambda c: c.sha) for at in range(0, len(eligible), size)]
    for round_ in zip_longest(*parts):
        yield sorted((change for change in round_ if change is not None), key=lambda c: c.sha)


def _is_here(change: Change, known: Mapping[str, int]) -> bool:
    """Whether every file of the change can be read: a partial copy lacks some."""
    needed = {blob for t in change.touched if t.regular for blob in (t.old_blob, t.new_blob)}
    return all(blob in known or not blob.strip("0") for blob in needed)


def _judge(patch: Sequence[FilePatch], known: Mapping[str, int]) -> tuple[Files, str]:
    """The files of a patch and the filter that it falls to, "" for none."""
    edited = [
        p.file
        for p in patch
        if (p.ranges or p.file.status in "AD") and not p.binary and known.get(p.file.old_blob, 0) <= MAX_BYTES
    ]
    files = files_of(edited, {p.file.path: p.ranges for p in patch})
    if not patch:
        return files, "unreadable patch"
    if len(patch) > MAX_FILES:
        return files, "many files"
    if _mass_rename(sum(1 for p in patch if p.file.status == "R"), len(patch)):
        return files, "mass rename"
    if not files.gold:
        return files, "no edited source"
    if sum(p.changed for p in patch if class_of(p.file) not in ("bookkeeping", "data")) > MAX_LINES:
        return files, "many lines"
    return files, ""


def _mined(name: str, change: Change, task: str, files: Files) -> Mined:
    return Mined(
        id=f"{name}@{change.sha[:12]}",
        repo=name,
        change=change.sha,
        commit=change.parent,
        language=language_of_files(files),
        task=task,
        gold=files.gold,
        tests=files.tests,
        added=files.added,
        lines=files.lines,
    )


def limit_asides(tasks: Iterable[tuple[int, Mined]], counts: Counter[str]) -> list[tuple[int, Mined]]:
    """At most 15 % of what is kept is about documentation or configuration alone."""
    tasks = list(tasks)
    asides = [pair for pair in tasks if is_about(pair[1].gold)]
    allowed = int(ASIDE_SHARE / (1 - ASIDE_SHARE) * (len(tasks) - len(asides)))
    dropped = {pair[1].id for pair in sorted(asides, key=lambda pair: pair[1].change)[allowed:]}
    counts["documentation or configuration"] += len(dropped)
    return [pair for pair in tasks if pair[1].id not in dropped]


if __name__ == "__main__":
    sys.exit(main())
