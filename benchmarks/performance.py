"""The tables and curves of docs/PERFORMANCE.md, from the result files of `benchmarks.speed`; for `benchmarks.tables`.

Ratios are those of medians of one run, zeroin over the other: below 1 zeroin is faster or smaller. A part that was
never measured has a table without rows, and no curve.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.markdown import Row, percent, table
from benchmarks.plot import Across, Panel, decades, plot

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
# Of `benchmarks.savings`. A new run changes this line.
READING = "2026-11-21-2e67ea5eb-savings.json"
Json = dict[str, Any]
STATES = {"cold": "first answer, nothing cached", "warm": "again", "edited": "after one edited file"}
STEPS = {
    "open": "open the indexed repository",
    "first": "the first issue of the process",
    "another": "another issue",
    "repeated": "the same issue again",
    "one cycle": "… with one cycle alone",
}


SIZES = ("500", "2000", "8000", "32000")
WAYS = {
    "zeroin": "**zeroin**",
    "semble": "semble's chunks",
    "grep-title": "grep the title, lines around matches",
    "names": "whole files by their names",
    "zeroin-whole": "whole files in zeroin's order",
}


def result(part: str) -> Json:
    """A result file of `benchmarks.speed`; one without rows where it was never measured."""
    path = RESULTS / f"speed-{part}.json"
    if not path.exists():
        return {"rows": {}}
    found: Json = json.loads(path.read_text(encoding="utf-8"))
    return found


def origin() -> str:
    """Where the figures come from: commit, machine, command of each part."""
    rows = []
    for part in ("commands", "process", "scale"):
        about = result(part).get("provenance")
        if about is None:
            continue
        machine = about["machine"]
        place = f"{machine['cpu']}, {machine['cores']} cores, {machine['memory'] / 1e9:.0f} GB"
        versions = f"Python {about['python']}" + (f", semble {about['semble']}" if "semble" in about else "")
        commit = about["commit"][:9] + ("" if about["complete"] else ", ended early")
        load = f"{about['load'][0]:.1f}"
        rows.append([part, f"`{commit}`", place, versions, load, f"`{about['command']}`"])
    return table(("part", "commit", "machine", "versions", "load before", "command"), rows, 6)


# --- whole commands ------------------------------------------------------------------------------------


def commands() -> str:
    """Whole commands: wall and processor seconds, memory."""
    rows = []
    for name, row in result("commands")["rows"].items():
        for state, label in STATES.items():
            cells = [_seconds(_cell(row, tool, state)) for tool in ("zeroin", "semble")]
            grep = _seconds(_cell(row, "git grep", "warm")) if state == "warm" else ""
            memory = [_memory(_cell(row, tool, state)) for tool in ("zeroin", "semble")]
            about = f"{name}, {row['language']}, {row['files']:,} files" if state == "cold" else ""
            rows.append([about, label, *cells, grep, *memory])
    head = ("repository", "command", "zeroin, wall (CPU) s", "semble", "`git grep`", "zeroin, MB", "semble, MB")
    return table(head, rows, 2)


def ratios() -> str:
    """zeroin over semble, and over `git grep`."""
    rows = []
    for name, row in result("commands")["rows"].items():
        for state, label in STATES.items():
            mine, other = _cell(row, "zeroin", state), _cell(row, "semble", state)
            beside = [_ratio(mine, other, figure) for figure in ("wall_s", "cpu_s", "memory_mb")]
            grep = _ratio(mine, _cell(row, "git grep", "warm"), "wall_s") if state == "warm" else None
            cells = [_number(value) for value in (*beside, grep)]
            rows.append([name if state == "cold" else "", label, *cells])
    head = (
        "repository",
        "command",
        "wall, of semble's",
        "CPU, of semble's",
        "memory, of semble's",
        "wall, of `git grep`'s",
    )
    return table(head, rows, 2)


def aims() -> str:
    """What issue 13 wants of whole commands and of an open process, and what is reached."""
    rows = []
    for label, state, figure, wanted in (
        ("first answer, wall", "cold", "wall_s", 0.33),
        ("first answer, CPU", "cold", "cpu_s", 0.33),
        ("again, wall", "warm", "wall_s", 0.30),
        ("again, CPU", "warm", "cpu_s", 0.30),
        ("after one edited file, wall", "edited", "wall_s", 0.35),
        ("peak memory, first answer", "cold", "memory_mb", 0.4),
        ("peak memory, again", "warm", "memory_mb", 0.5),
    ):
        found = [
            ratio
            for row in result("commands")["rows"].values()
            if (ratio := _ratio(_cell(row, "zeroin", state), _cell(row, "semble", state), figure)) is not None
        ]
        rows += list(_aim(f"{label}, of semble's", wanted, found))
    served = [_cell(row, "resident", "warm") for row in result("commands")["rows"].values()]
    waits = [float(cell["wall_s"]) for cell in served if cell]
    rows += list(_aim("again, with a resident process, wall s", 0.12, waits))
    for label, state in (("another", "another"), ("the same", "repeated")):
        cells = [_cell(row, "zeroin", state) for row in result("process")["rows"].values()]
        spent = [float(cell["cpu_s"]) for cell in cells if cell]
        rows += list(_aim(f"{label} issue in an open process, CPU s", 0.10, spent))
    return table(("target", "wanted", "reached, each repository", "median", "met"), rows)


def _aim(label: str, wanted: float, found: Sequence[float]) -> Iterator[Row]:
    if found:
        each = " · ".join(f"{value:.2f}" for value in found)
        verdict = f"{sum(round(value, 3) <= wanted for value in found)} of {len(found)}"
        yield [label, f"≤ {wanted:.2f}", each, f"{median(found):.2f}", verdict]


def issues_in_process() -> str:
    """Real issues in an open process."""
    rows = []
    for name, row in result("process")["rows"].items():
        for state, label in STEPS.items():
            found = _cell(row, "zeroin", state)
            cells = [f"{found[figure]:.2f}" for figure in ("cpu_s", "wall_s")] if found else ["–", "–"]
            sizes = " · ".join(f"{size:,}" for size in row["issues"].values())
            rows.append([f"{name}, issues of {sizes} characters" if state == "open" else "", label, *cells])
    return table(("repository", "step", "CPU s, median", "wall s"), rows, 2)


def where() -> str:
    """Shares of processor time by module, mean over the repositories."""
    rows = []
    for work in ("indexing", "answering"):
        shares = [dict(row["where"])[work] for row in result("process")["rows"].values() if "where" in row]
        names = {name for part in shares for name in part} - {"all others"}
        means = {name: sum(part.get(name, 0) for part in shares) / len(shares) for name in names}
        best = sorted(means.items(), key=lambda item: (-item[1], item[0]))[:10]
        if best:
            listed = ", ".join(f"`{name}` {100 * share:.0f}" for name, share in best)
            rows.append([work, f"{listed}, all others {100 * (1 - sum(share for _, share in best)):.0f}"])
    return table(("work", "processor time, %, by module under `src/zeroin`"), rows, 2)


def start() -> str:
    """What of a warm command is the start of its process."""
    rows = []
    for name, row in result("commands")["rows"].items():
        tools = (("Python alone", "warm"), ("imports", "warm"), ("zeroin", "warm"))
        served = _cell(row, "resident", "warm")
        cells = (_seconds(_cell(row, tool, state)) for tool, state in tools)
        rows.append([name, *cells, f"{served['wall_s']:.2f}" if served else "–"])
    head = (
        "wall (CPU) s",
        "Python alone",
        "with the modules of an answer",
        "the warm command",
        "… with a resident process, wall",
    )
    return table(head, rows)


# --- scale ---------------------------------------------------------------------------------------------


def scale() -> str:
    """Assembled trees: every state, memory and index."""
    rows = []
    for row in result("scale")["rows"].values():
        for tool in ("zeroin", "semble"):
            if tool not in row["tools"]:
                continue
            cells = [_seconds(_cell(row, tool, state)) for state in STATES]
            memory = [_memory(_cell(row, tool, state)) for state in ("cold", "warm")]
            index = row.get(f"{tool}: index_bytes")
            share = "–" if index is None else f"{100 * index / row['source_bytes']:.0f}"
            about = f"{row['files']:,} files, {row['source_bytes'] / 1e6:.0f} MB" if tool == "zeroin" else ""
            rows.append([about, tool, *cells, *memory, share])
    head = (
        "tree",
        "tool",
        "first, wall (CPU) s",
        "again",
        "after an edit",
        "MB, first",
        "MB, again",
        "index, % of source",
    )
    return table(head, rows, 2)


def growth() -> str:
    """Exponents of growth."""
    found = result("scale").get("exponents", {})
    rows = []
    for label, key, wanted in (
        ("first answer, wall", "cold wall_s", "≤ 1.05"),
        ("first answer, CPU", "cold cpu_s", "≤ 1.05"),
        ("again, wall", "warm wall_s", "–"),
        ("after an edit, wall", "edited wall_s", "–"),
        ("peak memory, first answer", "cold memory_mb", "–"),
        ("index", "index", "–"),
    ):
        cells = [_number(found.get(tool, {}).get(key)) for tool in ("zeroin", "semble")]
        if found:
            rows.append([label, wanted, *cells])
    return table(("grows with the bytes of source as size^…", "wanted", "zeroin", "semble"), rows)


def scale_aims() -> str:
    """What is wanted of the largest tree."""
    measured = result("scale")["rows"]
    if not measured:
        return table(("target", "wanted", "reached", "met"), [])
    row = max(measured.values(), key=lambda one: int(one["files"]))
    cold, warm, edited = (_cell(row, "zeroin", state) for state in STATES)
    early = next((c for tool in row["tools"] if "at most" in tool and (c := _cell(row, tool, "cold"))), {})
    rows = []
    for label, wanted, value in (
        ("first answer, wall s", 90.0, cold.get("wall_s")),
        ("… peak memory, MB", 700.0, cold.get("memory_mb")),
        ("again, wall s", 0.8, warm.get("wall_s")),
        ("… peak memory, MB", 250.0, warm.get("memory_mb")),
        ("after an edit, wall s more than again", 0.2, _less(edited.get("wall_s"), warm.get("wall_s"))),
        ("index, % of the source", 40.0, 100 * row["zeroin: index_bytes"] / row["source_bytes"]),
        ("with `--timeout-s 2` from nothing, wall s", 2.5, early.get("wall_s")),
    ):
        if value is not None:
            reached = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
            rows.append([label, f"≤ {wanted:g}", reached, "yes" if value <= wanted else "no"])
    return table((f"target at {row['files']:,} files", "wanted", "reached", "met"), rows)


def scale_curves() -> str:
    """The curves of the assembled trees; nothing where fewer than two sizes were measured beside semble."""
    rows = [
        row
        for row in result("scale")["rows"].values()
        if all(_cell(row, tool, state) for tool in ("zeroin", "semble") for state in STATES)
    ]
    if len(rows) < 2:
        return ""
    panels = []
    for title, state, figure in (
        ("First answer, s", "cold", "wall_s"),
        ("Again, s", "warm", "wall_s"),
        ("After one edit, s", "edited", "wall_s"),
        ("Peak memory, first answer, MB", "cold", "memory_mb"),
    ):
        curves = {tool: [_cell(row, tool, state)[figure] for row in rows] for tool in ("zeroin", "semble")}
        panels.append(Panel(title, curves, decades(value for curve in curves.values() for value in curve)))
    across = Across([row["files"] for row in rows], "files", "Time and memory against the size of the tree")
    return plot(panels, across)


# --- little time ---------------------------------------------------------------------------------------


def anytime() -> str:
    """Answers by time limit on trees that are new to zeroin."""
    path = RESULTS / "anytime.json"
    rows = []
    for row in json.loads(path.read_text(encoding="utf-8"))["rows"] if path.exists() else ():
        limit = "none" if row["limit"] is None else f"{row['limit']:g} s"
        late = "–" if row["over"] is None else f"{row['over']:.1f}"
        hits = [f"{row[measure]:.1f}" for measure in ("any@1", "any@5", "any@10")]
        rows.append([limit, f"{row['analysed']:.0f}", *hits, f"{row['seconds']:.1f}", late])
    head = ("limit", "files read, %", "right file first, %", "among 5", "among 10", "wall s, median", "late, s")
    return table(head, rows)


# --- tokens --------------------------------------------------------------------------------------------


def tokens() -> str:
    """Edited files and lines reached within so many tokens, beside other ways of working."""
    rows = []
    for group, what, about in (
        ("mined", "files", "files of changes"),
        ("mined", "lines", "lines of changes"),
        ("issues", "files", "files of issues"),
    ):
        found = _reading()[group]
        for name, label in WAYS.items():
            if name in found["systems"]:
                shares = [percent(found["systems"][name][size][what]["share"]) for size in SIZES]
                rows.append([f"{about}, {found['tasks']}" if name == "zeroin" else "", label, *shares])
    return table(("edited", "read", *(f"{int(size):,}" for size in SIZES)), rows, 2)


def _reading() -> Json:
    found: Json = json.loads((RESULTS / READING).read_text(encoding="utf-8"))["groups"]
    return found


# --- cells ---------------------------------------------------------------------------------------------


def _cell(row: Json, tool: str, state: str) -> Json:
    """Medians of a tool in a state; empty where it was not measured, or failed every time."""
    found: Json = row["tools"].get(tool, {}).get(state, {})
    return found if "wall_s" in found else {}


def _seconds(found: Mapping[str, float]) -> str:
    return f"{found['wall_s']:.2f} ({found['cpu_s']:.2f})" if found else "–"


def _memory(found: Mapping[str, float]) -> str:
    return f"{found['memory_mb']:.0f}" if found else "–"


def _ratio(mine: Mapping[str, float], other: Mapping[str, float], figure: str) -> float | None:
    return mine[figure] / other[figure] if mine and other and other[figure] else None


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


TABLES: dict[str, Callable[[], str]] = {
    made.__name__: made
    for made in (
        origin,
        commands,
        ratios,
        aims,
        issues_in_process,
        where,
        start,
        scale,
        growth,
        scale_aims,
        anytime,
        tokens,
    )
}
FIGURES: dict[str, Callable[[], str]] = {"docs/performance.svg": scale_curves}
