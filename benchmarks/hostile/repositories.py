"""Ask about repositories full of tricks, in every form, and look at all that happens.

Wanted of every case: nothing of the repository is started, nothing outside is read or shown, the answer is well formed
in each format, the right file is first (or one line says why there is no answer), time and memory stay bounded, and no
process is left.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.hostile.escaped import FORMATS, faults
from benchmarks.hostile.place import RIGHT, SECRET, TASK, Place, build
from benchmarks.hostile.tricks_files import FILES, LARGE, SOURCES
from benchmarks.hostile.tricks_git import CONFIGURED
from benchmarks.hostile.tricks_objects import OBJECTS
from benchmarks.hostile.watched import Watched, watch

MOST_BYTES, MOST_S = 1_500_000_000, 60.0  # of all processes of a command together; of the processor
Trick = Callable[[Place], None]
TRICKS: Mapping[str, Sequence[Trick]] = {
    "configuration": CONFIGURED,
    "objects": OBJECTS,
    "files": FILES,
    "sources": SOURCES,
    "large": LARGE,
}
# git itself refuses these, or the product does: one line says so.
REFUSED = frozenset(
    """
    included_itself included_secret included_pipe included_zeros index_of_lies zeros_to_ignore a_tree_elsewhere
    circular_names commit_bomb tree_bomb damaged_helpers
    """.split()
)
CROWDED = frozenset({"names"})  # other files are as good as the right one
UNTRACED = frozenset({"tree_bomb", "many_files"})  # a trace would take minutes
FOLLOWED = {"a_git_directory_elsewhere": "kept"}  # where a command goes that its caller did not call hostile
_FEW = ("find -f json", "find -f markdown", "find -f paths", "find --rev")  # where what is said is not the point
_TRACED = ("find -f json", "find --diff", "find --rev")
_CODE = ("--pack", "full", "--budget", "60000")
WAYS: Mapping[str, Sequence[str]] = {
    **{f"find -f {form}": ("find", TASK, ".", "-f", form, "--explain", *_CODE) for form in FORMATS},
    "find -f paths --null": ("find", TASK, ".", "-f", "paths", "--null"),
    "find --report": ("find", TASK, ".", "-f", "paths", "--report", "../page.html"),
    "find --rev": ("find", TASK, ".", "-f", "json", "--rev", "HEAD", *_CODE),
    "find --diff": ("find", ".", "-f", "markdown", *_CODE, "--diff"),
    "find --diff=HEAD~1": ("find", ".", "-f", "json", *_CODE, "--diff=HEAD~1"),
    "terms": ("terms", "coupon", ".", "-f", "markdown"),
    "doctor": ("doctor",),
}


@dataclass(slots=True)
class Case:
    """What was seen of one trick; `wrong` lists what should not have been."""

    name: str
    peak: int = 0
    seconds: float = 0.0
    runs: int = 0
    answers: int = 0
    said: set[str] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)
    by_git: set[str] = field(default_factory=set)

    def shown(self) -> dict[str, Any]:
        """The case as it stands in a result file."""
        return {
            "case": self.name,
            "runs": self.runs,
            "answers": self.answers,
            "peak_mb": round(self.peak / 1e6),
            "processor_s_most": round(self.seconds, 1),
            "said": sorted(self.said)[:4],
            "opened_outside_by_git": sorted(self.by_git),
            "wrong": self.wrong,
        }


def measured(only: str = "", parts: Sequence[str] = tuple(TRICKS)) -> Iterator[Case]:
    """Every case, one after another, each in a folder of its own."""
    for part in parts:
        for trick in TRICKS[part]:
            if only in trick.__name__:
                with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
                    try:
                        yield asked(trick, Path(folder), _FEW if part in ("sources", "large") else tuple(WAYS))
                    finally:
                        subprocess.run(["chmod", "-R", "u+rwX", folder], check=False, capture_output=True)
                        subprocess.run(["rm", "-rf", f"{folder}/root"], check=False)


def asked(trick: Trick, folder: Path, ways: Sequence[str] = tuple(WAYS)) -> Case:
    """Build the repository of a trick and ask about it in some ways."""
    place = build(folder)
    trick(place)
    place.mark.unlink(missing_ok=True)
    before = set(os.listdir(place.outside))  # noqa: PTH208
    case = Case(trick.__name__)
    for way in ways:
        _ask(case, place, way)
    if place.mark.exists():
        case.wrong.append(f"started: {place.mark.read_text()[:200]}")
    if set(os.listdir(place.outside)) != before:  # noqa: PTH208
        case.wrong.append("something was written outside")
    return case


def _ask(case: Case, place: Place, way: str) -> None:
    home = place.root.parent / "home"
    home.mkdir(exist_ok=True)
    env = {
        **{k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "ZEROIN_"))},
        "HOME": str(home),
        "ZEROIN_CACHE_DIR": str(home / "cache"),
        "ZEROIN_DATA_DIR": str(home / "data"),
    }
    command = [sys.executable, "-m", "zeroin", *WAYS[way]]
    traced = (
        way in _TRACED
        and case.name not in UNTRACED
        and not case.name.startswith("source")
        and shutil.which("strace") is not None
    )
    done = watch(command, place.root, env, traced=traced)
    case.runs += 1
    case.peak, case.seconds = max(case.peak, done.peak), max(case.seconds, done.processor_s)
    case.wrong += [f"{way}: {what}" for what in _wrong(case, place, way, done)]


def _wrong(case: Case, place: Place, way: str, done: Watched) -> Iterator[str]:
    """What should not have happened in one run."""
    page = place.root.parent / "page.html"
    report = page.read_bytes() if way == "find --report" and page.exists() else b""
    said = done.err.decode("utf-8", "replace")
    if done.status not in (0, 1, 2) or "Traceback" in said:
        yield f"status {done.status}: {' '.join(said.split())[-300:]}"
    for text in (done.out, done.err, report):
        if SECRET.encode() in text:
            yield "shows what lies outside"
    form = WAYS[way][WAYS[way].index("-f") + 1] if "-f" in WAYS[way] else "table"
    if way not in ("doctor", "terms", "find -f paths --null"):
        yield from faults(form, done.out)
    yield from faults("report" if report else "", report)
    yield from (f"standard error {what}" for what in faults("table", done.err))
    if done.status == 2:
        case.said.add(said.strip()[:200].replace(str(place.root.parent), ""))
        if said.count("\n") != 1:
            yield f"an error of {said.count(chr(10))} lines"
        if case.name not in REFUSED and way.startswith("find -f"):
            yield f"no answer: {said[:200].strip()}"
    elif done.status in (0, 1) and way.startswith("find -f"):
        case.answers += 1
        if RIGHT.encode() not in done.out and case.name not in CROWDED:
            yield "the right file is not in the answer"
    if done.peak > MOST_BYTES:
        yield f"{done.peak / 1e6:.0f} MB"
    if done.processor_s > MOST_S and case.name != "many_files":
        yield f"{done.processor_s:.0f} s of the processor"
    if done.left:
        yield f"{done.left} processes left"
    yield from _traced(case, place, done)


def _traced(case: Case, place: Place, done: Watched) -> Iterator[str]:
    """What a traced run started and opened that it should not have."""
    followed = place.outside / FOLLOWED.get(case.name, "-")
    outside = {
        path for path in done.opened if path.startswith(f"{place.outside}/") and not Path(path).is_relative_to(followed)
    }
    case.by_git |= {path.replace(str(place.outside), "OUTSIDE") for path in outside if done.by_git(path)}
    yield from (f"opened {path}" for path in sorted(outside) if not done.by_git(path))
    for program in sorted(done.started):
        if Path(program).name not in ("git", Path(sys.executable).name, Path(sys.executable).resolve().name):
            yield f"started {program}"
