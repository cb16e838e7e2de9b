"""A repository in memory: analysed by the real analyser, its import graph by paths."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from zeroin.corpus.languages import language_of
from zeroin.imports.graph import resolve_imports
from zeroin.parsing.analyse import analyse

Resolved = tuple[dict[str, set[str]], set[tuple[str, str]]]


@pytest.fixture
def resolved() -> Callable[[Mapping[str, str]], Resolved]:
    """Files by path → (imported paths by importing path, unresolved (path, module))."""

    def build(files: Mapping[str, str]) -> Resolved:
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
        return edges, {(paths[doc], module) for doc, module in graph.unresolved}

    return build
