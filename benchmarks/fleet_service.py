"""A fleet that changes, and one that keeps a secret: how soon a push is found, and whether time tells of a word.

    ZEROIN_CACHE_DIR=… python -m benchmarks.fleet_service --repos REPOS [--pushes 20] [--pairs 200] [--out FILE]

Pushes: commits of ten new files to a bare repository among `--size` others, while another process asks; measured is the
time from the end of `git push` until an answer lists one of the new files, how many questions that took, and how long
the last of them took. With `--here` the shards are objects of this process and nobody else asks: without a cluster, for
a busy machine, where the processor time of all that a push costs tells more than the clock. Secrets (`--pairs 0` for
none): a user may see all repositories but one. That one comes in two fleets: with 200 files that say the word which is
asked for, and with 200 that do not. The same question is asked of both in random order; the test is Wilcoxon's of
signed ranks, by permutation.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import ray
from ray.cluster_utils import Cluster

from benchmarks.fleet import INDEX_S, MOST_FILES, STORE, Caller, Row, members_of, percentiles, tasks_of
from benchmarks.provenance import provenance
from zeroin.config import Options
from zeroin.fleet.asking import Fleet
from zeroin.fleet.cluster import Layout, Shards, connected
from zeroin.fleet.shard import Setting, Shard
from zeroin.workspace.members import Member

LIMIT_S = 120.0  # until a push must have been found
FILES = 10
SECRETS = 200
PERMUTATIONS = 10_000


def git(place: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=b", "-c", "user.email=b@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(place), *identity, *arguments], check=True, capture_output=True)


def repository(folder: Path, files: dict[str, str]) -> Path:
    """A repository with one commit."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Begin")
    return folder


def started(members: Sequence[Member]) -> Fleet:
    """A fleet of three shards with everything open."""
    shards = Shards.start(members, 3, 1)
    assert all(load is not None for *_, load in shards.every("refresh", limit_s=INDEX_S))
    return Fleet(members, shards)


class Here:
    """The shards of a workspace as objects of this process, asked like `cluster.Shards`."""

    def __init__(self, members: Sequence[Member]) -> None:
        self.layout = Layout.of(members, 3, 1)
        self._parts = [Shard(part, Setting.here()) for part in self.layout.shards]
        for part in self._parts:
            part.refresh()

    def ask(self, method: str, calls: Mapping[int, tuple[Any, ...]], limit_s: float = 0.0) -> dict[int, Any]:
        return {at: getattr(self._parts[at], method)(*given) for at, given in calls.items()}

    def stop(self) -> None:
        for part in self._parts:
            part.close()


def busy() -> float:
    """Processor seconds of this process and of those that it has waited for."""
    below = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + below.ru_utime + below.ru_stime


def pushed(given: argparse.Namespace, folder: Path, keep: Callable[[Row], None]) -> None:
    """How long commits of ten files take until a question finds them. `keep` takes what is known after each."""
    others = members_of(given.repos, given.size, given.most_files)
    bare, clone = folder / "news.git", folder / "clone"
    git(folder, "clone", "-q", "--bare", str(others[0].path), str(bare))
    git(bare, "update-ref", "refs/heads/main", "HEAD")
    git(bare, "symbolic-ref", "HEAD", "refs/heads/main")
    git(folder, "clone", "-q", str(bare), str(clone))
    members = [Member("news", bare), *others]
    here: Any = Here(members) if given.here else None
    fleet = Fleet(members, here) if given.here else started(members)
    alone = given.alone or given.here
    caller = None if alone else ray.remote(Caller).options(num_cpus=0).remote(members, Setting.here())
    done, tasks, meanwhile, chance = threading.Event(), tasks_of(others, 10), [], random.Random(1)

    def ask() -> None:
        for task in cycle(tasks):
            if done.is_set():
                return
            meanwhile.append(ray.get(caller.ask.remote(task))[0])

    thread = threading.Thread(target=ask)
    if not alone:
        thread.start()
    fleet.ask(tasks[0], Options(top=20)).context()  # so that no push waits for modules that are loaded once
    found, tries, last, own = [], [], [], []
    for at in range(given.pushes):
        time.sleep(chance.uniform(0.0, 3.0))
        word = "".join(random.Random(at).choices("bcdfgklmnprstvz", k=10))
        for number in range(FILES):
            (clone / f"{word}_{number}.py").write_text(f"def {word}(one):\n    return one + {number}\n")
        git(clone, "add", "-A")
        git(clone, "commit", "-q", "-m", f"Add {FILES} files")
        git(clone, "push", "-q", "origin", "HEAD:main")
        pushed_at, busy_before, asked = time.perf_counter(), busy(), 0
        while True:
            began, asked = time.perf_counter(), asked + 1
            context = fleet.ask(f"Where is {word} defined?", Options(top=20)).context()
            if any(one.path.startswith(f"news:{word}") for one in context.ranking):
                break
            assert time.perf_counter() < pushed_at + LIMIT_S
        now = time.perf_counter()
        found.append(round(now - pushed_at, 2))
        last.append(now - began)
        tries.append(asked)
        own.append(busy() - busy_before)
        print(f"push {at + 1} was found after {found[-1]} s by question {asked}", file=sys.stderr, flush=True)
        keep(
            {
                "pushes": len(found),
                "found after": found,
                **percentiles(found),
                "processor seconds": percentiles(own),
                "questions until then, at most": max(tries),
                "the question that finds it": percentiles(last),
                "asked meanwhile": len(meanwhile),
                "one of these": percentiles(meanwhile) if meanwhile else {},
                "load": os.getloadavg()[0],
            }
        )
    done.set()
    if not alone:
        thread.join()
    fleet.shards.stop()


