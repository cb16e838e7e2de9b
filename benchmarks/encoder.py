"""The encoder alone: files ranked by nothing but nearness in meaning, one table of vectors beside another; its cost.

    python -m benchmarks.encoder --data DATA --repos REPOS --encoder tuned=FILE --encoder distilled=FILE
                                 [--half open] [--out benchmarks/results/encoder.json]

Candidates are the implementation files at the task's commit (of a query, those under its root). Beside quality stand
the processor time that the passages of every repository took, by thousand files, and that of a task's vector.
"""

import argparse
import json
import os
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import Task, load
from benchmarks.provenance import provenance
from benchmarks.repositories import list_blobs, read_blobs
from benchmarks.scoring import any_hit, library_scores
from zeroin.config import Options
from zeroin.corpus.languages import language_of
from zeroin.corpus.roles import role_of
from zeroin.index.assembling import assemble
from zeroin.index.dense import dense_scores
from zeroin.index.intake import Intake
from zeroin.models.encoder import VARIABLE, encoder
from zeroin.parsing.analyse import analyse
from zeroin.parsing.facts import Facts
from zeroin.parsing.passages import passage_vectors
from zeroin.query.task import query_of
from zeroin.terms import weighted_ids
from zeroin.tree import Entry
from zeroin.types import Role
from zeroin.types import Task as Asked


@dataclass(slots=True)
class Tree:
    """The implementation files of a commit, analysed once; encoded by each encoder."""

    entries: list[Entry]
    facts: list[Facts]
    texts: list[list[str]]


def tree_of(task: Task) -> Tree:
    """What may answer a task."""
    inside = f"{task.root}/" if task.root else ""
    blobs = {
        b.path: b.blob
        for b in list_blobs(task.git_dir, task.rev)
        if b.path.startswith(inside) and role_of(b.path) is Role.IMPLEMENTATION and language_of(b.path) != "text"
    }
    tree = Tree([], [], [])
    for (path, blob), (_, data) in zip(blobs.items(), read_blobs(task.git_dir, blobs.values()), strict=True):
        facts = analyse(data, language_of(path))
        if len(facts.passages):
            tree.entries.append(Entry(path, blob=blob))
            tree.facts.append(facts)
            tree.texts.append(data.decode("utf-8", "replace").split("\n")[: facts.lines])
    return tree


def measure(trees: Mapping[tuple[str, str, str], Tree], tasks: Sequence[Task]) -> dict[str, Any]:
    """Quality by kind of task, and seconds, with the encoder in use."""
    rankings: dict[str, list[str]] = {}
    files = spent = 0.0
    questions: list[float] = []
    by_tree: dict[tuple[str, str, str], list[Task]] = defaultdict(list)
    for task in tasks:
        by_tree[key_of(task)].append(task)
    for key, tree in trees.items():
        began = time.process_time()
        encoded = []
        for facts, rows in zip(tree.facts, tree.texts, strict=True):
            passages, vectors = passage_vectors(rows, [d.start for d in facts.definitions])
            encoded.append(
                Facts(facts.language, facts.size, facts.lines, facts.parser, passages=passages, vectors=vectors)
            )
        spent += time.process_time() - began
        files += len(encoded)
        keys = [(str(number), "") for number in range(len(encoded))]
        intake = Intake({one: [number] for number, one in enumerate(keys)}, len(encoded))
        for one, facts in zip(keys, encoded, strict=True):
            intake.take(one, facts)
        snapshot = assemble(tree.entries, intake, "")
        for task in by_tree[key]:
            terms = weighted_ids(query_of(Asked(task.task), Options()).own)
            began = time.process_time()
            encoder().task(terms)
            questions.append(1e3 * (time.process_time() - began))
            score = dense_scores(snapshot, terms).score
            order = np.lexsort((np.arange(len(score)), -score))
            rankings[task.id] = [tree.entries[i].path for i in order]
    out: dict[str, Any] = {
        "seconds a thousand files": round(1e3 * spent / files, 3),
        "milliseconds a task": round(statistics.median(questions), 3),
    }
    for kind in ("plain", "query"):
        members = [task for task in tasks if task.kind == kind]
        if members:
            scores = library_scores({t.id: rankings[t.id] for t in members}, {t.id: t.gold for t in members})
            by_repo: dict[str, list[float]] = defaultdict(list)
            for task in members:
                by_repo[task.repo].append(scores[task.id]["ndcg@10"])
            out[kind] = {"tasks": len(members)} | {
                f"any-hit @{k}": round(100 * statistics.mean(any_hit(rankings[t.id], t.gold, k) for t in members), 1)
                for k in (1, 5, 10)
            }
            out[kind]["nDCG@10 by repository"] = round(statistics.mean(map(statistics.mean, by_repo.values())), 3)
    return out


def key_of(task: Task) -> tuple[str, str, str]:
    return str(task.git_dir), task.rev, task.root


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--encoder", action="append", required=True, metavar="NAME=FILE")
    parser.add_argument("--half", choices=("open", "locked"), default="open", help="of the plain-word tasks")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    tasks = load(arguments.data, arguments.repos, kinds=("plain", "query"), half=arguments.half).tasks
    trees: dict[tuple[str, str, str], Tree] = {}
    for task in tasks:
        if key_of(task) not in trees:
            trees[key_of(task)] = tree_of(task)
            print(f"{task.repo}: {len(trees[key_of(task)].entries)} files", file=sys.stderr)

    found = {}
    for given in arguments.encoder:
        name, _, path = given.partition("=")
        os.environ[VARIABLE] = path
        found[name] = measure(trees, tasks)
        print(name, json.dumps(found[name]), file=sys.stderr)
    report = {"provenance": provenance("benchmarks.encoder", sys.argv[1:]), "half": arguments.half, "encoders": found}
    if arguments.out:
        arguments.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    json.dump(found, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
