"""A fleet over HTTP: who sees what, and how soon a push is found; rows of a batch."""

import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray")

import zeroin
from tests.fleet.conftest import without_times
from tests.repositories import git, repository
from zeroin.cli.batch_worker import result_of
from zeroin.config import Options
from zeroin.errors import InputError
from zeroin.fleet.access import Access
from zeroin.fleet.asking import Fleet
from zeroin.fleet.cluster import Shards, connected
from zeroin.fleet.shard import Setting, Shard
from zeroin.query.task import formulate
from zeroin.workspace.members import Member, read_workspace

FORBIDDEN = "quasar_lighthouse"  # in one repository alone
TASK = f"The {FORBIDDEN} of the letter has expired in payroll/secret_core.py"
START_S = 120.0
Post = Callable[..., tuple[int, dict[str, str], bytes]]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three repositories, one of which only one user may see."""
    folder = tmp_path_factory.mktemp("service")
    for name, text in (
        ("letters", "def deliver_letter(one):\n    return one.stamp  # until it has expired\n"),
        ("parcels", "def weigh_parcel(one):\n    return one.weight\n"),
        ("payroll", f"def {FORBIDDEN}(letter):\n    return letter.expired\n"),
    ):
        path = "secret_core.py" if name == "payroll" else "core.py"
        repository(folder / name, {f"{name}/{path}": text}, f"Begin the {name}")
    file = folder / "team.toml"
    file.write_text("".join(f'[[repository]]\npath = "{n}"\n' for n in ("letters", "parcels", "payroll")))
    (folder / "access.toml").write_text(
        "".join(
            f'[user.{name}]\nsha256 = "{sha256(f"token-of-{name}".encode()).hexdigest()}"\n'
            f"repositories = {json.dumps(names)}\n"
            for name, names in (
                ("boss", ["letters", "parcels", "payroll"]),
                ("clerk", ["letters", "parcels"]),
                ("guest", []),
            )
        )
    )
    return file


@pytest.fixture(scope="module")
def post(cluster: Any, workspace: Path) -> Iterator[Post]:
    """Asks a served fleet: path, body, token → status, headers, body."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "zeroin", "fleet", "serve", str(workspace), "--address", cluster.address]
    command += ["--http", f"0.0.0.0:{port}", "--access", str(workspace.parent / "access.toml")]
    cert, key = workspace.parent / "cert.pem", workspace.parent / "key.pem"
    made = [*"openssl req -x509 -newkey rsa:2048 -nodes -keyout".split(), str(key), "-out", str(cert)]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"]
    subprocess.run([*made, *names], check=True, capture_output=True)
    command += ["--tls-cert", str(cert), "--tls-key", str(key)]
    served = subprocess.Popen(command, stderr=subprocess.PIPE, cwd=workspace.parent)
    trusted = ssl.create_default_context(cafile=str(cert))

    def post(path: str, body: object, token: str = "") -> tuple[int, dict[str, str], bytes]:
        kind = "application/json"
        headers = {"Authorization": f"Bearer {token}", "Content-Type": kind, "Accept": kind}
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(f"https://127.0.0.1:{port}{path}", data, headers)
        try:
            with urllib.request.urlopen(request, timeout=START_S, context=trusted) as reply:
                return reply.status, {k.lower(): v for k, v in reply.headers.items()}, reply.read()
        except urllib.error.HTTPError as error:
            return error.code, {}, error.read()

    end = time.monotonic() + START_S
    while True:
        try:
            if post("/ask", {"task": "x"})[0] == 401:
                break
        except OSError:
            assert time.monotonic() < end and served.poll() is None, served.communicate()
        time.sleep(0.5)
    yield post
    served.send_signal(signal.SIGINT)
    assert served.wait(START_S) == 0


