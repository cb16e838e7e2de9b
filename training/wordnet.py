"""Pairs from Open English WordNet: a meaning told in plain words, and the words that have it.

    python -m training.wordnet --repository GIT_DIR --commit COMMIT --out FILE

The repository is globalwordnet/english-wordnet (CC BY 4.0, after Princeton WordNet). Animals, plants, food and the body
are left out: no code is about them.
"""

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from benchmarks.repositories import run_git
from training.pairs import KINDS, Bags

FOLDER = "src/yaml/"
LEFT_OUT = ("noun.animal", "noun.plant", "noun.food", "noun.body", "entries-", "frames")
RELATED = ("hypernym", "similar", "also", "entails", "causes", "derivation")
MOST_RELATED = 6


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--repository", type=Path, required=True)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    listed = run_git(args.repository, "ls-tree", "-r", "--name-only", args.commit, FOLDER).decode().split()
    synsets: dict[str, Mapping[str, Any]] = {}
    for path in listed:
        if not any(name in path for name in LEFT_OUT):
            synsets |= yaml.load(run_git(args.repository, "show", f"{args.commit}:{path}"), yaml.CSafeLoader)
    bags = Bags()
    for group, (_, synset) in enumerate(sorted(synsets.items())):
        members = [word for word in synset["members"] if not word[:1].isupper()]
        near = [w for kind in RELATED for o in synset.get(kind, ()) if o in synsets for w in synsets[o]["members"][:2]]
        told = " ".join([*_texts(synset["definition"]), *_texts(synset.get("example", ()))])
        _add(bags, "comment", group, told, [*members, *members, *near[:MOST_RELATED]])
        if len(members) > 1:
            _add(bags, "name", group, members[0], [*members[1:], *near[:3]])
    bags.save(args.out)


def _texts(given: Iterable[str | Mapping[str, str]]) -> list[str]:
    return [text if isinstance(text, str) else text.get("text", "") for text in given]


def _add(bags: Bags, kind: str, group: int, prose: str, words: list[str]) -> None:
    left, right = bags.bag(prose), bags.bag(" ".join(words))
    if left and right:
        bags.kinds.append(KINDS.index(kind))
        bags.groups.append(group)
        bags.prose.append(left)
        bags.code.append(right)


if __name__ == "__main__":
    main()
