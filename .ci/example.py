"""Writes the worked examples anew: python .ci/example.py [FD], where FD is a clone, named fd, of what README.md asks.

In README.md, docs/AGENTS.md, docs/MCP.md and the skill, the answers below calls of zeroin are what it says about the
repository examples/rate-limiting, cut to an excerpt; README.md's first block is about FD and is left alone without it.
`--check` writes nothing and exits with 1 where a page shows something else.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", "docs/AGENTS.md", "docs/MCP.md", "src/zeroin/install/texts/skill/SKILL.md")

_MOST_LINES = 48  # of an answer that is shown as it is
# Of an excerpt: characters of a line, rows of the first table, rows of other lists.
_WIDTH, _ROWS, _FEW_ROWS = 150, 3, 2
_RUNS = ("r-0b85eac980", "r-85fe64c911", "r-5f0c2a91b7")  # what a page calls its runs: real names differ by place
_RUN = re.compile(r"\br-[0-9a-f]{10}\b")
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_WORLD = "examples/rate-limiting"
_TOOL = """
import json, pathlib, sys
from zeroin.mcp.roots import Roots
from zeroin.mcp.tools import call
from zeroin.mcp.work import Work
here = pathlib.Path.cwd()
print(call(sys.argv[1], json.loads(sys.argv[2]), Roots((here,), here), Work()).text)
"""


class World:
    """The example as a repository of one commit, and what zeroin says there; runs are named by `_RUNS`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.repository = folder / _WORLD
        self.real: dict[str, str] = {}  # the name that a page gives a run → its own
        shutil.copytree(ROOT / _WORLD, self.repository)
        when = "2024-01-01T00:00:00Z"
        identity = {
            f"GIT_{who}_{what}": value
            for who in ("AUTHOR", "COMMITTER")
            for what, value in (("NAME", "a"), ("EMAIL", "a@example.org"), ("DATE", when))
        }
        own = {"ZEROIN_CACHE_DIR": str(folder / "cache"), "ZEROIN_DATA_DIR": str(folder / "data")}
        self._env = {**os.environ, **identity, **own}
        for args in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "Catalogue service")):
            subprocess.run(["git", *args], cwd=self.repository, env=self._env, check=True)

    def named(self, call: str) -> str:
        """A call that goes on with a run which has no such name on this page goes on with its last one."""
        last = next(reversed(self.real), "")
        return _RUN.sub(lambda m: m[0] if m[0] in self.real else last, call)

    def answer(self, call: str) -> str:
        """What a call prints, with the page's names for its runs. Raises `CalledProcessError` where it fails."""
        program, *words = shlex.split(_RUN.sub(lambda m: self.real[m[0]], call))
        if program == "python":  # a script of ours, whose first argument is the repository
            return self._said([str(ROOT / words[0]), str(self.repository), *words[2:]], self.repository)
        if program != "zeroin":
            raise ValueError(call)
        where = self._folder if _WORLD in words else self.repository
        return self._said(["-m", "zeroin", *words], where)

    def tool(self, call: str) -> str:
        """What a tool of the MCP server answers to a call that is written as one of Python."""
        found = ast.parse(_RUN.sub(lambda m: self.real[m[0]], call), mode="eval").body
        assert isinstance(found, ast.Call) and isinstance(found.func, ast.Name)
        arguments = {str(given.arg): ast.literal_eval(given.value) for given in found.keywords}
        return self._said(["-c", _TOOL, found.func.id, json.dumps(arguments)], self.repository)

    def _said(self, arguments: Sequence[str], where: Path) -> str:
        command = [sys.executable, *arguments]
        done = subprocess.run(command, cwd=where, env=self._env, capture_output=True, check=True)
        text = done.stdout.decode()
        for own in dict.fromkeys(_RUN.findall(text)):
            if own not in self.real.values():
                self.real[_RUNS[len(self.real)]] = own
        names = {own: told for told, own in self.real.items()}
        return _RUN.sub(lambda m: names[m[0]], text)


def excerpt(text: str, *, short: bool = False) -> list[str]:
    """An answer in Markdown without its code: the first rows of each list, lines cut after a word.

    `…` stands for what is left out. `short`: only what comes before the first heading, and how it ended.
    """
    plain = re.sub(r"^### .*$|^Lines .*$", "", _FENCE.sub("", text), flags=re.MULTILINE)
    sections = [part.strip("\n") for part in re.split(r"^(?=## )", plain, flags=re.MULTILINE)]
    told: list[str] = []
    for number, section in enumerate(part for part in sections if part):
        lines = _fewer(section.split("\n"), _FEW_ROWS if number else _ROWS)
        lines += ["", "…"] if section == "## Code" else []
        if short and number:
            lines = [line for line in lines if "stopped: " in line]
            told += ["…", *lines] if lines else []
        else:
            told += ["", *lines] if told else lines
    return told