def test_a_user_sees_no_trace_of_what_is_forbidden(
    post: Post, workspace: Path, zeroin_alone: Callable[..., Any]
) -> None:
    ask = {"task": TASK, "always_loop": True}
    status, _, everything = post("/ask", ask, "token-of-boss")
    assert status == 200 and json.loads(everything)["files"][0]["path"] == "payroll:payroll/secret_core.py"
    status, headers, seen = post("/ask", ask, "token-of-clerk")
    assert status == 200 and headers["zeroin-exit-code"] in "01"
    answer = without_times(seen)
    assert answer == zeroin_alone(workspace.parent / "letters", workspace.parent / "parcels")
    del answer["task"]
    told = json.dumps({k: v for k, v in answer.items() if k not in ("query", "cycles")})
    assert "payroll:" not in told
    assert {row["name"] for row in answer["repositories"]} == {"letters", "parcels"}


def test_a_second_service_is_refused(post: Post, cluster: Any, workspace: Path, ready: Any, tmp_path: Path) -> None:
    given = ["fleet", "serve", str(workspace), "--address", cluster.address, "--http", "7399"]
    done = ready.run(given, cwd=tmp_path, env=dict(os.environ), stdin=b"", fresh=True)
    assert done.returncode == 2 and b"Ray Serve runs on this cluster already" in done.stderr
    assert post("/ask", {"task": "x"})[0] == 401  # the first one is as it was


def test_a_host_asks_over_mcp(post: Post) -> None:
    def call(method: str, token: str = "token-of-clerk", **params: object) -> Any:
        status, _, answer = post("/mcp", {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, token)
        assert status == 200, answer
        return json.loads(answer)["result"]

    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    assert call("initialize", **hello)["serverInfo"]["name"] == "zeroin"
    assert post("/mcp", {"jsonrpc": "2.0", "method": "notifications/initialized"}, "token-of-clerk")[0] == 202
    (tool,) = call("tools/list")["tools"]
    assert tool["name"] == "find_context" and not {"path", "paths", "diff"} & set(tool["inputSchema"]["properties"])
    assert "diff" not in str(tool["inputSchema"])
    everything = call("tools/call", "token-of-boss", name="find_context", arguments={"task": TASK})
    assert everything["structuredContent"]["files"][0]["path"] == "payroll:payroll/secret_core.py"
    seen = call("tools/call", name="find_context", arguments={"task": TASK})
    assert not seen.get("isError") and "payroll:" not in json.dumps(seen)
    for wrong, said in (({"task": ""}, "needs task"), ({"task": TASK, "path": "x"}, "leave it out")):
        refused = call("tools/call", name="find_context", arguments=wrong)
        assert refused["isError"] and said in refused["content"][0]["text"]
    assert post("/mcp", {}, "token-of-nobody")[0] == 401
    assert post("/mcp", None, "token-of-boss")[0] == 405


def test_nobody_else_is_served_without_users() -> None:
    from starlette.requests import Request

    from zeroin.fleet.service import Service

    service = Service.__new__(Service)
    service._access = None
    scope = {"type": "http", "method": "POST", "scheme": "http", "path": "/ask", "query_string": b""}
    scope |= {"server": ("127.0.0.1", 1)}
    here, page = {"host": "127.0.0.1:1"}, {"origin": "https://page.example"}
    for headers, status in (
        (here, None),
        ({"host": "localhost:1"}, None),
        (here | {"origin": "http://127.0.0.1:1"}, None),
        (here | page, 403),
        (here | {"origin": "null"}, 403),
        ({"host": "rebound.example:1"}, 403),
        ({"host": "rebound.example@127.0.0.1"}, 403),
        ({"host": "[::1"}, 403),
        ({}, 403),
    ):
        given = [(name.encode(), value.encode()) for name, value in headers.items()]
        found = service._refusal(Request({**scope, "headers": given}))
        assert (found and found.status_code) == status, headers


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--http", "0.0.0.0:1"], "others than this machine are served with"),
        (["--http", "0.0.0.0:1", "--access", "a"], "others than this machine are served with"),
        (["--http", "0.0.0.0:1", "--tls-cert", "c", "--tls-key", "k"], "others than this machine are served"),
        (["--tls-cert", "c"], "go together"),
        (["--http", "127.0.0.1:x"], "no number between"),
    ],
)
def test_what_would_be_open_to_strangers_is_refused(ready: Any, tmp_path: Path, options: list[str], error: str) -> None:
    done = ready.run(["fleet", "serve", "w.toml", *options], cwd=tmp_path, env=dict(os.environ), stdin=b"")
    assert done.returncode == 2 and error in done.stderr.decode()


