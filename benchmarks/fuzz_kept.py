"""Forms of the fuzzer for what is kept on a disk, comes from another machine, or is said by another program."""

import contextlib
import hashlib
import json
import sqlite3
import zlib
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from benchmarks.fuzz_targets import Form, Real, text_of, tree_in
from training.model_files import write
from zeroin import build_index, open_session, resume, retrieve
from zeroin.cli.batch_rows import Results, Row, read_tasks
from zeroin.context.rendering import render
from zeroin.corpus.git import blob_id
from zeroin.corpus.source import open_source
from zeroin.errors import ZeroinError
from zeroin.index import arrays, sharing
from zeroin.index.checking import checked
from zeroin.index.database import SUFFIX, file_name, index_dir
from zeroin.index.gather import identify, key_of
from zeroin.index.history import History
from zeroin.index.snapshot import Snapshot
from zeroin.index.store import Store
from zeroin.install.entries import JsonEntry, TomlEntry
from zeroin.kept_indexes import export_facts
from zeroin.learning.lessons import Lesson
from zeroin.learning.store import LessonStore
from zeroin.llm_judge.contract import Request, Shown, parse
from zeroin.llm_judge.providers import model_of
from zeroin.mcp.roots import Roots
from zeroin.mcp.schema import listed
from zeroin.mcp.tools import call
from zeroin.mcp.work import Work
from zeroin.models import commonness, encoder, ranker, words
from zeroin.parsing.analyse import analyse
from zeroin.sessions import store as sessions
from zeroin.sessions.record import session_of

_TASK = "Why does is_expired(token) of the session fail?"
_ENTRY: dict[str, Any] = {"command": "zeroin", "args": ["mcp"]}


def stores(folder: Path, real: Real) -> dict[str, Form]:
    """The files of the cache and of what was learned: damage is noticed, and nothing wrong is read."""
    tree, place = tree_in(folder), folder / "stores"
    place.mkdir(exist_ok=True)
    build_index(tree)
    good, source = _index(tree), open_source(tree)
    with Store.open(source.identity) as store:
        keys = map(key_of, identify(source, store)[0])
        rows = store.facts(keys, lambda _, facts: facts.encode())
        snapshot = store.array_files("snapshot-")[0].read_bytes()
    lesson = Lesson("0123456789", "a token", (("token", 1.0),), ("auth/token.py",))
    learned = LessonStore("x", directory=place)
    learned.add(lesson)
    kept = learned.path.read_bytes()

    def of_store(data: bytes) -> None:
        _fresh(place / (file_name("x") + SUFFIX), data)
        with Store.open("x", directory=place) as store:
            found = store.facts(rows)
            assert all(facts.encode() == rows[key] for key, facts in found.items())
            store.stats("/")
            store.get("analysing")
            store.put("n", b"v")

    def of_arrays(data: bytes) -> None:
        path = place / "file.bin"
        path.write_bytes(data)
        for load in (Snapshot.load, History.load):
            with contextlib.suppress(ZeroinError):
                load(path)
        arrays.load(path)

    def of_lessons(data: bytes) -> None:
        _fresh(learned.path, data)
        assert all(found == lesson for found in learned.lessons().items)
        learned.add(lesson)
        learned.forget()

    return {"store": Form(of_store, [good]), "arrays": Form(of_arrays, [snapshot]), "lessons": Form(of_lessons, [kept])}


def _fresh(path: Path, data: bytes) -> None:
    for old in path.parent.glob(path.name + "*"):
        old.unlink()
    path.write_bytes(data)


def _index(tree: Path) -> bytes:
    """The store of a tree, in one file without a journal beside it."""
    path = index_dir() / (file_name(open_source(tree).identity) + SUFFIX)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    return path.read_bytes()


# --- shared facts ------------------------------------------------------------------------------------


