"""Write the tables of README.md and docs/ from result files, and the curves: python -m benchmarks.tables [--check]

A table stands below `<!-- table: NAME -->` and is made by the function of that name: no figure is typed by hand. A
picture stands below `<!-- figure: docs/NAME.svg -->` as soon as there is something to draw.
--check writes nothing; exit status 1 where a page shows something else.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import performance, translated, workspace_tables
from benchmarks.markdown import Row, percent, table
from benchmarks.performance import FIGURES, READING
from benchmarks.trial import peer_table

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
_DOCS = ("QUALITY", "PERFORMANCE", "JUDGE", "SOURCES", "TERMINOLOGY")
PAGES = ("README.md", *(f"docs/{name}.md" for name in _DOCS))

# What each table is made of. A new run of a benchmark changes its line here.
PRODUCT = "2026-11-30-d8ecdaf7c-zeroin.json"
BASELINES = "2026-11-21-ee349fd77-zeroin.json"
BESIDE = "2026-11-21-c1453eac9-semble.json"
REPORTS = "2026-11-30-d8ecdaf7c-reports.json"
PLAIN = {"locked half": "curve-locked.json", "second set": "curve-second.json"}
TOLD = {"written": "2026-11-30-d8ecdaf7c-written.json", "strangers": "2026-11-29-298afd6be-strangers.json"}

_TABLE = re.compile(r"(<!-- table: (\w+) -->\n)(?:\|.*\n)*")
_FIGURE = re.compile(r"(<!-- figure: ([\w/.]+): (.*) -->\n)(?:!\[.*\n)?")
Json = dict[str, Any]


def load(name: str) -> Json:
    """A result file."""
    found: Json = json.loads((RESULTS / name).read_text(encoding="utf-8"))
    return found


def interval(pair: Sequence[float]) -> str:
    """A 95 % interval of a share."""
    return f"{100 * pair[0]:.0f} to {100 * pair[1]:.0f}"


def summary() -> str:
    """README: one line a kind of task, the product beside the best baseline."""
    ours, others = load(PRODUCT)["systems"]["zeroin"], load(BASELINES)["systems"]["bm25-code"]
    groups = (
        ("real issues", "issues", "all"),
        ("… Python, one file to edit", "issues", "single gold, python"),
        ("… other languages", "issues", "all, other languages"),
        ("short queries", "queries", "all"),
    )
    pairs = [(label, ours[kind]["groups"][name], others[kind]["groups"][name]) for label, kind, name in groups]
    mine, other = (load(REPORTS)["systems"][name]["reports"]["groups"]["all"] for name in _REPORTED)
    pairs.insert(3, ("bug reports, of projects of another field", mine, other))
    rows = [
        [f"{label}, {mine['n']}", *(f"{percent(mine[m])} ({percent(other[m])})" for m in _HITS)]
        for label, mine, other in pairs
    ]
    words = load(PLAIN["second set"])["sets"]["plain words"]
    hits = [percent(words["measures"][m]["stop"]) for m in _HITS]
    rows.append([f"plain words that the code avoids, {words['n']}", *hits])
    listed = load("trial-fifth.json")["measures"]["right file listed"]
    found = load("trial-fifth-peer.json")
    peer = found["any right file among the first, %"]
    beside = [f"{peer['zeroin'][at]} (semble {peer['semble'][at]})" for at in ("@1", "@5", "@10")]
    of_all = f"of all {listed['of']}, {percent(listed['share'])} % list a right file"
    rows.append([f"strangers' tasks, {found['tasks']} ({of_all})", *beside])
    return table(("a right file among the first, %", "1", "5", "10"), rows)


_HITS = ("hit@1", "hit@5", "hit@10")
_REPORTED = ("reports", "bm25-code")  # the systems of the bug reports: the product, and beside it
_JUDGED = ("any@1", "any@3", "any@5")
_ISSUES = ("acc@1", "acc@3", "acc@5", "acc@10", "hit@1", "hit@5", "hit@10")
_ISSUE_HEAD = ("issues", "system", "strict @1", "@3", "@5", "@10", "any-hit @1", "@5", "@10")
_GROUPS = (("all", "all"), ("Python, one file to edit", "single gold, python"))


def issues() -> str:
    """Real issues: the product and the baselines, by group."""
    issues = _issue_rows({**load(BASELINES)["systems"], **load(PRODUCT)["systems"]}, ("zeroin", "bm25-code"))
    found = load(REPORTS)["systems"]
    reported = {name: {"issues": found[name]["reports"]} for name in _REPORTED}
    return table(_ISSUE_HEAD, [*issues, *_issue_rows(reported, _REPORTED, (("bug reports", "all"),))], 2)


def issues_beside() -> str:
    """The issues that a peer answered too."""
    return table(_ISSUE_HEAD, _issue_rows(load(BESIDE)["systems"], ("zeroin", "semble")), 2)


def _issue_rows(
    systems: Mapping[str, Json], names: Sequence[str], groups: Sequence[tuple[str, str]] = _GROUPS
) -> list[Row]:
    rows: list[Row] = []
    for label, group in groups:
        for name in names:
            found = systems[name]["issues"]["groups"][group]
            first = f"{label}, {found['n']}" if name == names[0] else ""
            rows.append([first, _name(name), *(percent(found[m]) for m in _ISSUES)])
    return rows


def queries() -> str:
    """Short queries inside their root."""
    systems = {**load(BASELINES)["systems"], **load(PRODUCT)["systems"]}
    return _query_rows(systems, ("zeroin", "bm25-code"))


def queries_beside() -> str:
    """Short queries beside a peer."""
    return _query_rows(load(BESIDE)["systems"], ("zeroin", "semble", "semble-words"))


def _query_rows(systems: Mapping[str, Json], names: Sequence[str]) -> str:
    rows = []
    for name in names:
        found = systems[name]["queries"]["per_repository"]
        rows.append([_name(name), f"{found['ndcg@10']:.3f}", *(percent(found[m]) for m in _HITS)])
    return table(("414 queries, 21 repositories, mean over repositories", "nDCG@10", "hit@1", "@5", "@10"), rows)


def _name(system: str) -> str:
    shown = {"zeroin": "**zeroin**", "reports": "**zeroin**", "semble-words": "semble, words alone"}
    return shown.get(system, system)


def targets() -> str:
    """What was wanted of the ranking, and what was reached."""
    ours = load(PRODUCT)["systems"]["zeroin"]
    groups, training = ours["issues"]["groups"], load("training.json")
    second = training["second cycle, leave-repository-out"]["small trees"]
    python, every, other = groups["single gold, python"], groups["all"], groups["all, other languages"]
    rows = [
        _target("Python issues with one file, first", 70, 100 * python["acc@1"]),
        _target("… among three", 88, 100 * python["acc@3"]),
        _target("… among five", 92, 100 * python["acc@5"]),
        _target("all issues, every file among ten", 82, 100 * every["acc@10"]),
        _target("all issues, one file among five", 91, 100 * every["hit@5"]),
        _target("issues in other languages, one file among five", 90, 100 * other["hit@5"]),
        _target("queries inside their root, nDCG@10 × 100", 89, 100 * ours["queries"]["per_repository"]["ndcg@10"]),
        _target("small trees, one file first", 68, second["any@1"]),
        _target("small trees, every file among five", 78, second["strict@5"]),
    ]
    return table(("target, repositories that the ranker never saw", "wanted", "reached", "missed by"), rows)


def _target(label: str, wanted: float, reached: float) -> Row:
    short = wanted - reached
    return [label, f"{wanted:g}", f"{reached:.1f}", "met" if short <= 0.05 else f"{short:.1f}"]


def calibration() -> str:
    """How far stated relevance is from what turned out useful."""
    ours, training = load(PRODUCT)["systems"]["zeroin"], load("training.json")
    rows = []
    reported = load(REPORTS)["systems"]["reports"]["reports"]
    sets = (("issues", ours["issues"]), ("short queries", ours["queries"]), ("bug reports", reported))
    for label, found in ((label, of["calibration"]) for label, of in sets):
        high = [b for b in found["bins"] if b["low"] >= 0.7]
        files = sum(b["files"] for b in high)
        useful = sum(b["gold"] * b["files"] for b in high) / files
        rows.append([f"{label}, whole product", f"{found['ece']:.3f}", percent(useful), str(files)])
    for cycle in ("first", "second"):
        for label, kind in (("mined changes", "mined"), ("small trees", "young")):
            found = training[f"calibration of the {cycle} cycle, leave-repository-out"].get(kind)
            if found is not None:
                high_files = found["high"]
                row = [
                    f"{label}, {cycle} cycle",
                    f"{found['ece']:.3f}",
                    percent(high_files["useful"]),
                    str(high_files["files"]),
                ]
                rows.append(row)
    return table(("set", "calibration error", "useful of those ≥ 0.7, %", "files ≥ 0.7"), rows)


def cycles() -> str:
    """The loop beside one cycle that asks everything at once."""
    rows = []
    for name, found in load("loop.json")["sets"].items():
        if name in ("no answer", "issues, several gold files", "single folders"):
            continue
        shot, loop = found["measures"]["one shot"], found["measures"]["loop"]
        gain = found["differences"]["loop − one shot"]["useful@10"]
        rows.append(
            [
                f"{name}, {found['n']}",
                *(f"{percent(shot[m])} → {percent(loop[m])}" for m in ("hit@1", "hit@5", "useful@10")),
                f"{100 * gain['low']:+.1f} to {100 * gain['high']:+.1f}",
                percent(found["measures"]["oracle"]["useful@10"]),
                f"{shot['cpu']:.2f} → {loop['cpu']:.2f}",
            ]
        )
    head = ("set", "any-hit @1", "@5", "useful files among ten", "95 % of the gain", "oracle", "CPU s")
    return table(head, rows)


def plain_words() -> str:
    """Tasks in words that the answer's code avoids: those that nothing was chosen by."""
    rows = []
    for label, name in PLAIN.items():
        found = load(name)["sets"]["plain words"]
        cells = [f"{percent(hit['1'])} → {percent(hit['stop'])}" for hit in map(found["measures"].get, _HITS)]
        rows.append([f"{label}, {found['n']} tasks of {found['repositories']} repositories", *cells])
    return table(("plain words: first cycle → answer", "any-hit @1", "@5", "@10"), rows)


