"""What the encoder is trained on, as flat arrays: pairs of term bags, in one numbering of terms."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zeroin.terms import WORD, analyse_word, split_identifier, stem

MIN_REPOSITORIES, MIN_PAIRS, MAX_TERM = 3, 6, 30
BODIES = 6  # definitions that a concept of the lexicon is shown with
RARE = 0.002  # share of all names up to which a word of a concept picks definitions by name


@dataclass(frozen=True, slots=True)
class Ragged:
    """N bags one after another: `pointers` (N + 1,), `terms` and `counts`."""

    pointers: NDArray[np.int64]
    terms: NDArray[np.int32]
    counts: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.pointers) - 1

    def take(self, rows: NDArray[np.int64], keep: NDArray[np.bool_] | None = None) -> tuple[Ragged, NDArray[np.int64]]:
        """Some bags, and where each of their entries stands here; entries that `keep` denies are left out."""
        sizes = self.pointers[rows + 1] - self.pointers[rows]
        starts = np.repeat(self.pointers[rows] - np.r_[0, np.cumsum(sizes)[:-1]], sizes)
        at = starts + np.arange(int(sizes.sum()))
        bag = np.repeat(np.arange(len(rows)), sizes)
        if keep is not None:
            at, bag = at[keep[at]], bag[keep[at]]
        pointers = np.searchsorted(bag, np.arange(len(rows) + 1))
        return Ragged(pointers, self.terms[at], self.counts[at]), at


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of one source; those of one group are no negatives of each other. `kinds` number `training.pairs.KINDS`."""

    name: str
    kinds: NDArray[np.uint8]
    groups: NDArray[np.int64]
    prose: Ragged
    code: Ragged
    shared: NDArray[np.bool_]  # entries of the prose whose term the code says too
    unshared: NDArray[np.int64]  # how many terms of each prose it does not

    def __len__(self) -> int:
        return len(self.kinds)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The terms of the table, and how people write each."""

    terms: tuple[str, ...]
    surfaces: tuple[str, ...]

    @property
    def number(self) -> dict[str, int]:
        return {term: i for i, term in enumerate(self.terms)}


def vocabulary_of(files: Sequence[Path], size: int) -> Vocabulary:
    """The terms that most repositories use: by repositories times the logarithm of the pairs that say them."""
    repositories: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    written: dict[str, Counter[str]] = {}
    for path in files:
        with np.load(path) as data:
            terms, surfaces = strings(data["terms"]), strings(data["surfaces"])
            said = np.bincount(data["prose_terms"], minlength=len(terms))
            said = said + np.bincount(data["code_terms"], minlength=len(terms))
        for term, surface, count in zip(terms, surfaces, said.tolist(), strict=True):
            if count and len(term) <= MAX_TERM:
                repositories[term] += 1
                pairs[term] += count
                written.setdefault(term, Counter())[surface] += 1
    known = [t for t in repositories if repositories[t] >= MIN_REPOSITORIES and pairs[t] >= MIN_PAIRS]
    known.sort(key=lambda t: (-repositories[t] * np.log(2 + pairs[t]), t))
    kept = tuple(known[:size])
    return Vocabulary(kept, tuple(written[t].most_common(1)[0][0] for t in kept))


def read_pairs(path: Path, number: dict[str, int]) -> Pairs:
    """The pairs of one file of `training.pairs`, in the table's numbering."""
    with np.load(path) as data:
        rows = np.array([number.get(term, -1) for term in strings(data["terms"])], np.int32)
        prose, code = (_ragged(data, side, rows) for side in ("prose", "code"))
        return pairs_of(path.stem, data["kinds"], data["groups"].astype(np.int64), prose, code)


def pairs_of(name: str, kinds: NDArray[np.uint8], groups: NDArray[np.int64], prose: Ragged, code: Ragged) -> Pairs:
    """Pairs with what both sides say worked out."""
    width = int(max(prose.terms.max(initial=0), code.terms.max(initial=0))) + 1
    of_prose = np.repeat(np.arange(len(prose)), np.diff(prose.pointers))
    of_code = np.repeat(np.arange(len(code)), np.diff(code.pointers))
    shared = np.isin(of_prose * width + prose.terms, of_code * width + code.terms)
    unshared = np.bincount(of_prose[~shared], minlength=len(prose))
    return Pairs(name, kinds, groups, prose, code, shared, unshared)


