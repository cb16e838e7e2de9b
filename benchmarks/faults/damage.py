"""Every kind of file that is kept, damaged in every way: what is answered, what is said of it, and how often."""

import json
import random
import shutil
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.faults.place import OTHER, World, faults_of, left_behind, variables, write_tree
from benchmarks.faults.running import Done
from zeroin.index import arrays
from zeroin.llm_judge import cache as replies
from zeroin.llm_judge.contract import Reply

KINDS = ("store", "journal", "snapshot", "history", "lessons", "run", "export", "reply")
_PAGE = 4096
REPLY = Reply('{"files": [{"path": "a.py", "relevance": 0.8}]}', 1200, 80)
Change = Callable[[random.Random, bytes], bytes]


def _flipped(chance: random.Random, data: bytes, bits: int = 1) -> bytes:
    out = bytearray(data)
    for _ in range(bits):
        out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)
    return bytes(out)


def _zeroed(chance: random.Random, data: bytes) -> bytes:
    at = chance.randrange(0, len(data), _PAGE)
    return data[:at] + bytes(min(_PAGE, len(data) - at)) + data[at + _PAGE :]


def _exchanged(chance: random.Random, data: bytes) -> bytes:
    """Two pages in each other's place."""
    pages = [data[at : at + _PAGE] for at in range(0, len(data), _PAGE)]
    one, two = chance.randrange(len(pages)), chance.randrange(len(pages))
    pages[one], pages[two] = pages[two], pages[one]
    return b"".join(pages)


BYTES: dict[str, Change] = {
    "a bit flipped": _flipped,
    "eight bits flipped": lambda chance, data: _flipped(chance, data, 8),
    "cut": lambda chance, data: data[: chance.randrange(len(data))],
    "longer": lambda chance, data: data + chance.randbytes(100),
    "a page zeroed": _zeroed,
    "two pages exchanged": _exchanged,
    "empty": lambda _, data: b"",
    "zeros": lambda _, data: bytes(len(data)),
    "noise": lambda chance, data: chance.randbytes(len(data)),
    "text": lambda _, data: b"this is no file of yours\n" * 9,
}
OTHERS = ("swapped", "another program's database", "a folder", "older", "newer", "a value in a row")
WAYS = (*BYTES, *OTHERS)
# What is left alone, and so is said at every question: it is somebody else's, or a newer zeroin's.
STAYS = {("store", "newer"), ("lessons", "newer"), *((kind, "a folder") for kind in KINDS)}


def possible(kind: str, way: str) -> bool:
    """Whether a kind of file can be damaged in that way."""
    if kind == "reply":
        return way in BYTES or way == "swapped"
    if way == "a value in a row":
        return kind in ("store", "lessons")
    return kind != "journal" or way not in ("older", "newer", "a folder")


PAIRS = tuple((kind, way) for way in WAYS for kind in KINDS if possible(kind, way))


def damages(world: World, numbers: Iterable[int], seed: int, tell: Callable[[str], None]) -> dict[str, Any]:
    """Damage as often as there are numbers, each kind of file in each way by turns."""
    kept = Kept(world)
    chance = random.Random(seed)
    wrong: list[str] = []
    said: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for number in numbers:
        kind, way = PAIRS[number % len(PAIRS)]
        found, lines = kept.trial(kind, way, chance)
        said[kind]["damages"] += 1
        said[kind]["said"] += bool(lines)
        for fault in found:
            wrong.append(f"{kind}, {way} ({number}): {fault}")
            tell(wrong[-1])
    count = sum(row["damages"] for row in said.values())
    return {"damages": count, "ways": len(WAYS), "files": said, "faults": wrong}


