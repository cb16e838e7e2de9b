"""Terminology measured: is one of the code's own words among the first that zeroin gives for a plain-word task?

    python -m benchmarks.terms --repos FOLDER [--half open] [--ablate] [--out FILE]
    python -m benchmarks.terms --judged --repos FOLDER [--out FILE]

Tasks are those of `benchmarks/vocabulary.jsonl`; a row's `words` says which words of the code stand for which phrase
of the task. *Task*: share of tasks for which one of the first k code words (strongest first) is one of the code's words
for any phrase. *Phrase*: share of the phrases for which one of the first k code words learned for a word of that phrase
is right. *Precision*: share of the terms of weight ≥ 0.3 and ≥ 0.6 that are right for their phrase, of those
whose task word is in a phrase; the other terms nobody labelled. `--ablate` switches each kind of source off, and all
but each. `--judged` measures how many of the words that an answer shows are right (`benchmarks.judged_terms`).
"""

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import judged_terms
from benchmarks.repositories import find_repositories, locate
from benchmarks.vocabulary import TASKS, half_of, read_tasks
from zeroin.engine import Repository
from zeroin.models.words import word_table
from zeroin.refine.evidence import KINDS
from zeroin.refine.expand import ExpansionLearner
from zeroin.terms import analyse, split_identifier, stem

DEPTHS = (1, 3, 5, 10)


@dataclass(frozen=True, slots=True)
class Result:
    """What one task gave: rank (0-based) of the first right word, of each phrase's, right and wrong terms by weight."""

    task: str
    repo: str
    first: int | None
    phrases: tuple[int | None, ...]
    labelled: tuple[tuple[float, bool], ...]
    seconds: float


def main(argv: Sequence[str] | None = None) -> int:
    """Measures every task of the half whose repository is here."""
    parser = argparse.ArgumentParser(prog="benchmarks.terms", description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories, owner+name/…")
    parser.add_argument("--half", choices=("open", "locked"), default="open")
    parser.add_argument("--ablate", action="store_true", help="also without each kind of source, and with it alone")
    parser.add_argument("--limit", type=int, help="the first so many repositories alone")
    parser.add_argument("--out", type=Path, help="results, one JSON object a line")
    parser.add_argument("--judged", action="store_true", help="how many of the words that answers show are right")
    options = parser.parse_args(argv)
    if options.judged:
        return judged_terms.run(options.repos, options.out, list(sys.argv[1:] if argv is None else argv))
    rows = [row for row in read_tasks(TASKS) if half_of(row["repo"]) == options.half]
    found = find_repositories(options.repos)
    sets = {"all": frozenset[str]()}
    if options.ablate:
        sets |= {f"without {kind}": frozenset({kind}) for kind in KINDS}
        sets |= {f"{kind} alone": frozenset(KINDS) - {kind} for kind in KINDS}
    results: dict[str, list[Result]] = {name: [] for name in sets}
    for repo in sorted({row["repo"] for row in rows})[: options.limit]:
        git_dirs = locate(repo, found, {})
        mine = [row for row in rows if row["repo"] == repo]
        if not git_dirs:
            print(f"{repo}: not on this machine", file=sys.stderr)
            continue
        view = Repository.open(git_dirs[0], rev=mine[0]["commit"], jobs=1).opened.view
        word_table().translations("")  # read before the first task is timed
        ExpansionLearner(view).pairs("nothing")
        for name, without in sets.items():
            learner = ExpansionLearner(view, encoder=_encoder(), without=without)
            results[name] += [measure(row, learner) for row in mine]
    for name, found_here in results.items():
        print(summary(name, found_here))
    if options.out:
        lines = (json.dumps({"set": name} | _row(r)) + "\n" for name, rs in results.items() for r in rs)
        options.out.write_text("".join(lines), encoding="utf-8")
    return 0


def _encoder() -> Any:
    """The encoder, where there is one."""
    try:
        from zeroin.models.encoder import encoder
    except ImportError:
        return None
    return encoder()


def measure(row: Mapping[str, Any], learner: ExpansionLearner) -> Result:
    """One task."""
    began = time.perf_counter()
    terms = learner.pairs(row["task"], least=0.0)
    seconds = time.perf_counter() - began
    right = {phrase: code_stems(words) for phrase, words in row["words"].items()}
    every = frozenset().union(*right.values())
    order = list(dict.fromkeys(stem(t.code_word.lower()) for t in terms))
    phrases, labelled = [], []
    for phrase, stems in right.items():
        said = set(analyse(phrase))
        own = [t for t in terms if said & set(analyse(t.task_word))]
        phrases.append(_first([t.code_word for t in own], stems))
        labelled += [(t.weight, stem(t.code_word.lower()) in stems) for t in own]
    return Result(row["id"], row["repo"], _first(order, every), tuple(phrases), tuple(labelled), seconds)


def code_stems(words: Sequence[str]) -> frozenset[str]:
    """Stems of the parts of the code's words; of a name of several words each part counts."""
    return frozenset(stem(part) for word in words for part in split_identifier(word) if len(part) > 1)


def _first(words: Sequence[str], right: frozenset[str]) -> int | None:
    stems = list(dict.fromkeys(stem(w.lower()) for w in words))
    return next((place for place, word in enumerate(stems) if word in right), None)


def summary(name: str, results: Sequence[Result]) -> str:
    """One line of figures, in percent."""
    firsts = [r.first for r in results]
    phrases = [p for r in results for p in r.phrases]
    task = " ".join(f"@{k} {100 * _share(firsts, k):4.1f}" for k in DEPTHS)
    phrase = " ".join(f"@{k} {100 * _share(phrases, k):4.1f}" for k in DEPTHS[:3])
    precise = []
    for least in (0.3, 0.6):
        labels = [ok for r in results for weight, ok in r.labelled if weight >= least]
        precise.append(f"≥{least} {100 * float(np.mean(labels)) if labels else 0:4.1f} of {len(labels)}")
    spent = np.array([r.seconds for r in results]) * 1000
    times = f"{np.median(spent):.0f}/{np.quantile(spent, 0.9):.0f} ms"
    return (
        f"{name:24} {len(results)} tasks: {task} | {len(phrases)} phrases: {phrase} | "
        f"precision {', '.join(precise)} | {times}"
    )


def _share(places: Sequence[int | None], depth: int) -> float:
    return float(np.mean([place is not None and place < depth for place in places])) if places else 0.0


def _row(result: Result) -> dict[str, Any]:
    return {
        "id": result.task,
        "repo": result.repo,
        "first": result.first,
        "phrases": list(result.phrases),
        "labelled": [list(pair) for pair in result.labelled],
        "seconds": round(result.seconds, 4),
    }


if __name__ == "__main__":
    sys.exit(main())
