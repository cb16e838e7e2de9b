"""What the product can reach: no network from the core, nothing that runs text, no pickle, no shell."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src" / "zeroin"
NETWORK = frozenset(
    "socket ssl http urllib urllib.request ftplib smtplib poplib imaplib telnetlib nntplib xmlrpc socketserver asyncio"
    " webbrowser requests httpx httpx2 aiohttp urllib3 multiprocessing.connection".split()
)
# The one call of a C library, with a number: it gives freed memory back.
MAY = ("heap.py", "ctypes")
HARMFUL = frozenset("pickle cPickle _pickle marshal shelve dill cloudpickle joblib ctypes cffi code pty".split())
# Which module may name what of the network, and why.
ALLOWED = {
    "aio.py": ("asyncio", "the caller's own event loop; imported when `zeroin.aretrieve` is asked for"),
    "cli/fleet.py": ("ssl", "reads the certificate and the key that Ray Serve is given: no connection"),
    "cli/mcp.py": ("socket", "`zeroin mcp --http` listens on this machine alone"),
    "mcp/server.py": ("socket", "the type of that listener; needs the extra mcp"),
    "fleet/cluster.py": ("socket", "tries the address of a Ray cluster that the user gives; needs the extra fleet"),
    "cli/terminal.py": ("socket", "the name of this machine, for links that a terminal can follow: no connection"),
    "fleet/service.py": ("asyncio", "the HTTP service of a fleet of machines; needs its extra"),
    **{
        f"serve/{name}.py": ("socket", "a socket in a folder of this user alone, no address")
        for name in ("client", "process", "wire")
    },
    "index/places.py": (
        "http urllib.request",
        "a place of shared facts that the user named; imported when it is asked",
    ),
    "mcp/fleet.py": ("asyncio", "a call over HTTP to a fleet of machines; needs both extras"),
    "llm_judge/hosted.py": ("asyncio httpx2", "a model that the user named; needs the extra judge"),
}
# Not imported with the core: what needs an extra, or has its reason above; and what reads the metadata of packages,
# whose reader of mail headers (`importlib.metadata`) brings `socket` along.
APART = frozenset(
    f"zeroin.{name}"
    for name in (
        "__main__ aio cli.mcp cli.serve doctor index.places index.sharing langchain llm_judge.hosted mcp.sampling"
        " mcp.server serve.process serve.wire"
    ).split()
)


def modules() -> Iterator[tuple[str, str, ast.Module]]:
    """Every module: its file, its name, its syntax tree."""
    for path in sorted(SOURCE.rglob("*.py")):
        where = path.relative_to(SOURCE)
        name = ".".join(["zeroin", *where.with_suffix("").parts]).removesuffix(".__init__")
        yield where.as_posix(), name, ast.parse(path.read_text(encoding="utf-8"))


def imported(tree: ast.Module) -> set[str]:
    """The modules that are imported anywhere in a file, with the packages that hold them, `urllib.parse` left out."""
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    found = {name for name in found if not name.startswith("urllib.parse")}
    return found | {name.partition(".")[0] for name in found if not name.startswith("urllib")}


def test_only_what_has_a_reason_names_the_network() -> None:
    found = {where: imported(tree) & NETWORK for where, _, tree in modules()}
    assert {where: names for where, names in found.items() if names} == {
        where: set(names.split()) for where, (names, _) in ALLOWED.items()
    }


def test_nothing_is_unpickled_and_no_text_is_run() -> None:
    wrong = []
    for where, _, tree in modules():
        wrong += [(where, name) for name in imported(tree) & HARMFUL if (where, name) != MAY]
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func)
            if called in ("eval", "exec", "compile", "__import__", "os.system", "os.popen", "subprocess.getoutput"):
                wrong.append((where, called))
            for keyword in node.keywords:
                if keyword.arg in ("shell", "allow_pickle") and ast.unparse(keyword.value) != "False":
                    wrong.append((where, ast.unparse(keyword)))
            if called.endswith("np.load") and "allow_pickle" not in {keyword.arg for keyword in node.keywords}:
                wrong.append((where, ast.unparse(node)))
    assert wrong == []


def test_the_core_imports_no_module_of_the_network() -> None:
    """Nor does what it depends on: numpy, tree-sitter, rich and the others bring none of them in."""
    names = [name for _, name, _ in modules() if name not in APART and "fleet" not in name]  # an extra
    assert len(names) > 250
    code = f"import sys, importlib\nfor name in {names}: importlib.import_module(name)\nprint(*sys.modules)"
    # -I: no variable and no package of the user changes what is imported.
    command = [sys.executable, "-I", "-c", f"import sys; sys.path[:0] = {[str(SOURCE.parent)]}\n{code}"]
    # What measures coverage of processes that tests start is imported in them, too, and brings `socket` along.
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("COV_", "COVERAGE_"))}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=plain)
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.split())
    assert {"zeroin.engine", "zeroin.cli.main", "zeroin.mcp.tools", "numpy", "rich"} <= loaded
    assert loaded & (NETWORK - {"urllib"}) == set()
