"""The table of a peer beside the product, on strangers' tasks (`benchmarks.trial.peer`)."""

import json
from collections.abc import Callable

from benchmarks.markdown import table
from benchmarks.provenance import ROOT

RESULTS = {f"{trial} trial": f"trial-{trial}-peer.json" for trial in ("fourth", "fifth")}
_NAMES = {"zeroin": "**zeroin**", "semble": "semble", "semble-words": "semble, words alone"}
_AMONG = ("@1", "@3", "@5", "@10")


def strangers_beside() -> str:
    """Strangers' tasks beside a peer."""
    rows = []
    for label, name in RESULTS.items():
        found = json.loads((ROOT / "benchmarks/results" / name).read_text(encoding="utf-8"))
        for run, shown in _NAMES.items():
            shares = found["any right file among the first, %"][run]
            first = f"{label}, {found['tasks']}" if run == "zeroin" else ""
            rows.append([first, shown, *(f"{shares[k]:.1f}" for k in _AMONG)])
    return table(("strangers' tasks", "system", "any-hit @1", "@3", "@5", "@10"), rows, 2)


TABLES: dict[str, Callable[[], str]] = {"strangers_beside": strangers_beside}
