"""A repository, homes of made-up users who ask about it, and what each of them must be answered."""

import json
import os
import random
import re
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import trees
from benchmarks.faults.running import Done, Running, load
from zeroin import retrieve
from zeroin.corpus.source import open_source
from zeroin.errors import SessionError
from zeroin.learning.store import LessonStore
from zeroin.sessions.record import session_of

TASK = "Why is an expired invoice reminder sent twice when the queue is restarted?"
OTHER = "Let the parcel tracker forget customers after a year"  # what the lessons are about
MARK = "ZEROIN_FAULTS"  # in the environment of all processes of a trial, so that what stays of them is found
HOSTS = {".claude.json": '{"theme": "dark", "mcpServers": {}}\n', ".codex/config.toml": 'model = "o"\n'}
_TOPICS = ("invoice", "reminder", "queue", "parcel", "tracker", "customer", "ledger", "refund")
_DEEDS = ("send", "expire", "restart", "store", "forget", "retry")
# What a home may hold after the next run: everything else was left behind.
_KEPT = re.compile(
    r"cache/index/[\w.-]+-[0-9a-f]{12}(\.sqlite3(\.set-aside)?|\.arrays/(snapshot|history)-[\w-]+\.bin)"
    r"|cache/runs/r-[0-9a-f]{10}\.json|data/learned/[\w.-]+\.learned(\.set-aside)?"
    r"|(\.claude|\.codex|\.agents|\.config)(/[\w.-]+)*|\.claude\.json(\.zeroin-backup)?"
)
_TEMPORARY = re.compile(r"(^|/)\.[^/]*tmp$|-wal$|-shm$|-journal$")


@dataclass(eq=False)
class World:
    """A repository in `place` and states of a home by name, made once and copied for every trial."""

    place: Path
    files: int = 56
    trials: int = 0
    fork: bool = False  # commands are forked, where they can be

    def __post_init__(self) -> None:
        self.repo = self.place / "shop"
        self.before = write_tree(self.repo, self.files)
        if self.fork:
            with variables(self.environment(self.place / "own")):
                load(lambda: retrieve(TASK, self.repo, jobs=1))
        old = self.state("old")  # what is kept is of the tree before the last edit
        self.run(["index", "REPO"], old)
        self.learn(old, OTHER)
        self.edit()
        self.state("empty")
        self.clean = self.ask(self.home(of="empty")).answer
        self.blobs = int(self.clean["stats"]["documents"])
        warm = self.home("warm", of="old")
        self.ask(warm)
        self.run(["index", "REPO", "--export", "EXPORT"], warm)
        self.identity = open_source(self.repo).identity

    def edit(self) -> None:
        """Change a file that is kept as it was."""
        path = self.repo / self.before
        path.write_text(path.read_text() + "\n\ndef restart_again(queue):\n    return queue.restart()\n")
        (self.repo / "untracked.py").write_text("def remind(customer):\n    return customer.invoice\n")
        for changed in (path, self.repo / "untracked.py"):
            os.utime(changed, (1_700_000_000, 1_700_000_000))  # else its id would not be kept

    def state(self, name: str) -> Path:
        """An empty home of that name, with files of hosts."""
        home = self.place / "states" / name
        for path, text in HOSTS.items():
            (home / path).parent.mkdir(parents=True, exist_ok=True)
            (home / path).write_text(text)
        return home

    def home(self, name: str = "", *, of: str) -> Path:
        """A copy of a state: one more state, or that of a trial, which replaces the last one."""
        home = self.place / ("states" if name else "trials") / (name or str(self.trials))
        if not name:
            shutil.rmtree(home, ignore_errors=True)
            self.trials += 1
            home = home.with_name(str(self.trials))
        shutil.copytree(self.place / "states" / of, home, symlinks=True)
        return home

    def environment(self, home: Path) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("ZEROIN_")}
        own = {"ZEROIN_CACHE_DIR": home / "cache", "ZEROIN_DATA_DIR": home / "data", "HOME": home}
        return {**kept, **{name: str(path) for name, path in own.items()}, MARK: str(self.place)}

    def start(
        self, arguments: Sequence[str], home: Path, *, env: Mapping[str, str | None] | None = None, **how: Any
    ) -> Running:
        """Start a command; REPO and EXPORT stand for their paths, `how` as for `Running`."""
        places = {"REPO": str(self.repo), "EXPORT": str(self.place / "exported.index")}
        given = [places.get(word, word) for word in arguments]
        every = {**self.environment(home), **(env or {})}
        kept = {name: value for name, value in every.items() if value is not None}
        return Running(given, self.place, kept, **{"fork": self.fork, **how})

    def run(self, arguments: Sequence[str], home: Path, **how: Any) -> Done:
        return self.start(arguments, home, **how).end()

    def ask(self, home: Path, *more: str, **how: Any) -> Done:
        """Ask the question of all trials, without lessons: what was learned is looked at in its file."""
        return self.run([*ASK, *more], home, **how)

    def learn(self, home: Path, task: str) -> str:
        """Learn one lesson; returns its id."""
        return self.run(["learn", task, "REPO", "--relevant", self.before], home).out.split(" ")[0]

    def lessons(self, home: Path) -> set[str]:
        """The ids of the lessons that are whole."""
        store = LessonStore(self.identity, directory=home / "data" / "learned")
        return {lesson.id for lesson in store.lessons().items}

    def processes(self) -> list[int]:
        """Living processes of the trials."""
        wanted = f"{MARK}={self.place}".encode()
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                if wanted in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
            except OSError:  # gone, or not ours
                continue
        return found