_STYLES = {
    "plain": "a change, in plain words",
    "need": "a wish",
    "symptom": "a fault",
    "where": "a question how or where",
    "report": "a change, as a user reports it",
}
_STRANGERS = {
    "plain": "a stranger, plain words",
    "how": "a stranger, how it works",
    "bug": "a stranger, a bug",
    "feature": "a stranger, a wish",
    "vague": "a stranger, half a sentence",
}


def written() -> str:
    """Tasks that were written for definitions and changes, and those of strangers, by how they are put."""
    rows = []
    for kind, styles in (("written", _STYLES), ("strangers", _STRANGERS)):
        groups = load(TOLD[kind])["systems"][kind][kind]["groups"]
        rows += [
            [f"{label}, {groups[style]['n']}", *(percent(groups[style][m]) for m in _HITS)]
            for style, label in styles.items()
        ]
    return table(("written task", "any-hit @1", "@5", "@10"), rows)


def phrases() -> str:
    """Written tasks with and without the words of everyday phrases."""
    on, off = (load("written-phrases.json")["systems"][name]["written"]["groups"] for name in ("zeroin", "without"))
    rows = [
        [f"{label}, {on[style]['n']}", *(f"{percent(off[style][m])} → {percent(on[style][m])}" for m in _HITS)]
        for style, label in _STYLES.items()
    ]
    return table(("written task, without → with phrases", "any-hit @1", "@5", "@10"), rows)


