"""Learns the word table: which words name code of which people speak in which words.

    python -m training.words --pairs FOLDER --data DATA --out src/zeroin/models/words.npz

FOLDER is what `training.pairs` wrote: prose and the code that it speaks of, a file a repository. Left out are the
repositories of the tuning data and of the plain-word tasks, so that the table can be measured on them.

A pair (word said, word of code) counts where the prose does not say the word of the code itself. How often it is seen
is compared, repository by repository, with how often chance would show it there (the expectation of a Mantel-Haenszel
test, 1959), so that what one project is about is nobody's association. It is kept if at least `SUPPORT` repositories
show it more often than chance, and Dunning's log-likelihood ratio (1993) makes chance unlikely; its weight is a
lower bound of the logarithm of seen over expected, times how general it is.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from benchmarks.vocabulary import TASKS
from training.held_out import HeldOutError, refuse
from training.mined import groups
from training.model_files import save_words, word_table_of
from zeroin.index.vocabulary import names_things
from zeroin.models.words import Translation, WordTable
from zeroin.terms import INTENT_WORDS, STOPWORDS

KINDS = ("change", "comment", "string", "name", "section")  # as `training.pairs` numbers them
LISTED = Path(__file__).with_name("repositories.json")
SUPPORT = 5  # repositories that must show a pair more often than chance
LEAST_LLR = 10.8  # chance is less likely than 1 in 1,000
LEAST_RATIO = 1.5  # seen over expected
MOST_FOLLOWERS = 24
FULL_RATIO = 12.0  # seen over expected that weighs 1 if very many repositories show it
HALF = 5  # repositories that make half of the weight
SAID_IN, NAMED_IN = 5, 5  # repositories that must say a word, or name by it, at all
LEAST_SEEN = 2  # times that a repository must show a pair
CAP = 3.0  # pairs of one repository count up to this many times what chance shows, plus as many


def main(argv: list[str] | None = None) -> int:
    """Learns and writes the table; 2 if a repository is held out or a file cannot be read."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--pairs", type=Path, required=True, help="folder of pairs, a file a repository")
    parser.add_argument("--data", type=Path, required=True, help="folder of the tuning data")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(argv)
    try:
        excluded = _repositories([args.data / "issues_tune.jsonl", args.data / "queries_tune.jsonl", TASKS])
        files = {file.stem.replace("+", "/", 1): file for file in sorted(args.pairs.glob("*.npz"))}
        files = {name: file for name, file in files.items() if name.lower() not in excluded}
        refuse(files)
        bags = {name: read_bags(file) for name, file in files.items()}
    except (OSError, ValueError, KeyError, HeldOutError) as error:
        print(error, file=sys.stderr)
        return 2
    table = learn(bags, groups(LISTED))
    save_words(table, args.out)
    size = args.out.stat().st_size
    print(f"{json.dumps(table.card)}; {size / 1000:.0f} kB", file=sys.stderr)
    return 0


def _repositories(files: Iterable[Path]) -> set[str]:
    return {
        json.loads(line)["repo"].lower()
        for file in files
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.strip()
    }


@dataclass(frozen=True, slots=True)
class Bags:
    """P pairs of one repository over its own T terms: which terms the prose says, which the code, (P, T) of 0 and 1."""

    terms: tuple[str, ...]
    compounds: frozenset[str]  # terms that are several words in one
    kinds: NDArray[np.uint8]
    prose: sparse.csr_matrix
    code: sparse.csr_matrix


def read_bags(path: Path) -> Bags:
    """The pairs of one file of `training.pairs`."""
    with np.load(path, allow_pickle=False) as parts:
        terms = tuple(parts["terms"].tobytes().decode().split("\n"))
        sides = []
        for side in ("prose", "code"):
            ends, columns = parts[f"{side}_ends"], parts[f"{side}_terms"]
            ones = np.ones(len(columns), np.float32)
            sides.append(sparse.csr_matrix((ones, columns, np.r_[0, ends]), shape=(len(ends), len(terms))))
        surfaces = parts["surfaces"].tobytes().decode().split("\n")
        compounds = frozenset(t for t, form in zip(terms, surfaces, strict=True) if " " in form)
        return Bags(terms, compounds, parts["kinds"], *sides)


