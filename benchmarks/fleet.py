"""A fleet of nodes on this machine: what indexing and asking cost with 10, 100 and 1,000 repositories, and with kills.

    ZEROIN_CACHE_DIR=… python -m benchmarks.fleet --repos REPOS [--sizes 10,100] [--nodes 3] [--questions 500
        --kill-actors 20 --kill-nodes 2] [--out FILE]

Repositories are revisions of those under REPOS that are not held out, with distinct names: HEAD of each with 30 to
5,000 files, then older commits, evenly spread, round after round. Tasks are subjects of commits, asked in turn by one
caller, each until it is rendered as JSON. With `--questions` as many are asked while actors and nodes are killed at
random moments. Every answer of these is compared with that before: wrong is one that differs and does not say so,
partial one that says which shard is missing. Beside other programs set RAY_raylet_start_wait_time_s=300: Ray gives a
node 30 s to begin.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np
import ray
from ray.cluster_utils import Cluster
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from benchmarks.provenance import ROOT, provenance
from benchmarks.repositories import find_repositories
from benchmarks.workspace import HELD_OUT, MOST_FILES
from zeroin.answer import Context
from zeroin.config import Options
from zeroin.context.rendering import render
from zeroin.fleet.asking import Fleet
from zeroin.fleet.cluster import Shards, connected
from zeroin.fleet.shard import Setting
from zeroin.workspace.members import Member

# The processes of a cluster import this package, wherever they start.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", ""))))
os.environ.setdefault("RAY_worker_niceness", "0")  # Ray's 15 means that shards starve beside other programs
Row = dict[str, Any]
INDEX_S = 3_600.0
STORE = 1 << 30  # bytes of shared memory a node, for what shards hand over
COMMITS = 2_000  # that revisions are taken from


def git(place: Path, *arguments: str) -> list[str]:
    """Lines of what git prints."""
    done = subprocess.run(["git", "-C", str(place), *arguments], capture_output=True, check=False)
    return done.stdout.decode(errors="replace").splitlines()


def members_of(repos: Path, count: int, most_files: int) -> list[Member]:
    """Revisions of repositories, with distinct names."""
    held = {line.split()[0].lower() for line in HELD_OUT.read_text().splitlines() if line.strip()}
    places: list[tuple[str, Path, list[str]]] = []
    for name, place in sorted(find_repositories(repos).items()):
        if name.lower() in held or not 30 <= len(git(place, "ls-tree", "-r", "--name-only", "HEAD")) <= most_files:
            continue
        places.append((name.replace("/", "."), place, git(place, "rev-list", f"-{COMMITS}", "HEAD")))
    members: list[Member] = []
    rounds = -(-count // max(1, len(places)))
    for at in range(rounds):
        for name, place, commits in places:
            rev = commits[min(len(commits) - 1, at * len(commits) // rounds)]
            members.append(Member(f"{name}-{at}", place, rev))
    return members[:count]


def tasks_of(members: Sequence[Member], count: int) -> list[str]:
    """Subjects of commits of different repositories."""
    found = []
    for member in members:
        found += [s for s in git(member.path, "log", "-30", "--no-merges", "--format=%s") if len(s.split()) >= 4][:5]
    random.Random(7).shuffle(found)
    return list(dict.fromkeys(found))[:count]


def timed(fleet: Fleet, tasks: Iterable[str]) -> Iterator[tuple[str, float, float, str, Context, bool]]:
    """Task, seconds, processor seconds of this process, a digest of what a user gets, answer, whether it is partial."""
    for task in tasks:
        began, busy = time.perf_counter(), time.process_time()
        session = fleet.ask(task, Options(top=20))
        context = session.context()
        shown = json.loads(render(context, session.read, "json", top=20))
        seconds, busy = time.perf_counter() - began, time.process_time() - busy
        del shown["stats"]
        for one in shown["cycles"]:
            one.pop("seconds", None)
            one.pop("cpu_seconds", None)
        partial = session.workspace is not None and session.workspace.partial
        yield task, seconds, busy, sha256(json.dumps(shown).encode()).hexdigest(), context, partial


def percentiles(seconds: Sequence[float]) -> Row:
    return {f"p{at}": round(float(np.percentile(seconds, at)), 3) for at in (50, 95, 100)}


def measure(cluster: Cluster, members: Sequence[Member], given: argparse.Namespace, keep: Callable[[Row], None]) -> Row:
    """One row: indexing, asking, asking while actors and a node are killed. `keep` takes it as it grows."""
    began = time.perf_counter()
    shards = Shards.start(members, given.shards, given.replicas)
    loads = [load for _, _, load in shards.every("refresh", limit_s=INDEX_S) if load is not None]
    row: Row = {
        "repositories": len(members),
        "files": sum(load.files for load in loads) // shards.layout.replicas,
        "shards": len(shards.layout.shards),
        "replicas": shards.layout.replicas,
        "index_seconds": round(time.perf_counter() - began, 1),
        "analysed": sum(load.analysed for load in loads),
        "mb_a_shard": round(max(load.memory for load in loads) / 1e6),
    }
    keep(row)
    fleet = Fleet(members, shards)
    tasks = tasks_of(members, given.tasks)
    answers: dict[str, str] = {}
    seconds, busy, searched = [], [], []
    for task, took, own, answer, context, partial in timed(fleet, [*tasks[: given.warm], *tasks]):
        assert not partial
        assert answers.setdefault(task, answer) == answer, task
        seconds.append(took)
        busy.append(own)
        searched.append(sum(member.searched for member in context.members))
        if len(seconds) > given.warm:
            row["ask"] = {
                "questions": len(seconds) - given.warm,
                **percentiles(seconds[given.warm :]),
                "cpu": percentiles(busy[given.warm :]),
                "searched": float(np.median(searched)),
                "load": os.getloadavg()[0],
            }
            keep(row)
    if given.questions:
        for kills in with_kills(cluster, members, shards, answers, given):
            row["kills"] = kills
            keep(row)
    shards.stop()
    return row


class Caller:
    """Asks one question after another, in a process of its own on the head node."""

    def __init__(self, members: Sequence[Member], setting: Setting) -> None:
        setting.apply()
        self._fleet = Fleet(members, Shards.start(members))

    def ask(self, task: str) -> tuple[float, str, bool]:
        """Seconds, a digest of what must be equal, whether the answer says that something is missing."""
        ((_, seconds, _, answer, _, partial),) = timed(self._fleet, [task])
        return seconds, answer, partial


def with_kills(
    cluster: Cluster, members: Sequence[Member], shards: Shards, answers: Mapping[str, str], given: argparse.Namespace
) -> Iterator[Row]:
    """Ask so many questions; at random moments among them actors, and nodes one after another, are killed.

    Yields what is known after each answer.
    """
    chance, asked, killed = random.Random(11), 0, {"actors": 0, "nodes": 0}
    moments = chance.sample(range(given.callers, given.questions), given.kill_actors + given.kill_nodes)
    nodes = set(chance.sample(moments, given.kill_nodes))

    def kill() -> None:  # beside the questions that are under way
        for moment in sorted(moments):
            while asked < moment:
                time.sleep(0.05)
            time.sleep(chance.uniform(0.0, 0.5))
            if moment in nodes:
                victim = chance.choice([n for n in cluster.list_all_nodes() if n is not cluster.head_node])
                cluster.remove_node(victim, False)
                killed["nodes"] += 1
            else:
                ray.kill(chance.choice(chance.choice(shards.actors)), no_restart=False)
                killed["actors"] += 1

    here = NodeAffinitySchedulingStrategy(cluster.head_node.node_id, soft=False)
    caller = ray.remote(Caller).options(num_cpus=0, scheduling_strategy=here)
    idle = [caller.remote(members, Setting.here()) for _ in range(given.callers)]
    killer = threading.Thread(target=kill)
    killer.start()
    found, seconds = {"right": 0, "partial": 0, "wrong": 0, "failed": 0}, []
    todo, running = islice(cycle(answers), given.questions), {}
    while idle or running:
        while idle:
            one, task = idle.pop(), next(todo, None)
            if task is not None:
                running[one.ask.remote(task)] = one, task
                asked += 1
        if running:
            (call,), _ = ray.wait(list(running))
            one, task = running.pop(call)
            idle.append(one)
            try:
                took, answer, partial = ray.get(call)
            except RayError as error:
                print(error, file=sys.stderr)
                found["failed"] += 1
                continue
            seconds.append(took)
            found["partial" if partial else "right" if answer == answers[task] else "wrong"] += 1
            answered = sum(found.values())
            yield {
                "killed": dict(killed),
                "callers": given.callers,
                "questions": answered,
                **found,
                **percentiles(seconds),
                "load": os.getloadavg()[0],
            }
    killer.join()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.fleet", description="A fleet of nodes on this machine.")
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--sizes", type=lambda text: [int(n) for n in text.split(",")], default=[10, 100])
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--shards", type=int)
    parser.add_argument("--replicas", type=int)
    parser.add_argument("--tasks", type=int, default=40)
    parser.add_argument("--warm", type=int, default=5, help="questions before those that are timed")
    parser.add_argument("--questions", type=int, default=0, help="that are asked while others die")
    parser.add_argument("--callers", type=int, default=4, help="of those, at the same time")
    parser.add_argument("--kill-actors", type=int, default=0)
    parser.add_argument("--kill-nodes", type=int, default=0)
    parser.add_argument("--most-files", type=int, default=MOST_FILES)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args(arguments)
    # The cluster of Ray's own tests gives a node 150 MB, where a real one gives 30 % of its memory.
    node = {"num_cpus": 1, "object_store_memory": STORE}
    cluster = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    origin = provenance("benchmarks.fleet", arguments or sys.argv[1:])
    rows: list[Row] = []

    def keep(*row: Row) -> None:
        """Write what is known, so that a run that is ended leaves it."""
        if given.out:
            given.out.write_text(json.dumps({"provenance": origin, "rows": [*rows, *row]}, indent=1))

    try:
        for _ in range(given.nodes - 1):
            cluster.add_node(**node)
        with connected(cluster.address):
            Setting.here().apply()  # as a process of the service does
            for size in given.sizes:
                rows.append(measure(cluster, members_of(given.repos, size, given.most_files), given, keep))
                print(json.dumps(rows[-1]), flush=True)
    finally:
        cluster.shutdown()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