_TRIALS = ("first trial", "second", "third", "fourth", "fifth")
_TRIAL = (
    ("right file first", "right file first", 0.75, False),
    ("right file listed", "right file listed", 0.93, False),
    ("of all listed files right or related", "listed files that are right or related", 0.85, False),
    ("gaps true and useful", "gaps that are true and useful", 0.7, False),
    ("gaps false", "gaps that are false", 0.03, True),
    ("terms right", "terms that are right", 0.8, False),
    ("patterns true", "patterns that are true", 0.95, False),
    ("reasons true", "reasons that are true", None, False),
    ("wrongly said to be sufficient", "answers wrongly said to be sufficient", 0.03, True),
)


def trial() -> str:
    """The locked half of the first trial, and the others, every claim judged by reading."""
    found = [load(f"trial-{name}.json")["measures"] for name in ("locked", *_TRIALS[1:])]
    rows = []
    for label, key, wanted, at_most in _TRIAL:
        aim = "–" if wanted is None else f"{'≤' if at_most else '≥'} {100 * wanted:.0f}"
        cells = []
        for measure in (one[key] for one in found):
            counts = f"{measure['hits']} of {measure['of']}"
            cells.append(f"{percent(measure['share'])} ({interval((measure['low'], measure['high']))}), {counts}")
        rows.append([label, aim, *cells])
    return table(("what", "wanted, %", *(f"{name}, %" for name in _TRIALS)), rows)


