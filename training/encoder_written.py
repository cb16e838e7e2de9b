"""Trains the encoder further on written tasks: each is asked of all files of its repository.

    python -m training.encoder_written --encoder FILE --written FOLDER --pairs FOLDER --lexicon FOLDER --out FILE

A step takes a few repositories of `training.written`, computes passages and paths as the product does, scores each file
by best passage + 0.3 path + 0.2 second passage (as dense retrieval did before it added all passages together), and
raises the one that the task was written for (softmax over the files that are nearest now). Beside them, batches of the
first training (pairs of public code, the lexicon) keep what was learned before, and an anchor keeps terms near where
they started.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from training.encoder import SEED, Sampler, Table, contrast, quantised
from training.encoder_data import Ragged, lexicon_pairs, read_pairs, strings
from training.model_files import save_encoder
from training.written import Asked, read_asked
from zeroin.index.dense import PATH_SHARE, SECOND_SHARE, best_passages
from zeroin.models.encoder import Encoder, read_encoder
from zeroin.terms import term_id

STEPS, RATE, TEMPERATURE, ANCHOR = 800, 1e-3, 0.1, 1.0
REPOSITORIES, TASKS, FILES = 4, 48, 400  # of a step: repositories, and of each its tasks and files
NEAREST = 12  # files that compete for a task
PER_LEXICON, PER_REPOSITORY = 300, 100  # pairs of a batch of the first training
DROPPED = 0.15  # of the terms of passages


@dataclass(frozen=True, slots=True)
class Step:
    """Tasks of one repository, and the files that compete for them. `gold` (T,) are rows of `paths`."""

    tasks: Ragged
    passages: Ragged
    file_of: NDArray[np.int64]
    paths: Ragged
    gold: NDArray[np.int64]


def hardest(table: Table, asked: Asked, rng: np.random.Generator) -> Step:
    """Some tasks, and for each the files that are nearest now, by their two best passages."""
    rows = rng.permutation(len(asked.gold))[:TASKS]
    gold = np.unique(asked.gold[rows])
    others = rng.permutation(np.setdiff1d(np.arange(len(asked.paths)), gold))[: FILES - len(gold)]
    chosen = np.sort(np.r_[gold, others])
    inside = np.flatnonzero(np.isin(asked.file_of, chosen))
    keep = rng.random(len(asked.passages.terms)) >= DROPPED
    passages, file_of = asked.passages.take(inside, keep)[0], np.searchsorted(chosen, asked.file_of[inside])
    paths, right = asked.paths.take(chosen)[0], np.searchsorted(chosen, asked.gold[rows])
    tasks = asked.tasks.take(rows)[0]
    with torch.no_grad():
        vectors = table.side(tasks, 0, linear=True)
        similarity = (vectors @ table.side(passages, 1).T).numpy()
        of_path = (vectors @ table.side(paths, 1).T).numpy()
    pointers = np.searchsorted(file_of, np.arange(len(paths) + 1))
    files: set[int] = set(right.tolist())
    kept: set[int] = set()
    for task, row in enumerate(similarity):
        _, best, second = best_passages(row, pointers)
        near = np.argsort(-(best + PATH_SHARE * of_path[task] + SECOND_SHARE * second))[:NEAREST]
        for file in {*near.tolist(), int(right[task])}:
            files.add(file)
            own = np.arange(pointers[file], pointers[file + 1])
            kept.update(own[np.argsort(-row[own])[:2]].tolist())
    compete, used = np.array(sorted(files)), np.array(sorted(kept))
    return Step(
        tasks,
        passages.take(used)[0],
        np.searchsorted(compete, file_of[used]),
        paths.take(compete)[0],
        np.searchsorted(compete, right),
    )


def file_scores(table: Table, step: Step) -> torch.Tensor:
    """Score of every file for every task by best passage, path and second passage, shape (tasks, files)."""
    vectors = table.side(step.tasks, 0, linear=True)
    similarity = vectors @ table.side(step.passages, 1).T
    of = torch.tensor(step.file_of).expand(len(similarity), -1)
    nothing = torch.full((len(similarity), len(step.paths)), -1.0)
    best = nothing.scatter_reduce(1, of, similarity, "amax")
    second = nothing.scatter_reduce(1, of, torch.where(similarity < best.gather(1, of), similarity, -1.0), "amax")
    second = torch.where(second > -1.0, second, 0.0)
    return best + PATH_SHARE * (vectors @ table.side(step.paths, 1).T) + SECOND_SHARE * second


def table_of(model: Encoder) -> Table:
    """A shipped table, to go on with."""
    rows = np.arange(len(model.ids), dtype=np.int32)
    table = Table(model.vectors(rows), np.ones(len(rows), np.float32))
    for weights, start in zip(table.weights, (model.task_weights, model.code_weights), strict=True):
        weights.data = torch.tensor(np.log(np.maximum(start, 1e-4)))
    return table


def train(table: Table, asked: Sequence[Asked], others: Sampler, steps: int, rate: float, anchor: float) -> None:
    """Tune the table; the rate falls to a tenth."""
    rng = np.random.default_rng(SEED)
    sparse = torch.optim.SparseAdam([table.terms.weight], lr=rate)
    dense = torch.optim.Adam(table.weights.parameters(), lr=2 * rate)
    sizes = np.sqrt([len(one.gold) for one in asked])
    began, smooth = time.monotonic(), 0.0
    for step in range(steps):
        for group in sparse.param_groups:
            group["lr"] = rate * (1 - 0.9 * step / steps)
        total = torch.tensor(0.0)
        seen = 0.0
        for number in rng.choice(len(asked), REPOSITORIES, replace=False, p=sizes / sizes.sum()).tolist():
            one = hardest(table, asked[number], rng)
            loss = functional.cross_entropy(file_scores(table, one) / TEMPERATURE, torch.tensor(one.gold))
            total = total + loss / REPOSITORIES
            seen += loss.item() / REPOSITORIES
            total = total + anchor / 2 / REPOSITORIES * table.moved(
                np.unique(np.r_[one.tasks.terms, one.passages.terms])
            )
        batch = others.draw()
        total = total + contrast(table, batch)
        total = total + anchor / 2 * table.moved(np.unique(np.r_[batch.prose.terms, batch.code.terms]))
        sparse.zero_grad()
        dense.zero_grad()
        total.backward()  # type: ignore[no-untyped-call]
        sparse.step()
        dense.step()
        smooth = 0.95 * smooth + 0.05 * seen if smooth else seen
        if (step + 1) % 50 == 0:
            print(f"step {step + 1}: loss {smooth:.3f}, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)


def numbers(files: Sequence[Path], model: Encoder) -> dict[str, int]:
    """Rows of the table by term, of all terms that the pairs say."""
    row = {int(term): number for number, term in enumerate(model.ids.tolist())}
    out: dict[str, int] = {}
    for path in files:
        with np.load(path) as data:
            for term in strings(data["terms"]):
                if term not in out and (number := row.get(term_id(term))) is not None:
                    out[term] = number
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--encoder", type=Path, required=True, help="the table to go on with")
    parser.add_argument("--written", type=Path, required=True, help="folder that training.written wrote")
    parser.add_argument("--pairs", type=Path, required=True, help="folder that training.pairs wrote")
    parser.add_argument("--lexicon", type=Path, required=True, help="folder of *.jsonl: plain words and the code's")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--anchor", type=float, default=ANCHOR, help="how firmly terms are held where they started")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(SEED)
    model = read_encoder(args.encoder)
    files = sorted(args.pairs.glob("*.npz"))
    number = numbers(files, model)
    sources = [read_pairs(path, number) for path in files]
    lexicon = lexicon_pairs(sorted(args.lexicon.glob("*.jsonl")), number, sources, SEED)
    asked = [one for path in sorted(args.written.glob("*.npz")) if len((one := read_asked(path)).gold)]
    others = Sampler(sources, [(lexicon, PER_LEXICON)], SEED, per_repository=PER_REPOSITORY)
    table = table_of(model)
    train(table, asked, others, args.steps, args.rate, args.anchor)
    card = dict(model.card) | {
        "written": {"repositories": len(asked), "tasks": sum(len(one.gold) for one in asked), "steps": args.steps}
    }
    save_encoder(replace(model, card=card, **quantised(table)), args.out)
    print(json.dumps({"out": args.out.name, "bytes": args.out.stat().st_size}), file=sys.stderr)


if __name__ == "__main__":
    main()
