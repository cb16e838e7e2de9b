"""Plain-word tasks: written in words that the code avoids. This checks that they are, and tells their halves.

    python -m benchmarks.vocabulary --repos FOLDER [FILE]     # every row, or the reasons why it is rejected

A row is ``{"id", "repo", "commit", "language", "task", "gold", "words", "why"}``: ``words`` maps a phrase of the task
to the code's own words for it, ``why`` says what in the code makes the gold files the answer. A task is rejected when a
content stem of its text occurs in the path, in a defined name or in any identifier of a gold file, when it says too
little, or when a row is not what it claims to be.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from benchmarks.repositories import RepositoryError, find_repositories, list_blobs, locate, read_blobs
from zeroin.corpus.decode import decode
from zeroin.corpus.languages import language_of
from zeroin.parsing.analyse import code_without_strings
from zeroin.terms import INTENT_WORDS, STOPWORDS, WORD, analyse, split_identifier, stem

TASKS = Path(__file__).with_name("vocabulary.jsonl")
SECOND = Path(__file__).with_name("vocabulary-second.jsonl")  # all locked, whatever `half_of` says
# By a language model that read one definition or change each; nothing rejects them.
WRITTEN = Path(__file__).with_name("written.jsonl")
# What users would ask who do not know the code, by a language model that read the repository.
STRANGERS = Path(__file__).with_name("strangers.jsonl")
LEAST_STEMS, LEAST_CHARS, MOST_CHARS = 4, 40, 400
MOST_GOLD = 4

Half = Literal["open", "locked", "second"]


def half_of(repo: str) -> Half:
    """Which half a repository's tasks are in: looked at while building, or scored once at the end."""
    return "locked" if sha256(f"plain words of {repo.lower()}".encode()).digest()[0] & 1 else "open"


def content_stems(task: str) -> dict[str, str]:
    """Stem → the word of the task that has it: every word but those of the language and of the request."""
    out: dict[str, str] = {}
    for word in WORD.findall(task):
        for part in split_identifier(word):
            if len(part) > 2 and not part.isdigit() and part not in STOPWORDS | INTENT_WORDS:
                out.setdefault(stem(part), part)
    return out


def named_stems(path: str, data: bytes) -> frozenset[str]:
    """Stems of a file's path and of every identifier in its code; strings and comments do not count."""
    code = code_without_strings(decode(data).text, language_of(path) or "text")
    return frozenset(analyse(path)) | {term for word in set(WORD.findall(code)) for term in split_stems(word)}


def split_stems(word: str) -> list[str]:
    return [stem(part) for part in split_identifier(word)]


def reasons_against(row: Mapping[str, Any], git_dir: Path) -> list[str]:
    """Why a row is rejected; none if it stands."""
    task, gold = str(row["task"]), list(row["gold"])
    stems = content_stems(task)
    out = []
    if len(stems) < LEAST_STEMS:
        out.append(f"says too little: {sorted(stems.values())}")
    if not LEAST_CHARS <= len(task) <= MOST_CHARS:
        out.append(f"{len(task)} characters")
    if not 1 <= len(gold) <= MOST_GOLD:
        out.append(f"{len(gold)} gold files")
    if not row.get("words") or not row.get("why"):
        out.append("no words, or no why")
    try:
        blobs = {blob.path: blob.blob for blob in list_blobs(git_dir, row["commit"])}
        missing = [path for path in gold if path not in blobs]
        if missing:
            return [*out, f"not at this commit: {missing}"]
        contents = dict(read_blobs(git_dir, [blobs[path] for path in gold]))
    except RepositoryError as error:
        return [*out, str(error)]
    for path in gold:
        said = stems.keys() & named_stems(path, contents[blobs[path]])
        if said:
            out.append(f"{path} is named so: {sorted(stems[s] for s in said)}")
    return out


def read_tasks(path: Path = TASKS) -> list[dict[str, Any]]:
    """The rows of a file of plain-word tasks."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def main(arguments: Sequence[str] | None = None) -> int:
    """Checks every row; 1 if one is rejected."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.vocabulary", description=(__doc__ or "").split("\n", maxsplit=1)[0]
    )
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories, owner+name/…")
    parser.add_argument("file", nargs="?", type=Path, default=TASKS)
    options = parser.parse_args(arguments)
    rows = read_tasks(options.file)
    found = find_repositories(options.repos)
    rejected = unreachable = 0
    for row in rows:
        git_dirs = locate(row["repo"], found, {})
        if not git_dirs:
            unreachable += 1
            continue
        against = reasons_against(row, git_dirs[0])
        rejected += bool(against)
        for reason in against:
            print(f"{row['id']}: {reason}")
    twice = [task for task, times in Counter(row["id"] for row in rows).items() if times > 1]
    for task in twice:
        print(f"{task}: more than once")
    repos = {row["repo"] for row in rows}
    halves = Counter(half_of(row["repo"]) for row in rows)
    print(
        f"{len(rows)} tasks, {len(repos)} repositories, {len({row['language'] for row in rows})} languages; "
        f"open {halves['open']}, locked {halves['locked']}; {rejected} rejected, {unreachable} not on this machine",
        file=sys.stderr,
    )
    return 1 if rejected or twice else 0


if __name__ == "__main__":
    sys.exit(main())
