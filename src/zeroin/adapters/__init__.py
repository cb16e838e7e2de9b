"""The tools of zeroin in the form of agent frameworks; each module needs its own extra, `tools` needs none."""

from __future__ import annotations


def missing(extra: str, error: ModuleNotFoundError) -> ModuleNotFoundError:
    """What to raise where the framework of an adapter is not installed."""
    return ModuleNotFoundError(
        f"this needs {error.name}, which is not installed: pip install 'zeroin[{extra}]'", name=error.name
    )
