"""`baseUrl` and `paths` of tsconfig.json and jsconfig.json, with `extends`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from zeroin.imports.readconfig import read_json, table
from zeroin.imports.tree import MAX_CONFIGS, Tree, ancestors, join

_MAX_EXTENDS = 8  # configurations that one may extend, nested
_MAX_PATHS = 2_000


@dataclass(frozen=True, slots=True)
class _Config:
    """`base` is the folder of baseUrl, None where it is not set; patterns are tried in order."""

    base: str | None
    exact: Mapping[str, tuple[str, ...]]
    patterns: tuple[tuple[str, str, tuple[str, ...]], ...]  # before "*", after it, paths with "*"

    @property
    def empty(self) -> bool:
        return self.base is None and not self.exact and not self.patterns


class TypeScriptConfigs:
    """The configurations of a repository by folder."""

    def __init__(self, tree: Tree, packages: Mapping[str, str]) -> None:
        self._tree = tree
        self._packages = packages  # name → folder, for `extends` of a workspace package
        by_folder: dict[str, list[int]] = {}
        for name in tree.by_name:
            if name.startswith(("tsconfig", "jsconfig")) and name.endswith(".json"):
                for doc in tree.named(name):
                    by_folder.setdefault(tree.folder[doc], []).append(doc)
        self._by_folder: dict[str, list[_Config]] = {}
        for folder in sorted(by_folder)[:MAX_CONFIGS]:
            # tsconfig.json first, then tsconfig.app.json and its like, which it often only refers to.
            docs = sorted(by_folder[folder], key=lambda doc: (len(tree.name[doc]), tree.name[doc]))
            configs = [self._load(tree.paths[doc]) for doc in docs[:8]]
            filled = [config for config in configs if not config.empty]
            if filled:
                self._by_folder[folder] = filled
        self._near: dict[str, list[_Config]] = {}

    def find(self, folder: str, specifier: str, file: Callable[[str], int | None]) -> tuple[int | None, bool]:
        """The document that the nearest configurations give, and whether a pattern (not "*") matched."""
        near = self._near.get(folder)
        if near is None:
            near = [config for up in ancestors(folder) for config in self._by_folder.get(up, ())]
            self._near[folder] = near
        matched = False
        for config in near:
            for target in config.exact.get(specifier, ()):
                matched = True
                found = file(target)
                if found is not None:
                    return found, True
            for before, after, targets in config.patterns:
                if (
                    specifier.startswith(before)
                    and specifier.endswith(after)
                    and len(specifier) >= len(before) + len(after)
                ):
                    matched = matched or len(before) > 1
                    filled = specifier[len(before) : len(specifier) - len(after)]
                    for target in targets:
                        path = join("", target.replace("*", filled))
                        found = file(path) if path is not None else None
                        if found is not None:
                            return found, True
            if config.base is not None:
                path = join(config.base, specifier)
                found = file(path) if path else None
                if found is not None:
                    return found, True
        return None, matched

    def _load(self, path: str) -> _Config:
        base, paths = self._options(path, 0, set())
        exact: dict[str, tuple[str, ...]] = {}
        patterns: list[tuple[str, str, tuple[str, ...]]] = []
        at, written = paths
        for pattern, targets in list(written.items())[:_MAX_PATHS]:
            if not isinstance(targets, list):
                continue
            joined = [join(at, target) for target in targets[:8] if isinstance(target, str)]
            places = tuple(target for target in joined if target is not None)
            before, star, after = pattern.partition("*")
            if star:
                patterns.append((before, after, places))
            else:
                exact[pattern] = places
        patterns.sort(key=lambda p: -len(p[0]))
        return _Config(base, exact, tuple(patterns))

    def _options(
        self, path: str, depth: int, seen: set[str]
    ) -> tuple[str | None, tuple[str, dict[str, Any]]]:
        """(baseUrl as a folder, (folder that `paths` start from, `paths`)) of a configuration."""
        if depth > _MAX_EXTENDS or path in seen:
            return None, ("", {})
        seen.add(path)
        value = read_json(self._tree.config(path))
        folder = path.rpartition("/")[0]
        base: str | None = None
        paths: tuple[str, dict[str, Any]] = ("", {})
        extends = value.get("extends")
        for parent in (extends if isinstance(extends, list) else [extends])[:8]:
            found = self._extended(folder, parent) if isinstance(parent, str) else None
            if found is not None:
                inherited, inherited_paths = self._options(found, depth + 1, seen)
                base = inherited if inherited is not None else base
                paths = inherited_paths if inherited_paths[1] else paths
        options = table(value, "compilerOptions")
        own = options.get("baseUrl")
        if isinstance(own, str):
            base = join(folder, own)
        own_paths = table(options, "paths")
        if own_paths:
            paths = (base if base is not None else folder, own_paths)
        return base, paths

    def _extended(self, folder: str, parent: str) -> str | None:
        docs = self._tree.docs
        if parent.startswith("."):
            places = [join(folder, parent)]
        else:
            parts = parent.split("/")
            size = 2 if parent.startswith("@") else 1
            inside = self._packages.get("/".join(parts[:size]))
            if inside is None:
                return None
            places = [join(inside, "/".join(parts[size:]) or "tsconfig.json")]
        for place in places:
            if place is not None:
                for candidate in (place, place + ".json", place + "/tsconfig.json"):
                    if candidate in docs:
                        return candidate
        return None
