"""Reasons from the map of the repository: what a file stands for, who imports it, how often it changed."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from zeroin.evaluate.reasons.subject import Subject
from zeroin.evaluate.reasons.wording import counted
from zeroin.index.overview import Landmark, Overview
from zeroin.types import Reason

_NAMED = 2  # parts of a sentence
_LEAST_IMPORTERS, _LEAST_SHARE = 2, 0.005


def landmark(s: Subject) -> Reason | None:
    """It is on the map of the repository."""
    found = s.view.overview.landmarks.get(s.doc)
    if found is None:
        return None
    facts = _of_file(s.path, found, s.view.overview) if found.part else _of_document(s.path, found, s)
    return s.reason("landmark", "; ".join(facts))


def _of_document(path: str, landmark: Landmark, s: Subject) -> list[str]:
    if not landmark.named:
        readme = posixpath.basename(path).lower().startswith("readme")
        return ["the README of the whole" if readme else "its name says that it is about the whole"]
    parts = counted(len(s.view.overview.parts), "part")
    return [f"names {len(landmark.named)} of {parts}: {_some(landmark.named)}"]


def _of_file(path: str, landmark: Landmark, overview: Overview) -> list[str]:
    share = f"{landmark.share:.0%} of the code" if landmark.share >= _LEAST_SHARE else ""
    size = ", ".join(s for s in (counted(landmark.files, "file"), share) if s)
    across = f", in {counted(landmark.across, 'other part')}" if landmark.across else ""
    first = not landmark.place  # the first file of its part
    facts = (
        f"a part of its own{f', {share}' if share else ''}"
        if path == landmark.part
        else f"stands for {landmark.part} ({size})"
        if first
        else f"also of {landmark.part}",
        landmark.entry,
        f"imported by {landmark.importers} files{across}" if landmark.importers >= _LEAST_IMPORTERS else "",
        f"changed in {landmark.commits:,} of {overview.commits:,} commits" if landmark.commits else "",
        f"uses {_some(landmark.uses)}" if first and landmark.uses else "",
        f"used by {_some(landmark.used_by)}" if first and landmark.used_by else "",
    )
    return [fact for fact in facts if fact]


def _some(parts: Sequence[str]) -> str:
    """List the first few of some parts, and how many more."""
    more = f" and {len(parts) - _NAMED} more" if len(parts) > _NAMED else ""
    return ", ".join(parts[:_NAMED]) + more
