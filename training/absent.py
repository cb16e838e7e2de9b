"""Tasks that nothing answers, asked of small trees: everyday sentences, and messages of other projects.

    python -m training.absent --young YOUNG.jsonl --out ABSENT.jsonl

A small tree always has a nearest file. The ranker learns from these tasks that the nearest one need not be meant.
Of each repository the first four small trees by a hash are asked: two a sentence of `nonsense.txt`, which has nothing
to do with any software, two a message of another repository's young days.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

SENTENCES = Path(__file__).with_name("nonsense.txt")
MOST = 4  # tasks a repository
_FAR = 17, 40  # the other repository is so many places away by name, out of all but so many

Row = dict[str, Any]


def number_of(text: str) -> int:
    """A number that hangs on the text alone."""
    return int(sha256(text.encode()).hexdigest(), 16)


def absent_tasks(rows: Sequence[Row], sentences: Sequence[str]) -> list[Row]:
    """Up to four tasks without an answer for each repository that has young tasks, in the order of their names."""
    by_repo: dict[str, list[Row]] = {}
    for row in rows:
        if row.get("sort") == "young":
            by_repo.setdefault(row["repo"], []).append(row)
    names = sorted(by_repo)
    out = []
    for place, name in enumerate(names):
        chosen = sorted(by_repo[name], key=lambda row: number_of(f"absent{row['id']}"))[:MOST]
        for turn, row in enumerate(chosen):
            if turn % 2 == 0:
                text = sentences[number_of(row["id"]) % len(sentences)]
            else:
                text = _of_another(row["id"], place, names, by_repo)
            nothing: Row = {"change": "", "gold": [], "tests": [], "added": [], "lines": {}, "sort": "absent"}
            out.append({**row, **nothing, "id": f"{row['id']}:nothing", "task": text})
    return out


def _of_another(identity: str, place: int, names: Sequence[str], by_repo: Mapping[str, Sequence[Row]]) -> str:
    near, left_out = _FAR
    step = near + number_of(identity) % max(1, len(names) - left_out)
    others = by_repo[names[(place + step) % len(names)]]
    return str(others[number_of(f"t{identity}") % len(others)]["task"])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--young", type=Path, required=True, help="tasks that training.young wrote")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    rows = [json.loads(line) for line in arguments.young.read_text(encoding="utf-8").splitlines()]
    sentences = SENTENCES.read_text(encoding="utf-8").splitlines()
    tasks = absent_tasks(rows, sentences)
    arguments.out.write_text("".join(json.dumps(task) + "\n" for task in tasks), encoding="utf-8")
    print(f"{len(tasks)} tasks of {len({task['repo'] for task in tasks})} repositories")


if __name__ == "__main__":
    main()