ASK = ("find", TASK, "REPO", "-f", "json", "--no-learned", "--jobs", "1")


@contextmanager
def variables(env: Mapping[str, str]) -> Iterator[None]:
    """Have these variables of the environment, for what is asked in this process."""
    before = dict(os.environ)
    os.environ.update(env)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def runs(home: Path) -> set[str]:
    """The names of the runs that are whole."""
    whole = set()
    for path in (home / "cache" / "runs").glob("r-*.json"):
        try:
            whole |= {path.stem} & {session_of(json.loads(path.read_bytes())).id}
        except (OSError, ValueError, SessionError):
            continue
    return whole


def left_behind(home: Path) -> list[str]:
    """Files of a home that no run needs."""
    names = [path.relative_to(home).as_posix() for path in home.rglob("*") if not path.is_dir()]
    return sorted(name for name in names if not _KEPT.fullmatch(name) or _TEMPORARY.search(name))


def contents(home: Path) -> dict[str, bytes]:
    """All files of a home."""
    return {p.relative_to(home).as_posix(): p.read_bytes() for p in home.rglob("*") if p.is_file()}


def faults_of(done: Done, clean: Any = None, *, may_warn: bool = False, codes: Sequence[int] = (0,)) -> list[str]:
    """What is wrong with an answer: another one, a traceback, another end, words where none were due."""
    wrong = []
    if "Traceback" in done.err or "Traceback" in done.out:
        wrong.append("a traceback")
    if done.code not in codes:
        wrong.append(f"exit code {done.code}")
    elif clean is not None and _without_warnings(done.answer) != _without_warnings(clean):
        wrong.append("another answer")
    if done.said and not may_warn:
        wrong.append(f"said {done.said[0][:100]!r}")
    return wrong


def _without_warnings(answer: Any) -> Any:
    return {k: v for k, v in answer.items() if k != "warnings"} if isinstance(answer, dict) else answer


def write_tree(folder: Path, files: int) -> str:
    """Write a small repository with some commits; returns the path of one of its files."""
    chance = random.Random(7)
    folder.mkdir(parents=True)
    (folder / "README.md").write_text("# Shop\n\nSends invoices, reminders and parcels; a queue restarts.\n")
    trees.commit(folder)
    for number in range(files):
        topic, deed = _TOPICS[number % len(_TOPICS)], _DEEDS[number // len(_TOPICS) % len(_DEEDS)]
        other = _TOPICS[(number * 5 + 1) % len(_TOPICS)]
        rows = [f'"""How a {topic} is {deed}ed, number {number}."""', ""]
        if number > len(_TOPICS):
            rows += [f"from shop.{other}.{_DEEDS[0]}_{(number * 5 + 1) % len(_TOPICS)} import {other}_{_DEEDS[0]}", ""]
        for step in range(4):
            words = " ".join(chance.choice((*_TOPICS, *_DEEDS)) for _ in range(6))
            rows += [f"def {topic}_{deed}{'_' * bool(step)}{step or ''}({other}):", f'    """{words}."""']
            rows += [f"    # {words[::-1]}", f"    return {other}.{deed}({step})", ""]
        path = folder / "shop" / topic / f"{deed}_{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(rows))
        if number % 12 == 11:
            trees.git(folder, "add", "-A")
            trees.git(folder, "commit", "-q", "-m", f"{topic}: {deed} the {other} when it is expired")
    trees.git(folder, "add", "-A")
    trees.git(folder, "commit", "-q", "-m", "queue: restart the reminder")
    return f"shop/{_TOPICS[2]}/{_DEEDS[0]}_2.py"


def gone_within(world: World, seconds: float) -> list[int]:
    """Processes of the trials that are still there after so long, and so much processor time of their own.

    On a busy machine a process may not have run since. One that sleeps counts after a minute.
    """
    until = time.monotonic() + seconds
    while (found := world.processes()) and time.monotonic() < until:
        time.sleep(0.02)
    first, until = {pid: _processor_s(pid) for pid in found}, until + 60
    while found and time.monotonic() < until and all(_processor_s(p) - first[p] < seconds for p in found):
        time.sleep(0.1)
        found = [pid for pid in world.processes() if pid in first]
    return found


def _processor_s(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
