"""Find the file to imitate: one in the folder of a relevant file that demonstrably has something in common with it."""

import math
from collections import defaultdict
from collections.abc import Sequence, Set

from zeroin.answer import Pattern
from zeroin.context.conventions.names import Name
from zeroin.context.conventions.shared import Shared
from zeroin.corpus.languages import language_of
from zeroin.types import Judgment

_OTHERS, _VOTERS = 0.3, 15  # weight and number of files besides the relevant ones that vote for a folder
_COMPARED = 8  # files of a folder that are compared with the one found there
_FOLDERS = 3  # looked into
_TOGETHER = 3  # commits: fewer are chance
_PLAIN = frozenset("text markdown rst json yaml toml html css xml csv".split())


def sibling_of(
    code: Sequence[Judgment], ranking: Sequence[Judgment], everyone: Sequence[Name], shared: Shared, listed: Set[str]
) -> Pattern | None:
    """Return the file that has most in common with the best listed file of its folder; None where nothing is shared.

    Judged files vote for their folders, the relevant ones most. A folder of many files counts more: a new file is
    more likely to be put there.
    """
    votes: defaultdict[str, float] = defaultdict(float)
    anchors: dict[str, Name] = {}
    seeds = {j.path for j in code}
    others = [j for j in ranking if j.path not in seeds]
    weighted = [(j, 1.0 / (1 + place)) for place, j in enumerate(code)]
    weighted += [(j, _OTHERS / (1 + place)) for place, j in enumerate(others[:_VOTERS])]
    programs: dict[str, list[Name]] = {}
    for name in everyone:
        if _is_program(name):
            programs.setdefault(name.folder, []).append(name)
    known = {name.path: name for inside in programs.values() for name in inside}
    for judgment, weight in weighted:
        if (anchor := known.get(judgment.path)) is not None:
            votes[anchor.folder] += weight
            if anchor.path in seeds or anchor.path in listed:
                anchors.setdefault(anchor.folder, anchor)
    score = {folder: votes[folder] * (1 + math.log(len(programs[folder]))) for folder in anchors}
    for folder in sorted(score, key=lambda f: (-score[f], f))[:_FOLDERS]:
        anchor = anchors[folder]
        inside = [n for n in programs[folder] if n.extension == anchor.extension and n != anchor]
        inside.sort(key=lambda n: (-_name_similarity(n, anchor), -shared.together(n.path, anchor.path), n.path))
        shared.view.prefetch(shared.view.docs_of(name.path for name in (anchor, *inside[:_COMPARED])))
        compared = [(name, *shared.common(name.path, anchor.path)) for name in inside[:_COMPARED]]
        compared.sort(key=lambda row: -len(row[1]))
        for name, same, used in compared:
            if common := "; ".join((*same, *used, *_together(name, anchor, shared))):
                is_ = f"is a sibling of {anchor.path} to imitate" if same else f"lies beside {anchor.path}"
                return Pattern("sibling", f"{name.path} {is_}: {common}", "", (name.path,))
    return None


def _together(name: Name, anchor: Name, shared: Shared) -> list[str]:
    times = shared.together(name.path, anchor.path)
    return [f"at least {times} commits changed both"] if times >= _TOGETHER else []


def _name_similarity(name: Name, other: Name) -> float:
    """Return how alike two names of one folder are: the ending above all."""
    shared = len(set(name.words) & set(other.words))
    return 2.0 * bool(other.ending and name.ending == other.ending) + 0.5 * shared


def _is_program(name: Name) -> bool:
    return name.stem != "__init__" and language_of(name.path) not in _PLAIN
