"""Joined names measured: is a file that writes two words as one found by a task that writes them apart?

    python -m benchmarks.joined --repos FOLDER [--limit 60] [--each 3]

Pairs are taken from the repositories themselves: a word of a name that at least one and at most five files say, that
people hardly ever write in messages of commits, and that falls in exactly one way into two words which they do write.
The task says the two words; right is every implementation file that says them as one in its path or in a definition.
One cycle, with and without joined forms. Tasks are made by rule: the figures compare the two rows and say nothing of
tasks of people.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.repositories import find_repositories
from zeroin.config import Options
from zeroin.engine import Repository
from zeroin.index.view import View
from zeroin.models.commonness import UNLISTED, commonness
from zeroin.terms import INTENT_WORDS, STOPWORDS, stem, term_id
from zeroin.types import Role

_LEAST, _LEAST_PART, _MOST_FILES = 8, 3, 5
_DEPTHS = (1, 5, 10)


def main(argv: Sequence[str] | None = None) -> int:
    """Asks for the pairs of every repository and prints two rows."""
    parser = argparse.ArgumentParser(prog="benchmarks.joined", description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories, owner+name/…")
    parser.add_argument("--limit", type=int, default=60, help="the first so many repositories alone")
    parser.add_argument("--each", type=int, default=3, help="pairs of each")
    options = parser.parse_args(argv)
    ranks: dict[str, list[int]] = {"apart": [], "joined": []}
    for name, folder in list(find_repositories(options.repos).items())[: options.limit]:
        repository = Repository.open(folder, rev="HEAD")
        view = repository.opened.view
        for first, second in pairs_of(view)[: options.each]:
            right = saying(view, first + second)
            for row, without in (("apart", frozenset({"terminology"})), ("joined", frozenset[str]())):
                chosen = Options(max_cycles=1, always_loop=True, without=without)
                found = repository.ask(f"the {first} {second} is ignored", chosen).run()
                paths = [judged.path for judged in found.ranking]
                ranks[row].append(next((i for i, path in enumerate(paths) if path in right), len(paths) + 99))
            print(name, first, second, ranks["apart"][-1], ranks["joined"][-1], file=sys.stderr)
    print("| tasks | " + " | ".join(f"hit@{depth}" for depth in _DEPTHS) + " |\n|---|" + "---:|" * len(_DEPTHS))
    for row, held in ranks.items():
        shares = " | ".join(f"{100 * np.mean([rank < depth for rank in held]):.1f}" for depth in _DEPTHS)
        print(f"| {row} ({len(held)}) | {shares} |")
    return 0


def pairs_of(view: View) -> list[tuple[str, str]]:
    """Words of names that fall into two, in the order of the alphabet of their ends, which mixes them."""
    naming = view.vocabulary
    out = []
    for word, term, documents in zip(naming.words, naming.terms, naming.documents.tolist(), strict=True):
        if len(word) >= _LEAST and word.isascii() and word.isalpha() and documents <= _MOST_FILES:
            splits = [
                (word[:at], word[at:])
                for at in range(_LEAST_PART, len(word) - _LEAST_PART + 1)
                if _is_said(word[:at]) and _is_said(word[at:])
            ]
            if len(splits) == 1 and not _is_said(term) and saying(view, word):
                out.append(splits[0])
    return sorted(out, key=lambda pair: "".join(pair)[::-1])


def saying(view: View, word: str) -> set[str]:
    """Implementation files that say a word in their path or in what they define."""
    identity = term_id(stem(word))
    content, paths = view.snapshot.content, view.snapshot.path_terms
    rows = content.rows(identity)
    defining = content.docs[rows][content.counts[rows, 0] > 0]
    docs = np.union1d(defining, paths.docs[paths.rows(identity)]).tolist()
    return {view.paths[doc] for doc in docs if view.snapshot.role(doc) is Role.IMPLEMENTATION}


def _is_said(word: str) -> bool:
    held = commonness().document_frequency(np.array([term_id(stem(word))], np.uint64))[0]
    return bool(held > UNLISTED) and word not in STOPWORDS and word not in INTENT_WORDS


if __name__ == "__main__":
    sys.exit(main())