def archives(folder: Path, real: Real) -> dict[str, Form]:
    """What lies in a place of shared facts, and facts that somebody with the file made, which are then asked about."""
    tree, place = tree_in(folder), folder / "archives"
    build_index(tree)
    export_facts(tree, str(place))
    (shared,) = place.iterdir()
    (bundle,) = (path for path in shared.iterdir() if path.name != sharing.LIST)
    listed = (shared / sharing.LIST).read_bytes()
    ((_, ids),) = msgspec.msgpack.decode(listed).values()
    about = (tree / "auth" / "token.py").read_bytes()
    key = (blob_id(about), "python")
    raw = zlib.decompress(analyse(about, "python").encode())
    store = index_dir() / (file_name(open_source(tree).identity) + SUFFIX)

    def of_list(data: bytes) -> None:
        (shared / sharing.LIST).write_bytes(data)
        _gone(store)
        sharing._resting.clear()
        build_index(tree, jobs=1, facts=str(place))

    def of_bundle(data: bytes) -> None:
        name = hashlib.sha256(data).hexdigest()
        (shared / name).write_bytes(data)
        of_list(msgspec.msgpack.encode({name: (max(1, len(data)), ids)}))

    def of_facts(data: bytes) -> None:
        head, _, rest = data.partition(b"\n")
        row = zlib.compress(len(head).to_bytes(4, "little") + head + rest, 1)
        with contextlib.suppress(ValueError):
            checked(row, about, "python")
            _gone(store)
            with Store.open(open_source(tree).identity) as kept:
                kept.put_facts({key: row})
            session = open_session(_TASK, tree, jobs=1, always_loop=True)
            render(session.run(), session.read, "markdown")

    end = 4 + int.from_bytes(raw[:4], "little")
    return {
        "list": Form(of_list, [listed]),
        "bundle": Form(of_bundle, [bundle.read_bytes()]),
        "facts": Form(of_facts, [raw[4:end] + b"\n" + raw[end:]]),
    }


def _gone(path: Path) -> None:
    for old in path.parent.glob(path.stem + "*"):
        if old.is_file():
            old.unlink()


# --- JSON and its like -------------------------------------------------------------------------------