def secrets(given: argparse.Namespace, folder: Path) -> Row:
    """Whether the time of an answer tells that a forbidden repository says a word."""
    others = members_of(given.repos, given.size, given.most_files)
    fleets = []
    for name, word in (("with", "quasarlighthouse"), ("without", "ordinaryharbour")):
        files = {f"a/{n}.py": f"def {word}_{n}(one):\n    return {word}(one)\n" for n in range(SECRETS)}
        place = repository(folder / name, files)
        fleets.append(started([*others, Member("secret", place, "HEAD")]))
    allowed = {member.name for member in others}
    chance = random.Random(3)

    def ask(fleet: Fleet, at: int) -> float:
        began = time.perf_counter()
        fleet.ask(f"Why does quasarlighthouse number {at} fail?", Options(top=20), allowed=allowed)
        return time.perf_counter() - began

    pairs = []
    for at in range(given.pairs + 5):  # the first five warm up
        order = [0, 1]
        chance.shuffle(order)
        took = {which: ask(fleets[which], at) for which in order}
        pairs.append((took[0], took[1]))
    found = np.array(pairs[5:])
    differences = found[:, 0] - found[:, 1]
    signs = np.random.default_rng(5).choice([-1, 1], size=(PERMUTATIONS, len(differences)))
    ranks = np.sign(differences) * (np.argsort(np.argsort(abs(differences))) + 1)  # Wilcoxon: no outlier decides
    p = float(np.mean(abs(signs @ abs(ranks)) >= abs(ranks.sum())))
    for fleet in fleets:
        fleet.shards.stop()
    return {
        "pairs": given.pairs,
        "median with": round(float(np.median(found[:, 0])), 4),
        "median without": round(float(np.median(found[:, 1])), 4),
        "median difference": round(float(np.median(differences)), 4),
        "slower with": int((differences > 0).sum()),
        "p": round(p, 4),
        "load": os.getloadavg()[0],
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.fleet_service", description="Pushes and secrets in a fleet.")
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--size", type=int, default=10)
    parser.add_argument("--most-files", type=int, default=MOST_FILES)
    parser.add_argument("--pushes", type=int, default=20)
    parser.add_argument("--alone", action="store_true", help="nobody else asks meanwhile")
    parser.add_argument("--here", action="store_true", help="pushes alone, in this process")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args(arguments)
    result: Row = {"provenance": provenance("benchmarks.fleet_service", arguments or sys.argv[1:])}

    def keep(name: str, row: Row) -> None:
        """Write what is known, so that a run that is ended leaves it."""
        result[name] = row
        if given.out:
            given.out.write_text(json.dumps(result, indent=1))

    if given.here:
        with tempfile.TemporaryDirectory() as folder:
            pushed(given, Path(folder), partial(keep, "pushes"))
        print(json.dumps(result, indent=1))
        return 0
    head = {"num_cpus": 2, "include_dashboard": False, "object_store_memory": STORE}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        with connected(cluster.address), tempfile.TemporaryDirectory() as folder:
            if given.pushes:
                pushed(given, Path(folder), partial(keep, "pushes"))
            if given.pairs:
                keep("secrets", secrets(given, Path(folder)))
    finally:
        cluster.shutdown()
    print(json.dumps(result, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