def _fewer(lines: Sequence[str], most: int) -> list[str]:
    out: list[str] = []
    rows = 0
    for line, after in zip(lines, (*lines[1:], ""), strict=True):
        head = line.startswith("| ---") or after.startswith("| ---")
        listed = line.startswith(("| ", "- ")) and not head
        rows = rows + 1 if listed else rows if line.strip() else 0
        if listed and rows > most:
            out += ["…"] if rows == most + 1 else []
        elif line or (out and out[-1]):
            out.append(_cut(line))
    return out


def _cut(line: str) -> str:
    if len(line) <= _WIDTH or "stopped: " in line:
        return line
    end = " … |" if line.endswith(" |") else " …"
    return line[: _WIDTH - len(end)].rpartition(" ")[0].rstrip(" ,;") + end


def rewritten(page: str, world: World) -> str:
    """A page with what the calls of its examples print now."""
    world.real = {}
    asked = ""

    def fence(match: re.Match[str]) -> str:
        nonlocal asked
        language, body = match[1], match[2]
        if language == "console" and (calls := _calls(body)) and all(map(_is_shown, calls)):
            told: list[str] = []
            for call in map(world.named, calls):
                told += [f"$ {call}", *excerpt(world.answer(_joined(call)), short=True)]
            return "\n".join(["```console", *told, "```"])
        if language == "text" and (tools := re.findall(r"^\w+_context\(.*\)$", body, re.MULTILINE)):
            answers = ([call, "", *excerpt(world.tool(call), short=True)] for call in map(world.named, tools))
            return "\n".join(["```text", "\n\n".join(map("\n".join, answers)), "```"])
        if language == "sh":
            asked = body.strip("\n") if _is_shown(body) else asked
        elif not language and asked and body.startswith("| "):
            lines, asked = excerpt(world.answer(_joined(asked)), short="zeroin refine" in asked), ""
            return "\n".join(["```", *lines, "```"])
        return match[0]

    return _FENCE.sub(fence, page)


def _calls(body: str) -> list[str]:
    """The calls of a console block, each with the lines that go on with it."""
    calls: list[str] = []
    for line in body.split("\n"):
        if line.startswith("$ "):
            calls.append(line[2:])
        elif calls and calls[-1].endswith("\\"):
            calls[-1] += f"\n{line}"
    return calls


def _joined(call: str) -> str:
    return call.replace("\\\n", " ")


def _is_shown(call: str) -> bool:
    """Whether a call asks about the example: in words, about a run, or by a script of ours."""
    if call.startswith("python examples/"):
        return True
    return re.match(r"zeroin ('[A-Z]|refine r-|more r-)", call) is not None and "-f markdown" in call


def about_fd(page: str, fd: Path) -> str:
    """README.md with what its console blocks about the clone print now, trimmed at the end only."""

    def block(match: re.Match[str]) -> str:
        commands = [line for line in match[2].split("\n") if line.startswith("$ ")]
        if match[1] != "console" or not commands or f" {fd.name} " not in f"{commands[-1]} ":
            return match[0]  # an excerpt of something else
        with tempfile.TemporaryDirectory() as cache:
            path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
            env = {**os.environ, "PATH": path, "ZEROIN_CACHE_DIR": cache, "COLUMNS": "100"}
            command = ["bash", "-c", commands[-1][2:]]
            done = subprocess.run(command, cwd=fd.parent, env=env, stdout=subprocess.PIPE, check=True)
        lines = done.stdout.decode().rstrip("\n").split("\n")
        lines = lines if len(lines) <= _MOST_LINES else [*lines[:_MOST_LINES], "…"]
        return "\n".join(["```console", *commands, *lines, "```"])

    return _FENCE.sub(block, page)


def main(arguments: Sequence[str]) -> int:
    """Writes the pages, or says with `--check` which of them differ."""
    check = "--check" in arguments
    clones = [Path(argument).resolve() for argument in arguments if argument != "--check"]
    differ = []
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder))
        for name in PAGES:
            file = ROOT / name
            before = file.read_text("utf-8")
            after = rewritten(before, world)
            for clone in clones if name == "README.md" else ():
                after = about_fd(after, clone)
            if after != before:
                differ.append(name)
                if not check:
                    file.write_text(after, "utf-8")
    for name in differ:
        print(f"{name}: {'shows something else' if check else 'written anew'}")
    return 1 if check and differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