@pytest.fixture
def zeroin_alone(ready: Any) -> Callable[..., Any]:
    """What one machine answers about some folders, without times."""

    def asked(*folders: Path) -> Any:
        done = ready.run(
            [TASK, *map(str, folders), "-f", "json", "--no-run", "--always-loop"],
            cwd=folders[0].parent,
            env=dict(os.environ),
            stdin=b"",
        )
        return without_times(done.stdout)

    return asked


def test_wrong_requests_are_refused(post: Post) -> None:
    for token in ("", "token-of-nobody"):
        assert post("/ask", {"task": TASK}, token)[0] == 401
    assert post("/ask", {"task": TASK}, "token-of-guest")[0] == 403
    for body, said in (
        ({"task": ""}, b"task"),
        ({"task": TASK, "format": "pdf"}, b"'pdf' is none of"),
        ({"task": TASK, "judge": "command:cat"}, b"unknown field"),
        ({"task": TASK, "budget": 1}, b"budget 1 is outside"),
        ([], b"Expected `object`"),
        (b"", b"the body is empty; send JSON"),
        (b'{"task": "\xed\xa0\x80"}', b"utf-8"),
    ):
        status, _, answer = post("/ask", body, "token-of-boss")
        assert status == 400 and said in answer, answer
    assert post("/status", {}, "token-of-boss")[0] == 404
    assert post("/ask", {"task": "x" * 1_100_000}, "token-of-boss")[0] == 413
    assert post("/refresh", {}, "token-of-boss")[0] == 200


def cloned(place: Path, below: Path) -> tuple[Path, Path]:
    """A bare clone of a repository, and a clone of that to push from."""
    git(below, "clone", "-q", "--bare", str(place), "news.git")
    git(below, "clone", "-q", "news.git", "clone")
    return below / "news.git", below / "clone"


def push(clone: Path) -> None:
    git(clone, "add", "-A")
    git(clone, "commit", "-q", "-m", "Make the brand new thing")
    git(clone, "push", "-q", "origin", "main")


def test_a_push_is_found_while_others_ask(cluster: Any, workspace: Path, tmp_path: Path) -> None:
    bare, clone = cloned(workspace.parent / "letters", tmp_path)
    members = (Member("news", bare), Member("parcels", workspace.parent / "parcels"))
    with connected(cluster.address):
        shards = Shards.start(members, 2, 1)
        fleet = Fleet(members, shards)

        def found() -> bool:
            session = fleet.ask("Where is the brand_new_thing made?", Options(always_loop=True))
            assert session.workspace is not None and not session.workspace.partial
            return any(j.path.startswith("news:fresh/") for j in session.context().ranking)

        assert not found()
        for at in range(10):
            (clone / "fresh").mkdir(exist_ok=True)
            (clone / f"fresh/brand_new_thing_{at}.py").write_text("def brand_new_thing():\n    return 1\n")
        push(clone)
        end = time.monotonic() + START_S
        while not found():
            assert time.monotonic() < end
        shards.stop()


def test_a_webhook_makes_a_push_searchable(post: Post, workspace: Path) -> None:
    def first() -> str:
        ask = {"task": "Where is the waxen_seal pressed?", "always_loop": True}
        status, _, answer = post("/ask", ask, "token-of-clerk")
        assert status == 200
        return str(json.loads(answer)["files"][0]["path"])

    letters = workspace.parent / "letters"
    (letters / "letters/waxen_seal.py").write_text("def press_waxen_seal(one):\n    return one.warm\n")
    git(letters, "add", "-A")
    git(letters, "commit", "-q", "-m", "Press the waxen seal")
    for wrong in (["payroll"], ["letters", "nothing"], ["team.toml"]):
        status, _, said = post("/refresh", {"repositories": wrong}, "token-of-clerk")
        assert status == 400 and b"is no repository of the workspace" in said
    assert post("/refresh", {"repository": "letters"}, "token-of-clerk")[0] == 400
    assert post("/refresh", {"repositories": ["letters"]}, "token-of-clerk")[0] == 200
    assert first() == "letters:letters/waxen_seal.py"


