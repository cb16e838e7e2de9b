"""What a task is for, from its wording."""

from __future__ import annotations

from zeroin.types import Purpose, Task


def purpose_of(task: Task) -> Purpose:
    """The purpose that the wording of a task implies."""
    return "review" if task.diff is not None else "fix"
