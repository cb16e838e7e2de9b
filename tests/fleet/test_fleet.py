"""A workspace on a cluster: the answer of one machine, with nodes that die under it."""

import os
import re
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ray = pytest.importorskip("ray")

import zeroin  # noqa: E402
from tests.fleet.conftest import without_times  # noqa: E402
from tests.ready_process import ReadyProcess  # noqa: E402
from tests.repositories import git, repository  # noqa: E402
from zeroin.answer import Context  # noqa: E402
from zeroin.config import Options  # noqa: E402
from zeroin.fleet.asking import Fleet  # noqa: E402
from zeroin.fleet.cluster import Layout, Shards, connected  # noqa: E402
from zeroin.wording import counted  # noqa: E402
from zeroin.workspace.members import Member, read_workspace  # noqa: E402

THINGS = ("token", "invoice", "letter", "cache", "parser", "socket", "ticket")
TASKS = (
    "Access tokens are accepted although they have expired",
    "deliver_letter loses the stamp of the letter",
    "Where is the total of an invoice in invoice/core.py computed?",
)


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seven repositories; each defines a thing, and uses that of the one before it. One does not exist."""
    folder = tmp_path_factory.mktemp("fleet")
    rows = ['[[repository]]\npath = "gone"\nexclude = ["**/use.py"]\n']
    for at, thing in enumerate(THINGS):
        files = {
            "pyproject.toml": f"[project]\nname = '{thing}'\n",
            f"{thing}/__init__.py": f"from {thing}.core import deliver_{thing}\n",
            f"{thing}/core.py": f'"""The {thing}s and when they have expired."""\n\n\n'
            f"def deliver_{thing}(one, stamp):\n    return one.total + stamp.accept('{thing}')\n",
            f"{thing}/use.py": f"from {THINGS[at - 1]}.core import deliver_{THINGS[at - 1]}\n\n\n"
            f"def access(one):\n    return deliver_{THINGS[at - 1]}(one, None)\n",
        }
        repository(folder / thing, files, f"Deliver the {thing} before it has expired")
        rows.append(f'[[repository]]\npath = "{thing}"\n' + ('exclude = ["**/use.py"]\n' if at == 3 else ""))
    file = folder / "team.toml"
    file.write_text("\n".join(rows))
    return file


@pytest.fixture(scope="session")
def members(workspace: Path) -> tuple[Member, ...]:
    return read_workspace(workspace)


@pytest.fixture
def connection(cluster: Any) -> Iterator[None]:
    with connected(cluster.address):
        yield


def numbers(context: Context) -> Any:
    """What an answer says, with all its numbers."""
    return (
        context.ranking,
        context.files,
        context.supporting,
        context.tests,
        context.documents,
        context.gaps,
        context.terminology,
        context.members,
        context.revision,
        [cycle.judgments for cycle in context.cycles],
        [warning for warning in context.warnings if "gone" in warning],
    )


@pytest.fixture(scope="session")
def expected(workspace: Path) -> dict[str, Any]:
    """The answers of one machine."""
    members = read_workspace(workspace)
    return {task: numbers(zeroin.retrieve(task, members, always_loop=True)) for task in TASKS}


def asked(fleet: Fleet, task: str) -> Context:
    return fleet.ask(task, Options(always_loop=True)).context()


def test_a_layout_holds_every_member_once(members: tuple[Member, ...]) -> None:
    for shards in (1, 3, 100):
        layout = Layout.of(members, shards, 2)
        held = [member for shard in layout.shards for member in shard]
        assert sorted(held, key=repr) == sorted(members, key=repr)
        sizes = [len(shard) for shard in layout.shards]
        assert len(sizes) == min(shards, len(members)) and max(sizes) - min(sizes) <= 1


def test_the_answer_is_that_of_one_machine(cluster: Any, workspace: Path, ready: ReadyProcess, tmp_path: Path) -> None:
    def ran(*args: str, code: int = 0) -> str:
        done = ready.run([*args], cwd=tmp_path, env=dict(os.environ), stdin=b"", fresh=True)
        assert done.returncode == code, done.stderr
        return str(done.stdout.decode())

    place = str(workspace)
    held = ran("fleet", "index", place, "--address", cluster.address, "--shards", "3")
    assert held.count("shard ") == 6 and "replica 2 on " in held
    shown = ("-f", "json", "--always-loop")
    alone = without_times(ran(TASKS[0], "--workspace", place, "--no-run", *shown))
    spread = without_times(ran("fleet", "ask", TASKS[0], place, "--address", cluster.address, *shown))
    assert spread == alone
    assert spread["files"] and any(said.startswith("gone was not searched") for said in spread["warnings"])
    status = ran("fleet", "status", place, "--address", cluster.address)
    assert len(re.findall(r" (?:1 repository|\d repositories), ", status)) == 6


def test_where_nothing_is_held_or_answers_is_said_at_once(
    cluster: Any, workspace: Path, ready: ReadyProcess, tmp_path: Path
) -> None:
    (tmp_path / "other.toml").write_text(f'[[repository]]\npath = "{workspace.parent / "token"}"\n')
    with socket.create_server(("127.0.0.1", 0)) as free:
        nobody = f"127.0.0.1:{free.getsockname()[1]}"
    for command in ("status", "stop"):
        for address, said in ((cluster.address, b"no node holds "), (nobody, b"no Ray cluster answers at ")):
            given = ["fleet", command, "other.toml", "--address", address]
            done = ready.run(given, cwd=tmp_path, env=dict(os.environ), stdin=b"", fresh=True)
            assert done.returncode == 2 and said in done.stderr, done.stderr


def test_a_commit_that_leaves_the_tree_as_it_was_is_seen(connection: None, tmp_path: Path) -> None:
    one = repository(tmp_path / "one", {"a.py": "def open_door():\n    return 1\n"}, "Begin")
    members = (Member("one", one), Member("two", repository(tmp_path / "two", {"b.py": "B = 1\n"}, "Begin")))
    shards = Shards.start(members, 2, 1)
    fleet = Fleet(members, shards)
    (one / "a.py").write_text("def close_door():\n    return 1\n")
    assert asked(fleet, "Close the door").members[0].revision.dirty
    git(one, "commit", "-q", "-a", "-m", "Close the door at night")
    list(shards.every("refresh", limit_s=60.0))
    session = fleet.ask("Close the door", Options())
    assert session.workspace is not None
    history = session.workspace.opened.view.all_commits
    assert history is not None and git(one, "rev-parse", "HEAD").strip() in history.commits
    shards.stop()


def test_nothing_of_the_working_directory_is_imported(
    cluster: Any, members: tuple[Member, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with connected(cluster.address):
        paths = ray.get(ray.remote(lambda: __import__("sys").path).options(num_cpus=0).remote())
        assert str(tmp_path) not in paths
    assert Path.cwd() == tmp_path and os.environ["RAY_USAGE_STATS_ENABLED"] == "0"


def test_every_number_is_that_of_one_machine(
    connection: None, members: tuple[Member, ...], expected: dict[str, Any]
) -> None:
    fleet = Fleet(members, Shards.start(members))
    for task in TASKS:
        context = asked(fleet, task)
        assert numbers(context) == expected[task]


def test_actors_and_nodes_that_die_cost_no_answer(
    cluster: Any, connection: None, members: tuple[Member, ...], expected: dict[str, Any]
) -> None:
    shards = Shards.start(members)
    assert shards.layout.replicas == 2
    fleet = Fleet(members, shards)
    node = cluster.add_node(num_cpus=1)
    for actor in (shards.actors[0][0], shards.actors[0][1], shards.actors[1][0]):
        ray.kill(actor, no_restart=False)
    for task in TASKS:
        assert numbers(asked(fleet, task)) == expected[task]
    victim = next(one for one in cluster.list_all_nodes() if one not in (cluster.head_node, node))
    killer = threading.Thread(target=cluster.remove_node, args=(victim, False))
    killer.start()
    for _ in range(3):
        for task in TASKS:
            assert numbers(asked(Fleet(members, shards), task)) == expected[task]
    killer.join()
    for task in TASKS:
        assert numbers(asked(fleet, task)) == expected[task]


def test_a_replica_that_hangs_costs_time_once(
    connection: None, members: tuple[Member, ...], expected: dict[str, Any]
) -> None:
    shards = Shards.start(members)
    asked(Fleet(members, shards), TASKS[0])  # where actors that were killed start again
    hung = ray.get(shards.actors[0][0].__ray_call__.remote(lambda _: os.getpid()))
    os.kill(hung, signal.SIGSTOP)
    try:
        fleet = Fleet(members, shards)
        for task in (*TASKS, *TASKS):
            assert numbers(asked(fleet, task)) == expected[task]
        assert (0, 0) in shards.resting
    finally:
        os.kill(hung, signal.SIGCONT)


def test_a_shard_that_does_not_answer_is_said(
    connection: None, members: tuple[Member, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    shards = Shards.start(members)
    lost = next(at for at, names in enumerate(shards.layout.names) if "socket" in names)
    for actor in shards.actors[lost]:
        ray.kill(actor, no_restart=True)
    monkeypatch.setattr("zeroin.fleet.asking.LIMIT_S", 2.0)
    session = Fleet(members, shards).ask(TASKS[0], Options(always_loop=True))
    context = session.context()
    assert session.workspace is not None and session.workspace.partial
    count = len(shards.layout.names[lost])
    (said,) = [warning for warning in context.warnings if "did not answer" in warning]
    assert said.startswith(f"shard {lost + 1} of 3 did not answer (its process ended): {counted(count, 'repository')}")
    assert {m.name for m in context.members} == {*THINGS} - shards.layout.names[lost]
    monkeypatch.undo()
    again = Fleet(members, Shards.start(members)).ask(TASKS[0], Options(always_loop=True))
    assert again.workspace is not None and not again.workspace.partial
