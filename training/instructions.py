"""Train the model that tells instructions from requests (`zeroin/query/instructions.tsv`), and measure it.

    python -m training.instructions

Positive: the sentences of `training/instructions.jsonl`, prompts written for this around a placeholder `{t}` for any
task. Negative: the sentences of `training/written.jsonl` and of strangers' tasks. Logistic regression with an L2
penalty; a feature counts that at least `LEAST` sentences have. The quality printed is that of prompts held back.
"""

import argparse
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from zeroin.query.instructions import features_of, fragments_of, has_title, is_word

PROMPTS = Path(__file__).with_name("instructions.jsonl")
WRITTEN = Path(__file__).with_name("written.jsonl")
STRANGERS = Path(__file__).parents[1] / "benchmarks/strangers.jsonl"
REPOSITORIES = Path(__file__).with_name("reader_repositories.json")
MODEL = Path(__file__).parents[1] / "src/zeroin/query/instructions.tsv"
LEAST = 2  # sentences that have a feature
PENALTY = 0.03
LEAST_WEIGHT = 0.05  # of pairs; a word without a weight would count as unknown
PLACE = "{t}"
EACH = 3  # of the written tasks, one
REPEATED = 2  # as often a stranger's task counts
FOLDS = 5

Sentence = tuple[str, ...]


def sentences(texts: Iterable[str]) -> list[Sentence]:
    """The features of all sentences but those with the placeholder, and titles, which are never judged."""
    return [
        tuple(features_of(fragment))
        for text in texts
        for fragment in fragments_of(text)
        if fragment.text.strip() and not fragment.fixed and PLACE not in fragment.text
        if fragment.line or not has_title(text.split("\n"))
    ]


def tasks() -> list[str]:
    """Written tasks in both wordings, one in `EACH`, and those of strangers in repositories that measure nothing.

    Issues have instructions of their own and are no negatives.
    """
    rows = [json.loads(line) for line in WRITTEN.read_text(encoding="utf-8").splitlines()]
    written = [row[wording] for row in rows for wording in ("plain", "natural")]
    taught = {name.lower() for name in json.loads(REPOSITORIES.read_text(encoding="utf-8"))["repositories"]}
    asked = [json.loads(line) for line in STRANGERS.read_text(encoding="utf-8").splitlines()]
    return written[::EACH] + [row["task"] for row in asked if row["repo"].lower() in taught] * REPEATED


def fit(positive: Sequence[Sentence], negative: Sequence[Sentence]) -> dict[str, float]:
    """Weights by feature, with `#bias`. Both classes weigh the same."""
    counts = Counter(name for sentence in (*positive, *negative) for name in sentence)
    names = sorted(name for name, count in counts.items() if count >= LEAST)
    columns = {name: number for number, name in enumerate([*names, "#bias"])}
    rows = [_row(sentence, columns) for sentence in (*positive, *negative)]
    x = csr_matrix(
        (
            [value for row in rows for value in row.values()],
            [column for row in rows for column in row],
            np.cumsum([0, *map(len, rows)]),
        ),
        shape=(len(rows), len(columns)),
    )
    y = np.repeat([1.0, -1.0], [len(positive), len(negative)])
    share = np.repeat([0.5 / len(positive), 0.5 / len(negative)], [len(positive), len(negative)]) * len(positive)
    weights = _minimum(x, y, share)
    return {name: round(float(weights[column]), 3) for name, column in columns.items()}


def _row(sentence: Sentence, columns: dict[str, int]) -> dict[int, float]:
    row = {columns[name]: 1.0 for name in sentence if name in columns}
    return row | {columns["#bias"]: 1.0}


def _minimum(x: csr_matrix, y: NDArray[np.float64], share: NDArray[np.float64]) -> NDArray[np.float64]:
    def loss(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margin = y * (x @ w)
        wrong = -y * share / (1 + np.exp(margin))
        return float(share @ np.logaddexp(0, -margin) + PENALTY * (w @ w) / 2), x.T @ wrong + PENALTY * w

    return np.asarray(minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x)


def scores(weights: dict[str, float], sentences: Sequence[Sentence]) -> NDArray[np.float64]:
    columns = {name: number for number, name in enumerate(weights)}
    values = np.array(list(weights.values()))
    return np.array([sum(values[c] * v for c, v in _row(sentence, columns).items()) for sentence in sentences])


def _fold(text: str) -> int:
    """The fold of a task: a repeated one is held back as a whole."""
    return zlib.crc32(text.encode()) % FOLDS


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the quality on prompts held back; write the model of all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.parse_args(arguments)
    prompts = [json.loads(line) for line in PROMPTS.read_text(encoding="utf-8").splitlines()]
    texts = tasks()
    for fold in range(FOLDS):
        held = sentences(prompts[fold::FOLDS]), sentences(text for text in texts if _fold(text) == fold)
        kept = [prompt for number, prompt in enumerate(prompts) if number % FOLDS != fold]
        weights = fit(sentences(kept), sentences(text for text in texts if _fold(text) != fold))
        found, false = (float((scores(weights, part) > 0).mean()) for part in held)
        print(f"fold {fold}: {found:.1%} of the instructions found, {false:.2%} of the requests taken for one")
    weights = fit(sentences(prompts), sentences(texts))
    kept = {n: w for n, w in weights.items() if is_word(n) or n[0] == "#" or abs(w) >= LEAST_WEIGHT}
    MODEL.write_text("".join(f"{name}\t{weight}\n" for name, weight in kept.items()), encoding="utf-8")
    print(f"{len(prompts)} prompts, {len(texts)} tasks; wrote {len(kept)} weights to {MODEL.name}")


if __name__ == "__main__":
    main()
