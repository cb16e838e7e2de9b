"""Breadth over depth: for exploring and for architecture, one good file of each component beats five of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from os.path import commonprefix

from zeroin.types import Judgment

_DECAY = 0.6  # what a component's second file is worth beside another's first


def spread(ranking: Sequence[Judgment]) -> tuple[Judgment, ...]:
    """The ranking re-ordered so that components take turns: relevance × 0.6^(files of it already taken)."""
    components = component_of([j.path for j in ranking])
    waiting = list(ranking)
    taken: Counter[str] = Counter()
    out: list[Judgment] = []
    while waiting:
        best = max(waiting[:60], key=lambda j: (j.relevance * _DECAY ** taken[components[j.path]], j.score))
        waiting.remove(best)
        taken[components[best.path]] += 1
        out.append(best)
    return tuple(out)


def component_of(paths: Sequence[str]) -> dict[str, str]:
    """The top-level component of each path: the first folder below what all code shares (`src/`, `lib/pkg/`)."""
    folders = [p.rpartition("/")[0] + "/" for p in paths if "/" in p]
    shared = commonprefix(folders).rpartition("/")[0] if folders else ""
    out: dict[str, str] = {}
    for path in paths:
        below = path[len(shared) + 1 :] if shared and path.startswith(shared + "/") else path
        parts = below.split("/")
        depth = 2 if parts[0] in _CONTAINERS and len(parts) > 2 else 1
        out[path] = (
            "/".join(parts[:depth]) if len(parts) > depth else "/".join(parts[: max(1, len(parts) - 1)])
        )
    return out


_CONTAINERS = frozenset({"src", "lib", "packages", "crates", "apps", "modules", "cmd", "pkg", "internal"})
