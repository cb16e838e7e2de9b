"""Why a file is on the map of a repository, in words: what it stands for, who imports it, how often it changed."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from zeroin.index.overview import Landmark, Overview
from zeroin.types import Evidence, Reason

_NAMED = 2  # parts of a sentence
_LEAST_IMPORTERS, _LEAST_SHARE = 2, 0.005


def landmark_reason(path: str, doc: int, overview: Overview) -> Reason | None:
    """The facts for which a file is on the map; None where it is not on it."""
    landmark = overview.landmarks.get(doc)
    if landmark is None:
        return None
    told = _of_document(path, landmark, overview) if not landmark.part else _of_file(path, landmark, overview)
    return Reason("landmark", "; ".join(told), (Evidence(path),))


def _of_document(path: str, landmark: Landmark, overview: Overview) -> list[str]:
    if not landmark.named:
        readme = posixpath.basename(path).lower().startswith("readme")
        return ["the README of the whole" if readme else "its name says that it is about the whole"]
    count, parts = len(landmark.named), len(overview.parts)
    return [f"names {count} of {parts} part{'s' if parts > 1 else ''}: {_some(landmark.named)}"]


def _of_file(path: str, landmark: Landmark, overview: Overview) -> list[str]:
    told = []
    share = f"{landmark.share:.0%} of the code" if landmark.share >= _LEAST_SHARE else ""
    if path == landmark.part:
        told.append(f"a part of its own{f', {share}' if share else ''}")
    else:
        size = ", ".join(s for s in (f"{landmark.files} file{'s' if landmark.files > 1 else ''}", share) if s)
        told.append(
            f"stands for {landmark.part} ({size})" if not landmark.place else f"also of {landmark.part}"
        )
    told += [landmark.entry] if landmark.entry else []
    if landmark.importers >= _LEAST_IMPORTERS:
        across = (
            f", in {landmark.across} other part{'s' if landmark.across > 1 else ''}"
            if landmark.across
            else ""
        )
        told.append(f"imported by {landmark.importers} files{across}")
    if landmark.commits:
        told.append(f"changed in {landmark.commits:,} of {overview.commits:,} commits")
    if not landmark.place:
        told += [f"uses {_some(landmark.uses)}"] if landmark.uses else []
        told += [f"used by {_some(landmark.used_by)}"] if landmark.used_by else []
    return told


def _some(parts: Sequence[str]) -> str:
    """The first few of some parts, and how many more."""
    more = f" and {len(parts) - _NAMED} more" if len(parts) > _NAMED else ""
    return ", ".join(parts[:_NAMED]) + more
