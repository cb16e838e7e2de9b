"""Many processes on one cache: they ask, index, learn, export, clear, prune and find other formats, all at once."""

import json
import random
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from benchmarks.faults.place import ASK, World, faults_of, gone_within, left_behind
from benchmarks.faults.running import Done, Running

PROCESSES = 16
STUCK_S = 240.0  # a command that takes as long beside fifteen others has stopped
_LOSS_EVERY_S = 10.0  # between two commands that throw away what is known, so that it is needed again
_LOSSES = ("cache --clear", "cache --clear REPO", "cache --prune --max-mb 0", "an older format")
_COMMANDS = {
    "ask": (ASK, 10),
    "ask with workers": ((*ASK[:-1], "2"), 2),
    "index": (("index", "REPO", "--jobs", "1"), 4),
    "index --export": (("index", "REPO", "--jobs", "1", "--export", "EXPORT"), 1),
    "index --import": (("index", "REPO", "--jobs", "1", "--import", "EXPORT"), 1),
    "learn": (("learn", "Print the refund ledger twice", "REPO", "--relevant", "README.md"), 1),
    "show": (("show",), 1),
}
_MAY_FAIL = {"index --export", "index --import"}  # in one line: what it reads may just have been cleared


def together(
    world: World, minutes: float, seed: int, tell: Callable[[str], None], processes: int = PROCESSES
) -> dict[str, Any]:
    """Keep so many processes busy for so long; the work is the files analysed, of those that had to be."""
    chance = random.Random(seed)
    home = world.home(of="empty")
    running: list[tuple[str, Running, float]] = []
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    analysed, lost = 0, 1
    began = next_loss = time.monotonic()
    until = began + 60 * minutes
    names, weights = list(_COMMANDS), [weight for _, weight in _COMMANDS.values()]
    while running or time.monotonic() < until:
        while len(running) < processes and (now := time.monotonic()) < until:
            name = chance.choices(names, weights)[0]
            if now >= next_loss + _LOSS_EVERY_S:
                name, next_loss, lost = chance.choice(_LOSSES), now, lost + 1
            counts[name] += 1
            if name == "an older format":
                _make_older(home)
            else:
                words = _COMMANDS[name][0] if name in _COMMANDS else tuple(name.split(" "))
                running.append((name, world.start(words, home), now))
        time.sleep(0.01)
        for one in [r for r in running if r[1].process.poll() is not None or time.monotonic() > r[2] + STUCK_S]:
            running.remove(one)
            done = one[1].end(0.0)
            analysed += _analysed(done)
            for fault in _judged(world, one[0], done):
                wrong.append(f"{one[0]}: {fault}")
                tell(wrong[-1])
    wrong += [f"process {pid} lives on" for pid in gone_within(world, 1.0)]
    wrong += [f"afterwards: {fault}" for fault in faults_of(world.ask(home), world.clean)]
    wrong += [f"left {name}" for name in left_behind(home)]
    work = analysed / (lost * world.blobs)
    if work > 2:
        wrong.append(f"{analysed} files were analysed, {work:.1f} times as many as had to be")
    return {
        "processes": processes,
        "seconds": round(time.monotonic() - began),
        "commands": dict(counts),
        "analysed": analysed,
        "had_to_be": lost * world.blobs,
        "work": round(work, 2),
        "faults": wrong,
    }


def _judged(world: World, name: str, done: Done) -> list[str]:
    if done.code is None:
        return ["is stuck"]
    if name in _MAY_FAIL and done.code == 2:
        return [f"said {done.said}"] * (len(done.said) != 1 or "Traceback" in done.err)
    clean = world.clean if name.startswith("ask") else None
    codes = (0, 1) if name == "show" else (0,)  # there may be no run left
    return faults_of(done, clean, may_warn=True, codes=codes)


def _analysed(done: Done) -> int:
    with suppress(ValueError, KeyError, TypeError):
        return int(json.loads(done.out)["stats"]["analysed"])
    found = re.search(r"(\d+) analysed", done.out)
    return int(found[1]) if found else 0


def _make_older(home: Path) -> None:
    """Give the store the number of the format before ours, as one that an older zeroin wrote."""
    for path in (home / "cache" / "index").glob("*.sqlite3"):
        with suppress(sqlite3.Error), closing(sqlite3.connect(path, timeout=60, isolation_level=None)) as file:
            version = file.execute("PRAGMA user_version").fetchone()[0]
            file.execute(f"PRAGMA user_version = {max(version - 1, 0)}")