def test_a_service_finds_shards_that_were_cut_anew_or_stopped(
    post: Post, cluster: Any, workspace: Path, ready: Any
) -> None:
    ask = {"task": "weigh the parcel", "format": "paths", "timeout_s": 20}
    status, _, expected = post("/ask", ask, "token-of-boss")
    assert status == 200 and expected.startswith(b"parcels:")
    for command in (["index", "--shards", "2"], ["stop"], ["index", "--shards", "3"]):
        given = ["fleet", command[0], str(workspace), "--address", cluster.address, *command[1:]]
        done = ready.run(given, cwd=workspace.parent, env=dict(os.environ), stdin=b"", fresh=True)
        assert done.returncode == 0, done.stderr
        if command == ["stop"]:
            assert post("/refresh", {}, "token-of-boss")[0] == 200
        assert post("/ask", ask, "token-of-boss")[::2] == (200, expected), command


def test_the_first_question_after_a_push_finds_it(workspace: Path, tmp_path: Path) -> None:
    bare, clone = cloned(workspace.parent / "letters", tmp_path)
    _, query = formulate("Where is the brand_new_thing made?", Options())
    shard = Shard((Member("news", bare), Member("other", workspace.parent / "parcels")), Setting.here())
    shard.refresh()
    for at in range(3):
        (clone / f"brand_new_thing_{at}.py").write_text("def brand_new_thing():\n    return 1\n")
        push(clone)
        pushed = git(clone, "rev-parse", "HEAD").strip()
        news, _ = shard.found(query, None, START_S).members  # however busy the machine is
        assert news.revision.commit == pushed
        assert f"brand_new_thing_{at}.py" in shard.parcels(["news"])[0].snapshot.paths
    shard.close()


def test_rows_of_a_batch(cluster: Any, workspace: Path, tmp_path: Path, ready: Any) -> None:
    rows = [
        {"id": "one", "task": "The letter has expired"},
        {"id": "two", "task": "weigh the parcel", "repo": "/nowhere", "exclude": ["letters:**"]},
        {"id": "three", "task": "The letter has expired", "rev": "HEAD"},
        {"id": "four"},
    ]
    tasks, out = tmp_path / "tasks.jsonl", tmp_path / "out.jsonl"
    tasks.write_text("\n".join(map(json.dumps, rows)))
    done = ready.run(
        ["fleet", "batch", str(tasks), str(workspace), "--address", cluster.address, "-o", str(out), "--jobs", "2"],
        cwd=tmp_path, env=dict(os.environ), stdin=b"", fresh=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = {row["id"]: row for row in map(json.loads, out.read_text().splitlines())}
    assert list(found) == ["one", "two", "three", "four"]
    context = zeroin.retrieve("The letter has expired", read_workspace(workspace), top=50)
    expected = json.loads(json.dumps(result_of("one", context, 50, 0.0)))
    for name in ("ranking", "files", "supporting", "gaps", "terminology", "warnings"):
        assert found["one"][name] == expected[name]
    assert found["two"]["ranking"][0]["path"].startswith("parcels:")
    assert "one repository's" in found["three"]["error"] and "neither task nor diff" in found["four"]["error"]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[user.a]\n", "missing required field"),
        ('[user.a]\nsha256 = "ab"\n', "no digest"),
        (f'[user.a]\nsha256 = "{"a" * 64}"\nrepositories = ["other"]\n', "'other', which is no repository"),
        (f'[user.a]\nsha256 = "{"a" * 64}"\n[user.b]\nsha256 = "{"A" * 64}"\n', "another user's"),
        ("[[", "no file of users"),
        ('[users.a]\nsha256 = "ab"\n', "unknown field `users`"),
        (f'[user.a]\nsha256 = "{"z" * 64}"\n', "no digest"),
        (f'[user.a]\nsha256 = "{"é" * 64}"\n', "no digest"),
        ("#" * 4_000_001, "larger than 4,000,000 bytes"),
    ],
)
def test_a_wrong_file_of_users(tmp_path: Path, text: str, error: str) -> None:
    (tmp_path / "access.toml").write_text(text)
    with pytest.raises(InputError, match=error):
        Access.read(tmp_path / "access.toml", ["letters"])
