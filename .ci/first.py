"""Runs the README's two commands as whoever clones this for the first time does: python .ci/first.py

They are read out of its first block of shell, word for word, and run one after the other in a fresh clone of what is
committed here, below a path of more than 100 characters, with nothing of this environment that names a Python, a
cache or a setting of ours. The first must print an answer; both must end with 0. Nothing is left behind.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

_LENGTH = 100  # characters that the path of the clone has at least
_LIMIT_S = 2400  # of one command, which takes a quarter of that on two cores: what hangs is ended, and said
_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_ANSWER = re.compile(r"^[01]\.\d\d .*/", re.MULTILINE)  # a file of the table: its relevance, and its path
_LEFT_OUT = ("PYTHON", "VIRTUAL_ENV", "PYTEST", "COVERAGE", "ZEROIN_", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")


def commands(readme: Path) -> list[str]:
    """The lines of the first block of shell."""
    found = _BLOCK.search(readme.read_text("utf-8"))
    lines = found[1].splitlines() if found else []
    if len(lines) != 2:
        sys.exit(f"{readme}: its first block of shell is to hold two commands: {lines}")
    return lines


def environment(folder: Path) -> dict[str, str]:
    """What the commands see: the interpreter that runs this as `python3`; caches and temporary files in `folder`."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(_LEFT_OUT)}
    for name, place in (("ZEROIN_CACHE_DIR", "cache"), ("ZEROIN_DATA_DIR", "data"), ("TMPDIR", "tmp")):
        (folder / place).mkdir()
        env[name] = str(folder / place)
    (folder / "tmp").chmod(0o1777)
    python3 = folder / "bin" / "python3"
    python3.parent.mkdir()
    python3.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python3.chmod(0o755)
    return {**env, "PATH": os.pathsep.join([str(python3.parent), env.get("PATH", os.defpath)])}


def run(command: str, clone: Path, env: dict[str, str]) -> str:
    """Runs a line of shell and shows what it prints; its output. Exits where it fails."""
    print(f"$ {command}", flush=True)
    began, lines = time.monotonic(), []
    with subprocess.Popen(
        command,
        shell=True,
        cwd=clone,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        end = threading.Timer(_LIMIT_S, os.killpg, (process.pid, signal.SIGKILL))
        end.start()
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
        end.cancel()
    print(f"exit code {process.returncode} after {time.monotonic() - began:.0f} s", flush=True)
    if process.returncode:
        sys.exit(f"this command of README.md failed: {command}")
    return "".join(lines)


def main() -> None:
    root = Path(__file__).resolve().parents[1]
    top = Path(tempfile.mkdtemp(prefix="zeroin-first-"))
    try:
        top.chmod(0o755)  # tests let another user look into the folder for temporary files, as anybody may
        folder = top / "a-folder-with-a-long-name"
        while len(str(folder)) <= _LENGTH:
            folder /= "a-folder-with-a-long-name"
        clone = folder / "zeroin"
        clone.parent.mkdir(parents=True)
        env = environment(folder)
        subprocess.run(["git", "clone", "-q", str(root), str(clone)], env=env, check=True)
        ask, test = commands(clone / "README.md")
        if not _ANSWER.search(run(ask, clone, env)):
            sys.exit(f"no answer was printed by: {ask}")
        run(test, clone, env)
    finally:
        shutil.rmtree(top, ignore_errors=True)


if __name__ == "__main__":
    main()
