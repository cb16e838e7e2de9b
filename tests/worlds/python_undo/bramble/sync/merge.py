"""Three-way merge of outlines, for files that were changed on disk while they were open.

The merge works in three steps on flat lists of lines, since that is what people see: a step that finds
what both sides kept, a step that takes what only one side changed, and a step for what is left.
Outlines support merging on whole lines only.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher

Line = tuple[int, str]


@dataclass(frozen=True)
class Conflict:
    """A stretch that both sides changed in different ways."""

    base: tuple[Line, ...]
    ours: tuple[Line, ...]
    theirs: tuple[Line, ...]


@dataclass(frozen=True)
class Merged:
    lines: tuple[Line, ...]
    conflicts: tuple[Conflict, ...]


def _stable(base: list[Line], side: list[Line]) -> dict[int, int]:
    matcher = SequenceMatcher(a=base, b=side, autojunk=False)
    return {
        block.a + offset: block.b + offset
        for block in matcher.get_matching_blocks()
        for offset in range(block.size)
    }


def merge(base: list[Line], ours: list[Line], theirs: list[Line]) -> Merged:
    """On a conflict both versions are kept, ours first; nobody's lines are ever lost."""
    in_ours, in_theirs = _stable(base, ours), _stable(base, theirs)
    lines: list[Line] = []
    conflicts: list[Conflict] = []
    at_base = at_ours = at_theirs = 0
    anchors = sorted(in_ours.keys() & in_theirs.keys())
    for anchor in [*anchors, len(base)]:
        end_ours = in_ours.get(anchor, len(ours))
        end_theirs = in_theirs.get(anchor, len(theirs))
        old = tuple(base[at_base:anchor])
        left, right = tuple(ours[at_ours:end_ours]), tuple(theirs[at_theirs:end_theirs])
        if left == right or right == old:
            lines.extend(left)
        elif left == old:
            lines.extend(right)
        else:
            lines.extend(left + tuple(line for line in right if line not in left))
            conflicts.append(Conflict(old, left, right))
        if anchor < len(base):
            lines.append(base[anchor])
        at_base, at_ours, at_theirs = anchor + 1, end_ours + 1, end_theirs + 1
    return Merged(tuple(lines), tuple(conflicts))
