"""The peer engine semble on the tasks that zeroin is measured on, through its own Python interface.

Per task: every regular file under 1 MB of the revision is written out (below ``root`` where a task has one), semble
indexes the folder by its own rules (source files, ignore files honoured) and searches with the whole task text; a file
stands where its best chunk stands. Commits of a repository are taken in time order, so that semble's own incremental
index chunks a file again only when its bytes changed, and a chunk is embedded once; the index is the same as a fresh
one (tested).

Runs written (``RUNS``): semble as it is, searched 100 chunks deep; the same at its default depth of 10 chunks (the
depth widens its candidate pool, so the two rank differently); words alone (``alpha=0``), which needs no model.
The model comes from ``benchmarks.semble_model``, since semble's own cannot be had offline: figures are to be named
"semble VERSION with a static model distilled from all-MiniLM-L6-v2".
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from model2vec import StaticModel  # type: ignore[import-not-found]
from semble import SembleIndex  # type: ignore[import-not-found]
from semble.index.create import create_index_from_path  # type: ignore[import-not-found]
from semble.index.dense import load_model  # type: ignore[import-not-found]
from semble.index.types import PreviousIndex  # type: ignore[import-not-found]
from semble.types import ContentType  # type: ignore[import-not-found]

from benchmarks.checkout import Checkout
from benchmarks.data import TOP, Kind, Task, load
from benchmarks.repositories import MAX_BYTES, list_blobs, run_git
from benchmarks.runs import read_run

Row = dict[str, Any]
KINDS: Mapping[str | None, tuple[Kind, ...]] = {None: ("query", "issue"), "issues": ("issue",), "queries": ("query",)}


@dataclass(frozen=True, slots=True)
class Search:
    """Arguments of semble's search: chunks wanted, and the weight of vectors beside words (None: semble decides)."""

    top_k: int
    alpha: float | None = None


RUNS: Mapping[str, Search] = {"semble": Search(TOP), "semble-top10": Search(10), "semble-words": Search(TOP, alpha=0.0)}


class Remembering:
    """An embedding model as semble uses it, which embeds a text once: most chunks of an edited file are old ones."""

    def __init__(self, model: StaticModel) -> None:
        self._model = model
        self._known: dict[bytes, np.ndarray] = {}
        self.dim = model.dim

    def encode(self, texts: Sequence[str], **options: Any) -> np.ndarray:
        """Vectors (float[texts, dim]), as the model gives them; with options are chunks, without a query."""
        if not options:
            return self._model.encode(texts)
        keys = [sha256(text.encode(errors="surrogatepass")).digest() for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if new:
            self._known.update(zip(new, self._model.encode(list(new.values()), **options), strict=True))
        return np.array([self._known[key] for key in keys])


class Semble:
    """semble over the commits of one repository and one root; what did not change since the last commit is kept."""

    def __init__(self, model_path: Path) -> None:
        model, self._model_path = load_model(str(model_path))
        self._model = Remembering(model)
        self._previous: PreviousIndex | None = None

    def index(self, folder: Path) -> SembleIndex:
        """Index a folder as ``SembleIndex.from_path`` does; raises ValueError when nothing in it is source code."""
        content = (ContentType.CODE,)  # semble's default
        bm25, vectors, chunks, manifest = create_index_from_path(
            folder, self._model, content, display_root=folder, previous=self._previous
        )
        self._previous = PreviousIndex(chunks, vectors.vectors, manifest, bm25)
        return SembleIndex(
            self._model, bm25, vectors, chunks, self._model_path, root=folder, content=content, manifest=manifest
        )


def answers(tasks: Sequence[Task], model_path: Path) -> Iterator[Mapping[str, Row]]:
    """Per task of one repository: run name → result row; ``seconds`` are those of the search alone."""
    git_dir = tasks[0].git_dir
    engines: dict[str, Semble] = defaultdict(lambda: Semble(model_path))
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name).resolve()
        checkout = Checkout(git_dir, folder)
        for (rev, root), asked in _by_commit(tasks):
            checkout.move(rev)
            try:
                index = engines[root].index(folder / root)
            except (ValueError, OSError) as error:
                said = str(error).replace(name, "")
                for task in asked:
                    yield {run: {"id": task.id, "error": said} for run in RUNS}
                continue
            for task in asked:
                yield {run: _answer(index, task, search) for run, search in RUNS.items()}


