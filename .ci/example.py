"""Writes the README's example anew: python .ci/example.py FD, where FD is a clone, named fd, of what is asked there.

The commands are the last ones of the README's console blocks; what they print is trimmed at the end only.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

_MOST_LINES = 48
_README = Path("README.md")
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def answer(command: str, folder: Path) -> list[str]:
    """The lines that a shell command prints on standard output in `folder`, with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        env = {**os.environ, "PATH": path, "ZEROIN_CACHE_DIR": cache, "COLUMNS": "100"}
        done = subprocess.run(
            ["bash", "-c", command], cwd=folder, env=env, stdout=subprocess.PIPE, check=True
        )
    lines = done.stdout.decode().rstrip("\n").split("\n")
    return lines if len(lines) <= _MOST_LINES else [*lines[:_MOST_LINES], "…"]


def rewritten(text: str, folder: Path) -> str:
    """The README with what its console blocks about the clone print now."""
    folder_name = Path(sys.argv[1]).resolve().name

    def block(match: re.Match[str]) -> str:
        commands = [line for line in match[1].split("\n") if line.startswith("$ ")]
        if f" {folder_name} " not in f"{commands[-1]} ":  # an excerpt of something else
            return match[0]
        return "\n".join(["```console", *commands, *answer(commands[-1][2:], folder), "```"])

    return _BLOCK.sub(block, text)


_README.write_text(rewritten(_README.read_text("utf-8"), Path(sys.argv[1]).resolve().parent), "utf-8")
