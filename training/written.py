"""Tasks that a language model wrote for definitions of public code, each among all passages of its repository.

    python -m training.written --repos FOLDER --encoder FILE --out FOLDER [--tasks training/written.jsonl]

A row of `written.jsonl` names a definition (repository, commit, path, lines) and up to three tasks that it answers:
`plain` in words that the code does not say, `natural` in those of the field, `symptom` as someone would tell that it
fails. A repository becomes one file: passages of its implementation files as the product cuts them, their paths, and
the tasks, all as bags of rows of the encoder's table.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.repositories import find_repositories, has_commit, list_blobs, read_blobs
from training.encoder_data import Ragged
from training.held_out import HeldOutError, refuse
from zeroin.config import Options
from zeroin.corpus.decode import decode
from zeroin.corpus.languages import TEXT_LANGUAGES, language_of
from zeroin.corpus.roles import role_of
from zeroin.models.encoder import Encoder, read_encoder
from zeroin.parsing.analyse import analyse
from zeroin.query.task import query_of
from zeroin.terms import analyse_word, count_words, term_id, weighted_ids
from zeroin.types import Role, Task

TASKS = Path(__file__).with_name("written.jsonl")
MAX_FILES, MAX_FILE_BYTES = 1_200, 200_000
KINDS = ("plain", "natural", "symptom")
PARTS = ("passages", "paths", "tasks")


@dataclass(frozen=True, slots=True)
class Asked:
    """One repository. `file_of` (P,) is the file of each passage, ascending; `gold` (T,) the file of each task."""

    name: str
    passages: Ragged
    paths: Ragged
    tasks: Ragged
    file_of: NDArray[np.int64]
    gold: NDArray[np.int64]

    def save(self, path: Path) -> None:
        parts = {
            f"{name}_{field}": getattr(getattr(self, name), field)
            for name in PARTS
            for field in ("pointers", "terms", "counts")
        }
        np.savez_compressed(path, file_of=self.file_of, gold=self.gold, **parts)


def read_asked(path: Path) -> Asked:
    """Read what `Asked.save` wrote."""
    with np.load(path) as data:
        passages, paths, tasks = (
            Ragged(*(data[f"{name}_{field}"] for field in ("pointers", "terms", "counts"))) for name in PARTS
        )
        return Asked(path.stem, passages, paths, tasks, data["file_of"], data["gold"])


def asked(name: str, git_dir: Path, rev: str, rows: Sequence[Mapping[str, str]], model: Encoder) -> Asked:
    """The tasks of one repository and all that could answer them; tasks of files that are not read are left out."""
    blobs = {
        b.path: b.blob
        for b in list_blobs(git_dir, rev)
        if b.size <= MAX_FILE_BYTES
        and role_of(b.path) is Role.IMPLEMENTATION
        and (language_of(b.path) or "text") not in TEXT_LANGUAGES
    }
    wanted = {row["path"] for row in rows}
    order = sorted(blobs, key=lambda path: (path not in wanted, sha256(path.encode()).digest()))[:MAX_FILES]
    bags = _Bags(model)
    passages: list[Counter[int]] = []
    paths: list[Counter[int]] = []
    file_of: list[int] = []
    number: dict[str, int] = {}
    for path, (_, data) in zip(order, read_blobs(git_dir, [blobs[path] for path in order]), strict=True):
        language = language_of(path)
        facts = analyse(data, language) if language else None
        if facts is None or not len(facts.passages):
            continue
        number[path] = len(number)
        lines = decode(data).text.split("\n")
        for first, last in facts.passages.tolist():
            passages.append(bags.of("\n".join(lines[first - 1 : last])))
            file_of.append(number[path])
        paths.append(bags.of(path))
    tasks: list[dict[int, float]] = []
    gold: list[int] = []
    for row in rows:
        for task in filter(None, (row.get(kind) for kind in KINDS)):
            terms = weighted_ids(query_of(Task(task), Options()).own)
            bag = {bags.row[term]: weight for term, weight in terms.items() if term in bags.row}
            if bag and row["path"] in number:
                tasks.append(bag)
                gold.append(number[row["path"]])
    return Asked(
        name, _ragged(passages), _ragged(paths), _ragged(tasks), np.array(file_of, np.int64), np.array(gold, np.int64)
    )


class _Bags:
    def __init__(self, model: Encoder) -> None:
        self.row = {int(term): row for row, term in enumerate(model.ids.tolist())}
        self._rows: dict[str, tuple[int, ...]] = {}

    def of(self, text: str) -> Counter[int]:
        """Rows of the table that a text says, and how often."""
        out: Counter[int] = Counter()
        for word, count in count_words(text).items():
            rows = self._rows.get(word)
            if rows is None:
                ids = (term_id(term) for term in analyse_word(word))
                rows = self._rows[word] = tuple(self.row[i] for i in ids if i in self.row)
            for row in rows:
                out[row] += count
        return out


def _ragged(bags: Sequence[Mapping[int, float]]) -> Ragged:
    return Ragged(
        np.r_[0, np.cumsum([len(bag) for bag in bags], dtype=np.int64)],
        np.array([row for bag in bags for row in bag], np.int32),
        np.array([count for bag in bags for count in bag.values()], np.float32),
    )


def main(argv: list[str] | None = None) -> int:
    """Writes a file a repository; 2 if a name is held out or the tasks cannot be read."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories, owner+name/…")
    parser.add_argument("--tasks", type=Path, default=TASKS)
    parser.add_argument("--encoder", type=Path, required=True, help="the table that is trained further")
    parser.add_argument("--out", type=Path, required=True, help="folder, a file a repository")
    args = parser.parse_args(argv)
    by_repo: dict[str, list[dict[str, str]]] = defaultdict(list)
    try:
        for line in args.tasks.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            by_repo[row["repo"]].append(row)
        refuse(by_repo)
    except (OSError, ValueError, KeyError, HeldOutError) as error:
        print(f"{args.tasks}: {error}", file=sys.stderr)
        return 2
    args.out.mkdir(parents=True, exist_ok=True)
    model = read_encoder(args.encoder)
    found = find_repositories(args.repos)
    for name, rows in sorted(by_repo.items()):
        git_dir = found.get(name.lower())
        if git_dir is None or not has_commit(git_dir, rows[0]["commit"]):
            print(f"{name}: the commit is not here", file=sys.stderr)
            continue
        result = asked(name, git_dir, rows[0]["commit"], rows, model)
        result.save(args.out / f"{name.replace('/', '+')}.npz")
        print(
            f"{name}: {len(result.paths)} files, {len(result.passages)} passages, {len(result.gold)} tasks",
            file=sys.stderr,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