def ragged_of(bags: Sequence[Counter[str]], number: dict[str, int]) -> Ragged:
    """Bags of terms in the table's numbering; unknown terms are left out."""
    known = [[(number[t], c) for t, c in bag.items() if t in number] for bag in bags]
    flat = [entry for bag in known for entry in bag]
    return Ragged(
        np.r_[0, np.cumsum([len(bag) for bag in known], dtype=np.int64)],
        np.array([term for term, _ in flat], np.int32),
        np.array([count for _, count in flat], np.float32),
    )


def bag_of(text: str) -> Counter[str]:
    """Terms of a text with their counts."""
    return Counter(term for word in WORD.findall(text) for term in analyse_word(word) if not term.isdigit())


def lexicon_pairs(files: Sequence[Path], number: dict[str, int], sources: Sequence[Pairs], seed: int) -> Pairs:
    """Concepts of the lexicon: every phrase with the concept's words, and with definitions that are named by one."""
    rng = np.random.default_rng(seed)
    concepts = [json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    named = _named(sources)
    names = sum(len(found) for found in named.values())
    prose: list[Counter[str]] = []
    words: list[Counter[str]] = []
    groups: list[int] = []
    bodies: list[tuple[int, int, int]] = []  # pair number, source, row
    for group, concept in enumerate(concepts):
        phrases = [bag_of(text) for text in concept["plain"]]
        code = bag_of(" ".join(concept["code"]))
        found = [
            place
            for word in concept["code"]
            for term in [word.replace("_", "").lower(), *map(stem, split_identifier(word))]
            if len(places := named.get(number.get(term, -1), [])) <= RARE * names
            for place in places
        ]
        for phrase in phrases:
            prose.append(phrase)
            words.append(code)
            groups.append(group)
        for _ in range(min(BODIES, len(found)) if found else 0):
            prose.append(phrases[int(rng.integers(len(phrases)))] + phrases[int(rng.integers(len(phrases)))])
            words.append(code)
            groups.append(group)
            bodies.append((len(prose) - 1, *found[int(rng.integers(len(found)))]))
    plain = ragged_of(words, number)
    return pairs_of(
        "lexicon",
        np.full(len(prose), 3, np.uint8),
        np.array(groups, np.int64),
        ragged_of(prose, number),
        _with_bodies(plain, bodies, sources),
    )


def _named(sources: Sequence[Pairs]) -> dict[int, list[tuple[int, int]]]:
    """Term → definitions (source, row) whose name says it."""
    out: dict[int, list[tuple[int, int]]] = {}
    for source, pairs in enumerate(sources):
        for row in np.flatnonzero(pairs.kinds == 3).tolist():
            for term in pairs.prose.terms[pairs.prose.pointers[row] : pairs.prose.pointers[row + 1]].tolist():
                out.setdefault(term, []).append((source, row))
    return out


def _with_bodies(plain: Ragged, bodies: Sequence[tuple[int, int, int]], sources: Sequence[Pairs]) -> Ragged:
    chosen = {pair: (source, row) for pair, source, row in bodies}
    terms, counts, sizes = [], [], []
    for pair in range(len(plain)):
        holder, row = (plain, pair) if pair not in chosen else (sources[chosen[pair][0]].code, chosen[pair][1])
        start, end = int(holder.pointers[row]), int(holder.pointers[row + 1])
        terms.append(holder.terms[start:end])
        counts.append(holder.counts[start:end])
        sizes.append(end - start)
    return Ragged(np.r_[0, np.cumsum(sizes, dtype=np.int64)], np.concatenate(terms), np.concatenate(counts))


def strings(data: NDArray[np.uint8]) -> list[str]:
    """Terms as `training.pairs` keeps them."""
    return data.tobytes().decode().split("\n")


def _ragged(data: object, side: str, rows: NDArray[np.int32]) -> Ragged:
    parts = {name: data[f"{side}_{name}"] for name in ("ends", "terms", "counts")}  # type: ignore[index]
    terms = rows[parts["terms"]]
    known = terms >= 0
    before = np.r_[0, np.cumsum(known)]
    return Ragged(before[np.r_[0, parts["ends"]]], terms[known], parts["counts"][known].astype(np.float32))
