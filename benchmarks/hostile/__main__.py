"""What strangers may send, and what becomes of it: hostile repositories, texts and clients.

    python -m benchmarks.hostile --out F.json
    python -m benchmarks.hostile --parts repositories --only grafts

`repositories`: a tree full of one trick each (`tricks_git.py`, `tricks_files.py`), asked about by the command in every
format, in a temporary folder: peak memory of all its processes, time, what was started (a program records every start;
calls to the system are traced where `strace` is installed), what was opened outside, what was said.
`texts`: attempts to lift a file or to speak to whoever reads the answer.
`servers`: clients of the MCP server that do what they must not.

Exit status 1 where anything is not as it should be. Some gigabytes of disk and half an hour are needed for all of it;
the parts (and groups of repositories) that are run take their places in F.json, each with its provenance.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.hostile import repositories, servers, texts
from benchmarks.hostile.attempts import lifts
from benchmarks.hostile.servers import STDIO
from benchmarks.hostile.servers_http import HTTP
from benchmarks.provenance import provenance

PARTS = ("repositories", "texts", "servers")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--only", default="", help="cases whose name holds this")
    parser.add_argument("--groups", default=",".join(repositories.TRICKS), help="of repositories")
    parser.add_argument("--repos", type=Path, help="of ordinary files, none of which should be marked")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args(arguments)
    value: dict[str, Any] = {}
    if "repositories" in given.parts:
        value |= {f"repositories: {group}": _repositories(given.only, group) for group in given.groups.split(",")}
    if "texts" in given.parts:
        value["texts"] = _texts(given.only, given.repos)
    if "servers" in given.parts:
        value["servers"] = _servers(given.only)
    if given.out:
        stamp = provenance("benchmarks.hostile", sys.argv[1:] if arguments is None else arguments)
        kept = json.loads(given.out.read_text(encoding="utf-8")) if given.out.exists() else {}
        kept |= {name: {"provenance": stamp, **part} for name, part in value.items()}
        given.out.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return 1 if any(part["wrong"] for part in value.values()) else 0


def _repositories(only: str, group: str) -> dict[str, Any]:
    rows = []
    for case in repositories.measured(only, [group]):
        rows.append(case.shown())
        _say(f"{case.name}: {case.peak / 1e6:.0f} MB, {case.seconds:.1f} s", case.wrong)
    return {
        "cases": len(rows),
        "runs": sum(row["runs"] for row in rows),
        "peak_mb": max((row["peak_mb"] for row in rows), default=0),
        "processor_s_most": max((row["processor_s_most"] for row in rows), default=0.0),
        "wrong": sum(bool(row["wrong"]) for row in rows),
        "rows": rows,
    }


def _texts(only: str, repos: Path | None) -> dict[str, Any]:
    rows = list(texts.lifted([one for one in lifts() if only in one.name]))
    over = [row for row in rows if row.relevance > texts.MOST]
    for row in over:
        _say(f"{row.name}: {row.relevance:.2f}, the right file {row.right:.2f}", ())
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        said = list(texts.answers(texts.spoken(Path(folder, "tree")), Path(folder, "home")))
    for one in said:
        _say(f"{one.way}: {one.shown} texts shown, {one.warnings} warnings", one.wrong)
    marks = texts.marked()
    return {
        "lifts": len(rows),
        "over_half": len(over),
        "over_the_right_file": sum(row.relevance > row.right for row in rows),
        "texts_to_a_reader": len(marks),
        "answers": len(said),
        "wrong": sum(bool(one.wrong) for one in said) + sum(wanted != found for _, wanted, found in marks),
        "marked": sum(found for _, _, found in marks),
        "marked_of_real_files": texts.falsely_marked(repos, 4_000) if repos else None,
        "rows": [asdict(row) for row in rows],
    }


def _servers(only: str) -> dict[str, Any]:
    rows = []
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        cases = [case for case in (*STDIO, *HTTP) if only in case.__name__]
        for case in servers.measured(Path(folder), cases):
            rows.append(case.shown())
            _say(f"{case.name}: {case.refused} of {case.tries} refused, {case.peak / 1e6:.0f} MB", case.wrong)
    return {
        "tries": sum(row["tries"] for row in rows),
        "peak_mb": max((row["peak_mb"] for row in rows), default=0),
        "wrong": sum(bool(row["wrong"]) for row in rows),
        "rows": rows,
    }


def _say(what: str, wrong: Sequence[str]) -> None:
    print(what, *(f"  {one}" for one in wrong), sep="\n", flush=True)


if __name__ == "__main__":
    sys.exit(main())