def worlds() -> str:
    """Worked examples and repositories written for the purpose, and six real ones."""
    rows = []
    for name, found in load("worlds.json")["totals"].items():
        if name == "all":
            continue
        listed = f"{found['listed']} of {found['expected']}"
        terms = f"{found['terms_learned']} of {found['terms']}"
        decoys = f"{found['decoys_listed']} of {found['decoys']}"
        rows.append([name, listed, decoys, terms, str(found["sufficient_but_incomplete"])])
    return table(("worlds", "expected files listed", "decoys listed", "terms learned", "wrongly sufficient"), rows)


def sufficient() -> str:
    """How often "sufficient" is said, and how often it is true."""
    rows = []
    for label, kind in (
        ("issues", "issue"),
        ("short queries", "query"),
        ("strangers", "stranger"),
        ("mined changes", "mined"),
        ("small trees", "young"),
    ):
        found = load("sufficiency.json")["as shipped"][kind]
        rows.append([f"{label}, {found['tasks']}", str(found["said"]), percent(found["true"])])
    return table(("tasks", "said", "true, %"), rows)


def reading() -> str:
    """Of the files that a change edits, the share reached within so many tokens read."""
    rows = []
    labels = {"zeroin": "**zeroin**", "grep-title": "grep the title and read"}
    groups = load(READING)["groups"]
    sizes = ("500", "2000", "8000", "32000")
    for name, label in labels.items():
        for group in ("mined", "issues"):
            found = groups[group]["systems"][name]
            what = f"{label}; {'changes' if group == 'mined' else group}, {groups[group]['tasks']}"
            rows.append([what, *(percent(found[size]["files"]["share"]) for size in sizes)])
    return table(("edited files reached after so many tokens, %", *sizes), rows)


def judges() -> str:
    """Simulated judges: quality and tokens, over issues and over Python issues with one file."""
    found = load("judge.json")
    issues, python = found["issues"], found["Python, one file"]
    rows = [
        [way, *(f"{means[m]:.1f}" for m in _JUDGED), f"{python['ways'][way]['any@1']:.1f}", f"{means['tokens']:,.0f}"]
        for way, means in issues["ways"].items()
    ]
    one = f"Python, one file, {python['tasks']}: 1"
    return table((f"issues, {issues['tasks']}; a right file among the first, %", "1", "3", "5", one, "tokens"), rows)


TABLES: dict[str, Callable[[], str]] = (
    performance.TABLES
    | workspace_tables.TABLES
    | translated.TABLES
    | peer_table.TABLES
    | {
        made.__name__: made
        for made in (
            summary,
            issues,
            queries,
            issues_beside,
            queries_beside,
            targets,
            calibration,
            cycles,
            plain_words,
            written,
            phrases,
            trial,
            worlds,
            sufficient,
            reading,
            judges,
        )
    }
)


def rewritten(page: str) -> str:
    """A page with its tables made anew. Raises `KeyError` for a table or picture that nobody makes."""
    page = _TABLE.sub(lambda m: f"{m[1]}{TABLES[m[2]]()}", page)
    return _FIGURE.sub(lambda m: m[1] + (f"![{m[3]}]({m[2].removeprefix('docs/')})\n" if FIGURES[m[2]]() else ""), page)


def wanted() -> dict[str, str]:
    """What every page and every picture is to hold, by name; no picture where there is nothing to draw."""
    pages = {name: rewritten((ROOT / name).read_text(encoding="utf-8")) for name in PAGES}
    return pages | {name: drawn for name, draw in FIGURES.items() if (drawn := draw())}


def marks(page: str) -> list[tuple[str, str]]:
    """The marks of a page's tables, each with the name of its table."""
    return _TABLE.findall(page)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.tables", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, say which pages differ")
    options = parser.parse_args(arguments)
    stale = []
    for name, text in wanted().items():
        place = ROOT / name
        if not place.exists() or place.read_text(encoding="utf-8") != text:
            stale.append(name)
            if not options.check:
                place.write_text(text, encoding="utf-8")
    said = [f"{name}: differs from the result files" for name in stale]
    print("\n".join(said) or "all tables and pictures are as measured")
    return int(bool(stale) and options.check)


if __name__ == "__main__":
    sys.exit(main())
