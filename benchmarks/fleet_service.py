"""A fleet that changes, and one that keeps a secret: how soon a push is found, and whether time tells of a word.

    ZEROIN_CACHE_DIR=… python -m benchmarks.fleet_service --repos REPOS [--pushes 20] [--pairs 200] [--out FILE]

Pushes: commits of ten new files to a bare repository among `--size` others, while another thread asks; measured is the
time from the end of `git push` until an answer lists one of the new files. Secrets: a user may see all repositories
but one. That one comes in two fleets: with 200 files that say the word which is asked for, and with 200 that do not.
The same question is asked of both in random order; the test is Wilcoxon's of signed ranks, by permutation.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from ray.cluster_utils import Cluster

from benchmarks.fleet import INDEX_S, MOST_FILES, Row, members_of, percentiles, tasks_of
from benchmarks.provenance import provenance
from zeroin.config import Options
from zeroin.fleet.asking import Fleet
from zeroin.fleet.cluster import Shards, connected
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


def pushed(given: argparse.Namespace, folder: Path) -> Row:
    """How long commits of ten files take until a question finds them."""
    others = members_of(given.repos, given.size, MOST_FILES)
    bare, clone = folder / "news.git", folder / "clone"
    git(folder, "clone", "-q", "--bare", str(others[0].path), str(bare))
    git(bare, "update-ref", "refs/heads/main", "HEAD")
    git(bare, "symbolic-ref", "HEAD", "refs/heads/main")
    git(folder, "clone", "-q", str(bare), str(clone))
    members = [Member("news", bare), *others]
    fleet, asking = started(members), Fleet(members, Shards.start(members))
    done, tasks, asked = threading.Event(), tasks_of(others, 10), []

    def ask() -> None:
        while not done.is_set():
            for task in tasks:
                asked.append(asking.ask(task, Options(top=20)).context().ranking)

    thread = threading.Thread(target=ask)
    thread.start()
    seconds = []
    for at in range(given.pushes):
        word = "".join(random.Random(at).choices("bcdfgklmnprstvz", k=10))
        for number in range(FILES):
            (clone / f"{word}_{number}.py").write_text(f"def {word}(one):\n    return one + {number}\n")
        git(clone, "add", "-A")
        git(clone, "commit", "-q", "-m", f"Add {FILES} files")
        git(clone, "push", "-q", "origin", "HEAD:main")
        began = time.perf_counter()
        while not any(
            one.path.startswith(f"news:{word}")
            for one in fleet.ask(f"Where is {word} defined?", Options(top=20)).context().ranking
        ):
            assert time.perf_counter() < began + LIMIT_S
        seconds.append(time.perf_counter() - began)
        print(f"push {at + 1} was found after {seconds[-1]:.1f} s", file=sys.stderr, flush=True)
    done.set()
    thread.join()
    fleet.shards.stop()
    return {
        "pushes": given.pushes,
        **percentiles(seconds),
        "asked meanwhile": len(asked),
        "load": os.getloadavg()[0],
    }


def secrets(given: argparse.Namespace, folder: Path) -> Row:
    """Whether the time of an answer tells that a forbidden repository says a word."""
    others = members_of(given.repos, given.size, MOST_FILES)
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
    ranks = np.sign(differences) * (
        np.argsort(np.argsort(abs(differences))) + 1
    )  # Wilcoxon: no outlier decides
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
    parser = argparse.ArgumentParser(
        prog="benchmarks.fleet_service", description="Pushes and secrets in a fleet."
    )
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--size", type=int, default=10)
    parser.add_argument("--pushes", type=int, default=20)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args(arguments)
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    try:
        with connected(cluster.address), tempfile.TemporaryDirectory() as folder:
            found = {"pushes": pushed(given, Path(folder)), "secrets": secrets(given, Path(folder))}
    finally:
        cluster.shutdown()
    print(json.dumps(found, indent=1))
    if given.out:
        result = {"provenance": provenance("benchmarks.fleet_service", arguments or sys.argv[1:]), **found}
        given.out.write_text(json.dumps(result, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
