"""The tools that are timed as whole commands: zeroin, the peer semble as its users run it, and `git grep`.

semble lives in an environment of its own and is run with a static model that was distilled offline
(`benchmarks.semble_model`): figures are to be named "semble VERSION with a static model distilled from
all-MiniLM-L6-v2". It sets its own number of processes; nothing is changed but the places of its model and its cache.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

STATES = ("cold", "warm", "edited", "second")


@dataclass(frozen=True, slots=True)
class Tool:
    """A command that answers a task over a tree, from a cache of its own; `states` are those worth timing.

    `answers` are exit codes of an answer: any other is a failure.
    """

    name: str
    command: Callable[[str, Path], Sequence[str]]
    environment: Callable[[Path], Mapping[str, str]] = lambda cache: {}
    states: Sequence[str] = STATES
    answers: Sequence[int] = (0,)


# 1: nothing was found; 3: an answer that is marked as partial.
ZEROIN_ANSWERS = (0, 1, 3)


def zeroin(*options: str, name: str = "zeroin", states: Sequence[str] = STATES) -> Tool:
    """This checkout's command, its answer as JSON."""

    def command(task: str, tree: Path) -> Sequence[str]:
        return [sys.executable, "-m", "zeroin", task, str(tree), "--format", "json", *options]

    return Tool(name, command, lambda cache: {"ZEROIN_CACHE_DIR": str(cache)}, states, ZEROIN_ANSWERS)


@contextlib.contextmanager
def resident(place: Path) -> Iterator[Tool]:
    """This checkout's command while `zeroin serve` runs, with the index of `zeroin()`; it has to come after that.

    Processor time and memory are those of the client alone: the resident process does the work.
    """
    place.mkdir(parents=True)
    own = {"ZEROIN_SERVE": "1", "XDG_RUNTIME_DIR": str(place)}
    with subprocess.Popen(
        [sys.executable, "-m", "zeroin", "serve"], env={**os.environ, **own}, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        process.stderr.readline()
        try:
            yield Tool(
                "resident",
                zeroin().command,
                lambda cache: {**own, "ZEROIN_CACHE_DIR": str(cache.parent / "zeroin")},
                ("warm", "edited"),
                ZEROIN_ANSWERS,
            )
        finally:
            process.terminate()


def git_grep(word: str) -> Tool:
    """Every line that holds a word, in capitals or not."""
    return Tool(
        "git grep", lambda task, tree: ["git", "-C", str(tree), "grep", "-inI", word], states=("warm",), answers=(0, 1)
    )


def starts() -> tuple[Tool, Tool]:
    """What every command begins with: Python alone, and with the modules that an answer needs."""
    modules = "import zeroin.cli.main, zeroin.cli.answer, zeroin.engine"
    return (
        Tool("Python alone", lambda task, tree: [sys.executable, "-c", "pass"], states=("warm",)),
        Tool("imports", lambda task, tree: [sys.executable, "-c", modules], states=("warm",)),
    )


@dataclass(frozen=True, slots=True)
class Semble:
    """The peer: its executable and the folder of its model."""

    executable: Path
    model: Path

    def environment(self, cache: Path) -> dict[str, str]:
        """Variables that say where model and cache are, and that nothing is to be downloaded."""
        return {"SEMBLE_MODEL_NAME": str(self.model), "SEMBLE_CACHE_LOCATION": str(cache), "HF_HUB_OFFLINE": "1"}

    def tool(self) -> Tool:
        """Its search with its defaults: source files, five chunks, JSON."""
        return Tool("semble", lambda task, tree: self.search(task, tree), self.environment)

    def search(self, task: str, tree: Path, *options: str) -> list[str]:
        """The command that asks it."""
        return [str(self.executable), "search", *options, "--", task, str(tree)]

    def version(self) -> str:
        """What it calls itself."""
        done = subprocess.run([str(self.executable), "--version"], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def chunks(self, task: str, tree: Path, cache: Path, count: int) -> list[tuple[str, int, int]]:
        """Its best chunks as (path, first line, last line). Raises `CalledProcessError`."""
        done = subprocess.run(
            self.search(task, tree, "-k", str(count)), env=self.environment(cache), capture_output=True, check=True
        )
        found = json.loads(done.stdout).get("results", [])
        return [(row["file_path"], row["start_line"], row["end_line"]) for row in found]


def add_semble(parser: ArgumentParser) -> None:
    """Options that say where the peer is."""
    parser.add_argument("--semble", metavar="COMMAND", help="the peer's command; it is left out without it")
    parser.add_argument("--model", type=Path, help="folder of benchmarks.semble_model, for --semble")


def semble_of(options: Namespace, parser: ArgumentParser) -> Semble | None:
    """The peer that the options name, none without; ends the program where it cannot be run."""
    if options.semble is None:
        return None
    found = shutil.which(options.semble)
    if found is None or options.model is None or not options.model.is_dir():
        parser.error("--semble needs a command that is there, and --model the folder of its model")
    return Semble(Path(found).absolute(), options.model.resolve())
