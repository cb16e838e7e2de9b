"""A stand-in for the peer semble: a program of its own, which answers with the first lines of every Python file."""

import sys
from pathlib import Path

import pytest

PEER = """#!{python}
import json, os, pathlib, sys
if sys.argv[1] == "--version":
    print("0.7.0")
else:
    tree, cache = pathlib.Path(sys.argv[-1]), pathlib.Path(os.environ["SEMBLE_CACHE_LOCATION"])
    assert pathlib.Path(os.environ["SEMBLE_MODEL_NAME"]).is_dir()
    cache.mkdir(parents=True, exist_ok=True)
    (cache / "index").write_bytes(bytes(1000))
    rows = [
        {{"file_path": str(path.relative_to(tree)), "start_line": 1, "end_line": 2, "content": ""}}
        for path in sorted(tree.rglob("*.py"))
    ]
    print(json.dumps({{"query": sys.argv[-2], "results": rows}}))
"""


@pytest.fixture
def peer(tmp_path: Path) -> list[str]:
    """Options that name a peer."""
    program, model = tmp_path / "semble", tmp_path / "model"
    program.write_text(PEER.format(python=sys.executable))
    program.chmod(0o755)
    model.mkdir()
    return ["--semble", str(program), "--model", str(model)]
