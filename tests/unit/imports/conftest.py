"""A repository in memory: analysed by the real analyser, its import graph by paths."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from zeroin.corpus.languages import language_of
from zeroin.imports.graph import resolve_imports
from zeroin.parsing.analyse import analyse


@pytest.fixture
def resolved() -> Callable[[Mapping[str, str]], dict[str, set[str]]]:
    """Files by path → imported paths by importing path."""

    def build(files: Mapping[str, str]) -> dict[str, set[str]]:
        paths = sorted(files)
        facts = [analyse(files[path].encode(), language_of(path)) for path in paths]
        graph = resolve_imports(
            paths,
            [fact.language for fact in facts],
            [fact.imports for fact in facts],
            [fact.definitions for fact in facts],
            lambda path: files[path].encode() if path in files else None,
            [fact.names for fact in facts],
        )
        edges: dict[str, set[str]] = {}
        for source, target in zip(graph.sources.tolist(), graph.targets.tolist(), strict=True):
            edges.setdefault(paths[source], set()).add(paths[target])
        return edges

    return build