def learn(bags: Mapping[str, Bags], group: Mapping[str, str]) -> WordTable:
    """The table of what follows what; forks of one project (`group`) are one voice."""
    said_in, named_in = Counter[str](), Counter[str]()
    for found in bags.values():
        said_in.update(_frequent(found.terms, found.prose))
        names = found.prose[found.kinds == KINDS.index("name")]
        named_in.update(t for t in _frequent(found.terms, names) if t not in found.compounds)
    said = sorted(t for t, n in said_in.items() if n >= SAID_IN and _can_be_said(t))
    named = sorted(t for t, n in named_in.items() if n >= NAMED_IN and names_things(t))
    projects: dict[str, list[Bags]] = defaultdict(list)
    for name, found in bags.items():
        projects[group.get(name, name)].append(found)
    seen, expected, support = _count(list(projects.values()), said, named)
    card = {
        "repositories": len(bags),
        "pairs of prose and code": sum(len(found.kinds) for found in bags.values()),
        "support": SUPPORT,
    }
    return _table(seen, expected, support, said, named, card)


def _frequent(terms: Sequence[str], side: sparse.csr_matrix) -> list[str]:
    """Terms that a repository says in more than one pair."""
    times = np.asarray(side.sum(0)).ravel()
    return [terms[i] for i in np.flatnonzero(times > 1).tolist()]


def _can_be_said(term: str) -> bool:
    return len(term) > 2 and term.isalpha() and term not in STOPWORDS and term not in INTENT_WORDS


def _count(
    projects: Sequence[Sequence[Bags]], said: Sequence[str], named: Sequence[str]
) -> tuple[sparse.csr_matrix, sparse.csr_matrix, sparse.csr_matrix]:
    """How often each pair is seen, how often chance would show it, and how many projects show it more often."""
    shape = (len(said), len(named))
    seen, expected, support = (sparse.csr_matrix(shape, dtype=np.float32) for _ in range(3))
    for project in projects:
        s = sparse.vstack([_columns(bags.terms, bags.prose, said) for bags in project]).tocsr()
        n = sparse.vstack(
            [_columns(bags.terms, bags.code - bags.code.multiply(bags.prose), named) for bags in project]
        ).tocsr()
        here = sparse.coo_matrix(s.T @ n)
        here.data[here.data < 0] = 0
        chance = np.asarray(s.sum(0)).ravel()[here.row] * np.asarray(n.sum(0)).ravel()[here.col] / s.shape[0]
        chance = np.maximum(chance, 1e-3)
        capped = np.minimum(here.data, CAP * chance + CAP)
        at = (here.row, here.col)
        seen = seen + sparse.csr_matrix((capped, at), shape=shape, dtype=np.float32)
        more = (here.data > chance) & (here.data >= LEAST_SEEN)
        support = support + sparse.csr_matrix((more.astype(np.float32), at), shape=shape)
        expected = expected + sparse.csr_matrix((chance.astype(np.float32), at), shape=shape)
    return seen, expected, support


def _columns(terms: Sequence[str], side: sparse.csr_matrix, wanted: Sequence[str]) -> sparse.csr_matrix:
    """A side with the columns of the `wanted` terms."""
    place = {term: i for i, term in enumerate(terms)}
    pairs = [(place[term], at) for at, term in enumerate(wanted) if term in place]
    rows, columns = zip(*pairs, strict=True)
    move = sparse.csr_matrix((np.ones(len(pairs), np.float32), (rows, columns)), shape=(len(terms), len(wanted)))
    return side @ move


def _table(
    seen: sparse.csr_matrix,
    expected: sparse.csr_matrix,
    support: sparse.csr_matrix,
    said: Sequence[str],
    named: Sequence[str],
    card: dict[str, object],
) -> WordTable:
    out: dict[str, list[Translation]] = {}
    for row, word in enumerate(said):
        at = slice(seen.indptr[row], seen.indptr[row + 1])
        columns, observed = seen.indices[at], seen.data[at].astype(np.float64)
        chance = np.asarray(expected[row, columns].todense()).ravel().astype(np.float64)
        projects = np.asarray(support[row, columns].todense()).ravel()
        likely = 2 * (observed * np.log(observed / chance) - (observed - chance))
        bound = np.log(np.maximum(observed - 1.64 * np.sqrt(observed), 1e-6) / chance)
        kept = np.flatnonzero((projects >= SUPPORT) & (likely >= LEAST_LLR) & (bound >= np.log(LEAST_RATIO)))
        weight = bound / np.log(FULL_RATIO) * projects / (projects + HALF)
        best = sorted(kept.tolist(), key=lambda i: (-weight[i], named[columns[i]]))[:MOST_FOLLOWERS]
        found = [
            Translation(named[columns[i]], float(weight[i]), int(projects[i]))
            for i in best
            if named[columns[i]] != word
        ]
        if found:
            out[word] = found
    pairs = sum(len(found) for found in out.values())
    return word_table_of(out, card | {"words": len(out), "pairs": pairs})


if __name__ == "__main__":
    sys.exit(main())
