"""Are tasks in other languages answered as well as in English?

    python -m benchmarks.translated --repos REPOS [--out FILE]

`translated.jsonl` holds 36 tasks of the open half of `benchmarks/trial` (questions, faults, wishes) in six languages.
Their translator saw no dictionary, and no dictionary was mended by them. Each is asked in English and in each language,
with the dictionary and without: where does the first right file stand, and does the answer list one? Tasks of that half
that are in another language from the start are asked, too (`own`).
"""

import argparse
import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import zeroin
from benchmarks.markdown import table
from benchmarks.provenance import provenance
from zeroin.query import task as query
from zeroin.query.translation import LANGUAGES, language_of

TRANSLATED = Path(__file__).with_name("translated.jsonl")
TASKS = Path(__file__).parent / "trial" / "open.jsonl"
RESULT = Path(__file__).parent / "results" / "translated.json"
DEPTHS = (1, 3, 5, 10)


def main() -> None:
    """Ask every task in every language, with the dictionary and without; print and write the shares."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    rows = [json.loads(line) for line in TRANSLATED.read_text("utf-8").splitlines()]
    tasks = {task["id"]: task for task in map(json.loads, TASKS.read_text("utf-8").splitlines())}
    out: dict[str, Any] = {"provenance": provenance("benchmarks.translated", ["--repos", "REPOS"]), "tasks": len(rows)}
    for way in ("with", "without"):
        with patch.object(query, "language_of", language_of if way == "with" else lambda text: None):
            query._kept_query.cache_clear()
            out[way] = {}
            for language in ("en", *(code for code in rows[0] if code != "id")):
                asked = ((row.get(language) or tasks[row["id"]]["task"], tasks[row["id"]]) for row in rows)
                out[way][language] = _shares([_asked(text, task, arguments.repos) for text, task in asked])
                print(way, language, out[way][language], flush=True)
            own = (task for task in tasks.values() if task["kind"] == "other-language")
            out[f"own, {way}"] = {t["id"]: _asked(t["task"], t, arguments.repos) for t in own}
            print(out[f"own, {way}"], flush=True)
    if arguments.out:
        arguments.out.write_text(json.dumps(out, indent=1) + "\n")


def _asked(text: str, task: dict[str, Any], repos: Path) -> tuple[int, bool]:
    """Return the place of the first right file, 0 for none, and whether the answer lists one."""
    place = repos / task["repo"].replace("/", "+") / "repo"
    context = zeroin.retrieve(text, place, rev=task["commit"])
    places = [at for at, judgment in enumerate(context.ranking, 1) if judgment.path in task["right"]]
    return min(places, default=0), any(judgment.path in task["right"] for judgment in context.listed)


def _shares(ranks: list[tuple[int, bool]]) -> dict[str, float]:
    shares = {f"hit@{k}": sum(0 < rank <= k for rank, _ in ranks) for k in DEPTHS}
    shares |= {"listed": sum(listed for _, listed in ranks)}
    return {name: round(100 * count / len(ranks), 1) for name, count in shares.items()}


def translations() -> str:
    """Write the table of docs/TERMINOLOGY.md: shares with the dictionary and without."""
    found = json.loads(RESULT.read_text("utf-8"))
    names = {"en": "English", **{code: row["name"] for code, row in LANGUAGES.data.items()}}
    kinds = [(way, hit) for way in ("with", "without") for hit in ("hit@1", "hit@5", "listed")]
    rows = [[names[code], *(f"{found[way][code][hit]:.0f}" for way, hit in kinds)] for code in found["with"]]
    head = [f"{hit.removeprefix('hit')}{'' if way == 'with' else ', without'}" for way, hit in kinds]
    return table((f"{found['tasks']} tasks in", *head), rows)


TABLES = {"translations": translations}


if __name__ == "__main__":
    main()