def _by_commit(tasks: Iterable[Task]) -> list[tuple[tuple[str, str], list[Task]]]:
    """Tasks by (commit, root), oldest commit first."""
    commits: dict[tuple[str, str], list[Task]] = defaultdict(list)
    for task in tasks:
        commits[task.rev, task.root].append(task)
    return sorted(commits.items(), key=lambda item: (_committed(item[1][0]), item[0]))


def _committed(task: Task) -> int:
    return int(run_git(task.git_dir, "show", "-s", "--format=%ct", task.rev))


def _answer(index: SembleIndex, task: Task, search: Search) -> Row:
    started = time.perf_counter()
    found = index.search(task.task, top_k=search.top_k, alpha=search.alpha)
    spent = time.perf_counter() - started
    best: dict[str, float] = {}  # results come best first: a file's first chunk is its best
    for result in found:
        best.setdefault(result.chunk.file_path, float(result.score))
    prefix = f"{task.root}/" if task.root else ""
    ranking = [{"path": prefix + path, "score": round(score, 6)} for path, score in best.items()]
    return {"id": task.id, "ranking": ranking, "seconds": round(spent, 4)}


def write_runs(folder: Path, tasks: Sequence[Task], model_path: Path) -> None:
    """Append what is not answered yet, repository by repository, to ``<run>.jsonl`` in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {run: folder / f"{run}.jsonl" for run in RUNS}
    done = frozenset[str].intersection(
        *(frozenset(read_run(path)) if path.exists() else frozenset[str]() for path in paths.values())
    )
    repositories: dict[Path, list[Task]] = defaultdict(list)
    for task in tasks:
        if task.id not in done:
            repositories[task.git_dir].append(task)
    with ExitStack() as opened:
        streams = {run: opened.enter_context(path.open("a", encoding="utf-8")) for run, path in paths.items()}
        # The smallest first: a run that is cut short has answered most tasks.
        ordered = sorted(repositories.values(), key=_size)
        for number, of_repository in enumerate(ordered, start=1):
            started = time.perf_counter()
            for rows in answers(of_repository, model_path):
                _append(streams, rows)
            spent = time.perf_counter() - started
            print(
                f"{number}/{len(ordered)} {of_repository[0].repo}: {len(of_repository)} tasks, {spent:.0f} s",
                file=sys.stderr,
                flush=True,
            )


def _size(tasks: Sequence[Task]) -> int:
    """Bytes of the first task's revision times commits."""
    commits = len({task.rev for task in tasks})
    return commits * sum(blob.size for blob in list_blobs(tasks[0].git_dir, tasks[0].rev) if blob.size < MAX_BYTES)


def _append(streams: Mapping[str, TextIO], rows: Mapping[str, Row]) -> None:
    for run, stream in streams.items():
        stream.write(json.dumps(rows[run], ensure_ascii=False) + "\n")
        stream.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the runs of semble; show them with ``python -m benchmarks.measure --beside``."""
    parser = argparse.ArgumentParser(prog="benchmarks.semble_peer", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True, help="folder of benchmarks.semble_model")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="goes on where it stopped")
    parser.add_argument("--only", choices=("issues", "queries"))
    parser.add_argument("--limit", type=int)
    parser.add_argument("--whole", action="store_true", help="queries over the whole repository, not their root")
    options = parser.parse_args(arguments)
    loaded = load(options.data, options.repos, kinds=KINDS[options.only], limit=options.limit, whole=options.whole)
    with tempfile.TemporaryDirectory(prefix="bench-") as cache:
        os.environ["SEMBLE_CACHE_LOCATION"] = cache  # semble notes every search in its cache folder
        write_runs(options.out, loaded.tasks, options.model.resolve())
    print(f"semble {version('semble')}: {len(loaded.tasks)} tasks; skipped {dict(loaded.skipped)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
