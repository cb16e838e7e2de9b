"""How long the MCP server takes to answer: first on a cold repository, then again, over a real process.

    python -m benchmarks.mcp --repos DIR [--repo OWNER/NAME] [--large N] [--out FILE]

`--repos` is a folder of bare git repositories (`owner+name/repo`, `owner+name` or `owner/name`). One is cloned with its
history; the large tree is `--large` files of many repositories in one commit. Every tree has a cache of its own. The
client is the official one; times are from sending a call to its answer, seconds. `longest_silence_s` is the longest
time without a progress notification or the answer.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from benchmarks import trees
from benchmarks.imports import locate
from benchmarks.provenance import provenance
from benchmarks.speed_commands import clone
from zeroin.mcp.schema import DEADLINE_S

RESULTS = Path(__file__).parent / "results" / "mcp.json"
TASKS = {
    "ansible/ansible": "Retries of a task are not counted when the connection to the host is lost",
    "PrefectHQ/prefect": "A flow run stays in the state pending after its worker was restarted",
}
LARGE_TASK = "Requests that are retried after a timeout must not be sent twice"


def main() -> None:
    """Measure, print and write the result file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--repo", choices=list(TASKS), default=next(iter(TASKS)))
    parser.add_argument("--large", type=int, default=50_000, help="files of the large tree; 0: none")
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    told: dict[str, Any] = provenance("benchmarks.mcp", sys.argv[1:])
    told["load"] = [round(load, 2) for load in os.getloadavg()]
    rows: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as place:
        bare = locate(options.repos, options.repo)
        if bare is None:
            parser.error(f"{options.repo} is not in {options.repos}")
        work = Path(place) / "one"
        files = clone(bare, "HEAD", work)
        commits = int(trees.git(work, "rev-list", "--count", "HEAD"))
        rows[options.repo] = {"files": files, "commits": commits}
        rows[options.repo] |= anyio.run(_calls, work, Path(place) / "cache-one", TASKS[options.repo])
        if options.large:
            work = Path(place) / "large"
            files = _large(options.repos, options.large, work)
            rows["large"] = {"files": files, "commits": 1}
            rows["large"] |= anyio.run(_calls, work, Path(place) / "cache-large", LARGE_TASK)
    told["deadline_s"], told["rows"] = DEADLINE_S, rows
    print(json.dumps(told, indent=1))
    options.out.write_text(json.dumps(told, indent=1) + "\n")


def _large(repos: Path, most: int, work: Path) -> int:
    """`most` files of the repositories in the order of their names, as one repository; how many there are."""
    count = 0
    for bare in sorted(p.parent for p in repos.glob("*/*/HEAD")) or sorted(repos.iterdir()):
        if count >= most:
            break
        count += trees.export(bare, "HEAD", work / bare.parent.name, most - count)
    trees.commit(work)
    return count


async def _calls(work: Path, cache: Path, task: str) -> dict[str, Any]:
    """A cold call, then calls until one is whole (at most four), then one more and a refinement."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "zeroin", "mcp"],
        cwd=work,
        env={"PYTHONPATH": os.environ.get("PYTHONPATH", ""), "ZEROIN_CACHE_DIR": str(cache)},
    )
    out: dict[str, Any] = {"find_context": []}
    began = time.monotonic()
    async with Client(stdio_client(server)) as client:
        await client.list_tools()
        out["start_s"] = round(time.monotonic() - began, 2)
        for _ in range(4):
            told = await _call(client, "find_context", {"task": task})
            out["find_context"].append(told)
            if told["whole"]:
                break
        out["find_context"].append(await _call(client, "find_context", {"task": task}))
        run = out["find_context"][-1]["run"]
        out["refine_context"] = await _call(client, "refine_context", {"run": run})
    return out


async def _call(client: Client, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    began = time.monotonic()
    heard = [began]

    async def progress(_value: float, _total: float | None, _message: str | None) -> None:
        heard.append(time.monotonic())

    result = await client.call_tool(tool, arguments, progress_callback=progress)
    heard.append(time.monotonic())
    structured = result.structured_content or {}
    text = getattr(result.content[0], "text", "")
    return {
        "seconds": round(heard[-1] - began, 2),
        "error": text if result.is_error else "",
        "whole": not result.is_error and "deadline" not in text.split("## ")[0],
        "run": structured.get("run", ""),
        "files": len(structured.get("files", ())),
        "notifications": len(heard) - 2,
        "longest_silence_s": round(max(b - a for a, b in pairwise(heard)), 2),
        "characters": len(text),
    }


if __name__ == "__main__":
    main()