class Kept:
    """A home with every kind of file in it, to be damaged, and files of another repository to swap with."""

    def __init__(self, world: World) -> None:
        self.world = world
        home = world.home("kept", of="warm")
        for number in range(3):
            world.learn(home, f"{OTHER}, part {number} of the ledger")
        self.run = str(json.loads(world.ask(home).out)["run"])
        self.lessons = set(self._lessons(home)[1])
        other = world.home("other", of="empty")
        tree = world.place / "other"
        write_tree(tree, 9)
        world.run(["index", str(tree), "--export", str(world.place / "other.index")], other)
        world.run(["learn", OTHER, str(tree), "--relevant", "README.md"], other)
        world.run(["find", OTHER, str(tree)], other)
        shutil.copytree(world.place / "exported.index", world.place / "kept.index")
        (store,) = (home / "cache" / "index").glob("*.sqlite3")
        with closing(sqlite3.connect(store, isolation_level=None)) as writer:
            writer.execute("PRAGMA journal_mode = WAL")
            writer.execute("UPDATE facts SET language = language")
            world.home("journalled", of="kept")

    def trial(self, kind: str, way: str, chance: random.Random) -> tuple[list[str], int]:
        """Damage a file once and ask twice; returns what is wrong, and how many lines were said."""
        if kind == "reply":
            return self._reply(way, chance), 0
        home = self.world.home(of={"journal": "journalled", "export": "empty"}.get(kind, "kept"))
        exported = self.world.place / "exported.index"
        shutil.rmtree(exported)
        shutil.copytree(self.world.place / "kept.index", exported)
        path = self.file(home, kind)
        self._damage(path, kind, way, chance)
        if kind in ("store", "journal") and chance.random() < 0.7:  # else nobody would look at the facts
            shutil.rmtree(next((home / "cache" / "index").glob("*.arrays")), ignore_errors=True)
        wrong, first = self._turn(home, kind)
        again, lines = self._turn(home, kind)
        wrong += again
        if len(first) > 1 + (way == "a folder"):  # that it is damaged, and that nothing can take its place
            wrong.append(f"said {first}")
        if lines and (kind, way) not in STAYS:
            wrong.append(f"said again: {lines}")
        return wrong, len(first)

    def file(self, home: Path, kind: str) -> Path:
        """The file of a kind in a home."""
        if kind == "export":
            return _bundle(self.world.place / "exported.index")
        place, pattern = _PLACES[kind]
        found = (home / place).glob(f"{self.run}.json" if kind == "run" else pattern)
        return max(found, key=lambda path: path.stat().st_mtime_ns)

    def _turn(self, home: Path, kind: str) -> tuple[list[str], list[str]]:
        """Do what reads a kind of file, then ask: what is wrong, and what was said of damage."""
        wrong, said = [], []
        if kind == "lessons":
            done, found = self._lessons(home)
            wrong += faults_of(done, may_warn=True)
            said += done.said
            if not set(found) <= self.lessons:
                wrong.append("another lesson")
        elif kind == "run":
            done = self.world.run(["show", self.run, "-f", "json"], home)
            wrong += faults_of(done, self.world.clean if done.code == 0 else None, may_warn=True, codes=(0, 2))
            said += done.said
        elif kind == "export":
            done = self.world.run(["index", "REPO", "--import", "EXPORT"], home)
            wrong += faults_of(done, may_warn=True)
            said += done.said
        done = self.world.ask(home)
        wrong += faults_of(done, self.world.clean, may_warn=True)
        said += done.said
        if left := left_behind(home):
            wrong.append(f"left {left}")
        return wrong, said

    def _lessons(self, home: Path) -> tuple[Done, list[str]]:
        """What `learn --show` says, and the lessons in it."""
        done = self.world.run(["learn", "--show", "REPO", "-f", "json"], home)
        lessons = done.answer["lessons"] if isinstance(done.answer, dict) else []
        return done, [json.dumps(lesson) for lesson in lessons]

    def _damage(self, path: Path, kind: str, way: str, chance: random.Random) -> None:
        """Damage a file in a way."""
        if way in BYTES:
            path.write_bytes(BYTES[way](chance, path.read_bytes()))
        elif way == "swapped":
            other = self.world.place / "states" / "other"
            place, pattern = _PLACES.get(kind, ("", ""))
            is_here = kind in ("export", "journal")
            given = _bundle(self.world.place / "other.index") if is_here else next((other / place).glob(pattern))
            path.write_bytes(given.read_bytes())
        elif way == "a folder":
            path.unlink()
            path.mkdir()
        elif way == "another program's database":
            path.unlink()
            with closing(sqlite3.connect(path)) as connection:
                connection.execute("CREATE TABLE facts (x)")
        elif way == "a value in a row":
            _change_row(path, chance)
        else:
            _change_version(path, kind, 1 if way == "newer" else -1)

    def _reply(self, way: str, chance: random.Random) -> list[str]:
        """Damage a kept reply of a language model: it is what it was, or unknown."""
        home = self.world.home(of="empty")
        with variables(self.world.environment(home)):
            replies.store("some", "asked", REPLY)
            (path,) = (home / "cache").rglob("*.json")
            if way == "swapped":
                replies.store("some", "asked too", Reply("{}", 1, 1))
                (other,) = set((home / "cache").rglob("*.json")) - {path}
                other.replace(path)
            else:
                path.write_bytes(BYTES[way](chance, path.read_bytes()))
            found = replies.stored("some", "asked")
        return [] if found in (None, REPLY) else [f"another reply: {found}"]


_PLACES = {
    "store": ("cache/index", "*.sqlite3"),
    "journal": ("cache/index", "*.sqlite3-wal"),
    "snapshot": ("cache/index", "*.arrays/snapshot-*.bin"),
    "history": ("cache/index", "*.arrays/history-*.bin"),
    "lessons": ("data/learned", "*.learned"),
    "run": ("cache/runs", "r-*.json"),
}


def _bundle(place: Path) -> Path:
    """The largest file in a place of shared facts."""
    return max(place.glob("*/*"), key=lambda path: path.stat().st_size)


def _change_row(path: Path, chance: random.Random) -> None:
    """Flip a bit of one value, as memory that fails would, and let SQLite write it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        filled = [t for t in tables if connection.execute(f"SELECT 1 FROM {t}").fetchone()]
        table = chance.choice(filled)
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        key = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[5]]
        column = chance.choice(columns)
        rows = connection.execute(f"SELECT {column}, typeof({column}), {', '.join(key)} FROM {table}").fetchall()
        value, kind, *where = chance.choice(rows)
        if isinstance(value, int):
            changed: int | bytes = value ^ 1 << chance.randrange(62)
        else:
            changed = _flipped(chance, value.encode() if isinstance(value, str) else value)
        new = "CAST(? AS TEXT)" if kind == "text" else "?"
        match = " AND ".join(f"{name} IS ?" for name in key)
        connection.execute(f"UPDATE OR IGNORE {table} SET {column} = {new} WHERE {match}", (changed, *where))


def _change_version(path: Path, kind: str, by: int) -> None:
    """Make a file one of the format before or after ours."""
    if kind in ("store", "lessons"):
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            connection.execute(f"PRAGMA user_version = {version + by}")
    elif kind == "export":
        path.parent.rename(path.parent.with_name(f"zeroin-{by % 16**32:032x}"))
    elif kind == "run":
        data = json.loads(path.read_bytes())
        path.write_text(json.dumps({**data, "version": data["version"] + by}))
    else:
        columns, meta = arrays.load(path)
        changed = {**meta, "version": meta["version"] + by}
        arrays.save(path, {name: column.copy() for name, column in columns.items()}, changed)
