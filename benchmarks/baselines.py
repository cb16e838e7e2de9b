"""Baselines that anybody can reproduce, answering the same tasks over the same files.

``bm25``: BM25 (bm25s, its defaults: Lucene's variant, k1 = 1.5, b = 0.75, English stop words) over whole file bodies,
words as the library's own pattern finds them: no identifier splitting, no stemming, no fields.
``bm25-code``: the same over source files only (by extension): stronger where the answer is code, since no document
can win.
``ripgrep``: what an agent with grep gets: files by the number of distinct task words they contain, then by the number
of matches.

Candidates: every regular text file under 1 MB of the revision, below ``root`` where a task has one. Contents come from
``git cat-file``, not ``git archive``, which would leave out what ``.gitattributes`` marks ``export-ignore`` (often the
tests).
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Any

import bm25s  # type: ignore[import-untyped]
import numpy as np
from bm25s.stopwords import STOPWORDS_EN  # type: ignore[import-untyped]

from benchmarks.data import TOP, Kind, Task, load
from benchmarks.repositories import MAX_BYTES, is_text, list_blobs, read_blobs
from benchmarks.runs import write_rows

Row = dict[str, Any]
WORD = re.compile(r"(?u)\b\w\w+\b")  # bm25s' default pattern
STOP_WORDS = frozenset(STOPWORDS_EN)
OTHER = 0  # every word that no task of the repository asks for: such words count for a file's length only
SHORTEST_KEYWORD = 3
CODE = frozenset(
    ".bash .c .cc .clj .cpp .cs .css .cxx .d .dart .erl .ex .exs .fs .go .groovy .h .hh .hpp .hs .hxx .inl .ipp .java"
    " .jl .js .jsx .kt .kts .lhs .lua .m .mjs .ml .mm .nim .php .pl .pm .proto .py .pyi .pyx .r .rb .rs .scala .sh .sql"
    " .svelte .swift .ts .tsx .vue .zig".split()
)


def words(text: str) -> list[str]:
    """Lower-cased words of a text, stop words left out."""
    return [word for word in WORD.findall(text.lower()) if word not in STOP_WORDS]


def keywords(text: str) -> list[str]:
    """Distinct words of a task that are worth a grep, longest first: the longer wins where two begin at one place."""
    found = {word for word in words(text) if len(word) >= SHORTEST_KEYWORD and not word.isdigit()}
    return sorted(found, key=lambda word: (-len(word), word))


def ranked(paths: Sequence[str], scores: Sequence[tuple[float, ...]], top: int) -> list[Row]:
    """The best ``top`` files with a score above zero, ties by path."""
    found = (i for i, score in enumerate(scores) if score[0] > 0)
    order = sorted(found, key=lambda i: (tuple(-s for s in scores[i]), paths[i]))
    return [{"path": paths[i], "score": round(scores[i][0], 4)} for i in order[:top]]


def text_blobs(tasks: Sequence[Task]) -> Iterator[tuple[str, str]]:
    """(path, blob) of the candidates of tasks that share a commit and a root."""
    prefix = f"{tasks[0].root}/" if tasks[0].root else ""
    for blob in list_blobs(tasks[0].git_dir, tasks[0].rev):
        if blob.path.startswith(prefix) and blob.size < MAX_BYTES:
            yield blob.path, blob.blob


def is_code(path: str) -> bool:
    """Whether a path looks like source code by its extension."""
    return PurePosixPath(path).suffix.lower() in CODE


class Bm25:
    """BM25 over the commits of one repository; a blob is split into words once."""

    def __init__(self, tasks: Sequence[Task], *, code_only: bool = False) -> None:
        self._code_only = code_only
        asked = {word for task in tasks for word in words(task.task)}
        self._vocabulary = {word: number for number, word in enumerate(sorted(asked), start=OTHER + 1)}
        self._known: dict[str, np.ndarray | None] = {}

    def answer(self, tasks: Sequence[Task]) -> Iterator[Row]:
        """Answers of tasks that share a commit and a root."""
        candidates = [(path, blob) for path, blob in text_blobs(tasks) if not self._code_only or is_code(path)]
        started = time.perf_counter()
        missing = dict.fromkeys(blob for _, blob in candidates if blob not in self._known)
        for blob, data in read_blobs(tasks[0].git_dir, missing):
            self._known[blob] = self._ids(data)
        documents = [(path, ids) for path, blob in candidates if (ids := self._known[blob]) is not None]
        paths = [path for path, _ in documents]
        index = bm25s.BM25()
        index.index(([ids for _, ids in documents], {"": OTHER} | self._vocabulary), show_progress=False)
        share = (time.perf_counter() - started) / len(tasks)
        for task in tasks:
            started = time.perf_counter()
            asked = [self._vocabulary[word] for word in words(task.task)]
            scores = index.get_scores_from_ids(asked) if asked else np.zeros(len(paths))
            ranking = ranked(paths, [(float(s),) for s in scores], TOP)
            yield {"id": task.id, "ranking": ranking, "seconds": round(share + time.perf_counter() - started, 4)}

    def _ids(self, data: bytes) -> np.ndarray | None:
        """Word numbers of a text (int32), None for a binary one."""
        if not is_text(data):
            return None
        found = words(data.decode(errors="replace"))
        return np.fromiter((self._vocabulary.get(word, OTHER) for word in found), dtype=np.int32, count=len(found))


class Ripgrep:
    """Ripgrep over each commit, written out to a temporary folder; the seconds are those of the search alone."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._git_dir = tasks[0].git_dir

    def answer(self, tasks: Sequence[Task]) -> Iterator[Row]:
        """Answers of tasks that share a commit and a root."""
        with tempfile.TemporaryDirectory(prefix="bench-") as name:
            folder = Path(name)
            # Files are written under numbers: a hostile or odd path of the repository never reaches this file system.
            paths = list(self._write(tasks, folder))
            for task in tasks:
                started = time.perf_counter()
                distinct, matches = self._count(folder, keywords(task.task))
                scores = [(float(distinct[i]), float(matches[i])) for i in range(len(paths))]
                ranking = ranked(paths, scores, TOP)
                yield {"id": task.id, "ranking": ranking, "seconds": round(time.perf_counter() - started, 4)}

    def _write(self, tasks: Sequence[Task], folder: Path) -> Iterator[str]:
        candidates = list(text_blobs(tasks))
        contents = read_blobs(self._git_dir, (blob for _, blob in candidates))
        number = 0
        for (path, _), (_, data) in zip(candidates, contents, strict=True):
            if is_text(data):
                (folder / str(number)).write_bytes(data)
                number += 1
                yield path

    def _count(self, folder: Path, asked: Sequence[str]) -> tuple[Counter[int], Counter[int]]:
        """Per file number: distinct keywords contained, and matches of any keyword."""
        distinct: Counter[int] = Counter()
        matches: Counter[int] = Counter()
        if not asked:
            return distinct, matches
        # A match of a longer keyword contains the shorter ones within it.
        within = {word: [part for part in asked if part in word] for word in asked}
        options = ["--no-config", "--no-ignore", "--hidden", "--text"]
        options += ["--ignore-case", "--fixed-strings", "--only-matching"]
        layout = ["--no-heading", "--with-filename", "--no-line-number", "--null", "--color=never", "--threads=1"]
        with subprocess.Popen(
            ["rg", *options, *layout, "--file=-", "."], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            if process.stdin is None or process.stdout is None:
                raise OSError("rg has no pipes")
            process.stdin.write("\n".join(asked).encode() + b"\n")
            process.stdin.close()
            for file, lines in groupby(process.stdout, key=lambda line: line.partition(b"\0")[0]):
                matched = (line.partition(b"\0")[2].rstrip(b"\n") for line in lines)
                found = Counter(match.decode(errors="replace").lower() for match in matched)
                number = int(file.removeprefix(b"./"))
                distinct[number] = len({part for word in found for part in within.get(word, [word])})
                matches[number] = found.total()
        return distinct, matches


BASELINES: Mapping[str, Callable[[Sequence[Task]], Bm25 | Ripgrep]] = {
    "bm25": Bm25,
    "bm25-code": partial(Bm25, code_only=True),
    "ripgrep": Ripgrep,
}


def answers(name: str, tasks: Iterable[Task]) -> Iterator[Row]:
    """Result rows of one baseline, repository by repository."""
    repositories: dict[Path, list[Task]] = defaultdict(list)
    for task in tasks:
        repositories[task.git_dir].append(task)
    for of_repository in repositories.values():
        baseline = BASELINES[name](of_repository)
        commits: dict[tuple[str, str], list[Task]] = defaultdict(list)
        for task in of_repository:
            commits[task.rev, task.root].append(task)
        for of_commit in commits.values():
            yield from baseline.answer(of_commit)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write RUN.jsonl of one baseline; score it with ``python -m benchmarks.measure --run``."""
    parser = argparse.ArgumentParser(prog="benchmarks.baselines", description=__doc__)
    parser.add_argument("baseline", choices=sorted(BASELINES))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, metavar="RUN.jsonl")
    parser.add_argument("--only", choices=("issues", "queries"))
    parser.add_argument("--limit", type=int)
    parser.add_argument("--whole", action="store_true", help="queries over the whole repository, not their root")
    options = parser.parse_args(arguments)
    kinds: dict[str | None, tuple[Kind, ...]] = {None: ("issue", "query"), "issues": ("issue",), "queries": ("query",)}
    loaded = load(options.data, options.repos, kinds=kinds[options.only], limit=options.limit, whole=options.whole)
    started = time.perf_counter()
    write_rows(options.out, answers(options.baseline, loaded.tasks))
    spent = time.perf_counter() - started
    print(f"{options.baseline}: {len(loaded.tasks)} tasks in {spent:.0f} s; skipped {dict(loaded.skipped)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