def values(folder: Path, real: Real) -> dict[str, Form]:
    """What callers, models, hosts and earlier runs say, as JSON, TOML or a model's file."""
    tree, place = tree_in(folder), folder / "values"
    place.mkdir(exist_ok=True)
    session = open_session(_TASK, tree, jobs=1)
    session.run()
    assert session.record is not None
    run = json.dumps(session.record.to_json()).encode()
    lesson = Lesson("0123456789", "a token", (("token", 1.0), ("expire", 2.0)), ("auth/token.py",), ("README.md",))
    row = {"id": 1, "repo": str(tree), "task": _TASK, "purpose": "debug", "include": ["*.py"], "top": 5, "diff": None}
    request = Request("s", "u", (Shown(1, "a.py", frozenset(range(1, 9))), Shown(2, "b.py", frozenset({3}))), "k", 9)
    graded = {"id": 1, "grade": 3, "reason": "it is", "lines": [[1, 2]], "missing": ["x"]}
    reply = json.dumps({"files": [graded, {"id": 2, "grade": 0}], "words": ["token"]}).encode()
    roots = Roots([tree], tree)
    calls = [
        ["find_context", {"task": _TASK, "path": str(tree), "budget": 2000, "keywords": ["token"], "exclude": ["*"]}],
        ["find_context", {"diff": "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "purpose": "review"}],
        ["refine_context", {"run": "r-0123456789", "relevant": ["auth/token.py"], "terms": ["a=b"], "note": "x"}],
        ["explain_terms", {"text": "rate limit", "path": "."}],
    ]  # fmt: skip

    def rows(data: bytes) -> None:
        (place / "rows").write_bytes(data)
        for found in read_tasks(place / "rows", place / "out")[0].values():
            if isinstance(found, Row):
                json.dumps(msgspec.to_builtins(found))

    def results(data: bytes) -> None:
        (place / "results").write_bytes(data)
        with Results(place / "results", retry_errors=True) as kept:
            kept.add("new", b'{"id":"new"}')
        kept.sort(["new", "1"])

    def runs(data: bytes) -> None:
        record = session_of(_loaded(data))
        sessions.keep(record)
        if record.place == str(tree) and not record.options.judge:
            resumed = resume(record.id, more=True)
            render(resumed.run(), resumed.read, "markdown")

    def lessons(data: bytes) -> None:
        store = LessonStore(open_source(tree).identity)
        store.add(lesson)
        with contextlib.closing(sqlite3.connect(store.path)) as connection, connection:
            connection.execute("UPDATE lessons SET data = ?", (data.decode("utf-8", "replace"),))
        retrieve(_TASK, tree, jobs=1, always_loop=True)
        store.add(lesson)
        store.forget()

    def tool(data: bytes) -> None:
        asked = _loaded(data)
        if isinstance(asked, list) and len(asked) == 2 and isinstance(asked[1], dict) and asked[0] in list(listed()):
            call(asked[0], asked[1], roots, Work())

    def model(read: Callable[[Path], object], data: bytes) -> None:
        (place / "model.npz").write_bytes(data)
        read(place / "model.npz")

    hosts = [
        b'{\n  // c\n  "mcpServers": {"x": {"command": "y"},},\n}\n',
        b"{}",
        b'{"mcpServers":{"zeroin":{"command":"zeroin"}}}',
    ]
    codex = [
        b'model = "o"\n[mcp_servers.x]\ncommand = "y" # c\n\n[[a.b]]\nc = {d = 1}\n',
        b'[mcp_servers.zeroin]\ncommand = "zeroin"\n',
    ]
    readers = (commonness.read_commonness, words.read_words, ranker.read_ranker, encoder.read_encoder)
    shipped = _small_models(place / "model.npz")
    return {
        "rows": Form(rows, [json.dumps(row).encode(), b"\n".join([json.dumps(row).encode()] * 3)]),
        "results": Form(results, [b'{"id":"1","ranking":[]}\n{"id":"2","error":"x"}\n{"id"']),
        "runs": Form(runs, [run]),
        "lessons": Form(lessons, [json.dumps(asdict(lesson)).encode()]),
        "judge": Form(lambda data: parse(text_of(data), request), [reply, b"Sure:\n```json\n%s\n```" % reply]),
        "judge's name": Form(lambda data: model_of(text_of(data)), [b"openai:gpt", b"command:cat -n 'a b'"]),
        "tools": Form(tool, [json.dumps(each).encode() for each in calls]),
        "hosts": Form(partial(_edited, JsonEntry([("mcpServers",)], _ENTRY)), hosts),
        "codex": Form(partial(_edited, TomlEntry("mcp_servers", _ENTRY)), codex),
        **{f"model {at}": Form(partial(model, read), shipped) for at, read in enumerate(readers)},
    }  # fmt: skip


def _edited(entry: JsonEntry | TomlEntry, data: bytes) -> None:
    entry.state(data)
    entry.drop(entry.put(data))


def _loaded(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _small_models(path: Path) -> list[bytes]:
    """Model files of few rows, which every reader takes: the shipped ones are megabytes."""
    header = {
        "card": {},
        "messages": 9,
        "features": ["a"],
        "features_version": 4,
        "base": 0.0,
        "maps": {"x": [[0, 0], [1, 1]]},
    }
    ids = np.array([1, 2], np.uint64)
    some = {"ids": ids, "holders": ids, "terms": np.frombuffer(b"a\nb", np.uint8), "counts": ids, "followers": ids - 1}
    more = {"features": np.zeros((1, 2), np.int16), "borders": np.zeros((1, 2), np.float32), "values": np.zeros((1, 4))}
    vectors = {"table": np.zeros((2, 4), np.int8), "scales": ids, "task_weights": ids, "code_weights": ids}
    out = []
    for compressed in (False, True):
        write(path, header, {**some, **more, **vectors, "weights": ids, "repositories": ids}, compressed=compressed)
        out.append(path.read_bytes())
    return out
